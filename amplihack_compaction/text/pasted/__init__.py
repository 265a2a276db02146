"""What of a prompt somebody else wrote: a prompt's lines come in, marks on them go out.

`shapes` knows lines by their form, `remarks` what the user says of a text, `authors` who likely
wrote which line, `documents` what is too long for it. It must not judge what a sentence means: a
rule in a paste is as foreign as any other line of it, and what the user typed beside it is his.
"""

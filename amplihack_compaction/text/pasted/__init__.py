"""What of a prompt somebody else wrote: a prompt's lines come in, marks on them go out.

`shapes` knows lines by their form, `authors` what the user says of a text, and who likely wrote
which line. It must not judge what a sentence means: a rule in a paste is as foreign as any other
line of it, and what the user typed beside it is his.
"""

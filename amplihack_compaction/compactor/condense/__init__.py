"""Texts made shorter: outputs and repeats cut to stubs, notes summed up.

A text in, a shorter one out, with rules, decisions and errors in their own words.
"""

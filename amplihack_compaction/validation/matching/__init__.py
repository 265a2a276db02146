"""One item looked for in a text: kept, in other words, in part, turned round.

An item and a text in, what was found of it out.
"""

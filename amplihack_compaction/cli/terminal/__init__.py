"""What commands share: sessions by name, progress, colours, completion.

A stream or a name in, what fits it out.
"""

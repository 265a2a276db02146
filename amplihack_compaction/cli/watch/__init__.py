"""`watch`: the running session on a terminal of its own.

A transcript that grows in, a screen out.
"""

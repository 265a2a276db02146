"""How full the context is: usage, the limit at which the client compacts, the levels before it.

A transcript's newest numbers and the client's settings in, a reading and its level out.
"""

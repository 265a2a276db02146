"""`install` and its proof: a recorded session replayed through the registered hooks.

A project in, registered hooks out.
"""

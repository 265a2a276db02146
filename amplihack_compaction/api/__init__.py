"""The interface of the modules of amplihack that this package replaces.

Their calls in, their results out, made of what the other rooms do.
"""

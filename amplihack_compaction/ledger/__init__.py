"""A session's statements so far: merged window by window, replaced, lifted, kept on disk.

Window states in, one `SessionState` out. It is a cache: all of it can be folded again.
"""

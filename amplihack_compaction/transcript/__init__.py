"""A session as it was: entries, messages, the main chain, turns and windows.

A transcript file in, windows out. It only reads, and says what it had to skip.
"""

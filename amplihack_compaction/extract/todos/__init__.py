"""What is to do: the client's own lists, lists in text, what was put off, what is finished.

A window in, todos with their status out.
"""

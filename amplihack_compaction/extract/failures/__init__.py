"""What is unsolved and what was given up, and what later words or checks settle of it.

A window in, issues and failed attempts out.
"""

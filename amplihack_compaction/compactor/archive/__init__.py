"""What is old of a project's notes goes to the archive beside them, and stays findable there.

A folder's texts in, shorter ones with documents of what went out. It decides what is old, and that
open work, decisions and rules are not.
"""

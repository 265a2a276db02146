"""`doctor`: whether everything works here, one module a group of rows.

A project in, rows out.
"""

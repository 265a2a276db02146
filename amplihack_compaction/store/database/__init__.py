"""The store's schema, and the SQLite or PostgreSQL that it lies in.

SQL in, rows out, with errors in words.
"""

"""Sessions, messages and compactions in a database, and the search over them.

Transcripts and queries in, rows out; redacted before anything is stored. The hook that stores runs
without other packages on its path, so that only `postgresql` imports any.
"""

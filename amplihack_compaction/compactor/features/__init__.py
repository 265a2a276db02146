"""A feature's files: read, measured, compacted, summarised, taken back.

A folder in, a result with a backup out.
"""

"""What became of what mattered at each compaction of a session.

A transcript in, verdicts out.
"""

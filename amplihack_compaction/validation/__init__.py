"""Whether a compaction lost something: events, what is missing, the validator, power steering.

A state and what the model was given in, verdicts out. It never blocks.
"""

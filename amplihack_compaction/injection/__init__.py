"""What the model is told after a compaction: ranked, rendered within a budget, delivered once.

A `SessionState` in, a text and a receipt out; `render` has the order of the sections and how
much each line is needed, and fits them into the budget, `record` and `snapshot` keep what a
compaction found, `position` and `receipts` tell what was given. It states facts, no orders.
"""

"""What the model is told after a compaction: ranked, rendered within a budget, delivered once.

A `SessionState` in, a text and a receipt out; `render` has the table of sections, their order,
shares and how many lines each may have. It states facts and gives no orders.
"""

"""What the model is told after a compaction: ranked, rendered within a budget, delivered once.

A `SessionState` in, a text and a receipt out. It states facts and gives no orders.
"""

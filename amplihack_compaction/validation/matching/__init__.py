"""One item looked for in a text: kept, in other words, in part, turned round, or gone.

An item and a text in, a verdict with its evidence and certainty out. It knows no session.
"""

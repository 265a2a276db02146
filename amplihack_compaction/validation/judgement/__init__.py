"""What tells for and against an item being kept, and the learnt weights of it.

Findings in, chances of each verdict out.
"""

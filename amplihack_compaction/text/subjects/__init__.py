"""What a rule is about, and how two rules compare by that.

Two sentences in, whether they speak of the same thing out.
"""

"""How likely a sentence is a rule, a choice, new work, a withdrawal or a failure: learnt weights.

A sentence in, chances out. The weights are data files beside the code.
"""

"""Search over what was stored.

Words in, the places that have them out, the best first.
"""

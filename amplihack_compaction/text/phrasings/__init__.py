"""The words by which rules are set and lifted, and work is put off or turned to, in nine languages.

A sentence in, what it does by its wording out.
"""

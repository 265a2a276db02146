"""Files replaced all together or not at all, and taken back byte for byte.

Changes in, an entry that undoes them out.
"""

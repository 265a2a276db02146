"""Texts taken apart into dated blocks, and what was archived of them.

A document in, its blocks and their dates out.
"""

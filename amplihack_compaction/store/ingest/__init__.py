"""Transcripts read into the store, once each, in any number of steps.

A transcript in, stored messages out.
"""

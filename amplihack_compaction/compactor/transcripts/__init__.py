"""Smaller copies of transcripts that the client resumes, with the same ledger.

A transcript in, a copy and a manifest out; the original is only read.
"""

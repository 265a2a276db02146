"""Files made smaller and taken back: features, transcripts copied, old parts archived.

Files in, smaller ones and a backup out. An original transcript is never written.
"""

"""What of a prompt its user typed, and what was pasted: code, logs, quotations, documents.

A prompt's text in, its parts out.
"""

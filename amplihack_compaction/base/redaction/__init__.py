"""Secrets taken out of text and JSON, by vendors' marks, telling names and the user's own patterns.

Text in, the same text without its secrets out. It writes nothing and forgets no pattern.
"""

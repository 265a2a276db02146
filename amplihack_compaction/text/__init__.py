"""What a text says: sentences, words, languages, pasted parts, commands and their outputs.

Text in, parts and verdicts out. It knows no session and keeps nothing.
"""

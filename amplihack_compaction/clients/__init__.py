"""What only one client has: where its files lie, its payloads, answers and settings.

A client is one folder here. It decides nothing about what is kept or told.
"""

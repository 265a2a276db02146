"""The command line: what a user can ask for by hand.

Arguments in, text or JSON out, and an exit code.
"""

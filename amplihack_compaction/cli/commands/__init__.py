"""One module a command.

Arguments in, what is printed out.
"""

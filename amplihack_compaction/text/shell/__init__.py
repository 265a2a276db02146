"""Shell command lines and the outputs of programs, taken apart.

A command or an output in, what it runs, writes or reports out. Nothing is run.
"""

"""The hooks in Claude Code's settings files: registered, recognised, taken out again.

A settings file in, the same file with our entries out; what else stands in it stays to the byte.
"""

"""The hooks: one module for events that are alike, and `run`, the boundary that never fails.

A payload on stdin, one answer or nothing on stdout, exit code 0. The
launchers that the client starts are made by `install`: see `clients/claude_code/wiring/`.
"""

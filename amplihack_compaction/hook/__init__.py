"""The hooks: one module for events that are alike, and `run`, the boundary that never fails.

A payload on stdin, one answer or nothing on stdout, exit code 0. The scripts that
the client starts are in `hooks/`; `clients/claude_code/wiring/hook_entries` registers them.
"""

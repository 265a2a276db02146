"""The hooks: one module an event, and the one boundary that never fails a session.

A payload on stdin, one answer or nothing on stdout, exit code 0.
"""

"""Going on without loss: automatic snapshots, checkpoints, handoff documents, a fresh start.

A session's state in, documents and offers out.
"""

"""Claude Code: payloads of its hooks, the answers it takes, its settings, transcripts and tasks.

Its own shapes in, ours out, and the other way round.
"""

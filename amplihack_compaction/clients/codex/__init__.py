"""Codex: its rollouts turned into session lines, its hooks file, its limit, where its sessions lie.

No rollout is ever written. What none of its fields says is not said here either.
"""

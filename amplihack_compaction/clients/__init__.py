"""What only one client has: where its files lie, its payloads, answers and settings.

A client is one folder here. It decides nothing about what is kept or told. Which client wrote a
transcript is told by the file's name, here and nowhere else; every hook asks (hot).
"""

from amplihack_compaction.clients.claude_code.tail import CLAUDE_CODE, ClientTail

__all__ = ["ClientTail", "is_rollout", "tail_of"]


def is_rollout(path: object) -> bool:
    """Return whether a transcript is one of Codex's, by its name."""
    return "/rollout-" in str(path)


def tail_of(path: object) -> ClientTail:
    """Return what the hot path knows of the client that wrote a transcript."""
    if is_rollout(path):
        from amplihack_compaction.clients.codex.tail import RolloutTail

        return RolloutTail()
    return CLAUDE_CODE

"""What only one client has: where its files lie, its payloads, answers and settings.

A client is one folder here. It decides nothing about what is kept or told. Which client wrote a
transcript is told by the file's name, here and nowhere else; every hook asks (hot).
"""

from amplihack_compaction.clients.claude_code import tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from amplihack_compaction.clients.client_tail import ClientTail


def is_rollout(path: object) -> bool:
    """Return whether a transcript is one of Codex's, by its name."""
    return "/rollout-" in str(path)


def tail_of(path: object) -> "ClientTail":
    """Return what the hot path knows of the client that wrote a transcript."""
    if is_rollout(path):
        from amplihack_compaction.clients.codex import tail as rollout_tail

        return rollout_tail
    return tail

"""The names that the hot path needs of each client's `tail.py`; loaded by no hook."""

from typing import Protocol

from amplihack_compaction.clients.claude_code.tail import Usage


class ClientTail(Protocol):
    """What the hot path knows of a client's transcripts; a module of its folder.

    The marks are bytes: `MARKER` of a boundary's line, `ANSWER_MARK` of a line that the
    model has answered by, `DELIVERED_MARK` of one with a hook's text as the model was sent
    it, `CONVERSATION_MARKS` of lines by which something was said. `BOUNDARY_COMES_FIRST`:
    at SessionStart after a compaction its boundary is written already. `HEARS_AT_STOP`: a
    text that a Stop hook adds reaches the model. `CAN_ASK`: a hook can have the user asked.
    """

    MARKER: bytes
    ANSWER_MARK: bytes
    DELIVERED_MARK: bytes
    BOUNDARY_COMES_FIRST: bool
    HEARS_AT_STOP: bool
    CAN_ASK: bool

    @property
    def CONVERSATION_MARKS(self) -> tuple[bytes, ...]: ...  # noqa: D102, N802

    def find_boundaries(self, descriptor: int, start: int, end: int) -> tuple[list[int], int]:
        """Return the boundaries' offsets in `[start, end)`, and where whole lines end."""
        ...

    def newest_usage(self, descriptor: int, size: int, limit_bytes: int) -> Usage | None:
        """Return the newest response's numbers among the last bytes before `size`."""
        ...

    def estimate_tokens(
        self, descriptor: int, usage: Usage, end: int, base_tokens: int, tokens_per_1000: int
    ) -> int:
        """Return the context's tokens at `end`."""
        ...

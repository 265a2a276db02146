"""The names that the hot path needs of each client's `tail.py`; loaded by no hook."""

from typing import Any, Protocol


class ResponseUsage(Protocol):
    """One response's numbers; `input_tokens` is all that it was sent, `tokens` with its output.

    `start` and `offset` are those of its first and its last line.
    """

    input_tokens: int
    tokens: int
    model: str
    message_id: str
    start: int
    offset: int


Numbers = ResponseUsage | None


class ClientTail(Protocol):
    """What the hot path knows of a client's transcripts; a module of its folder.

    The marks are bytes: `MARKER` of a boundary's line, `ANSWER_MARK` of a line that the
    model has answered by, `DELIVERED_MARK` of one with a hook's text as the model was sent
    it, `CONVERSATION_MARKS` of lines by which something was said. `BOUNDARY_COMES_FIRST`:
    at SessionStart after a compaction its boundary is written already. `HEARS_AT_STOP`: a
    text that a Stop hook adds reaches the model. `CAN_ASK`: a hook can have the user asked.
    """

    @property
    def MARKER(self) -> bytes: ...  # noqa: D102, N802
    @property
    def ANSWER_MARK(self) -> bytes: ...  # noqa: D102, N802
    @property
    def DELIVERED_MARK(self) -> bytes: ...  # noqa: D102, N802
    @property
    def CONVERSATION_MARKS(self) -> tuple[bytes, ...]: ...  # noqa: D102, N802
    @property
    def BOUNDARY_COMES_FIRST(self) -> bool: ...  # noqa: D102, N802
    @property
    def HEARS_AT_STOP(self) -> bool: ...  # noqa: D102, N802
    @property
    def CAN_ASK(self) -> bool: ...  # noqa: D102, N802

    def find_boundaries(self, descriptor: int, start: int, end: int) -> tuple[list[int], int]:
        """Return the boundaries' offsets in `[start, end)`, and where whole lines end."""
        ...

    def newest_usage(self, descriptor: int, size: int, limit_bytes: int) -> Numbers:
        """Return the newest response's numbers among the last bytes before `size`."""
        ...

    def estimate_tokens(
        self,
        descriptor: int,
        usage: Any,
        end: int,
        base_tokens: int,
        tokens_per_1000: int,
    ) -> int:
        """Return the context's tokens at `end`."""
        ...

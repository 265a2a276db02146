"""What a resumable copy leaves out of a transcript, and what that saves."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from amplihack_compaction.context.tokens.estimate import line_for

Pointer = tuple[str | int, ...]
Progress = Callable[[str, int, int], None]
"""Told what is being done, how many bytes of it are done, and of how many."""


class Kind(StrEnum):
    """Why something is left out of a copy."""

    TOOL_OUTPUT = "tool_output"
    SUPERSEDED_READ = "superseded_read"
    DUPLICATE = "duplicate"
    IMAGE = "image"
    DOCUMENT = "document"
    THINKING = "thinking"
    WRITTEN = "written"
    RECORD = "record"


class Inputs(StrEnum):
    """Which long inputs of Write and Edit are left out: none, of files touched again, or all."""

    NONE = "none"
    SUPERSEDED = "superseded"
    ALL = "all"


class Scope(StrEnum):
    """How much of the file is made smaller.

    What lies before the last compaction is in the file, but no longer sent to the model: `window`
    leaves it as it is. `auto` does so in files of more than 16 MB, for the sake of time.
    """

    AUTO = "auto"
    FILE = "file"
    WINDOW = "window"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How much stays.

    The newest `keep_turns` turns stay whole, of longer ones what lies in the newest
    `keep_tokens`; the last response stays in any case. Of what is older, every part above
    `over_tokens` goes. The numbers of tokens are estimates.
    """

    keep_turns: int = 3
    keep_tokens: int = 10_000
    over_tokens: int = 100
    inputs: Inputs = Inputs.SUPERSEDED
    thinking: bool = True
    scope: Scope = Scope.AUTO


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """The session to copy: its transcript, its id, and the project that keeps our files."""

    path: str
    session_id: str
    root: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing that is left out: where it stands, what it is, and its characters.

    `offset` and `line` are the line's byte offset and its number from 0, `pointer` leads to the
    value inside the parsed line. `what` is the text that names it in a placeholder, and `text`
    the placeholder without its number; thinking has none. `resumed` says that the client would
    send it when the session is resumed.
    """

    offset: int
    line: int
    pointer: Pointer
    kind: Kind
    characters: int
    what: str
    resumed: bool
    text: str = ""
    number: int = 0


@dataclass(slots=True)
class Amount:
    """Characters before and after."""

    before: int = 0
    after: int = 0

    @property
    def saved_ratio(self) -> float:
        """The part that is saved; 0 of nothing."""
        return 1 - self.after / self.before if self.before else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a copy leaves out of the first `end` bytes of a transcript.

    `whole_characters` are those of all messages in the file, `resumed_characters` of those that
    the client sends when the session is resumed. `kept` counts large parts that stay, by reason.
    """

    end: int
    model: str
    parts: tuple[Part, ...]
    whole_characters: int
    resumed_characters: int
    records: int = 0
    record_bytes: int = 0
    kept: Counter[str] = field(default_factory=Counter)

    @property
    def whole(self) -> Amount:
        """The characters of the whole file's messages."""
        return _amount(self.whole_characters, self.parts)

    @property
    def resumed(self) -> Amount:
        """The characters of the messages that are sent when the session is resumed."""
        return _amount(self.resumed_characters, (part for part in self.parts if part.resumed))


def _amount(characters: int, parts: Iterable[Part]) -> Amount:
    saved = sum(part.characters - len(part.text) for part in parts)
    return Amount(characters, max(0, characters - saved))


def tokens_of(plan: Plan, amount: Amount) -> list[int]:
    """Return estimated tokens before and after, by the line of the session's model."""
    slope = line_for(plan.model).slope
    return [round(slope * amount.before), round(slope * amount.after)]

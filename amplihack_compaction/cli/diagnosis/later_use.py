"""Find what the model used after a compaction although the summary lacked it.

An item counts as used when it stands in the model's texts or in what it gave to tools, in the
window that followed the compaction; when neither the summary had it nor the messages that the
compaction kept; and when the user had not said it again before. Values, commands, paths and the
branch must be there to the letter; rules, decisions, todos and the objective in a sentence that
states them. How the model came by it is told by what stands in the conversation before the use: an
injection, a tool's output; or nothing does.

Texts are those of the transcript's reader, which cuts long ones in their middle: a use that
stands only there is missed.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import ceil
from typing import Any

from amplihack_compaction.cli.diagnosis.injections import Injection
from amplihack_compaction.extract.statements import SessionState, ValueKind
from amplihack_compaction.text.words import fold_case, is_empty, raw_words
from amplihack_compaction.transcript.session import Kind, Node, Window
from amplihack_compaction.validation.losses import Fate, fate_of
from amplihack_compaction.validation.matching.findings import has_literal, literal_form
from amplihack_compaction.validation.matching.item_match import Label, match
from amplihack_compaction.validation.matching.text_index import TextIndex

_STATED_IN = frozenset({"user", "text", "TodoWrite", "TaskCreate", "TaskUpdate"})
"""Where sentences stand, besides outputs."""
_FILES = 60
_COMMON_BRANCHES = frozenset({"", "HEAD", "main", "master", "develop"})
_LITERAL_KINDS = frozenset({"value", "verify", "file", "branch"})
_PREFIX_CHARS = 5
_LEAST_SHARE = 0.6
"""The share of an item's words below which a text cannot state it: as in `wording.matching`."""
_FOUND = frozenset({Label.KEPT, Label.REWORDED})
_LEAST_CHARS = 4
_LEAST_WORDY_CHARS = 12
_LEAST_DIGITS = 2
_LINE_WORDS = 3


class LostItem:
    """Something to look for in folded texts.

    `prefixes` are the beginnings of a sentence's words, which endings do not change.
    """

    def __init__(self, kind: str, text: str) -> None:
        self.kind, self.text = kind, text
        self.is_literal = kind in _LITERAL_KINDS
        self.literal = literal_form(text) if self.is_literal else ""
        words = [] if self.is_literal else raw_words(fold_case(text))
        self.prefixes = frozenset(word[:_PREFIX_CHARS] for word in words if not is_empty(word))

    @property
    def least_shared(self) -> int:
        """How many of a sentence's words a text has that states it."""
        return max(ceil(_LEAST_SHARE * len(self.prefixes)), _LINE_WORDS)

    def is_telling(self, quantities: Container[str]) -> bool:
        """Return whether to find it says anything: everyday words and `2 files` come by chance."""
        if not self.is_literal:
            return len(self.prefixes) >= _LINE_WORDS
        if len(self.literal) < _LEAST_CHARS:
            return False
        if self.text in quantities:
            return sum(sign.isdigit() for sign in self.literal) >= _LEAST_DIGITS
        wordy = all(sign.isalpha() or sign.isspace() for sign in self.literal)
        return not wordy or len(self.literal) >= _LEAST_WORDY_CHARS

    def stands_in(self, folded: str) -> bool:
        """Return whether a folded text has the item."""
        if self.is_literal:
            return bool(self.literal) and has_literal(self.literal, folded)
        if self.shared(folded) < self.least_shared:
            return False
        lines = [line for line in folded.splitlines() if self.shared(line) >= _LINE_WORDS]
        found = match(self.text, TextIndex(lines), self.kind) if lines else None
        return found is not None and found.label in _FOUND

    def shared(self, folded: str) -> int:
        """Return how many of a sentence's words begin in a folded text."""
        return sum(prefix in folded for prefix in self.prefixes)


@dataclass(frozen=True)
class Passage:
    """A text after the compaction; `by` is `user`, `text`, a tool's name, or empty for outputs."""

    text: str
    by: str
    at: str
    offset: int

    @cached_property
    def folded(self) -> str:
        """The text, folded."""
        return fold_case(self.text)


def passages_of(node: Node) -> Iterator[Passage]:
    """Yield what a node says, in its order: a result stands where it came in, not with its call."""
    place = (node.timestamp, node.offset)
    if node.kind is Kind.PROMPT:
        yield Passage(node.text, "user", *place)
    elif node.kind is Kind.ASSISTANT:
        yield Passage(node.text, "text", *place)
        for tool in node.tools:
            yield Passage("\n".join(_strings(tool.input)), tool.name or "a tool", *place)
    elif node.kind is Kind.RESULT:
        yield from (Passage(said, "user", *place) for said, _ in node.said)
        yield from (Passage(result.text, "", *place) for _, result in node.results)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


class UseSource(StrEnum):
    """Where an item stood after the compaction, before it was used."""

    INJECTED = "injected"
    TOOL_OUTPUT = "tool output"


@dataclass(frozen=True, slots=True)
class Use:
    """The first use of an item: `by` is `text` or the tool's name; no `sources`: none is shown."""

    kind: str
    text: str
    by: str
    at: str
    offset: int
    sources: tuple[UseSource, ...] = ()


def later_uses(
    lost: Sequence[Fate],
    state: SessionState,
    summary: TextIndex,
    kept: Sequence[str],
    after: Window,
    injections: Sequence[Injection],
) -> tuple[Use, ...]:
    """Return the first use of each item that a summary lacked, in order.

    `lost` are the items that the summary lost of `state`, `kept` the texts that the compaction
    kept word for word, `after` the window that followed it.
    """
    items = [LostItem(fate.kind, fate.text) for fate in lost]
    items += _more_items(state, summary)
    quantities = {value.text for value in state.values if value.kind is ValueKind.QUANTITY}
    passages = [passage for node in after.chain for passage in passages_of(node)]
    before = [fold_case(text) for text in kept]
    uses: list[Use] = []
    for item in items:
        if not item.is_telling(quantities):
            continue
        if not any(item.stands_in(text) for text in before):
            use = _first_use(item, passages, injections)
            uses += [use] if use is not None else []
    return tuple(sorted(uses, key=lambda use: use.offset))


def kept_texts(window: Window) -> list[str]:
    """Return what the compaction that ended a window kept of it word for word."""
    kept = window.ended.preserved if window.ended is not None else frozenset()
    if not kept:
        return []
    nodes = (node for node in window.chain if node.uuid in kept)
    return [passage.text for node in nodes for passage in passages_of(node)]


def _first_use(
    item: LostItem, passages: Sequence[Passage], injections: Sequence[Injection]
) -> Use | None:
    """Return the item's first use; None where there is none, or the user said it before."""
    passage = next((p for p in passages if p.by and _states(item, p)), None)
    if passage is None or passage.by == "user":
        return None
    sources = [UseSource.INJECTED] if _injected(item, injections, passage.offset) else []
    outputs = (p for p in passages if not p.by and p.offset < passage.offset)
    if any(item.stands_in(output.folded) for output in outputs):
        sources.append(UseSource.TOOL_OUTPUT)
    place = (passage.by, passage.at, passage.offset)
    return Use(item.kind, item.text, *place, tuple(sources))


def _states(item: LostItem, passage: Passage) -> bool:
    # A command that shares a path with a sentence does not state it.
    may_state = item.is_literal or passage.by in _STATED_IN
    return may_state and item.stands_in(passage.folded)


def _more_items(state: SessionState, summary: TextIndex) -> Iterator[LostItem]:
    """Yield what the loss report does not judge, where the summary has nothing of it.

    These are files that were edited, and the branch; a file's name alone still leads to it.
    """
    edited = [file.path for file in state.files if file.edits][-_FILES:]
    for path in edited:
        if fate_of("value", path, summary).label is Label.DROPPED:
            yield LostItem("file", path)
    branch = LostItem("branch", state.branch)
    if state.branch not in _COMMON_BRANCHES and not branch.stands_in(summary.folded):
        yield branch


def _injected(item: LostItem, injections: Sequence[Injection], offset: int) -> bool:
    given = (i for i in injections if 0 <= i.offset < offset)
    return any(item.stands_in(fold_case(injection.text)) for injection in given)

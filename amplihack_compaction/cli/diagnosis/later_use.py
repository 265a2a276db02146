"""Find what the model used after a compaction although the summary lacked it.

An item counts as used when it stands in the model's texts or in what it gave to tools, in the
window that followed the compaction; when neither the summary had it nor the messages that the
compaction kept; and when the user had not said it again before. Values, commands, paths and the
branch must be there to the letter; rules, decisions, todos and the objective in a sentence that
states them. How the model came by it is told by what stands in the transcript before the use: an
injection, a tool's output, something that the client attached; or nothing does.

Texts are those of the transcript's reader, which cuts long ones in their middle: a use that
stands only there is missed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from amplihack_compaction.cli.diagnosis.injections import Injection
from amplihack_compaction.cli.diagnosis.items import (
    LEAST_SHARE,
    LITERAL_KINDS,
    PREFIX_CHARS,
    RUN,
    Item,
    item_of,
)
from amplihack_compaction.cli.diagnosis.passages import Passage, Passages, passages_of
from amplihack_compaction.extract.model import SessionState, ValueKind
from amplihack_compaction.text.strings import has_cjk, one_line
from amplihack_compaction.text.words import fold
from amplihack_compaction.transcript.entries import ReadReport, iterate_lines
from amplihack_compaction.transcript.windows import Window
from amplihack_compaction.validation.losses import Fate, fate_of
from amplihack_compaction.validation.matching.findings import literal_form
from amplihack_compaction.validation.matching.item_match import Label
from amplihack_compaction.validation.matching.text_index import TextIndex

_STATED_IN = frozenset({"user", "text", "TodoWrite", "TaskCreate", "TaskUpdate"})
"""Where sentences stand, besides outputs."""
_FILES = 60
_COMMON_BRANCHES = frozenset({"", "HEAD", "main", "master", "develop"})
_EVIDENCE_CHARS = 110
_ATTACHED_BYTES = 8 * 1024 * 1024
_ATTACHED = (b'"type":"attachment"', b'"isMeta":true')


class Source(StrEnum):
    """Where an item stood after the compaction, before it was used."""

    INJECTED = "injected"
    TOOL_OUTPUT = "tool output"
    CLIENT = "attached by the client"


@dataclass(frozen=True, slots=True)
class Use:
    """The first use of an item: `by` is `text` or the tool's name; no `sources`: none is shown."""

    kind: str
    text: str
    by: str
    at: str
    offset: int
    evidence: str
    sources: tuple[Source, ...] = ()


def later_uses(
    lost: Sequence[Fate],
    state: SessionState,
    summary: TextIndex,
    kept: Sequence[str],
    after: Window,
    injections: Sequence[Injection],
    path: Path,
) -> tuple[Use, ...]:
    """Return the first use of each item that a summary lacked, in order.

    `lost` are the items that the summary lost of `state`, `kept` the texts that the compaction
    kept word for word, `after` the window that followed it, `path` the transcript.
    """
    items = [item_of(fate.kind, fate.text) for fate in lost]
    items += _more_items(state, summary)
    quantities = {value.text for value in state.values if value.kind is ValueKind.QUANTITY}
    search = _Search(after)
    before = [fold(text) for text in kept]
    uses: list[Use] = []
    for item in items:
        if not item.is_telling(quantities) or not search.may_use(item):
            continue
        if not any(item.stands_in(text) for text in before):
            use = search.first_use(item, injections)
            uses += [use] if use is not None else []
    uses.sort(key=lambda use: use.offset)
    return tuple(_with_attached(path, after.start, uses))


def kept_texts(window: Window) -> list[str]:
    """Return what the compaction that ended a window kept of it word for word."""
    kept = window.ended.preserved if window.ended is not None else frozenset()
    if not kept:
        return []
    nodes = (node for node in window.chain if node.uuid in kept)
    return [passage.text for node in nodes for passage in passages_of(node)]


class _Search:
    """What followed a compaction: what was said, and what programs put out."""

    def __init__(self, after: Window) -> None:
        passages = [p for node in after.chain for p in passages_of(node)]
        self.said = Passages(passage for passage in passages if passage.by)
        self.outputs = Passages(passage for passage in passages if not passage.by)

    @cached_property
    def _runs(self) -> set[str]:
        own = (passage.folded for passage in self.said.all if passage.by != "user")
        return set(RUN.findall("\n".join(own)))

    @cached_property
    def _prefixes(self) -> set[str]:
        return {run[:PREFIX_CHARS] for run in self._runs}

    def may_use(self, item: Item) -> bool:
        """Return whether the model's words as a whole have the item's; most items end here.

        Of text without spaces between its words nothing can be told here.
        """
        if item.is_literal:
            return item.runs <= self._runs
        shared = len(item.prefixes & self._prefixes)
        return shared >= LEAST_SHARE * len(item.prefixes) or has_cjk(item.text)

    def first_use(self, item: Item, injections: Sequence[Injection]) -> Use | None:
        """Return the item's first use; None where there is none, or the user said it before."""
        passage = next((p for p in self.said.candidates(item) if _states(item, p)), None)
        if passage is None or passage.by == "user":
            return None
        sources = [Source.INJECTED] if _injected(item, injections, passage.offset) else []
        sources += [Source.TOOL_OUTPUT] if self._was_put_out(item, passage.offset) else []
        where = _evidence(item, passage.text)
        place = (passage.by, passage.at, passage.offset)
        return Use(item.kind, item.text, *place, where, tuple(sources))

    def _was_put_out(self, item: Item, offset: int) -> bool:
        before = (p for p in self.outputs.candidates(item) if p.offset < offset)
        return any(item.stands_in(passage.folded) for passage in before)


def _states(item: Item, passage: Passage) -> bool:
    # A command that shares a path with a sentence does not state it.
    may_state = item.is_literal or passage.by in _STATED_IN
    return may_state and item.stands_in(passage.folded)


def _more_items(state: SessionState, summary: TextIndex) -> Iterator[Item]:
    """Yield what the loss report does not judge, where the summary has nothing of it.

    These are files that were edited, and the branch; a file's name alone still leads to it.
    """
    edited = [file.path for file in state.files if file.edits][-_FILES:]
    for path in edited:
        if fate_of("value", path, summary).label is Label.DROPPED:
            yield item_of("file", path)
    branch = item_of("branch", state.branch)
    if state.branch not in _COMMON_BRANCHES and not branch.stands_in(summary.folded):
        yield branch


def _injected(item: Item, injections: Sequence[Injection], offset: int) -> bool:
    given = (i for i in injections if 0 <= i.offset < offset)
    return any(item.stands_in(fold(injection.text)) for injection in given)


def _evidence(item: Item, text: str) -> str:
    """Return the line of a text that has the item, or that has most of its words."""
    lines = [line for line in text.splitlines() if line.strip()] or [""]
    if item.is_literal:
        line = next((line for line in lines if item.stands_in(fold(line))), lines[0])
        at = fold(line).find(item.literal)
        start = at - _EVIDENCE_CHARS // 2
        return one_line(f"…{line[start:]}" if start > 0 else line, _EVIDENCE_CHARS)
    return one_line(max(lines, key=lambda line: item.shared(fold(line))), _EVIDENCE_CHARS)


def _with_attached(path: Path, start: int, uses: Sequence[Use]) -> list[Use]:
    """Add what lines that are no conversation show of literals whose source is not known yet."""
    wanted = {
        place: literal_form(use.text).encode("utf-8", "replace")
        for place, use in enumerate(uses)
        if use.kind in LITERAL_KINDS and not use.sources
    }
    found = list(uses)
    end = min(max((uses[place].offset for place in wanted), default=0), start + _ATTACHED_BYTES)
    for offset, line in iterate_lines(path, start, end, ReadReport()):
        if not any(mark in line for mark in _ATTACHED):
            continue
        folded = line.lower()
        for place, literal in wanted.items():
            if offset < uses[place].offset and literal in folded:
                found[place] = replace(uses[place], sources=(Source.CLIENT,))
    return found

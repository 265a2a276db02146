"""The texts of a window in their order, and which of them can have an item."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from amplihack_compaction.cli.diagnosis.items import Item
from amplihack_compaction.text.words import fold
from amplihack_compaction.transcript.nodes import Kind, Node

_FEW = 8


@dataclass(slots=True)
class Passage:
    """A text after the compaction; `by` is `user`, `text`, a tool's name, or empty for outputs."""

    text: str
    by: str
    at: str
    offset: int
    _folded: str | None = None

    @property
    def folded(self) -> str:
        """The text, folded."""
        if self._folded is None:
            self._folded = fold(self.text)
        return self._folded


class Passages:
    """Texts in order, and which of them can have an item: of hundreds, mostly a few."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self.all = list(passages)
        self._places: dict[str, list[int]] = {}

    def candidates(self, item: Item) -> Iterator[Passage]:
        """Yield, in order, the texts that have each run of a literal, or enough of a sentence.

        Who has all but a few of the parts has one at least of any few and one more.
        """
        parts = item.runs if item.is_literal else item.prefixes
        if not parts:
            yield from self.all
            return
        spared = 0 if item.is_literal else len(parts) - item.least_shared
        for number in sorted(set().union(*self._rare_places(parts, spared + 1))):
            yield self.all[number]

    def _rare_places(self, parts: Collection[str], count: int) -> list[list[int]]:
        """Return where the rarest parts stand, that many; good enough is not improved on."""
        rare: list[list[int]] = []
        for part in sorted(parts, key=len, reverse=True):
            rare = sorted([*rare, self._places_of(part)], key=len)[:count]
            if len(rare) == count and len(rare[-1]) <= _FEW:
                break
        return rare

    @cached_property
    def _joined(self) -> tuple[str, list[int]]:
        """All texts, folded, as one, and where each begins in it."""
        folded = [passage.folded for passage in self.all]
        starts = accumulate((len(text) + 1 for text in folded), initial=0)
        return "\0".join(folded), list(starts)[:-1]

    def _places_of(self, part: str) -> list[int]:
        """Return the numbers of the texts that have a run or a prefix anywhere."""
        found = self._places.get(part)
        if found is None:
            found = self._places[part] = []
            text, starts = self._joined
            at = text.find(part)
            while at >= 0:
                number = bisect_right(starts, at) - 1
                found.append(number)
                at = text.find(part, starts[number + 1]) if number + 1 < len(starts) else -1
        return found


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

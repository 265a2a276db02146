"""Who says what became of an item: the package, and for comparison plain token overlap."""

import re
from collections.abc import Callable, Iterable

from amplihack_compaction.extract.decisions import extract_decisions
from amplihack_compaction.extract.rules import extract_rules
from amplihack_compaction.extract.values import extract_values
from amplihack_compaction.extract.window_content import read_content
from amplihack_compaction.validation.before_and_after import windows_in
from amplihack_compaction.validation.losses import fate_of
from amplihack_compaction.validation.matching.text_index import TextIndex
from tests.bench.losses.rows import Row

NO_ITEM = "no item"
CANNOT_TELL = "translated_or_unknown"
Verdict = tuple[str, bool]
"""The verdict's name, and whether it is an alarm."""
Judge = Callable[[Row], Verdict]
_TOKEN = re.compile(r"\w+")


def package(row: Row) -> Verdict:
    """Judge as the package does. Of a prompt it has to find out first whether it holds an item."""
    text = TextIndex(row.text)
    if row.kind != "prompt":
        fate = fate_of(row.kind, row.item, text)
        return str(fate.label), fate.is_lost
    fates = [fate_of(kind, said, text) for kind, said in _extracted(row.item)]
    worst = max(fates, key=lambda fate: fate.is_lost, default=None)
    return (str(worst.label), worst.is_lost) if worst is not None else (NO_ITEM, False)


def _extracted(prompt: str) -> Iterable[tuple[str, str]]:
    content = read_content(windows_in([{"role": "user", "content": prompt}])[-1])
    yield from (("rule", rule.text) for rule in extract_rules(content))
    yield from (("decision", made.text) for made in extract_decisions(content))
    yield from (("value", value.text) for value in extract_values(content))


def overlap(row: Row) -> float:
    """Return the share of the item's tokens that the text's best line has."""
    wanted = _tokens(row.item)
    shares = (len(wanted & _tokens(line)) / len(wanted) for line in row.text.splitlines() if wanted)
    return max(shares, default=0.0)


def overlap_judge(rows: Iterable[Row]) -> Judge:
    """Return a judge by overlap alone, with the threshold that does best on these rows."""
    known = [(overlap(row), row.is_lost) for row in rows]

    def quality(least: float) -> float:
        right = sum(lost for share, lost in known if share < least)
        wrong = sum(lost != (share < least) for share, lost in known)
        return 2 * right / (2 * right + wrong) if right else 0.0

    best = max((place / 20 for place in range(21)), key=quality)

    def judge(row: Row) -> Verdict:
        lost = overlap(row) < best
        return ("dropped" if lost else "reworded"), lost

    return judge


def _tokens(text: str) -> set[str]:
    return set(_TOKEN.findall(text.casefold()))

"""How much of what a successor needs is injected, and how much of what is injected helps."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from statistics import median

from amplihack_compaction.cli.commands.simulate import simulate_injections
from amplihack_compaction.cli.sessions import chosen_session
from amplihack_compaction.clients.reading import iterate_entries
from amplihack_compaction.clients.speakers import summary_part
from tests.bench.natural.labels import Compaction, Item, Line

VERDICTS = ("useful", "noise", "wrong", "stale", "unlabelled")
RULES = {"R": "a rule", "O": "meant once", "X": "no rule"}
MISLEADING = frozenset({"wrong", "stale"})
_NEAR_CHARACTERS = 400
"""So far apart the strings of an alternative may stand."""
_ALIKE = 0.8
"""A line that is as much like a labelled one as this has its verdict."""
_NO_STATEMENT = re.compile(r"(?:<!--|#|From the transcript|Pending Todos|Not shown)|$")


@dataclass(frozen=True, slots=True)
class Injected:
    """What the package injects after a compaction, and what the client's own summary says."""

    text: str
    tokens: int
    summary: str


@dataclass
class Score:
    """Counts over compactions; `missing` and `misleading` are sentences for whoever develops."""

    compactions: int = 0
    recall: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    lines: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    rules: Counter[str] = field(default_factory=Counter)
    losses: Counter[str] = field(default_factory=Counter)
    tokens: list[int] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    misleading: list[str] = field(default_factory=list)

    def add(self, compaction: Compaction, injected: Injected) -> None:
        """Count one compaction."""
        self.compactions += 1
        self.tokens.append(injected.tokens)
        name = f"{compaction.session} {compaction.number}"
        text, summary = plain(injected.text), plain(injected.summary)
        for item in compaction.items:
            self._add_item(name, item, compaction.number, text, summary)
        for section, line in statements(injected.text):
            self._add_line(name, section, line, compaction.lines)

    def _add_item(self, name: str, item: Item, number: int, text: str, summary: str) -> None:
        is_injected, is_summarised = says(text, item), says(summary, item)
        if item.kind == "secret":
            self.recall["secrets, to be kept out"].update(needed=1, injected=is_injected)
            return
        groups = ["all", item.kind, "critical" if item.is_critical else "helpful"]
        if number > 1:
            groups += ["second compaction and later"]
            groups += ["rule, second and later"] if item.kind == "rule" else []
        for group in groups:
            self.recall[group].update(
                needed=1,
                injected=is_injected,
                summary=is_summarised,
                either=is_injected or is_summarised,
            )
        if not is_injected:
            where = ", in the summary" if is_summarised else ""
            weight = "critical" if item.is_critical else "helpful"
            self.missing.append(f"{name}: {item.kind}, {weight}{where}: {item.text}")

    def _add_line(self, name: str, section: str, text: str, known: Sequence[Line]) -> None:
        line = labelled(text, known)
        verdict = line.verdict if line else "unlabelled"
        self.lines["all"][verdict] += 1
        self.lines[section][verdict] += 1
        if verdict in MISLEADING:
            self.misleading.append(f"{name}: {verdict}: {section}: {text}")
        if section.startswith("Standing rules"):
            self.rules[RULES.get(line.rule if line else "", "unlabelled")] += 1


def injections(transcript: Path) -> dict[int, Injected]:
    """Return what is injected after each compaction of a transcript, by its number."""
    summaries = list(summaries_of(transcript))
    simulated = simulate_injections(chosen_session(str(transcript)))
    return {
        one.number: Injected(one.rendered.text, one.rendered.tokens, summary)
        for one, summary in zip(simulated, summaries, strict=False)
        if one.number is not None
    }


def says(plain_text: str, item: Item) -> bool:
    """Return whether a text says an item in one of its ways."""
    return any(
        all(plain(part) in near for part in rest)
        for first, *rest in item.alternatives
        for near in _around(plain_text, plain(first))
    )


def statements(text: str) -> Iterator[tuple[str, str]]:
    """Yield each line that states something, with the section that it stands in."""
    section = ""
    for line in text.splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif not _NO_STATEMENT.match(line.strip()):
            yield section, line


def labelled(text: str, known: Sequence[Line]) -> Line | None:
    """Return the labelled line that a line equals or is most alike; None where none is."""
    best, likeness = None, _ALIKE
    for line in known:
        if line.text == text:
            return line
        matcher = SequenceMatcher(None, line.text, text)
        if matcher.quick_ratio() >= likeness and matcher.ratio() >= likeness:
            best, likeness = line, matcher.ratio()
    return best


def table(score: Score) -> Iterator[str]:
    """Yield the rows that are printed."""
    yield f"{'needed':28}{'items':>6}{'injected':>10}{'summary':>9}{'either':>8}"
    for group, counts in sorted(score.recall.items(), key=lambda pair: -pair[1]["needed"]):
        shares = (counts[side] / counts["needed"] for side in ("injected", "summary", "either"))
        injected, summary, either = shares
        yield f"{group:28}{counts['needed']:>6}{injected:>10.0%}{summary:>9.0%}{either:>8.0%}"
    yield f"{'injected':40}{'lines':>6}" + "".join(f"{name:>11}" for name in VERDICTS)
    for section, verdicts in sorted(score.lines.items(), key=lambda pair: -pair[1].total()):
        shown = "".join(f"{verdicts[name] / verdicts.total():>11.0%}" for name in VERDICTS)
        yield f"{section[:38]:40}{verdicts.total():>6}{shown}"
    rules = ", ".join(f"{count} {name}" for name, count in score.rules.most_common())
    yield f"standing rules: {rules or 'none'}"
    yield f"tokens, median: {median(score.tokens or [0]):.0f}"


def _around(text: str, part: str) -> Iterator[str]:
    """Yield what stands around each place of a part in a text."""
    place = text.find(part)
    while place >= 0:
        yield text[max(0, place - _NEAR_CHARACTERS) : place + len(part) + _NEAR_CHARACTERS]
        place = text.find(part, place + 1)


def plain(text: str) -> str:
    """Return a text as it is compared."""
    return re.sub(r"\s+", " ", re.sub(r"\\+", "/", text).lower())


def summaries_of(transcript: Path) -> Iterator[str]:
    """Yield the client's own summaries of a transcript, the oldest first."""
    for entry in iterate_entries(transcript):
        data = entry.data
        if data.get("isCompactSummary") and not data.get("isSidechain"):
            content = data["message"]["content"]
            if not isinstance(content, str):
                content = "\n".join(block.get("text", "") for block in content)
            yield summary_part(content)

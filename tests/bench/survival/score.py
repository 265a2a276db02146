"""Judge an injected text: which plants it holds, with their modality, and what is stale in it."""

import re
from collections import defaultdict
from dataclasses import dataclass, field

from tests.bench.survival.plants import Plant

_RULES = ("Standing rules", "Rules that may", "Rules, some of them")
# Where a kind has to stand, by the beginning of the section's title; anywhere where none is named.
_SECTIONS = {
    "prohibition": (*_RULES, "Also said", "Objective"),
    "obligation": (*_RULES, "Also said", "Objective"),
    "lifted rule": ("Standing rules", "Rules, some of them"),
    "objective": ("Objective", "Recent context"),
    "open todo": ("Todos",),
    "task, status": ("Todos",),
    "completed todo": ("Todos",),
    "verify command": ("Checks",),
    "failure": ("Failed", "Phase"),
    "branch": ("Branch",),
    "decoy": ("Standing rules", "Rules, some of them", "Decisions", "Also said"),
}
# What stands between a rule and the words that may have lifted it.
_LATER = " - later: "
_STATED = ("prohibition", "obligation", "lifted rule")
# The title of a text that has no sections.
_ANYWHERE = "anywhere"
# How an adversarial summary begins a line that turns something into its opposite.
_OPPOSED = ("- [x]", "- the user took back", "- no longer true")
_NEWEST_ONLY = ("objective", "branch")


@dataclass
class Tally:
    """Counts over many texts: per kind and compaction, [kept, expected]."""

    kept: dict[tuple[str, int], list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0, 0])
    )
    stale: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    rules_shown: int = 0
    questioned: list[int] = field(default_factory=lambda: [0, 0])
    unstated: int = 0
    tokens: list[int] = field(default_factory=list)
    missed: list[tuple[str, int, Plant]] = field(default_factory=list)
    wrong: list[tuple[str, int, Plant]] = field(default_factory=list)

    def add(self, text: str, tokens: int, plants: list[Plant], compaction: int, of: str) -> None:
        """Judge the text injected after a compaction."""
        self.tokens.append(tokens)
        self._judge(split_sections(text), plants, compaction, of)

    def add_free(self, text: str, plants: list[Plant], compaction: int, of: str) -> None:
        """Judge a text without sections: a summary, and what the client adds to it.

        What it says the opposite of is not kept. Decoys are not judged, for it tells of rules and
        of other things alike.
        """
        lines = [line.casefold() for line in text.splitlines()]
        told = [line for line in lines if not line.startswith(_OPPOSED)]
        plants = [plant for plant in plants if plant.kind != "decoy"]
        self._judge({_ANYWHERE: told}, plants, compaction, of)

    def _judge(
        self, sections: dict[str, list[str]], plants: list[Plant], compaction: int, of: str
    ) -> None:
        self._count_unstated(plants, sections)
        for plant in plants:
            over = 0 < plant.ended <= compaction
            if plant.kind == "decoy":
                self._count_stale(plant, _lines(plant, sections), of, compaction)
            elif plant.kind in ("lifted rule", "completed todo") and over:
                lines = _lines(plant, sections)
                rule = plant.kind == "lifted rule"
                shown = [s for s in lines if (_states(plant, s) if rule else "[ ]" in s)]
                self._count_stale(plant, shown, of, compaction)
                if plant.kind == "completed todo":
                    self._count("completed, said so", compaction, bool(lines))
            elif plant.kind in _NEWEST_ONLY and plant.window < compaction:
                self._count_stale(plant, _current(plant, sections), of, compaction)
            else:
                kept = holds(plant, sections, over)
                self._count(plant.kind, compaction, kept)
                if not kept:
                    self.missed.append((of, compaction, plant))
                if plant.kind in ("prohibition", "obligation"):
                    self.questioned[0] += bool(_in_question(plant, sections))
                    self.questioned[1] += 1
                    # Quoted with its modality it is kept, though it was not known for a rule.
                    rules = {
                        t: said
                        for t, said in sections.items()
                        if t.startswith((*_RULES, _ANYWHERE))
                    }
                    self._count(f"{plant.kind}, as a rule", compaction, holds(plant, rules, over))
                if plant.about:
                    lines = _lines(plant, sections)
                    known = any(plant.about in line for line in lines)
                    self._count("exact value, of what", compaction, known)

    def _count_unstated(self, plants: list[Plant], sections: dict[str, list[str]]) -> None:
        """Count the lines shown as rules that hold the marker of none that was stated."""
        markers = [plant.marker for plant in plants if plant.kind in _STATED]
        for title, lines in sections.items():
            if title.startswith("Standing rules"):
                items = [line for line in lines if line.startswith("- ")]
                self.rules_shown += len(items)
                self.unstated += sum(not any(m in line for m in markers) for line in items)

    def _count(self, kind: str, compaction: int, kept: bool) -> None:
        tally = self.kept[kind, compaction]
        tally[0] += kept
        tally[1] += 1

    def _count_stale(self, plant: Plant, shown: list[str], of: str, compaction: int) -> None:
        tally = self.stale[plant.kind]
        tally[0] += bool(shown)
        tally[1] += 1
        if shown:
            self.wrong.append((of, compaction, plant))


def holds(plant: Plant, sections: dict[str, list[str]], over: bool) -> bool:
    """Tell whether a text says a plant as it stands: its marker, and its modality beside it."""
    beside = [piece.casefold() for piece in plant.beside]  # lines are as well
    lines = _lines(plant, sections)
    if _ANYWHERE in sections:
        beside = [] if plant.kind == "verify command" else beside
    elif plant.kind in ("open todo", "task, status"):
        beside.append("[ ]")
    if plant.kind == "task, status" and over:
        beside.append("in progress")
    return any(all(piece in line for piece in beside) for line in lines)


def split_sections(text: str) -> dict[str, list[str]]:
    """Return the text's lines, casefolded, by the title of their section."""
    sections: dict[str, list[str]] = {"": []}
    title = ""
    for line in text.splitlines():
        if line.startswith("## "):
            title = line[3:]
            sections[title] = []
        else:
            sections[title].append(re.sub(r"[’]", "'", line.casefold()))
    return sections


def _lines(plant: Plant, sections: dict[str, list[str]]) -> list[str]:
    titles = _SECTIONS.get(plant.kind)
    marker = re.compile(rf"(?<![\w.])v?{re.escape(plant.marker.casefold())}(?![\w])")
    said = [
        lines
        for title, lines in sections.items()
        if title == _ANYWHERE
        or (title.startswith(titles) if titles else not title.startswith("No longer"))
    ]
    return [line for lines in said for line in lines if marker.search(line)]


def _states(plant: Plant, line: str) -> bool:
    """Tell whether a line states a rule: with its modality, and nothing said against it.

    The words that lift a rule may state what holds now: "one review is enough for it".
    """
    return _LATER not in line and all(piece.casefold() in line for piece in plant.beside)


def _in_question(plant: Plant, sections: dict[str, list[str]]) -> list[str]:
    beside = (line.partition(_LATER) for lines in sections.values() for line in lines)
    return [said for said, later, _ in beside if later and plant.marker.casefold() in said]


def _current(plant: Plant, sections: dict[str, list[str]]) -> list[str]:
    found = _lines(plant, sections)
    return [s for s in found if plant.kind == "branch" or _ANYWHERE in sections or "current" in s]

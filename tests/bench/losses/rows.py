"""Rows to judge: an item, a text, and what became of the item in it.

verbatim: word for word. reworded: in other words, nothing missing. translated: in another language
than the item. partly: its scope, a value or a condition is gone. negated: the opposite is said, or
a demand became a suggestion, and nobody is said to have wanted that. completed: the text says that
it is done. superseded: the text says that the user took it back or replaced it. dropped: not there,
though its words may be. not_item: nothing that needs to be kept, such as a question or a log line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LABELS = (
    "verbatim", "reworded", "translated", "partly", "negated", "completed", "superseded",
    "dropped", "not_item",
)  # fmt: skip
BLIND = ("blind", "blind_2")
"""Rows written by hand only: before the judgement was learnt, and afterwards, unseen."""
HALVES = ("tune", "held_out", *BLIND)
# By kind, the labels after which the item no longer does what it was kept for: half a todo still
# leads to the work, half a rule does not hold.
LOST = {
    "rule": {"partly", "negated", "dropped"},
    "decision": {"negated", "dropped"},
    "objective": {"dropped"},
    "todo": {"dropped"},
    "value": {"partly", "dropped"},
    "verify": {"partly", "dropped"},
    "prompt": set[str](),
}
DAMAGED, SWAPPED, REPLACED = "damaged_", "swapped_", "replaced_"
"""Before a half's name: items of which one exact part was changed, two were exchanged, or
a word was replaced, and such of which none was."""
_FOLDER = Path(__file__).parent
_HEAD = re.compile(r"(\w+) (\w+)( alone)?")
_SIGNS = ("<", ">", "!")


@dataclass(frozen=True, slots=True)
class Row:
    """An item of a kind, what is said of it, the text that says so, and the true label."""

    label: str
    kind: str
    item: str
    said: str
    text: str

    @property
    def is_lost(self) -> bool:
        """Whether the model that has only this text can no longer act on the item."""
        return self.label in LOST[self.kind]


def read(name: str) -> str:
    """Return a file of this folder."""
    return (_FOLDER / name).read_text(encoding="utf-8")


def within(surroundings: str, said: str) -> str:
    """Return a summary that says something among other things."""
    return surroundings.replace("{text}", said)


def handwritten(half: str) -> Iterator[Row]:
    """Yield the rows that were written by hand, each within a summary; fail on a torn one."""
    sort = next(filter(half.startswith, (DAMAGED, SWAPPED, REPLACED)), "")
    surroundings = read(f"surroundings_{half.removeprefix(sort)}.txt")
    for block in read(f"handwritten_{half}.txt").split("\n\n"):
        lines = [line for line in block.strip().splitlines() if not line.startswith("#")]
        if not lines:
            continue
        head = _HEAD.fullmatch(lines[0])
        parts = {
            sign: "\n".join(line[2:] for line in lines[1:] if line[:1] == sign) for sign in _SIGNS
        }
        known = head is not None and head[1] in LABELS and head[2] in LOST
        if head is None or not known or not parts["<"] or not parts[">"]:
            raise ValueError(f"no row: {block}")
        said = parts[">"]
        text = said if head[3] else within(surroundings, said)
        yield Row(head[1], head[2], parts["<"], said, text)


def todo_summaries(half: str) -> Iterator[tuple[list[str], list[str], str]]:
    """Yield ordinary summaries: the todos that are gone, those that are there, and the text."""
    for block in read(f"todos_{half}.txt").split("\n\n")[1:]:
        signs: dict[str, list[str]] = {"-": [], "+": [], ">": []}
        for line in block.strip().splitlines():
            signs[line[0]].append(line[2:])
        yield signs["-"], signs["+"], "\n".join(signs[">"])

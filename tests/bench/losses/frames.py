"""Make any number of rows from templates, the same ones for the same number.

A file of templates holds slots (`slot NAME: A | B | C`; of a pair `A, B` the second fills the slot
`NAME2`) and frames: a line `frame KIND`, then one template a line behind a label. `item` is the
item; `foreign` the item in another language. A slot `{NAME.name}` takes a path's last part,
`{NAME.head}` a command's first two words.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from tests.bench.losses.real import real_summaries
from tests.bench.losses.rows import Row, read, within

SHARES = {
    "verbatim": 10, "reworded": 26, "translated": 8, "partly": 12, "negated": 14,
    "completed": 6, "superseded": 8, "dropped": 13, "not_item": 3,
}  # fmt: skip
NEIGHBOURS = 5
FOREIGN_DROPPED_SHARE = 0.1
"""Of the dropped items, those in another language than the text: nobody can tell these by words."""
_SLOT = re.compile(r"\{(\w+)(?:\.(\w+))?\}")


@dataclass
class Frame:
    """Templates of one item, by label; `item` and `foreign` hold the item itself."""

    kind: str
    templates: dict[str, list[str]] = field(default_factory=dict)

    def has(self, label: str) -> bool:
        """Tell whether rows of the label can be made."""
        needed = {"verbatim": "item", "translated": "foreign"}.get(label, label)
        return needed in self.templates


@dataclass
class Templates:
    """A file's slots and frames, and the summaries that its rows lie in."""

    slots: dict[str, list[str]]
    frames: list[Frame]
    summaries: list[str]

    def fill(self, rng: random.Random) -> dict[str, str]:
        """Draw a value for every slot."""
        values: dict[str, str] = {}
        for name, choices in self.slots.items():
            first, _, second = rng.choice(choices).partition(", ")
            values |= {name: first, f"{name}2": second}
        return values


def read_templates(half: str, *, with_real: bool = True) -> Templates:
    """Read a file of templates; its rows lie in a written summary and in the real ones, if any."""
    slots: dict[str, list[str]] = {}
    frames: list[Frame] = []
    for line in read(f"frames_{half}.txt").splitlines():
        name, _, text = line.partition(": ")
        if line.startswith("slot "):
            slots[name.removeprefix("slot ")] = text.split(" | ")
        elif line.startswith("frame "):
            frames.append(Frame(line.removeprefix("frame ")))
        elif line and not line.startswith("#"):
            frames[-1].templates.setdefault(name, []).append(text)
    real = real_summaries() if with_real else ()
    return Templates(slots, frames, [read(f"surroundings_{half}.txt"), *real])


def generated(half: str, count: int) -> Iterator[Row]:
    """Yield rows; their labels are spread as SHARES has them."""
    templates = read_templates(half)
    shares = {
        label: share
        for label, share in SHARES.items()
        if any(frame.has(label) for frame in templates.frames)
    }
    for number in range(count):
        rng = random.Random(number)
        label = rng.choices(list(shares), list(shares.values()))[0]
        yield _make(templates, label, rng)


def every_row(half: str) -> Iterator[tuple[Row, int]]:
    """Yield a row for each item of each frame with all that may become of it, and the frame."""
    templates = read_templates(half, with_real=False)
    for number, frame in enumerate(templates.frames):
        rng = random.Random(number)
        told = [(label, text) for label in SHARES for text in frame.templates.get(label, ())]
        for item, (label, text) in product(frame.templates.get("item", ()), told):
            values = templates.fill(rng)
            said = _filled(text, values)
            yield _laid(templates, frame, (label, _filled(item, values), said, values), rng), number


def _make(templates: Templates, label: str, rng: random.Random) -> Row:
    frame = rng.choice([frame for frame in templates.frames if frame.has(label)])
    item, said, values = _drawn(templates, frame, label, rng)
    while label == "partly" and item in said:  # two words may be all of a command
        item, said, values = _drawn(templates, frame, label, rng)
    return _laid(templates, frame, (label, item, said, values), rng)


def _laid(
    templates: Templates,
    frame: Frame,
    drawn: tuple[str, str, str, dict[str, str]],
    rng: random.Random,
) -> Row:
    """Return the row that has what was drawn among other items in a summary."""
    label, item, said, values = drawn
    used = {value for value in values.values() if value and value in f"{item} {said}"}
    lines = [*_neighbours(templates, frame, used, rng), said]
    rng.shuffle(lines)
    surroundings = _opened(rng.choice(templates.summaries), rng)
    return Row(label, frame.kind, item, said,
               within(surroundings, "\n".join(f"- {line}" for line in lines)))  # fmt: skip


def _drawn(
    templates: Templates, frame: Frame, label: str, rng: random.Random
) -> tuple[str, str, dict[str, str]]:
    """Return an item, what is said of it, and the values in both."""
    values = templates.fill(rng)
    item = _filled(rng.choice(frame.templates[_item_of(frame, label, rng)]), values)
    if label == "verbatim":
        return item, item, values
    about = {"translated": "reworded", "not_item": "text"}.get(label, label)
    return item, _filled(rng.choice(frame.templates[about]), values), values


def _item_of(frame: Frame, label: str, rng: random.Random) -> str:
    """Return the name of the templates that the item comes from."""
    if label == "not_item":
        return label
    is_foreign = label == "translated" or (
        label == "dropped" and frame.has("translated") and rng.random() < FOREIGN_DROPPED_SHARE
    )
    return "foreign" if is_foreign else "item"


def _neighbours(
    templates: Templates, frame: Frame, used: set[str], rng: random.Random
) -> list[str]:
    """Return what else a summary says: other frames' items, which share no slot with this one."""
    said: list[str] = []
    for other in rng.sample(templates.frames, len(templates.frames)):
        if other is frame or len(said) == NEIGHBOURS or not other.has("reworded"):
            continue
        told = rng.choice([*other.templates["reworded"], *other.templates["item"]])
        text = _filled(told, templates.fill(rng))
        if not any(value in text for value in used):
            said.append(text)
    return said


def _filled(template: str, values: dict[str, str]) -> str:
    def value(slot: re.Match[str]) -> str:
        text = values[slot[1]]
        if slot[2] == "name":
            return text.rpartition("/")[2]
        return " ".join(text.split()[:2]) if slot[2] == "head" else text

    return _SLOT.sub(value, template)


def _opened(summary: str, rng: random.Random) -> str:
    """Return a summary with a place for a text: a real one's lies between any two lines.

    It has a heading of its own, for the one above may say of its lines that they do not hold.
    """
    if "{text}" in summary:
        return summary
    lines = summary.splitlines()
    lines.insert(rng.randrange(len(lines)), "Notes:\n{text}\nFurther:")
    return "\n".join(lines)


def whole(
    templates: Templates, number: int, size: int, labels: Sequence[str], lost: int = 0
) -> tuple[list[Row], str]:
    """Return items of different frames, and one summary that keeps all but the first, as labelled.

    `lost` says how many of the first are left out.
    """
    rng = random.Random(number)
    rows: list[Row] = []
    for frame in rng.sample(templates.frames, len(templates.frames)):
        if len(rows) < size and frame.has("reworded"):
            values = templates.fill(rng)
            label = rng.choice(labels)
            item = _filled(rng.choice(frame.templates["item"]), values)
            said = _filled(rng.choice(frame.templates["reworded"]), values)
            label = "dropped" if len(rows) < lost else label
            rows.append(Row(label, frame.kind, item, item if label == "verbatim" else said, ""))
    summary = _opened(rng.choice(templates.summaries), rng)
    return rows, within(summary, "\n".join(f"- {row.said}" for row in rows[lost:]))


def shared_wording(left: Sequence[Frame], right: Sequence[Frame]) -> set[str]:
    """Return the templates that two files have in common; values and commands are mere slots."""

    def texts(frames: Sequence[Frame]) -> set[str]:
        return {
            text
            for frame in frames
            for texts in frame.templates.values()
            for text in texts
            if _SLOT.sub("", text).strip()
        }

    return texts(left) & texts(right)

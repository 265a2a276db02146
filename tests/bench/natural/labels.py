"""Labelled compactions of real sessions, from the folder that COMPACTION_NATURAL names.

In it lie `labels.jsonl`, each line one compaction, and `transcripts.tar.xz`, the transcripts that
the labels name. A compaction's `items` are what a successor has to know: `kind`, `w` (2 critical,
1 helpful), `text` and `any`, alternatives of strings that have to stand close together. Its `lines`
are what was once injected, each with a reader's verdict, and its `half`, where it has one,
takes the place of the half that its session belongs to.
"""

import hashlib
import json
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

VARIABLE = "COMPACTION_NATURAL"
DEVELOP, HELD_OUT = HALVES = ("develop", "held_out")


@dataclass(frozen=True, slots=True)
class Item:
    """Something that a successor has to know; one of `alternatives` says it."""

    kind: str
    is_critical: bool
    text: str
    alternatives: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """An injected line as a reader judged it: useful, noise, wrong or stale.

    `rule` is R (holds from now on), O (meant once) or X (none) below "Standing rules", else empty.
    """

    section: str
    text: str
    verdict: str
    rule: str


@dataclass(frozen=True, slots=True)
class Compaction:
    """A labelled compaction; `number` counts those of its session from 1.

    `half` is what its label names: so a folder may be to develop on as a whole.
    """

    session: str
    transcript: str
    number: int
    items: tuple[Item, ...]
    lines: tuple[Line, ...]
    half: str

    @property
    def session_id(self) -> str:
        """The session's id, however a file of labels writes its repository."""
        return self.session.rpartition("/")[2]


def half_of(session: str) -> str:
    """Return the half that a session, named `REPOSITORY/ID`, belongs to now and always."""
    return HALVES[hashlib.sha256(session.replace("/", "").encode()).digest()[-1] % 2]


def labelled_folder() -> Path | None:
    """Return the folder of labels and transcripts; None where the variable is not set."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


def sessions(folder: Path, half: str) -> Iterator[list[Compaction]]:
    """Yield the labelled compactions of each session of a half, in their order."""
    for compactions in sessions_in(folder / "labels.jsonl"):
        in_half = [one for one in compactions if one.half == half]
        if in_half:
            yield in_half


def sessions_in(file: Path) -> Iterator[list[Compaction]]:
    """Yield the labelled compactions of each session in a file of labels, in their order."""
    lines = file.read_text(encoding="utf-8").splitlines()
    found = [_compaction(json.loads(line)) for line in lines if line.strip()]
    found.sort(key=attrgetter("session", "number"))
    for _, compactions in groupby(found, attrgetter("session")):
        yield list(compactions)


@contextmanager
def unpacked(folder: Path) -> Iterator[Path]:
    """Unpack the transcripts into a folder that is gone after the `with` block."""
    with TemporaryDirectory() as target, tarfile.open(folder / "transcripts.tar.xz") as archive:
        archive.extractall(target, filter="data")
        yield Path(target)


def _compaction(label: dict[str, Any]) -> Compaction:
    session = f"{label['repo']}/{label['session']}"
    return Compaction(
        session=session,
        transcript=label["transcript"],
        number=label["compaction"],
        items=tuple(map(_item, label["items"])),
        lines=tuple(
            Line(line["section"], line["text"], line["label"], line.get("rule") or "")
            for line in label.get("lines") or ()
        ),
        half=label.get("half") or half_of(session),
    )


def _item(item: dict[str, Any]) -> Item:
    alternatives = tuple(tuple(group) for group in item["any"])
    return Item(item["kind"], item["w"] == 2, item["text"], alternatives)

"""A text as lines that know where they came from, and the removal of some of them.

Lines end in CR, LF or CR LF and keep what they end in. A stub takes the ending of the last line
that it replaces, so what stays is the same to the byte.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import chain
from pathlib import PurePosixPath
from typing import Literal

from amplihack_compaction.compactor.condense.model import is_stub

_ENDING = re.compile(r"(\r\n|\n|\r)")
_LOOK_CHARS = 300
_NEVER_CUT = frozenset(
    "json jsonl ndjson json5 jsonc yaml yml toml ini cfg conf env properties lock csv tsv"
    " xml html htm svg css scss sass less sql db sqlite ipynb patch diff py pyi pyx js jsx"
    " ts tsx mjs cjs vue svelte go rs java kt kts scala clj c h cc cpp cxx hpp hh cs fs vb"
    " rb php pl pm lua r jl swift m mm dart ex exs erl hrl hs ml mli elm nim zig v sv sh"
    " bash zsh fish ps1 psm1 bat cmd mk cmake gradle groovy tf tfvars hcl proto graphql gql"
    " tex bib asm s wasm j2 jinja tmpl tpl erb ejs hbs pug".split()
)
_NEVER_CUT_NAMES = frozenset(
    "makefile dockerfile containerfile gemfile rakefile procfile vagrantfile jenkinsfile justfile"
    " license copying codeowners".split()
)
_PROSE_SUFFIXES = frozenset("md markdown mdx txt rst adoc".split())
_LOG_SUFFIXES = frozenset("log out err stdout stderr".split())
_DECISION_FILE = re.compile(r"(?:^|[/._-])(?:adrs?|decisions?|decision-log)(?:[/._-]|$)", re.I)

Sort = Literal["whole", "prose", "log"]
"""What a file is for condensing: never cut, notes in which outputs stand, or one output."""


@dataclass(slots=True)
class Document:
    """A text's lines without their endings, the endings, and each line's place in the original.

    `origins` holds, per line, the first and last line of the original (from 1) that it is or
    stands for.
    """

    name: str
    sort: Sort
    lines: list[str]
    endings: list[str]
    origins: list[tuple[int, int]]

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(chain.from_iterable(zip(self.lines, self.endings, strict=True)))

    def piece(self, first: int, end: int) -> str:
        """Return the lines from `first` up to, not including, `end`, with their endings."""
        pairs = zip(self.lines[first:end], self.endings[first:end], strict=True)
        return "".join(chain.from_iterable(pairs))


def read_document(name: str, text: str) -> Document:
    """Return the text taken apart; joined again it is the same."""
    parts = _ENDING.split(text)
    lines, endings = parts[::2], [*parts[1::2], ""]
    if not lines[-1]:
        lines.pop()
        endings.pop()
    return Document(
        name, sort_of(name, text), lines, endings, [(n, n) for n in range(1, len(lines) + 1)]
    )


def sort_of(name: str, text: str) -> Sort:
    """Return what a file is: data, code, hidden files and records of decisions stay whole."""
    path = PurePosixPath(name.replace("\\", "/").lower())
    suffix = path.suffix[1:]
    if path.name.startswith(".") or suffix in _NEVER_CUT:
        return "whole"
    if path.name in _NEVER_CUT_NAMES or _DECISION_FILE.search(str(path)):
        return "whole"
    if _is_log_name(path):
        return "log"
    return "whole" if suffix not in _PROSE_SUFFIXES and _is_data(text) else "prose"


def has_notes(name: str, text: str) -> bool:
    """Return whether a file is one that people write notes in, records of decisions among them."""
    suffix = PurePosixPath(name.replace("\\", "/").lower()).suffix[1:]
    return suffix not in _NEVER_CUT and sort_of(name, text) != "log" and not _is_data(text)


def _is_log_name(path: PurePosixPath) -> bool:
    """Return whether a name is a log's, a rotated one's too, like `server.log.1`."""
    suffixes = [suffix[1:] for suffix in path.suffixes[-2:]]
    return any(suffix in _LOG_SUFFIXES for suffix in suffixes) and (
        suffixes[-1] in _LOG_SUFFIXES or suffixes[-1].isdigit()
    )


def _is_data(text: str) -> bool:
    head, tail = text[:_LOOK_CHARS].lstrip("\ufeff \t\r\n"), text[-_LOOK_CHARS:].rstrip()
    if head.startswith(("#!", "<?", "<!", "<html", "%PDF")):
        return True
    first_line = head.partition("\n")[0]
    return head[:1] in ("{", "[") and tail[-1:] in ("}", "]") and not is_stub(first_line)


def front_matter_end(lines: list[str]) -> int:
    """Return the line behind YAML or TOML front matter; 0 when there is none."""
    first = lines[0].lstrip("\ufeff").rstrip() if lines else ""
    closings = {"---": ("---", "..."), "+++": ("+++",)}.get(first)
    if closings is None:
        return 0
    for number in range(1, len(lines)):
        if lines[number].rstrip() in closings:
            return number + 1
    return 0


def fence_end(lines: list[str], start: int, mark: str) -> int:
    """Return the line of the closing fence; the number of lines when there is none."""
    for number in range(start + 1, len(lines)):
        line = lines[number].strip()
        if line.startswith(mark) and not line.strip(mark[0]):
            return number
    return len(lines)


@dataclass(slots=True)
class Changes:
    """What is to go from one document: runs of lines with their stubs, and new lines for old.

    `gaps` maps the first line of a run (from 0) to the line behind it and the stub.
    """

    gaps: dict[int, tuple[int, str]] = field(default_factory=dict)
    lines: dict[int, str] = field(default_factory=dict)


def change(document: Document, changes: Changes) -> Document:
    """Return the document with stubs for the gaps, which must not touch each other's lines."""
    made = Document(document.name, document.sort, [], [], [])
    place = 0
    for first, (end, words) in sorted(changes.gaps.items()):
        _copy(document, changes, made, place, first)
        made.lines.append(words)
        made.endings.append(document.endings[end - 1])
        made.origins.append((document.origins[first][0], document.origins[end - 1][1]))
        place = end
    _copy(document, changes, made, place, len(document.lines))
    return made


def _copy(document: Document, changes: Changes, made: Document, first: int, end: int) -> None:
    made.lines.extend(
        changes.lines.get(number, document.lines[number]) for number in range(first, end)
    )
    made.endings.extend(document.endings[first:end])
    made.origins.extend(document.origins[first:end])


class Shift:
    """Tells where a line stands once the gaps of its document are stubs."""

    def __init__(self, gaps: list[tuple[int, int]]) -> None:
        """Take the gaps as first line and the line behind, from 0."""
        self._firsts: list[int] = []
        self._ends: list[int] = []
        self._removed: list[int] = [0]
        for first, end in sorted(gaps):
            self._firsts.append(first)
            self._ends.append(end)
            self._removed.append(self._removed[-1] + end - first - 1)

    def line(self, number: int) -> int:
        """Return a line's new place, from 0; that of the stub when it is gone."""
        place = bisect_right(self._firsts, number)
        if place and number < self._ends[place - 1]:
            return self._firsts[place - 1] - self._removed[place - 1]
        return number - self._removed[place]

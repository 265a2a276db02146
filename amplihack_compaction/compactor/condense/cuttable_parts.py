"""Which parts of a document may be cut: what programs put out, nothing below a decision.

Beside what `text.markdown` reads there are labels like `Bash output:` above what a tool printed. In
doubt a line counts as prose, and a fence as code: both stay.
"""

import re
from dataclasses import dataclass, replace

from amplihack_compaction.compactor.condense.documents import CutKind, Document, is_stub
from amplihack_compaction.compactor.condense.kept_lines import (
    DECISION_HEADING,
    RULES_HEADING,
    STATED_DECISION,
)
from amplihack_compaction.text.markdown import (
    Fence,
    Heading,
    HeadingReader,
    atx_heading,
    fence_at,
    fence_end,
    front_matter_end,
)
from amplihack_compaction.text.sentences import (
    OutputKind,
    is_list_item,
    machine_lines,
    output_kind,
    output_runs,
)

_HEAD_CHARS = 300
_TOOLS = (
    "Read|Write|Edit|MultiEdit|NotebookEdit|Glob|Grep|LS|Bash|WebFetch|WebSearch|Tool|Command"
    "|Terminal|Shell|Console"
)
_LABEL = re.compile(
    rf"\s{{0,8}}(?P<heading>#{{1,6}}\s+)?(?:[-*+>]\s+)?[*_`]{{0,3}}(?P<tool>{_TOOLS})[*_`]{{0,3}}"
    r"(?:\s+tool)?[*_`]{0,3}\s+(?:tool\s+)?(?:outputs?|results?|response|stdout)\b[*_`]{0,3}\s{0,4}"
    r"(?:\([^)]{0,200}\)|(?:for|of|from)\s\S{1,200}|`[^`]{1,200}`)?[*_`\s]{0,4}"
    r"(?P<colon>[:：])?[*_`]{0,3}\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_LOG_INFOS = frozenset("log logs output outputs stdout stderr ansi".split())
_PLAIN_INFOS = frozenset(
    ["", *"text txt plain plaintext console terminal shell-session shellsession diff patch".split()]
)
_MACHINE_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class OutputBlock:
    """What a program put out: lines from `first` up to, not including, `end`.

    `indent` stands before its lines, as before the fences around them; `is_rest` marks what an
    earlier cut has left of a block.
    """

    first: int
    end: int
    kind: CutKind
    what: str
    look: OutputKind
    indent: str = ""
    is_rest: bool = False


class Layout:
    """A document's parts, by line numbers from 0; what is in none of them is not touched.

    `prose` holds runs of lines, `guarded` those lines of them that stay even if repeated;
    `fences` all fenced blocks with their fences, whatever is in them.
    """

    def __init__(self, document: Document) -> None:
        """Find the parts of a document."""
        self.blocks: list[OutputBlock] = []
        self.prose: list[tuple[int, int]] = []
        self.guarded: set[int] = set()
        self.headings: list[tuple[int, Heading]] = []
        self.fences: list[tuple[int, int]] = []
        lines = self._lines = [line.removeprefix("\ufeff") for line in document.lines]
        self._heading_reader = HeadingReader(lines, document.name.lower().endswith(".rst"))
        self._prose_start = -1
        self._whole_below = 0
        """The level of the heading whose words all stay; 0 outside of one."""
        self._is_stated = False
        """Whether that heading states the decision itself: then logs below it are no part of it."""
        self._guarded_below = 0
        if document.sort == "log":
            self._add_output(0, len(lines))
            return
        number = front_matter_end(lines)
        while number < len(lines):
            number = self._step(number)
        self._end_prose(len(lines))

    def _add_output(self, first: int, end: int, tool: str = "", indent: str = "") -> None:
        """Add what a program put out, in pieces where stubs of an earlier cut stand in it."""
        look = output_kind(self._lines[first:end])
        kind: CutKind = "tool_output" if tool else "verbose"
        what = look.words
        if tool:
            what = f"{tool} output" + (f" ({look.words})" if look.name else "")
        stubs = [number for number in range(first, end) if is_stub(self._lines[number])]
        for behind in [*stubs, end]:
            if behind > first:
                block = OutputBlock(first, behind, kind, what, look, indent, bool(stubs))
                self.blocks.append(block)
            first = behind + 1

    @property
    def _keeps_all(self) -> bool:
        return self._whole_below > 0 and not self._is_stated

    def _step(self, number: int) -> int:
        """Look at a line and return the next one to look at."""
        line, heading = self._lines[number], self._heading_at(number)
        if heading is not None:
            self._enter(number, heading)
            if heading.lines > 1:
                return number + heading.lines
        if fence := fence_at(line):
            return self._fenced(number, fence)
        if not self._whole_below and (label := _label(line)):
            return self._labelled(number, label, heading is not None)
        if heading is None:
            self._prose(number)
        return number + 1

    def _heading_at(self, number: int) -> Heading | None:
        """Return the heading that begins at a line; its title is bare of emphasis."""
        line = self._lines[number]
        plain = line.strip() != "" and not is_list_item(line)
        found = self._heading_reader.read(number, plain=plain)
        return replace(found, title=found.title.strip("*_` ")) if found else None

    def _enter(self, number: int, heading: Heading) -> None:
        """Begin the section of a heading, and end those that it ends."""
        self._end_prose(number)
        self.headings.append((number, heading))
        level = heading.level
        if not self._whole_below or level <= self._whole_below:
            self._whole_below = level if DECISION_HEADING.search(heading.title) else 0
            self._is_stated = STATED_DECISION.match(heading.title) is not None
        if not self._guarded_below or level <= self._guarded_below:
            self._guarded_below = level if RULES_HEADING.search(heading.title) else 0

    def _prose(self, number: int) -> None:
        if self._keeps_all:
            return
        if self._prose_start < 0:
            self._prose_start = number
        if self._guarded_below:
            self.guarded.add(number)

    def _end_prose(self, end: int) -> None:
        """Divide the prose up to here into what programs wrote and the rest."""
        start, self._prose_start = self._prose_start, -1
        if start < 0:
            return
        for first, behind in output_runs(self._lines, start, end):
            if first > start and not self._whole_below:
                self.prose.append((start, first))
            self._add_output(first, behind)
            start = behind
        if end > start and not self._whole_below:
            self.prose.append((start, end))

    def _fenced(self, number: int, fence: Fence, tool: str = "") -> int:
        """Add a fenced block if it is an output; one that never ends stays, to the end."""
        self._end_prose(number)
        end = fence_end(self._lines, number, fence) - 1
        self.fences.append((number, end + 1))
        if end == len(self._lines) or self._keeps_all:
            return end + 1
        info = fence.info.strip().lower().split(maxsplit=1)
        language = info[0].strip("{}.") if info else ""
        is_output = tool or language in _LOG_INFOS
        if is_output or language in _PLAIN_INFOS:
            may_go = is_output and not self._whole_below
            if may_go or output_kind(self._lines[number + 1 : end]).is_log:
                self._add_output(number + 1, end, tool=tool, indent=fence.indent)
        return end + 1

    def _labelled(self, number: int, label: tuple[str, bool], is_heading: bool) -> int:
        """Add what stands below a label like `Bash output:`."""
        tool, bare = label
        lines = self._lines
        start = number + 1
        if start < len(lines) and not lines[start].strip():
            start += 1
        self._end_prose(number)
        fence = fence_at(lines[start]) if start < len(lines) else None
        if fence is not None:
            return self._fenced(start, fence, tool)
        end = start if is_heading else _plain_end(lines, start, wholesale=bare)
        if end > start:
            self._add_output(start, end, tool=tool)
        return max(end, number + 1)


def _label(line: str) -> tuple[str, bool] | None:
    """Return the tool whose output a line announces, and whether that is all it says."""
    found = _LABEL.match(line[:_HEAD_CHARS])
    if found is None or (found["colon"] is None and (found["heading"] is None or found["rest"])):
        return None
    return found["tool"], not found["rest"]


def _plain_end(lines: list[str], start: int, *, wholesale: bool) -> int:
    """Return the line behind an output without fences.

    The paragraph below a bare label is taken as it is (`wholesale`), later ones only when a
    machine wrote them.
    """
    end = start
    while start < len(lines):
        behind = start
        while behind < len(lines) and not _ends_output(lines[behind]):
            behind += 1
        if behind == start or not (wholesale or _is_machine(lines[start:behind])):
            break
        end, wholesale = behind, False
        start = behind
        while start < len(lines) and not lines[start].strip():
            start += 1
    return end


def _ends_output(line: str) -> bool:
    return (
        not line.strip()
        or atx_heading(line) is not None
        or fence_at(line) is not None
        or _label(line) is not None
    )


def _is_machine(paragraph: list[str]) -> bool:
    if any(is_list_item(line[:_HEAD_CHARS]) or line.startswith((">", "|")) for line in paragraph):
        return False
    return sum(machine_lines(paragraph)) >= _MACHINE_SHARE * len(paragraph)

"""What programs print: test logs, diffs, traces, builds, plain logs; also within prose."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import one_line

# A line is judged by its head.
_HEAD_CHARS = 400
_LOG_SHARE = 0.5
_DIFF_SHARE = 0.6

NAMES = {
    "diff": "git diff",
    "pytest": "pytest log",
    "jest": "JavaScript test log",
    "cargo": "cargo log",
    "go": "go test log",
    "tests": "test log",
    "npm": "npm log",
    "pip": "pip log",
    "docker": "docker build log",
    "java": "Java build log",
    "build": "build log",
    "apt": "install log",
    "pytrace": "Python stack trace",
    "trace": "stack trace",
    "base64": "base64",
    "log": "log",
}
_LINE = re.compile(
    "|".join(f"(?P<{name}>{source})" for name, source in patterns("outputs").items())
)
DIFF_HEADER = re.compile(
    r"diff --git |index [0-9a-f]|(?:---|\+\+\+) \S|(?:new|deleted) file mode|(?:old|new) mode"
    r"|similarity index|rename (?:from|to)|copy (?:from|to)|Binary files |@@ -"
)
_DIFF_BODY = re.compile(r"[-+ @\\]|$")


@dataclass(frozen=True, slots=True)
class OutputKind:
    """What a block looks like: a name of `NAMES`, or none; whether a program wrote it."""

    name: str
    is_log: bool

    @property
    def words(self) -> str:
        """The look in words, for people."""
        return NAMES.get(self.name, "output")


def output_kind(lines: list[str]) -> OutputKind:
    """Return what the lines look like, a log where half of those with text are one's."""
    filled = [line for line in lines if line.strip()]
    if not filled:
        return OutputKind("", is_log=False)
    if _is_diff(filled):
        return OutputKind("diff", is_log=True)
    found = Counter(group for group in _groups(filled) if group)
    share = sum(found.values()) / len(filled)
    named = [(count, name) for name, count in found.items() if name in NAMES and name != "log"]
    # Any runner's own lines name a log better than the times before them.
    name = max(named)[1] if named else "log"
    is_log = share >= _LOG_SHARE
    return OutputKind(name if is_log else "", is_log)


def group_of(line: str, *, strong: bool = False) -> str:
    """Return what kind of output a line is, `weak` for a guess, "" for none."""
    found = _LINE.match(line[:_HEAD_CHARS])
    group = found.lastgroup or "" if found else ""
    return "" if strong and group == "weak" else group


def is_diff_header(line: str) -> bool:
    """Return whether a line of a diff names a file or says what became of it."""
    return line.startswith(("diff --git ", "rename ", "Binary files "))


def _groups(lines: list[str]) -> list[str]:
    """Return each line's group; indented lines below a log's line go with it."""
    groups = []
    above = ""
    for line in lines:
        group = group_of(line)
        if not group and above and line[:1] in " \t":
            group = above
        groups.append(group)
        above = group
    return groups


def _is_diff(lines: list[str]) -> bool:
    if not any(line.startswith(("diff --git ", "@@ -")) for line in lines):
        return False
    body = sum(1 for line in lines if _DIFF_BODY.match(line) or DIFF_HEADER.match(line))
    return body >= _DIFF_SHARE * len(lines)


_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_SESSION_START = re.compile(r"={3,} ?test session starts")
_SESSION_END = re.compile(r"={3,} .{0,200}\bin \d[\d.]*s\b")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_FENCE = re.compile(r"\s{0,12}(?:```|~~~)")
# Something else than output begins: an item of a list, a quotation, a table.
_PROSE = re.compile(r"\s{0,12}(?:[-*+•]\s|\d{1,3}[.)]\s|>|\|)")
_LEAST_RUN_LINES = 8


def output_runs(lines: list[str], first: int, end: int) -> list[tuple[int, int]]:
    """Return where programs speak within lines of prose, as first line and the line behind it.

    Careful: list items, quotations, tables and headings end a run, and only what no person
    writes begins one.
    """
    runs = []
    place = first
    while place < end:
        behind = _run_end(lines, place, end)
        if behind - place >= _LEAST_RUN_LINES:
            runs.append((place, behind))
        place = max(behind, place + 1)
    return runs


def _run_end(lines: list[str], start: int, end: int) -> int:
    """Return the line behind the run that starts here; `start` when none does."""
    if _SESSION_START.match(lines[start]):
        return _session_end(lines, start, end)
    if lines[start].startswith(("diff --git ", "@@ -")):
        return _diff_end(lines, start, end)
    if not group_of(lines[start], strong=True) or _PROSE.match(lines[start]):
        return start
    behind = place = start
    while place < end:
        line = lines[place]
        if _HEADING.match(line) or _FENCE.match(line) or _PROSE.match(line):
            break
        if group_of(line, strong=True):
            behind = place + 1
        elif line.strip() and not (line[:1] in " \t" and behind == place):
            break
        elif line.strip():
            behind = place + 1
        elif place - behind > 1:
            break
        place += 1
    return behind


def _session_end(lines: list[str], start: int, end: int) -> int:
    """Return the line behind a pytest session's last; a torn one ends where a text begins."""
    for place in range(start + 1, end):
        line = lines[place]
        if _SESSION_END.match(line):
            return place + 1
        if _SESSION_START.match(line) or _HEADING.match(line) or _FENCE.match(line):
            break
    return _plain_end(lines, start, end)


def _plain_end(lines: list[str], start: int, end: int) -> int:
    place = start
    while place < end and (group_of(lines[place], strong=True) or not lines[place].strip()):
        place += 1
    while place > start and not lines[place - 1].strip():
        place -= 1
    return place


def _diff_end(lines: list[str], start: int, end: int) -> int:
    """Follow headers and hunks by the number of lines that each hunk says it has."""
    place = start
    while place < end:
        hunk = _HUNK.match(lines[place])
        if hunk is not None:
            place = _hunk_end(lines, place + 1, end, int(hunk[1] or 1), int(hunk[2] or 1))
        elif DIFF_HEADER.match(lines[place]):
            place += 1
        else:
            break
    return place


def _hunk_end(lines: list[str], place: int, end: int, old: int, new: int) -> int:
    """Return the line behind a hunk; a torn one, shorter than it says, ends at an empty line."""
    blank = -1
    while place < end and (old > 0 or new > 0):
        sign = lines[place][:1]
        if sign not in ("", " ", "-", "+", "\\"):
            break
        if not sign and blank < 0:
            blank = place
        old -= sign in ("", " ", "-")
        new -= sign in ("", " ", "+")
        place += 1
    if old > 0 or new > 0:
        return blank if blank >= 0 else place
    return place + (place < end and lines[place].startswith("\\ No newline"))


ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_ERROR_CHARS = 200
_EXCEPTION = re.compile(r"\s*(?:E\s+)?(?:\w+\.)*\w*(?:Error|Exception|Panic)\b[:( ]")
_TELLING = re.compile(
    r"\berror\b|\bfatal\b|\bfailed\b|\bFAIL|\bdenied\b|\brejected\b|not found|No such|cannot|can't"
    r"|\bunable\b|invalid|panic|conflict|refused|unexpected|undefined|missing|timed out"
    r"|^[\w./-]{1,200}\.\w{1,5}:\d{1,6}:\d{1,6}: ",
    re.IGNORECASE,
)
# What tells of an error in a text of which nothing else says that it does.
_SURELY_TELLING = re.compile(
    r"(?:\b|_)(?:error|fatal|panic|exception)\b\s?[:\[(]|\b(?:FAIL|FAILED)\b|\bdenied\b|\bcannot\b"
    r"|\bunable to\b|\bfailed to\b|\brefused\b|\bnot found\b|\bno such\b",
    re.IGNORECASE,
)
# So scripts mark what failed, whatever their exit code; the line before names what that was.
_CROSSES = "❌✗✘✕"
_CROSS = re.compile(rf"^[ \t]*[{_CROSSES}]", re.MULTILINE)
_EMPTY_LINE = re.compile(r"Exit code \d+|Error:?|<tool_use_error>|</tool_use_error>|[-=_*\s]*")
_WRAP = re.compile(r"</?tool_use_error>")


def is_crossed(output: str) -> bool:
    """Return whether a line of an output is marked with a cross."""
    return _CROSS.search(output) is not None


def has_cross(text: str) -> bool:
    """Return whether a cross stands anywhere in a text."""
    return any(cross in text for cross in _CROSSES)


def telling_line(text: str) -> str:
    """Return the line of an error that says most, up to 200 characters.

    The last exception of a trace comes first, then the first line that is marked with a cross, then
    the first that speaks of an error.
    """
    lines = [_WRAP.sub("", line) for line in ANSI.sub("", text).splitlines()]
    lines = [line for line in lines if not _EMPTY_LINE.fullmatch(line.strip())]
    exceptions = [line for line in lines if _EXCEPTION.match(line)]
    crossed = [f"{before} {line}" for before, line in pairwise(["", *lines]) if _CROSS.match(line)]
    telling = exceptions[-1:] or crossed or list(filter(_TELLING.search, lines)) or lines
    return one_line(telling[0], _ERROR_CHARS) if telling else ""


def error_among(lines: Iterable[str]) -> str:
    """Return the line that tells of an error among those of any text; empty without one."""
    errors = [line for line in lines if _EXCEPTION.match(line) or _SURELY_TELLING.search(line)]
    return telling_line("\n".join(errors))

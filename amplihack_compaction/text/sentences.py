"""Sentences of a text, in nine languages: where they end, which need the one before, reasons.

Also which lines are prose at all, and which a machine wrote: logs, traces, code, data, tables. And
what programs print: test logs, diffs, traces, builds, plain logs; also within prose.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise, takewhile

from amplihack_compaction.base.redaction.redact import MARK
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import ANSI, compile_all, has_cjk, one_line

_PATTERNS = patterns("sentences")
_MACHINE = re.compile(
    "|".join(each for name, each in _PATTERNS.items() if name.startswith("machine "))
)
_SETTING = re.compile(
    r"\s*(?:[a-z_\"'][\w.\"'-]{0,40}|[A-Z][A-Z0-9_]+)\s*[:=]\s*\S{0,60}(?: \S{1,30}){0,2}$"
)
_IN_PROSE = re.compile(r"\s*(?:- )?[\w.-]{1,40}:\s+[^\W\d_][\w'-]*,?\s[^\W\d_]|\s*- \w+\s\w+\s\w")
_ITEM_MARK = r"(?:[-*+•‣▪◦·–—]|\(?\d{1,3}[.)、]|\(?[a-hA-H]\)|[a-h]\.|\[[ xX]\])"
_LIST_ITEM = re.compile(rf"\s*{_ITEM_MARK}\s+\S")
# A machine line is judged by its head; prose longer than this on one line is prose.
_HEAD_CHARS = 600
_SETTINGS_IN_A_ROW = 3
# A label with its value in a column, as programs list what they found; few people align as many.
_IN_COLUMNS = re.compile(r"[A-Z][\w /-]{0,30}:(?: {2,}|\t+)(?=\S)")
_ALIGNED = 4
_BRIEF_WORDS = 2


def is_machine_line(line: str) -> bool:
    """Return whether one line looks written by a program or in a programming language."""
    return _MACHINE.match(line[:_HEAD_CHARS]) is not None


def is_key_in_prose(line: str) -> bool:
    """Return whether a value or an item, as YAML has them, is in words: people note so as well."""
    return _IN_PROSE.match(line) is not None or (has_cjk(line) and not line.endswith(":"))


def is_list_item(line: str) -> bool:
    """Return whether a line is a bullet or a numbered item."""
    return _LIST_ITEM.match(line) is not None


def machine_lines(lines: list[str]) -> list[bool]:
    """Return for each line whether it is machine text, judged with its neighbours."""
    marks = [is_machine_line(line) for line in lines]
    _mark_indented(lines, marks)
    _mark_settings(lines, marks)
    _mark_columns(lines, marks)
    _mark_between(lines, marks)
    return marks


def _mark_indented(lines: list[str], marks: list[bool]) -> None:
    """Mark deeply indented lines, two in a row or below code, that do not carry on a list."""
    run: list[int] = []
    above = ""
    for number, line in enumerate([*lines, ""]):
        indented = line.startswith(("    ", "\t")) and line.strip() != "" and not is_list_item(line)
        if indented and (run or not is_list_item(above)):
            run.append(number)
            continue
        first = run[0] if run else 0
        alone = first and not lines[first - 1].strip() and above and not is_list_item(above)
        if len(run) > 1 or alone or (first and marks[first - 1]):
            for place in run:
                marks[place] = True
        run = []
        above = line if line.strip() and not indented else above


def _mark_settings(lines: list[str], marks: list[bool]) -> None:
    for is_setting, several in groupby(
        range(len(lines)), lambda number: _is_setting(lines[number])
    ):
        run = list(several)
        prose = any(is_key_in_prose(lines[place]) for place in run)
        if is_setting and len(run) >= _SETTINGS_IN_A_ROW and not prose:
            for place in run:
                marks[place] = True


def _is_setting(line: str) -> bool:
    return _SETTING.match(line[:200]) is not None and not is_list_item(line)


def _mark_columns(lines: list[str], marks: list[bool]) -> None:
    """Mark labels below one another, of which several have their values in the same column."""
    run: list[int] = []
    column = 0
    for number, line in enumerate([*lines, "end"]):
        label = _IN_COLUMNS.match(line)
        at = label.end() if label else 0
        if line.strip() and at != column:
            if _is_listing([lines[place] for place in run], column):
                for place in run:
                    marks[place] = True
            run, column = [], at
        run += [number] if label else []


def _is_listing(lines: list[str], column: int) -> bool:
    """Return whether a program listed these: labels of several lengths, values mostly no prose."""
    lengths = {line.index(":") for line in lines}
    brief = sum(len(line[column:].split()) <= _BRIEF_WORDS for line in lines)
    return len(lines) >= _ALIGNED and len(lengths) > 1 and brief * 2 >= len(lines)


def _mark_between(lines: list[str], marks: list[bool]) -> None:
    """Mark one or two lines of prose that stand, without a gap, between machine lines."""
    for number in range(1, len(lines) - 1):
        line, below = lines[number], lines[number + 1]
        between = marks[number - 1] and below.strip() and any(marks[number + 1 : number + 3])
        if between and line.strip() and not is_list_item(line):
            marks[number] = True


_BULLET = re.compile(rf"(?<!\s)\s*(?:{_ITEM_MARK}|#{{1,6}})(?:\s+\[[ xX]\])?\s+")
_END = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’»)\]*_]*(?=\s)|[。！？｡]+[」』”’）)\"]*")
_ABBREVIATIONS = frozenset(
    "e.g i.e etc vs dr mr mrs ms prof st no nr inc ltd approx fig sec ca cf al resp incl excl "
    "min max"
    " z.b d.h bzw usw u.a ggf evtl vgl s.o sog inkl p.ex ex sr sra dra pág art aprox núm no.º tel"
    " т.е т.д т.п др г см напр стр".split()
)
# "am 3. zu erneuern", "but for 2. we need more": a number with more of its sentence behind it.
_BEFORE_DAY = re.compile(
    r"\b(?:am|vom|zum|bis|ab|den|dem|der|seit|und|beim|for|about|regarding|point|item|question"
    r"|option) (?:\d{1,2}\.)?$",
    re.IGNORECASE,
)
_LEAD_END = re.compile(r"[:：][*_]*\s*$")
_MARKS = re.compile(rf"(?:{MARK.pattern}[\s.,:;!?。！？]*)+")
_LAST_TOKEN = re.compile(r"(\S{1,12})$")
_LONG = re.compile(
    r"(?:;\s+|\s[-–—]\s|,\s+(?=(?:and|but|so|also|then|und|aber|y|pero|mais|et|e|mas)\s))"
)
# What a sentence ends with that has its space in it, and with which another one may follow.
_ENDS_EAST = "。！？：；，"
_ENDS = (*_ENDS_EAST, *".!?…:;,)\"'”")
# A longer run without a full stop is cut at its joints, so that one rule is not a page.
_LONG_CHARS = 400


def sentences(text: str) -> list[str]:
    """Return the text's sentences in order, trimmed and without bullets.

    Every list item and every line that does not run on into the next is one of its own. What
    was taken out between two sentences is none.
    """
    found: list[str] = []
    for block in _blocks(text):
        found.extend(_split(block))
    return [rest for sentence in found if (rest := _without_marks_before(sentence))]


def _without_marks_before(sentence: str) -> str:
    """Return a sentence without the marks before it, but for one that is its subject.

    "[left out: private] Keep it", but "[left out: private] is my name".
    """
    marks = _MARKS.match(sentence)
    rest = sentence[marks.end() :] if marks else sentence
    return sentence if rest[:1].islower() else rest


def with_following(first: str, second: str) -> str:
    """Return two sentences as they are typed one after the other, with a full stop between them."""
    if first.endswith(_ENDS):
        return f"{first}{'' if first[-1] in _ENDS_EAST else ' '}{second}"
    return f"{first}. {second}"


def listed_under(text: str) -> dict[str, str]:
    """Map the sentences of list items to the line above the list that announces it with a colon."""
    found: dict[str, str] = {}
    lead = ""
    for line in text.split("\n"):
        if is_list_item(line):
            if lead:
                for sentence in sentences(line):
                    found.setdefault(sentence, lead)
        elif line.strip():
            lead = _BULLET.sub("", line, count=1).strip(" *_") if _LEAD_END.search(line) else ""
    return found


def _blocks(text: str) -> list[str]:
    """Join hard-wrapped lines; keep list items and paragraphs apart."""
    blocks: list[str] = []
    above = ""
    lines = (part for whole in text.split("\n") for part in inline_list_apart(whole))
    for line in lines:
        item = is_list_item(line)
        body = _BULLET.sub("", line, count=1).strip() if item or line[:1] == "#" else line.strip()
        if body and not item and blocks and above and runs_on(above, body):
            blocks[-1] += " " + body
        elif body:
            blocks.append(body)
        above = body
    return blocks


def runs_on(above: str, line: str) -> bool:
    """Return whether a line break inside a sentence is only a wrapped line."""
    if above[-1] in ".!?…。！？:：;；":
        return False
    wrapped = len(above) >= 60 and not line[0].isupper()
    return above[-1] in ",，、" or wrapped


def _split(block: str) -> list[str]:
    pieces: list[str] = []
    start = 0
    for end in _END.finditer(block):
        if block[end.start()] == "." and len(end.group()) == 1 and _is_abbreviation(block, end):
            continue
        pieces.append(block[start : end.end()].strip())
        start = end.end()
    pieces.append(block[start:].strip())
    return [part for piece in pieces if piece for part in _shorten(piece)]


def _is_abbreviation(block: str, end: "re.Match[str]") -> bool:
    token = _LAST_TOKEN.search(block[max(0, end.start() - 12) : end.start()])
    if token is None:
        return True
    original = token.group(1).lstrip("(\"'“«")
    word = original.casefold()
    if word == "no":  # "No." opens a correction far more often than it counts something
        return block[end.end() :].lstrip()[:1].isdigit()
    if word.replace(".", "").isdigit() and _BEFORE_DAY.search(
        block[: end.start() - len(original)][-12:]
    ):
        return block[end.end() :].lstrip()[:1].islower()
    # A single capital is an initial, but for "I" and "A", which are words.
    initial = len(word) == 1 and word.isascii() and original.isupper() and word not in "ia"
    return word in _ABBREVIATIONS or initial


def _shorten(piece: str) -> list[str]:
    if len(piece) <= _LONG_CHARS:
        return [piece]
    return [part.strip() for part in _LONG.split(piece) if part and part.strip()]


_NUMBERED = re.compile(r"(?:^|(?<=\s))\(?(?P<number>\d{1,2})[.)]\s+(?=[^\W\d]|\d+\s|[`'\"\[*])")
# Before the list stands nothing, or what ends: "see chapter 1. 2. is wrong" lists nothing.
_LEAD_ENDS = (":", "：", ".", "!", "?", ";", "-", "–", "—")
_SENTENCE_END = re.compile(r"[.!?]\s+")
_FEWEST_ITEMS = 2


def inline_list_apart(line: str) -> list[str]:
    """Return a line's list as lines: what stands before it, and each item with its number.

    A line without such a list is returned as it is. The sentence that announces the list has a
    line of its own.
    """
    starts: list[int] = []
    for found in _NUMBERED.finditer(line):
        if int(found["number"]) == len(starts) + 1:
            starts.append(found.start())
    lead = line[: starts[0]].strip() if starts else ""
    if len(starts) < _FEWEST_ITEMS or (lead and not lead.endswith(_LEAD_ENDS)):
        return [line]
    ends = [*starts[1:], len(line)]
    items = [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    return [*_announced(lead), *items]


def _announced(lead: str) -> list[str]:
    """Return what stands before a list, the last sentence of it apart."""
    ends = [found.end() for found in _SENTENCE_END.finditer(lead)]
    cut = ends[-1] if ends else 0
    return [part for part in (lead[:cut].strip(), lead[cut:].strip()) if part]


_REASON_CHARS = 300
_REASON = re.compile(_PATTERNS["reason"], re.IGNORECASE)
# What marks the words before it, back to the last stop, as the reason.
_REASON_BEFORE = re.compile(r"(?P<ja>ので|から)[、,]|때문에|니까|므로")


def reason_given(text: str) -> str:
    """Return the reason that a text gives, up to the end of its sentence; empty without one."""
    found, behind = _REASON.search(text), _REASON_BEFORE.search(text)
    start = _clause_start(text, behind) if behind else len(text)
    if behind is not None and (found is None or start < found.start()):
        reason = text[start : behind.start() if behind["ja"] else behind.end()]
    elif found is not None:
        reason = next(part for part in found.groups() if part)
    else:
        return ""
    return one_line(next(iter(sentences(reason)), ""), _REASON_CHARS).rstrip(" .!。")


def _clause_start(text: str, marker: re.Match[str]) -> int:
    """Return where the clause begins that ends with a marker of reasons."""
    stops = "、。" if marker["ja"] else ",."
    return max(text.rfind(stop, 0, marker.start()) for stop in stops) + 1


# How far the front of a sentence goes, in which nothing can stand yet that a pronoun means.
_FRONT_WORDS = 6
_SHORT_WORDS = 9
_FRONT_EAST_CHARS = 12
_LONGEST_CHARS = 400
_CACHED_SENTENCES = 2048
_MEANS_ANOTHER = compile_all(
    (
        re.sub("<([a-z ]+)>", lambda part: _PATTERNS[part[1]], source)
        for name, source in _PATTERNS.items()
        if name.startswith("pronoun ")
    ),
    re.IGNORECASE,
)
_SPANISH = re.compile(_PATTERNS["spanish"], re.IGNORECASE)
_MEANS_ANOTHER_EAST = re.compile(_PATTERNS["means another east"])
_NO_SUBJECT = re.compile(_PATTERNS["no subject"], re.IGNORECASE)
_NO_SUBJECT_EAST = re.compile(
    r"(?:请|一律|绝对|千万)?(?:别动|不要动|勿动|不许动|不能动|别碰|不要碰|先问我|必须"
    r"|禁止)[。！!]?$"
)


@lru_cache(maxsize=_CACHED_SENTENCES)
def needs_sentence_before(sentence: str) -> bool:
    """Return whether a sentence says what it says only with the one before it: "Never edit it."."""
    if len(sentence) > _LONGEST_CHARS:
        return False
    if has_cjk(sentence):
        front = sentence[:_FRONT_EAST_CHARS]
        return bool(_MEANS_ANOTHER_EAST.search(front) or _NO_SUBJECT_EAST.match(sentence))
    plain = sentence.replace("’", "'")
    words = plain.split()
    if len(words) <= _SHORT_WORDS and _NO_SUBJECT.match(plain):
        return True
    found = _pronoun_in(plain)
    if found is None:
        return False
    words_before = plain[: found.start()].split()
    return len(words_before) < _FRONT_WORDS or len(words) <= _SHORT_WORDS


def _pronoun_in(plain: str) -> "re.Match[str] | None":
    """Return the first pronoun that means something named before."""
    found = [match for each in _MEANS_ANOTHER for match in each.finditer(plain)]
    if any(match.group().casefold() == "es" for match in found) and _SPANISH.search(plain):
        found = [match for match in found if match.group().casefold() != "es"]
    return min(found, key=lambda match: match.start(), default=None)


# A line is judged by its head.
_OUTPUT_HEAD_CHARS = 400
_LOG_SHARE = 0.5
_DIFF_SHARE = 0.6

OUTPUT_NAMES = {
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
_DIFF_LINE = re.compile(r"[-+ @\\]|$")


@dataclass(frozen=True, slots=True)
class OutputKind:
    """What a block looks like: a name of `OUTPUT_NAMES`, or none."""

    name: str

    @property
    def is_log(self) -> bool:
        """Whether a program wrote it."""
        return self.name != ""

    @property
    def words(self) -> str:
        """The look in words, for people."""
        return OUTPUT_NAMES.get(self.name, "output")


def output_kind(lines: list[str]) -> OutputKind:
    """Return what the lines look like, a log where half of those with text are one's."""
    filled = [line for line in lines if line.strip()]
    if _is_diff(filled):
        return OutputKind("diff")
    found = Counter(filter(None, _groups(filled)))
    if not filled or found.total() < _LOG_SHARE * len(filled):
        return OutputKind("")
    # Any runner's own lines name a log better than the times before them.
    named = [(found[name], name) for name in found.keys() & OUTPUT_NAMES.keys() - {"log"}]
    return OutputKind(max(named)[1] if named else "log")


def group_of(line: str, *, strong: bool = False) -> str:
    """Return what kind of output a line is, `weak` for a guess, "" for none."""
    found = _LINE.match(line[:_OUTPUT_HEAD_CHARS])
    group = found.lastgroup or "" if found else ""
    return "" if strong and group == "weak" else group


def is_diff_header(line: str) -> bool:
    """Return whether a line of a diff names a file or says what became of it."""
    return line.startswith(("diff --git ", "rename ", "Binary files "))


def _groups(lines: list[str]) -> Iterator[str]:
    """Yield each line's group; indented lines below a log's line go with it."""
    above = ""
    for line in lines:
        above = group_of(line) or (above if line[:1] in " \t" else "")
        yield above


def _is_diff(lines: list[str]) -> bool:
    if not any(line.startswith(("diff --git ", "@@ -")) for line in lines):
        return False
    body = sum(1 for line in lines if _DIFF_LINE.match(line) or DIFF_HEADER.match(line))
    return body >= _DIFF_SHARE * len(lines)


_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_SESSION_START = re.compile(r"={3,} ?test session starts")
_SESSION_END = re.compile(r"={3,} .{0,200}\bin \d[\d.]*s\b")
_HEADING_OR_FENCE = re.compile(r"\s{0,3}#{1,6}\s|\s{0,12}(?:```|~~~)")
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
    behind = start
    for place in range(start, end):
        line = lines[place]
        if _HEADING_OR_FENCE.match(line) or _PROSE.match(line):
            break
        goes_on = group_of(line, strong=True) or (line[:1] in " \t" and behind == place)
        if line.strip() and goes_on:
            behind = place + 1
        elif line.strip() or place - behind > 1:
            break
    return behind


def _session_end(lines: list[str], start: int, end: int) -> int:
    """Return the line behind a pytest session's last; a torn one ends where a text begins."""
    for place in range(start + 1, end):
        line = lines[place]
        if _SESSION_END.match(line):
            return place + 1
        if _SESSION_START.match(line) or _HEADING_OR_FENCE.match(line):
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


_ERROR_CHARS = 200
_EXCEPTION = re.compile(r"\s*(?:E\s+)?(?:\w+\.)*\w*(?:Error|Exception|Panic)\b[:( ]")
_ERROR_AT_PLACE = re.compile(r"\s*Error: [^\s:]{1,200}:\d{1,6}:\d{1,6}: ")
_LONG_CODE = re.compile(r"`([^`]{1,40})[^`]*`")
_QUOTING_CHARS = 1_000
# Not all exceptions are called one: `concurrent.futures.process.BrokenProcessPool: ...`.
_TRACEBACK = "Traceback (most recent call last)"
_NAMED_BY_TEST = re.compile(r"E\s+(?:\w+\.)*[A-Z]{1,9}[a-z]\w*: ")
_NAMED_IN_TRACE = re.compile(r"(?:\w+\.)*[A-Z]{1,9}[a-z]\w*(?:: |$)")
_COUNT = re.compile(
    r"[\W_]*(?:[A-Za-z]+:?\s+){0,2}\d+ (?:errors?|fail(?:ed|ures?|ing)|problems?)\b"
)
# "[lint] ERROR task failed", "Process completed with exit code 1.": what failed stands elsewhere.
_ONLY_THAT = re.compile(
    r"\W*(?:\[[\w:-]{1,40}\] )?(?:error:? )?(?:(?:(?:task|build|tests?|command|compilation) )?"
    r"fail(?:ed|ure)?(?: to (?:compile|build))?|process completed with exit code \d+)\W*",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\berror\b|\bfatal\b|\bfailed\b|\bFAIL|\bdenied\b|\brejected\b|not found|No such|cannot|can't"
    r"|\bunable\b|invalid|panic|conflict|refused|unexpected|undefined|missing|timed out"
    r"|nothing to commit|no changes added"
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
_BOX = re.compile(r"^[╷╵│|]\s?")
_NAMES_NOTHING = re.compile(
    r"\W*(?:error|fatal|failed|failure|invalid|missing)\b[^\"'`\d/_.()]*", re.IGNORECASE
)
_NAME = re.compile(r"[\"'`][\w./-]+[\"'`]")
_NO_STATEMENT = re.compile(r"\s+(?:at |File \"|\d+ ?[:|])")
_LINES_WITH_NAME = 4
# Below the name of a test that failed stands where, behind what it logged.
_FAILED_CASE = re.compile(r"\s*--- FAIL: ")
_PLACE_IN_TEST = re.compile(r"\s+\w+_test\.go:\d+: \S")


def is_crossed(output: str) -> bool:
    """Return whether a line of an output is marked with a cross."""
    return _CROSS.search(output) is not None


def has_cross(text: str) -> bool:
    """Return whether a cross stands anywhere in a text."""
    return any(cross in text for cross in _CROSSES)


def telling_line(text: str) -> str:
    """Return the line of an error that says most, up to 200 characters.

    The last exception of a trace comes first, then the first line that is marked with a cross, then
    the first that speaks of an error; those that only count errors, or say that there was one,
    last. Where it names nothing, the lines below it up to a name go with it.
    """
    lines = [_BOX.sub("", _WRAP.sub("", line)) for line in ANSI.sub("", text).splitlines()]
    lines = _with_quoted_code(lines)
    lines = [line for line in lines if not _EMPTY_LINE.fullmatch(line.strip())]
    exceptions = _exceptions(lines)
    crossed = [f"{before} {line}" for before, line in pairwise(["", *lines]) if _CROSS.match(line)]
    speaking = sorted(filter(_TELLING.search, lines), key=_says_little)
    telling = exceptions[-1:] or crossed or speaking or lines
    return (
        one_line(_with_name(_with_place(telling[0], lines), lines), _ERROR_CHARS) if telling else ""
    )


def _with_quoted_code(lines: Iterable[str]) -> list[str]:
    """Return the lines, an error at a place in one with the lines of code that it quotes."""
    joined: list[str] = []
    is_open = False
    for line in lines:
        if is_open:
            joined[-1] = _LONG_CODE.sub(r"`\1…`", f"{joined[-1]} {line.strip()}")
        else:
            joined.append(line)
        told = joined[-1] if len(joined[-1]) < _QUOTING_CHARS else ""
        is_open = told.count("`") % 2 == 1 and _ERROR_AT_PLACE.match(told) is not None
    return joined


def _says_little(line: str) -> bool:
    return _COUNT.match(line) is not None or _ONLY_THAT.fullmatch(line) is not None


def _exceptions(lines: list[str]) -> list[str]:
    """Return the lines that are exceptions: by what they are called, else by where they stand."""
    called = [line for line in lines if _EXCEPTION.match(line) and not _says_little(line)]
    if called:  # "Error: issues found" only counts those above it
        return [line for line in called if _ERROR_AT_PLACE.match(line)] or called
    traces = [number for number, line in enumerate(lines) if _TRACEBACK in line]
    below = lines[traces[-1] + 1 :] if traces else []
    raised = [line for line in below if _NAMED_IN_TRACE.match(line)]
    return raised[:1] or [line for line in lines if _NAMED_BY_TEST.match(line)]


def _with_name(line: str, lines: list[str]) -> str:
    """Return a line that names nothing with those below it, up to the first that does."""
    is_open = line.rstrip().endswith(":")
    if line not in lines or not (is_open or _NAMES_NOTHING.fullmatch(line)):
        return line
    told = [line]
    for below in lines[lines.index(line) + 1 :][:_LINES_WITH_NAME]:
        if not _NO_STATEMENT.match(below):
            told.append(below.strip())
            if not below.rstrip().endswith(":") and (is_open or _NAME.search(below)):
                return " ".join(told)
    return line


def _with_place(line: str, lines: list[str]) -> str:
    """Return a line with the place that is told last below it, where it names a failed test."""
    if not _FAILED_CASE.match(line):
        return line
    below = takewhile(lambda each: each[:1].isspace(), lines[lines.index(line) + 1 :])
    places = [each for each in below if _PLACE_IN_TEST.match(each)]
    return f"{line} {places[-1].strip()}" if places else line


def error_among(lines: Iterable[str]) -> str:
    """Return the line that tells of an error among those of any text; empty without one."""
    lines = _with_quoted_code(lines)
    errors = [line for line in lines if _EXCEPTION.match(line) or _SURELY_TELLING.search(line)]
    return telling_line("\n".join(errors))

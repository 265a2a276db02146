"""Say in a few lines what a feature's notes hold: state, steps, decisions, rules, errors, values.

The rest is dropped, and the first line says so. Deterministic; no model is asked.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Literal

from amplihack_compaction.compactor.condense.cuttable_parts import Layout
from amplihack_compaction.compactor.condense.documents import Document, is_stub, read_document
from amplihack_compaction.compactor.condense.kept_lines import (
    DECISION_HEADING,
    RULES_HEADING,
    has_rule_word,
    is_decision,
    is_error,
    words_for,
)
from amplihack_compaction.extract.rules import kind_of_rule
from amplihack_compaction.extract.statements import ValueKind
from amplihack_compaction.extract.values import values_in
from amplihack_compaction.text.markdown import Heading, front_matter_end, list_item
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.words import counted, normal_form, one_line, printable

NoteSection = Literal["state", "next", "decision", "rule", "todo", "error", "value", "also", "file"]

_LINE_CHARS = 2_000
_RULE_CHARS = 300
# Reading a sentence for a rule takes a tenth of a millisecond.
_RULE_CANDIDATES = 600
_NAMED = r"^\W*(?:\d[\d.]*\W+)?(?:{})\W*$"
_WORD = r"(?<![^\W_])(?:{})(?![^\W_])"
_CATEGORIES = {
    # `Done on Monday` is about what is done; `The next steps of the parser` may be anything.
    name: re.compile((_WORD if name == "done" else _NAMED).format(words_for(name)), re.I)
    for name in ("done", "next", "file", "todo", "state")
}
_LEAD = re.compile(
    rf"[\W_]{{0,12}}(?P<lead>{words_for('lead')})"
    r"[*_]{0,3}\s?[:：][*_]{0,3}\s*(?P<text>\S.*)$",
    re.I,
)
_HEADING_CHARS = 200
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_PATH = re.compile(r"[\w@.~/-]{0,200}[\w)-]\.\w{1,8}\b")
_DIFF = re.compile(r"diff --git a/\S{1,300} b/(\S{1,300})")
_ADR = re.compile(r"\bADR[- _]?\d")
_VOID = re.compile(r"\W{0,8}status\W{1,8}(?:superseded|rejected|deprecated|withdrawn)\b", re.I)
_DECIDES = re.compile(
    r"\b(?:we|i) (?:use|keep|chose|picked|took|stay with|go with|settled on|opted for)\b"
    r"|\b(?:chosen|picked|agreed|settled|going with|opted)\b",
    re.I,
)
_REMAINS = re.compile(
    r"\b(?:still (?:to|needs?|have to|missing|open)|needs to be|has to be|left to do|remains? to"
    r"|not (?:done|started|implemented|tested) yet)\b",
    re.I,
)
_PLAIN_VALUE = re.compile(
    r"\W{0,8}[^\W\d][\w ./-]{1,40}[*_`]{0,3}\s?[:=：][*_`]{0,3}\s*\S{1,120}\W{0,3}$"
)
_VALUES = frozenset({ValueKind.URL, ValueKind.PORT, ValueKind.VERSION, ValueKind.IDENTIFIER})
_GONE = re.compile(r"~~[^~\n]{1,400}~~\s*$|[✅☑✔]")
_ITEM_CHARS = 180
# More of a section are never shown, whatever the limit.
_SHOWN_MOST = {"file": 12, "error": 12}
_SHOWN_ELSE = 60
_TITLES: dict[NoteSection, str] = {
    "state": "State",
    "next": "Next steps",
    "decision": "Decisions",
    "rule": "Rules",
    "todo": "Open todos",
    "error": "Errors",
    "value": "Values",
    "also": "Also said",
    "file": "Files modified",
}
# What is told first, whatever room it takes; each of the others has what is left.
_TURNS: tuple[tuple[NoteSection, ...], ...] = (
    ("state", "next", "decision", "rule", "todo"), ("error", "value"), ("file",), ("also",),
)  # fmt: skip
# Their newest section comes first, but its lines keep their order.
_IN_ORDER = ("state", "next", "todo", "rule")


@dataclass(frozen=True, slots=True)
class Note:
    """Something worth telling.

    `place` orders notes by age: the date (ISO) of its line or heading, the number of its part
    of the text, its line.
    """

    section: NoteSection
    text: str
    file: str
    place: tuple[str, int, int] = ("", 0, 0)


_Said = tuple[NoteSection, str]


def read_notes(texts: Mapping[str, str]) -> Iterator[Note]:
    """Yield the notes of the texts in their order; logs, data and code hold none."""
    budget = [_RULE_CANDIDATES]
    for number, (name, text) in enumerate(texts.items()):
        document = read_document(name, text)
        if document.sort == "prose":
            yield from _Reader(number, document, budget).notes()


class _Reader:
    """Reads one text from its first line to its last."""

    def __init__(self, number: int, document: Document, budget: list[int]) -> None:
        self._number = number
        self._document = document
        self._budget = budget
        self._section = ""
        self._level = 0
        self._date = ""
        self._part = 0
        self._heading = ""
        self._record: list[Note] = []
        """The record of a decision that is being read, until its status is known."""
        self._record_level = 0

    def notes(self) -> Iterator[Note]:
        lines, layout = self._document.lines, Layout(self._document)
        # Front matter, fenced text and outputs are no notes.
        ranges = [(0, front_matter_end(lines)), *layout.fences]
        ranges += [(block.first, block.end) for block in layout.blocks]
        passed = {line for first, end in ranges for line in range(first, end)}
        headings = dict(layout.headings)
        for number, line in enumerate(lines):
            head = line[:_LINE_CHARS]
            if number in passed:
                if changed := _DIFF.match(head):
                    yield self._note("file", changed[1], number)
            elif number in headings:
                yield from self._enter(number, headings[number])
            elif line.strip() and not is_stub(line):
                yield from (self._note(*said, number) for said in self._said(number, head))
        yield from self._record

    def _enter(self, number: int, heading: Heading) -> Iterator[Note]:
        """Begin a section: a deeper heading that says nothing new belongs to the one above."""
        text, level = heading.title, heading.level
        self._part, self._heading = number, text
        date = _DATE.search(text)
        self._date = date[0] if date else (self._date if level > 1 else "")
        if level <= self._record_level:
            yield from self._record
            self._record, self._record_level = [], 0
        section = _section_of(text)
        if section or level <= self._level:
            self._section, self._level = section, level
        if _ADR.search(text):
            self._record, self._record_level = [self._note("decision", text, number)], level

    def _said(self, number: int, line: str) -> Iterator[_Said]:
        """Yield what a line of text says, each time behind the section that it belongs to."""
        item = list_item(line)
        text = item.text if item else line.strip()
        lead = _LEAD.match(text)
        if self._record_level and (_VOID.match(line) or _VOID.match(f"{self._heading}: {text}")):
            self._record = []
        elif item and item.box:
            if item.box in " ~/":
                yield "next" if self._section == "next" else "todo", text
        elif _GONE.search(text):
            return
        elif lead is not None and not self._record_level:
            yield from _led(lead["lead"].lower(), lead["text"])
        elif is_decision(text):
            yield "decision", text
        else:
            begins = item is not None or not self._document.lines[number - 1].strip()
            yield from self._told(text, is_item=item is not None, begins=begins)

    def _told(self, text: str, *, is_item: bool, begins: bool) -> Iterator[_Said]:
        """Yield what a line says by the section that it stands in, else by its own words."""
        match self._section:
            case "file":
                yield from _files(text)
            case "rule" if is_item or has_rule_word(text):
                yield "rule", text
            case ("next" | "todo") as section if is_item:
                yield section, text
            case "state" if begins:
                yield "state", _first_sentence(text)
            case "decision" if begins and not self._record_level:
                yield "decision", text if is_item else _first_sentence(text)
            case section:
                rules = [] if section == "done" else list(self._rules(text))
                yield from rules or _other(text, is_done=section == "done")

    def _rules(self, text: str) -> Iterator[_Said]:
        for sentence in sentences(text):
            if self._budget[0] > 0 and not _REMAINS.search(sentence):
                self._budget[0] -= 1
                if kind_of_rule(sentence):
                    yield "rule", sentence

    def _note(self, section: NoteSection, text: str, number: int) -> Note:
        date = _DATE.search(text[:_RULE_CHARS])
        part = (self._number << 32) + self._part
        place = (date[0] if date else self._date, part, number)
        return Note(section, text, self._document.name, place)


def _other(text: str, *, is_done: bool) -> Iterator[_Said]:
    """Yield what a line tells by its own words: errors, values, choices, what is left."""
    if is_error(text):
        yield "error", text
    elif is_done:
        return
    elif _REMAINS.search(text):
        yield "todo", text
    elif _DECIDES.search(text):
        yield "decision", _first_sentence(text)
    elif _PLAIN_VALUE.match(text) or any(
        kind in _VALUES for kind, _, _ in values_in(text[:_RULE_CHARS])
    ):
        yield "value", text
    elif has_rule_word(text):
        yield "also", text


def _led(lead: str, text: str) -> Iterator[_Said]:
    """Yield what stands behind a word like `TODO:`."""
    if lead in ("modified", "changed"):
        yield from _files(text)
    elif lead.startswith(("todo", "fixme", "待办")):
        yield "todo", text
    elif lead.startswith(("next", "nächster", "下一步", "次")):
        yield "next", text
    else:
        yield "state", f"{lead}: {text}"


def _files(text: str) -> Iterator[_Said]:
    yield from (("file", path) for path in _PATH.findall(text))


def _first_sentence(text: str) -> str:
    return next(iter(sentences(text)), text)


def _section_of(heading: str) -> str:
    """Return what stands below a heading, "" when it does not tell."""
    if DECISION_HEADING.search(heading):
        return "decision"
    if RULES_HEADING.search(heading):
        return "rule"
    text = _DATE.sub("", heading[:_HEADING_CHARS]).strip(" :：-–—")
    return next((name for name, words in _CATEGORIES.items() if words.search(text)), "")


def summarize_texts(
    texts: Mapping[str, str], count_tokens: Callable[[str], int], limit_tokens: int, note: str
) -> str:
    """Return a summary in markdown of at most `limit_tokens`, whatever the texts hold.

    `note` stands at its top, where the whole texts are for example, and counts as well. Newest
    first, but for steps and todos, which keep their order. The first line stands there however
    small the limit is.
    """
    notes = _by_section(read_notes(texts))
    lines = sum(len(read_document(name, text).lines) for name, text in texts.items())
    tokens = sum(count_tokens(text) for text in texts.values())
    dropped = f"{counted(len(texts), 'file')}, {counted(lines, 'line')}"
    head = f"Summary. Information was dropped: {dropped}, {counted(tokens, 'token')} became this."
    head = " ".join([head, *note.split()])
    shown: dict[NoteSection, list[Note]] = {section: [] for section in notes}
    for sections in _TURNS:
        columns = (notes.get(each, [])[: _SHOWN_MOST.get(each, _SHOWN_ELSE)] for each in sections)
        # One of each section in turn, as long as there is room.
        for found in filter(None, chain.from_iterable(zip_longest(*columns))):
            shown[found.section].append(found)
            if count_tokens(_render(head, notes, shown)) > limit_tokens:
                shown[found.section].pop()
    return _render(head, notes, shown)


def _render(
    head: str, notes: Mapping[NoteSection, list[Note]], shown: Mapping[NoteSection, list[Note]]
) -> str:
    parts = [head]
    for section, title in _TITLES.items():
        some = shown.get(section)
        if not some:
            continue
        every = len(notes[section])
        more = f" ({len(some)} of {every})" if len(some) < every else ""
        parts += ["", f"## {title}{more}", ""]
        if section == "file":
            parts.append("- " + ", ".join(found.text for found in some))
            continue
        file = ""
        for found in some:
            where = f" ({one_line(printable(found.file), _ITEM_CHARS)})"
            parts.append(f"- {found.text}{where if found.file != file else ''}")
            file = found.file
    return "\n".join(parts) + "\n"


def _by_section(found: Iterable[Note]) -> dict[NoteSection, list[Note]]:
    """Return the notes by section, the newest first, each said once, in its last words."""
    sections: dict[NoteSection, dict[str, Note]] = {section: {} for section in _TITLES}
    for note in found:
        text = one_line(note.text.strip(" *_`"), _ITEM_CHARS)
        said = sections[note.section]
        if normal_form(text):
            said.pop(normal_form(text), None)
            said[normal_form(text)] = replace(note, text=text)
    ordered = {}
    for section, said in sections.items():
        parts = 2 if section in _IN_ORDER else 3
        newest = sorted(said.values(), key=lambda note: note.place[:parts], reverse=True)
        if newest:
            ordered[section] = newest
    return ordered

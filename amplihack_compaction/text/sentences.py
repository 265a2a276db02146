"""Cut text into sentences, in nine languages, without cutting names, numbers and paths."""

import re

from amplihack_compaction.base.redaction.redact import MARK
from amplihack_compaction.text.enumerated import unfolded
from amplihack_compaction.text.leaning import TOPIC_CHARS, is_topic
from amplihack_compaction.text.machine_text import is_list_item

_BULLET = re.compile(
    r"(?<!\s)\s*(?:[-*+•‣▪◦·–—]|\(?\d{1,3}[.)、]|\(?[a-hA-H]\)|[a-h]\.|\[[ xX]\]|#{1,6})"
    r"(?:\s+\[[ xX]\])?\s+"
)
_END = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’»)\]*_]*(?=\s)|[。！？｡]+[」』”’）)\"]*")
_ABBREVIATIONS = frozenset(
    "e.g i.e etc vs dr mr mrs ms prof st no nr inc ltd approx fig sec ca cf al resp incl excl "
    "min max"
    " z.b d.h bzw usw u.a ggf evtl vgl s.o sog inkl p.ex ex sr sra dra pág art aprox núm no.º tel"
    " т.е т.д т.п др г см напр стр".split()
)
# "am 3. zu erneuern", "vom 12. bis 14. Mai": a day's number, with more of its sentence behind it.
_BEFORE_DAY = re.compile(
    r"\b(?:am|vom|zum|bis|ab|den|dem|der|seit|und|beim) (?:\d{1,2}\.)?$", re.IGNORECASE
)
_MONTH = re.compile(r"(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)")
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
    lines = (part for whole in text.split("\n") for part in unfolded(whole))
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
    whole = _with_topics([piece for piece in pieces if piece])
    return [part for piece in whole for part in _shorten(piece)]


def _with_topics(pieces: list[str]) -> list[str]:
    """Put what is only called by its name before what is said of it."""
    joined: list[str] = []
    topics = ""
    for piece in pieces:
        if is_topic(piece) and len(topics) < TOPIC_CHARS:
            topics += piece if piece[-1:] == "？" else f"{piece} "
        else:
            joined.append(topics + piece)
            topics = ""
    return [*joined, topics.strip()] if topics else joined


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
        rest = block[end.end() :].lstrip()
        return rest[:1].islower() or _MONTH.match(rest) is not None
    # A single capital is an initial, but for "I" and "A", which are words.
    initial = len(word) == 1 and word.isascii() and original.isupper() and word not in "ia"
    return word in _ABBREVIATIONS or initial


def _shorten(piece: str) -> list[str]:
    if len(piece) <= _LONG_CHARS:
        return [piece]
    return [part.strip() for part in _LONG.split(piece) if part and part.strip()]

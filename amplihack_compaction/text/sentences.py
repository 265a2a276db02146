"""Sentences of a text, in nine languages: where they end, which need the one before, reasons.

Also which lines are prose at all, and which a machine wrote: logs, traces, code, data, tables.
"""

import re
from functools import lru_cache

from amplihack_compaction.base.redaction.redact import MARK
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import compile_all, has_cjk, one_line

_PATTERNS = patterns("sentences")
_MACHINE = re.compile(
    "|".join(each for name, each in _PATTERNS.items() if name.startswith("machine "))
)
_DIFF_START = re.compile(r"diff --git |@@ -")
_DIFF_BODY = re.compile(r"[-+ @]|index |diff |\\ No newline")
_SETTING = re.compile(
    r"\s*(?:[a-z_\"'][\w.\"'-]{0,40}|[A-Z][A-Z0-9_]+)\s*[:=]\s*\S{0,60}(?: \S{1,30}){0,2}$"
)
_IN_PROSE = re.compile(r"\s*(?:- )?[\w.-]{1,40}:\s+[^\W\d_][\w'-]*,?\s[^\W\d_]|\s*- \w+\s\w+\s\w")
_LIST_ITEM = re.compile(
    r"\s*(?:[-*+•‣▪◦·–—]|\(?\d{1,3}[.)、]|\(?[a-hA-H]\)|[a-h]\.|\[[ xX]\])\s+\S"
)
# A machine line is judged by its head; prose longer than this on one line is prose.
_HEAD_CHARS = 600
_SETTINGS_IN_A_ROW = 3


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
    _mark_diffs(lines, marks)
    _mark_indented(lines, marks)
    _mark_settings(lines, marks)
    _mark_between(lines, marks)
    return marks


def _mark_diffs(lines: list[str], marks: list[bool]) -> None:
    inside = False
    for number, line in enumerate(lines):
        if _DIFF_START.match(line):
            inside = True
        elif inside and _DIFF_BODY.match(line):
            marks[number] = True
        else:
            inside = False


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
    run: list[int] = []
    for number, line in enumerate([*lines, ""]):
        if line.strip() and _SETTING.match(line[:200]) and not is_list_item(line):
            run.append(number)
            continue
        prose = any(is_key_in_prose(lines[place]) for place in run)
        if len(run) >= _SETTINGS_IN_A_ROW and not prose:
            for place in run:
                marks[place] = True
        run = []


def _mark_between(lines: list[str], marks: list[bool]) -> None:
    """Mark one or two lines of prose that stand, without a gap, between machine lines."""
    for number in range(1, len(lines) - 1):
        if marks[number] or not lines[number].strip() or not marks[number - 1]:
            continue
        after = marks[number + 1 : number + 3]
        blank = not lines[number + 1].strip()
        if not blank and any(after) and not is_list_item(lines[number]):
            marks[number] = True


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
        rest = block[end.end() :].lstrip()
        return rest[:1].islower() or _MONTH.match(rest) is not None
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
    if "1." not in line and "1)" not in line:  # nearly every line
        return [line]
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
# What names nothing is not longer than this.
_BARE_WORDS = 8
_FRONT_EAST_CHARS = 12
_LIKE_EAST_CHARS = 24
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
_ONLY_LEANS = re.compile(_PATTERNS["only leans"], re.IGNORECASE)
_LIKE_IT = re.compile(_PATTERNS["like it"], re.IGNORECASE)
_LIKE_IT_EAST = re.compile(_PATTERNS["like it east"])
_NO_SUBJECT = re.compile(_PATTERNS["no subject"], re.IGNORECASE)
_NO_SUBJECT_EAST = re.compile(
    r"(?:请|一律|绝对|千万)?(?:别动|不要动|勿动|不许动|不能动|别碰|不要碰|先问我|必须"
    r"|禁止)[。！!]?$"
)
# "Write the report, no names in it": what a pronoun means may stand before it, in another clause.
_OWN = frozenset("it itself them they he she him".split())
_CLAUSE_ENDS = re.compile(r"[,;:–—]\s|\s(?:until|because|so|and|but|since|or)\s")
_OWN_NAME = re.compile(_PATTERNS["own name"], re.IGNORECASE)
_SAYS_WHERE = re.compile(_PATTERNS["says where"], re.IGNORECASE)
_IT_IS = re.compile(r"[^.!?]{3,60}\bit is\W*$", re.IGNORECASE)
_WORD = re.compile(r"\S+")


@lru_cache(maxsize=_CACHED_SENTENCES)
def needs_sentence_before(sentence: str) -> bool:
    """Return whether a sentence says what it says only with the one before it: "Never edit it."."""
    if len(sentence) > _LONGEST_CHARS:
        return False
    if asks_for_the_same(sentence):
        return True
    if has_cjk(sentence):
        front = sentence[:_FRONT_EAST_CHARS]
        return bool(_MEANS_ANOTHER_EAST.search(front) or _NO_SUBJECT_EAST.match(sentence))
    plain = sentence.replace("’", "'")
    words = plain.split()
    if len(words) <= _BARE_WORDS and _NO_SUBJECT.match(plain):
        return True
    if _ONLY_LEANS.match(plain):
        return True
    found = _pronoun_in(plain)
    if found is None or _is_named_before(plain, found):
        return False
    words_before = sum(word.start() < found.start() for word in _WORD.finditer(plain))
    return words_before < _FRONT_WORDS or len(words) <= _SHORT_WORDS


def _is_named_before(plain: str, pronoun: "re.Match[str]") -> bool:
    """Return whether what an English pronoun means stands before it, in another clause."""
    if pronoun.group().casefold() not in _OWN:
        return False
    if _IT_IS.match(plain):
        return True
    ends = [end for end in _CLAUSE_ENDS.finditer(plain) if end.end() <= pronoun.start()]
    clause = plain[: ends[0].start()] if ends else ""
    if not clause or _SAYS_WHERE.match(clause):
        return False
    is_topic_line = plain[ends[0].start()] == ":"
    return is_topic_line or _OWN_NAME.search(clause) is not None


@lru_cache(maxsize=_CACHED_SENTENCES)
def asks_for_the_same(sentence: str) -> bool:
    """Return whether a sentence asks for the same as before: "the same for refunds"."""
    if has_cjk(sentence):
        return len(sentence) <= _LIKE_EAST_CHARS and _LIKE_IT_EAST.search(sentence) is not None
    return len(sentence.split()) <= _SHORT_WORDS and _LIKE_IT.search(sentence) is not None


def _pronoun_in(plain: str) -> "re.Match[str] | None":
    """Return the first pronoun that means something named before."""
    found = [match for each in _MEANS_ANOTHER for match in each.finditer(plain)]
    if any(match.group().casefold() == "es" for match in found) and _SPANISH.search(plain):
        found = [match for match in found if match.group().casefold() != "es"]
    return min(found, key=lambda match: match.start(), default=None)

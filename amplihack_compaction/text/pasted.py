"""Who wrote each line of a prompt, the user or somebody else, by its form and by weights learnt.

Code, logs, quotations, chats and commits are told by their form. What a sentence means is not
judged: a rule in a paste is as foreign as any other line of it.

No line tells it alone: "Never deploy on Fridays." is a rule below "my rules:", and none above "is
that still true?". So a line counts by what it is like, by its paragraph, by the paragraphs before,
behind, at the head and at the end, and by who wrote the line above: the likeliest row of authors is
taken. `python -m tests.publish_authors` learns the weights.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple

from amplihack_compaction.text.classifier import BIAS, Table, counted_words
from amplihack_compaction.text.sentences import is_list_item, machine_lines

_FEWEST_WORDS_BEHIND = 3
_FENCE = re.compile(r"\s*(?:[-*>] )?(```|~~~|\"\"\"|''')")
_QUOTATION = re.compile(r"^\s{0,3}>(?:\s|$)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S")
_OPEN_TAG = re.compile(r"\s*<([a-zA-Z][\w:.-]*)(?:\s[^<>]*)?>")
_CLOSE_TAG = re.compile(r"</([a-zA-Z][\w:.-]*)>")
# A commit as `git` shows it, and what was said in a chat with its time or sender's mark.
_COMMIT = re.compile(r"[*|/\\ ]{0,12}commit [0-9a-f]{7,64}\b")
_IN_A_COMMIT = re.compile(
    r"\s{0,4}(?:Author|AuthorDate|Date|Commit|CommitDate|Merge|Refs?):\s|\s{4}|\s*$|\s?\|",
    re.IGNORECASE,
)
_CLOCK = r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[AaPp][Mm])?"
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?"
_SAID_BY = re.compile(
    rf"\s{{0,3}}(?:\[?(?:{_DAY}\s)?{_CLOCK}\]?\s+(?:-\s)?<?@?[\w .,'-]{{1,40}}>?:\s"
    rf"|[\w .'-]{{1,30}}\s[\[(]{_CLOCK}[\])]:?(?:\s|$)"
    r"|<[\w.|-]{1,30}>\s+\S|(?=[0-9a-f]{0,11}\d)[0-9a-f]{7,12}\s+\S"
    rf"|[\w .'-]{{1,40}}\s{{2,}}{_CLOCK}\s*$)"
)
# A table of which a cell is in words: users note so as well.
_ROW_IN_WORDS = re.compile(r"\s*\|.*[^\W\d_]{2},? [^\W\d_]{2}.*\|\s*$")


def is_heading(line: str) -> bool:
    """Return whether a line is a heading of markdown."""
    return _HEADING.match(line) is not None


def is_fence(line: str) -> bool:
    """Return whether a line begins or ends a block of code."""
    return _FENCE.match(line) is not None


def is_quotation(line: str) -> bool:
    """Return whether a line is marked as a quotation."""
    return _QUOTATION.match(line) is not None


def without_quotation_mark(line: str) -> str:
    """Return a quotation's words."""
    return _QUOTATION.sub("", line)


# Clients since autumn 2026 put a paste between such lines; the sign is the session's.
_TAG = re.compile(r'<(?P<ends>/?)pasted_content id="(?P<sign>[0-9a-f]{4})">\s*$')
_PLACEHOLDER = re.compile(r"\[(?:Image|Pasted text) #\d{1,6}[^\]\n]{0,40}\]")
_OF_HIS_OWN = re.compile(
    r"\bmy(?: (?:own|below|following|new))? (?:rules?|notes?|guidelines?|instructions?"
    r"|requirements?|specs?|specifications?|thoughts?|ideas?)\b"
    r"|\bmeinen? (?:regeln|notizen|vorgaben|anweisungen|anforderungen|ideen|gedanken|wünsche)\b"
    r"|\bmes (?:règles|notes|consignes|exigences|idées)\b"
    r"|\bmis (?:reglas|notas|instrucciones|requisitos|ideas)\b"
    r"|\bminhas (?:regras|notas|instruções|ideias)\b"
    r"|\bмои (?:правила|заметки|требования|инструкции)\b"
    r"|我的(?:规则|要求|笔记|想法|规范)"
    r"|私の(?:ルール|メモ|要件|考え)|내 (?:규칙|메모|요구|생각)",
    re.IGNORECASE,
)


def cut_pastes(text: str) -> tuple[str, list[str]]:
    """Return what was typed around the pastes that the client marks, and these.

    A paste alone was typed, and so was one that is called the user's own: many write elsewhere. In
    421 prompts of 36 projects 15 had a paste: of eight alone seven were the user's own words.
    """
    if "<pasted_content " not in text:
        return text, []
    lines = text.split("\n")
    pastes: list[str] = []
    around: list[str] = []
    behind = 0
    for begin, end in _tagged(lines):
        pastes.append("\n".join(lines[begin + 1 : end - 1]))
        around += [*lines[behind:begin], ""]
        behind = end
    typed = "\n".join([*around, *lines[behind:]])
    words = _PLACEHOLDER.sub("", typed)
    is_his = _OF_HIS_OWN.search(words) and not _SAYS["asks"].search(words)
    if not words.strip() or is_his:
        return "\n".join(line for line in lines if not _TAG.match(line)), []
    return typed, pastes


def _tagged(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield where pastes begin, and the lines behind them."""
    tags = [(number, tag) for number, line in enumerate(lines) if (tag := _TAG.match(line))]
    ends: dict[str, list[int]] = {}
    for number, tag in tags:
        if tag["ends"]:
            ends.setdefault(tag["sign"], []).append(number)
    behind = 0
    for begin, tag in tags:
        is_first = not tag["ends"] and begin >= behind
        if is_first and (end := _closed(ends, tag["sign"], begin)) > begin:
            behind = end
            yield begin, behind


def mark_shapes(lines: list[str], marks: list[bool]) -> list[bool]:
    """Mark what its form tells to be pasted; return which lines a person may have written."""
    _mark_blocks(lines, marks)
    by_person = [not mark for mark in marks]
    for number, is_machine in enumerate(machine_lines(lines)):
        by_person[number] &= not is_machine or is_quotation(lines[number])
        in_words = _ROW_IN_WORDS.match(lines[number])
        marks[number] |= is_machine and not in_words and lines[number].strip() != ""
    return by_person


def paragraphs(lines: list[str]) -> list[tuple[int, int]]:
    """Return where the paragraphs begin and end."""
    runs = groupby(range(len(lines)), lambda number: lines[number].strip() != "")
    parts = [list(run) for is_filled, run in runs if is_filled]
    return [(part[0], part[-1] + 1) for part in parts]


def _mark_blocks(lines: list[str], marks: list[bool]) -> None:
    """Mark fenced code, triple-quoted text, elements over several lines, chats and commits."""
    closings = _closings(lines)
    number = 0
    while number < len(lines):
        end = _block_end(lines, number, closings)
        marks[number:end] = [True] * (end - number)
        number = max(end, number + 1)


def _closings(lines: list[str]) -> dict[str, list[int]]:
    """Return in which lines each element may end, by its name.

    Looked up and not searched for: many that begin and never end would each be searched to the end.
    """
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        for tag in _CLOSE_TAG.finditer(line):
            found.setdefault(tag.group(1), []).append(number)
    return found


def _closed(closings: dict[str, list[int]], name: str, start: int) -> int:
    """Return the line behind the first end of a name from `start` on; `start` without one."""
    ends = closings.get(name, [])
    place = bisect_left(ends, start)
    return ends[place] + 1 if place < len(ends) else start


def _block_end(lines: list[str], start: int, closings: dict[str, list[int]]) -> int:
    """Return the line behind the block that starts here; `start` when none does."""
    line = lines[start]
    other = _plain_block_end(lines, start)
    if other > start:
        return other
    fence = _FENCE.match(line)
    if fence is not None:
        mark = fence.group(1)
        if mark in line[fence.end() :]:
            return start + 1 if line.rstrip().endswith(mark) else start
        # The end of a text that was copied from its middle on, and what is said behind it.
        is_last = start == len(lines) - 1 and start > 0 and bool(lines[start - 1].strip())
        if is_last and len(line[fence.end() :].split()) >= _FEWEST_WORDS_BEHIND:
            return start
        return _fence_end(lines, start, mark)
    tag = _OPEN_TAG.match(line)
    return _closed(closings, tag.group(1), start) if tag is not None else start


def _fence_end(lines: list[str], start: int, mark: str) -> int:
    """Return the line behind a fence's end; one that names a language begins another inside."""
    depth = 1
    for number in range(start + 1, len(lines)):
        line = lines[number].strip()
        if line.startswith(mark) and line[len(mark) :].isalnum():
            depth += 1
        elif mark in line:
            depth -= 1
        if not depth:
            return number + 1
    return len(lines)


def _plain_block_end(lines: list[str], start: int) -> int:
    """Return the line behind a chat's line or a commit; `start` when none begins here."""
    line = lines[start]
    if said := _SAID_BY.match(line):
        is_head = not line[said.end() :].strip()  # what was said stands below
        return _end_of(lines, start, str.strip) if is_head else start + 1
    end = _end_of(lines, start, _IN_A_COMMIT.match) if _COMMIT.match(line) else start
    return end if end > start + 1 else start


def _end_of(lines: list[str], start: int, goes_on: Callable[[str], object]) -> int:
    """Return the first line below one with which it does not go on."""
    below = range(start + 1, len(lines))
    return next((number for number in below if not goes_on(lines[number])), len(lines))


# "fyi", "got this from legal", "what do they want from me?" point at a text that stands beside,
# and no list of words has them all: learnt in nine languages (`python -m tests.publish_acts`).
REMARKS_TABLE = Table("remarks.weights", (0.0, 0.0), mistyped=True, known_share=0.3)
LIKELY, SURE = 0.5, 0.75
_LEAD_CHARS = 160
_CLAUSE_END = re.compile(r"(?<![.!?…])[.!?…]+(?:\s+|$)|[。！？]+\s*|\s[-–—]\s|\n")
_CACHED_CLAUSES = 1024
_GAP = re.compile(r"\n[^\S\n]*\n\s*")


class RemarkChances(NamedTuple):
    """How likely a remark points at somebody's text, and at what a program wrote, from 0 to 1."""

    text: float
    output: float


@lru_cache(maxsize=_CACHED_CLAUSES)
def _chances(clause: str) -> RemarkChances:
    return RemarkChances(*REMARKS_TABLE.chances_of(clause))


def last_remark(line: str) -> RemarkChances:
    """Return what the last clause of a line announces, as what stands below it."""
    clauses = _clauses(line[-_LEAD_CHARS:])
    return _chances(clauses[-1]) if clauses else RemarkChances(0.0, 0.0)


def any_remark(paragraph: str) -> RemarkChances:
    """Return what the clauses of a closing paragraph point back at, at most."""
    found = [_chances(clause) for clause in _clauses(paragraph[: _LEAD_CHARS * 2])]
    return RemarkChances(*map(max, zip((0.0, 0.0), *found, strict=True)))


def pointing_paragraph(prompt: str) -> str:
    """Return which end of several paragraphs points at a text beside it; nothing for none."""
    parts = _GAP.split(prompt.strip())
    ends = (parts[0], parts[-1]) if len(parts) > 1 else ()
    return next(filter(_points_at_text, ends), "")


def _points_at_text(paragraph: str) -> bool:
    return paragraph.endswith((":", "：")) or any_remark(paragraph).text >= LIKELY


def _clauses(text: str) -> list[str]:
    parts = (part.strip(" \t:：") for part in _CLAUSE_END.split(text.strip()))
    return [part for part in parts if part]


AUTHORS_TABLE = Table("authors.weights", (0.0,), mistyped=False, known_share=0.0)
OWN, FOREIGN, MARKED, START = "own", "foreign", "marked", "start"
# Of a longer prompt its head and its end are looked at, what lies between goes on as it began.
_MOST_LINES = 200
_MOST_CHARS = 2_000
_LEVELS = (0.02, 0.1, 0.3, 0.5, 0.75, 0.9)
_WORDS = (4, 8, 16, 24)
_PARAGRAPHS = (2, 3, 4, 6)
_CHARS = (200, 400, 800, 1500, 3000)
_FULL_STOP = re.compile(r"[.!](?:\s|$)|。")
_MOST_SENTENCES = 3
_ENDS = {
    **dict.fromkeys(".!。！", "."), **dict.fromkeys("?？", "?"), **dict.fromkeys(":：", ":"),
    **dict.fromkeys(",;", ","), **dict.fromkeys("\"”»」", '"'), ")": ")",
}  # fmt: skip
# Who types of himself, or to the model, without a thought of a reader, and what points at a text.
_SAYS = {
    "me": re.compile(
        r"\b(?:I|I'm|I've|I'd|I'll|i|i'm|my|mine|me|claude|ich|mir|mich|mein\w*|je|j'\w+|moi|mon|yo"
        r"|mi|eu|meu|minha|io|mio|я|мне|мой)\b|我|私|나는|내가|제가"
    ),
    "we": re.compile(
        r"\b(?:we|our|us|ours|wir|uns\w*|nous|notre|nos|nuestr\w+|noss\w+|мы|наш\w*)\b"
        r"|我们|我們|私たち|うちの|우리",
        re.IGNORECASE,
    ),
    "you": re.compile(
        r"\b(?:you|your|du|dir|dein\w*|tu|vous|votre|tú|usted|você|ты|вы)\b|你|您|あなた|당신",
        re.IGNORECASE,
    ),
    "please": re.compile(
        r"\b(?:please|pls|plz|bitte|por favor|s'il|пожалуйста)\b|请|ください|주세요|줘",
        re.IGNORECASE,
    ),
    "points": re.compile(
        r"\b(?:this|that|these|those|it|they|what|who|which|should|das|dies\w*|sie|was|ça|ceci"
        r"|ce(?:s|tte)?|est[aeo]s?|quest[aeio]|qué|qual|isso|o que|это\w*|что)\b|\?$"
        r"|这|那|什么|이거|이 |뭐|これ|この|何",
        re.IGNORECASE,
    ),
    "asks": re.compile(r"[?？]"),
}
# What a line or a paragraph is not says as much.
_TOLD_IF_NOT = (*_SAYS, "small", "careful", "item", "text 0.1", "lead 0.1")


def is_of_himself(text: str) -> bool:
    """Return whether a text speaks of its author."""
    return _SAYS["me"].search(text) is not None


def mark_foreign(lines: list[str], marks: list[bool]) -> None:
    """Mark the lines that somebody else wrote, beside those that are marked by their shape."""
    if len(lines) > 1:  # or else there is nobody to tell the user from
        found = likeliest(lines, marks, AUTHORS_TABLE.sum_of)
        rest = [line for line, mark in zip(lines, found, strict=True) if line.strip() and not mark]
        # Somebody pastes for a purpose: where nothing says it, nothing was pasted.
        if rest or any(any_remark(line).text >= LIKELY for line in lines):
            marks[:] = found


# Nobody indents all that he types; what is copied from a terminal is. So much of it is told apart,
# or its first line, announced by the one above.
_INDENT = "  "
_SHARE_OF_INDENTED = 0.4


def mark_rest_of_indented(lines: list[str], marks: list[bool], by_person: list[bool]) -> None:
    """Mark all of an indented text of which much is marked: the result below the errors.

    None of it is `by_person` where a line of it is not.
    """
    above = ""
    for is_indented, group in groupby(
        (number for number, line in enumerate(lines) if line.strip()),
        key=lambda number: lines[number].startswith(_INDENT),
    ):
        run = list(group)
        share = sum(marks[number] for number in run) / len(run)
        announced = marks[run[0]] and above.rstrip().endswith((":", "："))
        if is_indented and (share >= _SHARE_OF_INDENTED or announced):
            is_machine = not all(by_person[number] for number in run)
            for number in run:
                marks[number], by_person[number] = True, by_person[number] and not is_machine
        above = lines[run[-1]]


def likeliest(
    lines: list[str], marks: list[bool], sum_of: Callable[[Iterable[str]], float]
) -> list[bool]:
    """Return which lines are likeliest not the user's, by what `sum_of` says features weigh."""
    weight_of = cache(sum_of)
    features = features_of_lines(lines, marks)
    best: dict[str, float] = {START: 0.0}
    steps: list[tuple[int, dict[str, str]]] = []
    for number, above in lines_with_gaps(lines):
        came = {OWN: max(best, key=best.__getitem__)}
        if number not in features:
            steps.append((number, {MARKED: came[OWN]}))
            best = {MARKED: best[came[OWN]]}
            continue
        score = sum(map(weight_of, features[number]))
        foreign = {state: best[state] + weight_of((transition(state, above),)) for state in best}
        came[FOREIGN] = max(foreign, key=foreign.__getitem__)
        best = {OWN: best[came[OWN]], FOREIGN: foreign[came[FOREIGN]] + score}
        steps.append((number, came))
    found, state = [*marks], max(best, key=best.__getitem__)
    for number, came in reversed(steps):
        found[number] = state != OWN
        state = came[state]
    return found


def lines_with_gaps(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the numbers of the lines that are not blank, each with what stands above it."""
    for number, line in enumerate(lines):
        if line.strip():
            yield number, "line" if number and lines[number - 1].strip() else "gap"


def transition(before: str, above: str) -> str:
    """Return the feature that a line has by the author of the line before."""
    return f"from {before} {above}"


def features_of_lines(
    lines: list[str], marks: list[bool]
) -> dict[int, tuple[frozenset[str], frozenset[str]]]:
    """Return the features of each line that is not marked: its paragraph's, and its own."""
    parts = [
        [number for number in range(begin, end) if not marks[number]]
        for begin, end in paragraphs(lines)
    ]
    seen = [number for part in parts for number in part]
    seen = [*seen[:_MOST_LINES], *seen[_MOST_LINES:][-_MOST_LINES:]]
    facts = {number: _facts(lines[number]) for number in seen}
    whole = [_whole([facts[number] for number in part if number in facts]) for part in parts]
    around = _of_prompt(lines, marks, whole)
    found: dict[int, tuple[frozenset[str], frozenset[str]]] = {}
    for place, part in enumerate(parts):
        base = frozenset(around | _of_paragraph(whole, place))
        at = _place(place, len(parts))
        for inside, number in enumerate(part):
            if number not in facts:
                found[number] = frozenset(), frozenset()
                continue
            own = facts[number]
            line = _place(inside, len(part))
            says = {f"line {line}", f"line {line} {at}", *_named("l", own)}
            says |= {f"{fact} {line}" for fact in ("small", "asks", "me") if fact in own}
            says |= {f"self {n} {at} {line}" for n in range(_level(own, "text"))}
            says |= {f"lead {n} {line}" for n in range(_level(own, "lead"))}
            if inside and part[inside - 1] in facts:
                says |= _named("above", facts[part[inside - 1]])
            if inside + 1 < len(part) and part[inside + 1] in facts:
                says |= _named("below", facts[part[inside + 1]])
            words = list(filter(str.isalpha, counted_words(lines[number][:_MOST_CHARS])))
            says.update(f"w:{word}" for word in words)
            says.update(f"first:{word}" for word in words[:1])
            found[number] = base, frozenset(says)
    return found


def _facts(line: str) -> frozenset[str]:
    text = line.strip()[:_MOST_CHARS]
    found = {name for name, pattern in _SAYS.items() if pattern.search(text)}
    found.add(f"ends {_ENDS.get(line.rstrip()[-1], 'open')}")
    found.add("item" if is_list_item(text) else "heading" if is_heading(text) else "prose")
    if text[0].islower():
        found.add("small")
    full = len(_FULL_STOP.findall(text))
    if not text[0].islower() and full > 1:
        found.add("careful")
    found.update(f"full {count + 1}" for count in range(min(full, _MOST_SENTENCES)))
    count = len(text.split())
    found.update(f"words {least}" for least in _WORDS if count >= least)
    chances = {"text": any_remark(text).text, "lead": max(last_remark(line.strip()))}
    found.update(f"{of} {level}" for of in chances for level in _LEVELS if chances[of] >= level)
    return frozenset(found)


def _whole(part: list[frozenset[str]]) -> set[str]:
    """Return what a paragraph is like: how it begins and ends, and all else that a line is like."""
    if not part:
        return {MARKED}
    begins, ends = ("small",), ("ends", "lead")
    found = {fact for facts in part for fact in facts if not fact.startswith((*begins, *ends))}
    found |= {fact for fact in part[0] if fact.startswith(begins)}
    found |= {fact for fact in part[-1] if fact.startswith(ends)}
    return found | {"several"} if len(part) > 1 else found


def _of_prompt(lines: list[str], marks: list[bool], whole: list[set[str]]) -> set[str]:
    size, of_me = sum(map(len, lines)), sum("me" in part for part in whole)
    found = {BIAS} | {f"size {least}" for least in _CHARS if size >= least}
    found |= {f"paragraphs {least}" for least in _PARAGRAPHS if len(whole) >= least}
    found |= {f"of me {least}" for least in (1, 2, 3) if of_me >= least}
    return found | {"some marked"} if any(marks) else found


def _of_paragraph(whole: list[set[str]], place: int) -> set[str]:
    """Return what a paragraph is like, and what those around it are like."""
    count, this = len(whole), whole[place]
    at = _place(place, count)
    nothing = {"none"}
    before = whole[place - 1] if place else nothing
    behind = whole[place + 1] if place + 1 < count else nothing
    head = whole[0] if place > 1 else nothing
    tail = whole[-1] if place < count - 2 else nothing
    found = {f"at {at}"} | _named("p", this) | _named("before", before) | _named("after", behind)
    found |= _named("head", head) | _named("tail", tail)
    me, before_me = "me" in this, "me" in before
    lead, colon = _level(before, "lead"), "ends :" in before
    best = max(lead, _level(behind, "text"), _level(head, "lead"), _level(tail, "text"))
    beside = (f"careful {'careful' in this}", f"item {'item' in this}", f"me {me}", at)
    for level in range(best):
        found |= {f"best {level}", *(f"best {level} {each}" for each in beside)}
    for level in range(lead):
        found |= {f"lead {level} me {before_me}", f"lead {level} colon {colon}"}
    found |= {f"self {level} {at}" for level in range(_level(this, "text"))}
    found |= {f"me {me} {at}", f"small {'small' in this} {at}", f"colon {colon} {before_me}"}
    if lead <= 1:
        found.add(f"no lead colon {colon}")
    if "careful" in this and "small" in before | behind:
        found.add("contrast")
    return found


def _named(name: str, facts: frozenset[str] | set[str]) -> set[str]:
    found = {f"{name} {fact}" for fact in facts}
    if "none" not in facts and MARKED not in facts:
        found.update(f"{name} no {fact}" for fact in _TOLD_IF_NOT if fact not in facts)
    return found


def _level(facts: frozenset[str] | set[str], of: str) -> int:
    """Return how many levels a chance reaches."""
    return sum(f"{of} {level}" in facts for level in _LEVELS)


def _place(number: int, count: int) -> str:
    if count == 1:
        return "only"
    return "first" if not number else "last" if number == count - 1 else "mid"

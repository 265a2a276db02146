"""Collect what was learned and what was finished, newest first to stay."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from math import exp, log, log1p
from typing import TypeVar

from amplihack_compaction.extract.statements import Item, Learning
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.prompts import split_typed
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.shell.commands import URL, finished_actions
from amplihack_compaction.text.words import (
    anchors_of,
    distinct_words,
    has_cjk,
    has_hint,
    normal_form,
    one_line,
    words_of,
)
from amplihack_compaction.transcript.session import (
    ToolUse,
    TranscriptStep,
    bash_command,
    prose_lines,
    turn_ends,
)

_I = TypeVar("_I", bound=Item)

_LIMIT = 20
_TEXT_CHARS = 200

_REMOTE_TOOL = re.compile(
    r"mcp__.*(?:create|merge|close|send|post|publish|delete|deploy|push|submit|add_comment)"
)
_REMOTE_KEYS = ("title", "name", "subject", "body", "message", "text", "path")

# How much a sentence of the model's is needed after a compaction: weights of a logistic sum, learnt
# from 84 real compactions (`python -m tests.bench.natural.learn`). What the work names again later
# is needed most; what opens a text ("Perfect!") or is one of very many in a report, least.
_WEIGHTS = {
    "always": -1.76,
    "texts since": -0.32,
    "ends the turn": 0.34,
    "has a number": 0.5,
    "named later": 0.83,
    "in a table": 0.17,
    "sentences of its text": -0.45,
    "words": 0.55,
    "tells of a fix": 0.41,
    "praises": -0.67,
    "has code": 0.78,
}
PROMPTS_SINCE = -0.32
"""What the logarithm of the number of prompts since weighs."""
_FEWEST_WORDS = 5
_FEWEST_CJK = 8
_NAME_CHARS = 4
_INPUT_CHARS = 4_000
_OFTEN = 3
# Of the likeliest the one is taken next that says most beside those taken: what says again what
# they say is needed by so much less, as a share.
_LIKELIEST = 120
_SAID_AGAIN = 0.6
_FIXED = re.compile(r"\bfix(?:ed|es)?\b|\bresolved\b|\bworks? now\b|\bnow works?\b", re.IGNORECASE)
_PRAISES = re.compile(
    r"\W*(?:perfect|great|good|excellent|done|you're right|all tests)", re.IGNORECASE
)
# Says what comes next, or offers it: that is asked for, or done, by the next prompt.
_ANNOUNCES = re.compile(
    r"\W*(?:(?:now|next|first|then|so|ok(?:ay)?|good|great|right|perfect|excellent)\W{1,3}){0,2}"
    r"(?:let me|let's|i'll|i will|i'm going to|i need to|now i)\b"
    r"|.*\b(?:want me to|would you like|shall i|should i|let me know|do you want)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"#|\*\*[^*]+\*\*:?$")


def extract_learnings(content: WindowContent) -> tuple[Learning, ...]:
    """Return what the model found out and did, in its own words, oldest first.

    Of the sentences of its texts, and the rows of its tables, the 20 that together will most likely
    be needed, each cut to 200 characters. Questions, offers and announcements are none.
    """
    prompts = [said.offset for said in content.prompts]
    likeliest = sorted(_distinct(_learnings(content)), key=lambda one: one.weight)[-_LIKELIEST:]
    left = [
        (one, distinct_words(one.text), PROMPTS_SINCE * log1p(sum(map(one.offset.__lt__, prompts))))
        for one in likeliest
    ]
    kept: list[Learning] = []
    told: set[str] = set()
    while left and len(kept) < _LIMIT:
        chances = [chance_beside(told, words, one.weight + age) for one, words, age in left]
        chance = max(chances)
        best, words, age = left.pop(chances.index(chance))
        kept.append(replace(best, weight=log(chance / (1 - chance)) - age))
        told |= words
    return tuple(sorted(kept, key=lambda one: (one.offset, one.position)))


def chance_beside(told: Set[str], words: Set[str], odds: float) -> float:
    """Return how likely a sentence of these words is needed where others are told.

    `odds` is the logarithm of its odds by itself. The more of its words are told, the less.
    """
    again = len(words & told) / (len(words) or 1)
    return (1 - _SAID_AGAIN * again) / (1 + exp(-odds))


def _learnings(content: WindowContent) -> Iterator[Learning]:
    for step, number, sentence, marks in marked_sentences(content):
        weight = sum(_WEIGHTS[name] * value for name, value in marks.items())
        place = step.place | {"position": number}
        yield Learning(text=one_line(sentence, _TEXT_CHARS), **place, weight=weight)


def marked_sentences(
    content: WindowContent,
) -> Iterator[tuple[TranscriptStep, int, str, dict[str, float]]]:
    """Yield the model's sentences, the last text first, each with what tells how needed it is."""
    ends = turn_ends(content.steps)
    named: Counter[str] = Counter()
    texts_since = 0
    for step in reversed(content.steps):
        if step.tool is not None or step.by_user:
            named.update(_named_by(step))
            continue
        said = list(_told_by(step.text))
        around = {
            "always": 1,
            "texts since": log1p(texts_since),
            "ends the turn": id(step) in ends,
            "sentences of its text": log1p(len(said)),
        }
        for number, (sentence, in_table) in enumerate(said):
            if _tells(sentence):
                marks = around | {"in a table": in_table} | _marks_of(sentence, named)
                yield step, number, sentence, marks
        texts_since += 1


def _marks_of(sentence: str, named: Counter[str]) -> dict[str, float]:
    names = {name for name in anchors_of(sentence) if len(name) >= _NAME_CHARS}
    return {
        "words": log1p(len(words_of(sentence))),
        "has a number": any(map(str.isdigit, sentence)),
        "named later": min(max((named[name] for name in names), default=0), _OFTEN) / _OFTEN,
        "tells of a fix": _FIXED.search(sentence) is not None,
        "praises": _PRAISES.match(sentence) is not None,
        "has code": "`" in sentence,
    }


def _named_by(step: TranscriptStep) -> set[str]:
    """Return what a use of a tool, or a prompt, names; of paths also the last part."""
    values = step.tool.input.values() if step.tool is not None else (step.text,)
    text = " ".join(value for value in values if isinstance(value, str))[:_INPUT_CHARS]
    names = anchors_of(text)
    return names | {name.rpartition("/")[2] for name in names}


def _told_by(text: str) -> Iterator[tuple[str, bool]]:
    """Yield a text's sentences and the rows of its tables, and whether it is a row."""
    for line in prose_lines(text):
        plain = line.strip()
        if plain.startswith("|"):
            cells = " · ".join(filter(None, map(str.strip, plain.split("|"))))
            if cells.strip("-:· "):
                yield cells, True
        elif plain and plain[0] != ">" and not _HEADING.match(plain):
            yield from ((said, False) for said in sentences(plain))


def _tells(sentence: str) -> bool:
    """Return whether a sentence says enough, asks nothing and announces nothing."""
    short = (
        (len(sentence) < _FEWEST_CJK)
        if has_cjk(sentence)
        else (len(sentence.split()) < _FEWEST_WORDS)
    )
    leads_on = sentence.rstrip(" *_`").endswith((":", "：", "?", "？"))
    return not short and not leads_on and not _ANNOUNCES.match(sentence)


def extract_progress(content: WindowContent) -> tuple[Item, ...]:
    """Return what was done outside the working tree, oldest first, the newest 20.

    Commits, pushes, pull requests, releases, deploys: they must not be done again. What the model
    only calls done is told by its files, todos and commits.
    """
    acted = [
        make_item(step, text)
        for step in content.steps
        if step.tool is not None
        for text in finished_by(step.tool)
    ]
    return tuple(_distinct(acted)[-_LIMIT:])


def make_item(step: TranscriptStep, text: str) -> Item:
    """Return a statement that was made in this step, cut to 200 characters."""
    return Item(
        text=one_line(text, _TEXT_CHARS),
        **step.place,
    )


def finished_by(tool: ToolUse) -> list[str]:
    """Return what one tool use finished outside the working tree, in words."""
    result = tool.result
    if result is None:
        return []
    if tool.succeeded and _REMOTE_TOOL.match(tool.name):
        values = (tool.input.get(key) for key in _REMOTE_KEYS)
        what = next((value for value in values if isinstance(value, str) and value), "")
        url = URL.search(result.text)
        name = tool.name.removeprefix("mcp__").replace("__", " ")
        return [f"{name}: {what}{' -> ' + url.group() if url else ''}"]
    line = bash_command(tool)
    return finished_actions(line, result.text, bool(tool.succeeded)) if line else []


def spoken_sentences(step: TranscriptStep, hints: tuple[str, ...]) -> list[str]:
    """Return a text's sentences, none of code, tables, quotations and pasted parts.

    A text without any of the hints (in small letters) is left alone: most have nothing. With no
    hints every text is taken apart.
    """
    text = split_typed(step.text).typed if step.by_user else step.text
    if hints and not has_hint(text, hints):
        return []
    lines = [line for line in prose_lines(text) if line.lstrip()[:1] not in ("|", ">")]
    return sentences("\n".join(lines))


def _distinct(items: Iterable[_I]) -> list[_I]:
    """Return the items, each wording once, at its last place."""
    newest: dict[str, _I] = {}
    for item in items:
        words = normal_form(item.text)
        newest.pop(words, None)
        newest[words] = item
    return list(newest.values())

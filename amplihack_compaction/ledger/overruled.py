"""Which choice a later sentence of the user's overrules: "switch to SQLite", "forget Postgres".

A question, a report, and what only adds another thing overrule nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from amplihack_compaction.extract.replies import BEGINS_WITH_NO
from amplihack_compaction.extract.statements import (
    SAID_WITH,
    Decision,
    PromptRecord,
    as_item,
    field_values,
)
from amplihack_compaction.text.sentences import sentences, with_following
from amplihack_compaction.text.word_lists import patterns, word_lists
from amplihack_compaction.text.words import (
    GO_ON_WORDS,
    STOPWORDS,
    asks,
    normal_form,
    opens_question,
    words_of,
)

_PATTERNS = patterns("overruled")
_DROPS, _WEAKLY_DROPS, _IS_DROPPED, _TAKEN, _ARTICLE, _ENDS = (
    _PATTERNS[name] for name in ("drops", "weakly drops", "is dropped", "takes", "article", "ends")
)
_CHANGES, _TAKES, _ADDS, _BARRED, _LABEL, _HEAD_ENDS, _OR = (
    re.compile(_PATTERNS[name], re.IGNORECASE)
    for name in ("changes", "takes", "adds", "barred", "label", "head ends", "or")
)
_MAY_TURN = re.compile(
    "|".join((_DROPS, _WEAKLY_DROPS, _IS_DROPPED, _TAKEN, _PATTERNS["changes"])), re.IGNORECASE
)
_LIGHT = frozenset(word_lists("words")["light"])
_NEWEST = 200
_LONGEST_CHARS = 200
_QUOTED_CHARS = 160
_MOST_NAMES = 4


def with_overruled(
    decisions: Sequence[Decision], prompts: Sequence[PromptRecord]
) -> tuple[Decision, ...]:
    """Return decisions, oldest first, those marked that a prompt overruled, with its words."""
    made = list(decisions)
    first = min((one.offset for one in made), default=0)
    for prompt in prompts[-_NEWEST:] if made else ():
        answers = any(one.uuid == prompt.uuid and one.question for one in made)
        if prompt.offset <= first or answers:  # of another question
            continue
        parts = [*_turning_parts(prompt.text)]
        folded, by_label = prompt.text.casefold(), any(_LABEL.match(part) for _, part in parts)
        standing = [
            one
            for one in made
            if not one.superseded
            and one.offset < prompt.offset
            and (by_label or any(word in folded for word in _first_words(_ways_of(one))))
        ]
        for one in standing if parts else ():
            if said := next((whole for whole, part in parts if _overrules(part, one)), ""):
                place = field_values(as_item(prompt)) | {"text": said}
                anew = Decision(question=one.question, options=one.options, **place)
                made = [
                    replace(each, superseded=True) if each is one else each
                    for each in made
                    if not (
                        each.uuid == prompt.uuid and normal_form(each.text) in normal_form(said)
                    )
                ]
                made.append(anew)
                break
    return tuple(sorted(made, key=lambda one: (one.offset, one.position)))


def _turning_parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield what of a prompt is to be quoted, and the sentence in it that may turn to a choice."""
    parts = sentences(text)
    for number, part in enumerate(parts):
        is_told = len(part) > _LONGEST_CHARS or asks(part) or opens_question(part)
        if is_told or _ADDS.search(part) or not _MAY_TURN.search(part):
            continue
        rest = parts[number + 1 : number + 2]
        whole = with_following(part, rest[0]) if rest else part
        yield (whole if len(whole) <= _QUOTED_CHARS else part), part


def _overrules(sentence: str, decision: Decision) -> bool:
    chosen, *others = _ways_of(decision)
    turns = _CHANGES.search(sentence) is not None
    if _has_name(sentence, chosen):
        name = _name_pattern(chosen)
        dropped = rf"(?:{_DROPS}){_ARTICLE}{name}{_ENDS}|{name}(?:{_IS_DROPPED})"
        if re.search(dropped, sentence, re.IGNORECASE):
            return True
        weakly = re.search(rf"(?:{_WEAKLY_DROPS}){_ARTICLE}{name}{_ENDS}", sentence, re.IGNORECASE)
        if weakly and (turns or _TAKES.search(sentence)):
            return True
    if any(_takes(sentence, other, turns=turns) for other in others):
        return True
    label = _LABEL.match(sentence) if turns else None
    return label is not None and _option_at(label["label"], decision.options) in others


def _has_name(sentence: str, option: str) -> bool:
    """Return whether a sentence has what an option is called, if that has a name of its own."""
    name = _name_pattern(option)
    return bool(name) and re.search(name, sentence, re.IGNORECASE) is not None


def _ways_of(decision: Decision) -> tuple[str, ...]:
    """Return what was chosen, and what could have been; of a yes or no what was asked for."""
    return _ways(decision.text.partition(SAID_WITH)[0], decision.question, decision.options)


@lru_cache(maxsize=512)
def _ways(chosen: str, question: str, given: tuple[str, ...]) -> tuple[str, ...]:
    options = given or _asked_for(question)
    if BEGINS_WITH_NO.match(f"{chosen} "):
        return ("", *options[:1])
    if len(options) == 1 and all(word in GO_ON_WORDS for word in words_of(chosen)):
        return options
    return (chosen, *(one for one in options if normal_form(one) not in normal_form(chosen)))


@lru_cache(maxsize=512)
def _first_words(ways: tuple[str, ...]) -> tuple[str, ...]:
    """Return a word of each way, of which its name has all: what has none of them names none."""
    named = (words_of(way) for way in ways)
    return tuple(
        next((w for w in words if len(w) > 1 and w not in STOPWORDS and w not in _LIGHT), "\0")
        for words in named
    )


def _asked_for(question: str) -> tuple[str, ...]:
    """Return what a question asks for, by its last word: "Redis", "Memcached"."""
    named = (list(_names(_HEAD_ENDS.split(part.strip())[0])) for part in _OR.split(question))
    return tuple(names[-1] for names in named if names)


def _takes(sentence: str, option: str, *, turns: bool) -> bool:
    """Return whether a sentence takes an option, or names it where it turns from another."""
    name = _name_pattern(option)
    barred = rf"(?:{_DROPS}|{_WEAKLY_DROPS}){_ARTICLE}{name}"
    if not _has_name(sentence, option) or re.search(barred, sentence, re.IGNORECASE):
        return False
    led = "" if turns else rf"(?:{_TAKEN}){_ARTICLE}"
    found = re.search(rf"{led}(?P<name>{name}){_ENDS}", sentence, re.IGNORECASE)
    return found is not None and not _BARRED.search(sentence[: found.start("name")])


def _option_at(label: str, options: Sequence[str]) -> str:
    place = int(label) - 1 if label.isdigit() else ord(label.casefold()) - ord("a")
    return options[place] if place < len(options) else ""


@lru_cache(maxsize=512)
def _name_pattern(option: str) -> str:
    """Return the pattern of what an option is called; empty where it has no name of its own."""
    names = list(_names(_HEAD_ENDS.split(option.strip())[0]))
    if not names or len(names) > _MOST_NAMES:
        return ""
    joined = r"(?:\W{1,3}\w{1,12}){0,2}\W{1,3}".join(names)
    return rf"(?<!\w){joined}\w{{0,2}}"


def _names(head: str) -> Iterator[str]:
    """Yield the patterns of the words that name something; of "fly.io" many say the first part."""
    for part in head.split():
        first, *rest = words_of(part) or ("",)
        if len(first) > 1 and first not in STOPWORDS and first not in _LIGHT:
            yield re.escape(first) + "".join(rf"(?:\W{re.escape(word)})?" for word in rest)

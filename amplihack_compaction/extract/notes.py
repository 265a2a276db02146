"""Collect what was learned and what was finished, newest first to stay."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from itertools import islice
from math import log1p
from typing import TypeVar

from amplihack_compaction.extract.replies import chosen_of, is_option
from amplihack_compaction.extract.statements import Item, Learning
from amplihack_compaction.extract.window_content import WindowContent, has_fewer, typed_or_said
from amplihack_compaction.text.classifier import logistic
from amplihack_compaction.text.commands import URL, fails_as_a_whole, finished_actions
from amplihack_compaction.text.sentences import is_list_item, sentences
from amplihack_compaction.text.words import (
    anchors_of,
    distinct_words,
    end_of_question,
    normal_form,
    one_line,
    words_of,
)
from amplihack_compaction.transcript.session import (
    ToolUse,
    TranscriptStep,
    bash_command,
    prose_lines,
    text_in,
)

_I = TypeVar("_I", bound=Item)

_LIMIT = 20
_TEXT_CHARS = 200

_REMOTE_TOOL = re.compile(
    r"mcp__.*(?:create|merge|close|send|post|publish|delete|deploy|push|submit|add_comment)"
)
_REMOTE_KEYS = ("title", "name", "subject", "body", "message", "text", "path")

# How much a sentence of the model's is needed after a compaction: weights of a logistic sum, learnt
# from 100 real compactions (`python -m tests.bench.natural.learn`). What is told among many uses of
# tools is passed by the work that follows, but for what the model comes back to.
_WEIGHTS = {
    "always": -1.12,
    "texts since": -0.38,
    "uses of tools behind it": -0.33,
    "sentences of its text": -0.35,
    "words": 0.24,
    "named in later texts": 0.93,
    "has a number": 0.38,
    "has code": 0.69,
    "names code": 0.35,
    "tells of trouble": 0.45,
    "praises": -0.72,
}
PROMPTS_SINCE = -0.64
"""What the logarithm of the number of prompts since weighs."""
_CHOICE = re.compile(
    r"\b(?:which|prefer\w*|options?|or (?:should|would|do|just|keep|leave))\b[^?]*\?[\s*_`]*$",
    re.IGNORECASE,
)
_FEWEST_WORDS = 5
_FEWEST_CJK = 8
_NAME_CHARS = 4
_OFTEN = 3
# Of so many the one is taken next that says most beside those taken.
_LIKELIEST = 120
_TROUBLE = re.compile(
    r"\b(?:not|no|never|without|missing|fail\w*|error|broken|wrong|issue|problem|bug)\b|n't",
    re.IGNORECASE,
)
_PRAISES = re.compile(
    r"\W*(?:perfect|great|good|excellent|done|you're right|all tests)", re.IGNORECASE
)
# Says what comes next or goes on, or offers it: that is asked for, or done, by the next prompt.
_ANNOUNCES = re.compile(
    r"\W*(?:(?:now|next|first|then|so|ok(?:ay)?|good|great|right|perfect|excellent)\W{1,3}){0,2}"
    r"(?:let me|let's|(?:i'll|i will|i'm going to)(?! (?:go|stick) with\b)|i need to|now i"
    r"|continuing|executing|still \w+ing"
    r"|wenn du (?:willst|möchtest),? \w+ ich|si tu veux,? je|si quieres,? (?:l[oa]s?|puedo)"
    r"|se quiser,? (?:eu|posso)|если хоч(?:ешь|ите),? \w+[юу]"
    r"|(?:now|next|then) (?:add|updat|creat|fix|writ|run|check|test|implement|verif|build)\w*)\b"
    r"|.*(?:\b(?:want me to|would you like|shall i|should i|let me know|do you want)\b"
    r"|ましょうか|할까요)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"#|\*\*[^*]+\*\*:?$")
_CODE_NAME = re.compile(r"[a-z][A-Z]|_\w")
_HAS_CODE = re.compile(rf"`|{_CODE_NAME.pattern}")


def extract_learnings(content: WindowContent) -> tuple[Learning, ...]:
    """Return what the model found out and did, in its own words, oldest first.

    Of the sentences of its texts, and the rows of its tables, the 20 that together will most likely
    be needed, each cut to 200 characters. Questions, offers and announcements are none.
    """
    prompts = [said.entry.offset for said in content.prompts]
    likeliest = sorted(distinct(_learnings(content)), key=lambda one: one.weight)[-_LIKELIEST:]
    odds = [
        (one, one.weight + PROMPTS_SINCE * log1p(sum(map(one.offset.__lt__, prompts))))
        for one in likeliest
    ]
    kept = (one for _, one in islice(likeliest_first(odds), _LIMIT))
    return tuple(sorted(kept, key=lambda one: (one.offset, one.position)))


def likeliest_first(
    odds: Iterable[tuple[Learning, float]], told: Set[str] = frozenset()
) -> Iterator[tuple[float, Learning]]:
    """Yield what was said with how likely it is needed beside what is told and yielded before.

    The more of its words are among these, the less. The odds are logarithms, of each by itself.
    """
    left = [(one, distinct_words(one.text), logistic(odd)) for one, odd in odds]
    told = set(told)
    while left:
        chances = [alone * len(words - told) / (len(words) or 1) for _, words, alone in left]
        chance = max(chances)
        one, words, _ = left.pop(chances.index(chance))
        told |= words
        yield chance, one


def _learnings(content: WindowContent) -> Iterator[Learning]:
    for step, number, sentence, marks in marked_sentences(content):
        weight = sum(_WEIGHTS[name] * value for name, value in marks.items())
        place = step.place | {"position": number}
        yield Learning(text=one_line(sentence, _TEXT_CHARS), **place, weight=weight)


def marked_sentences(
    content: WindowContent,
) -> Iterator[tuple[TranscriptStep, int, str, dict[str, float]]]:
    """Yield the model's sentences, the last text first, each with what tells how needed it is.

    What it said between uses of tools is past in a turn that it ended with a text.
    """
    named: Counter[str] = Counter()
    texts_since = uses_behind = 0
    is_over = before_prompt = False
    answer = ""
    for step in reversed(content.steps):
        if step.by_user:
            before_prompt, uses_behind, answer = True, 0, step.text
            continue
        if before_prompt:
            before_prompt, is_over = False, step.tool is None
        if step.tool is not None:
            uses_behind += 1
            continue
        said = [] if is_over and uses_behind else list(_led_on(_told_by(step.text, answer)))
        around = {
            "always": 1,
            "texts since": log1p(texts_since),
            "uses of tools behind it": log1p(uses_behind),
            "sentences of its text": log1p(len(said)),
        }
        for number, sentence in enumerate(said):
            if _tells(sentence):
                yield step, number, sentence, around | _marks_of(sentence, named)
        named.update(anchors_of(step.text))
        texts_since, answer = texts_since + 1, ""


def _marks_of(sentence: str, named: Counter[str]) -> dict[str, float]:
    names = (name for name in anchors_of(sentence) if len(name) >= _NAME_CHARS)
    often = max((named[name] for name in names), default=0)
    return {
        "words": log1p(len(words_of(sentence))),
        "has a number": any(map(str.isdigit, sentence)),
        "named in later texts": min(often, _OFTEN) / _OFTEN,
        "tells of trouble": _TROUBLE.search(sentence) is not None,
        "praises": _PRAISES.match(sentence) is not None,
        "has code": "`" in sentence,
        "names code": _CODE_NAME.search(sentence) is not None,
    }


def _told_by(text: str, answer: str) -> Iterator[str]:
    """Yield a text's sentences and the rows of its tables.

    Of one that ends with a choice, or of which the prompt behind it chose, the list has what is
    offered, which is neither found nor done.
    """
    lines = list(prose_lines(text))
    last = next((line for line in reversed(lines) if line.strip()), "")
    offers = _CHOICE.search(last) is not None or _is_chosen_of(text, answer)
    for line in lines:
        plain = line.strip()
        if offers and (is_list_item(plain) or is_option(plain) or _leads_on(plain)):
            continue
        if plain.startswith("|"):
            cells = " · ".join(filter(None, map(str.strip, plain.split("|"))))
            if cells.strip("-:· "):
                yield cells
        elif plain and plain[0] != ">" and not _HEADING.match(plain):
            yield from sentences(plain)


def _is_chosen_of(text: str, answer: str) -> bool:
    """Return whether a prompt begins by choosing among the options of a text."""
    return any(any(chosen_of(first, text)) for first in sentences(answer)[:1])


def _led_on(said: Iterable[str]) -> Iterator[str]:
    """Yield sentences, each with the one on code that leads to it: "`sum` is wrong twice:"."""
    lead = ""
    for sentence in said:
        if _leads_on(sentence) and _HAS_CODE.search(sentence) and not announces(sentence):
            lead = sentence
        elif words_of(sentence):
            yield f"{lead} {sentence}" if lead else sentence
            lead = ""


def _tells(sentence: str) -> bool:
    """Return whether a sentence says enough, asks nothing and announces nothing."""
    is_short = has_fewer(sentence, _FEWEST_WORDS, _FEWEST_CJK)
    return not (is_short or _leads_on(sentence) or is_for_now(sentence))


def is_for_now(sentence: str) -> bool:
    """Return whether a sentence of the model's asks or announces: the next prompt settles it."""
    asks = end_of_question(sentence) != "" and not sentence.rstrip().endswith("`")
    return asks or announces(sentence)


def _leads_on(sentence: str) -> bool:
    return sentence.rstrip(" *_`").endswith((":", "："))


def announces(sentence: str) -> bool:
    """Return whether a sentence of the model's says what comes next, or offers it."""
    return _ANNOUNCES.match(sentence) is not None


_AMENDS = re.compile(r"\bgit commit\b[^\n;&|]{0,200} --amend\b")
_COMMIT_ID = re.compile(r"commit [0-9a-f]{7,40}\b")
# What git says of it in any language: `Successfully rebased and updated refs/heads/main.`
_REBASED = re.compile(r"\brebase\w{0,6}\b.{0,80}\brefs/heads/", re.IGNORECASE)


def extract_progress(content: WindowContent) -> tuple[Item, ...]:
    """Return what was done outside the working tree, oldest first, the newest 20.

    Commits, pushes, pull requests, releases, deploys: they must not be done again. What the model
    only calls done is told by its files, todos and commits. What was amended is another commit, and
    what was rebased has other ids.
    """
    acted: list[Item] = []
    for step, tool in content.uses:
        if tool.result is None:
            continue
        line = bash_command(tool)
        if tool.succeeded and _AMENDS.search(line):
            last = next((one for one in reversed(acted) if _COMMIT_ID.match(one.text)), None)
            acted = [one for one in acted if one is not last]
        if line and _REBASED.search(tool.result.text):
            acted = [replace(one, text=_COMMIT_ID.sub("commit", one.text)) for one in acted]
        acted += [make_item(step, text) for text in finished_by(tool)]
    return tuple(distinct(acted)[-_LIMIT:])


def make_item(step: TranscriptStep, text: str) -> Item:
    """Return a statement that was made in this step, cut to 200 characters."""
    return Item(text=one_line(text, _TEXT_CHARS), **step.place)


def finished_by(tool: ToolUse) -> list[str]:
    """Return what one tool use finished outside the working tree, in words."""
    result = tool.result
    if result is None:
        return []
    if tool.succeeded and _REMOTE_TOOL.match(tool.name):
        what = next(filter(None, (text_in(tool.input, key) for key in _REMOTE_KEYS)), "")
        url = URL.search(result.text)
        name = tool.name.removeprefix("mcp__").replace("__", " ")
        made = f"{url.group()}: " if url else ""  # its number must not be cut off
        return [f"{made}{name}: {what}"] if made or what else []
    line = bash_command(tool)
    # In the background the exit code alone tells.
    is_told = not tool.task_id or fails_as_a_whole(line)
    return finished_actions(line, result.text, bool(tool.succeeded) and is_told) if line else []


def spoken_sentences(step: TranscriptStep) -> list[str]:
    """Return a text's sentences, none of code, tables, quotations and pasted parts."""
    lines = prose_lines(typed_or_said(step))
    return sentences("\n".join(line for line in lines if line.lstrip()[:1] not in ("|", ">")))


def distinct(items: Iterable[_I]) -> list[_I]:
    """Return the items, each wording once, at its last place."""
    newest: dict[str, _I] = {}
    for item in items:
        words = normal_form(item.text)
        newest.pop(words, None)
        newest[words] = item
    return list(newest.values())

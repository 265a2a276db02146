"""Keep what the user said that may be a rule or a choice, though its wording does not tell.

Rules and decisions are known by their wording, and people have wordings that nobody thought of.
What is left is weighed by what such sentences and ordinary ones are like (see `chances_of`).
The weightiest are quoted below what was understood.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from amplihack_compaction.extract.model import Decision, Rule
from amplihack_compaction.extract.objective import turns_away
from amplihack_compaction.extract.rule_wording import UNNAMED, kind_of_rule, target_of, withdraws
from amplihack_compaction.extract.rules import each_once
from amplihack_compaction.extract.window_content import UserPrompt, WindowContent
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.phrasings.conversation import (
    GO_ON_WORDS,
    corrects_itself,
    puts_right,
)
from amplihack_compaction.text.phrasings.typos import correct_typos
from amplihack_compaction.text.sentences import sentences, with_following
from amplihack_compaction.text.strings import has_cjk, normal_form
from amplihack_compaction.text.words import words_of

REMARKS_LIMIT = 120
_LONGEST_CHARS = 300
_WHOLE_WORDS = 6
# How many sentences a remark has at most.
_SENTENCES_OF_ONE = 2
_FEWEST_WORDS = 3
_FEWEST_CJK = 5
LIKELY = 0.3
_LEAST_WEIGHT = 0.06
_WORK_ABOVE = 0.5
# From which chances a sentence asks for work and is nothing else, and how little that weighs.
_ONLY_ASKS = 0.7
_NOTHING_ELSE = 0.25
_ASKED_SHARE = 0.3
# From which chance a question asks for what is to be kept: "could each of these get a test?"
_ASKS_FOR_GOOD = 0.7
# From which chance words that take something back also say what holds instead.
_SAYS_WHAT_HOLDS = 0.3
# What the model only took note of: how much it weighs, of how many sentences at most, and from
# which chances it rather sets work that was not begun.
_NOTED_WEIGHT = 0.35
_NOTED_SENTENCES = 3
_SETS_WORK = 0.3
_SURELY_WORK = 0.9
_CACHED_SENTENCES = 2048
_ASKS = re.compile(
    r"\W*(?:what|why|how|where|when|who|which|is|are|does|do (?:we|i|you)|did|can (?:we|i)"
    r"|should)\b"
)
_ASKED = re.compile(r"(?:[?？:：]|吗|呢)\W*$")
# Where a sentence shows that it asks.
_EDGE_CHARS = 40
# "Actually the totals are in column H": what was said before it must not stand alone.
_PUT_RIGHT = 0.4
_QUOTES = re.compile(r"[\"“„«「『][^\"”“»」』]{4,}[\"”“»」』]|(?<!\w)'[^']{8,}'(?!\w)")


def extract_remarks(content: WindowContent, decisions: Iterable[Decision]) -> tuple[Rule, ...]:
    """Return the window's remarks, oldest first; of too many, the newest.

    They are of the rules' form, so that a retraction lifts them as it lifts rules.
    """
    decided = {normal_form(made.text) for made in decisions}
    remarks = (
        remark for said in content.prompts for remark in each_once(_remarks_of(said, decided))
    )
    return tuple(deque(remarks, maxlen=REMARKS_LIMIT))


def _remarks_of(said: UserPrompt, decided: set[str]) -> Iterator[Rule]:
    """Yield a prompt's remarks, one for each sentence; two that say it only together are one."""
    parts = said.sentences
    noted = said.only_noted and len(parts) <= _NOTED_SENTENCES
    number = 0
    while number < len(parts):
        first_number = number
        first, second = parts[number], (*parts, "")[number + 1]
        if _is_known(first, decided) or (_asks(first) and not weight_of(first)):
            number += 1
            continue
        joined = bool(second) and _belong_together(first, second, decided)
        holds = noted and _may_hold(first)
        if joined or holds or weight_of(first) >= _LEAST_WEIGHT:
            quoted = said.quoted(number)
            text = with_following(quoted, second) if joined else quoted
            number += joined
            tail = (*parts, "")[number + 1]
            if _says_the_rest(text, tail, decided):
                text = with_following(text, tail)
                number += 1
            place, after = said.place(first_number), said.after(first_number)
            yield Rule(text=text, **place, after=after, noted=holds)
        number += 1


def _may_hold(sentence: str) -> bool:
    """Return whether a sentence that was only taken note of may hold from then on."""
    if not _may_be_weighed(sentence) or _asks(sentence) or turns_away(sentence):
        return False
    chances = user_chances(sentence)
    if chances.objective >= _SETS_WORK or chances.work >= _SURELY_WORK:
        return False
    named = [word for word in words_of(sentence) if word not in GO_ON_WORDS]
    return len(named) >= (1 if has_cjk(sentence) else _FEWEST_WORDS)


def _says_the_rest(text: str, tail: str, decided: set[str]) -> bool:
    """Say whether a sentence too short to weigh ends what was said: "Kafka is out. SQS then."."""
    if not tail or not _is_short(tail) or _is_known(tail, decided) or _asks(tail):
        return False
    words = {word for word in words_of(tail) if word not in GO_ON_WORDS}
    weighs = weight_of(with_following(text, tail)) >= LIKELY
    return bool(words) and weighs and not _rather_asks_for_work(tail)


def _belong_together(first: str, second: str, decided: set[str]) -> bool:
    """Return whether two sentences, of which one is short, say only together what must be kept.

    The second may be known for a rule: "Take the queue. I don't like cron."
    """
    if _asks(second) or (_is_known(second, decided) and not kind_of_rule(second)[0]):
        return False
    short = min(len(first.split()), len(second.split())) < _WHOLE_WORDS
    weighs = weight_of(f"{first} {second}") >= LIKELY
    return short and weighs and not _rather_asks_for_work(first)


def _rather_asks_for_work(text: str) -> bool:
    """Return whether a text asks for work, and more likely than it says what must be kept."""
    chances = user_chances(text)
    return chances.work > max(_WORK_ABOVE, chances.kept)


def in_one_breath(remarks: Sequence[Rule]) -> list[Rule]:
    """Return remarks as they are quoted: likely ones in a row are one, for the second says why.

    They are kept one by one, so that what lifts one leaves the others.
    """
    joined: list[Rule] = []
    for remark in remarks:
        last = joined[-1] if joined else remark
        text = with_following(last.text, remark.text)
        in_a_row = joined and last.uuid == remark.uuid and last.questioned_by == ""
        near = remark.position - last.position <= _SENTENCES_OF_ONE
        if in_a_row and near and min(map(weight_of, (last.text, remark.text, text))) >= LIKELY:
            joined[-1] = replace(remark, text=text)
        else:
            joined.append(remark)
    return joined


def _is_known(sentence: str, decided: set[str]) -> bool:
    """Return whether a sentence was understood as something else."""
    return (
        not sentence
        or bool(kind_of_rule(sentence)[0])
        or _only_takes_back(sentence)
        or normal_form(sentence) in decided
    )


def _only_takes_back(sentence: str) -> bool:
    """Return whether a sentence takes something back and says nothing else that is to be kept.

    A leave says what may be done from now on, also where it meets no rule that was known for one;
    so does "you need not run all tests each time, only those of the package".
    """
    target = target_of(sentence)
    if target is None or target in UNNAMED:
        return target is not None
    return withdraws(correct_typos(sentence)) and user_chances(sentence).rule < _SAYS_WHAT_HOLDS


def _asks(sentence: str) -> bool:
    begin, end = sentence[:_EDGE_CHARS].replace("’", "'").casefold(), sentence[-_EDGE_CHARS:]
    return _ASKS.match(begin) is not None or _ASKED.search(end) is not None


def weight_of_remark(remark: Rule) -> float:
    """Return how likely it is that a remark must not be lost, from 0 to 1."""
    return max(weight_of(remark.text), _NOTED_WEIGHT if remark.noted else 0)


@lru_cache(maxsize=_CACHED_SENTENCES)
def weight_of(text: str) -> float:
    """Return how likely it is that a text must not be lost, by its words.

    Of several sentences each may be why, or only all together.
    """
    return max(map(_weight_of, (text, *sentences(text))))


def may_be_rule(text: str, least: float) -> bool:
    """Return whether a remark, or a sentence of it, is a rule with at least this chance."""
    return any(user_chances(part).rule >= least for part in (text, *sentences(text)))


def _weight_of(sentence: str) -> float:
    if not _may_be_weighed(sentence):
        return 0
    chances = user_chances(sentence)
    if _asks(sentence):
        return chances.kept if chances.kept >= _ASKS_FOR_GOOD else 0
    if corrects_itself(sentence):
        return LIKELY
    only_asks = (
        chances.work > _ONLY_ASKS
        and max(chances.rule, chances.decision, chances.lift) < _NOTHING_ELSE
    )
    weight = chances.kept * (_ASKED_SHARE if only_asks else 1)
    return max(weight, _PUT_RIGHT) if puts_right(sentence) else weight


def _may_be_weighed(sentence: str) -> bool:
    """Return whether a sentence is neither too long nor too short, and quotes nobody."""
    fits = len(sentence) <= _LONGEST_CHARS and not _is_short(sentence)
    return fits and _QUOTES.search(sentence) is None


def _is_short(sentence: str) -> bool:
    if has_cjk(sentence):
        return len(sentence) < _FEWEST_CJK
    return len(sentence.split()) < _FEWEST_WORDS

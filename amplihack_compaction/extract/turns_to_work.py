"""Whether what a user types turns from what he asked before to something else."""

import re
from collections.abc import Iterable
from functools import lru_cache

from amplihack_compaction.extract.norms import kind_of_rule
from amplihack_compaction.extract.statements import Said
from amplihack_compaction.text.classifier import chances_of
from amplihack_compaction.text.phrasings.conversation import corrects_itself
from amplihack_compaction.text.phrasings.lifting import RELEASES
from amplihack_compaction.text.phrasings.slips import put_right
from amplihack_compaction.text.phrasings.turning import RULE_TALK, SWITCHES
from amplihack_compaction.text.strings import compile_all

# Chances from which a sentence may turn to other work, and lifts a rule instead.
_TURNS_AT_LEAST = 0.03
LIFTS_ABOVE = 0.5
_CLAUSES = re.compile(r"[,;，；]\s*|\s[-–—]\s")
_SWITCHES = compile_all(SWITCHES, re.IGNORECASE | re.MULTILINE)
_CLAUSE_CHARS = 200
# A prompt as a whole, and its sentences up to three times.
_CACHED_TEXTS = 1024
_END = re.compile(r"[.!?;。！？；](?:\s|$)")
# Worded like "don't", and meant as "leave it, and do the other thing".
_LEAVE_IT = re.compile(r"\W*(?:别管|先?不做|先别做).{1,20}[,，]")
_HEAD = re.compile(r"[^:：]{3,40}[:：]")
# "I'd rather have you build the importer" is a preference in its form, and a task.
_KINDS_OF_WISHES = ("", "preference")


def chance_of_work(texts: Iterable[str]) -> float:
    """Return how likely one of the texts sets new work; of a prompt, see `told_in`."""
    return max(chances_of(text).objective for text in texts)


def told_in(said: Said) -> tuple[str, ...]:
    """Return a prompt's sentences, and all that was typed: some say it only together."""
    return (*said.sentences, said.typed.typed)


def turns(said: Said) -> bool:
    """Return whether a sentence that is no rule of its own turns away from what was asked."""
    return chance_of_work(told_in(said)) >= _TURNS_AT_LEAST and any(
        turns_away(sentence)
        and (
            kind_of_rule(sentence)[0] in _KINDS_OF_WISHES
            or _LEAVE_IT.match(sentence)
            or _announces(sentence)
        )
        for sentence in said.sentences
    )


def _announces(sentence: str) -> bool:
    """Return whether a sentence is headed as something else: "New plan: the page must load"."""
    head = _HEAD.match(sentence)
    return head is not None and turns_away(head.group())


@lru_cache(maxsize=_CACHED_TEXTS)
def turns_away(text: str) -> bool:
    """Return whether a text turns from what was asked to something else."""
    chances = chances_of(text)
    if chances.lift > max(LIFTS_ABOVE, chances.objective) or corrects_itself(text):
        return False
    words = put_right(text)
    if any(RELEASES.match(clause) for clause in _CLAUSES.split(words)):
        return False
    for pattern in _SWITCHES:
        for found in pattern.finditer(words):
            clause = _END.split(words[found.start() : found.end() + _CLAUSE_CHARS], maxsplit=1)[0]
            if not RULE_TALK.search(clause):
                return True
    return False

"""Tell of what a sentence speaks that names nothing, such as "I have not found out why"."""

import re
from collections.abc import Sequence

from amplihack_compaction.extract.failures.abroad import names_nothing
from amplihack_compaction.text.sentences import with_following
from amplihack_compaction.text.strings import one_line
from amplihack_compaction.text.telling_words import distinct_words

_CLAUSES = re.compile(r"[,;]\s")
# A sentence of more words than this in its first clause says more than that something failed.
_BARE_WORDS = 12
# As much as is kept of a statement; less than the least of what stood before tells nothing.
_TEXT_CHARS = 200
_LEAST_CHARS = 40
# "They come from the source, I don't know why." "It is unclear why" speaks of nothing before it.
_OF_ANOTHER = re.compile(
    r"\W*(?:(?:but|and|so|though|however)\W+)?(?:they|he|she"
    r"|it(?!(?:'s| is| was)(?: still| also| not| yet)* (?:un)?(?:clear|known|possible|likely)\b)"
    r"|(?:this|that|these|those)(?= (?:is|are|was|were|does|do|did|has|have|can|could|comes?"
    r"|happens?)\b))\b",
    re.IGNORECASE,
)
# An answer of so few words tells nothing without its question.
_ANSWERS = re.compile(
    r"\W*(?:not (?:yet|really|sure|that I know)|none|nothing|no|nope|maybe|perhaps|partly"
    r"|I (?:don't|do not) know(?: yet)?|no idea)\W*$",
    re.IGNORECASE,
)
# Words that say that something is open or was given up, and not what.
NAMELESS = distinct_words(
    "i i'm i've we we've you it's that's there there's here they them those these so but and no not"
    " yet still now again already either though however unfortunately sorry hmm why what how where"
    " which have has had haven't hasn't was were been am are isn't wasn't don't didn't doesn't can"
    " can't cannot could couldn't will won't would able unable get got find found figure figured"
    " out know knew idea clue reason reasons cause causes explain understand understood see saw"
    " confirm confirmed verify verified reproduce reproduced solve solved solution fix fixes fixed"
    " resolve resolved unsolved unresolved unfixed problem problems issue issues bug bugs error"
    " errors open clear unclear sure"
    " manage managed rid help helped work works worked change changes changed revert reverted"
    " reverting undo undid undone back backed roll rolled took take taken put left leave drop"
    " dropped removed gave give up try tried trying just only at moment more further far from"
    " fail fails failed failing myself tell say really actually right"
    " other another anything something nothing"
)
"""The words of a sentence on trouble that do not say with what."""


def with_referent(said: Sequence[str], number: int, language: str) -> str:
    """Return a sentence; of what it speaks before it, where it names nothing itself.

    Of what it speaks is cut, the sentence never is.
    """
    sentence = said[number]
    beside = told_beside(said, number)
    leans = number > 0 and _OF_ANOTHER.match(sentence) is not None
    bare = leans or _names_nothing(sentence) or names_nothing(sentence, language)
    if not beside or not bare:
        return sentence
    room = _TEXT_CHARS - len(sentence) - len(". ")
    if room < _LEAST_CHARS:
        return sentence
    beside = one_line(beside, room)
    first, second = (beside, sentence) if number else (sentence, beside)
    return with_following(first, second)


def only_answers(text: str) -> bool:
    """Return whether a text is an answer that tells nothing without its question: "Not yet."."""
    return _ANSWERS.match(text) is not None


def told_beside(said: Sequence[str], number: int) -> str:
    """Return the sentence before one of a text's; of its first, the one behind it."""
    return said[number - 1] if number else " ".join(said[1:2])


def _names_nothing(sentence: str) -> bool:
    """Return whether an English sentence says that something is open or given up, but not what."""
    clause = _CLAUSES.split(sentence, maxsplit=1)[0]
    words = distinct_words(clause)
    return len(clause.split()) <= _BARE_WORDS and bool(words) and words <= NAMELESS

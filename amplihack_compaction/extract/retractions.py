"""Find the words by which a user lifts a rule, and what they speak of."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache

from amplihack_compaction.extract.model import Retraction
from amplihack_compaction.extract.norms import fold, is_question, kind_of_rule
from amplihack_compaction.extract.replies.undoing import undone_in
from amplihack_compaction.extract.statements import Said, prompts_said
from amplihack_compaction.text.classifier import chances_of
from amplihack_compaction.text.phrasings.conversation import corrects_itself
from amplihack_compaction.text.phrasings.lifting import (
    EVERYTHING,
    LIMITED,
    NEWS,
    PERMISSIONS,
    POINTING_BACK,
    TARGET_HEAD,
    TARGET_TAIL,
    WITHDRAWALS,
)
from amplihack_compaction.text.phrasings.markers import language_of, markers_for
from amplihack_compaction.text.phrasings.slips import put_right
from amplihack_compaction.text.rule_subjects import subject_of
from amplihack_compaction.text.sentences import with_following
from amplihack_compaction.text.strings import asks, compile_all, has_cjk, search_any, words_of
from amplihack_compaction.transcript.windows import Window

_SENTENCE_CHARS = 400
# The patterns' time grows with the square of a sentence; nobody takes a rule back at such length.
_LONGEST_CHARS = 600
# As many as the ledger keeps rules; every one is compared with all rules before it.
RETRACTIONS_LIMIT = 400
# Words after which the model did away with something say why, and can be quoted whole.
_TELLS_WORDS = 3
_TOLD_WORDS = 40
_CACHED_SENTENCES = 2048
_TARGET_CHARS = 160
# "Just this once, please." says nothing else; a longer sentence does.
_BOUND_CHARS = 40
# The chance from which a sentence that speaks of a rule's subject puts the rule in question.
_MAY_LIFT = 0.035
_AFTER_ALL = re.compile(r"\bafter all\b", re.IGNORECASE)
_SAYS_AGAIN = re.compile(
    r"\b(?:like|as) (?:i(?:'ve)? (?:said|told|wrote|asked)|before|always|agreed)\b|\b(?:as|same)"
    r" (?:with|as|for) the\b",
    re.IGNORECASE,
)
_PERMISSIONS = compile_all(PERMISSIONS, re.IGNORECASE)
_WITHDRAWALS = compile_all(WITHDRAWALS, re.IGNORECASE)
_NEWS = re.compile(NEWS, re.IGNORECASE)
BACK = "that"
"""The target of a retraction that points back at the rule stated last."""
GO = "go"
"""The target of words that only say to begin: what waited for the user's word has it."""
UNNAMED = ("", BACK, GO)
"""The targets of retractions that name no rule: of all, of the one stated last, of what waits."""
_GO = re.compile(
    r"\W*(?:(?:ok|okay|yes|yep|alright|all right|great|good|perfect|nice|fine|lgtm|now)[\s,.!]+)"
    r"{0,2}(?:go(?: ahead| for it)?|(?:you (?:can|may) |let'?s )?(?:start|begin|go)(?: now| coding"
    r"| implementing| with it)?|green light)\W*$",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[;,，；、:：](?:\s|(?<=[，；、：]))|\s[-–—]\s|[.!?。！？](?:\s|$)|\s(?:but|because|since"
    r"|so)\s"
)
_CJK_LEAVE = re.compile(r"现在|已经|可以|允许|能够|再|不用|不需要|不必|无需")
# "You may not ... from now on" permits nothing.
_DENYING = r"^\W*(?:\w+\W+){0,2}(?:not|never|nicht|kein\w*|nie|pas|nunca|não|не|only|nur|nothing"
_DENIES = re.compile(rf"{_DENYING}|no)\b", re.IGNORECASE)
# In Portuguese "no" is "in the".
_DENIES_PORTUGUESE = re.compile(rf"{_DENYING})\b", re.IGNORECASE)


def extract_retractions(window: Window) -> tuple[Retraction, ...]:
    """Return what the window's prompts take back, oldest first; of too many, the newest.

    `target` is what a retraction speaks of: empty for all rules, `that` for the one stated last.
    """
    answers = {
        turn.prompt.uuid: [text.text for text in turn.texts]
        for turn in window.turns
        if turn.prompt is not None
    }
    lifting = (
        found
        for said in prompts_said(window)
        for found in (*_retractions_of(said), *_done_after(said, answers.get(said.uuid, [])))
    )
    return tuple(deque(lifting, maxlen=RETRACTIONS_LIMIT))


def _retractions_of(said: Said) -> Iterator[Retraction]:
    if said.sentences and _GO.match(said.sentences[0]):
        yield Retraction(text=said.sentences[0], **said.place(), target=GO, guess=True)
    for number, sentence in enumerate(said.sentences):
        if len(sentence) > _SENTENCE_CHARS:
            continue
        target = target_of(sentence)
        offered = "" if target is not None else offered_by(sentence)
        guessed = target is None and _may_lift(sentence)
        if target is not None or offered or guessed:
            text, bound = said.quoted(number), _bound_of(said.sentences[number + 1 : number + 2])
            yield Retraction(
                text=with_following(text, bound) if bound else text,
                **said.place(number),
                target=offered or sentence if target is None else target,
                offer=bool(offered),
                guess=guessed,
                limited=bool(bound or LIMITED.search(sentence)),
            )


def _done_after(said: Said, answers: Sequence[str]) -> Iterator[Retraction]:
    """Yield what the model did away with after a prompt that does not only agree to it."""
    words = " ".join(said.sentences)
    if not _TELLS_WORDS <= len(words.split()) <= _TOLD_WORDS or asks(words):
        return
    for answer in answers:
        for what in undone_in(answer):
            yield Retraction(text=words, **said.place(), target=what, guess=True, done=True)


def _bound_of(following: Sequence[str]) -> str:
    """Return the sentence behind a leave that only says how far it goes: "Just this once."."""
    bound = "".join(following)
    found = LIMITED.search(bound) if len(bound) <= _BOUND_CHARS else None
    return bound if found and target_of(bound) is None and not offered_by(bound) else ""


def _may_lift(sentence: str) -> bool:
    """Return whether a sentence may take something back, by what such sentences are like.

    A value that is corrected may stand in a rule. What is said again stands.
    """
    if _SAYS_AGAIN.search(sentence.replace("’", "'")):
        return False
    turns = corrects_itself(sentence) or _AFTER_ALL.search(sentence) is not None
    if not turns and chances_of(sentence).lift < _MAY_LIFT:
        return False
    markers = markers_for(language_of(sentence))
    return not is_question(fold(sentence, markers), markers)


@lru_cache(maxsize=_CACHED_SENTENCES)
def target_of(sentence: str) -> str | None:
    """Return what a sentence takes back; None when it takes nothing back."""
    if len(sentence) > _LONGEST_CHARS:
        return None
    markers = markers_for(language_of(sentence))
    if is_question(fold(sentence, markers), markers):
        return None
    text = put_right(sentence.replace("’", "'").strip())
    found = search_any(_WITHDRAWALS, text)
    if found is not None:
        target = _clean(found["t"])
        return None if target == BACK and _goes_on_to_work(text) else target
    if _NEWS.search(text) is None:
        return None
    permitted = _permitted(text, markers.language)
    return _clean(permitted) if permitted else None


def withdraws(text: str) -> bool:
    """Return whether a sentence without slips takes a rule back, rather than permits something."""
    return search_any(_WITHDRAWALS, text) is not None


def offered_by(sentence: str) -> str:
    """Return what a sentence permits without a word of that being new; mostly it only offers."""
    markers = markers_for(language_of(sentence))
    if len(sentence) > _LONGEST_CHARS or is_question(fold(sentence, markers), markers):
        return ""
    permitted = _permitted(put_right(sentence.replace("’", "'").strip()), markers.language)
    return _clean(permitted) if permitted else ""


def _permitted(text: str, language: str) -> str:
    denies = _DENIES_PORTUGUESE if language == "pt" else _DENIES
    for pattern in _PERMISSIONS:
        found = pattern.search(text)
        permitted = next(filter(None, found.groups()), "") if found is not None else ""
        if permitted and not denies.match(permitted):
            return permitted
    return ""


def _goes_on_to_work(text: str) -> bool:
    """Return whether "forget that" is followed by what is to be done instead, and no rule."""
    rest = _CLAUSE_END.split(text, maxsplit=1)[1:]
    return bool(rest) and len(words_of(rest[0])) > 2 and not kind_of_rule(rest[0])[0]


def _clean(target: str) -> str:
    end = _CLAUSE_END.search(target)
    target = (target[: end.start()] if end and end.start() else target)[:_TARGET_CHARS]
    if EVERYTHING.match(target.strip(" .!,")):
        return ""
    target = target.strip(" .,;:!?。！？\"'“”")
    if target.casefold() in POINTING_BACK:
        return BACK
    if has_cjk(target):
        target = _CJK_LEAVE.sub("", target)
    bare = TARGET_TAIL.sub("", TARGET_HEAD.sub("", target)).strip(" .,;:!?。！？\"'“”")
    if bare and bare.casefold() not in POINTING_BACK:
        return bare
    return target if subject_of(target).words else BACK

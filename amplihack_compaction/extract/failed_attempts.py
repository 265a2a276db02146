"""Find what the user says was tried and failed. What the model says of its own is in `notes`."""

import re
from collections.abc import Iterator

from amplihack_compaction.extract.notes import spoken_sentences
from amplihack_compaction.extract.statements import FailedApproach
from amplihack_compaction.extract.trouble_wording import told_beside, with_referent
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.words import has_hint, normal_form, one_line
from amplihack_compaction.transcript.session import TranscriptStep

_FAILED_LIMIT = 12
_TEXT_CHARS = 200
_REASON_CHARS = 160
_NOT_WORK = (
    r"(?:did(?:n't| not)|does(?:n't| not)|won't|will not|is(?:n't| not) going to|never) work"
)
_HINTS = ("work", "tried", "trying", "try", "again", "attempt")
_GIVEN_UP = re.compile(
    rf"^\W{{0,4}}(?:no[,.]? )?(?:that|this|it)(?: still| also)? {_NOT_WORK}\b"
    r"|\b(?:we|I|you)(?:'ve| have)?(?: already)? tried\b[^.?]{3,120}|\balready tried\b"
    r"|\bstop trying\b|\b(?:don't|do not) (?:try|retry|attempt)\b[^.?]{3,80}\bagain\b"
    r"|\bdidn't work (?:last time|before|either)\b",
    re.IGNORECASE,
)
# "The index helps after analyze, I tried" tells of no failure.
_HELPED = re.compile(r"\b(?:helps|helped|works|worked|fixes|fixed|faster|better)\b", re.I)
_DENIED = re.compile(r"\b(?:not|never|no|nor|neither|nothing|none)\b|n't\b", re.I)
_SUPPOSED = re.compile(
    r"\?\s*$|\b(?:if|in case|when|whenever|unless|might|may|could|should|would|whether|e\.g\.)\b"
    r"[^.]{0,60}\b(?:work|fail|fails|supported)\b|^\W{0,6}(?:if|in case|when)\b",
    re.IGNORECASE,
)
# Words that say that something failed, but not what.
_BARE = re.compile(
    r"^\W{0,6}(?:(?:hmm|ok|okay|no|right|so|well|unfortunately|but)\W{1,3}){0,3}"
    rf"(?:that|this|it)(?: still| also)? {_NOT_WORK}(?: either)?\W*$",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"\b(?:because|since|due to|as it|as the)\b[ \t]+([^\n]+)", re.IGNORECASE)


def extract_failed(content: WindowContent) -> tuple[FailedApproach, ...]:
    """Return approaches that failed, as said by the user, the newest 12.

    Words that name nothing ("that didn't work") get the sentence beside them, or are left out.
    """
    found: dict[str, FailedApproach] = {}
    for step in content.steps:
        if step.by_user:
            for approach in _approaches(step):
                found.setdefault(normal_form(approach.text), approach)
    return tuple(found.values())[-_FAILED_LIMIT:]


def _approaches(step: TranscriptStep) -> Iterator[FailedApproach]:
    said = spoken_sentences(step, _HINTS)
    last = -2
    for number, sentence in enumerate(said):
        # After one approach such words mostly speak of the same.
        if number == last + 1 or not has_hint(sentence, _HINTS):
            continue
        if not _GIVEN_UP.search(sentence) or _SUPPOSED.search(sentence):
            continue
        if _helped(" ".join(said[max(0, number - 1) : number + 1])):
            continue
        beside = told_beside(said, number)
        if _BARE.match(sentence):
            text = " ".join((beside, sentence) if number else (sentence, beside)) if beside else ""
        else:
            text = with_referent(said, number)
        if text:
            because = _BECAUSE.search(sentence)
            reason = one_line(because.group(1).strip() if because else "", _REASON_CHARS)
            yield FailedApproach(text=one_line(text, _TEXT_CHARS), **step.place, reason=reason)
            last = number


def _helped(text: str) -> bool:
    """Return whether a user tells that something helped."""
    return _HELPED.search(text) is not None and _DENIED.search(text) is None

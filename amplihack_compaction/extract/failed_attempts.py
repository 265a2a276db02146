"""Find what the user says was tried and failed, and what he refused.

What the model says of its own is in `notes`.
"""

import re
from collections.abc import Iterable, Iterator

from amplihack_compaction.extract.notes import spoken_sentences
from amplihack_compaction.extract.statements import FailedApproach
from amplihack_compaction.extract.trouble_wording import with_referent
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.commands import lasting_actions
from amplihack_compaction.text.sentences import reason_given
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import has_hint, normal_form, one_line
from amplihack_compaction.transcript.session import TranscriptStep, bash_command, was_refused

_PATTERNS = patterns("trouble")

_FAILED_LIMIT = 12
_TEXT_CHARS = 200
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
_SUPPOSED = re.compile(_PATTERNS["supposed"], re.IGNORECASE)


_NOT_SETTLED = re.compile(_PATTERNS["not settled"], re.IGNORECASE)
_FRONT_CHARS = 150
_FIRST_SENTENCE = re.compile(r"(?:\[Image #\d+\]\s*)?[^.!?\n。！？]+[.!?]?")


def says_not_settled(prompt: str) -> bool:
    """Return whether a prompt begins by saying that what was done before it did not help."""
    front = _FIRST_SENTENCE.match(prompt[:_FRONT_CHARS])
    if front is None or "?" in front[0] or "unrelated" in front[0]:
        return False
    return _NOT_SETTLED.search(front[0]) is not None


def extract_failed(content: WindowContent) -> tuple[FailedApproach, ...]:
    """Return approaches that failed, as said by the user, the newest 12.

    Words that name nothing ("that didn't work") get the sentence beside them.
    """
    found: dict[str, FailedApproach] = {}
    for step in content.steps:
        if step.by_user:
            for approach in _approaches(step):
                found.setdefault(normal_form(approach.text), approach)
    return (*found.values(), *_refused(content))[-_FAILED_LIMIT:]


def _refused(content: WindowContent) -> Iterable[FailedApproach]:
    """Return the commands that the user refused, such as a push, and that were not run since."""
    refused: dict[str, FailedApproach] = {}
    for step in content.steps:
        if step.tool is None:
            continue
        for action, words in lasting_actions(bash_command(step.tool)).items():
            if was_refused(step.tool):
                text = one_line(words, _TEXT_CHARS)
                refused[action] = FailedApproach(text=text, **step.place, refused=True)
            elif step.tool.succeeded:
                refused.pop(action, None)
    return refused.values()


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
        text = one_line(with_referent(said, number), _TEXT_CHARS)
        yield FailedApproach(text=text, **step.place, reason=reason_given(sentence))
        last = number


def _helped(text: str) -> bool:
    """Return whether a user tells that something helped."""
    return _HELPED.search(text) is not None and _DENIED.search(text) is None

"""Find the approaches that failed and were given up."""

import re
from collections.abc import Iterator

from amplihack_compaction.extract.notes import spoken_sentences
from amplihack_compaction.extract.recent_context import telling_line, tool_detail
from amplihack_compaction.extract.statements import FailedApproach
from amplihack_compaction.extract.trouble_wording import (
    only_acknowledges,
    told_beside,
    with_referent,
)
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.words import has_hint, normal_form, one_line
from amplihack_compaction.transcript.session import ToolUse, TranscriptStep, was_refused

_FAILED_LIMIT = 12
_TEXT_CHARS = 200
_REASON_CHARS = 160
_COMMAND_CHARS = 80

_NOT_WORK = (
    r"(?:did(?:n't| not)|does(?:n't| not)|won't|will not|is(?:n't| not) going to|never) work"
)
_WAY = r"(?:approach|attempt|method|strategy|idea|workaround|route|technique|direction)"
_OTHER = r"(?:a different|another|an alternative|some other|a new)"
_HINTS = (
    "work", "approach", "attempt", "method", "strategy", "another", "different", "alternative",
    "support", "availab", "possible", "switch", "fall", "revert", "roll", "back", "undo",
    "dead end",
    "abandon", "give up", "gave up", "giving up", "tried", "trying", "again",
)  # fmt: skip
_GIVEN_UP = re.compile(
    rf"\b(?:that|this|it|which|neither|none of (?:these|them|this))(?: still| also| just)?"
    rf" {_NOT_WORK}\b"
    rf"|\b{_WAY}\b[^.]{{0,60}}\b(?:fails?|failed|{_NOT_WORK}|is a dead end|hits?)\b"
    rf"|\b(?:let me|let's|I'll|trying|try|need|take)\b[^.]{{0,30}}\b{_OTHER} (?:{_WAY}|way)\b"
    r"|\w (?:didn't|did not|won't|will not) work\b"
    r"|\b(?:not supported|unsupported|not available|not possible|doesn't support|does not support)"
    r"\b[^.]{0,100}\b(?:switch|instead|fall(?:ing)? back|us(?:e|ing)|so I|so we)"
    r"|\b(?:switch(?:ing|ed)?|fall(?:ing)? back) to\b[^.]{3,100}\b(?:because|since|instead|as)\b"
    r"|\b(?:revert(?:ing|ed)?|rolled back|rolling back|roll back|back(?:ing|ed) out|undoing)"
    r" (?:my|the|that|this|these|those|to the)\b"
    r"|\bdead end\b|\b(?:abandon(?:ed|ing)|g(?:a|i)v(?:e|ing) up on) (?:the|this|that)\b",
    re.IGNORECASE,
)
_USER_GIVEN_UP = re.compile(
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
# Begins an answer that says what was done as asked: nothing had failed, and no reason is told.
_OBEYS = re.compile(
    r"\W{0,4}(?:reverted|rolled back|backed out|undid|switched back|went back|went with|dropped"
    r"|removed|restored)\b(?!.*\b(?:because|since|due to|as (?:it|the|they)|it|which|for)\b)"
    r"[^,;:()–—]{0,80}$",
    re.IGNORECASE,
)
# Words that say that something failed, but not what.
_BARE = re.compile(
    r"^\W{0,6}(?:(?:hmm|ok|okay|no|right|so|well|unfortunately|but)\W{1,3}){0,3}"
    rf"(?:(?:that|this|it)(?: still| also)? {_NOT_WORK}(?: either)?"
    rf"|(?:let me|let's|I'll)[^.]{{0,30}}\b{_OTHER} (?:{_WAY}|way))\W*$",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"\b(?:because|since|due to|as it|as the)\b[ \t]+([^\n]+)", re.IGNORECASE)


def extract_failed(content: WindowContent) -> tuple[FailedApproach, ...]:
    """Return approaches that were given up, as said by the model or the user, the newest 12.

    Words that name nothing ("that didn't work") get the failed command before them, or the
    sentence beside them; with neither they are left out. What only sounds like one is none: on
    real sessions 6 of 113 sentences that weights alone took for one were of use.
    """
    found: dict[str, FailedApproach] = {}
    failed_tool: ToolUse | None = None
    for step in content.steps:
        if step.tool is not None:
            failed = step.tool.succeeded is False and not was_refused(step.tool)
            failed_tool = step.tool if failed else failed_tool
            continue
        failed_tool = None if step.by_user else failed_tool
        for approach in _approaches(step, failed_tool):
            found.setdefault(normal_form(approach.text), approach)
    return tuple(found.values())[-_FAILED_LIMIT:]


def _approaches(step: TranscriptStep, failed_tool: ToolUse | None) -> Iterator[FailedApproach]:
    """Yield what a text gives up."""
    wanted = _USER_GIVEN_UP if step.by_user else _GIVEN_UP
    said = spoken_sentences(step, _HINTS)
    last = -2
    for number, sentence in enumerate(said):
        obeys = number == 0 and failed_tool is None and _OBEYS.match(sentence)
        if not has_hint(sentence, _HINTS) or obeys or only_acknowledges(sentence):
            continue
        # After one approach such words mostly speak of the same: "Let me try another way".
        again = number == last + 1
        if again or not wanted.search(sentence) or _SUPPOSED.search(sentence):
            continue
        if step.by_user and _helped(" ".join(said[max(0, number - 1) : number + 1])):
            continue
        approach = _approach(step, said, number, failed_tool)
        if approach is not None:
            yield approach
            last = number


def _helped(text: str) -> bool:
    """Return whether a user tells that something helped."""
    return _HELPED.search(text) is not None and _DENIED.search(text) is None


def _approach(
    step: TranscriptStep, said: list[str], number: int, failed_tool: ToolUse | None
) -> FailedApproach | None:
    sentence = said[number]
    because = _BECAUSE.search(sentence)
    reason = because.group(1).strip() if because else ""
    if _BARE.match(sentence):
        if failed_tool is not None and tool_detail(failed_tool):
            sentence = f"`{one_line(tool_detail(failed_tool), _COMMAND_CHARS)}`: {sentence}"
            result = failed_tool.result
            reason = reason or telling_line(result.text if result else "")
        else:
            beside = told_beside(said, number)
            if not beside:
                return None
            parts = (beside, sentence) if number else (sentence, beside)
            sentence = " ".join(parts)
    else:
        sentence = with_referent(said, number)
    return FailedApproach(
        text=one_line(sentence, _TEXT_CHARS),
        **step.place,
        reason=one_line(reason, _REASON_CHARS),
    )

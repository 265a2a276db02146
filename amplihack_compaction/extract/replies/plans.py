"""Which steps that the model proposed a sentence of the user's approves.

"yes, but without 4" says nothing of what is to be done without the list that it speaks of.
"""

import re

from amplihack_compaction.extract.replies.choices import first_option_at, options_in
from amplihack_compaction.extract.replies.questions import TEXT_CHARS, question_in
from amplihack_compaction.text.strings import one_line

_PLAN_CHARS = 300
# What is longer has its own words for what is to be done.
_APPROVAL_WORDS = 25
_ASKS_LEAVE = re.compile(
    r"\b(?:shall|should|may|can|ok(?:ay)? if) (?:i|we) (?:start|begin|proceed|go ahead|go on"
    r"|implement|do (?:it|this|that|so)|go with (?:it|this))\b"
    r"|\b(?:sound|look)s? (?:good|ok(?:ay)?|right|reasonable)\b|\bok(?:ay)? (?:with|for) you\b"
    r"|\bwant me to (?:start|begin|proceed|go ahead|implement|do)\b"
    r"|\bdo you (?:agree|approve)\b|\bready to (?:start|proceed)\b",
    re.IGNORECASE,
)
_PROPOSES = re.compile(
    r"\b(?:plan|steps?|approach|proposal|propose|suggest|i['’](?:d|ll)|i (?:would|will)|we could"
    r"|here['’]s how|going to|to do)\b",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    r"\b(?:done|did|took|was|were|so far|summary|finished|completed|implemented|changed|added|fixed"
    r"|found|have been|i['’]ve)\b",
    re.IGNORECASE,
)
_APPROVES = re.compile(
    r"\W*(?:(?:yes|yep|yeah|yup|sure|ok|okay|great|perfect|good|nice|fine|cool|go|start|proceed"
    r"|do (?:it|that|this)|(?:sounds|looks) (?:good|great|right)|lgtm|approved?|agreed"
    r"|please (?:do|start|go)|all (?:of (?:it|them)|but|except))(?!\w)|👍)",
    re.IGNORECASE,
)
_ONLY_NODS = re.compile(r"(?:\W*\b\w+\b){0,3}\W*$")


def approved_steps(sentence: str, text: str) -> str:
    """Return the steps of a text of the model's, in one line, that a sentence approves.

    The text asks for leave to begin, and says before its list that it is to be done.
    """
    if sentence.endswith("?") or len(sentence.split()) > _APPROVAL_WORDS:
        return ""
    if not _APPROVES.match(sentence) or not _ASKS_LEAVE.search(question_in(text)):
        return ""
    text = text[-TEXT_CHARS:]
    steps = options_in(text)
    before = text[: first_option_at(text)].strip().rpartition("\n")[2]
    if len(steps) < 2 or not _PROPOSES.search(before) or _REPORTS.search(before):
        return ""
    plan = "; ".join(f"{number}. {step}" for number, (_, step) in enumerate(steps, 1))
    said = "" if _ONLY_NODS.match(sentence) else f' (said: "{sentence}")'
    return f"{one_line(plan, _PLAN_CHARS - len(said))}{said}"

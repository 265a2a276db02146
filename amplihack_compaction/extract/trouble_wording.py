"""Decide whether a sentence tells of trouble, or of its end, and find what it speaks of.

In English by its wording; in other languages only what such sentences are like tells.
"""

import re
from collections.abc import Sequence

from amplihack_compaction.text.sentences import with_following
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import distinct_words, has_hint, one_line

_PATTERNS = patterns("trouble")

ISSUE_HINTS = (
    "still", "keep", "known", "open", "outstanding", "remain", "unresolved", "blocked", "bug:",
    "fixme", "have not", "haven't", "issue", "blocker", "unfixed", "fixed", "solved", "unblocked",
    "work", "pass", "no longer", "unable", "could not", "couldn't", "can't", "cannot", "no idea",
    "unclear", "know why", "helped", "did it", "did the trick", " gone", "went away",
    "disappeared", "was it", "the cause", "culprit", "the problem", "the bug",
    "s now", "s again", " ran", "succeed", "went through", "terminates",
)  # fmt: skip
_TROUBLES = (
    r"(?:fail(?:s|ing)?|broken|not \w+ing|crash\w*|hang(?:s|ing)?|flaky|error(?:s|ing)?|tim(?:es"
    r"|ing) out"
    r"|leak(?:s|ing)?|drop(?:s|ping)|los(?:es?|ing)|block(?:s|ing|ed)|stuck|red|unstable|incorrect"
    r"|wrong|missing|reject(?:s|ing|ed)|refus(?:es?|ing)|return(?:s|ing) (?:the wrong|an? error"
    r"|null"
    r"|nothing|stale|[45]\d\d)|does(?:n't| not)|do(?:n't| not)|can(?:'t|not)|throw(?:s|ing)?)"
)
_ISSUE = re.compile(
    rf"\b(?:still|keeps?) (?:(?:sometimes|occasionally|often) )?{_TROUBLES}\b"
    r"|^\W{0,6}(?:not|un)[ -]?(?:yet )?(?:fixed|solved|resolved|working)(?: yet)?\W{0,4}"
    r"[:：–-]\s*\S"
    r"|\b(?:could|can)(?: ?not|n't) (?:yet )?(?:get \S+(?: \S+){0,4} to \w+|reproduce|fix"
    r"|figure out"
    r"|find (?:out )?(?:why|the cause|what))\b|\bunable to (?:fix|reproduce|connect|build"
    r"|run)\b"
    r"|\b(?:ha(?:ve|s)(?:n't| not)|not) (?:yet )?(?:found|figured out|solved|managed)\b"
    r"|\bstill (?:one|two|some|an?) [^.]{0,20}\bopen\b"
    r"|\b(?:no idea|(?:don't|do not) know|unclear|not clear)(?: yet)? why\b"
    r"|\b(?:is|are)(?:n't| not) (?:fixed|solved|resolved) yet\b"
    r"|\b(?:known|open|outstanding|remaining|unresolved) (?:issue|bug|problem|limitation|failure)"
    r"s?\b|\bblocked (?:by|on)\b"
    r"|^\W{0,6}(?:BUG|FIXME|ISSUE|KNOWN ISSUE|BLOCKER)\b[^\w:]{0,4}:\s*\S"
    r"|\bremains? (?:unresolved|unfixed|broken)\b|\bunfixed\b",
    re.IGNORECASE,
)
_NO_ISSUE = re.compile(_PATTERNS["no issue"], re.IGNORECASE)
_RUNS = (
    r"(?:starts|runs|loads|builds|compiles|boots|connects|terminates|succeeds|answers|responds"
    r"|syncs|renders|sends|opens|comes up) (?:now|again)"
)
_RESOLVED = re.compile(
    r"\b(?:fixed|resolved|solved|unblocked|works? now|now works?|working now|now passes"
    r"|passes now|no longer (?:fails?|happens?|blocked|broken)|(?:is|are) (?:now )?gone|went away"
    rf"|disappeared|{_RUNS}"
    r"|both (?:[\w-]+ ){0,4}pass(?:es)?)\b"
    r"|(?<!it )(?<!that )(?<!this )\b(?<!\bI )(?:worked|ran(?: through)?|went through|succeeded)"
    r"(?= (?:now|again|fine)\b|\s*(?:$|[.,;!]))",
    re.IGNORECASE,
)
# Says that what was spoken of last is solved, and does not name it.
_NAMES_NOTHING = re.compile(
    r"^\W*(?:(?:yes|yep|ok|okay|great|perfect|nice|cool|thanks|thx|good|and)\W+){0,3}"
    r"(?:(?:that|this|it)(?:'s| is| has been)?(?: (?:now|finally|really|indeed))?"
    r" (?:worked|works|fixed|solved|did it|did the trick|fixes|solves|helped(?=\s*(?:$|[.!])))\b"
    rf"|(?:that|this|it) {_RUNS}\b"
    r"|(?:that|this|it) was (?:it|the (?:cause|culprit|problem|bug))\b"
    r"|(?:fixed|solved|works(?: now)?)(?: (?:now|it))?\s*(?:$|[.,;:!]|and\b|with\b|by\b))",
    re.IGNORECASE,
)
_UNRESOLVED = re.compile(_PATTERNS["unresolved"], re.I)


def tells_of_issue(sentence: str) -> bool:
    """Return whether a sentence surely speaks of something unsolved."""
    hinted = has_hint(sentence, ISSUE_HINTS)
    return hinted and _ISSUE.search(sentence) is not None and not denies_issue(sentence)


def denies_issue(sentence: str) -> bool:
    """Return whether a sentence asks, supposes or denies that there is an issue."""
    return _NO_ISSUE.search(sentence) is not None


def calls_resolved(sentence: str) -> bool:
    """Return whether a sentence calls something solved."""
    hinted = has_hint(sentence, ISSUE_HINTS)
    if not hinted or _UNRESOLVED.search(sentence):
        return False
    return any(pattern.search(sentence) for pattern in (_RESOLVED, _NAMES_NOTHING))


def names_no_issue(sentence: str) -> bool:
    """Return whether a sentence that calls something solved does not say what."""
    return _NAMES_NOTHING.search(sentence) is not None


_CLAUSES = re.compile(r"[,;]\s")
# A sentence of more words than this in its first clause says more than that something failed.
_BARE_WORDS = 12
# As much as is kept of a statement; less than the least of what stood before tells nothing.
_TEXT_CHARS = 200
_LEAST_REFERENT_CHARS = 40
_OF_ANOTHER = re.compile(_PATTERNS["of another"], re.IGNORECASE)
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


def with_referent(said: Sequence[str], number: int) -> str:
    """Return a sentence; of what it speaks before it, where it names nothing itself.

    Of what it speaks is cut, the sentence never is.
    """
    sentence = said[number]
    beside = told_beside(said, number)
    leans = number > 0 and _OF_ANOTHER.match(sentence) is not None
    if not beside or not (leans or _names_nothing(sentence)):
        return sentence
    room = _TEXT_CHARS - len(sentence) - len(". ")
    if room < _LEAST_REFERENT_CHARS:
        return sentence
    beside = one_line(beside, room)
    first, second = (beside, sentence) if number else (sentence, beside)
    return with_following(first, second)


def told_beside(said: Sequence[str], number: int) -> str:
    """Return the sentence before one of a text's; of its first, the one behind it."""
    return said[number - 1] if number else " ".join(said[1:2])


def _names_nothing(sentence: str) -> bool:
    """Return whether an English sentence says that something is open or given up, but not what."""
    clause = _CLAUSES.split(sentence, maxsplit=1)[0]
    words = distinct_words(clause)
    return len(clause.split()) <= _BARE_WORDS and bool(words) and words <= NAMELESS

"""Find what the user says was tried and failed, and what he refused; tell a sentence of trouble.

What the model says of its own is in `notes`. Trouble, and its end, is told in English by its
wording, in other languages only by what such sentences are like.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from amplihack_compaction.extract.notes import spoken_sentences
from amplihack_compaction.extract.statements import FailedApproach
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.commands import lasting_actions
from amplihack_compaction.text.sentences import reason_given, with_following
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import distinct_words, has_hint, normal_form, one_line
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

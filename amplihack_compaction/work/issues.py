"""Find the issues that are still unresolved at a window's end."""

import re
from collections import deque
from collections.abc import Iterable

from amplihack_compaction.acts.chances import chances_told
from amplihack_compaction.language.distinct import distinct_words
from amplihack_compaction.language.text import anchors_of, normal_form, one_line
from amplihack_compaction.patterns.patterns import lazily
from amplihack_compaction.shell.runners import line_kind
from amplihack_compaction.state.model import Item, VerifyKind
from amplihack_compaction.transcript.boundaries import Window
from amplihack_compaction.transcript.nodes import ToolUse
from amplihack_compaction.transcript.steps import turn_ends, window_steps
from amplihack_compaction.work.notes import asks_which, has_hint, make_item, spoken_sentences
from amplihack_compaction.work.verify import Check, checks_of, covers
from amplihack_compaction.work.workflow import telling_line

_ISSUES_LIMIT = 10
_COMMAND_CHARS = 80
# How likely a sentence at the end of a turn tells of something unsolved to count.
_UNSOLVED = 0.5
# What is said while work goes on is mostly solved by it.
_SURELY_UNSOLVED = 0.9
_NEWEST_TEXTS = 60
_WEIGHED_ISSUES = 4
_TICKS = "✅✓✔☑"

_ISSUE_HINTS = (
    "still", "keep", "known", "open", "outstanding", "remain", "unresolved", "blocked", "bug:",
    "fixme", "have not", "haven't", "issue", "blocker", "unfixed", "fixed", "solved", "unblocked",
    "work", "pass", "no longer", "unable", "could not", "couldn't", "can't", "cannot", "no idea",
    "unclear", "know why", "helped", "did it", "did the trick",
)  # fmt: skip
_TROUBLES = (
    r"(?:fail(?:s|ing)?|broken|not \w+ing|crash\w*|hang(?:s|ing)?|flaky|error(?:s|ing)?|tim(?:es"
    r"|ing) out"
    r"|leak(?:s|ing)?|drop(?:s|ping)|los(?:es?|ing)|block(?:s|ing|ed)|stuck|red|unstable|incorrect"
    r"|wrong|missing|reject(?:s|ing|ed)|refus(?:es?|ing)|return(?:s|ing) (?:the wrong|an? error"
    r"|null"
    r"|nothing|stale|[45]\d\d)|does(?:n't| not)|do(?:n't| not)|can(?:'t|not)|throw(?:s|ing)?)"
)
_ISSUE = lazily(
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
_NO_ISSUE = lazily(
    r"\?\s*$|\b(?:no|not|without|n't|no longer|zero|any|if|whether|in case|was|were|used to)\b"
    r"(?: \w+){0,3} (?:known|open|outstanding|remaining|unresolved|blocked|still|issues?|bugs?)\b"
    r"|^\W{0,6}(?:if|in case|when)\b|(?<!not )(?<!n't )(?<!yet )\b(?:fixed|resolved|addressed)\b"
    r"|\bcloses? #\d",
    re.IGNORECASE,
)
_RESOLVED = lazily(
    r"\b(?:fixed|resolved|solved|unblocked|works? now|now works?|working now|now passes"
    r"|passes now|no longer (?:fails?|happens?|blocked|broken))\b",
    re.IGNORECASE,
)
# Says that what was spoken of last is solved, and does not name it.
_NAMES_NOTHING = lazily(
    r"^\W*(?:(?:yes|yep|ok|okay|great|perfect|nice|cool|thanks|thx|good|and)\W+){0,3}"
    r"(?:(?:that|this|it)(?:'s| is| has been)?(?: (?:now|finally|really|indeed))?"
    r" (?:worked|works|fixed|solved|did it|did the trick|fixes|solves|helped(?=\s*(?:$|[.!])))\b"
    r"|(?:fixed|solved|works(?: now)?)(?: (?:now|it))?\s*(?:$|[.,;:!]))",
    re.IGNORECASE,
)
# "That worked" speaks of what was told since the prompt before the last.
_TURNS_BACK = 2
_SOLVED_LIMIT = 40
_UNRESOLVED = lazily(r"\b(?:not|n't|never|once|until|if|need|should|will|to be)\b", re.I)
_KIND_WORDS = (
    (VerifyKind.TEST, re.compile(r"\btests?\b|\bfail|\bspec", re.IGNORECASE)),
    (VerifyKind.BUILD, re.compile(r"\bbuilds?\b|\bcompil", re.IGNORECASE)),
    (VerifyKind.LINT, re.compile(r"\blint|\btype ?(?:check|error)", re.IGNORECASE)),
)
_SHARED = 0.5
_LEAST_NAMED = 2
_FAILING = lazily(r"`([^`]+)` fails: ")
_WORDS_OF_CHECKS = frozenset(
    "test tests suite suites spec specs unit integration build builds check checks lint run fails"
    " failing failed src pytest npm make cargo jest pnpm yarn python code module modules".split()
)
# Stands for a check of something unnamed, which only a check of everything covers.
_SOMETHING = "check some/thing"


def extract_issues(window: Window) -> tuple[Item, ...]:
    """Return what is unresolved at the window's end, at most ten, oldest first.

    A check that last failed, and sentences on what still fails or blocks; left out is what a
    later sentence calls fixed, or a later passing check of its kind.
    """
    issues: list[Item] = []
    weighed: list[Item] = []
    closings = turn_ends(window)
    newest = _newest_texts(window)
    turns: deque[set[str]] = deque([set()], maxlen=_TURNS_BACK)
    for step in window_steps(window):
        if step.by_user:
            turns.append(set())
        if step.tool is not None:
            for check in checks_of(step, step.tool):
                issues = _after_check(issues, check, step.tool)
            continue
        closing = id(step) in closings
        weighs = (closing or id(step) in newest) and not asks_which(step)
        least = _UNSOLVED if closing else _SURELY_UNSOLVED
        for sentence in spoken_sentences(step, () if weighs else _ISSUE_HINTS):
            if _tells_of_issue(sentence):
                issues.append(make_item(step, sentence))
                turns[-1].add(step.uuid)
            elif _calls_resolved(sentence):
                near = set().union(*turns)
                issues, weighed = (_left(each, sentence, near) for each in (issues, weighed))
            elif weighs and _is_likely_unsolved(sentence, least):
                weighed.append(make_item(step, sentence))
                turns[-1].add(step.uuid)
    likeliest = sorted(weighed, key=lambda issue: chances_told(issue.text).unsolved, reverse=True)
    issues += likeliest[:_WEIGHED_ISSUES]
    distinct = {normal_form(issue.text): issue for issue in issues}
    kept = sorted(distinct.values(), key=lambda issue: issue.offset)
    return tuple(kept[-_ISSUES_LIMIT:])


def extract_solved(window: Window) -> tuple[Item, ...]:
    """Return what the window calls fixed in words, which settles issues of earlier windows."""
    said = (
        make_item(step, sentence)
        for step in window_steps(window)
        if step.tool is None
        for sentence in spoken_sentences(step, _ISSUE_HINTS)
        if _calls_resolved(sentence) and not _tells_of_issue(sentence)
    )
    return tuple(deque(said, maxlen=_SOLVED_LIMIT))


def _left(issues: list[Item], sentence: str, near: set[str]) -> list[Item]:
    """Return the issues that a sentence leaves open; of those told `near` it need not name any."""
    bare = _NAMES_NOTHING.search(sentence) is not None
    return [
        issue
        for issue in issues
        if not (bare and issue.uuid in near) and not _resolves(sentence, issue.text)
    ]


def _newest_texts(window: Window) -> set[int]:
    """Return the ids of the steps in which the model said something last, at work or at its end."""
    said = (step for step in window_steps(window) if step.tool is None and not step.by_user)
    return {id(step) for step in deque(said, maxlen=_NEWEST_TEXTS)}


def by_certainty(issues: Iterable[Item]) -> list[Item]:
    """Return issues, those that are surely some first, of these the newest first.

    The others were known by what such sentences are like: the likeliest first.
    """

    def certainty(issue: Item) -> tuple[float, int]:
        known = _FAILING.match(issue.text) is not None or _tells_of_issue(issue.text)
        return (1.0 if known else chances_told(issue.text).unsolved), issue.offset

    return sorted(issues, key=certainty, reverse=True)


def _tells_of_issue(sentence: str) -> bool:
    hinted = has_hint(sentence, _ISSUE_HINTS)
    return hinted and _ISSUE.search(sentence) is not None and not _NO_ISSUE.search(sentence)


def _calls_resolved(sentence: str) -> bool:
    hinted = has_hint(sentence, _ISSUE_HINTS)
    if not hinted or _UNRESOLVED.search(sentence):
        return False
    return any(pattern.search(sentence) for pattern in (_RESOLVED, _NAMES_NOTHING))


def _is_likely_unsolved(sentence: str, least: float) -> bool:
    """Tell whether a sentence is like those that tell of something unsolved.

    The common wordings are known; there are many others. What only leads to the next line, is a
    title or is ticked tells of nothing.
    """
    if sentence.endswith((":", "：", ":**")) or any(tick in sentence for tick in _TICKS):
        return False
    if sentence.startswith("**") and sentence.find("**", 2) == len(sentence) - 2:
        return False
    return chances_told(sentence).unsolved >= least and not _NO_ISSUE.search(sentence)


def _failing(check: Check, tool: ToolUse) -> Item:
    error = telling_line(tool.result.text if tool.result else "")
    return make_item(check.step, f"{_named(check.text)} fails: {error}")


def _named(command: str) -> str:
    return f"`{one_line(command, _COMMAND_CHARS)}`"


def _after_check(issues: list[Item], check: Check, tool: ToolUse) -> list[Item]:
    """Return the issues after one more check: those that it settles go, its own failure comes."""
    if check.passed is None:
        return issues
    settled = [issue for issue in issues if is_settled(issue, check.kind, check.text)]
    left = [issue for issue in issues if issue not in settled]
    if check.passed:
        return left
    again = [issue for issue in issues if not issue.text.startswith(f"{_named(check.text)} fails")]
    return [*again, _failing(check, tool)]


def is_settled(issue: Item, kind: VerifyKind, passed: str) -> bool:
    """Tell whether the passing of a check settles an issue.

    The failure of a check is settled by one that covers it. What was said of tests or a build is
    settled by a check of all of them, or by one of what it names.
    """
    command = _FAILING.match(issue.text)
    if command is not None:
        ran = command.group(1).rstrip("…")
        return line_kind(ran) == kind and covers(passed, ran)
    if not any(kind is known and words.search(issue.text) for known, words in _KIND_WORDS):
        return False
    named = distinct_words(issue.text) & distinct_words(passed) - _WORDS_OF_CHECKS
    return covers(passed, _SOMETHING) or bool(named)


def is_called_fixed(issue: Item, solved: Iterable[Item]) -> bool:
    """Tell whether a later sentence calls an issue of an earlier window fixed: it names most."""
    words = distinct_words(issue.text)
    least = max(_LEAST_NAMED, _SHARED * len(words))
    later = (said for said in solved if issue.offset < said.offset)
    return any(len(words & distinct_words(said.text)) >= least for said in later)


def _resolves(sentence: str, issue: str) -> bool:
    """Tell whether a sentence that calls something fixed speaks of this issue."""
    if anchors_of(sentence) & anchors_of(issue):
        return True
    words = distinct_words(issue)
    shared = len(words & distinct_words(sentence))
    return bool(words) and shared >= _SHARED * min(len(words), len(distinct_words(sentence)) or 1)

"""Find approaches that failed and were given up, and issues that are still unresolved."""

import re
from collections import deque
from collections.abc import Iterable

from amplihack_compaction.acts.chances import chances_told
from amplihack_compaction.language.distinct import distinct_words
from amplihack_compaction.language.text import anchors_of, normal_form, one_line
from amplihack_compaction.patterns.patterns import lazily
from amplihack_compaction.shell.runners import line_kind
from amplihack_compaction.state.model import FailedApproach, Item, VerifyKind
from amplihack_compaction.transcript.boundaries import Window
from amplihack_compaction.transcript.nodes import ToolUse
from amplihack_compaction.transcript.steps import Step, was_refused, window_steps
from amplihack_compaction.work.notes import has_hint, make_item, spoken_sentences
from amplihack_compaction.work.verify import Check, checks_of, covers
from amplihack_compaction.work.workflow import telling_line, tool_detail

_FAILED_LIMIT = 12
_ISSUES_LIMIT = 10
_TEXT_CHARS = 200
_REASON_CHARS = 160
_COMMAND_CHARS = 80
# How likely a sentence at the end of a turn tells of something unsolved or given up to count, and
# how many such ends are looked at.
_UNSOLVED = 0.5
# What is said while work goes on is mostly solved by it.
_SURELY_UNSOLVED = 0.9
_NEWEST_TEXTS = 60
_GIVEN_UP_ABOVE = 0.65
_CLOSINGS = 100
_WEIGHED_ISSUES = 4
_TICKS = "✅✓✔☑"

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
_GIVEN_UP = lazily(
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
_USER_GIVEN_UP = lazily(
    rf"^\W{{0,4}}(?:no[,.]? )?(?:that|this|it)(?: still| also)? {_NOT_WORK}\b"
    r"|\b(?:we|I|you)(?:'ve| have)?(?: already)? tried\b[^.?]{3,120}|\balready tried\b"
    r"|\bstop trying\b|\b(?:don't|do not) (?:try|retry|attempt)\b[^.?]{3,80}\bagain\b"
    r"|\bdidn't work (?:last time|before|either)\b",
    re.IGNORECASE,
)
_SUPPOSED = lazily(
    r"\?\s*$|\b(?:if|in case|when|whenever|unless|might|may|could|should|would|whether|e\.g\.)\b"
    r"[^.]{0,60}\b(?:work|fail|fails|supported)\b|^\W{0,6}(?:if|in case|when)\b",
    re.IGNORECASE,
)
# Words that say that something failed, but not what.
_BARE = lazily(
    r"^\W{0,6}(?:(?:hmm|ok|okay|no|right|so|well|unfortunately|but)\W{1,3}){0,3}"
    rf"(?:(?:that|this|it)(?: still| also)? {_NOT_WORK}(?: either)?"
    rf"|(?:let me|let's|I'll)[^.]{{0,30}}\b{_OTHER} (?:{_WAY}|way))\W*$",
    re.IGNORECASE,
)
_BECAUSE = lazily(r"\b(?:because|since|due to|as it|as the)\b[ \t]+([^\n]+)", re.IGNORECASE)

_ISSUE_HINTS = (
    "still", "keep", "known", "open", "outstanding", "remain", "unresolved", "blocked", "bug:",
    "fixme", "have not", "haven't", "issue", "blocker", "unfixed", "fixed", "solved", "unblocked",
    "work", "pass", "no longer", "unable", "could not", "couldn't", "can't", "cannot", "no idea",
    "unclear", "know why",
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
_UNRESOLVED = lazily(r"\b(?:not|n't|never|once|until|if|need|should|will|to be)\b", re.I)
_KIND_WORDS = (
    (VerifyKind.TEST, re.compile(r"\btests?\b|\bfail|\bspec", re.IGNORECASE)),
    (VerifyKind.BUILD, re.compile(r"\bbuilds?\b|\bcompil", re.IGNORECASE)),
    (VerifyKind.LINT, re.compile(r"\blint|\btype ?(?:check|error)", re.IGNORECASE)),
)
_SHARED = 0.5
_FAILING = lazily(r"`([^`]+)` fails: ")
_WORDS_OF_CHECKS = frozenset(
    "test tests suite suites spec specs unit integration build builds check checks lint run fails"
    " failing failed src pytest npm make cargo jest pnpm yarn python code module modules".split()
)
# Stands for a check of something unnamed, which only a check of everything covers.
_SOMETHING = "check some/thing"


def extract_failed(window: Window) -> tuple[FailedApproach, ...]:
    """Return approaches that were given up, as said by the model or the user, the newest 12.

    Words that name nothing ("that didn't work") get the failed command before them, or the
    sentence beside them; with neither they are left out.
    """
    found: dict[str, FailedApproach] = {}
    failed_tool: ToolUse | None = None
    closings = _closings(window)
    for step in window_steps(window):
        if step.tool is not None:
            failed = step.tool.succeeded is False and not was_refused(step.tool)
            failed_tool = step.tool if failed else failed_tool
            continue
        failed_tool = None if step.by_user else failed_tool
        for approach in _approaches(step, failed_tool, id(step) in closings):
            found.setdefault(normal_form(approach.text), approach)
    return tuple(found.values())[-_FAILED_LIMIT:]


def _approaches(step: Step, failed_tool: ToolUse | None, closing: bool) -> list[FailedApproach]:
    wanted = _USER_GIVEN_UP if step.by_user else _GIVEN_UP
    said = spoken_sentences(step, () if closing else _HINTS)
    approaches: list[FailedApproach] = []
    last = -2
    for number, sentence in enumerate(said):
        likely = closing and chances_told(sentence).given_up >= _GIVEN_UP_ABOVE
        known = likely or (has_hint(sentence, _HINTS) and wanted.search(sentence))
        if number == last + 1 or not known or _SUPPOSED.search(sentence):
            continue
        approach = _approach(step, said, number, failed_tool)
        if approach is not None:
            approaches.append(approach)
            last = number
    return approaches


def _approach(
    step: Step, said: list[str], number: int, failed_tool: ToolUse | None
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
            beside = said[number - 1] if number else " ".join(said[1:2])
            if not beside:
                return None
            parts = (beside, sentence) if number else (sentence, beside)
            sentence = " ".join(parts)
    return FailedApproach(
        text=one_line(sentence, _TEXT_CHARS),
        **step.place,
        reason=one_line(reason, _REASON_CHARS),
    )


def extract_issues(window: Window) -> tuple[Item, ...]:
    """Return what is unresolved at the window's end, at most ten, oldest first.

    A check that last failed, and sentences on what still fails or blocks; left out is what a
    later sentence calls fixed, or a later passing check of its kind.
    """
    issues: list[Item] = []
    weighed: list[Item] = []
    closings = _closings(window)
    newest = _newest_texts(window)
    for step in window_steps(window):
        if step.tool is not None:
            for check in checks_of(step, step.tool):
                issues = _after_check(issues, check, step.tool)
            continue
        closing = id(step) in closings
        weighs = closing or id(step) in newest
        least = _UNSOLVED if closing else _SURELY_UNSOLVED
        for sentence in spoken_sentences(step, () if weighs else _ISSUE_HINTS):
            if _tells_of_issue(sentence):
                issues.append(make_item(step, sentence))
            elif _calls_resolved(sentence):
                issues = [issue for issue in issues if not _resolves(sentence, issue.text)]
                weighed = [issue for issue in weighed if not _resolves(sentence, issue.text)]
            elif weighs and _is_likely_unsolved(sentence, least):
                weighed.append(make_item(step, sentence))
    likeliest = sorted(weighed, key=lambda issue: chances_told(issue.text).unsolved, reverse=True)
    issues += likeliest[:_WEIGHED_ISSUES]
    distinct = {normal_form(issue.text): issue for issue in issues}
    kept = sorted(distinct.values(), key=lambda issue: issue.offset)
    return tuple(kept[-_ISSUES_LIMIT:])


def _newest_texts(window: Window) -> set[int]:
    """Return the ids of the steps in which the model said something last, at work or at its end."""
    said = (step for step in window_steps(window) if step.tool is None and not step.by_user)
    return {id(step) for step in deque(said, maxlen=_NEWEST_TEXTS)}


def _closings(window: Window) -> set[int]:
    """Return the ids of the steps in which the model ended a turn, the newest ones."""
    steps = window_steps(window)
    ends = (
        step
        for step, after in zip(steps, [*steps[1:], None], strict=False)
        if not step.by_user and step.tool is None and (after is None or after.by_user)
    )
    return {id(step) for step in deque(ends, maxlen=_CLOSINGS)}


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
    return hinted and _RESOLVED.search(sentence) is not None and not _UNRESOLVED.search(sentence)


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


def _resolves(sentence: str, issue: str) -> bool:
    """Tell whether a sentence that calls something fixed speaks of this issue."""
    if anchors_of(sentence) & anchors_of(issue):
        return True
    words = distinct_words(issue)
    shared = len(words & distinct_words(sentence))
    return bool(words) and shared >= _SHARED * min(len(words), len(distinct_words(sentence)) or 1)

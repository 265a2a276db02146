"""Find the issues that are still unresolved at a window's end."""

import re
from collections import deque
from collections.abc import Iterable

from amplihack_compaction.extract.checks import Check, checks_of
from amplihack_compaction.extract.failures.abroad import names_nothing
from amplihack_compaction.extract.failures.commands import run_by, succeeded_by, tells_beside
from amplihack_compaction.extract.failures.referents import only_answers, with_referent
from amplihack_compaction.extract.failures.solved import (
    FAILING_CHECK,
    TURNS_BACK,
    is_settled,
    is_told_of,
    left_open,
)
from amplihack_compaction.extract.failures.wordings import (
    calls_resolved,
    denies_issue,
    hints_of,
    language_told,
    takes_up,
    tells_of_issue,
)
from amplihack_compaction.extract.model import Issue
from amplihack_compaction.extract.notes import asks_which, spoken_sentences
from amplihack_compaction.extract.phase import telling_line
from amplihack_compaction.text.classifier import chances_told
from amplihack_compaction.text.machine_text import is_machine_line
from amplihack_compaction.text.phrasings.markers import language_of
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.strings import normal_form, one_line
from amplihack_compaction.transcript.nodes import ToolUse
from amplihack_compaction.transcript.steps import Step, turn_ends, window_steps
from amplihack_compaction.transcript.windows import Window

_ISSUES_LIMIT = 10
_TEXT_CHARS = 200
_COMMAND_CHARS = 80
# How likely a sentence at the end of a turn tells of something unsolved to count.
_UNSOLVED = 0.5
# What is said while work goes on is mostly solved by it.
_SURELY_UNSOLVED = 0.9
_NEWEST_TEXTS = 60
_WEIGHED_ISSUES = 4
_TICKS = "✅✓✔☑"

_OPENING_CHARS = 40
_OUTPUT_CHARS = 8_000
_WORD = re.compile(r"[A-Za-z_]\w+", re.ASCII)
_NO_CHECK = ("", "")


def extract_issues(window: Window) -> tuple[Issue, ...]:
    """Return what is unresolved at the window's end, at most ten, oldest first.

    A check that last failed, and sentences on what still fails or blocks; left out is what a
    later sentence calls fixed, a later passing check of its kind, or the success of the command
    whose failure it was told of.
    """
    reader = _Reader(window)
    for step in window_steps(window):
        reader.read(step)
    return _each_once(reader.issues, reader.weighed)


class _Reader:
    """What of a window is open so far: surely so, or by what such sentences are like."""

    def __init__(self, window: Window) -> None:
        self.issues: list[Issue] = []
        self.weighed: list[Issue] = []
        self._failed, self._failed_check = "", _NO_CHECK
        self._closings, self._newest = turn_ends(window), _newest_texts(window)
        # The uuids of what told of trouble, by turn.
        self._turns: deque[set[str]] = deque([set()], maxlen=TURNS_BACK)
        self._language = "en"

    def read(self, step: Step) -> None:
        """Take one more step in: a tool's use, or what somebody said."""
        if step.by_user:
            self._turns.append(set())
            self._failed, self._failed_check = "", _NO_CHECK
        if step.tool is not None:
            self._see(step, step.tool)
        else:
            self._hear(step)

    def _see(self, step: Step, tool: ToolUse) -> None:
        self._failed = _failed_now(self._failed, tool)
        ran = succeeded_by(tool)
        self.issues, self.weighed = _not_told_of(ran, self.issues), _not_told_of(ran, self.weighed)
        for check in checks_of(step, tool):
            self._failed_check = _failed_check_now(self._failed_check, check, tool)
            self.issues, self.weighed = _after_check(self.issues, self.weighed, check, tool)

    def _hear(self, step: Step) -> None:
        closing = id(step) in self._closings
        weighs = (closing or id(step) in self._newest) and not asks_which(step)
        least = _UNSOLVED if closing else _SURELY_UNSOLVED
        language = self._language = language_told(step.text, self._language)
        said = spoken_sentences(step, () if weighs else hints_of(language))
        beside = False
        for number, sentence in enumerate(said):
            beside = beside or tells_beside(sentence)
            if tells_of_issue(sentence, "en" if step.by_user else language):
                self._keep(self.issues, step, with_referent(said, number, language), beside)
            elif weighs and _is_likely_unsolved(sentence, language, least):
                # Also what sounds solved: "it works, but for Safari".
                self._keep(self.weighed, step, with_referent(said, number, language), beside)
            elif calls_resolved(sentence, language):
                self._settle(sentence if step.by_user else with_referent(said, number, language))

    def _keep(self, told: list[Issue], step: Step, text: str, beside: bool) -> None:
        """Keep what a step tells; `beside` what failed last: that is not what it is told of."""
        command = ""
        if not step.by_user:
            named = _check_named(text, self._failed_check)
            command = named if beside else self._failed or named
        told.append(_told(step, text, command))
        self._turns[-1].add(step.uuid)

    def _settle(self, text: str) -> None:
        near = set().union(*self._turns)
        self.issues = left_open(self.issues, text, self._language, near)
        self.weighed = left_open(self.weighed, text, self._language, near)


def _failed_now(failed: str, tool: ToolUse) -> str:
    """Return the command that failed last, and did not succeed since."""
    if tool.succeeded is False:
        return run_by(tool) or failed
    return "" if failed and run_by(tool) == failed else failed


def _failed_check_now(before: tuple[str, str], check: Check, tool: ToolUse) -> tuple[str, str]:
    """Return the check that failed last and did not pass since, with what it showed."""
    if check.passed is None:
        return before
    output = tool.result.text[-_OUTPUT_CHARS:] if tool.result else ""
    return _NO_CHECK if check.passed else (check.text, output)


def _check_named(text: str, check: tuple[str, str]) -> str:
    """Return the check that failed if a text has a name of the code that its output has, too."""
    command, output = check
    # "test_mask", "TestRefund", and no plain word, whatever letter it begins with.
    named = (word for word in _WORD.findall(text) if not (word.isalpha() and word[1:].islower()))
    return command if any(name in output for name in named) else ""


def _not_told_of(command: str, told: list[Issue]) -> list[Issue]:
    return [issue for issue in told if issue.command != command] if command else told


def _told(step: Step, text: str, command: str = "") -> Issue:
    return Issue(text=one_line(text, _TEXT_CHARS), **step.place, command=command)


def _each_once(issues: list[Issue], weighed: list[Issue]) -> tuple[Issue, ...]:
    """Return the issues and the likeliest of those that were weighed, each once, oldest first."""
    known = {_opening(issue) for issue in issues}
    others = [issue for issue in weighed if _opening(issue) not in known]
    others.sort(key=lambda issue: chances_told(issue.text).of_problem, reverse=True)
    opened = {_opening(issue): issue for issue in (*issues, *others[:_WEIGHED_ISSUES])}
    named = [issue for issue in opened.values() if not only_answers(issue.text)]
    whole = [issue for issue in named if not _is_told_within(issue, named)]
    distinct = {normal_form(issue.text): issue for issue in whole}
    kept = sorted(distinct.values(), key=lambda issue: issue.offset)
    return tuple(kept[-_ISSUES_LIMIT:])


def _is_told_within(issue: Issue, issues: list[Issue]) -> bool:
    """Return whether another issue of the same text says this one too, and more."""
    return any(
        other.uuid == issue.uuid and issue.text != other.text and issue.text in other.text
        for other in issues
    )


def _opening(issue: Issue) -> tuple[str, str]:
    """Return what two statements of one text share where the second is told with the first."""
    first = next(iter(sentences(issue.text)), "")
    return issue.uuid, first[:_OPENING_CHARS]


def _newest_texts(window: Window) -> set[int]:
    """Return the ids of the steps in which the model said something last, at work or at its end."""
    said = (step for step in window_steps(window) if step.tool is None and not step.by_user)
    return {id(step) for step in deque(said, maxlen=_NEWEST_TEXTS)}


def by_certainty(issues: Iterable[Issue]) -> list[Issue]:
    """Return issues, those that are surely some first, of these the newest first.

    The others were known by what such sentences are like: the likeliest first.
    """

    def certainty(issue: Issue) -> tuple[float, int]:
        language = language_of(issue.text)
        known = FAILING_CHECK.match(issue.text) is not None or tells_of_issue(issue.text, language)
        return (1.0 if known else chances_told(issue.text).of_problem), issue.offset

    return sorted(issues, key=certainty, reverse=True)


def _is_likely_unsolved(sentence: str, language: str, least: float) -> bool:
    """Return whether a sentence is like those that tell of something unsolved.

    The common wordings are known; there are many others. What only leads to the next line, is a
    title or is ticked tells of nothing.
    """
    if sentence.startswith(("{", "[", "<")) or is_machine_line(sentence):
        return False
    if sentence.endswith((":", "：", ":**")) or any(tick in sentence for tick in _TICKS):
        return False
    if takes_up(sentence):
        return False
    if sentence.startswith("**") and sentence.find("**", 2) == len(sentence) - 2:
        return False
    likely = chances_told(sentence).of_problem >= least and not denies_issue(sentence)
    return likely and not names_nothing(sentence, language)


def _failing(check: Check, tool: ToolUse) -> Issue:
    error = telling_line(tool.result.text if tool.result else "")
    return _told(check.step, f"{command_name(check.text)} fails: {error}")


def command_name(command: str) -> str:
    """Return a command as an issue names it that tells of its failure."""
    return f"`{one_line(command, _COMMAND_CHARS)}`"


def _after_check(
    issues: list[Issue], weighed: list[Issue], check: Check, tool: ToolUse
) -> tuple[list[Issue], list[Issue]]:
    """Return the issues after one more check: those that it settles go, its own failure comes."""
    if check.passed is None:
        return issues, weighed
    if not check.passed:
        same = f"{command_name(check.text)} fails"
        again = [issue for issue in issues if not issue.text.startswith(same)]
        return [*again, _failing(check, tool)], weighed
    settled = [issue for issue in issues if is_settled(issue, check.kind, check.text)]
    left = [issue for issue in issues if issue not in settled and not is_told_of(issue, settled)]
    return left, [issue for issue in weighed if not is_told_of(issue, settled)]

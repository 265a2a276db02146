"""What settles an issue: later words that call it solved, or a check that passes."""

import re
from collections import deque
from collections.abc import Iterable, Sequence

from amplihack_compaction.extract.covered_checks import covers
from amplihack_compaction.extract.failures.abroad import speaks_of
from amplihack_compaction.extract.failures.referents import NAMELESS
from amplihack_compaction.extract.failures.wordings import (
    calls_resolved,
    hints_of,
    language_told,
    names_no_issue,
    tells_of_issue,
)
from amplihack_compaction.extract.model import Issue, Item, VerifyKind
from amplihack_compaction.extract.notes import make_item, spoken_sentences
from amplihack_compaction.text.classifier import chances_told
from amplihack_compaction.text.phrasings.markers import language_of
from amplihack_compaction.text.shell.check_commands import line_kind
from amplihack_compaction.text.strings import anchors_of
from amplihack_compaction.text.telling_words import distinct_words
from amplihack_compaction.transcript.steps import window_steps
from amplihack_compaction.transcript.windows import Window

_SOLVED_LIMIT = 40
# From which chance what sounds solved tells of something that is not: "it works, but for Safari".
_LEAVES_SOMETHING_OPEN = 0.5
# "That worked" speaks of what was told since the prompt before the last.
TURNS_BACK = 2
_KIND_WORDS = (
    (VerifyKind.TEST, re.compile(r"\btests?\b|\bfail|\bspec", re.IGNORECASE)),
    (VerifyKind.BUILD, re.compile(r"\bbuilds?\b|\bcompil", re.IGNORECASE)),
    (VerifyKind.LINT, re.compile(r"\blint|\btype ?(?:check|error)", re.IGNORECASE)),
)
_SHARED = 0.5
_LEAST_NAMED = 2
FAILING_CHECK = re.compile(r"`([^`]+)` fails: ")
_WORDS_OF_CHECKS = frozenset(
    "test tests suite suites spec specs unit integration build builds check checks lint run fails"
    " fail failing failed error errors expected received assertion src pytest npm make"
    " cargo jest pnpm yarn python code module modules".split()
)
# Up to here an issue says what has the trouble: "Immich does not start: ...".
_TROUBLE_BEGINS = re.compile(
    r"\b(?:do(?:es)?(?:n't| not)|ca(?:n't|nnot)|could(?:n't| not)|wo(?:n't)|(?:is|are)(?:n't| not)"
    r"|fails?|failed|failing|still|keeps?|hangs?|crash(?:es|ed)|loops?|breaks?|times? out)\b",
    re.IGNORECASE,
)
# Stands for a check of something unnamed, which only a check of everything covers.
_SOMETHING = "check some/thing"


def extract_solved(window: Window) -> tuple[Item, ...]:
    """Return what the window calls fixed in words, which settles issues of earlier windows."""
    said: deque[Item] = deque(maxlen=_SOLVED_LIMIT)
    language = "en"
    for step in window_steps(window):
        if step.tool is not None:
            continue
        language = language_told(step.text, language)
        said.extend(
            make_item(step, sentence)
            for sentence in spoken_sentences(step, hints_of(language))
            if calls_resolved(sentence, language)
            and not tells_of_issue(sentence, language)
            and chances_told(sentence).of_problem < _LEAVES_SOMETHING_OPEN
        )
    return tuple(said)


def left_open(issues: list[Issue], sentence: str, language: str, near: set[str]) -> list[Issue]:
    """Return the issues that a sentence leaves open; of those told `near` it need not name any."""
    bare = names_no_issue(sentence, language)
    return [
        issue
        for issue in issues
        if not (bare and issue.uuid in near)
        and not _resolves(sentence, issue.text)
        and not speaks_of(sentence, issue.text, language)
    ]


def is_settled(issue: Issue, kind: VerifyKind, passed: str) -> bool:
    """Return whether the passing of a check settles an issue.

    The failure of a check is settled by one that covers it. What was said of tests or a build is
    settled by a check of all of them, or by one of what it names; what was told of a command that
    failed by one that covers that.
    """
    if issue.command:
        return line_kind(issue.command) == kind and covers(passed, issue.command)
    command = FAILING_CHECK.match(issue.text)
    if command is not None:
        ran = command.group(1).rstrip("…")
        return line_kind(ran) == kind and covers(passed, ran)
    if not any(kind is known and words.search(issue.text) for known, words in _KIND_WORDS):
        return False
    named = distinct_words(issue.text) & distinct_words(passed) - _WORDS_OF_CHECKS
    return covers(passed, _SOMETHING) or bool(named)


def is_told_of(issue: Item, settled: Iterable[Item]) -> bool:
    """Return whether an issue was told of a check's failure that is settled: they name the same."""
    if FAILING_CHECK.match(issue.text):
        return False
    named = distinct_words(issue.text) - _WORDS_OF_CHECKS
    return any(
        issue.window == failure.window
        and FAILING_CHECK.match(failure.text) is not None
        and len(named & distinct_words(failure.text)) >= _LEAST_NAMED
        for failure in settled
    )


def is_called_fixed(issue: Item, solved: Iterable[Item], prompts: Sequence[int] = ()) -> bool:
    """Return whether a later sentence calls an issue of an earlier window fixed: it names most.

    `prompts` are the offsets of all prompts: of an issue that was told lately none need be named.
    """
    words = distinct_words(issue.text)
    least = max(_LEAST_NAMED, _SHARED * len(words))
    language = language_of(issue.text)
    later = [said for said in solved if issue.offset < said.offset]
    return any(
        len(words & distinct_words(said.text)) >= least
        or _has_its_name(said.text, issue.text)
        or _is_near(issue, said, prompts, language)
        or speaks_of(said.text, issue.text, language_of(said.text, language))
        for said in later
    )


def _is_near(issue: Item, said: Item, prompts: Sequence[int], language: str) -> bool:
    """Say whether words that name nothing speak of an issue: it was told a prompt ago at most."""
    if not prompts or issue.window == said.window:
        return False
    between = sum(issue.offset < prompt < said.offset for prompt in prompts)
    return between < TURNS_BACK and names_no_issue(said.text, language_of(said.text, language))


def _has_its_name(sentence: str, issue: str) -> bool:
    """Return whether a sentence has the name of what an issue calls broken, all of it.

    That is what stands before its trouble, or else all words that name something.
    """
    trouble = _TROUBLE_BEGINS.search(issue)
    said, named = distinct_words(sentence), distinct_words(issue) - NAMELESS
    name = distinct_words(issue[: trouble.start()]) - NAMELESS if trouble else frozenset()
    if name - _WORDS_OF_CHECKS and name <= said:
        return True
    return len(named) >= _LEAST_NAMED and named <= said


def _resolves(sentence: str, issue: str) -> bool:
    """Return whether a sentence that calls something fixed speaks of this issue."""
    if anchors_of(sentence) & anchors_of(issue) or _has_its_name(sentence, issue):
        return True
    words = distinct_words(issue)
    shared = len(words & distinct_words(sentence))
    return bool(words) and shared >= _SHARED * min(len(words), len(distinct_words(sentence)) or 1)

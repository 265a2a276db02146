"""Find what was tried and failed, the issues unresolved at a window's end, and what settles them.

Later words that call an issue solved do, and so does the success of what had failed: of a check,
one that covers it. What the model says of its own is in `notes`. Trouble, and its end, is told in
English by its wording.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from amplihack_compaction.extract.notes import announces, distinct, make_item, spoken_sentences
from amplihack_compaction.extract.recent_context import OpenFailure, open_failures
from amplihack_compaction.extract.statements import FailedApproach, Issue, Item, VerifyKind
from amplihack_compaction.extract.verify_commands import (
    Check,
    check_covers,
    checks_of,
    could_not_find,
    program_of,
    repeats_check,
)
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.commands import Command, lasting_actions, line_kind, split_commands
from amplihack_compaction.text.sentences import (
    needs_sentence_before,
    reason_given,
    telling_line,
    with_following,
)
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import anchors_of, distinct_words, normal_form, one_line
from amplihack_compaction.transcript.session import (
    ToolUse,
    TranscriptStep,
    bash_command,
    end_seen,
    was_refused,
)

_PATTERNS = patterns("trouble")
BY_CLIENT = "client"
"""The reason of what not the user has refused, but a rule or a mode of the client."""

_TEXT_CHARS = 200
_FAILED_LIMIT = 12
_NOT_WORK = (
    r"(?:did(?:n't| not)|does(?:n't| not)|won't|will not|is(?:n't| not) going to|never) work"
)
_GIVEN_UP = re.compile(
    rf"^\W{{0,4}}(?:no[,.]? )?(?:that|this|it)(?: still| also)? {_NOT_WORK}\b"
    r"|\b(?:we|I|you)(?:'ve| have)?(?: already)? tried\b[^.?]{3,120}|\balready tried\b"
    r"|\bstop trying\b|\b(?:don't|do not) (?:try|retry|attempt)\b[^.?]{3,80}\bagain\b"
    r"|\bdidn't work (?:last time|before|either)\b",
    re.IGNORECASE,
)
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
    """Return approaches that failed, as said by the user or told by the shell, the newest 12.

    Words that name nothing ("that didn't work") get the sentence beside them.
    """
    found: dict[str, FailedApproach] = {}
    for step in content.steps:
        if step.by_user:
            for approach in _approaches(step):
                found.setdefault(normal_form(approach.text), approach)
    return (*_absent_programs(content), *found.values(), *_refused(content))[-_FAILED_LIMIT:]


def _refused(content: WindowContent) -> Iterable[FailedApproach]:
    """Return the commands that were refused, such as a push, and that were not run since."""
    refused: dict[str, FailedApproach] = {}
    for step, tool in content.uses:
        for action, words in lasting_actions(bash_command(tool)).items():
            if was_refused(tool):
                text = one_line(words, _TEXT_CHARS)
                by = BY_CLIENT if tool.result and tool.result.by_client else ""
                refused[action] = FailedApproach(text=text, **step.place, refused=True, reason=by)
            elif tool.result is not None:  # also one that failed was run
                refused.pop(action, None)
    return refused.values()


NOT_FOUND = ": command not found"
_NAME = r"[\w.+-]{2,40}"
_NOT_FOUND = re.compile(
    rf"command not found: ({_NAME})$|\b({_NAME}): (?:command )?not found$"
    rf"|'({_NAME})' is not recognized\b",
    re.MULTILINE,
)
# A longer output holds other programs' words.
_OUTPUT_CHARS = 3_000
_WAY_CHARS = 120
_IN_A_LOOP = re.compile(r"^(?:(?:do|then|else|if|while|until|!)\s+)+")
_ACTIVATES = re.compile(r"(?:source|\.) \S*activate\b")


def _absent_programs(content: WindowContent) -> Iterator[FailedApproach]:
    """Yield the programs that were not found and run in another way since: by path, by a runner.

    One that runs by its name later was installed, and is none; nor is what every shell has, which
    a line missed that broke its own PATH.
    """
    absent: dict[str, TranscriptStep] = {}
    ways: dict[str, tuple[str, TranscriptStep]] = {}
    for step, tool in content.uses:
        line, result = bash_command(tool), tool.result
        if result is None or not line:
            continue
        for found in _NOT_FOUND.finditer(result.text[:_OUTPUT_CHARS]):
            name = next(filter(None, found.groups()))
            if name in line and name not in {*ways, *_ASIDES}:
                absent[name] = step
        tried = [name for name, at in absent.items() if at is not step and not result.is_error]
        for name in tried:
            way = _way_of(name, line)
            if way == name:
                del absent[name]
                ways.pop(name, None)
            elif way:
                ways[name] = way, step
    for name, (way, step) in ways.items():
        reason = f"ran since as `{one_line(way, _WAY_CHARS)}`"
        yield FailedApproach(text=f"`{name}`{NOT_FOUND}", **step.place, reason=reason)


def _way_of(name: str, line: str) -> str:
    """Return how a line runs a program, its name where it does so plainly; else empty."""
    for command in split_commands(line):
        if "/dev/null" in command.text:  # that only asks whether it is there
            continue
        if command.head in (name, f"{name}3", f"{name}.exe"):
            return _before_arguments(command, line)
        named = rf"[\\/]{re.escape(name)}(?:\.exe)?"
        path = re.search(
            rf"(?<=['\"])[^'\"&]*{named}(?=['\"])|[^\s'\"&]*{named}(?=\s|$)", command.text
        )
        if path:
            return path[0]
    return ""


def _before_arguments(command: Command, line: str) -> str:
    first = command.words[0]
    way = command.text[: command.text.find(first) + len(first)].strip("'\"")
    way = _IN_A_LOOP.sub("", way)
    activated = _ACTIVATES.search(line)
    return f"{activated[0]} && {way}" if activated and way == first else way


def extract_acts(content: WindowContent) -> tuple[str, ...]:
    """Return what was run that acts on history or outside, however it ended."""
    ran = (tool for _, tool in content.uses if tool.result is not None and not was_refused(tool))
    actions = (action for tool in ran for action in lasting_actions(bash_command(tool)))
    return tuple(dict.fromkeys(actions))


def _approaches(step: TranscriptStep) -> Iterator[FailedApproach]:
    said = spoken_sentences(step)
    for number, sentence in enumerate(said):
        if _GIVEN_UP.search(sentence) and not _SUPPOSED.search(sentence):
            text = one_line(with_referent(said, number), _TEXT_CHARS)
            yield FailedApproach(text=text, **step.place, reason=reason_given(sentence))


_TROUBLES = (
    r"(?:fail(?:s|ing)?|broken|not \w+ing|crash\w*|hang(?:s|ing)?|flaky|error(?:s|ing)?"
    r"|tim(?:es|ing) out|leak(?:s|ing)?|drop(?:s|ping)|los(?:es?|ing)|block(?:s|ing|ed)|stuck|red"
    r"|unstable|incorrect|wrong|missing|reject(?:s|ing|ed)|refus(?:es?|ing)|throw(?:s|ing)?"
    r"|return(?:s|ing) (?:the wrong|an? error|null|nothing|stale|[45]\d\d)"
    r"|does(?:n't| not)|do(?:n't| not)|can(?:'t|not))"
)
_ISSUE = re.compile(
    rf"\b(?:still|keeps?) (?:(?:sometimes|occasionally|often) )?{_TROUBLES}\b"
    r"|^\W{0,6}(?:not|un)[ -]?(?:yet )?(?:fixed|solved|resolved|working)(?: yet)?\W{0,4}"
    r"[:：–-]\s*\S"
    r"|\b(?:could|can)(?: ?not|n't) (?:yet )?(?:get \S+(?: \S+){0,4} to \w+|reproduce|fix"
    r"|figure out|find (?:out )?(?:why|the cause|what))\b"
    r"|\bunable to (?:fix|reproduce|connect|build|run)\b"
    r"|\b(?:ha(?:ve|s)(?:n't| not)|not yet) (?:yet )?(?:found|figured out|solved|managed)\b"
    r"|\bstill (?:one|two|some|an?) [^.]{0,20}\bopen\b"
    r"|\b(?:no idea|(?:don't|do not) know|unclear|not clear)(?: yet)? why\b"
    r"|\b(?:is|are)(?:n't| not) (?:fixed|solved|resolved) yet\b"
    r"|\b(?:known|open|outstanding|remaining|unresolved) (?:issue|bug|problem|limitation|failure)"
    r"s?\b|\bblocked (?:by|on)\b"
    r"|^\W{0,6}(?:BUG|FIXME|ISSUE|KNOWN ISSUE|BLOCKER)\b[^\w:]{0,4}:\s*\S"
    r"|\bremains? (?:unresolved|unfixed|broken)\b|\bunfixed\b",
    re.IGNORECASE,
)
# Asks whether something is unsolved, or denies it.
_NO_ISSUE = re.compile(_PATTERNS["no issue"], re.IGNORECASE)
_RESOLVED = re.compile(
    r"\b(?:fixed|resolved|solved|unblocked|works? (?:now|again)|now (?:works?|passes)|working now"
    r"|passes now|no longer (?:fail|happen|crash|block|broken)\w*|(?:is|are) (?:now )?gone"
    r"|went away|disappeared)\b",
    re.IGNORECASE,
)
_NAMES_NOTHING = re.compile(_PATTERNS["names nothing"], re.IGNORECASE)
_UNRESOLVED = re.compile(_PATTERNS["unresolved"], re.I)
# "It's fixed, right?", "that fixed it for admins only"
_ASKED_OR_IN_PART = re.compile(
    r"\bonly\b|^\W{0,3}(?:so )?(?:is|are|did|does|do|has|have)\b[^?]{0,200}\?|\bright\?\s{0,3}$",
    re.IGNORECASE,
)


def calls_resolved(sentence: str) -> bool:
    """Return whether a sentence calls something solved."""
    is_solved = _RESOLVED.search(sentence) or _NAMES_NOTHING.search(sentence)
    is_open = _UNRESOLVED.search(sentence) or _ASKED_OR_IN_PART.search(sentence)
    return is_solved is not None and not is_open


# A sentence of so few words hardly says what failed.
_BARE_WORDS = 4
# As much as is kept of a statement; less than the least of what stood before tells nothing.
_LEAST_REFERENT_CHARS = 40


def with_referent(said: Sequence[str], number: int) -> str:
    """Return a sentence; with the one beside it, cut, where it says little or leans on that."""
    sentence = said[number]
    beside = said[number - 1] if number else " ".join(said[1:2])
    bare = len(sentence.split()) <= _BARE_WORDS or needs_sentence_before(sentence)
    room = _TEXT_CHARS - len(sentence) - len(". ")
    if not beside or not bare or room < _LEAST_REFERENT_CHARS:
        return sentence
    beside = one_line(beside, room)
    first, second = (beside, sentence) if number else (sentence, beside)
    return with_following(first, second)


_COMMAND_CHARS = 160
# Programs that only look, prepare or shorten an output: their failure is no trouble of its own.
_ASIDES = frozenset(
    "cd echo printf tail head grep rg egrep ls cat less find test [ [[ sleep export set source ."
    " tee wc sort uniq cut awk sed diff cmp which type true false pwd mkdir rm cp mv touch".split()
)


def _without_asides(line: str) -> str:
    """Return the commands of a line in short; empty where there are only asides."""
    telling = (c for c in split_commands(line) if c.words and c.head not in _ASIDES)
    return one_line(" && ".join(" ".join(command.words) for command in telling), _COMMAND_CHARS)


_SOLVED_LIMIT = 40
# "That worked" speaks of what was told since the prompt before the last.
_TURNS_BACK = 2
# The user says "works now" of what was told before the mend was asked for.
_USERS_TURNS_BACK = 4
_KIND_WORDS = {
    VerifyKind.TEST: re.compile(r"\btests?\b|\bfail|\bspec", re.IGNORECASE),
    VerifyKind.BUILD: re.compile(r"\bbuilds?\b|\bcompil", re.IGNORECASE),
    VerifyKind.LINT: re.compile(r"\blint|\btype ?(?:check|error)", re.IGNORECASE),
}
_SHARED = 0.5
# What these fail at is a slip: the model looks again and goes on.
_OWN_HANDS = frozenset("Edit Glob Grep MultiEdit NotebookEdit Read Write".split())
FAILING_CHECK = re.compile(r"`([^`]+)` fails: ")
UNDER_WAY = "; under way, it goes on with"
"""Follows what git stopped at a conflict."""
# Stands for a check of something unnamed, which only a check of everything covers.
_SOMETHING = "check some/thing"


def extract_solved(content: WindowContent) -> tuple[Item, ...]:
    """Return what the window calls fixed in words, which settles issues of earlier windows."""
    said: deque[Item] = deque(maxlen=_SOLVED_LIMIT)
    for step in content.steps:
        said.extend(
            make_item(step, sentence)
            for sentence in spoken_sentences(step)
            if calls_resolved(sentence)
        )
    return tuple(said)


def is_settled(issue: Issue, kind: VerifyKind, passed: str) -> bool:
    """Return whether the passing of a check settles an issue.

    The failure of a check is settled by one that covers it, what was said of tests or a build by a
    check of all of them.
    """
    if issue.command:
        # By its options it is a build, or none.
        is_tsc = program_of(passed) == program_of(issue.command) == "tsc"
        is_of_kind = is_tsc or line_kind(issue.command) == kind
        return is_of_kind and check_covers(passed, issue.command)
    if FAILING_CHECK.match(issue.text):
        return False
    speaks_of_it = _KIND_WORDS[kind].search(issue.text) is not None
    return speaks_of_it and check_covers(passed, _SOMETHING)


def is_called_fixed(issue: Item, solved: Iterable[Item]) -> bool:
    """Return whether a later sentence calls an issue fixed."""
    return any(issue.offset < said.offset and _resolves(said.text, issue.text) for said in solved)


def _resolves(sentence: str, issue: str) -> bool:
    """Return whether a sentence that calls something fixed names the issue, or most words of it."""
    words, said = distinct_words(issue), distinct_words(sentence)
    return bool(
        anchors_of(sentence) & anchors_of(issue)
        or len(words & said) >= _SHARED * max(1, min(len(words), len(said)))
    )


_ISSUES_LIMIT = 10
_NAMED_COMMAND_CHARS = 80
# Of what longer texts of the model's call a problem, 2 of 12 were one: they weigh and explain.
_REPORT_SENTENCES = 6
_WORD = re.compile(r"[A-Za-z_]\w+", re.ASCII)
_CASE = re.compile(r"\b(?:FAIL|FAILED|ERROR):? (?:\S+::)?(\w*[Tt]est\w+)")


def extract_issues(content: WindowContent) -> tuple[Issue, ...]:
    """Return what is unresolved at the window's end, at most ten, oldest first.

    A check that last failed, any other step that did lately, and sentences on what still fails or
    blocks; left out is what a later sentence calls fixed, or a later passing check of its kind.
    """
    issues: list[Issue] = []
    # The uuids of what told of trouble, by turn.
    turns: deque[set[str]] = deque([set()], maxlen=_USERS_TURNS_BACK)
    begun: dict[str, ToolUse] = {}
    for step in content.steps:
        if step.by_user:
            turns.append(set())
        if step.tool is None:
            issues = _after_words(issues, step, turns)
            continue
        issues += _seen_to_fail(step, step.tool, begun)
        begun[step.tool.task_id] = step.tool
        for check in checks_of(step.tool):
            issues = _after_check(issues, check, step, step.tool)
    failing = [issue for one in open_failures(content) for issue in _failing_step(one)]
    told = distinct([*issues, *failing, *_failed_work(content)])
    return tuple(sorted(told, key=lambda issue: issue.offset))[-_ISSUES_LIMIT:]


def _seen_to_fail(
    step: TranscriptStep, tool: ToolUse, begun: Mapping[str, ToolUse]
) -> Iterator[Issue]:
    """Yield that work in the background failed, as the end of its output shows."""
    task_id, is_good = end_seen(tool)
    if is_good is False and task_id in begun:
        yield _failing(step, bash_command(begun[task_id]), tool)


def _failed_work(content: WindowContent) -> Iterator[Issue]:
    """Yield what the client says has failed in the background, and nobody has looked at since."""
    tools = [tool for _, tool in content.uses]
    seen = {end_seen(tool)[0] for tool in tools} & {tool.task_id for tool in tools}
    for step, noted in content.noted:
        if noted.failure and noted.ended not in seen:
            work, _, error = noted.failure.partition(" failed")
            yield _told(step, f"`{work}` fails: {error.strip(': ') or 'no error told'}")


def _after_words(issues: list[Issue], step: TranscriptStep, turns: deque[set[str]]) -> list[Issue]:
    """Return the issues after one more text: what it tells comes, what it calls fixed goes."""
    said = spoken_sentences(step)
    in_report = not step.by_user and len(said) > _REPORT_SENTENCES
    for number, sentence in enumerate(said):
        if not step.by_user and announces(sentence):
            continue  # "Now let me see what still fails" tells what comes next
        if not in_report and _ISSUE.search(sentence) and not _NO_ISSUE.search(sentence):
            told = _told(step, with_referent(said, number))
            issues = [*(issue for issue in issues if not _is_told_in(issue, told)), told]
            turns[-1].add(step.uuid)
        elif calls_resolved(sentence):
            back = _USERS_TURNS_BACK if step.by_user else _TURNS_BACK
            is_near = _NAMES_NOTHING.search(sentence) is not None
            near = set().union(*list(turns)[-back:]) if is_near else ()
            issues = [
                issue
                for issue in issues
                if issue.uuid not in near and not _resolves(sentence, issue.text)
            ]
    return issues


def _is_told_in(issue: Issue, later: Issue) -> bool:
    return issue.uuid == later.uuid and issue.text in later.text


def _names_its_case(line: str, issue: Issue) -> bool:
    """Return whether a line checks the very case that a failure tells of: `-run TestRefund`."""
    failing = FAILING_CHECK.match(issue.text)
    case = _CASE.search(issue.text, failing.end()) if failing else None
    return case is not None and case[1] in _WORD.findall(line)


def _told(step: TranscriptStep, text: str, command: str = "") -> Issue:
    return Issue(text=one_line(text, _TEXT_CHARS), **step.place, command=command)


def is_failure_of(issue: Issue, command: str) -> bool:
    """Return whether an issue is that what a line checks failed, perhaps with another pipe."""
    return FAILING_CHECK.match(issue.text) is not None and repeats_check(command, issue.command)


def _is_told_by_failure(issue: Issue, check: Check) -> bool:
    """Return whether the failing of a check tells an issue anew: its own, or "tests still fail"."""
    if FAILING_CHECK.match(issue.text) or issue.command:
        return is_failure_of(issue, check.text)
    names_it = re.search(rf"\b{check.kind}", issue.text, re.IGNORECASE) is not None
    return names_it and is_settled(issue, check.kind, check.text)


def is_failed_step(issue: Issue) -> bool:
    """Return whether an issue is that something else than a check failed."""
    return FAILING_CHECK.match(issue.text) is not None and line_kind(issue.command) is None


def _failing(step: TranscriptStep, command: str, tool: ToolUse) -> Issue:
    """Return that a command failed, with the error that a tool use shows."""
    error = telling_line(tool.result.text if tool.result else "")
    # The whole command beside its short name: by that it is known again when it passes.
    return _told(step, f"{command_name(command)} fails: {error}", command)


def command_name(command: str) -> str:
    """Return a command as an issue names it that tells of its failure."""
    return f"`{one_line(command, _NAMED_COMMAND_CHARS)}`"


def _failing_step(failure: OpenFailure) -> Iterator[Issue]:
    """Yield the issue that a step failed, unless it is a check whose result is known."""
    step, tool = failure.step, failure.tool
    if tool.name in _OWN_HANDS:
        return
    checks = checks_of(tool)
    if checks and could_not_find(tool):
        return
    if failure.strikes.error and all(check.passed is None for check in checks):
        command = checks[-1].text if checks else _without_asides(bash_command(tool))
        name = command_name(command or f"{tool.name} {tool.used_on}".strip())
        goes_on = failure.goes_on_with
        under_way = f"{UNDER_WAY} `{goes_on}`" if goes_on else ""
        told = one_line(f"{name} fails: {failure.strikes.error}", _TEXT_CHARS - len(under_way))
        yield _told(step, f"{told}{under_way}", command)


def _after_check(
    issues: list[Issue], check: Check, step: TranscriptStep, tool: ToolUse
) -> list[Issue]:
    """Return the issues after one more check: those that it settles go, its own failure comes."""
    if check.told_passed is None:
        is_over = check.no_failure
        return [issue for issue in issues if not (is_over and is_failure_of(issue, check.text))]
    if not check.told_passed:
        # What was said of it before is told with how it went last.
        again = [issue for issue in issues if not _is_told_by_failure(issue, check)]
        is_told = check.passed is None or tool.task_id  # by the client, when it ended
        return again if is_told else [*again, _failing(step, check.text, tool)]
    return [
        issue
        for issue in issues
        if not is_settled(issue, check.kind, check.text) and not _names_its_case(check.text, issue)
    ]

"""Find the commands that check the work, and how they last went."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from amplihack_compaction.language.text import normal_form
from amplihack_compaction.language.typed import split_typed
from amplihack_compaction.patterns.patterns import lazily
from amplihack_compaction.shell.commands import Command, split_commands
from amplihack_compaction.shell.runners import command_kind, line_kind
from amplihack_compaction.state.model import VerifyCommand, VerifyKind
from amplihack_compaction.transcript.boundaries import Window
from amplihack_compaction.transcript.nodes import ToolUse
from amplihack_compaction.transcript.steps import (
    Step,
    bash_command,
    prose_lines,
    was_refused,
    window_steps,
)
from amplihack_compaction.work.outcomes import outcome_of

_WHOLE_CHARS = 300
_WHOLE_LINES = 3
_KINDS = (VerifyKind.TEST, VerifyKind.BUILD, VerifyKind.LINT)
_NAMED = lazily(
    r"\b(?:run|use|execute|running|with|is|via)\s+`([^`\n]{2,160})`"
    r"(?=[^.\n]{0,60}\b(?:before|after|every|each|always|to (?:test|verify|check|validate)))",
    re.IGNORECASE,
)
_PLAIN_NAMED = lazily(
    r"\b(?:always |please |must )?run[ \t]+((?:\./)?[\w./:-]+(?:[ \t]+[\w./:=-]+){0,4}?)[ \t]+"
    r"(?:before|after|on)[ \t]+(?:every|each|any|you|committing|pushing|all)\b",
    re.IGNORECASE,
)
_LABELLED = lazily(
    r"^[ \t]*(?:[-*][ \t]+)?(?:\*\*)?(?:the[ \t]+)?"
    r"(tests?|checks?|verify|verification|build|lint|linter|type ?check)"
    r"(?:[ \t]+(?:command|with|via|are run with|is run with))?(?:\*\*)?[ \t]*[:=](?:\*\*)?"
    r"[ \t]*`?((?:\./|\.ci/)?[\w@][^`\n]{1,159}?)`?[ \t.]*$",
    re.IGNORECASE,
)
_ONE_FILE = lazily(
    r"\S\.(?:py|[cm]?[jt]sx?|rb|go|rs|php|java|kt|swift|exs?|cs|scala|cc|cpp|c)\b|::|\s--?(?:k|t"
    r"|g|run"
    r"|grep|filter|tests?)[\s=]"
)
_FILTER = lazily(
    r"\s--?(?:k|m|t|g|p|w|run|grep|filter|project|package|workspace|scope|match|only|module"
    r"|suite)[\s=]"
    # The names of cases, given without an option.
    r"|\s--\s+[\w-]+(?=\s|$)"
    r"|\b(?:vitest(?: run| watch)?|jest|mocha|ava|cargo (?:test|nextest run)|(?:deno|swift"
    r"|mix) test)\s+"
    r"(?!run\b|watch\b|-)[\w-]+(?=\s|$)"
)
_TARGET = lazily(r"[\"']?\.{0,2}[\w@-]*[/.:][\w./:@*-]*[\"']?$|[\"']?tests[\"']?$")
_LABEL_KINDS = {"build": VerifyKind.BUILD, "lint": VerifyKind.LINT, "type": VerifyKind.LINT}
_COMMAND_LIKE = lazily(r"(?:\./|\.?\w+/)?[\w.@-]+(?:\.\w+)?(?:[ \t]+[\w./:=@*-]+){0,8}$")


@dataclass(frozen=True, slots=True)
class Check:
    """One run of a check: its kind, its text as typed, and how it went."""

    step: Step
    kind: VerifyKind
    text: str
    phrase: str
    passed: bool | None


def extract_verify(window: Window) -> tuple[VerifyCommand, ...]:
    """Return the last test, build and lint command of the window, at most two per kind.

    The second of a kind is the last one that passed and checked more than some files, where the
    last one did not. `text` is the command as typed (of a script of many lines, its line that
    checks). A command that the user named as the check stands for its kind, whatever else ran; it
    has `passed` None until it is run. `passed` is also None when nothing tells the result: a
    pipe or `; echo` hides an exit code, so then only the output decides.
    """
    runs: list[Check] = []
    named: dict[VerifyKind, Check] = {}
    for step in window_steps(window):
        if step.tool is not None:
            runs.extend(checks_of(step, step.tool) or _named_runs(step, step.tool, named))
        elif step.by_user:
            for check in _named_checks(step):
                named[check.kind] = check
    chosen = (command for kind in _KINDS for command in _choose(kind, runs, named.get(kind)))
    return newest_commands(chosen)


def newest_commands(commands: Iterable[VerifyCommand]) -> tuple[VerifyCommand, ...]:
    """Return of each kind the newest command, and the newest that passed and is not narrow."""
    kept: dict[tuple[VerifyKind, bool], VerifyCommand] = {}
    for command in sorted(commands, key=lambda command: command.offset):
        kept[command.kind, False] = command
        if command.passed and not is_narrow(command.text):
            kept[command.kind, True] = command
    unique = {(command.kind, command.text, command.offset): command for command in kept.values()}
    newest = {(kind, text): command for (kind, text, _), command in sorted(unique.items(), key=_at)}
    return tuple(sorted(newest.values(), key=lambda command: command.offset))


def _at(keyed: tuple[tuple[VerifyKind, str, int], VerifyCommand]) -> int:
    return keyed[1].offset


def is_narrow(text: str) -> bool:
    """Tell whether a check is of single files or cases, and not of the whole or a folder of it."""
    return _ONE_FILE.search(text) is not None


def covers(wider: str, narrower: str) -> bool:
    """Tell whether a check that passed says that another one would: it checks the same or more.

    A check covers another of its kind when it has no targets of its own, or has the other's, or
    the folder they lie in.
    """
    if normal_form(wider) == normal_form(narrower):
        return True
    targets, others = _targets(wider), _targets(narrower)
    if _FILTER.search(wider):
        return False
    return not targets or (
        bool(others) and all(any(_lies_in(other, target) for target in targets) for other in others)
    )


def _targets(text: str) -> set[str]:
    """Return the paths and names of cases that a check is run on."""
    return {word.strip("\"'").removeprefix("./").rstrip("/") for word in text.split()[1:]
            if _TARGET.match(word)}  # fmt: skip


def _lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith((f"{folder}/", f"{folder}::"))


def _choose(kind: VerifyKind, runs: list[Check], named: Check | None) -> Iterator[VerifyCommand]:
    mine = [run for run in runs if run.kind is kind]
    if named is None:
        yield from (_command(run, run.passed) for run in mine)
        return
    asked = [run for run in mine if named.text in run.text]
    yield _command(asked[-1] if asked else named, asked[-1].passed if asked else None, named.text)


def _command(check: Check, passed: bool | None, text: str = "") -> VerifyCommand:
    return VerifyCommand(
        text=text or check.text,
        **check.step.place,
        kind=check.kind,
        passed=passed,
    )


def checks_of(step: Step, tool: ToolUse) -> list[Check]:
    """Return the checks that one tool use ran, each with its result as far as it is told."""
    line = bash_command(tool)
    if not line or was_refused(tool):
        return []
    commands = split_commands(line)
    kinds = [(place, kind) for place, c in enumerate(commands) if (kind := command_kind(c))]
    return [
        Check(
            step,
            VerifyKind(kind),
            _as_typed(line, commands, place),
            commands[place].phrase,
            outcome_of(tool, commands, place, len(kinds)),
        )
        for place, kind in kinds
    ]


def _named_runs(step: Step, tool: ToolUse, named: dict[VerifyKind, Check]) -> list[Check]:
    """Return runs of scripts that only the user's words tell to be checks."""
    line = bash_command(tool)
    if not line or was_refused(tool):
        return []
    commands = split_commands(line)
    return [
        Check(step, check.kind, line, command.phrase, outcome_of(tool, commands, place, 1))
        for check in named.values()
        for place, command in enumerate(commands)
        if command.text.startswith(check.text)
    ]


def _as_typed(line: str, commands: tuple[Command, ...], place: int) -> str:
    line = line.strip()
    if len(line) <= _WHOLE_CHARS and line.count("\n") < _WHOLE_LINES:
        return line
    return commands[place].text[:_WHOLE_CHARS]


def _named_checks(step: Step) -> list[Check]:
    """Return the commands that the user says are how the work is checked."""
    found: list[Check] = []
    for line in prose_lines(split_typed(step.text).typed):
        named = [match.group(1) for p in (_NAMED, _PLAIN_NAMED) for match in p.finditer(line)]
        for text in (name.strip() for name in named):
            kind = line_kind(text)
            if kind is not None or _is_script(text):
                found.append(Check(step, VerifyKind(kind or "test"), text, text, None))
        label = _LABELLED.match(line)
        text = label.group(2).strip() if label is not None else ""
        kind = line_kind(text) if text else None
        if label is not None and (kind or (_is_script(text) and _COMMAND_LIKE.match(text))):
            said = _LABEL_KINDS.get(label.group(1).lower()[:5].strip(), VerifyKind.TEST)
            found.append(Check(step, VerifyKind(kind or said), text, text, None))
    return found


def _is_script(text: str) -> bool:
    first = text.split()[0] if text.split() else ""
    return first.startswith(("./", ".ci/")) or first.endswith(".sh")

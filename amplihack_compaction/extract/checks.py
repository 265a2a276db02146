"""Find the commands that check the work, and how they last went."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from amplihack_compaction.extract.covered_checks import is_narrow, program_of
from amplihack_compaction.extract.model import VerifyCommand, VerifyKind
from amplihack_compaction.extract.outcomes import outcome_of
from amplihack_compaction.text.prompts import split_typed
from amplihack_compaction.text.shell.check_commands import command_kind, line_kind
from amplihack_compaction.text.shell.commands import Command, split_commands
from amplihack_compaction.transcript.nodes import ToolUse
from amplihack_compaction.transcript.steps import (
    Step,
    bash_command,
    prose_lines,
    was_refused,
    window_steps,
)
from amplihack_compaction.transcript.windows import Window

# Of so many programs that check the same kind what passed last is kept.
_PROGRAMS = 2
_WHOLE_CHARS = 300
_WHOLE_LINES = 3
_KINDS = (VerifyKind.TEST, VerifyKind.BUILD, VerifyKind.LINT)
_NAMED = re.compile(
    r"\b(?:run|use|execute|running|with|is|via)\s+`([^`\n]{2,160})`"
    r"(?=[^.\n]{0,60}\b(?:before|after|every|each|always|to (?:test|verify|check|validate)))",
    re.IGNORECASE,
)
_PLAIN_NAMED = re.compile(
    r"\b(?:always |please |must )?run[ \t]+((?:\./)?[\w./:-]+(?:[ \t]+[\w./:=-]+){0,4}?)[ \t]+"
    r"(?:before|after|on)[ \t]+(?:every|each|any|you|committing|pushing|all)\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"^[ \t]*(?:[-*][ \t]+)?(?:\*\*)?(?:the[ \t]+)?"
    r"(tests?|checks?|verify|verification|build|lint|linter|type ?check)"
    r"(?:[ \t]+(?:command|with|via|are run with|is run with))?(?:\*\*)?[ \t]*[:=](?:\*\*)?"
    r"[ \t]*`?((?:\./|\.ci/)?[\w@][^`\n]{1,159}?)`?[ \t.]*$",
    re.IGNORECASE,
)
_LABEL_KINDS = {"build": VerifyKind.BUILD, "lint": VerifyKind.LINT, "type": VerifyKind.LINT}
_COMMAND_LIKE = re.compile(r"(?:\./|\.?\w+/)?[\w.@-]+(?:\.\w+)?(?:[ \t]+[\w./:=@*-]+){0,8}$")


@dataclass(frozen=True, slots=True)
class Check:
    """One run of a check: its kind, its text as typed, and how it went."""

    step: Step
    kind: VerifyKind
    text: str
    phrase: str
    passed: bool | None


def extract_verify(window: Window) -> tuple[VerifyCommand, ...]:
    """Return the last test, build and lint command of the window, at most three per kind.

    The others of a kind are what passed last, and checked more than some files, with each of two
    programs. `text` is the command as typed (of a script of many lines, its line that
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
    """Return of each kind the newest command, and what passed last of its two newest programs.

    Only what is not narrow counts as passed: whoever tests a server with one program and a page
    with another needs both.
    """
    newest: dict[VerifyKind, VerifyCommand] = {}
    passed: dict[VerifyKind, dict[str, VerifyCommand]] = {}
    for command in sorted(commands, key=lambda command: command.offset):
        newest[command.kind] = command
        if command.passed and not is_narrow(command.text):
            programs = passed.setdefault(command.kind, {})
            program = program_of(command.text)
            programs.pop(program, None)
            programs[program] = command
    wide = [command for each in passed.values() for command in [*each.values()][-_PROGRAMS:]]
    by_offset = sorted((*wide, *newest.values()), key=lambda command: command.offset)
    unique = {(command.kind, command.text): command for command in by_offset}
    return tuple(sorted(unique.values(), key=lambda command: command.offset))


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

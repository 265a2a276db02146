"""Find the commands that check the work, how they last went, and which of them covers another."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from amplihack_compaction.extract.statements import VerifyCommand, VerifyKind
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.commands import (
    Command,
    command_kind,
    fails_as_a_whole,
    split_commands,
)
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import ANSI, normal_form
from amplihack_compaction.transcript.session import ToolUse, bash_command, was_refused

_PATTERNS = patterns("verify_commands")

_ONE_FILE = re.compile(_PATTERNS["one file"])
_FILTER = re.compile(_PATTERNS["filter"])
_TARGET = re.compile(r"[\"']?\.{0,2}[\w@-]*[/.:][\w./:@*-]*[\"']?$|[\"']?tests[\"']?$")
_HOW_LOUD = frozenset("-v -vv -vvv -q -qq -s --verbose --quiet --no-color -count=1".split())
# Scripts that are named as parts are, and run everything.
_WHOLES = frozenset(
    "test:ci test:all test:full check:ci check:all lint:ci lint:all build:ci build:all".split()
)
# A task of a runner: whoever runs `test` and `test:integration` knows that neither has the other.
_TASK = re.compile(r"[\w-]+(?::[\w-]+)+")
_MODULE = re.compile(r"^\S*python[\d.]*\s+-m\s+")
# The programs that run one language's tests and builds: none of them tells of another language's.
_LANGUAGES = tuple(
    frozenset(names.split())
    for names in (
        "pytest py.test unittest nosetests nose2 behave python python3 hypothesis doctest",
        "npm pnpm yarn bun node deno vitest jest mocha ava karma jasmine cypress playwright wtr tsc"
        " testem tsup webpack rollup esbuild vite next react-scripts ng",
        "cargo nextest rustc",
        "go gotestsum",
        "mvn mvnw gradle gradlew javac sbt",
        "dotnet",
        "rspec rake bundle rails minitest cucumber",
        "phpunit pest paratest composer artisan",
        "swift xcodebuild",
        "mix",
        "flutter dart",
        "ctest ninja gcc g++ clang clang++",
    )
)


def is_narrow(text: str) -> bool:
    """Say whether a check is of single files or cases, and not of the whole or a folder of it."""
    return _ONE_FILE.search(text) is not None


def program_of(text: str) -> str:
    """Return the name of the program that a command checks with, as in `cd app && npm test`."""
    return next((each.phrase.partition(" ")[0] for each in _checking(text)), "")


def _checking(text: str) -> list[Command]:
    """Return the commands of a line that check something."""
    return [command for command in split_commands(text) if command_kind(command)]


def commands_checking(text: str) -> list[str]:
    """Return what a line checks with, as it is told to others: no pipe, no `-q`, no `cd` before."""
    return [
        " ".join(word for word in words.split() if word not in _HOW_LOUD)
        for words in _words_of(text)
    ]


def check_covers(wider: str, narrower: str) -> bool:
    """Return whether a check that passed says that another one would: it checks the same or more.

    A check covers another of its kind when it has no targets of its own, or has the other's, or
    the folder they lie in. What one language's program says tells nothing of another's.
    """
    if normal_form(wider) == normal_form(narrower) or is_same_check(wider, narrower):
        return True
    targets, others = _targets(wider), _targets(narrower)
    if not _tasks(narrower) <= targets and _WHOLES.isdisjoint(wider.split()):
        return False
    if any(_FILTER.search(words) for words in _words_of(wider)) or _is_of_another_language(
        program_of(wider), program_of(narrower)
    ):
        return False
    return not targets or (
        bool(others) and all(any(_lies_in(other, target) for target in targets) for other in others)
    )


def is_same_check(one: str, other: str) -> bool:
    """Return whether two lines check the same, whatever they are piped to and however loudly."""
    return _essences(one) == _essences(other)


def repeats_check(line: str, earlier: str) -> bool:
    """Return whether a line runs again all that an earlier one checked."""
    again = _essences(line)
    return all(essence in again for essence in _essences(earlier))


def _essences(text: str) -> list[list[str]]:
    lines = (words.split() for words in _words_of(text))
    return [sorted({word.rstrip("/") for word in words} - _HOW_LOUD) for words in lines]


def _words_of(text: str) -> list[str]:
    """Return the commands of a line that check, without what only runs them: `python -m`."""
    lines = (" ".join(command.words) for command in _checking(text))
    return [_MODULE.sub("", line) for line in lines] or [text]


def _is_of_another_language(program: str, other: str) -> bool:
    """Return whether two programs run the checks of two languages; `make` may run any."""
    mine = next((names for names in _LANGUAGES if program in names), None)
    others = next((names for names in _LANGUAGES if other in names), None)
    return mine is not None and others is not None and mine is not others


def _targets(text: str) -> set[str]:
    """Return the paths and names of cases that a check is run on."""
    words = [word for line in _words_of(text) for word in line.split()[1:]]
    named = (word.strip("\"'") for word in words if _TARGET.match(word) and word not in _WHOLES)
    # "./..." is all that lies below, as Go names it.
    paths = {word.removesuffix("...").removeprefix("./").rstrip("/") for word in named}
    return paths - {"", "."}


def _tasks(text: str) -> set[str]:
    """Return what of a check's targets are tasks of a runner: `test:integration`."""
    return set(filter(_TASK.fullmatch, _targets(text)))


def _lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith((f"{folder}/", f"{folder}::"))


_CACHED_OUTPUTS = 64
_COUNT = re.compile(_PATTERNS["count"], re.IGNORECASE | re.MULTILINE)
_FAILED = re.compile(_PATTERNS["failed"], re.MULTILINE)
_PASSED = re.compile(_PATTERNS["passed"], re.MULTILINE | re.IGNORECASE)
_NOT_RUN = re.compile(_PATTERNS["not run"], re.MULTILINE)
_NOT_STARTED = re.compile(_PATTERNS["not started"], re.MULTILINE)
_TESTED_NOTHING = re.compile(_PATTERNS["tested nothing"], re.MULTILINE | re.IGNORECASE)
_TESTED_SOMETHING = re.compile(_PATTERNS["tested something"], re.MULTILINE)
_NO_PLACE = re.compile(r"No such file or directory|directory not found", re.IGNORECASE)
_NOTHING_PRINTED = re.compile(r"(?:Error: )?(?:Exit code \d+)?")
_PROBES = frozenset("[ [[ command find grep ls stat test type which".split())
_SEARCHERS = frozenset(("grep", "egrep", "rg"))
# What shows only a part of an output.
_SHORTENERS = frozenset(("head", "tail", "cat", "tee"))
_LEAVES_THE_END = frozenset(("cat", "ls", "echo", "tee"))
_LINES = re.compile(r"-(?:n ?|-lines=)?(\d{1,6})\b")
_SUMMARY_LINES = 5


def was_started(tool: ToolUse) -> bool:
    """Return whether a call came to run anything, as far as its result tells."""
    return tool.result is None or not (
        tool.result.is_error and _NOT_STARTED.search(tool.result.text)
    )


def could_not_find(tool: ToolUse) -> bool:
    """Return whether a line was run in the wrong folder or names no file: that checks nothing."""
    return tool.result is not None and _lacks_place(ANSI.sub("", tool.result.text))


def _lacks_place(output: str) -> bool:
    """Return whether an output tells of a missing file, and no check that counted results does."""
    return _NO_PLACE.search(output) is not None and _COUNT.search(output) is None


@lru_cache(maxsize=_CACHED_OUTPUTS)
def _told(text: str) -> tuple[bool, bool, bool]:
    """Return whether an output says that nothing ran, and its outcome.

    One command line can hold hundreds of checks with one output.
    """
    output = ANSI.sub("", text)
    failed, passed = read_outcome(output)
    lacking = _NOT_RUN.search(output) is not None or _lacks_place(output)
    found_none = _TESTED_NOTHING.search(output) and not _TESTED_SOMETHING.search(output)
    not_run = bool(found_none) or (lacking and _PASSED.search(output) is None)
    return not_run, failed, passed


def outcome_of(tool: ToolUse, commands: tuple[Command, ...], place: int, kinds: int) -> bool | None:
    """Return whether the check at a place of a command line passed; None when nothing tells.

    The exit code tells where it is the check's own; `kinds` is how many checks the line has.
    """
    result = tool.result
    after = [command.before for command in commands[place + 1 :]]
    if result is None or tool.task_id or tool.input.get("run_in_background") is True:
        return _of_background(tool, commands) if tool.task_id and kinds == 1 else None
    not_run, failed, passed = _told(result.text)
    if not_run or commands[place].after == "&":
        return None
    if result.is_error:
        if _was_stopped_before(commands[: place + 1], result.text):
            return None
        if not failed and commands[-1].head in _SEARCHERS and "|" in after[-1:]:
            return None  # it found nothing
        return _of_failed_line(after, kinds, failed, passed) if was_started(tool) else None
    # Of `check && show | head` only what is last in the pipe is hidden.
    if not after or (after[0] == "&&" and {"&&", "|", "|&"}.issuperset(after)):
        return True
    if failed:
        return False
    return True if passed or _says_nothing(result.text, commands, place) else None


def _says_nothing(output: str, commands: tuple[Command, ...], place: int) -> bool:
    """Return whether a check that speaks only of what is wrong, shown in part, was silent."""
    shown = all(command.head in _SHORTENERS for command in commands[place + 1 :])
    kept = "/dev/null" not in " ".join(command.text for command in commands[place:])
    return not output.strip() and shown and kept and command_kind(commands[place]) != "test"


def read_outcome(output: str) -> tuple[bool, bool]:
    """Return whether an output shows failures, and whether it shows success."""
    counts = [int(found[found.lastindex or 0]) for found in _COUNT.finditer(output)]
    if counts:
        return any(counts), not any(counts)
    return _FAILED.search(output) is not None, _PASSED.search(output) is not None


def _was_stopped_before(commands: tuple[Command, ...], output: str) -> bool:
    """Return whether a look that stands before a check stopped the line: it printed nothing."""
    *before, check = commands
    looks = [command for command in before if command.head != "cd"]
    is_silent = _NOTHING_PRINTED.fullmatch(output.strip()) is not None and not check.into
    probed = bool(looks) and all(command.head in _PROBES for command in looks)
    return is_silent and probed and all(one.before == "&&" for one in (*looks[1:], check))


def _of_background(tool: ToolUse, commands: tuple[Command, ...]) -> bool | None:
    """Judge the check of a line by how that ended in the background, where nothing else may tell.

    All that is joined by `&&` went well where the line did; of what failed it may be any part.
    """
    alone = all(command.head == "cd" for command in commands[:-1])
    is_own = fails_as_a_whole(bash_command(tool)) and (alone or tool.succeeded)
    return tool.succeeded if is_own else None


def _of_failed_line(after: list[str], checks: int, failed: bool, passed: bool) -> bool | None:
    """Judge a check of a line that failed as a whole: a later command may be the one."""
    if checks > 1:
        return None
    if all(operator in ("|", "|&") for operator in after):
        return False
    return None if failed == passed else passed


# Of so many programs that check the same kind what passed last is kept.
_PROGRAMS = 2
_WHOLE_CHARS = 300
_WHOLE_LINES = 3
_GIT_TAKES_AWAY = frozenset("checkout clean reset restore revert rm stash".split())


@dataclass(frozen=True, slots=True)
class Check:
    """One run of a check: its kind, its text as typed, and how it went.

    Of a line that failed it may be unknown which of its checks did. `no_failure` is shown where the
    end of the output tells of none, though nothing says that it passed.
    """

    kind: VerifyKind
    text: str
    phrase: str
    passed: bool | None
    line_failed: bool = False
    no_failure: bool = False

    @property
    def told_passed(self) -> bool | None:
        """Whether what is typed as `text` passed."""
        return False if self.line_failed else self.passed


def extract_verify(content: WindowContent) -> tuple[VerifyCommand, ...]:
    """Return the last test, build and lint command of the window, at most three per kind.

    The others of a kind are what passed last, and checked more than some files, with each of two
    programs. `text` is the command as typed (of a script of many lines, its line that checks).
    `passed` is None when nothing tells the result: a pipe or `; echo` hides an exit code, so then
    only the output decides.
    """
    return newest_commands(
        VerifyCommand(text=check.text, **step.place, kind=check.kind, passed=check.told_passed)
        for step, tool in content.uses
        for check in checks_of(tool)
        if not _lacks_wrapper(check, tool)
    )


def _lacks_wrapper(check: Check, tool: ToolUse) -> bool:
    """Return whether the shell does not know what only runs the check, as `timeout` on a Mac."""
    output, first = tool.result.text if tool.result is not None else "", check.text.split()[0]
    missing = f"command not found: {first}", f"{first}: command not found", f"{first}: not found"
    return first != program_of(check.text) and any(told in output for told in missing)


def newest_commands(commands: Iterable[VerifyCommand]) -> tuple[VerifyCommand, ...]:
    """Return of each kind the newest command, and what passed last of its two newest programs.

    Only what is not narrow counts as passed: whoever tests a server with one program and a page
    with another needs both. A runner's `test` and `test:integration` count as two programs.
    """
    newest: dict[VerifyKind, VerifyCommand] = {}
    passed: dict[VerifyKind, dict[str, VerifyCommand]] = {}
    for command in sorted(commands, key=lambda command: command.offset):
        newest[command.kind] = command
        if command.passed and not is_narrow(command.text):
            programs = passed.setdefault(command.kind, {})
            program = " ".join((program_of(command.text), *sorted(_tasks(command.text))))
            programs.pop(program, None)
            programs[program] = command
    wide = [command for each in passed.values() for command in [*each.values()][-_PROGRAMS:]]
    by_offset = sorted((*wide, *newest.values()), key=lambda command: command.offset)
    unique = {(command.kind, command.text): command for command in by_offset}
    return tuple(sorted(unique.values(), key=lambda command: command.offset))


def checks_of(tool: ToolUse) -> list[Check]:
    """Return the checks that one tool use ran, each with its result as far as it is told."""
    line = bash_command(tool)
    if not line or was_refused(tool):
        return []
    commands = split_commands(line)
    kinds = [(place, kind) for place, c in enumerate(commands) if (kind := command_kind(c))]
    passed = {place: outcome_of(tool, commands, place, len(kinds)) for place, _ in kinds}
    failed = len(kinds) > 1 and (_line_failed(tool) or False in passed.values())
    return [
        Check(
            VerifyKind(kind),
            text := _as_typed(line, commands, place),
            commands[place].phrase,
            passed[place],
            line_failed=failed and text == line.strip(),
            no_failure=passed[place] is None
            and _ends_well(tool, commands[place], commands[place + 1 :]),
        )
        for place, kind in kinds
    ]


def _ends_well(tool: ToolUse, check: Command, behind: Sequence[Command]) -> bool:
    """Return whether the end of a check's output is shown, and tells of no failure."""
    result = tool.result
    if result is None or result.is_error or tool.task_id or not result.text.strip():
        return False
    not_run, failed, _ = _told(result.text)
    return not (not_run or failed) and not check.into and all(map(_shows_the_end, behind))


def _shows_the_end(command: Command) -> bool:
    """Return whether what stands behind a check leaves its summary to be seen."""
    if command.head == "tail":
        lines = _LINES.search(command.text)
        is_long = lines is None or int(lines[1]) >= _SUMMARY_LINES
        return is_long and "-c" not in command.words
    tells_code = "$?" in command.text or "PIPESTATUS" in command.text
    return command.head in _LEAVES_THE_END and command.before != "&" and not tells_code


def _line_failed(tool: ToolUse) -> bool:
    """Return whether a line of several checks was run, and one of them failed."""
    result = tool.result
    return (
        result is not None and result.is_error and was_started(tool) and not _told(result.text)[0]
    )


def _changes_files(command: Command) -> bool:
    """Return whether a command takes work away: who checks again must not run it again."""
    if command.head == "git":
        return not _GIT_TAKES_AWAY.isdisjoint(command.arguments[:1])
    return command.head in ("rm", "mv", "trash")


def _as_typed(line: str, commands: tuple[Command, ...], place: int) -> str:
    line = line.strip()
    short = len(line) <= _WHOLE_CHARS and line.count("\n") < _WHOLE_LINES
    if short and not any(map(_changes_files, commands)):
        return line
    return commands[place].text[:_WHOLE_CHARS]

"""Rows on programs: interpreters, this package, the client, and each hook fired as a process."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from amplihack_compaction import __version__
from amplihack_compaction.base.files import read_bytes
from amplihack_compaction.base.installation import own_python
from amplihack_compaction.cli.doctor.installation import (
    Installation,
    RegisteredIn,
    may_be_run,
    programs_not_there,
    runner_of,
)
from amplihack_compaction.cli.doctor.rows import Grade, Row, install_command
from amplihack_compaction.cli.install.replay import Answer, Replay, replay_session
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    TIMEOUT_SECONDS,
    Registered,
    Runner,
)

_PROGRAMS = "programs"
CLIENT = "claude"
_PROBE = "import sys; print(*sys.version_info[:2]); print(sys.executable)"
_OLDEST = (3, 11)
_STARTS = 4
_START_SECONDS = 5.0
_CLIENT_SECONDS = 2.0
# Earlier clients write no boundary where they compact.
_OLDEST_CLIENT = 2
_FILE_LIMIT_BYTES = 64 * 1024
_VERSION_LINE = re.compile(rb'^__version__ = "([^"\n]{1,40})"', re.MULTILINE)
_LEADING_NUMBER = re.compile(r"(\d{1,6})\.")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter as it was run: `bare_ms` is its fastest start without anything to do.

    `real` is the program that it turns out to be, `real_ms` that one's own fastest start: the
    difference is what a version manager's shim costs. `problem` says why it could not be run.
    """

    path: str
    version: tuple[int, int] = (0, 0)
    bare_ms: float = 0.0
    real: str = ""
    real_ms: float = 0.0
    problem: str = ""

    @property
    def is_shim(self) -> bool:
        """Whether it only starts another program."""
        return bool(self.real) and os.path.realpath(self.real) != os.path.realpath(self.path)


def probe_interpreters(installed: Installation) -> dict[str, Interpreter]:
    """Run each interpreter of hooks that may be run, and return what it is, by its path."""
    paths = {
        runner.python: None
        for place, hook in installed.registered
        if (runner := runner_of(hook)) is not None
        and os.access(runner.python, os.X_OK)
        and may_be_run(installed, place, runner)
    }
    plugin = installed.plugin
    if plugin is not None and os.access(plugin.runner.python, os.X_OK):
        paths[plugin.runner.python] = None
    return {path: _probe(path) for path in paths}


def check_interpreters(interpreters: dict[str, Interpreter]) -> list[Row]:
    """Return a row for each interpreter that the hooks run in."""
    return [_interpreter_row(each) for each in interpreters.values()]


def check_versions(installed: Installation) -> list[Row]:
    """Return the rows on the package that runs here and the ones that the hooks belong to."""
    python = ".".join(map(str, sys.version_info[:3]))
    text = f"amplihack-compaction {__version__}, run by {own_python()} (Python {python})"
    rows = [Row(_PROGRAMS, Grade.PASS, text)]
    runners = {runner_of(hook) for _, hook in installed.registered}
    runners |= {installed.plugin.runner} if installed.plugin is not None else set()
    for folder in sorted({runner.folder for runner in runners if runner is not None}):
        found = _version_beside(folder)
        if found and found != __version__:
            text = f"the hooks in {folder} are of version {found}, this command of {__version__}"
            rows.append(
                Row(_PROGRAMS, Grade.WARNING, text, f"{install_command()} registers this one's")
            )
    return rows


def check_client() -> Row:
    """Return the row on the client that the shell finds."""
    path = shutil.which(CLIENT)
    if path is None or not path.startswith("/"):
        text = f"no `{CLIENT}` on the PATH; an editor may bring its own"
        return Row(_PROGRAMS, Grade.WARNING, text)
    said = _output([path, "--version"], _CLIENT_SECONDS)
    number = _LEADING_NUMBER.match(said)
    if number is None:
        text = f"{path} --version said nothing that is a version"
        return Row(_PROGRAMS, Grade.WARNING, text, f"run `{CLIENT} doctor`")
    version = said.split()[0]
    if int(number[1]) < _OLDEST_CLIENT:
        text = f"Claude Code {version} ({path}) does not mark its compactions"
        return Row(_PROGRAMS, Grade.WARNING, text, "update it: `claude update`")
    return Row(_PROGRAMS, Grade.PASS, f"Claude Code {version} ({path})")


def _interpreter_row(each: Interpreter) -> Row:
    if each.problem:
        text = f"{each.path} cannot be run: {each.problem}"
        return Row(_PROGRAMS, Grade.FAILURE, text, install_command())
    version = ".".join(map(str, each.version))
    if each.version < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        text = f"{each.path} is Python {version}; the hooks need {oldest} or later"
        return Row(_PROGRAMS, Grade.FAILURE, text, f"{install_command()}, run by a later one")
    if each.is_shim:
        cost = each.bare_ms - each.real_ms
        text = (
            f"{each.path} only starts {each.real}: that costs every hook {cost:.0f} ms"
            f" ({each.bare_ms:.0f} instead of {each.real_ms:.0f})"
        )
        return Row(
            _PROGRAMS, Grade.WARNING, text, f"{install_command()} writes the interpreter's own path"
        )
    return Row(
        _PROGRAMS, Grade.PASS, f"{each.path}: Python {version}, starts in {each.bare_ms:.0f} ms"
    )


def _probe(path: str) -> Interpreter:
    said = _output([path, "-I", "-S", "-c", _PROBE], _START_SECONDS).splitlines()
    try:
        major, minor = (int(part) for part in said[0].split())
        real = said[1]
    except (IndexError, ValueError):
        return Interpreter(path, problem="it did not answer as a Python interpreter does")
    bare_ms = _fastest_start(path)
    probed = Interpreter(path, (major, minor), bare_ms, real, bare_ms)
    if not probed.is_shim:
        return probed
    return Interpreter(path, (major, minor), bare_ms, real, _fastest_start(real))


def _fastest_start(path: str) -> float:
    """Return the milliseconds of the fastest of a few starts: the others waited for something."""

    def start() -> float:
        began = time.perf_counter()
        _output([path, "-I", "-S", "-c", "pass"], _START_SECONDS)
        return 1000 * (time.perf_counter() - began)

    return min(start() for _ in range(_STARTS))


def _output(command: list[str], seconds: float) -> str:
    """Return what a program prints; empty when it fails, or takes too long."""
    try:
        done = subprocess.run(  # noqa: S603 - a program that the client or the shell would run
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""


def _version_beside(folder: str) -> str:
    """Return the version of the package that lies beside a folder of hook scripts."""
    beside = folder.rpartition("/")[0]
    source = read_bytes(f"{beside}/amplihack_compaction/__init__.py", _FILE_LIMIT_BYTES) or b""
    found = _VERSION_LINE.search(source)
    return found[1].decode("ascii", "replace") if found else ""


HOOKS = "hooks"
# Events of every turn, and what they may take above a bare start before it is felt.
_FREQUENT = frozenset({"PreToolUse", "UserPromptSubmit"})
_FREQUENT_MS = 150
# The client drops a hook at its time limit; on a busier day it takes longer than now.
_LIMIT_PART = 0.25


def check_hooks(installed: Installation, interpreters: dict[str, Interpreter]) -> list[Row]:
    """Fire every registered hook on a recorded compaction, and return a row for each.

    Only what `install` writes is fired, and nothing that lies inside the project.
    """
    rows: list[Row] = []
    fired: set[tuple[str, ...]] = set()
    for place in installed.places:
        hooks = [hook for hook in place.hooks if _can_be_fired(installed, place, hook)]
        rows += _left_out(installed, place)
        commands = tuple(sorted(hook.command for hook in hooks))
        if commands and commands not in fired:
            fired.add(commands)
            rows += _fire(str(place.scope.path), hooks, None, interpreters)
    plugin = installed.plugin
    if plugin is not None and plugin.runner.python in interpreters:
        rows += _fire(f"the plugin {plugin.id}", plugin.hooks, plugin.runner, interpreters)
    return rows


def _can_be_fired(installed: Installation, place: RegisteredIn, hook: Registered) -> bool:
    runner = runner_of(hook)
    if runner is None or hook.name not in TIMEOUT_SECONDS or programs_not_there(runner, hook):
        return False
    return may_be_run(installed, place, runner)


def _left_out(installed: Installation, place: RegisteredIn) -> Iterator[Row]:
    runners = {runner_of(hook) for hook in place.hooks}
    foreign = [r for r in runners if r is not None and not may_be_run(installed, place, r)]
    if foreign:
        inside = foreign[0].python if len(foreign) == 1 else "several interpreters"
        text = f"{place.scope.path}: hooks that lie inside the project were not fired ({inside})"
        remedy = f"read them; `{install_command()}` registers those of this command instead"
        yield Row(HOOKS, Grade.WARNING, text, remedy)


def _fire(
    where: str,
    hooks: Sequence[Registered],
    known: Runner | None,
    interpreters: dict[str, Interpreter],
) -> Iterator[Row]:
    """Yield a row for each hook; `known` is what they run where their commands do not tell."""
    replay = replay_session(hooks, is_sample=True)
    for hook in hooks:
        answers = [answer for answer in replay.answers if answer.event == hook.name]
        if answers:
            runner = known or runner_of(hook)
            interpreter = interpreters.get(runner.python) if runner is not None else None
            yield _hook_row(hook, answers, interpreter)
    yield from _replay_rows(where, replay)


def _hook_row(hook: Registered, answers: list[Answer], interpreter: Interpreter | None) -> Row:
    problem = next((answer.problem for answer in answers if answer.problem), "")
    if problem:
        remedy = f"{install_command()}; or install.sh, where it is a package that is missing"
        return Row(HOOKS, Grade.FAILURE, f"{hook.name}: {problem}", remedy)
    fastest, bare = min(answer.milliseconds for answer in answers), 0.0
    beside = ""
    if interpreter is not None and interpreter.bare_ms:
        bare = interpreter.bare_ms
        beside = f"; {bare:.0f} of it the interpreter's start"
    longest = max((answer.stdout for answer in answers), key=len)
    said = f"{len(longest)} characters" if longest else "nothing, as it should"
    text = f"{hook.name} answers {said}, in {fastest:.0f} ms{beside}"
    if hook.name in _FREQUENT and fastest - bare > _FREQUENT_MS:
        remedy = "every turn pays for that: is the machine busy, the disk remote, or the"
        return Row(HOOKS, Grade.WARNING, text, f"{remedy} package not compiled? install.sh does it")
    limit_ms = 1000 * (hook.timeout_seconds or TIMEOUT_SECONDS[hook.name])
    if fastest > _LIMIT_PART * limit_ms:
        remedy = f'the client gives it {limit_ms / 1000:g} s: raise its "timeout" in the settings'
        return Row(HOOKS, Grade.WARNING, text, remedy)
    return Row(HOOKS, Grade.PASS, text)


def _replay_rows(where: str, replay: Replay) -> Iterator[Row]:
    """Yield what no single answer shows: what was logged, and what the model was not told."""
    of_answers = {f"{answer.event}: {answer.problem}" for answer in replay.answers}
    rest = [problem for problem in dict.fromkeys(replay.problems) if problem not in of_answers]
    if rest:
        text = f"the hooks of {where} do not carry a compaction: {rest[0]}"
        yield Row(HOOKS, Grade.FAILURE, text, install_command(), details=tuple(rest))

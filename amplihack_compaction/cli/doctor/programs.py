"""Rows on programs: the launchers, this package, the client, each hook fired as a process."""

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator

from amplihack_compaction import __version__
from amplihack_compaction.base.installation import own_python
from amplihack_compaction.cli.doctor.installation import Installation
from amplihack_compaction.cli.doctor.rows import Grade, Repair, Row, install_command
from amplihack_compaction.cli.install.replay import Answer, Replay, replay_session
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    TIMEOUT_SECONDS,
    Registered,
    command_of,
)
from amplihack_compaction.clients.claude_code.wiring.launchers import (
    LAUNCHERS_FOLDER,
    InstalledHooks,
    installed_hooks,
    write_launchers,
)

_PROGRAMS = "programs"
CLIENT = "claude"
_STARTS = 4
_START_SECONDS = 5.0
_CLIENT_SECONDS = 2.0
# Earlier clients write no boundary where they compact.
_OLDEST_CLIENT = 2
_LEADING_NUMBER = re.compile(r"(\d{1,6})\.")


def check_versions(installed: Installation) -> list[Row]:
    """Return the rows on the package that runs here and on what the launchers start."""
    python = ".".join(map(str, sys.version_info[:3]))
    text = f"amplihack-compaction {__version__}, run by {own_python()} (Python {python})"
    rows = [Row(_PROGRAMS, Grade.PASS, text)]
    if installed.registered or installed.plugin is not None:
        rows.append(_launchers_row(installed_hooks()))
    return rows


def _launchers_row(found: InstalledHooks | None) -> Row:
    remedy = f"{install_command()}, or --fix, writes them"
    repair = Repair(f"wrote the hooks to {LAUNCHERS_FOLDER}", write_launchers)
    if found is None:
        text = f"no hooks in {LAUNCHERS_FOLDER}: what is registered does nothing"
        return Row(_PROGRAMS, Grade.FAILURE, text, remedy, repair=repair)
    if found.missing:
        text = f"the hooks do nothing, {found.missing[0]} is missing"
        return Row(_PROGRAMS, Grade.FAILURE, text, remedy, repair=repair)
    if found.version != __version__:
        text = f"the hooks are of version {found.version}, this command of {__version__}"
        return Row(_PROGRAMS, Grade.WARNING, text, remedy, repair=repair)
    start = fastest_start_ms(found.python)
    text = f"the hooks are run by {found.python}, which starts in {start:.0f} ms"
    return Row(_PROGRAMS, Grade.PASS, text)


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


def fastest_start_ms(path: str) -> float:
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


HOOKS = "hooks"
# Events of every turn, and what they may take above a bare start before it is felt.
_FREQUENT = frozenset({"PreToolUse", "UserPromptSubmit"})
_FREQUENT_MS = 150
# The client drops a hook at its time limit; on a busier day it takes longer than now.
_LIMIT_PART = 0.25


def check_hooks(installed: Installation) -> list[Row]:
    """Fire every hook that is wired on a recorded compaction, once, and return a row for each.

    Only what `install` writes is fired.
    """
    plugin = installed.plugin.hooks if installed.plugin is not None else ()
    wired = [*(hook for _, hook in installed.registered), *plugin]
    hooks = {hook.name: hook for hook in reversed(wired) if hook.command == command_of(hook.name)}
    installation = installed_hooks()
    if not hooks or installation is None or installation.missing:
        return []
    replay = replay_session(list(hooks.values()), is_sample=True)
    start_ms = fastest_start_ms(installation.python)
    rows = []
    for name in (name for name in TIMEOUT_SECONDS if name in hooks):
        answers = [answer for answer in replay.answers if answer.event == name]
        if answers:
            rows.append(_hook_row(hooks[name], answers, start_ms))
    return [*rows, *_replay_rows(replay)]


def _hook_row(hook: Registered, answers: list[Answer], bare: float) -> Row:
    problem = next((answer.problem for answer in answers if answer.problem), "")
    if problem:
        remedy = f"{install_command()}; or install.sh, where it is a package that is missing"
        return Row(HOOKS, Grade.FAILURE, f"{hook.name}: {problem}", remedy)
    fastest = min(answer.milliseconds for answer in answers)
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


def _replay_rows(replay: Replay) -> Iterator[Row]:
    """Yield what no single answer shows: what was logged, and what the model was not told."""
    of_answers = {f"{answer.event}: {answer.problem}" for answer in replay.answers}
    rest = [problem for problem in dict.fromkeys(replay.problems) if problem not in of_answers]
    if rest:
        text = f"the hooks do not carry a compaction: {rest[0]}"
        yield Row(HOOKS, Grade.FAILURE, text, install_command(), details=tuple(rest))

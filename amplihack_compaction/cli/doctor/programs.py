"""Rows on programs: the launchers, this package, the client, each hook fired as a process."""

import os
import re
import shutil
import subprocess
import sys

from amplihack_compaction import __version__
from amplihack_compaction.base.installation import own_command, own_python
from amplihack_compaction.cli.doctor.installation import Installation
from amplihack_compaction.cli.doctor.rows import Repair, Row, failed, passed, warned
from amplihack_compaction.cli.replay import Answer, replay_session
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    TIMEOUT_SECONDS,
    Registered,
    command_of,
)
from amplihack_compaction.clients.claude_code.wiring.launchers import (
    LAUNCHERS_FOLDER,
    InstalledHooks,
    installed_hooks,
    running_package,
    write_launchers,
)
from amplihack_compaction.text.words import counted

CLIENT = "claude"
_CLIENT_SECONDS = 2.0
# Events of every turn, and from when on one is felt.
_FREQUENT = frozenset({"PreToolUse", "UserPromptSubmit"})
_FREQUENT_MS = 200
# The client drops a hook at its time limit; on a busier day it takes longer than now.
_LIMIT_PART = 0.25
_VERSION = re.compile(r"\d{1,6}\.")


def check_versions(installed: Installation) -> list[Row]:
    """Return the rows on the package that runs here and on what the launchers start."""
    python = ".".join(map(str, sys.version_info[:3]))
    text = f"amplihack-compaction {__version__}, run by {own_python()} (Python {python})"
    rows = [passed(text)]
    if installed.registered or installed.plugin is not None:
        rows.append(_launchers_row(installed_hooks()))
    return rows


def _launchers_row(found: InstalledHooks | None) -> Row:
    remedy = f"{own_command()} install, or --fix, writes them"
    repair = Repair(f"wrote the hooks to {LAUNCHERS_FOLDER}", write_launchers)
    if found is None:
        text = f"no hooks in {LAUNCHERS_FOLDER}: what is registered does nothing"
        return failed(text, remedy, repair=repair)
    if found.missing:
        return failed(f"the hooks do nothing, {found.missing[0]} is missing", remedy, repair=repair)
    text = f"the hooks are of version {found.version}, this command of {__version__}"
    if _numbers(found.version) > _numbers(__version__):
        return warned(text, "update this command: the hooks may have written what it cannot read")
    if found.version != __version__:
        return warned(text, remedy, repair=repair)
    own = running_package().package_folder
    of_another = f", of the package in {found.package_folder}, while this command is of {own}"
    is_own = os.path.realpath(found.package_folder) == os.path.realpath(own)
    return passed(f"the hooks are run by {found.python}{'' if is_own else of_another}")


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d{1,6}", version)]


def check_client() -> Row:
    """Return the row on the client that the shell finds."""
    path = shutil.which(CLIENT)
    if path is None or not path.startswith("/"):
        return warned(f"no `{CLIENT}` on the PATH; an editor may bring its own")
    try:
        done = subprocess.run(  # noqa: S603 - a program that the shell would run
            [path, "--version"],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=_CLIENT_SECONDS, check=True,
        )  # fmt: skip
        said = done.stdout.decode("utf-8", "replace")
    except (OSError, ValueError, subprocess.SubprocessError):
        said = ""
    if not _VERSION.match(said):
        return warned(f"{path} --version said nothing that is a version", f"run `{CLIENT} doctor`")
    return passed(f"Claude Code {said.split()[0]} ({path})")


def check_hooks(installed: Installation) -> list[Row]:
    """Fire every hook that is wired as `install` does it, once, and return what came of it."""
    wired = [hook for hook in installed.hooks if hook.command == command_of(hook.name)]
    hooks = {hook.name: hook for hook in reversed(wired)}
    installation = installed_hooks()
    if not hooks or installation is None or installation.missing:
        return []
    try:
        replay = replay_session(list(hooks.values()), is_sample=True)
    except OSError as error:
        text = f"the hooks could not be fired in a temporary project: {error}"
        return [failed(text, "is there room in the folder for temporaries?")]
    ranked = sorted(replay.answers, key=lambda each: (not each.problem, each.milliseconds))
    names = dict.fromkeys(answer.event for answer in replay.answers)
    fastest = {name: next(each for each in ranked if each.event == name) for name in names}
    rows = [row for name in fastest if (row := _wrong(hooks[name], fastest[name]))]
    # What no single answer shows: what was logged, and what the model was not told.
    of_answers = {f"{answer.event}: {answer.problem}" for answer in replay.answers}
    rest = [problem for problem in dict.fromkeys(replay.problems) if problem not in of_answers]
    if rest:
        text = f"the hooks do not carry a compaction: {rest[0]}"
        rows.append(failed(text, f"{own_command()} install", *rest))
    if rows:
        return rows
    name, slowest = max(fastest.items(), key=lambda each: each[1].milliseconds)
    took = f"the slowest, {name}, in {slowest.milliseconds / 1000:.1f} s"
    return [passed(f"{counted(len(fastest), 'hook')} answer as they should, {took}")]


def _wrong(hook: Registered, answer: Answer) -> Row | None:
    """Return the row on a hook that fails or is slow; None for one that is in order."""
    if answer.problem:
        or_else = "or install.sh, where it is a package that is missing"
        return failed(f"{hook.name}: {answer.problem}", f"{own_command()} install; {or_else}")
    took = answer.milliseconds
    limit_ms = 1000 * (hook.timeout_seconds or TIMEOUT_SECONDS[hook.name])
    text = f"{hook.name} took {took:.0f} ms"
    if hook.name in _FREQUENT and took > _FREQUENT_MS:
        remedy = "every turn pays for that: is the machine busy, the disk remote, or the"
        return warned(text, f"{remedy} package not compiled? install.sh does it")
    if took > _LIMIT_PART * limit_ms:
        remedy = f'the client gives it {limit_ms / 1000:g} s: raise its "timeout" in the settings'
        return warned(text, remedy)
    return None

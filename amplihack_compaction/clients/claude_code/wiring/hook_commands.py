"""The hook commands as the client runs them: built, and recognised again in any settings file.

    [ -x 'PY' ] && [ -f 'HOOK' ] || exit 0; 'PY' -I -S 'HOOK' || exit 0

With its script gone an interpreter exits 2, and the client then refuses every tool and erases
every prompt. So the command looks before it runs, and never passes on an exit code.
"""

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.installation import own_python

STORE_SUFFIX = "+store"
"""Ends the name of an event's second hook: the one that stores, and that nobody waits for."""
TIMEOUT_SECONDS = {
    "PreCompact": 30,
    "PreCompact+store": 30,
    "SessionStart": 30,
    "PostCompact": 30,
    "PostCompact+store": 30,
    "PreToolUse": 10,
    "UserPromptSubmit": 10,
    "Stop": 30,
    "Stop+store": 30,
    "SessionEnd": 10,  # without one the client allows 1.5 s
    "SessionEnd+store": 30,
}
EVENTS = tuple(name for name in TIMEOUT_SECONDS if not name.endswith(STORE_SUFFIX))
_STORE_SCRIPT = "store.py"
SCRIPTS = {
    "PreCompact": "pre_compact.py",
    "PreCompact+store": _STORE_SCRIPT,
    "SessionStart": "session_start.py",
    "PostCompact": "post_compact.py",
    "PostCompact+store": _STORE_SCRIPT,
    "PreToolUse": "pre_tool_use.py",
    "UserPromptSubmit": "user_prompt_submit.py",
    "Stop": "stop.py",
    "Stop+store": _STORE_SCRIPT,
    "SessionEnd": "session_end.py",
    "SessionEnd+store": _STORE_SCRIPT,
}
INSTALLED_FOLDER = "amplihack_compaction_hooks"
_CHECKOUT_FOLDER = "hooks"
_SHAPE = "[ -x {0} ] && [ -f {1} ] || exit 0; {0} -I -S {1} || exit 0"


@dataclass(frozen=True, slots=True)
class Runner:
    """What the registered commands run: an interpreter and the folder of the hook scripts."""

    python: str
    folder: str

    def command(self, name: str) -> str:
        """Return the shell command of a hook."""
        script = f"{self.folder}/{SCRIPTS[name]}"
        return _SHAPE.format(_quote(self.python), _quote(script))

    def entry(self, name: str) -> dict[str, object]:
        """Return a hook's entry, as it stands in a settings file."""
        entry: dict[str, object] = {
            "type": "command",
            "command": self.command(name),
            "timeout": TIMEOUT_SECONDS[name],
        }
        return {**entry, "async": True} if name.endswith(STORE_SUFFIX) else entry

    def group(self, event: str, names: Sequence[str] = ()) -> dict[str, object]:
        """Return the group that holds an event's hooks; it matches every source and every tool.

        `names` are the hooks that it is to hold, all of the event's by default.
        """
        matcher = {"matcher": "*"} if event == "SessionStart" else {}
        return {**matcher, "hooks": [self.entry(name) for name in names or hooks_of(event)]}


def hooks_of(event: str) -> list[str]:
    """Return the names of an event's hooks: its own, and the one that stores, where it has one."""
    return [name for name in (event, event + STORE_SUFFIX) if name in SCRIPTS]


def name_of(event: str, command: str) -> str:
    """Return the name of the hook that one of our commands under an event runs."""
    return event + STORE_SUFFIX if f"/{_STORE_SCRIPT}" in command else event


def running_package() -> Runner:
    """Return what the commands of the package that is running now are made of.

    Raises CompactionError when its hook scripts are not where they belong.
    """
    return Runner(own_python(), str(hook_scripts()))


def hook_scripts() -> Path:
    """Return the folder with the hook scripts: beside the package, installed or in a checkout."""
    beside = Path(__file__).parents[4]
    for name in (INSTALLED_FOLDER, _CHECKOUT_FOLDER):
        folder = beside / name
        if all((folder / script).is_file() for script in SCRIPTS.values()):
            return folder
    raise CompactionError(f"the hook scripts are missing beside {beside}: run install.sh again")


def is_ours(command: object) -> bool:
    """Return whether a command of a settings file runs a hook of this package, wherever it lies.

    It does when it has the shape that the installer writes and names one of the scripts in a
    folder of either name, or when it names a script of an installed environment at all.
    """
    if not isinstance(command, str):
        return False
    if any(f"/{INSTALLED_FOLDER}/{script}" in command for script in SCRIPTS.values()):
        return True
    hook = Path(programs_of(command)[1])
    return (
        hook.parent.name in (INSTALLED_FOLDER, _CHECKOUT_FOLDER) and hook.name in SCRIPTS.values()
    )


def programs_of(command: str) -> tuple[str, str]:
    """Return the interpreter and the script of a command in our shape; empty in any other."""
    try:
        words = shlex.split(command)
    except ValueError:
        return "", ""
    if len(words) != len(_SHAPE.split()):
        return "", ""
    python, hook = words[2], words[7]
    is_shaped = words == shlex.split(_SHAPE.format(_quote(python), _quote(hook)))
    return (python, hook) if is_shaped else ("", "")


def missing_programs(command: str) -> list[str]:
    """Return what a command in our shape looks for before it runs, and does not find.

    Without it the command does nothing, silently.
    """
    python, hook = programs_of(command)
    missing = [python] if python and not os.access(python, os.X_OK) else []
    return [*missing, hook] if hook and not os.access(hook, os.R_OK) else missing


def _quote(path: str) -> str:
    """Quote a path for the shell, always: a reader of the settings sees where it ends."""
    return "'" + path.replace("'", "'\"'\"'") + "'"

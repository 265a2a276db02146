"""The hook commands as the client runs them: built, and recognised again in any settings file.

    [ -x 'PY' ] && [ -f 'HOOK' ] || exit 0; 'PY' -I -S 'HOOK' || exit 0

With its script gone an interpreter exits 2, and the client then refuses every tool and erases
every prompt. So the command looks before it runs, and never passes on an exit code.
"""

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from amplihack_compaction.errors import CompactionError

TIMEOUT_SECONDS = {
    "PreCompact": 30,
    "SessionStart": 30,
    "PostCompact": 30,
    "PreToolUse": 10,
    "UserPromptSubmit": 10,
    "Stop": 30,
    "SessionEnd": 10,  # without one the client allows 1.5 s
}
EVENTS = tuple(TIMEOUT_SECONDS)
SCRIPTS = {
    "PreCompact": "pre_compact.py",
    "SessionStart": "session_start.py",
    "PostCompact": "post_compact.py",
    "PreToolUse": "pre_tool_use.py",
    "UserPromptSubmit": "user_prompt_submit.py",
    "Stop": "stop.py",
    "SessionEnd": "session_end.py",
}
INSTALLED_FOLDER = "amplihack_compaction_hooks"
_CHECKOUT_FOLDER = "hooks"
_SHAPE = "[ -x {0} ] && [ -f {1} ] || exit 0; {0} -I -S {1} || exit 0"


@dataclass(frozen=True, slots=True)
class Runner:
    """What the registered commands run: an interpreter and the folder of the hook scripts."""

    python: str
    folder: str

    def command(self, event: str) -> str:
        """Return the shell command for an event."""
        script = f"{self.folder}/{SCRIPTS[event]}"
        return _SHAPE.format(_quote(self.python), _quote(script))

    def entry(self, event: str) -> dict[str, object]:
        """Return the hook entry for an event, as it stands in a settings file."""
        return {
            "type": "command",
            "command": self.command(event),
            "timeout": TIMEOUT_SECONDS[event],
        }

    def group(self, event: str) -> dict[str, object]:
        """Return the group that holds the entry; it matches every source and every tool."""
        matcher = {"matcher": "*"} if event == "SessionStart" else {}
        return {**matcher, "hooks": [self.entry(event)]}


def running_package() -> Runner:
    """Return what the commands of the package that is running now are made of.

    Raises CompactionError when its hook scripts are not where they belong.
    """
    return Runner(own_python(), str(hook_scripts()))


def hook_scripts() -> Path:
    """Return the folder with the hook scripts: beside the package, installed or in a checkout."""
    beside = Path(__file__).parents[2]
    for name in (INSTALLED_FOLDER, _CHECKOUT_FOLDER):
        folder = beside / name
        if all((folder / script).is_file() for script in SCRIPTS.values()):
            return folder
    raise CompactionError(f"the hook scripts are missing beside {beside}: run install.sh again")


def own_python() -> str:
    """Return the interpreter's absolute path; an environment's own, its link not resolved."""
    if sys.prefix != sys.base_prefix:
        python = os.path.join(sys.prefix, "bin", "python")  # noqa: PTH118 - a string, no lookups
        if os.access(python, os.X_OK):
            return python
    return os.path.abspath(sys.executable)  # noqa: PTH100 - Path.resolve would follow the link


def is_ours(command: object) -> bool:
    """Tell whether a command of a settings file runs a hook of this package, wherever it lies.

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


def _quote(path: str) -> str:
    """Quote a path for the shell, always: a reader of the settings sees where it ends."""
    return "'" + path.replace("'", "'\"'\"'") + "'"

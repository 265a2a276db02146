"""Where this package is installed: its interpreter, how its command is called, its environment.

What is told to the user or the model names what works as it stands: the command lies in an
environment of its own, which is on the `PATH` only where somebody put it there.
"""

import os
import sys
from shlex import quote

COMMAND_NAME = "amplihack-compaction"


def own_python() -> str:
    """Return the interpreter's absolute path; an environment's own, its link not resolved."""
    if sys.prefix != sys.base_prefix:
        python = f"{sys.prefix}/bin/python"
        if os.access(python, os.X_OK):
            return python
    return os.path.abspath(sys.executable)  # noqa: PTH100 - Path.resolve would follow the link


def own_command() -> str:
    """Return how a shell calls this command: by its name where that finds it, else by its path."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    candidates = (f"{folder}/{COMMAND_NAME}" for folder in folders if folder)
    found = next((path for path in candidates if os.access(path, os.X_OK)), "")
    return COMMAND_NAME if _is_link_to(_own_script(), found) else own_path()


def own_path() -> str:
    """Return how whoever has another `PATH` calls this command: its path, or its module.

    That of the link that installers put into `~/.local/bin`, if there is one, is shorter.
    """
    own = _own_script()
    if not os.access(own, os.X_OK):
        # -P: a module of this name in the folder where it is called is not ours.
        return f"{quote(own_python())} -P -m amplihack_compaction"
    linked = os.path.expanduser(f"~/.local/bin/{COMMAND_NAME}")  # noqa: PTH111 - may be unknown
    if _is_link_to(own, linked):
        own = linked
    return shortened(own) if quote(own) == own else quote(own)


def _own_script() -> str:
    return f"{own_python().rpartition('/')[0]}/{COMMAND_NAME}"


def _is_link_to(own: str, path: str) -> bool:
    # To resolve no name at all would ask for the current folder, which may be gone.
    return path != "" and os.path.realpath(path) == os.path.realpath(own)


def shortened(text: str) -> str:
    """Return a text for people with `~` for the home in its paths."""
    home = os.path.expanduser("~").rstrip("/")  # noqa: PTH111 - may be unknown, and stay `~`
    if not home.startswith("/"):
        return text
    import re

    return re.sub(rf"(?<![\w/.~-]){re.escape(home)}(?=/)", "~", text)


def installer() -> str:
    """Return the tool whose environment this is, `uv tool` or `pipx`; empty for any other."""
    places = {"/uv/tools/": "uv tool", "/pipx/venvs/": "pipx"}
    return next((tool for place, tool in places.items() if place in sys.prefix), "")


def extra_command(extra: str) -> str:
    """Return the command that installs an extra beside the package, as that was installed."""
    wanted = f"'{COMMAND_NAME}[{extra}]'"
    by_tool = {"uv tool": "uv tool install", "pipx": "pipx install --force"}
    return f"{by_tool.get(installer(), f'{quote(own_python())} -m pip install')} {wanted}"


def data_folder() -> str:
    """Return the user's folder for what belongs to no project, where the environment lies too."""
    # As the shell has it: without a user of that name, `~` stays.
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")  # noqa: PTH111
    return os.environ.get("AMPLIHACK_COMPACTION_HOME") or f"{data}/{COMMAND_NAME}"

"""The launchers: one small program a hook in a folder of the user's, which the settings name.

    ~/.local/share/amplihack-compaction/hooks/PreToolUse
    ~/.local/share/amplihack-compaction/hooks/installed    VERSION, interpreter, package folder

Wherever the package lies, the commands stay the same: `install` writes the launchers, and all
projects use those of the newest one.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from amplihack_compaction import __version__
from amplihack_compaction.base.errors import CompactionError, reason_of
from amplihack_compaction.base.files import make_folder, read_bytes, write_temporary
from amplihack_compaction.base.installation import own_python
from amplihack_compaction.base.size_limits import DISABLE_VARIABLE, NOT_DISABLING

LAUNCHERS_FOLDER = "~/.local/share/amplihack-compaction/hooks"
LAUNCHERS = (
    "PreCompact", "SessionStart", "PostCompact", "PreToolUse", "UserPromptSubmit", "Stop",
    "SessionEnd", "Store",
)  # fmt: skip
_INSTALLED = "installed"
_LIMIT_BYTES = 64 * 1024
# The kernel takes no longer one, and splits it at white space.
_PLAIN_INTERPRETER = re.compile(r"/[!-~]{1,110}")
_SWITCH = DISABLE_VARIABLE.encode()
_ON = " ".join(NOT_DISABLING).encode()  # one constant: five take the compiler longer
# Checked before anything of the package is imported: a switched-off hook costs a bare start, and
# one whose package is gone while its interpreter stays says nothing.
_CODE = """\
import posix, sys
if posix.access({run!r}, posix.R_OK) and \
(posix.environ.get({switch!r}) or b"0").lower() in {on!r}.split():
    sys.path.insert(0, {folder!r})
    from amplihack_compaction.hook.run import run_hook
    run_hook({name!r})
"""


@dataclass(frozen=True, slots=True)
class InstalledHooks:
    """What the launchers start: a version of the package, its interpreter and its folder."""

    version: str
    python: str
    package_folder: str

    @property
    def missing(self) -> list[str]:
        """The launchers, interpreter and package that are gone; without them a hook is silent."""
        paths = [f"{launchers_folder()}/{name}" for name in LAUNCHERS]
        needed = [*paths, self.python, f"{self.package_folder}/amplihack_compaction"]
        return [path for path in needed if not os.access(path, os.X_OK)]


def launchers_folder() -> str:
    """Return the folder of the launchers, as the shell finds it."""
    return os.path.expanduser(LAUNCHERS_FOLDER)  # noqa: PTH111 - without a home, `~` stays


def running_package() -> InstalledHooks:
    """Return what launchers start that are written now."""
    return InstalledHooks(__version__, own_python(), str(Path(__file__).parents[4]))


def installed_hooks() -> InstalledHooks | None:
    """Return what the launchers start; None where there are none."""
    data = read_bytes(f"{launchers_folder()}/{_INSTALLED}", _LIMIT_BYTES) or b""
    lines = os.fsdecode(data).split("\n")
    return InstalledHooks(*lines[:3]) if len(lines) == 4 else None


def write_launchers() -> InstalledHooks:
    """Write the launchers of the package that is running now, and return what they start.

    Raises CompactionError when they cannot be written.
    """
    package, folder = running_package(), launchers_folder()
    try:
        if not os.path.isabs(folder):  # noqa: PTH117 - no home
            raise FileNotFoundError(folder)
        make_folder(folder)
        for name in LAUNCHERS:
            text = launcher_text(name, package.python, package.package_folder)
            _write(f"{folder}/{name}", text, 0o755)
        lines = (package.version, package.python, package.package_folder, "")
        _write(f"{folder}/{_INSTALLED}", "\n".join(lines), 0o644)
    except OSError as error:
        raise CompactionError(
            f"the hooks cannot be written to {folder}: {reason_of(error)}"
        ) from None
    return package


def launcher_text(name: str, python: str, package_folder: str) -> str:
    """Return the program that starts a hook."""
    run = f"{package_folder}/amplihack_compaction/hook/run.py"
    code = _CODE.format(name=name, folder=package_folder, run=run, switch=_SWITCH, on=_ON)
    if _PLAIN_INTERPRETER.fullmatch(python):
        return f"#!{python} -IS\n{code}"
    return f"#!/bin/sh\nexec {quote(python)} -IS -c {quote(code)}\n"


def _write(path: str, text: str, mode: int) -> None:
    temporary = Path(write_temporary(path, (os.fsencode(text),)))
    temporary.chmod(mode)
    temporary.replace(path)

"""The environment that the package runs in: whether it stays, and how it is brought up to date."""

import json
import os
import re
import shutil
import subprocess
import sys
from typing import Any

from amplihack_compaction import __version__
from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.installation import COMMAND_NAME, installer, own_python


def lasting_command() -> str:
    """Return this command in an environment that stays, made now, if it runs in a cached one.

    `uvx` and `pipx run` keep theirs in a cache, and hooks would be gone with it. Empty where this
    one stays. Raises CompactionError where none can be made.
    """
    if not _is_cached(sys.prefix):
        return ""
    uv, pipx = os.environ.get("UV") or shutil.which("uv"), shutil.which("pipx")
    url = _installed_from().get("url")
    source = f"{COMMAND_NAME} @ {url}" if url else f"{COMMAND_NAME}=={__version__}"
    if uv:
        _ask([uv, "tool", "install", "--quiet", source])
        folder = _ask([uv, "tool", "dir", "--bin"])
    elif pipx:
        _ask([pipx, "install", source])
        folder = _ask([pipx, "environment", "--value", "PIPX_BIN_DIR"])
    else:
        raise CompactionError(f"{sys.prefix} may vanish: use `pip install {COMMAND_NAME}`")
    return f"{folder}/{COMMAND_NAME}"


def upgrade_command() -> list[str]:
    """Return the command that brings the package up to its newest version.

    Raises CompactionError where it was installed from a folder.
    """
    if "dir_info" in (origin := _installed_from()):
        raise CompactionError(
            f"it was installed from {origin.get('url')}: get the newest version there,"
            " and run ./install.sh again"
        )
    if tool := installer():
        return [*tool.split(), "upgrade", COMMAND_NAME]
    return [own_python(), "-m", "pip", "install", "--quiet", "--upgrade", COMMAND_NAME]


def removal_command() -> str:
    """Return the command that takes the package away, as it was installed; empty for pip's."""
    return f"{installer()} uninstall {COMMAND_NAME}" if installer() else ""


def _is_cached(prefix: str) -> bool:
    above = prefix.split("/")
    folders = ("/".join(above[:n]) for n in range(2, len(above)))
    is_marked = any(os.path.exists(f"{folder}/CACHEDIR.TAG") for folder in folders)  # noqa: PTH110
    return is_marked or bool(re.search(r"/(\.cache|Caches)/|/pipx/\.cache/", prefix))


def _installed_from() -> dict[str, Any]:
    """Return what the installer noted of where the package came from; nothing for an index."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        noted = json.loads(distribution(COMMAND_NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _ask(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise CompactionError(f"{command[0]} failed: {done.stderr.strip()[-500:]}")
    return done.stdout.strip()

"""Keep from git what only one person has, in `info/exclude`, which git shares with nobody."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from amplihack_compaction.base.files import replace_atomically

_BEGIN, _END = "# amplihack-compaction: what only you have\n", "# end of amplihack-compaction\n"
_GIT_SECONDS = 10


def exclude_from_git(project: Path, paths: Sequence[str]) -> None:
    """Have git overlook these paths below a project's folder, and no others that we named before.

    Nothing is done outside of a repository, or where there is no git.
    """
    try:
        file = Path(_git(project, "--path-format=absolute", "--git-path", "info/exclude"))
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        before, _, rest = text.partition(_BEGIN)
        kept = before + rest.partition(_END)[2]
        if paths:
            top = _git(project, "--show-prefix")
            lines = "".join(f"/{top}{path}\n" for path in paths)
            kept += "\n" * (kept[-1:] not in ("", "\n")) + _BEGIN + lines + _END
        if kept != text:
            file.parent.mkdir(exist_ok=True)
            replace_atomically(str(file), kept.encode())
    except (OSError, ValueError, subprocess.SubprocessError):
        return


def _git(folder: Path, *asked: str) -> str:
    command = ["git", "rev-parse", *asked]
    done = subprocess.run(  # noqa: S603 - fixed words
        command, cwd=folder, capture_output=True, text=True, check=True, timeout=_GIT_SECONDS
    )
    return done.stdout.strip()

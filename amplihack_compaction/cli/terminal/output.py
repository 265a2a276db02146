"""The file that a user named for what a command gives: whole, or as it was before."""

import os
from collections.abc import Iterable
from pathlib import Path

from amplihack_compaction.base.errors import CompactionError, reason_of
from amplihack_compaction.base.files import replace_with_parts

STDOUT = "-"
"""What names standard output in the place of a file."""


def output_file(named: str | Path) -> Path:
    """Return the file that is to be written, with links resolved: they are the user's own.

    Raises CompactionError where no regular file can be.
    """
    # Those of `Path` raise where there is no such user, and for links in a ring.
    path = Path(os.path.realpath(os.path.expanduser(named)))  # noqa: PTH111
    if not path.parent.is_dir():
        raise CompactionError(f"there is no folder {path.parent}: make it, or name another file")
    if os.path.exists(path) and not path.is_file():  # noqa: PTH110 - false for odd names
        raise CompactionError(f"{path} is not a regular file: name another one")
    return path


def write_output(path: Path, parts: Iterable[bytes]) -> None:
    """Put the parts in the file's place, for the user alone (0600).

    Raises CompactionError when it cannot be written; it then is as it was.
    """
    try:
        replace_with_parts(str(path), parts)
    except OSError as error:
        raise CompactionError(f"cannot write {path}: {reason_of(error)}") from error

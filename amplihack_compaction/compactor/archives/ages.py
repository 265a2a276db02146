"""When files were changed last: by git where their content is the committed one, else by mtime.

A checkout gives every file the time of the checkout, and only git knows better. A file whose
content is another than the newest commit's was changed since, whatever git says.
"""

import hashlib
import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from amplihack_compaction.compactor.archives.documents import DatedBy
from amplihack_compaction.compactor.backups.folder import FileImage

_TIMEOUT_SECONDS = 3.0
_COMMIT = b"\x01"
_HASHES = {40: "sha1", 64: "sha256"}
# A repository that somebody else made must not have a program of its choice run.
_GIT = (
    "git", "--no-pager", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false",
    "-c", "log.showSignature=false", "-c", "protocol.allow=never", "-c", "core.quotePath=false",
    "-c", "color.ui=false", "-c", "log.follow=false", "-c", "log.showRoot=true",
    "-c", "gpg.program=false",
)  # fmt: skip
_LOG = (
    "log", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv",
    "--no-show-signature", "--no-notes", "--relative", "--format=%x01%ct", "--", ".",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LastChange:
    """The local day of a file's last change, and what told it."""

    day: date
    told_by: DatedBy


def last_changes(folder: str, images: Mapping[str, FileImage]) -> dict[str, LastChange]:
    """Return when the files of a folder were changed last; git is asked once for all of them.

    Without git, or where it says nothing within 3 seconds, by the files' own times. Never fails.
    """
    committed = dict(_newest_first(_git_log(folder))) if images else {}
    changes = {}
    for path, image in images.items():
        seconds, blob = committed.get(path, (0, b""))
        if blob and blob == _blob_name(image.content, len(blob)):
            changes[path] = LastChange(_day(seconds), "git")
        else:
            changes[path] = LastChange(_day(image.stamp.mtime_ns / 10**9), "mtime")
    return changes


def _git_log(folder: str) -> bytes:
    environment = {name: value for name, value in os.environ.items() if name[:4] != "GIT_"}
    environment |= {
        "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1", "GIT_PAGER": "cat",
    }  # fmt: skip
    try:
        done = subprocess.run(  # noqa: S603 - fixed words; the folder is no argument
            [*_GIT, *_LOG],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return b""
    return done.stdout if done.returncode == 0 else b""


def _newest_first(log: bytes) -> Iterator[tuple[str, tuple[float, bytes]]]:
    """Yield path, commit time and blob from the oldest commit on, so that the newest is last."""
    found = []
    seconds = 0.0
    fields = iter(log.split(b"\0"))
    for field in fields:
        item = field.removeprefix(b"\n")  # stands before a commit's first file
        if item.startswith(_COMMIT):
            seconds = float(item[1:]) if item[1:].isdigit() else 0.0
        elif item.startswith(b":"):
            path = next(fields, b"")
            words = item.split(b" ")
            if path and len(words) == 5:
                found.append((os.fsdecode(path), (seconds, words[3])))
    return reversed(found)


def _blob_name(content: bytes, digits: int) -> bytes:
    """Return the name that git gives to this content, in a repository with names so long."""
    kind = _HASHES.get(digits)
    if kind is None:
        return b""
    blob = hashlib.new(kind, b"blob %d\0" % len(content), usedforsecurity=False)
    blob.update(content)
    return blob.hexdigest().encode()


def _day(seconds: float) -> date:
    return date.fromtimestamp(min(max(seconds, 0.0), time.time()))

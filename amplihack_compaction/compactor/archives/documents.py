"""The documents in which a folder keeps what was archived of its files, one for each part.

<folder>/.compaction/archived/2026-01-05_progress.md_20260204-101112-a1b2c3d4_1.md

    ---
    version: 1
    source: "progress.md"              its path in the folder
    heading: ["Progress", "Login"]     the headings above it, the highest first
    date: "2026-01-05"                 of the oldest in it, and of the newest
    until: "2026-01-09"
    dated_by: "text"                   or git, or mtime: the file's own last change
    line: 12                           where it began in the file, from 1
    lines: 30
    tokens: 412
    whole: false                       whether it is the whole file, which is gone then
    sha256: "..."
    archived: "2026-02-04T10:11:12Z"
    history: "20260204-101112-a1b2c3d4"
    ---
    the part, to the byte

The values are JSON. The name tells the part's date, its file, its change and its number there.
"""

import json
import re
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from amplihack_compaction.base.errors import BackupError
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.compactor.backups.entry import is_entry_id, time_of_id
from amplihack_compaction.compactor.backups.folder import (
    FILE_LIMIT_BYTES,
    KEPT_FOLDER,
    Folder,
    digest_of,
)

DOCUMENT_VERSION = 1
ARCHIVE_FOLDER = f"{KEPT_FOLDER}/archived"
PART_LIMIT_BYTES = FILE_LIMIT_BYTES - 256 * 1024
"""How large a part may be: with what is said above it, it must still be read again."""

DatedBy = Literal["text", "git", "mtime"]
_NAME = re.compile(r"[0-9-]{10}_[a-z0-9.-]{0,40}_([0-9]{8}-[0-9]{6}-[0-9a-f]{8})_[0-9]{1,9}\.md")
_OTHER_SIGNS = re.compile(r"[^a-z0-9.-]+")
_SLUG_CHARS = 40
_MARK = b"---\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a file that goes to the archive; `line` counts from 1, dates are of its content.

    `document` is where it is kept, empty as long as it is not.
    """

    source: str
    heading: tuple[str, ...]
    first: date
    last: date
    dated_by: DatedBy
    line: int
    lines: int
    digest: str
    tokens: int = 0
    whole: bool = False
    document: str = ""


def document_path(part: Part, history_id: str, number: int) -> str:
    """Return where a part is kept, below its folder; `number` is its own in the change."""
    slug = _OTHER_SIGNS.sub("-", part.source.casefold())[-_SLUG_CHARS:]
    return f"{ARCHIVE_FOLDER}/{part.first}_{slug}_{history_id}_{number}.md"


def document_change(path: str) -> str:
    """Return the id of the change that made a document; empty for what is none."""
    match = _NAME.fullmatch(path.rpartition("/")[2])
    return match[1] if match and is_entry_id(match[1]) else ""


def document_of(part: Part, content: bytes, history_id: str) -> bytes:
    """Return the document for a part with this content."""
    values: dict[str, Any] = {
        "version": DOCUMENT_VERSION,
        "source": part.source,
        "heading": list(part.heading),
        "date": str(part.first),
        "until": str(part.last),
        "dated_by": part.dated_by,
        "line": part.line,
        "lines": part.lines,
        "tokens": part.tokens,
        "whole": part.whole,
        "sha256": part.digest,
        "archived": utc_text(time_of_id(history_id).timestamp()),
        "history": history_id,
    }
    # ASCII, so that no character of a heading or name ends a line.
    head = "".join(f"{name}: {json.dumps(value)}\n" for name, value in values.items())
    return _MARK + head.encode("ascii") + _MARK + content


def read_archived(folder: Folder, path: str) -> tuple[Part, bytes]:
    """Return an archived part and its content.

    Raises BackupError when the document cannot be understood, or holds something else than was
    archived; OSError when it is missing or cannot be read.
    """
    data = folder.read(path).content
    head, mark, content = data.removeprefix(_MARK).partition(b"\n" + _MARK)
    try:
        part = _part(dict(_values(head)), path)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BackupError(f"{folder.path}/{path} cannot be understood: {error!r}") from error
    if not mark or digest_of(content) != part.digest:
        raise BackupError(f"{folder.path}/{path} is not what was archived")
    return part, content


def list_documents(folder: Folder) -> list[str]:
    """Return the paths of a folder's archived documents, the oldest content first."""
    names = folder.names(ARCHIVE_FOLDER)
    return [f"{ARCHIVE_FOLDER}/{name}" for name in names if document_change(name)]


def _values(head: bytes) -> "list[tuple[str, Any]]":
    lines = head.decode("ascii").splitlines()
    pairs = (line.partition(": ") for line in lines)
    return [(name, json.loads(value)) for name, _, value in pairs]


def _part(values: dict[str, Any], path: str) -> Part:
    if values["version"] != DOCUMENT_VERSION:
        raise ValueError(f"version {values['version']!r}, this package knows {DOCUMENT_VERSION}")
    if values["dated_by"] not in ("text", "git", "mtime"):
        raise ValueError(f"dated by {values['dated_by']!r}")
    return Part(
        source=str(values["source"]),
        heading=tuple(str(title) for title in values["heading"]),
        first=date.fromisoformat(values["date"]),
        last=date.fromisoformat(values["until"]),
        dated_by=values["dated_by"],
        line=int(values["line"]),
        lines=int(values["lines"]),
        digest=str(values["sha256"]),
        tokens=int(values["tokens"]),
        whole=values["whole"] is True,
        document=path,
    )

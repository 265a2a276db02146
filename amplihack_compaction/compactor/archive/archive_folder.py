"""Where a folder keeps what was archived of its files: one document for each part.

`docs/formats.md` has what stands in one; what became of it, the history of changes tells. One line
in the file itself says where older parts are; a line of another form is the user's own.
"""

import json
import re
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from amplihack_compaction.base.errors import BackupError
from amplihack_compaction.base.records import read_record
from amplihack_compaction.base.settings import Settings
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.compactor.backups.change_history import (
    hours_since,
    is_entry_id,
    time_of_id,
)
from amplihack_compaction.compactor.backups.folder import (
    KEPT_FOLDER,
    Folder,
    backup_errors,
    beyond_limits,
    digest_of,
    locked,
)

DOCUMENT_VERSION = 1
ARCHIVE_FOLDER = f"{KEPT_FOLDER}/archived"

_NAME = re.compile(r"[0-9-]{10}_[a-z0-9.-]{0,40}_([0-9]{8}-[0-9]{6}-[0-9a-f]{8})_[0-9]{1,9}\.md")
_OTHER_SIGNS = re.compile(r"[^a-z0-9.-]+")
_SLUG_CHARS = 40
_MARK = b"---\n"
_STORED_NAMES = {"first": "date", "last": "until", "digest": "sha256"}
# What stands before the place told numbers once, and may again.
_MARKER = re.compile(
    rf"\[archived: [^\]\n]{{1,200}}, in (?:\.\./){{0,40}}{re.escape(ARCHIVE_FOLDER)}/\]\s*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedPart:
    """A part of a file that goes to the archive; `line` counts from 1, dates are of its content.

    They are told by the `text` itself or the file's `mtime`; in older archives by `git`.
    `document` is where it is kept, empty as long as it is not.
    """

    source: str
    heading: tuple[str, ...]
    first: date
    last: date
    dated_by: str
    line: int
    lines: int
    digest: str
    tokens: int = 0
    whole: bool = False
    document: str = ""

    def stored(self) -> dict[str, Any]:
        """Return what its document and the history say of it."""
        values = {_STORED_NAMES.get(name, name): value for name, value in asdict(self).items()}
        del values["document"]
        return {**values, "date": str(self.first), "until": str(self.last)}


def document_path(part: ArchivedPart, history_id: str, number: int) -> str:
    """Return where a part is kept, below its folder; `number` is its own in the change."""
    slug = _OTHER_SIGNS.sub("-", part.source.casefold())[-_SLUG_CHARS:]
    return f"{ARCHIVE_FOLDER}/{part.first}_{slug}_{history_id}_{number}.md"


def document_change(path: str) -> str:
    """Return the id of the change that made a document; empty for what is none."""
    match = _NAME.fullmatch(path.rpartition("/")[2])
    return match[1] if match and is_entry_id(match[1]) else ""


def document_of(part: ArchivedPart, content: bytes, history_id: str) -> bytes:
    """Return the document for a part with this content."""
    archived = utc_text(time_of_id(history_id).timestamp())
    values = {"version": DOCUMENT_VERSION, **part.stored()}
    values |= {"archived": archived, "history": history_id}
    # ASCII, so that no character of a heading or name ends a line.
    head = "".join(f"{name}: {json.dumps(value)}\n" for name, value in values.items())
    return _MARK + head.encode("ascii") + _MARK + content


def read_archived(folder: Folder, path: str) -> tuple[ArchivedPart, bytes]:
    """Return an archived part and its content.

    Raises BackupError when the document cannot be understood, or holds something else than was
    archived; OSError when it is missing or cannot be read.
    """
    data = folder.read(path).content
    head, mark, content = data.removeprefix(_MARK).partition(b"\n" + _MARK)
    try:
        pairs = (line.partition(": ") for line in head.decode("ascii").splitlines())
        values = {name: json.loads(value) for name, _, value in pairs}
        if values.get("version") != DOCUMENT_VERSION:
            raise ValueError(f"it has not version {DOCUMENT_VERSION}, which this package knows")
        own = {name: values.get(stored) for name, stored in _STORED_NAMES.items()}
        part = read_record(ArchivedPart, {**values, **own, "document": path})
    except (ValueError, RecursionError) as error:
        raise BackupError(f"{folder.path}/{path} cannot be understood: {error!r}") from error
    if not mark or digest_of(content) != part.digest:
        raise BackupError(f"{folder.path}/{path} is not what was archived")
    return part, content


def list_documents(folder: Folder) -> list[str]:
    """Return the paths of a folder's archived documents, the oldest content first."""
    names = folder.names(ARCHIVE_FOLDER)
    return [f"{ARCHIVE_FOLDER}/{name}" for name in names if document_change(name)]


def remove_expired_documents(folder: Folder, settings: Settings, *, dry_run: bool) -> list[str]:
    """Remove documents archived too long ago, then the oldest until the rest fits.

    Those of changes that can be reverted without force stay. Returns the paths of those that went.
    Raises BackupError when the folder cannot be changed.
    """
    kept = []
    with backup_errors(folder):
        # By when they were archived; of one change, by their content's date.
        for path in sorted(list_documents(folder), key=lambda path: (document_change(path), path)):
            made, found = time_of_id(document_change(path)), folder.stat(path)
            is_safe, size = hours_since(made) < settings.revert_hours, found.st_size if found else 0
            kept.append((path, made.timestamp(), size, is_safe))
    expired = beyond_limits(kept, settings.archive_days, settings.archive_megabytes)
    if expired and not dry_run:
        with locked(folder):
            for path in expired:
                folder.remove(path)
    return expired


def marker_of(source: str) -> str:
    """Return the line that stands in a file for what was archived of it, without its end."""
    return f"[archived: older parts, in {'../' * source.count('/')}{ARCHIVE_FOLDER}/]"


def is_marker(line: str) -> bool:
    """Return whether a line is one that stands for what was archived."""
    return _MARKER.fullmatch(line) is not None

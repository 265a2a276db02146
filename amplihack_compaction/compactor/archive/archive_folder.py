"""Where a folder keeps what was archived of its files: one document for each part, and a log.

`docs/formats.md` has what stands in both. The documents are what counts: a line that is missing of
the log, because a process was killed, the log was deleted or a change reverted, is written by the
next `update_index`. One line in the file itself says what of it was archived, how much and where; a
line of another form is the user's own.
"""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal

from amplihack_compaction.base.errors import BackupError
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.compactor.backups.change_history import (
    ChangeStatus,
    is_entry_id,
    list_entries,
    time_of_id,
)
from amplihack_compaction.compactor.backups.folder import (
    FILE_LIMIT_BYTES,
    KEPT_FOLDER,
    Folder,
    backup_errors,
    digest_of,
    locked,
)
from amplihack_compaction.compactor.backups.revert import beyond_limits

DOCUMENT_VERSION = 1
ARCHIVE_FOLDER = f"{KEPT_FOLDER}/archived"
PART_LIMIT_BYTES = FILE_LIMIT_BYTES - 256 * 1024
"""How large a part may be: with what is said above it, it must still be read again."""

DatedBy = Literal["text", "git", "mtime"]
_NAME = re.compile(r"[0-9-]{10}_[a-z0-9.-]{0,40}_([0-9]{8}-[0-9]{6}-[0-9a-f]{8})_[0-9]{1,9}\.md")
_OTHER_SIGNS = re.compile(r"[^a-z0-9.-]+")
_SLUG_CHARS = 40
_MARK = b"---\n"
_MARKER_CHARS = 400
_MARKER = re.compile(
    r"\[archived: (?P<parts>[0-9]{1,9}) parts?, (?P<lines>[0-9]{1,9}) lines?,"
    r" (?P<tokens>[0-9]{1,12}) tokens? of (?P<first>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?: to (?P<last>[0-9]{4}-[0-9]{2}-[0-9]{2}))?, in (?P<place>[^\]\n]{1,200})\]\s*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedPart:
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


def document_path(part: ArchivedPart, history_id: str, number: int) -> str:
    """Return where a part is kept, below its folder; `number` is its own in the change."""
    slug = _OTHER_SIGNS.sub("-", part.source.casefold())[-_SLUG_CHARS:]
    return f"{ARCHIVE_FOLDER}/{part.first}_{slug}_{history_id}_{number}.md"


def document_change(path: str) -> str:
    """Return the id of the change that made a document; empty for what is none."""
    match = _NAME.fullmatch(path.rpartition("/")[2])
    return match[1] if match and is_entry_id(match[1]) else ""


def _said_of(part: ArchivedPart) -> dict[str, Any]:
    """Return what a document and the log say of a part alike."""
    return {
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
    }


def document_of(part: ArchivedPart, content: bytes, history_id: str) -> bytes:
    """Return the document for a part with this content."""
    values: dict[str, Any] = {
        "version": DOCUMENT_VERSION,
        **_said_of(part),
        "archived": utc_text(time_of_id(history_id).timestamp()),
        "history": history_id,
    }
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


def _part(values: dict[str, Any], path: str) -> ArchivedPart:
    if values["version"] != DOCUMENT_VERSION:
        raise ValueError(f"version {values['version']!r}, this package knows {DOCUMENT_VERSION}")
    if values["dated_by"] not in ("text", "git", "mtime"):
        raise ValueError(f"dated by {values['dated_by']!r}")
    return ArchivedPart(
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


INDEX_VERSION = 1
INDEX_FILE = f"{ARCHIVE_FOLDER}/index.jsonl"
_ARCHIVED = "archived"


def read_index(folder: Folder) -> dict[str, str]:
    """Return what the log says of each document last: an event by path.

    Lines that cannot be understood are skipped. Raises BackupError when the log cannot be read.
    """
    try:
        content = folder.read(INDEX_FILE).content
    except FileNotFoundError:
        return {}
    events = {}
    for line in content.splitlines():
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            continue  # torn, or a stranger's
        if isinstance(said, dict) and said.get("version") == INDEX_VERSION:
            document, event = said.get("document"), said.get("event")
            if isinstance(document, str) and isinstance(event, str):
                events[document] = event
    return events


def update_index(folder: Folder) -> None:
    """Write the lines that are missing. Raises BackupError when that is not possible."""
    # One that is written to just now is looked at again when it is ours.
    with backup_errors(folder), suppress(BackupError):
        if not any(_missing(folder)):
            return
    with locked(folder), backup_errors(folder):
        try:
            came, went = _missing(folder)
        except BackupError:
            # Too large by now, or no file: it begins anew, with what is there.
            folder.rename(INDEX_FILE, f"{INDEX_FILE}.1")
            came, went = list_documents(folder), []
        lines = [line for path in came if (line := _archived_line(folder, path))]
        ends = _reverted_changes(folder) if went else frozenset()
        lines += [
            _line("reverted" if document_change(path) in ends else "gone", path) for path in went
        ]
        _append(folder, lines)


def remove_expired_documents(
    folder: Folder,
    keep_days: float,
    limit_bytes: int,
    *,
    safe_hours: float = 0.0,
    dry_run: bool = False,
) -> list[str]:
    """Remove documents archived too long ago, then the oldest until the rest fits.

    Those archived within `safe_hours` stay however large. Returns the paths of those that went.
    Raises BackupError when the folder cannot be changed.
    """
    with backup_errors(folder):
        # By when they were archived; of one change, by their content's date.
        documents = sorted(list_documents(folder), key=lambda path: (document_change(path), path))
        sizes = [found.st_size if (found := folder.stat(path)) else 0 for path in documents]
    times = [time_of_id(document_change(path)) for path in documents]
    kept = list(zip(documents, times, sizes, strict=True))
    expired = beyond_limits(kept, keep_days, limit_bytes, safe_hours)
    if dry_run or not expired:
        return expired
    with locked(folder), backup_errors(folder):
        # Said first: one that is removed without a word would count as lost.
        _append(folder, [_line("expired", path) for path in expired])
        for path in expired:
            folder.remove(path)
    return expired


def _missing(folder: Folder) -> tuple[list[str], list[str]]:
    """Return the documents that came and those that went without a line."""
    there, known = list_documents(folder), read_index(folder)
    came = [path for path in there if path not in known]
    gone = known.keys() - set(there)
    return came, sorted(path for path in gone if known[path] == _ARCHIVED)


def _archived_line(folder: Folder, path: str) -> dict[str, Any] | None:
    try:
        part, _ = read_archived(folder, path)
    except (BackupError, OSError):
        return None  # edited or damaged: it is still there to be read by the user
    return {**_line(_ARCHIVED, path), "history": document_change(path), **_said_of(part)}


def _line(event: str, path: str) -> dict[str, Any]:
    now = utc_text()
    return {"version": INDEX_VERSION, "at": now, "event": event, "document": path}


def _reverted_changes(folder: Folder) -> frozenset[str]:
    # A revert that was cut off is always brought to its end.
    reverted = (ChangeStatus.REVERTING, ChangeStatus.REVERTED, ChangeStatus.TAKEN_BACK)
    return frozenset(each.id for each in list_entries(folder)[0] if each.status in reverted)


def _append(folder: Folder, lines: Iterable[dict[str, Any]]) -> None:
    known = folder.read(INDEX_FILE).content if folder.stat(INDEX_FILE) else b""
    torn = b"\n" if known and not known.endswith(b"\n") else b""
    data = "".join(f"{json.dumps(line)}\n" for line in lines).encode("ascii")
    if data:
        folder.write(INDEX_FILE, known + torn + data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """What was archived of a file so far; `place` is the archive's folder, from the file's."""

    parts: int
    lines: int
    tokens: int
    first: date
    last: date
    place: str

    def joined(self, other: "Marker") -> "Marker":
        """Return the marker for both."""
        return replace(
            self,
            parts=self.parts + other.parts,
            lines=self.lines + other.lines,
            tokens=self.tokens + other.tokens,
            first=min(self.first, other.first),
            last=max(self.last, other.last),
        )

    @property
    def line(self) -> str:
        """The line, without its end."""
        to = f" to {self.last}" if self.last != self.first else ""
        sizes = ", ".join(
            f"{number} {noun}{'' if number == 1 else 's'}"
            for number, noun in ((self.parts, "part"), (self.lines, "line"), (self.tokens, "token"))
        )
        return f"[archived: {sizes} of {self.first}{to}, in {self.place}]"


def parse_marker(line: str) -> Marker | None:
    """Return the marker that a line is; None for every other line."""
    match = _MARKER.fullmatch(line) if len(line) <= _MARKER_CHARS else None
    if match is None:
        return None
    try:
        first = date.fromisoformat(match["first"])
        last = date.fromisoformat(match["last"]) if match["last"] else first
    except ValueError:
        return None
    numbers = {name: int(match[name]) for name in ("parts", "lines", "tokens")}
    return Marker(**numbers, first=first, last=last, place=match["place"])

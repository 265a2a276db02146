"""What was done to a folder's files, so that it can be taken back: one file for each change.

<folder>/.compaction/
    .gitignore                   "*"
    lock                         held by whoever changes something
    preparing/<ID>/              a change that is not complete; nothing was replaced yet
    backup/<ID>/entry.json       a complete one, in the format below
    backup/<ID>/1.old            a file as it was
    backup/<ID>/1.new            what takes its place; gone once it has

{"version": 1, "id": "20260201-143022-a1b2c3d4", "timestamp": ISO time, "level": "compact",
 "status": "prepared" | "done" | "reverting" | "reverted" | "taken_back",
 "tokens_before": n, "tokens_after": n, "items": [object, ...],
 "files": [{"path", "number", "old": {"digest", "size", "mode", "atime_ns", "mtime_ns"} or
            null where it is new, "new": {"digest", "size"} or null where it is removed}],
 "reverted_at": ISO time, "restored": [path, ...], "kept": [path, ...],
 "backup_removed": bool}
"""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from amplihack_compaction.base.errors import BackupError
from amplihack_compaction.compactor.backups.folder import KEPT_FOLDER, Folder, path_parts

ENTRY_VERSION = 1
BACKUP_FOLDER = f"{KEPT_FOLDER}/backup"
PREPARING_FOLDER = f"{KEPT_FOLDER}/preparing"
_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{8}")


class ChangeStatus(StrEnum):
    """Where a change stands."""

    PREPARED = "prepared"
    DONE = "done"
    REVERTING = "reverting"
    REVERTED = "reverted"
    TAKEN_BACK = "taken_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class OldFile:
    """What a revert gives back; `mode` is the permission bits, times are nanoseconds."""

    digest: str
    size: int
    mode: int
    atime_ns: int
    mtime_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    """What a change put in a file's place."""

    digest: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """One file of a change: `old` is None where it was made, `new` where it was removed."""

    path: str
    number: int
    old: OldFile | None
    new: NewFile | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionHistoryEntry:
    """One change of a folder: what it did, and what was taken back of it since.

    `timestamp` is ISO 8601 in UTC. `items_compacted` are the parts that went, as plain objects.
    """

    id: str
    timestamp: str
    level: str
    tokens_before: int = 0
    tokens_after: int = 0
    items_compacted: tuple[dict[str, Any], ...] = ()
    files: tuple[ChangedFile, ...] = ()
    status: ChangeStatus = ChangeStatus.PREPARED
    reverted_at: str = ""
    restored: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    backup_removed: bool = False

    @property
    def folder(self) -> str:
        """Its folder, below the folder that was changed."""
        return f"{BACKUP_FOLDER}/{self.id}"

    @property
    def changed_files(self) -> tuple[str, ...]:
        """The files that were there before, without what this package keeps beside them."""
        paths = (file.path for file in self.files if file.old is not None)
        return tuple(path for path in paths if not path.startswith(f"{KEPT_FOLDER}/"))

    @property
    def can_revert(self) -> bool:
        """Whether its backup is there and it is in force."""
        return self.status is ChangeStatus.DONE and not self.backup_removed

    @property
    def is_unfinished(self) -> bool:
        """Whether it, or its revert, was cut off or is under way."""
        return self.status in (ChangeStatus.PREPARED, ChangeStatus.REVERTING)

    @property
    def time(self) -> datetime:
        """When it was made."""
        return datetime.fromisoformat(self.timestamp)

    def old_path(self, file: ChangedFile) -> str:
        """Return where a file's old content is kept."""
        return f"{self.folder}/{file.number}.old"

    def new_path(self, file: ChangedFile) -> str:
        """Return where a file's new content waits."""
        return f"{self.folder}/{file.number}.new"

    def with_status(self, status: ChangeStatus, **changes: Any) -> "CompactionHistoryEntry":
        """Return the entry in another status."""
        return replace(self, status=status, **changes)

    def to_json(self) -> dict[str, Any]:
        """Return the entry as it is stored."""
        content = asdict(self)
        content["items"] = content.pop("items_compacted")
        return {"version": ENTRY_VERSION, **content}


def is_entry_id(name: str) -> bool:
    """Return whether a name has the form of a change's id, which begins with a time."""
    if _ID.fullmatch(name) is None:
        return False
    try:
        time_of_id(name)
    except ValueError:
        return False
    return True


def time_of_id(identifier: str) -> datetime:
    """Return the time that an id begins with. Raises ValueError when it is none."""
    return datetime.strptime(identifier[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)


def write_entry(folder: Folder, entry: CompactionHistoryEntry, below: str = "") -> None:
    """Store an entry atomically; `below` is its folder while that is not yet the final one."""
    data = json.dumps(entry.to_json(), indent=1).encode()
    folder.write(f"{below or entry.folder}/entry.json", data)


def read_entry(folder: Folder, identifier: str) -> CompactionHistoryEntry:
    """Return a change of a folder.

    Raises BackupError when there is none of this id, or when it cannot be understood.
    """
    path = f"{BACKUP_FOLDER}/{identifier}/entry.json"
    if not is_entry_id(identifier):
        raise BackupError(f"{identifier!r} is no history id; `history` lists them")
    try:
        content = json.loads(folder.read(path).content)
    except FileNotFoundError:
        raise BackupError(f"there is no change {identifier} in {folder.path}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise BackupError(f"{folder.path}/{path} cannot be read: {error}") from error
    if not isinstance(content, dict) or content.get("version") != ENTRY_VERSION:
        version = content.get("version") if isinstance(content, dict) else None
        raise BackupError(
            f"{folder.path}/{path} has version {version}, this package knows {ENTRY_VERSION};"
            " it was left alone"
        )
    try:
        return _entry(content, identifier)
    except (KeyError, TypeError, ValueError) as error:
        raise BackupError(f"{folder.path}/{path} is damaged: {error!r}") from error


def list_entries(folder: Folder) -> tuple[list[CompactionHistoryEntry], list[str]]:
    """Return a folder's changes, oldest first, and what is wrong with those not readable."""
    entries, problems = [], []
    for name in folder.names(BACKUP_FOLDER):
        try:
            entries.append(read_entry(folder, name))
        except BackupError as error:
            problems.append(str(error))
    return entries, problems


def _entry(content: dict[str, Any], identifier: str) -> CompactionHistoryEntry:
    if datetime.fromisoformat(content["timestamp"]).tzinfo is None:
        raise ValueError("its time has no zone")
    return CompactionHistoryEntry(
        id=identifier,
        timestamp=content["timestamp"],
        level=str(content["level"]),
        tokens_before=int(content["tokens_before"]),
        tokens_after=int(content["tokens_after"]),
        items_compacted=tuple(dict(item) for item in content["items"]),
        files=tuple(_file(each) for each in content["files"]),
        status=ChangeStatus(content["status"]),
        reverted_at=str(content["reverted_at"]),
        restored=_texts(content["restored"]),
        kept=_texts(content["kept"]),
        backup_removed=content["backup_removed"] is True,
    )


def _file(content: dict[str, Any]) -> ChangedFile:
    old, new = content["old"], content["new"]
    path_parts(content["path"])
    return ChangedFile(
        path=content["path"],
        number=int(content["number"]),
        old=None if old is None else _old_file(old),
        new=None if new is None else NewFile(digest=str(new["digest"]), size=int(new["size"])),
    )


def _old_file(content: dict[str, Any]) -> OldFile:
    numbers = {name: int(content[name]) for name in ("size", "mode", "atime_ns", "mtime_ns")}
    return OldFile(digest=str(content["digest"]), **numbers)


def _texts(values: Sequence[object]) -> tuple[str, ...]:
    return tuple(str(value) for value in values)

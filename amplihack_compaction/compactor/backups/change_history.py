"""What was done to a folder's files, so that it can be taken back: one `entry.json` a change.

`docs/formats.md` has its keys, and where it and the files that were replaced are kept.
"""

import json
import re
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from amplihack_compaction.base.errors import BackupError
from amplihack_compaction.base.records import read_record
from amplihack_compaction.compactor.backups.folder import KEPT_FOLDER, Folder, path_parts

ENTRY_VERSION = 1
BACKUP_FOLDER = f"{KEPT_FOLDER}/backup"
PREPARING_FOLDER = f"{KEPT_FOLDER}/preparing"
_MODES, _LATEST_NS = 0o7777, 2**63 - 1
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

    def __post_init__(self) -> None:
        """Raise ValueError for a mode or times that no file has."""
        times = (self.atime_ns, self.mtime_ns)
        if not 0 <= self.mode <= _MODES or any(abs(each) > _LATEST_NS for each in times):
            raise ValueError(f"no file has mode {self.mode:o} and times {times}")


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

    def __post_init__(self) -> None:
        """Raise ValueError for a path that could lead out of the folder."""
        path_parts(self.path)

    @property
    def old_digest(self) -> str | None:
        """The digest before the change; None where the file did not exist."""
        return self.old.digest if self.old else None

    @property
    def new_digest(self) -> str | None:
        """The digest after the change; None where the file was removed."""
        return self.new.digest if self.new else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionHistoryEntry:
    """One change of a folder: what it did, and what was taken back of it since.

    `timestamp` is ISO 8601 in UTC. `items_compacted` are the parts that went, as plain objects.
    Of what was changed since, a revert has `kept` some files, or was to replace it (`overwritten`).
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
    overwritten: tuple[str, ...] = ()
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
    def archived_of(self) -> dict[str, str]:
        """The documents with what was archived, each with the file that it was a part of."""
        items = self.items_compacted
        return {item["document"]: item["file"] for item in items if item.get("document")}

    @property
    def can_revert(self) -> bool:
        """Whether its backup is there and it is in force."""
        return self.status is ChangeStatus.DONE and not self.backup_removed

    @property
    def to_revert(self) -> tuple[ChangedFile, ...]:
        """The files that can be reverted: all, or those that a revert kept."""
        if self.status is ChangeStatus.REVERTED:
            return tuple(file for file in self.files if file.path in self.kept)
        return self.files if self.status is ChangeStatus.DONE else ()

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
    try:
        return _ID.fullmatch(name) is not None and bool(time_of_id(name))
    except ValueError:
        return False


def time_of_id(identifier: str) -> datetime:
    """Return the time that an id begins with. Raises ValueError when it is none."""
    return datetime.strptime(identifier[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)


def hours_since(made: datetime) -> float:
    """Return how many hours ago something was made."""
    return (datetime.now(UTC) - made).total_seconds() / 3600


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
        version = content.get("version") if isinstance(content, dict) else None
        if version != ENTRY_VERSION:
            raise ValueError(f"it has version {version}, this package knows {ENTRY_VERSION}")
        stored = {**content, "id": identifier, "items_compacted": content.get("items")}
        entry = read_record(CompactionHistoryEntry, stored)
        if entry.time.tzinfo is None:
            raise ValueError("its time has no zone")
    except FileNotFoundError:
        raise BackupError(f"there is no change {identifier} in {folder.path}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise BackupError(
            f"{folder.path}/{path} cannot be read, and was left alone: {error}"
        ) from error
    return entry


def list_entries(folder: Folder) -> tuple[list[CompactionHistoryEntry], list[str]]:
    """Return a folder's changes, oldest first, and what is wrong with those not readable."""
    entries, problems = [], []
    for name in folder.names(BACKUP_FOLDER):
        try:
            entries.append(read_entry(folder, name))
        except BackupError as error:
            problems.append(str(error))
    return entries, problems

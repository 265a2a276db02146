"""How long what was kept of a project's sessions stays, and how large all of it may become.

Sessions of which nothing was written for `snapshot_days` go, and the oldest of the rest until that
fits in `snapshot_megabytes`. The newest session stays, and so does every one whose transcript was
written to within a day: it may be at work.
"""

import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from amplihack_compaction.base.errors import BackupError, SnapshotError, reason_of
from amplihack_compaction.base.paths import RUNTIME_FOLDER, linked_folder, runtime_folder
from amplihack_compaction.base.settings import load_settings
from amplihack_compaction.clients.reading import session_transcript
from amplihack_compaction.compactor.backups.folder import Folder, beyond_limits, walk
from amplihack_compaction.injection.snapshot import list_snapshots, load_snapshot

_DAY_SECONDS = 86_400
_MEGABYTE = 1024 * 1024
_DEPTH_LIMIT = 8
_SESSIONS = "sessions"


@dataclass(frozen=True, slots=True)
class SessionRemoval:
    """A session that goes; sizes in bytes."""

    session: str
    freed_bytes: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SnapshotRetention:
    """What went, or would go, of a project's sessions, and what stays in bytes."""

    removed: list[SessionRemoval] = field(default_factory=list)
    kept_bytes: int = 0
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is kept of one session; `newest` in seconds, sizes by path."""

    name: str
    newest: float
    sizes: dict[str, int]
    is_safe: bool

    @property
    def size(self) -> int:
        return sum(self.sizes.values())


def remove_old_snapshots(root: str, dry_run: bool = False) -> SnapshotRetention:
    """Remove what is kept of a project's sessions beyond the settings' limits.

    Never fails: what cannot be removed is said in the notices, and stays.
    """
    link = linked_folder(root)
    if link:
        return SnapshotRetention(notices=[f"{link} is a link; nothing is removed through it"])
    try:
        folder = Folder.below(root, RUNTIME_FOLDER)
    except BackupError:
        return SnapshotRetention()  # nothing was kept yet
    with folder:
        sessions = sorted(_sessions(root, folder), key=lambda each: (each.newest, each.name))
        settings, _ = load_settings(root)
        kept = [(each, each.newest, each.size, each.is_safe) for each in sessions]
        limit = settings.snapshot_megabytes * _MEGABYTE
        planned = map(_removal, beyond_limits(kept, settings.snapshot_days, limit))
        done = SnapshotRetention(kept_bytes=sum(each.size for each in sessions))
        for removal in planned:
            try:
                if not dry_run:
                    _remove(folder, removal)
            except OSError as error:
                done.notices.append(f"session {removal.session} stays: {reason_of(error)}")
            else:
                done.removed.append(removal)
    freed = sum(each.freed_bytes for each in done.removed)
    left = SnapshotRetention(done.removed, done.kept_bytes - freed, done.notices)
    if left.kept_bytes > limit:
        left.notices.append(
            f"snapshots take {left.kept_bytes / _MEGABYTE:.0f} MiB, more than"
            f" {settings.snapshot_megabytes}: the newest session and those of the last day stay"
        )
    return left


def _sessions(root: str, folder: Folder) -> Iterator[_Kept]:
    found = []
    for name in folder.names(_SESSIONS):
        with suppress(OSError):
            status = folder.stat(f"{_SESSIONS}/{name}")
            if status is not None and stat.S_ISDIR(status.st_mode):
                sizes, times = {}, []
                for path, file in walk(folder, f"{_SESSIONS}/{name}"):
                    if isinstance(file, OSError):
                        raise file
                    sizes[path] = file.st_size
                    times.append(file.st_mtime)
                found.append((max(times, default=status.st_mtime), name, sizes))
    newest_name = max(((at, name) for at, name, sizes in found if sizes), default=(0.0, ""))[1]
    for newest, name, sizes in found:
        is_safe = name == newest_name or _is_at_work(root, name)
        yield _Kept(name, newest, sizes, is_safe)


def _is_at_work(root: str, name: str) -> bool:
    """Return whether a session's transcript was written to within a day, or cannot be looked at."""
    paths = [session_transcript(root, name)]
    folder = f"{runtime_folder(root)}/sessions/{name}"
    for identifier in list_snapshots(folder)[-1:]:
        with suppress(SnapshotError):
            paths.append(Path(load_snapshot(folder, identifier).transcript_path))
    for path in filter(None, paths):
        try:
            if time.time() - path.stat().st_mtime < _DAY_SECONDS:
                return True
        except (FileNotFoundError, NotADirectoryError, ValueError):
            continue
        except OSError:
            return True  # nobody knows: it may be
    return False


def _removal(session: _Kept) -> SessionRemoval:
    # The newest snapshot last: where this is cut off, the session can still be gone back to.
    snapshots = [path for path in session.sizes if "/snapshots/" in path]
    rest = sorted(session.sizes.keys() - set(snapshots))
    snapshots.sort(key=lambda path: (path.rpartition(".")[0], path.endswith(".json")))
    return SessionRemoval(session.name, session.size, (*rest, *snapshots))


def _remove(folder: Folder, removal: SessionRemoval) -> None:
    for path in removal.files:
        folder.remove(path)
    folder.remove_folder(f"{_SESSIONS}/{removal.session}")

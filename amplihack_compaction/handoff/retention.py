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
from amplihack_compaction.compactor.backups.folder import MEGABYTE, Folder, beyond_limits, walk
from amplihack_compaction.injection.snapshot import list_snapshots, load_snapshot

_DAY_SECONDS = 86_400
_SESSIONS = "sessions"


@dataclass(frozen=True, slots=True)
class SessionRemoval:
    """A session that goes; sizes in bytes."""

    session: str
    freed_bytes: int


@dataclass(slots=True)
class SnapshotRetention:
    """What went, or would go, of a project's sessions, and what stays in bytes."""

    removed: list[SessionRemoval] = field(default_factory=list)
    kept_bytes: int = 0
    notices: list[str] = field(default_factory=list)


def remove_old_snapshots(root: str, dry_run: bool = False) -> SnapshotRetention:
    """Remove what is kept of a project's sessions beyond the settings' limits.

    Never fails: what cannot be removed is said in the notices, and stays.
    """
    link = linked_folder(root)
    if link:
        return SnapshotRetention(notices=[f"{link} is a link; nothing is removed through it"])
    try:
        folder = Folder(root, RUNTIME_FOLDER)
    except BackupError:
        return SnapshotRetention()  # nothing was kept yet
    with folder:
        kept = sorted(_sessions(root, folder), key=lambda each: (each[1], each[0].session))
        settings, _ = load_settings(root)
        done = SnapshotRetention(kept_bytes=sum(size for _, _, size, _ in kept))
        limit = settings.snapshot_megabytes
        for removal in beyond_limits(kept, settings.snapshot_days, limit):
            try:
                if not dry_run:
                    folder.remove_folder(f"{_SESSIONS}/{removal.session}")
            except OSError as error:
                done.notices.append(f"session {removal.session} stays: {reason_of(error)}")
            else:
                done.removed.append(removal)
                done.kept_bytes -= removal.freed_bytes
    if done.kept_bytes > limit * MEGABYTE:
        done.notices.append(
            f"snapshots take {done.kept_bytes / MEGABYTE:.0f} MiB, more than"
            f" {limit}: the newest session and those of the last day stay"
        )
    return done


def _sessions(root: str, folder: Folder) -> Iterator[tuple[SessionRemoval, float, int, bool]]:
    """Yield how each session would go, as `beyond_limits` takes it."""
    found = []
    for name in folder.names(_SESSIONS):
        with suppress(OSError):
            status = folder.stat(f"{_SESSIONS}/{name}")
            if status is not None and stat.S_ISDIR(status.st_mode):
                files = []
                for _, file in walk(folder, f"{_SESSIONS}/{name}"):
                    if isinstance(file, OSError):
                        raise file
                    files.append(file)
                newest = max((file.st_mtime for file in files), default=status.st_mtime)
                found.append((newest, name, sum(file.st_size for file in files)))
    newest_name = max(((at, name) for at, name, size in found if size), default=(0.0, ""))[1]
    for newest, name, size in found:
        is_safe = name == newest_name or _is_at_work(root, name)
        yield SessionRemoval(name, size), newest, size, is_safe


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

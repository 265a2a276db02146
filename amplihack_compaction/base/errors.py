"""The package's exceptions: each message tells the user what to do."""

import posix


class CompactionError(Exception):
    """Base of every error this package raises on purpose."""


class SettingsError(CompactionError):
    """A settings file cannot be read or merged; it was left as it was."""


class TranscriptError(CompactionError):
    """A transcript or session that was named cannot be found or read."""


class SnapshotError(CompactionError):
    """A snapshot is missing, torn, of a newer version or someone else's."""


class NewerVersionError(SnapshotError):
    """A newer version of this package wrote it: nothing is wrong with it, and it is left alone."""


class BackupError(CompactionError):
    """Files cannot be backed up, replaced or put back; none was left half done."""


class ChangedError(BackupError):
    """Files were changed by somebody else since; they are named, and were left as they are."""


class FeatureError(CompactionError):
    """A feature that was named does not exist, or cannot be read."""


class CopyError(CompactionError):
    """A resumable copy of a transcript cannot be made, looked into or taken back."""


class StoreError(CompactionError):
    """The session store cannot be opened, read or written; what it holds is untouched."""


class OtherOwnerError(StoreError):
    """The session belongs to another role of the database's."""


class SessionNotFoundError(StoreError):
    """The store holds no session of that key."""


class ScopeError(StoreError):
    """The session belongs to another project than the one it was asked for."""


class StrategyError(StoreError):
    """A compaction strategy lacks what it needs: a summary, or a window of a sensible size."""


def file_in_way(path: str) -> str:
    """Return the first of the folders above an absolute path that is there and none, or nothing."""
    for end in (place for place, character in enumerate(path) if character == "/" and place):
        try:
            posix.stat(f"{path[:end]}/.")
        except NotADirectoryError:
            return path[:end]
        except OSError:
            return ""
    return ""


def reason_of(error: OSError | ValueError) -> str:
    """Return why the system refused something; our own words where it had none."""
    if blocking := _blocking(error):
        return f"{blocking} is a file where a folder is needed; move it away"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def place_and_reason(error: OSError | ValueError) -> str:
    """Return what the system refused, where it says so, and why."""
    place = error.filename if isinstance(error, OSError) and not _blocking(error) else None
    where = f"{place}: " if place is not None else ""
    return f"{where}{reason_of(error)}"


def _blocking(error: OSError | ValueError) -> str:
    return file_in_way(str(error.filename)) if isinstance(error, NotADirectoryError) else ""

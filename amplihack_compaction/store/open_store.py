"""Open the store that a URL names."""

import posix

from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.base.paths import linked_folder
from amplihack_compaction.store.database import Database
from amplihack_compaction.store.sqlite import (
    COMMAND_WAIT_SECONDS,
    default_place,
    no_store_yet,
    open_project_store,
    open_sqlite,
)

URL_VARIABLE = "AMPLIHACK_COMPACTION_STORE"
_SQLITE = "sqlite:///"
_SERVERS = ("postgresql://", "postgresql+psycopg://", "postgres://")


def open_store(
    url: str | None,
    root: str,
    wait_seconds: float = COMMAND_WAIT_SECONDS,
    *,
    only_read: bool = False,
) -> Database:
    """Open a store: of a URL, of `$AMPLIHACK_COMPACTION_STORE`, or the project's own.

    `sqlite:////absolute/path`, the path of an SQLite file, or `postgresql://user@host/database`.
    Raises StoreError when it cannot be used; the message says what to do.
    """
    named = store_name(url)
    if not named:
        return open_project_store(root, wait_seconds, only_read=only_read)
    if named.startswith(_SERVERS):
        from amplihack_compaction.store.postgresql import open_server

        return open_server(named, only_read=only_read)
    if "://" in named and not named.startswith(_SQLITE):
        raise StoreError(
            f"{named.partition('://')[0]}:// is not a store: use sqlite:///FILE, a file's path, or"
            " postgresql://USER@HOST/DATABASE"
        )
    return open_sqlite(named.removeprefix(_SQLITE), wait_seconds)


def open_to_read(url: str | None, root: str) -> Database:
    """Open a store as `open_store` does, but make none.

    Whoever only looks for something, or takes something out, leaves no files behind in a folder. A
    project that has no store of its own has an empty one; a file that was named and is not there
    is a StoreError: its name may be wrong.
    """
    named = store_name(url)
    path = named.removeprefix(_SQLITE) if named else default_place(root)
    if ("://" in named and not named.startswith(_SQLITE)) or (not named and linked_folder(root)):
        return open_store(url, root, only_read=True)
    try:
        posix.lstat(path)
    except FileNotFoundError:
        if not named:
            return no_store_yet(path)
        from amplihack_compaction.base.installation import own_command

        raise StoreError(
            f"there is no store {path}: look at its name, or make it with"
            f" `{own_command()} store sync`"
        ) from None
    except (OSError, ValueError):
        pass  # what is in the way is said when it is opened
    return open_store(url, root, only_read=True)


def store_name(url: str | None) -> str:
    """Return what names a store in place of the project's own; empty for that one."""
    return url or posix.environ.get(URL_VARIABLE.encode(), b"").decode("utf-8", "surrogateescape")

"""Open the store that a URL names."""

import os

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

    Whoever will `only_read`, or take something out, leaves no files behind in a folder: a project
    that has no store of its own has an empty one, and a file that was named and is not there is a
    StoreError: its name may be wrong.
    """
    named = store_name(url)
    if named.startswith(_SERVERS):
        from amplihack_compaction.store.postgresql import open_server

        return open_server(named, only_read=only_read)
    path = named.removeprefix(_SQLITE)
    if "://" in path:
        raise StoreError(
            f"{path.partition('://')[0]}:// is not a store: use sqlite:///FILE, a file's path, or"
            " postgresql://USER@HOST/DATABASE"
        )
    if only_read and path and _is_missing(path):
        from amplihack_compaction.base.installation import own_command

        raise StoreError(
            f"there is no store {path}: look at its name, or make it with"
            f" `{own_command()} store sync`"
        )
    if path:
        return open_sqlite(path, wait_seconds)
    if only_read and not linked_folder(root) and _is_missing(default_place(root)):
        return no_store_yet(default_place(root))
    return open_project_store(root, wait_seconds, only_read=only_read)


def _is_missing(path: str) -> bool:
    try:
        os.lstat(path)
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        pass  # what is in the way is said when it is opened
    return False


def store_name(url: str | None) -> str:
    """Return what names a store in place of the project's own; empty for that one."""
    return url or os.environ.get(URL_VARIABLE, "")

"""Open the store that a URL names (light until PostgreSQL is)."""

import posix

from amplihack_compaction.database.sqlite import (
    COMMAND_WAIT_SECONDS,
    open_project_store,
    open_sqlite,
)
from amplihack_compaction.errors import StoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from amplihack_compaction.database.connection import Database

URL_VARIABLE = "AMPLIHACK_COMPACTION_STORE"
_SQLITE = "sqlite:///"
_SERVERS = ("postgresql://", "postgresql+psycopg://", "postgres://")


def open_store(
    url: "str | None", root: str, wait_seconds: float = COMMAND_WAIT_SECONDS
) -> "Database":
    """Open a store: of a URL, of `$AMPLIHACK_COMPACTION_STORE`, or the project's own.

    `sqlite:////absolute/path`, the path of an SQLite file, or `postgresql://user@host/database`.
    Raises StoreError when it cannot be used; the message says what to do.
    """
    named = url or posix.environ.get(URL_VARIABLE.encode(), b"").decode("utf-8", "surrogateescape")
    if not named:
        return open_project_store(root, wait_seconds)
    if named.startswith(_SERVERS):
        from amplihack_compaction.database.server import open_server

        return open_server(named)
    if "://" in named and not named.startswith(_SQLITE):
        raise StoreError(
            f"{named.partition('://')[0]}:// is not a store: use sqlite:///FILE, a file's path, or"
            " postgresql://USER@HOST/DATABASE"
        )
    return open_sqlite(named.removeprefix(_SQLITE), wait_seconds)

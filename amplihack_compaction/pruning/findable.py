"""Put what was archived into the session store, where recall finds it with all else."""

from collections.abc import Iterator
from contextlib import suppress

from amplihack_compaction.archives.documents import list_documents, read_archived
from amplihack_compaction.backups.folder import Folder
from amplihack_compaction.database.connection import Database
from amplihack_compaction.database.sqlite import open_project_store
from amplihack_compaction.errors import BackupError
from amplihack_compaction.features.feature import feature_names
from amplihack_compaction.ingest.messages import TEXT_LIMIT_CHARS, clean
from amplihack_compaction.pruning.pruner import PROJECT_CONTEXT
from amplihack_compaction.recall.words import update_words
from amplihack_compaction.settings import Settings, Switch, load_settings
from amplihack_compaction.store.messages import index_document
from amplihack_compaction.store.sessions import SessionKey, make_session, now, touch_session

ARCHIVE_SESSION = "archive"
"""The session of the store that all archived documents of a project belong to."""


def store_archived(root: str) -> int:
    """Store a project's archived documents; return how many are new there.

    0 where the store is switched off or nothing was archived. A document that was stored stays
    findable when its archive has become too old. Raises StoreError when the store cannot be used.
    """
    settings, _ = load_settings(root)
    found = list(_documents(root, settings)) if settings.store is Switch.ON else []
    if not found:
        return 0
    with open_project_store(root) as database:
        with database.transaction():
            new = _store(database, root, found)
        if new:
            update_words(database)
    return new


def _store(database: Database, root: str, found: list[tuple[str, str]]) -> int:
    session = make_session(database, SessionKey(root, ARCHIVE_SESSION))
    known = "SELECT uuid FROM message WHERE session = :session"
    stored = {uuid for (uuid,) in database.rows(known, {"session": session.id})}
    new = 0
    for below, document in found:
        name = clean(f"{below}/{document}", TEXT_LIMIT_CHARS)
        if name in stored:
            continue
        with suppress(BackupError, OSError), Folder.below(root, below) as folder:
            part, content = read_archived(folder, document)  # damaged: `context prune` says so
            place = " > ".join((part.source, *part.heading))
            text = clean(f"{place}\n{content.decode('utf-8', 'replace')}", TEXT_LIMIT_CHARS)
            said_at = f"{part.first}T00:00:00Z"
            new += index_document(database, session, name=name, text=text, said_at=said_at)
    touch_session(database, session, now())
    return new


def _documents(root: str, settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield each archived document of the features and the memory: its folder, its path there."""
    features = feature_names(root, settings)
    below = [f"{settings.features_folder}/{name}" for name in features]
    for path in (*below, PROJECT_CONTEXT.rpartition("/")[0]):
        with suppress(BackupError, OSError, ValueError), Folder.below(root, path) as folder:
            yield from ((path, document) for document in list_documents(folder))

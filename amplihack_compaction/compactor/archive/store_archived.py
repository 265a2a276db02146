"""Put what was archived into the session store, where recall finds it with all else."""

import errno
from collections.abc import Iterator

from amplihack_compaction.base.errors import BackupError, reason_of
from amplihack_compaction.base.settings import Settings, Switch, load_settings
from amplihack_compaction.base.timestamps import exact_utc_text
from amplihack_compaction.compactor.archive.archive_folder import list_documents, read_archived
from amplihack_compaction.compactor.backups.folder import BLOCKED, Folder
from amplihack_compaction.compactor.features.feature import PROJECT_CONTEXT, feature_names
from amplihack_compaction.store.database import Database
from amplihack_compaction.store.messages import index_document
from amplihack_compaction.store.query import update_words
from amplihack_compaction.store.sessions import SessionKey, make_session, touch_session
from amplihack_compaction.store.sqlite import open_project_store
from amplihack_compaction.store.transcript_reader import TEXT_LIMIT_CHARS, redacted_and_cut

ARCHIVE_SESSION = "archive"
"""The session of the store that all archived documents of a project belong to."""


def store_archived(root: str, problems: list[str]) -> int:
    """Store a project's archived documents; return how many are new there.

    0 where the store is switched off or nothing was archived. A document that was stored stays
    findable when its archive has become too old. `problems` gets a sentence for each document and
    each archive that cannot be read. Raises StoreError when the store cannot be used.
    """
    settings, _ = load_settings(root)
    found = list(_documents(root, settings, problems)) if settings.store is Switch.ON else []
    if not found:
        return 0
    with open_project_store(root) as database:
        with database.transaction():
            new = _store(database, root, found, problems)
        if new:
            update_words(database)
    return new


def _store(database: Database, root: str, found: list[tuple[str, str]], problems: list[str]) -> int:
    session = make_session(database, SessionKey(root, ARCHIVE_SESSION))
    known = "SELECT uuid FROM message WHERE session = :session"
    stored = {uuid for (uuid,) in database.rows(known, {"session": session.id})}
    new = 0
    for below, document in found:
        name = redacted_and_cut(f"{below}/{document}", TEXT_LIMIT_CHARS)
        if name in stored:
            continue
        try:
            with Folder(root, below) as folder:
                part, content = read_archived(folder, document)
        except BackupError:
            continue  # edited or damaged: it is still there to be read by the user
        except OSError as error:
            problems.append(f"{root}/{name} cannot be read: {reason_of(error)}")
            continue
        place = " > ".join((part.source, *part.heading))
        text = redacted_and_cut(f"{place}\n{content.decode('utf-8', 'replace')}", TEXT_LIMIT_CHARS)
        said_at = f"{part.first}T00:00:00Z"
        new += index_document(database, session, name=name, text=text, said_at=said_at)
    touch_session(database, session, exact_utc_text())
    return new


def _documents(root: str, settings: Settings, problems: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each archived document of the features and the memory: its folder, its path there."""
    features = feature_names(root, settings)
    below = [f"{settings.features_folder}/{name}" for name in features]
    for path in (*below, PROJECT_CONTEXT.rpartition("/")[0]):
        try:
            with Folder(root, path) as folder:
                documents = list_documents(folder)
        except BackupError as error:
            why = error.__cause__
            if isinstance(why, OSError) and why.errno not in (errno.ENOENT, *BLOCKED):
                problems.append(str(error))
            continue
        except OSError as error:
            problems.append(f"the archive of {path} cannot be looked into: {error}")
            continue
        yield from ((path, document) for document in documents)

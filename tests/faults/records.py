"""What lies in a world, read as its records: to be compared, and to be found whole.

A record is where it lies and what it says. Files that hold many are taken apart: what was
stored before a fault must be there after it, whatever else its file has got since.
"""

import json
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.compactor.backups.change_history import ChangeStatus, list_entries
from amplihack_compaction.compactor.backups.folder import Folder
from amplihack_compaction.injection.position import read_position
from amplihack_compaction.injection.snapshot import project_snapshots
from amplihack_compaction.ledger.stored import load_state
from tests.faults.world import World


class Record(NamedTuple):
    """One stored thing: the file's path below the world's root, and its content."""

    place: str
    content: str


# Caches, logs and locks: what they lose is found out again, and counts for nothing here.
_PASSING = re.compile(
    r"\.tmp|hooks\.log|\.cache/|/position$|/limits$|/firings/|/levels/|\.lock$|/lock$|/preparing/"
    r"|store\.db-|^tmp/|store\.trouble"
)
_SNAPSHOT = re.compile(r"/snapshots/.*")  # its id is nothing that it says
_LOGS = ("auto_events", "token_metrics", "index")  # a line said again says no more
_BACKUP = re.compile(r"/\.compaction/backup/")
_STORE = "store.db"
_EVENTS = "compaction_events.json"
_SESSIONS = "SELECT scope, session_id, message_count, compaction_count, summary FROM session"
_OF = "FROM {0} JOIN session ON session.id = {0}.session"
_TABLES = (
    _SESSIONS,
    "SELECT session_id, kind, role, tool, turn, uuid, part, place, body, archived "
    + _OF.format("message") + " JOIN content ON content.message = message.id",
    "SELECT session_id, number, strategy, uuid, compaction.summary, messages_before "
    + _OF.format("compaction"),
)  # fmt: skip
_NORMAL = (
    (re.compile(r"\d{8}-\d{6}-[0-9a-f]{4,8}"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?"), "TIME"),
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "UUID"),
    (re.compile(r'("at": |"[am]time_ns": ?)[\d.]+'), r"\1N"),
    # Each world has a user of its own, with a key of his own that marks what he wrote.
    (re.compile(r'("mark": ?")[0-9a-f]{40,64}'), r"\1MARK"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "KEY"),
    (re.compile(r'("tokens_after": )\d+'), r"\1N"),  # of a text that names an id
    (re.compile(r'("copy_hash":|"digest": ?|expand )"?[0-9a-f]{8,}'), "HASH"),
)


def records_of(world: World) -> set[Record]:
    """Return every record below a world's root but passing ones."""
    return {
        Record(_SNAPSHOT.sub("/snapshots/", place), content)
        for path in _files(world.root)
        if not _PASSING.search(place := path.relative_to(world.root).as_posix())
        for content in _contents(path)
    }


def normal(records: set[Record]) -> set[Record]:
    """Return records without what differs from run to run: ids, times, process ids."""
    found = set()
    for record in records:
        place, content = map(make_normal, record)
        if place.endswith(".html"):  # its charts show times
            content = str(content.endswith("</html>\n"))
        found.add(Record(place, content))
    return found


def taken_apart(records: set[Record]) -> set[Record]:
    """Return records with each change of a folder as its files: what each was and became.

    Which files were changed at once is left out, and so is what only sums that up.
    """
    found = set()
    for record in records:
        if backup := _BACKUP.search(record.place):
            place = record.place[: backup.end()]
            found |= {Record(place, content) for content in _changed(record)}
        else:
            found.add(record)
    return found


def _changed(record: Record) -> Iterator[str]:
    if not record.place.endswith("/entry.json"):
        yield record.content  # a file as it was; its digest stands in the entry
        return
    entry = json.loads(record.content)
    for file in entry["files"]:
        yield json.dumps({**file, "number": 0, "status": entry["status"]}, sort_keys=True)
    for item in entry["items"]:
        yield json.dumps({**item, "revert_path": ""}, sort_keys=True)


def make_normal(text: str) -> str:
    """Return a text without ids, times and process ids."""
    for pattern, put in _NORMAL:
        text = pattern.sub(put, text)
    return text


def leftovers(world: World) -> list[str]:
    """Return the temporary files below the project's own folders."""
    return [p.relative_to(world.root).as_posix() for p in _files(world.root) if ".tmp" in p.name]


def faults_of(world: World) -> list[str]:
    """Return what is torn or set aside below a world's root, one sentence each."""
    found = []
    for path in _files(world.root):
        if ".tmp" in path.name or "/preparing/" in str(path):
            continue  # being written when its process died: nobody reads it
        if ".corrupt-" in path.name:
            found.append(f"{path} was set aside")
        try:
            _parse(path)
        except (ValueError, KeyError, CompactionError, sqlite3.Error) as error:
            found.append(f"{path} is torn: {error!r}")
    with world.as_its_user():
        return [*found, *_unusable(world)]


def _unusable(world: World) -> Iterator[str]:
    """Say what the package itself could not use."""
    for file in project_snapshots(str(world.project)):
        if not (Path(file.folder) / "snapshots" / f"{file.id}.json").is_file():
            yield f"snapshot {file.id} is gone"
    for kept in world.project.rglob(".compaction"):
        with Folder(str(kept.parent)) as folder:
            entries, problems = list_entries(folder)
            yield from problems
            for entry in entries:
                if entry.status is ChangeStatus.DONE and not entry.backup_removed:
                    for old in entry.files:
                        if old.old is not None and folder.stat(entry.old_path(old)) is None:
                            yield f"the backup of {old.path} in {entry.id} is gone"


def _parse(path: Path) -> None:
    data = path.read_bytes()
    if path.name == "ledger.json" or path.name == "continues.json":
        load_state(data)
    elif path.parent.name == "snapshots" and path.suffix == ".json":
        load_state(json.dumps(json.loads(data)["state"]).encode())
    elif path.suffix == ".json" or (path.parent.name == "tokens" and len(path.name) == 32):
        json.loads(data)
    elif path.suffix == ".jsonl":
        _whole_lines(data)
        for line in data.splitlines():
            json.loads(line)
    elif path.name.startswith("hooks.log"):
        _whole_lines(data)
    elif path.name == "position" and read_position(str(path.parent)) is None:
        raise ValueError(repr(data))
    elif path.name == _STORE:
        for _ in _rows(path):
            pass


def _whole_lines(data: bytes) -> None:
    if data and not data.endswith(b"\n"):
        raise ValueError(f"its last line has no end: {data[-80:]!r}")


def _files(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())


def _contents(path: Path) -> list[str]:
    if path.name == _STORE:
        return list(_rows(path))
    data = path.read_bytes()
    if path.name == _EVENTS:
        return [json.dumps(event, sort_keys=True) for event in json.loads(data)]
    if path.parent.name == "snapshots":
        return [_snapshot(data)] if path.suffix == ".json" else []
    if path.name == "context.json":
        return list(_notes(json.loads(data)["models"]))
    if path.suffix == ".jsonl" and path.stem in _LOGS:
        return data.decode("utf-8", "replace").splitlines()
    return [data.decode("utf-8", "backslashreplace")]


def _snapshot(data: bytes) -> str:
    """Return what a snapshot says; taken again of the same window, it says it later."""
    content = json.loads(data)
    return json.dumps({**content, "id": "", "created": ""}, sort_keys=True)


def _notes(models: dict[str, dict[str, object]]) -> Iterator[str]:
    """Yield what was noted of each model; what was noted twice says no more."""
    for model, notes in models.items():
        for name, values in notes.items():
            for value in values if isinstance(values, list) else [values]:
                yield f"{model} {name} {value}"


def _rows(path: Path) -> Iterator[str]:
    """Yield the rows of a store; it is read as a copy, so that its own log stays as it is."""
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("", "-wal"):
            source = path.with_name(path.name + ending)
            if source.exists():
                shutil.copy(source, folder)
        connection = sqlite3.connect(Path(folder) / path.name)
        try:
            for check in ("integrity_check", "foreign_key_check"):
                said = connection.execute(f"PRAGMA {check}").fetchall()
                if said not in ([], [("ok",)]):
                    raise ValueError(f"{check}: {said[:3]}")
            connection.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 0)")
            for table in _TABLES:
                yield from map(repr, connection.execute(table))
        finally:
            connection.close()

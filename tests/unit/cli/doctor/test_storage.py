"""The runtime folder in each state that it can be found in."""

import json
import os
import posix
import sqlite3
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from amplihack_compaction.base.paths import prepare_runtime, runtime_folder
from amplihack_compaction.cli.doctor import storage
from amplihack_compaction.cli.doctor.rows import Row
from amplihack_compaction.cli.doctor.storage import check_storage
from amplihack_compaction.store.database import SET_META
from amplihack_compaction.store.sqlite import SET_ASIDE, default_place, open_project_store
from tests.support.processes import modes_below
from tests.support.sessions import Session
from tests.support.signing import change_signed
from tests.unit.cli.doctor.conftest import grades, texts


@pytest.fixture
def recorded(project: Path) -> Session:
    """Return a session that was compacted once."""
    session = Session(project)
    session.compact()
    return session


def check(project: Path) -> list[Row]:
    return check_storage(str(project))


def repair(rows: list[Row]) -> None:
    for row in rows:
        if row.repair is not None:
            row.repair.run()


def snapshot_of(session: Session) -> Path:
    return next(session.runtime.glob("sessions/*/snapshots/*.json"))


def test_nothing_stored_yet_is_in_order(project: Path) -> None:
    rows = check(project)
    assert grades(rows) == []
    assert "nothing is stored" in texts(rows)
    assert list(project.iterdir()) == []


def test_what_the_hooks_leave_is_in_order(recorded: Session) -> None:
    rows = check(recorded.project)
    assert grades(rows) == []
    assert "compaction_events.json: 1 compaction" in texts(rows)
    assert "1 snapshot can be read" in texts(rows)


def test_that_the_newest_recorded_compaction_is_stale_is_said(recorded: Session) -> None:
    path = recorded.runtime / "compaction_events.json"
    (event,) = json.loads(path.read_text())
    for hours, told in ((30, "1 compaction, the newest 30 hours ago: stale"), (2, "1 compaction")):
        moment = datetime.now(UTC) - timedelta(hours=hours)
        path.write_text(json.dumps([{**event, "timestamp": moment.isoformat()}]))
        assert any(row.text.endswith(f": {told}") for row in check(recorded.project))


def test_rights_for_others_are_taken_away_only_when_asked(recorded: Session) -> None:
    opened = [recorded.runtime, snapshot_of(recorded), snapshot_of(recorded).parent]
    for path in opened:
        path.chmod(0o755)
    rows = check(recorded.project)
    assert grades(rows) == ["warning"]
    assert "not for you alone: 3 files" in texts(rows)
    assert opened[0].stat().st_mode & 0o777 == 0o755
    repair(rows)
    assert grades(check(recorded.project)) == []
    assert set(modes_below(recorded.runtime).values()) == {0o600, 0o700}


def test_links_are_neither_judged_nor_changed(recorded: Session, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    outside.chmod(0o644)
    (recorded.runtime / "link").symlink_to(outside)
    (recorded.runtime / "old.tmp").symlink_to(outside)
    rows = check(recorded.project)
    assert grades(rows) == []
    repair(rows)
    assert outside.stat().st_mode & 0o777 == 0o644


def test_a_path_that_became_a_link_is_not_changed(recorded: Session, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    outside.chmod(0o644)
    path = recorded.runtime / "x"
    path.write_text("x")
    path.chmod(0o644)
    rows = check(recorded.project)
    path.unlink()
    path.symlink_to(outside)
    repair(rows)
    path.unlink()
    repair(rows)  # gone by now: nothing happens
    assert outside.stat().st_mode & 0o777 == 0o644


def test_old_temporary_files_are_removed_when_asked(recorded: Session) -> None:
    old, young = recorded.runtime / "a.json.1.ff.tmp", recorded.runtime / "b.json.2.ff.tmp"
    for path in (old, young):
        path.write_text("half")
        path.chmod(0o600)
    os.utime(old, (1, 1))
    rows = check(recorded.project)
    assert grades(rows) == ["warning"]
    repair(rows)
    assert (old.exists(), young.exists()) == (False, True)
    assert grades(check(recorded.project)) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_files_of_another_user_are_named(recorded: Session) -> None:
    os.chown(snapshot_of(recorded), 12345, 12345)
    rows = check(recorded.project)
    assert grades(rows) == ["warning", "warning"]
    assert "of another user" in texts(rows)
    assert "1 snapshot cannot be used, of the newest 1" in texts(rows)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_project_that_cannot_be_written_in_is_a_failure(project: Path) -> None:
    project.chmod(0o500)
    assert grades(check(project)) == ["failure"]
    project.chmod(0o700)
    prepare_runtime(str(project))
    Path(runtime_folder(str(project))).chmod(0o500)
    assert "failure" in grades(check(project))


def test_without_the_right_to_write_it_says_so(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What access() answers somebody else than root, for whom every test may run.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "cannot be written in: no session" in texts(check(project))
    prepare_runtime(str(project))
    assert "it cannot be written in" in texts(check(project))


def test_a_linked_or_foreign_runtime_folder_is_a_failure(project: Path, tmp_path: Path) -> None:
    (project / ".claude").symlink_to(tmp_path)
    assert "is a link" in texts(check(project))
    (project / ".claude").unlink()
    folder = Path(runtime_folder(str(project)))
    folder.parent.mkdir(parents=True)
    folder.write_text("a file")
    rows = check(project)
    assert grades(rows) == ["failure"]
    assert f"{folder} is no folder" in texts(rows)
    folder.unlink()
    folder.parent.rmdir()
    folder.parent.write_text("a file")
    (row,) = check(project)
    assert f"{folder.parent} is no folder" in row.text
    assert "move it away" in row.remedy


def test_a_large_folder_is_named(recorded: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "_LARGE_BYTES", 100)
    assert "context prune" in texts(check(recorded.project))


def test_an_events_file_that_is_none_is_a_failure(recorded: Session) -> None:
    path = recorded.runtime / "compaction_events.json"
    path.write_text("{oops")
    assert "failure" in grades(check(recorded.project))
    path.write_text(json.dumps([{"timestamp": "x"}, 3]))
    assert "1 of 2 are no events" in texts(check(recorded.project))


@pytest.mark.parametrize("call", ["chmod", "unlink"])
def test_what_the_disk_refuses_to_mend_is_not_called_mended(
    recorded: Session, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    paths = [recorded.runtime / f"{name}.json.1.ff.tmp" for name in ("a", "b", "c")]
    for path in paths:
        path.write_text("half")
        path.chmod(0o644 if call == "chmod" else 0o600)
        os.utime(path, (1, 1))
    rows = [row for row in check(recorded.project) if row.repair is not None]
    paths[1].unlink()  # what is gone needs no mending
    act = getattr(posix, call)

    def refuse(path: str, *arguments: int) -> None:
        if path == str(paths[0]):
            raise OSError(30, "Read-only file system", path)
        act(path, *arguments)

    monkeypatch.setattr(posix, call, refuse)
    with pytest.raises(OSError, match="Read-only"):
        repair(rows[:1])
    monkeypatch.undo()
    again = [row for row in check(recorded.project) if row.text.startswith(rows[0].text[:12])]
    assert "1 " in again[0].text  # the others are mended
    repair(again)
    assert check(recorded.project) != again


def test_a_full_disk_is_a_failure(recorded: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    for size, blocks, expected in ((100, 64, []), (0, 0, []), (100, 63, ["failure"])):
        room = SimpleNamespace(f_blocks=size, f_bavail=blocks, f_frsize=4096, f_flag=0)
        monkeypatch.setattr(posix, "statvfs", lambda _, room=room: room)
        rows = check(recorded.project)
        assert grades(rows) == expected
    assert "the disk is full: 252 KiB are free" in texts(rows)


def test_broken_snapshots_are_named(recorded: Session) -> None:
    path = snapshot_of(recorded)
    path.write_bytes(path.read_bytes()[:50])
    rows = [row for row in check(recorded.project) if row.details]
    assert grades(rows) == ["warning"]
    assert str(path) in rows[0].details[0]


def test_a_folder_of_snapshots_that_cannot_be_looked_into_is_named(
    recorded: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, look = str(snapshot_of(recorded).parent), posix.listdir

    def refuse(path: str) -> list[str]:
        if path == folder:
            raise OSError(5, "Input/output error", path)
        return look(path)

    monkeypatch.setattr(posix, "listdir", refuse)
    rows = [row for row in check(recorded.project) if row.text == "not all snapshots can be seen"]
    assert grades(rows) == ["warning"]
    assert "Input/output error" in rows[0].details[0]


def database(project: Path) -> Path:
    with open_project_store(str(project)) as store:
        store.run_many(SET_META, ({"name": str(n), "value": str(n) * 50} for n in range(2000)))
    return Path(default_place(str(project)))


def test_a_healthy_database_is_read_and_left_alone(project: Path) -> None:
    path = database(project)
    before = sorted(each.name for each in path.parent.iterdir())
    rows = check(project)
    assert grades(rows) == []
    assert "store.db: healthy" in texts(rows)
    assert sorted(each.name for each in path.parent.iterdir()) == before


@pytest.mark.parametrize(
    ("version", "told"), [("1", "healthy"), ("999", "update this package"), ("odd", "is damaged")]
)
def test_a_database_of_a_newer_version_is_named_and_left_alone(
    project: Path, version: str, told: str
) -> None:
    path = database(project)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE name = 'schema_version'", (version,))
    connection.close()
    before = path.read_bytes()
    rows = check(project)
    assert grades(rows) == ["failure"] * (told != "healthy")
    assert told in texts(rows)
    assert path.read_bytes() == before


def test_a_snapshot_of_a_newer_version_is_not_to_be_deleted(recorded: Session) -> None:
    path = snapshot_of(recorded)
    change_signed(path, version=999)
    rows = check(recorded.project)
    assert grades(rows) == ["warning"]
    assert "update this package" in texts(rows)
    assert "delete" not in texts(rows)


def test_a_database_that_is_being_written_is_healthy(project: Path) -> None:
    path = database(project)
    writer = sqlite3.connect(path)
    try:
        writer.execute("INSERT INTO meta VALUES ('x', 'x')")
        assert "store.db: healthy" in texts(check(project))
    finally:
        writer.rollback()
        writer.close()


@pytest.mark.parametrize("damage", ["torn", "overwritten", "no database", "empty"])
def test_a_damaged_database_is_a_failure(project: Path, damage: str) -> None:
    path = database(project)
    data = bytearray(path.read_bytes())
    if damage == "torn":
        data = data[: len(data) // 2]
    elif damage == "overwritten":
        data[5000:60000] = b"\xff" * 55000
    elif damage == "no database":
        data = bytearray(b"hello" * 1000)
    else:
        data = bytearray()
    path.write_bytes(data)
    assert grades(check(project)) == ["failure"]


def test_a_database_with_more_than_its_schema_is_a_failure(project: Path) -> None:
    with sqlite3.connect(database(project)) as connection:
        connection.execute("CREATE VIEW v AS SELECT 1")
    connection.close()
    rows = check(project)
    assert grades(rows) == ["failure"]
    assert "it holds 'v', which is none of the store's" in texts(rows)


def test_a_database_of_another_key_is_a_failure_and_nothing_is_to_be_deleted(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = database(project)
    aside = f"{path}{SET_ASIDE}"
    monkeypatch.setenv("AMPLIHACK_COMPACTION_HOME", str(project.parent / "other"))
    rows = check(project)
    assert grades(rows) == ["failure"]
    assert f"The next hook sets it aside as {aside}" in texts(rows)
    assert f"recall WORDS --url {path}" in texts(rows)
    open_project_store(str(project)).close()
    rows = check(project)
    assert grades(rows) == ["warning"]
    assert f"recall WORDS --url {aside}" in texts(rows)
    assert "delete" not in texts(rows)
    monkeypatch.delenv("AMPLIHACK_COMPACTION_HOME")
    rows = check(project)
    assert grades(rows) == []
    assert "store.db.set-aside: healthy" in texts(rows)


def test_a_database_that_takes_too_long_is_left_at_that(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database(project)
    monkeypatch.setattr(storage, "_DATABASE_SECONDS", -1.0)
    monkeypatch.setattr(storage, "_STEPS", 1)
    rows = check(project)
    assert grades(rows) == []
    assert "not all of it could be looked at" in texts(rows)


def test_a_database_that_is_no_file_is_a_failure(project: Path) -> None:
    prepare_runtime(str(project))
    (Path(runtime_folder(str(project))) / "store.db").symlink_to("/dev/zero")
    assert "is no regular file" in texts(check(project))


def test_an_interpreter_without_sqlite_is_no_fault_of_the_database(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database(project)
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    assert grades(check(project)) == []

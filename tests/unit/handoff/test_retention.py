import os
import time
from pathlib import Path

import pytest

from amplihack_compaction.compactor.backups.folder import Folder
from amplihack_compaction.handoff.checkpoint import create_checkpoint
from amplihack_compaction.handoff.retention import remove_old_snapshots
from amplihack_compaction.injection.snapshot import load_snapshot, take_snapshot
from tests.support.sessions import write_own_settings
from tests.unit.handoff.kept import Kept

DAY = 86_400


def age(folder: Path, days: float) -> None:
    """Let everything in a folder be so old."""
    at = time.time() - days * DAY
    for above, folders, files in os.walk(folder, topdown=False):
        for name in (*folders, *files):
            os.utime(os.path.join(above, name), (at, at), follow_symlinks=False)
    os.utime(folder, (at, at))


def session(project: Path, number: int, days: float, transcript_days: float | None = None) -> Kept:
    """Return a session with a checkpoint of so long ago."""
    kept = Kept(project, f"{number:08d}-1111-4222-8333-444444444444")
    create_checkpoint(kept.moment(), "manual")
    age(kept.folder, days)
    at = time.time() - (days if transcript_days is None else transcript_days) * DAY
    os.utime(kept.path, (at, at))
    return kept


def names(project: Path) -> list[str]:
    return sorted(os.listdir(project / ".claude/runtime/power-steering/sessions"))


def test_old_sessions_go_whole_but_not_the_newest(project: Path) -> None:
    old, older, newest = (session(project, n, days) for n, days in enumerate((100, 300, 95)))
    planned = remove_old_snapshots(str(project), dry_run=True)
    assert names(project) == sorted(each.session_id for each in (old, older, newest))
    done = remove_old_snapshots(str(project))
    assert done == planned
    assert [each.session for each in done.removed] == [older.session_id, old.session_id]
    assert all(each.freed_bytes > 500 for each in done.removed)
    assert names(project) == [newest.session_id]
    assert not remove_old_snapshots(str(project)).removed


def test_one_new_file_makes_a_session_new(project: Path) -> None:
    old = session(project, 1, 100)
    session(project, 2, 1)
    (old.folder / "levels").mkdir()
    (old.folder / "levels" / "0.compact").touch()
    assert not remove_old_snapshots(str(project)).removed


@pytest.mark.parametrize("plain", [True, False])
def test_a_session_whose_transcript_is_written_to_stays(project: Path, plain: bool) -> None:
    old = session(project, 1, 100, transcript_days=0.5)
    session(project, 2, 1)
    if not plain:  # the snapshot alone knows where its transcript is
        elsewhere = project.parent / "elsewhere.jsonl"
        snapshot = load_snapshot(str(old.folder))
        take_snapshot(str(old.folder), snapshot.state, snapshot.window_start, str(elsewhere), 40)
        old.path.rename(elsewhere)
        age(old.folder, 100)
    assert not remove_old_snapshots(str(project)).removed
    age(project.parent, 2)
    os.utime(old.path if plain else elsewhere, (time.time() - 2 * DAY,) * 2)
    age(old.folder, 100)
    assert [each.session for each in remove_old_snapshots(str(project)).removed] == [old.session_id]


def test_a_session_whose_transcript_cannot_be_looked_at_stays(project: Path) -> None:
    old = session(project, 1, 100)
    session(project, 2, 1)
    elsewhere = project.parent / "elsewhere.jsonl"
    elsewhere.symlink_to(elsewhere)
    snapshot = load_snapshot(str(old.folder))
    take_snapshot(str(old.folder), snapshot.state, snapshot.window_start, str(elsewhere), 40)
    age(old.folder, 100)
    assert not remove_old_snapshots(str(project)).removed
    elsewhere.unlink()
    assert [each.session for each in remove_old_snapshots(str(project)).removed] == [old.session_id]


def fill(kept: Kept, megabytes: int, days: float) -> None:
    """Give a session copies of its windows."""
    (kept.folder / "windows").mkdir(exist_ok=True)
    (kept.folder / "windows" / "0.jsonl").write_bytes(b"x" * megabytes * 1024 * 1024)
    age(kept.folder, days)


def test_of_too_many_the_oldest_go_until_the_rest_fits(project: Path) -> None:
    write_own_settings(snapshot_megabytes=5)
    old, newer, newest = (session(project, n, days) for n, days in enumerate((30, 20, 10)))
    for kept, days in ((old, 30), (newer, 20), (newest, 10)):
        fill(kept, 2, days)
    [removal] = remove_old_snapshots(str(project)).removed
    assert (removal.session, removal.freed_bytes > 2 * 1024 * 1024) == (old.session_id, True)
    assert names(project) == [newer.session_id, newest.session_id]


def test_where_that_is_not_enough_what_stays_is_said(project: Path) -> None:
    write_own_settings(snapshot_megabytes=1)
    old, newest = (session(project, n, days) for n, days in enumerate((30, 10)))
    fill(newest, 2, 10)
    done = remove_old_snapshots(str(project))
    assert [each.session for each in done.removed] == [old.session_id]
    assert "more than 1: the newest session" in done.notices[0]
    assert done.kept_bytes > 2 * 1024 * 1024


def test_a_session_that_cannot_be_removed_is_said_and_goes_the_next_time(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = session(project, 1, 100)
    session(project, 2, 1)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Folder, "remove_folder", refuse)
    done = remove_old_snapshots(str(project))
    assert done.removed == []
    assert done.notices == [f"session {old.session_id} stays: Permission denied"]
    monkeypatch.undo()
    assert remove_old_snapshots(str(project)).removed


def test_links_are_not_followed_and_strangers_left_alone(project: Path, tmp_path: Path) -> None:
    assert remove_old_snapshots(str(project)).removed == []
    old = session(project, 1, 100)
    session(project, 2, 1)
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep" / "secret").write_text("x")
    sessions = project / ".claude/runtime/power-steering/sessions"
    (sessions / "linked").symlink_to(outside)
    (sessions / "file").write_text("x")
    (sessions / "empty").mkdir()
    (old.folder / "linked").symlink_to(outside)
    for each in (old.folder, sessions / "empty"):
        age(each, 100)
    removed = remove_old_snapshots(str(project)).removed
    assert {each.session for each in removed} == {old.session_id, "empty"}
    assert (outside / "deep" / "secret").exists()
    assert {"linked", "file"} <= set(names(project))
    runtime = sessions.parent
    runtime.rename(tmp_path / "moved")
    runtime.symlink_to(tmp_path / "moved")
    assert "is a link" in remove_old_snapshots(str(project)).notices[0]

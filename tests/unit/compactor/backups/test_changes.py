import errno
import json
import os
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock, Timeout

from amplihack_compaction.base.errors import BackupError, ChangedError
from amplihack_compaction.base.settings import Settings
from amplihack_compaction.compactor.backups import change_history as change_entries
from amplihack_compaction.compactor.backups import changes
from amplihack_compaction.compactor.backups import folder as folder_module
from amplihack_compaction.compactor.backups.change_history import ChangeStatus
from amplihack_compaction.compactor.backups.folder import Folder, read_tree
from tests.support.trees import picture, replace_contents

ID = "20260201-143022-a1b2c3d4"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    feature = tmp_path / "login"
    (feature / "notes").mkdir(parents=True)
    (feature / "progress.md").write_bytes(b"# Progress\r\nlong log\n")
    (feature / "notes" / "old.md").write_bytes(b"old notes")
    os.chmod(feature / "progress.md", 0o640)
    os.utime(feature / "progress.md", ns=(1_600_000_000_123_456_789, 1_500_000_000_987_654_321))
    return feature


@pytest.fixture
def opened(path: Path) -> Iterator[Folder]:
    with Folder(str(path)) as found:
        yield found


def test_a_change_and_its_revert_leave_what_was_there(path: Path, opened: Folder) -> None:
    before = picture(path)
    atime_ns = (path / "progress.md").stat().st_atime_ns
    applied = replace_contents(
        opened, {"progress.md": b"short", "notes/old.md": None, "SUMMARY.md": b"all"}
    )
    assert (path / "progress.md").read_bytes() == b"short"
    assert stat.S_IMODE((path / "progress.md").stat().st_mode) == 0o640
    assert not (path / "notes" / "old.md").exists()
    assert (path / "SUMMARY.md").read_bytes() == b"all"
    assert applied.entry.can_revert
    reverted = changes.revert_change(opened, applied.entry.id)
    assert (path / "progress.md").stat().st_atime_ns == atime_ns
    assert picture(path) == before
    assert reverted.status is ChangeStatus.REVERTED
    assert set(reverted.restored) == {"progress.md", "notes/old.md", "SUMMARY.md"}
    assert os.listdir(path / applied.entry.folder) == ["entry.json"]


def test_what_is_made_of_a_private_file_is_no_more_open(path: Path, opened: Folder) -> None:
    os.chmod(path / "progress.md", 0o600)
    replace_contents(opened, {"progress.md": None, "SUMMARY.md": b"short"})
    assert stat.S_IMODE((path / "SUMMARY.md").stat().st_mode) == 0o600


def test_what_is_kept_is_private_and_no_part_of_a_commit(path: Path, opened: Folder) -> None:
    applied = replace_contents(opened, {"notes/old.md": b"x"})
    kept = path / ".compaction"
    assert (kept / ".gitignore").read_text() == "*\n"
    folders = [Path(above) for above, _, _ in os.walk(kept)]
    assert {stat.S_IMODE(each.stat().st_mode) for each in folders} == {0o700}
    assert stat.S_IMODE((path / applied.entry.folder / "entry.json").stat().st_mode) == 0o600


def test_the_history_comes_back_as_it_was_stored(opened: Folder) -> None:
    first = replace_contents(opened, {"progress.md": b"short"}).entry
    second = replace_contents(opened, {"notes/old.md": b"n"}, "summarize").entry
    entries, problems = change_entries.list_entries(opened)
    assert not problems
    assert sorted(entries, key=lambda each: each.id) == sorted(
        [first, second], key=lambda each: each.id
    )


@pytest.mark.parametrize("more", [{}, {"progress.md": b"new\n" * 3}])
def test_two_changes_are_reverted_in_turn(
    path: Path, opened: Folder, more: dict[str, bytes]
) -> None:
    before = picture(path)
    first = replace_contents(opened, {"progress.md": b"first"}).entry
    middle = picture(path)
    second = replace_contents(opened, {"progress.md": b"second", **more}).entry
    changes.revert_change(opened, second.id)
    assert picture(path) == middle
    changes.revert_change(opened, first.id)
    assert picture(path) == before


def test_a_file_that_changed_since_stops_the_revert_and_is_named(
    path: Path, opened: Folder
) -> None:
    applied = replace_contents(opened, {"progress.md": b"short", "notes/old.md": b"s"})
    (path / "progress.md").write_bytes(b"my own work")
    now = picture(path)
    with pytest.raises(ChangedError, match=r"changed since .*: progress\.md\. .*--keep"):
        changes.revert_change(opened, applied.entry.id)
    assert picture(path) == now


def test_keep_leaves_the_changed_file_and_restores_the_others(path: Path, opened: Folder) -> None:
    applied = replace_contents(opened, {"progress.md": b"short", "notes/old.md": b"s"})
    (path / "progress.md").write_bytes(b"my own work")
    reverted = changes.revert_change(opened, applied.entry.id, on_changed="keep")
    assert (path / "progress.md").read_bytes() == b"my own work"
    assert (path / "notes" / "old.md").read_bytes() == b"old notes"
    assert (reverted.kept, reverted.restored) == (("progress.md",), ("notes/old.md",))
    # What was not put back can still be had by hand.
    assert (path / applied.entry.folder / "1.old").read_bytes() == b"# Progress\r\nlong log\n"


def test_overwrite_restores_all_and_keeps_the_replaced_work(path: Path, opened: Folder) -> None:
    before = picture(path)
    applied = replace_contents(
        opened, {"progress.md": b"short", "notes/old.md": None, "SUMMARY.md": b"all"}
    )
    (path / "progress.md").write_bytes(b"my own work")
    (path / "notes" / "old.md").write_bytes(b"made again")
    (path / "SUMMARY.md").write_bytes(b"edited")
    changes.revert_change(opened, applied.entry.id, on_changed="overwrite")
    assert picture(path) == before
    kept = path / applied.entry.folder
    assert {f.read_bytes() for f in kept.glob("*.left*")} == {
        b"my own work", b"made again", b"edited"
    }  # fmt: skip


def test_a_file_that_was_restored_by_hand_is_no_obstacle(path: Path, opened: Folder) -> None:
    before = picture(path)
    applied = replace_contents(opened, {"notes/old.md": b"s"})
    (path / "notes" / "old.md").write_bytes(b"old notes")
    changes.revert_change(opened, applied.entry.id)
    assert picture(path) == before


def test_a_backup_that_was_tampered_with_is_not_put_back(path: Path, opened: Folder) -> None:
    applied = replace_contents(opened, {"progress.md": b"short", "notes/old.md": b"s"})
    now = picture(path)
    (path / applied.entry.folder / "2.old").write_bytes(b"something else")
    with pytest.raises(BackupError, match=r"backup of notes/old\.md .* is not what was kept"):
        changes.revert_change(opened, applied.entry.id)
    (path / applied.entry.folder / "2.old").unlink()
    with pytest.raises(BackupError, match=r"backup of notes/old\.md .* is missing"):
        changes.revert_change(opened, applied.entry.id)
    assert picture(path) == now


def test_an_old_change_is_reverted_only_by_force(
    path: Path, opened: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = picture(path)
    monkeypatch.setattr(time, "time", lambda: time.time_ns() / 10**9 - 30 * 3600)
    applied = replace_contents(opened, {"progress.md": b"short"})
    monkeypatch.undo()
    with pytest.raises(BackupError, match=r"30 h old, .* within 24 h; --force"):
        changes.revert_change(opened, applied.entry.id, within_hours=24)
    changes.revert_change(opened, applied.entry.id)
    assert picture(path) == before
    with pytest.raises(BackupError, match="reverted already"):
        changes.revert_change(opened, applied.entry.id)


def test_a_file_that_changed_since_it_was_read_is_not_replaced(path: Path, opened: Folder) -> None:
    files = read_tree(opened).files
    (path / "progress.md").write_bytes(b"typed meanwhile")
    now = picture(path)
    replacements = [
        changes.Replacement(path=name, old=files[name], new=b"short") for name in sorted(files)
    ]
    with pytest.raises(ChangedError, match=r"progress\.md .* changed meanwhile"):
        changes.apply_change(opened, replacements, identifier=ID, level="compact")
    assert picture(path) == now
    assert change_entries.list_entries(opened) == ([], [])


def test_what_is_appended_at_the_last_moment_is_not_lost(
    path: Path, opened: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = (path / "progress.md").open("ab")
    renamed = Folder.rename

    def append_first(self: Folder, old: str, new: str) -> None:
        renamed(self, old, new)
        if new == "progress.md" and old.endswith(".new"):
            log.write(b"one more line\n")
            log.flush()

    monkeypatch.setattr(Folder, "rename", append_first)
    with pytest.raises(ChangedError):
        replace_contents(opened, {"notes/old.md": b"s", "progress.md": b"short"})
    log.close()
    assert (path / "progress.md").read_bytes() == b"# Progress\r\nlong log\none more line\n"
    assert (path / "notes" / "old.md").read_bytes() == b"old notes"


def test_a_file_in_the_way_of_a_new_one_stops_the_change(path: Path, opened: Folder) -> None:
    (path / "SUMMARY.md").write_bytes(b"mine")
    replacement = changes.Replacement(path="SUMMARY.md", old=None, new=b"x")
    with pytest.raises(ChangedError):
        changes.apply_change(opened, [replacement], identifier=ID, level="summarize")
    assert (path / "SUMMARY.md").read_bytes() == b"mine"


def test_without_links_the_backup_is_a_copy(
    path: Path, opened: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", no_links)
    before = picture(path)
    applied = replace_contents(opened, {"progress.md": b"short", "notes/old.md": None})
    (path / "progress.md").write_bytes(b"mine")
    changes.revert_change(opened, applied.entry.id, on_changed="overwrite")
    assert picture(path) == before


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "No space left"), (errno.EACCES, "Permission denied"),
        (errno.EROFS, "Read-only"), (errno.EIO, "Input/output error"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("call", range(1, 9))
def test_a_disk_that_fails_leaves_every_file_as_it_was(
    path: Path, opened: Folder, monkeypatch: pytest.MonkeyPatch, number: int, words: str, call: int
) -> None:
    before = picture(path)
    written = Folder.write_new
    calls = [0]

    def failing(self: Folder, *arguments: Any) -> None:
        calls[0] += 1
        if calls[0] == call:
            raise OSError(number, os.strerror(number))
        written(self, *arguments)

    monkeypatch.setattr(Folder, "write_new", failing)
    with pytest.raises(BackupError, match=words) if call <= 5 else nullcontext():
        replace_contents(opened, {"progress.md": b"short", "notes/old.md": b"s"})
    assert (picture(path) == before) == (call <= 5)
    monkeypatch.undo()
    assert not changes.recover_folder(opened)


def test_what_was_cut_off_before_the_backup_was_complete_is_dropped(
    path: Path, opened: Folder
) -> None:
    before = picture(path)
    opened.write_new(".compaction/preparing/20260201-143022-a1b2c3d4/1.new", b"x")
    assert changes.recover_folder(opened, dry_run=True)
    [said] = changes.recover_folder(opened)
    assert "cut off before it replaced anything" in said
    assert picture(path) == before
    assert not changes.recover_folder(opened, dry_run=True)


def test_a_file_that_was_edited_after_a_cut_off_change_stays(path: Path, opened: Folder) -> None:
    applied = replace_contents(opened, {"progress.md": b"short", "notes/old.md": b"s"}).entry
    change_entries.write_entry(opened, applied.with_status(ChangeStatus.PREPARED))
    (path / "progress.md").write_bytes(b"mine")
    [said] = changes.recover_folder(opened)
    assert said.endswith("stays as it is: progress.md")
    assert (path / "progress.md").read_bytes() == b"mine"
    assert (path / "notes" / "old.md").read_bytes() == b"old notes"
    assert (path / applied.folder / "1.old").exists()
    with pytest.raises(BackupError, match="cut off and taken back"):
        changes.revert_change(opened, applied.id)


def test_a_lost_backup_does_not_stop_the_recovery_for_ever(path: Path, opened: Folder) -> None:
    applied = replace_contents(opened, {"progress.md": b"short", "notes/old.md": None}).entry
    change_entries.write_entry(opened, applied.with_status(ChangeStatus.PREPARED))
    (path / applied.folder / "1.old").unlink()
    (path / applied.folder / "2.old").unlink()
    assert changes.recover_folder(opened)
    assert changes.recover_folder(opened) == []
    assert (path / "progress.md").read_bytes() == b"short"


def test_filelock_and_a_folders_own_lock_keep_each_other_out(path: Path, opened: Folder) -> None:
    lock = FileLock(path / ".compaction" / "lock", timeout=0)
    with folder_module.locked(opened), pytest.raises(Timeout):
        lock.acquire()
    with lock, pytest.raises(BackupError), folder_module.locked(opened, 0.05):
        pass


def test_two_changes_at_once_wait_for_each_other(
    path: Path, opened: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with Folder(str(path)) as other, folder_module.locked(other):
            held.set()
            done.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    with (
        pytest.raises(BackupError, match="another process is changing"),
        folder_module.locked(opened, 0.1),
    ):
        pass
    threading.Timer(0.2, done.set).start()
    replace_contents(opened, {"progress.md": b"short"})
    holder.join()
    assert (path / "progress.md").read_bytes() == b"short"


def test_an_interrupted_change_is_taken_back_at_once(
    path: Path, opened: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = picture(path)
    renamed = Folder.rename

    def interrupt(self: Folder, old: str, new: str) -> None:
        renamed(self, old, new)
        if old.endswith("2.new"):
            raise KeyboardInterrupt

    monkeypatch.setattr(Folder, "rename", interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_contents(opened, {"progress.md": b"short", "notes/old.md": b"s"})
    assert picture(path) == before
    assert not changes.recover_folder(opened, dry_run=True)


def test_a_full_disk_without_links_can_still_be_gone_back_on(
    path: Path, opened: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = picture(path)
    applied = replace_contents(opened, {"progress.md": b"short", "notes/old.md": b"s"}).entry
    written = Folder.write_new

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left")

    def entries_only(self: Folder, name: str, *arguments: Any) -> None:
        if ".left" in name:
            full()
        written(self, name, *arguments)

    monkeypatch.setattr(os, "link", full)
    monkeypatch.setattr(Folder, "write_new", entries_only)
    (path / "notes" / "old.md").write_bytes(b"mine")
    with pytest.raises(BackupError, match="No space left"):
        changes.revert_change(opened, applied.id, on_changed="overwrite")
    assert (path / "notes" / "old.md").read_bytes() == b"mine"
    monkeypatch.undo()
    changes.recover_folder(opened)
    assert picture(path) == before


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "left alone: Expecting"), ("[]", "has version None"),
        ('{"version": 99}', "has version 99"), ('{"version": 1}', "not a list"),
        ('{"version": 1, "timestamp": "2026-01-01"}', "not a list"),
    ],
)  # fmt: skip
def test_an_entry_that_cannot_be_understood_is_left_alone(
    path: Path, opened: Folder, content: str, words: str
) -> None:
    name = "20260201-143022-a1b2c3d4"
    opened.write_new(f".compaction/backup/{name}/entry.json", content.encode())
    with pytest.raises(BackupError, match=words):
        changes.revert_change(opened, name)
    assert words in replace_contents(opened, {"progress.md": b"short"}).found[0]
    assert (path / ".compaction" / "backup" / name / "entry.json").read_text() == content


@pytest.mark.parametrize("outside", ["../x", "/etc/passwd", "a//b", "a/../b", ".", "", "a\0b"])
def test_an_entry_that_names_a_path_outside_is_damaged(
    path: Path, opened: Folder, outside: str
) -> None:
    applied = replace_contents(opened, {"progress.md": b"short"}).entry
    stored = path / applied.folder / "entry.json"
    content = json.loads(stored.read_text())
    content["files"][0]["path"] = outside
    stored.write_text(json.dumps(content))
    with pytest.raises(BackupError, match="not a path below a folder"):
        changes.revert_change(opened, applied.id)


@pytest.mark.parametrize("name", ["20260201-143022-a1b2c3d4", "../x", ""])
def test_a_change_that_does_not_exist_is_said(opened: Folder, name: str) -> None:
    with pytest.raises(BackupError, match=r"no change|no history id"):
        changes.revert_change(opened, name)


def test_old_and_too_large_backups_go_oldest_first(
    path: Path, opened: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for age_days, size in ((40, 10), (20, 300), (10, 400), (1, 500)):
        moment = time.time_ns() / 10**9 - age_days * 86_400
        monkeypatch.setattr(time, "time", lambda at=moment: at)
        (path / "progress.md").write_bytes(os.urandom(size))
        replace_contents(opened, {"progress.md": b"s"})
    monkeypatch.undo()
    ids = [each.id for each in change_entries.list_entries(opened)[0]]
    monkeypatch.setattr(folder_module, "MEGABYTE", 1)
    much, little = (
        Settings(backup_days=30, backup_megabytes=size, revert_hours=0) for size in (10_000, 1_000)
    )
    assert changes.remove_expired(opened, much, dry_run=True) == ids[:1]
    assert changes.remove_expired(opened, little) == ids[:2]
    assert changes.remove_expired(opened, little) == []
    with pytest.raises(BackupError, match="become too old"):
        changes.revert_change(opened, ids[0])
    assert [each.backup_removed for each in change_entries.list_entries(opened)[0]] == [
        True, True, False, False
    ]  # fmt: skip
    changes.revert_change(opened, ids[3])


def test_the_history_itself_is_bounded(opened: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "_ENTRIES_KEPT", 2)
    for number in range(4):
        replace_contents(opened, {"progress.md": b"%d" % number})
    changes.remove_expired(opened, Settings(backup_days=0, revert_hours=0))
    assert len(change_entries.list_entries(opened)[0]) == 2


def test_the_kept_file_is_the_very_file(path: Path, opened: Folder) -> None:
    inode = (path / "progress.md").stat().st_ino
    applied = replace_contents(opened, {"progress.md": b"short"}).entry
    assert (path / applied.folder / "1.old").stat().st_ino == inode
    assert changes._has_backup(opened, applied, applied.files[0])


def test_changes_come_in_their_order_though_the_clock_is_set_back(
    path: Path, opened: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = replace_contents(opened, {"progress.md": b"first"}).entry
    earlier = time.time_ns() / 10**9 - 3_600
    monkeypatch.setattr(time, "time", lambda: earlier)
    later = [replace_contents(opened, {"progress.md": b"%d" % n}).entry for n in range(2)]
    assert [each.id for each in change_entries.list_entries(opened)[0]] == [
        first.id, *(each.id for each in later)
    ]  # fmt: skip
    for each in (later[1], later[0], first):
        changes.revert_change(opened, each.id)
    assert (path / "progress.md").read_bytes() == b"# Progress\r\nlong log\n"


def test_what_is_kept_is_on_the_disk_before_a_file_is_replaced(
    path: Path, opened: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    inode = (path / "progress.md").stat().st_ino
    done: list[object] = []
    fsync, rename = os.fsync, Folder.rename

    def noted(descriptor: int) -> None:
        done.append(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    def renamed(self: Folder, old: str, new: str) -> None:
        done.append(new)
        rename(self, old, new)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(Folder, "rename", renamed)
    replace_contents(opened, {"progress.md": b"short"})
    kept_folder = (path / ".compaction").stat().st_ino
    assert done.index(inode) < done.index("progress.md")
    assert done.index(kept_folder) < done.index("progress.md")

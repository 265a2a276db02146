"""What a recovery or a revert finds in its way is left alone and named, never put over work."""

import errno
import posix
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import BackupError, ChangedError
from amplihack_compaction.base.settings import Settings
from amplihack_compaction.compactor.backups.change_history import (
    ChangeStatus,
    CompactionHistoryEntry,
    list_entries,
    write_entry,
)
from amplihack_compaction.compactor.backups.changes import (
    recover_folder,
    remove_expired,
    revert_change,
)
from amplihack_compaction.compactor.backups.folder import FileImage, Folder
from tests.support.trees import picture, replace_contents


@pytest.fixture
def path(tmp_path: Path) -> Path:
    feature = tmp_path / "login"
    (feature / "notes").mkdir(parents=True)
    (feature / "progress.md").write_bytes(b"# Progress\nlong log\n")
    (feature / "notes" / "old.md").write_bytes(b"old notes")
    return feature


@pytest.fixture
def opened(path: Path) -> Iterator[Folder]:
    with Folder(str(path)) as found:
        yield found


@pytest.fixture
def changed(opened: Folder) -> CompactionHistoryEntry:
    return replace_contents(opened, {"progress.md": b"short", "notes/old.md": None}).entry


@pytest.mark.parametrize("status", [ChangeStatus.PREPARED, ChangeStatus.REVERTING])
def test_a_tampered_backup_is_not_put_back_by_a_recovery(
    path: Path, opened: Folder, changed: CompactionHistoryEntry, status: ChangeStatus
) -> None:
    write_entry(opened, changed.with_status(status))
    (path / changed.folder / "1.old").write_bytes(b"")
    [said] = recover_folder(opened)
    assert said.endswith("stays as it is: progress.md")
    assert (path / "progress.md").read_bytes() == b"short"
    assert (path / "notes" / "old.md").read_bytes() == b"old notes"
    assert (path / changed.folder / "1.old").read_bytes() == b""
    [entry] = list_entries(opened)[0]
    assert entry.kept == ("progress.md",)
    assert recover_folder(opened) == []


def test_a_backup_that_cannot_be_read_now_is_put_back_by_the_next_recovery(
    path: Path, opened: Folder, changed: CompactionHistoryEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_entry(opened, changed.with_status(ChangeStatus.REVERTING))
    read = Folder.read

    def denied(folder: Folder, name: str) -> FileImage:
        if name.endswith("1.old"):
            raise PermissionError(errno.EACCES, "Permission denied", name)
        return read(folder, name)

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "read", denied)
        with pytest.raises(BackupError, match="Permission denied"):
            recover_folder(opened)
    [said] = recover_folder(opened)
    assert said.endswith("was cut off; it was finished")
    assert (path / "progress.md").read_bytes() == b"# Progress\nlong log\n"


def test_a_revert_that_lost_its_backup_half_way_says_so(
    path: Path, opened: Folder, changed: CompactionHistoryEntry
) -> None:
    write_entry(opened, changed.with_status(ChangeStatus.REVERTING))
    (path / changed.folder / "1.old").unlink()
    [said] = recover_folder(opened)
    assert said.endswith("stays as it is: progress.md")
    [entry] = list_entries(opened)[0]
    assert (entry.restored, entry.kept) == (("notes/old.md",), ("progress.md",))


def test_what_a_program_wrote_on_behind_comes_back_with_it(
    path: Path, opened: Folder, changed: CompactionHistoryEntry
) -> None:
    write_entry(opened, changed.with_status(ChangeStatus.PREPARED))
    with (path / changed.folder / "1.old").open("ab") as log:
        log.write(b"one more line\n")
    [said] = recover_folder(opened)
    assert said.endswith("it was taken back")
    assert (path / "progress.md").read_bytes() == b"# Progress\nlong log\none more line\n"


def put_in_the_way(path: Path, what: str) -> str:
    """Let a folder stand where a file was, or a link where its folder was; name the file."""
    if what == "folder":
        (path / "progress.md").unlink()
        (path / "progress.md").mkdir()
        (path / "progress.md" / "mine").write_text("mine")
        return "progress.md"
    shutil.rmtree(path / "notes")
    elsewhere = path.parent / "elsewhere"
    elsewhere.mkdir()
    (path / "notes").symlink_to(elsewhere)
    return "notes/old.md"


@pytest.mark.parametrize("what", ["folder", "link"])
def test_what_cannot_be_overwritten_is_named_and_nothing_is_begun(
    path: Path, opened: Folder, changed: CompactionHistoryEntry, what: str
) -> None:
    name = put_in_the_way(path, what)
    before = picture(path)
    with pytest.raises(ChangedError, match=name):
        revert_change(opened, changed.id, on_changed="overwrite")
    assert picture(path) == before
    assert recover_folder(opened) == []
    kept = revert_change(opened, changed.id, on_changed="keep")
    assert kept.kept == (name,)
    assert len(kept.restored) == 1


@pytest.mark.parametrize("what", ["folder", "link"])
def test_what_stands_in_the_way_of_a_cut_off_revert_does_not_stop_it_for_ever(
    path: Path, opened: Folder, changed: CompactionHistoryEntry, what: str
) -> None:
    write_entry(opened, changed.with_status(ChangeStatus.REVERTING))
    name = put_in_the_way(path, what)
    [said] = recover_folder(opened)
    assert said.endswith(f"stays as it is: {name}")
    assert recover_folder(opened) == []
    [entry] = list_entries(opened)[0]
    assert entry.kept == (name,)
    number = next(file.number for file in changed.files if file.path == name)
    assert (path / entry.folder / f"{number}.old").exists()


def test_the_ignore_file_is_whole_or_not_there(
    opened: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(posix, "write", full)
        with pytest.raises(BackupError, match="No space left"):
            replace_contents(opened, {"progress.md": b"short"})
    replace_contents(opened, {"progress.md": b"short"})
    assert opened.read(".compaction/.gitignore").content == b"*\n"


def test_what_a_program_writes_on_into_a_file_it_has_open_comes_back_with_it(
    path: Path, opened: Folder
) -> None:
    with (path / "progress.md").open("ab") as log:
        made = replace_contents(opened, {"progress.md": b"short", "notes/old.md": b"s"}).entry
        log.write(b"one more line\n")
    revert_change(opened, made.id)
    assert (path / "progress.md").read_bytes() == b"# Progress\nlong log\none more line\n"
    assert (path / "notes" / "old.md").read_bytes() == b"old notes"


def test_a_backup_that_a_program_wrote_on_in_outlives_the_others(
    path: Path, opened: Folder
) -> None:
    with (path / "progress.md").open("ab") as log:
        made = replace_contents(opened, {"progress.md": b"short", "notes/old.md": b"s"}).entry
        log.write(b"one more line\n")
    longer_ago = Settings(backup_days=0, revert_hours=0)
    assert remove_expired(opened, longer_ago) == [made.id]
    assert sorted(opened.names(made.folder)) == ["1.old", "entry.json"]
    assert remove_expired(opened, longer_ago) == []


def test_what_was_edited_after_a_revert_was_cut_off_stays(
    path: Path, opened: Folder, changed: CompactionHistoryEntry
) -> None:
    write_entry(opened, changed.with_status(ChangeStatus.REVERTING))
    (path / "progress.md").write_bytes(b"mine")
    [said] = recover_folder(opened)
    assert said.endswith("stays as it is: progress.md")
    assert (path / "progress.md").read_bytes() == b"mine"
    assert (path / "notes" / "old.md").read_bytes() == b"old notes"
    assert (path / changed.folder / "1.old").exists()


def test_a_revert_that_overwrites_is_finished_as_it_was_asked_for(
    path: Path, opened: Folder, changed: CompactionHistoryEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path / "progress.md").write_bytes(b"mine")

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("amplihack_compaction.compactor.backups.changes._put_back", die)
        with pytest.raises(KeyboardInterrupt):
            revert_change(opened, changed.id, on_changed="overwrite")
    assert recover_folder(opened)
    assert (path / "progress.md").read_bytes() == b"# Progress\nlong log\n"
    assert (path / changed.folder / "1.left1").read_bytes() == b"mine"


def test_where_every_file_was_changed_since_there_is_nothing_to_keep_and_revert(
    path: Path, opened: Folder
) -> None:
    made = replace_contents(opened, {"progress.md": b"short"}).entry
    (path / "progress.md").write_bytes(b"mine")
    with pytest.raises(ChangedError, match=r"every file was changed since .*--overwrite"):
        revert_change(opened, made.id, on_changed="keep")
    revert_change(opened, made.id, on_changed="overwrite")
    assert (path / "progress.md").read_bytes() == b"# Progress\nlong log\n"


def test_what_a_revert_kept_can_be_reverted_later(
    path: Path, opened: Folder, changed: CompactionHistoryEntry
) -> None:
    (path / "progress.md").write_bytes(b"mine")
    assert revert_change(opened, changed.id, on_changed="keep").kept == ("progress.md",)
    (path / "notes" / "old.md").write_bytes(b"edited later")
    with pytest.raises(ChangedError, match="every file was changed"):
        revert_change(opened, changed.id)
    entry = revert_change(opened, changed.id, on_changed="overwrite")
    assert (path / "progress.md").read_bytes() == b"# Progress\nlong log\n"
    assert (path / "notes" / "old.md").read_bytes() == b"edited later"
    assert (entry.kept, set(entry.restored)) == ((), {"progress.md", "notes/old.md"})
    with pytest.raises(BackupError, match="reverted already"):
        revert_change(opened, changed.id)


def test_what_has_no_backup_any_more_does_not_keep_the_others_back(
    path: Path, opened: Folder, changed: CompactionHistoryEntry
) -> None:
    (path / changed.folder / "1.old").unlink()
    with pytest.raises(BackupError, match="The other files come back with --keep"):
        revert_change(opened, changed.id)
    assert revert_change(opened, changed.id, on_changed="keep").kept == ("progress.md",)
    assert (path / "progress.md").read_bytes() == b"short"
    assert (path / "notes" / "old.md").read_bytes() == b"old notes"


def test_a_mode_that_no_file_has_is_said(
    path: Path, opened: Folder, changed: CompactionHistoryEntry
) -> None:
    stored = path / changed.folder / "entry.json"
    stored.write_text(stored.read_text().replace('"mode": ', '"mode": 9999999'))
    with pytest.raises(BackupError, match="no file has mode"):
        revert_change(opened, changed.id)
    assert recover_folder(opened) == []

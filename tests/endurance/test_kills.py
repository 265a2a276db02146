"""A change that is killed anywhere leaves the old files, or the new ones with their backup."""

import shutil
from pathlib import Path

import pytest

from amplihack_compaction.base.settings import Settings
from amplihack_compaction.compactor.archive.archive_folder import (
    list_documents,
    read_archived,
    remove_expired_documents,
)
from amplihack_compaction.compactor.archive.pruner import MemoryPruner
from amplihack_compaction.compactor.backups.change_history import (
    ChangeStatus,
    list_entries,
    write_entry,
)
from amplihack_compaction.compactor.backups.changes import (
    recover_folder,
    remove_expired,
    revert_change,
)
from amplihack_compaction.compactor.backups.folder import Folder
from tests.support.kills import killed_before_each_call
from tests.support.prunable import FILLER, NEW, OLD, OLDER, diary, put
from tests.support.trees import picture, replace_contents

CONTENTS: dict[str, bytes | None] = {
    "progress.md": b"short", "notes/old.md": None, "SUMMARY.md": b"all",
}  # fmt: skip


def make(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True)
    (path / "notes").mkdir(parents=True)
    (path / "progress.md").write_bytes(b"# Progress\nlong log\n" * 50)
    (path / "notes" / "old.md").write_bytes(b"old notes")
    (path / "state.json").write_bytes(b"{}")


def change(path: Path) -> None:
    with Folder(str(path)) as folder:
        replace_contents(folder, CONTENTS)


def revert_last(path: Path) -> None:
    with Folder(str(path)) as folder:
        revert_change(folder, list_entries(folder)[0][-1].id, on_changed="overwrite")


def test_a_killed_change_is_taken_back_or_complete(tmp_path: Path) -> None:
    path = tmp_path / "login"
    old: list[dict[str, tuple[object, ...]]] = []
    ends: set[ChangeStatus] = set()

    def prepare() -> None:
        make(path)
        old[:] = [picture(path)]

    kills = 0
    for _ in killed_before_each_call(prepare, lambda: change(path)):
        kills += 1
        between = picture(path)
        with Folder(str(path)) as folder:
            entries, problems = list_entries(folder)
            if not any(e.status in (ChangeStatus.PREPARED, ChangeStatus.DONE) for e in entries):
                assert between == old[0]
            recover_folder(folder)
            assert recover_folder(folder) == []
            entries, problems = list_entries(folder)
            assert problems == []
            ends.update(entry.status for entry in entries)
            if not any(entry.status is ChangeStatus.DONE for entry in entries):
                assert picture(path) == old[0]
                change(path)
            revert_last(path)
        assert picture(path) == old[0]
    assert kills > 60
    assert ends == {ChangeStatus.TAKEN_BACK, ChangeStatus.DONE}


@pytest.mark.parametrize("edited", [False, True])
def test_a_killed_revert_is_finished(tmp_path: Path, edited: bool) -> None:
    path = tmp_path / "login"
    old: list[dict[str, tuple[object, ...]]] = []

    def prepare() -> None:
        make(path)
        old[:] = [picture(path)]
        change(path)
        if edited:
            (path / "progress.md").write_bytes(b"my own work")
            (path / "SUMMARY.md").write_bytes(b"my own summary")

    kills = 0
    for _ in killed_before_each_call(prepare, lambda: revert_last(path)):
        kills += 1
        with Folder(str(path)) as folder:
            recover_folder(folder)
            [entry] = list_entries(folder)[0]
            if entry.status is ChangeStatus.DONE:
                revert_last(path)
            assert recover_folder(folder) == []
        assert picture(path) == old[0]
        if edited:
            kept = {file.read_bytes() for file in (path / entry.folder).glob("*.left*")}
            assert kept >= {b"my own work", b"my own summary"}
    assert kills > 40


def test_a_killed_cleaning_is_done_by_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "login"

    def prepare() -> None:
        make(path)
        change(path)

    def clean() -> None:
        with Folder(str(path)) as folder:
            remove_expired(folder, Settings(backup_days=0, revert_hours=0))

    kills = 0
    for _ in killed_before_each_call(prepare, clean):
        kills += 1
        now = picture(path)
        clean()
        with Folder(str(path)) as folder:
            [entry] = list_entries(folder)[0]
            assert entry.backup_removed
            assert folder.names(entry.folder) == ["entry.json"]
        assert picture(path) == now
    assert kills > 20


def test_a_killed_recovery_is_ended_by_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "login"
    old: list[dict[str, tuple[object, ...]]] = []

    def prepare() -> None:
        make(path)
        old[:] = [picture(path)]
        change(path)
        with Folder(str(path)) as folder:
            [entry] = list_entries(folder)[0]
            write_entry(folder, entry.with_status(ChangeStatus.PREPARED))
            folder.write_new(".compaction/preparing/20260201-143022-a1b2c3d4/1.new", b"x")

    def recover() -> None:
        with Folder(str(path)) as folder:
            recover_folder(folder)

    kills = 0
    for _ in killed_before_each_call(prepare, recover):
        kills += 1
        recover()
        assert picture(path) == old[0]
        with Folder(str(path)) as folder:
            [entry] = list_entries(folder)[0]
            assert entry.status is ChangeStatus.TAKEN_BACK
            assert entry.kept == ()
            assert recover_folder(folder) == []
    assert kills > 40


def test_a_killed_prune_is_taken_back_or_complete_with_archive_and_backup(tmp_path: Path) -> None:
    login = tmp_path / "features" / "login"
    old: list[dict[str, tuple[object, ...]]] = []
    done: set[bool] = set()

    def prepare() -> None:
        shutil.rmtree(login, ignore_errors=True)
        put(login, "progress.md", diary(OLDER, OLD, NEW), NEW)
        put(login, "notes/old.md", FILLER, OLD)
        old[:] = [picture(login)]

    def prune() -> None:
        MemoryPruner(tmp_path).prune_feature("login")

    prepare()
    prune()  # loads what would else be loaded by every child
    kills = 0
    for _ in killed_before_each_call(prepare, prune):
        kills += 1
        pruner = MemoryPruner(tmp_path)
        pruner.prune_feature("login")
        with Folder(str(login)) as folder:
            entries, problems = list_entries(folder)
            assert problems == []
            [entry] = [each for each in entries if each.status is ChangeStatus.DONE]
            done.add(len(entries) == 1)
            documents = list_documents(folder)
            assert len(documents) == 3
            for document in documents:
                part, content = read_archived(folder, document)
                original = old[0][part.source][-1]
                assert isinstance(original, bytes)
                assert content in original
        pruner.revert("login", entry.id)
        assert picture(login) == old[0]
    assert kills > 90, kills
    assert done == {True, False}


def test_a_killed_retention_of_the_archive_is_done_by_the_next_one(tmp_path: Path) -> None:
    login = tmp_path / "features" / "login"

    def prepare() -> None:
        shutil.rmtree(login, ignore_errors=True)
        put(login, "progress.md", diary(OLDER, OLD, NEW), NEW)
        MemoryPruner(tmp_path).prune_feature("login")

    def expire() -> None:
        with Folder(str(login)) as folder:
            settings = Settings(archive_megabytes=0, revert_hours=0)
            remove_expired_documents(folder, settings, dry_run=False)

    kills = 0
    for _ in killed_before_each_call(prepare, expire):
        kills += 1
        expire()
        with Folder(str(login)) as folder:
            assert list_documents(folder) == []
    assert kills > 8

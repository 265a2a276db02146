"""What the pruner archived is found by recall, with all else that is stored."""

import errno
import os
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import BackupError
from amplihack_compaction.base.paths import STORE_FILE, runtime_folder
from amplihack_compaction.compactor.archive import store_archived as storing
from amplihack_compaction.compactor.archive.pruner import MemoryPruner
from amplihack_compaction.compactor.archive.store_archived import ARCHIVE_SESSION, store_archived
from amplihack_compaction.compactor.backups.folder import FileImage, Folder
from amplihack_compaction.store.search import Filters, recall
from amplihack_compaction.store.sqlite import open_project_store
from tests.support.prunable import NEW, OLD, diary, put
from tests.support.sessions import write_settings


@pytest.fixture
def pruned(project: Path) -> Path:
    secret = "key sk-ant-api03-" + "a1B2" * 20
    text = diary(OLD, NEW).replace(
        "Built part 0", f"The zebra crossing broke; {secret}. Built part 0"
    )
    put(project / "features", "login/progress.md", text)
    assert MemoryPruner(project).prune_feature("login").history_id
    return project


def test_what_was_archived_is_found_once_and_without_secrets(pruned: Path) -> None:
    root = str(pruned)
    assert store_archived(root, []) == 1
    assert store_archived(root, []) == 0
    with open_project_store(root) as database:
        (hit,) = recall(database, "zebra crossing", Filters(kinds=("archived",))).hits
    assert hit.session_id == ARCHIVE_SESSION
    assert hit.said_at.startswith(str(OLD))
    assert "login/.compaction/archived/" in hit.uuid
    store = Path(runtime_folder(root), STORE_FILE).read_bytes()
    assert b"sk-ant-api03" not in store


def test_a_damaged_document_does_not_hide_the_others(pruned: Path) -> None:
    archived = pruned / "features/login/.compaction/archived"
    (document,) = archived.glob("*.md")
    document.with_name(document.name.replace("_1.md", "_2.md")).write_text("torn")
    assert store_archived(str(pruned), []) == 1


def test_what_cannot_be_read_for_a_moment_is_named_and_stored_later(
    pruned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problems: list[str] = []
    real = Folder.read

    def fail(folder: Folder, path: str) -> FileImage:
        if "/archived/" in path:
            raise OSError(errno.EIO, "Input/output error", path)
        return real(folder, path)

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "read", fail)
        assert store_archived(str(pruned), problems) == 0
    assert len(problems) == 1
    assert problems[0].startswith(f"{pruned}/features/login/.compaction/archived/")
    assert problems[0].endswith("cannot be read: Input/output error")
    assert store_archived(str(pruned), []) == 1


@pytest.mark.parametrize("reason", [errno.EACCES, errno.ELOOP])
def test_an_archive_that_may_not_be_looked_into_is_named(
    pruned: Path, monkeypatch: pytest.MonkeyPatch, reason: int
) -> None:
    problems: list[str] = []

    def refuse(*_: object) -> None:
        try:
            raise OSError(reason, os.strerror(reason))
        except OSError as error:
            raise BackupError("the folder cannot be opened") from error

    with monkeypatch.context() as patch:
        patch.setattr(storing, "Folder", refuse)
        assert store_archived(str(pruned), problems) == 0
    # Behind a link there is nothing of ours.
    assert len(problems) == (0 if reason == errno.ELOOP else 2)


def test_an_archive_that_cannot_be_listed_is_named(
    pruned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problems: list[str] = []

    def fail(*_: object) -> list[str]:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Folder, "names", fail)
    assert store_archived(str(pruned), problems) == 0
    assert "the archive of features/login cannot be looked into" in problems[0]


def test_with_the_store_off_nothing_is_stored(pruned: Path) -> None:
    write_settings(pruned, store="off")
    assert store_archived(str(pruned), []) == 0
    assert not Path(runtime_folder(str(pruned)), STORE_FILE).exists()


def test_without_an_archive_no_store_is_made(project: Path) -> None:
    assert store_archived(str(project), []) == 0
    assert not Path(runtime_folder(str(project)), STORE_FILE).exists()

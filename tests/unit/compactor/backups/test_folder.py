import errno
import os
import stat
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import BackupError
from amplihack_compaction.base.files import read_range
from amplihack_compaction.compactor.backups import folder
from amplihack_compaction.compactor.backups import folder as tree_module
from amplihack_compaction.compactor.backups.changes import recover_folder
from amplihack_compaction.compactor.backups.folder import Folder, read_tree
from tests.support.trees import replace_contents


def test_a_tree_holds_files_and_names_what_it_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    inside = tmp_path / "inside"
    (inside / "deep" / "er").mkdir(parents=True)
    (inside / ".git").mkdir()
    (inside / ".git" / "config").write_text("x")
    (inside / "deep" / "er" / "a.md").write_bytes(b"\xff\x00")
    (inside / "link.md").symlink_to(outside / "secret")
    (inside / "linked").symlink_to(outside)
    (inside / "large").write_bytes(b"12345")
    os.mkfifo(inside / "pipe")
    monkeypatch.setattr(folder, "FILE_LIMIT_BYTES", 4)
    with Folder(str(inside)) as opened:
        tree = read_tree(opened)
    assert list(tree.files) == ["deep/er/a.md"]
    assert tree.files["deep/er/a.md"].content == b"\xff\x00"
    assert {path: reason.split()[0] for path, reason in tree.skipped.items()} == {
        "large": "larger", "link.md": "a", "linked": "a", "pipe": "no",
    }  # fmt: skip


def test_a_name_that_is_no_utf8_is_a_name(tmp_path: Path) -> None:
    Path(os.fsdecode(bytes(tmp_path) + b"/\xff.md")).write_bytes(b"long")
    with Folder(str(tmp_path)) as opened:
        applied = replace_contents(opened, {"\udcff.md": b"s"})
        assert opened.read("\udcff.md").content == b"s"
        assert applied.entry.files[0].path == "\udcff.md"


@pytest.mark.parametrize("kind", ["link", "file", "missing", "nul"])
def test_only_a_folder_is_opened(tmp_path: Path, kind: str) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").write_text("x")
    name = "a\0b" if kind == "nul" else kind
    with pytest.raises(BackupError, match="cannot be opened"):
        Folder(str(tmp_path), name)


def test_a_link_put_in_the_way_is_never_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "a.md").write_text("long")
    (inside / ".compaction").symlink_to(outside)
    with Folder(str(inside)) as opened, pytest.raises(BackupError, match="stands in the way"):
        replace_contents(opened, {"a.md": b"s"})
    with Folder(str(inside)) as opened, pytest.raises(BackupError, match="stands in the way"):
        recover_folder(opened)
    assert os.listdir(outside) == []
    assert (inside / "a.md").read_text() == "long"


def test_a_file_that_grows_all_the_while_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_bytes(b"x")

    def grow(descriptor: int, start: int, length: int) -> bytes:
        with (tmp_path / "a.md").open("ab") as stream:
            stream.write(b"y")
        return read_range(descriptor, start, length)

    monkeypatch.setattr(folder, "read_range", grow)
    with Folder(str(tmp_path)) as opened:
        with pytest.raises(BackupError, match="being written to"):
            opened.read("a.md")
        assert read_tree(opened).skipped == {"a.md": "being written to"}


def test_a_file_without_rights_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_bytes(b"x")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    with Folder(str(tmp_path)) as opened:
        monkeypatch.setattr(Folder, "read", refuse)
        tree = read_tree(opened)
        assert tree.skipped == {"a.md": "not readable (Permission denied)"}
        assert tree.unread == ["a.md"]


@pytest.mark.parametrize("call", ["stat", "open", "listdir"])
@pytest.mark.parametrize("reason", [errno.EIO, errno.ENOENT, errno.ELOOP])
def test_a_folder_that_cannot_be_looked_into_is_named_unless_it_went(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, reason: int
) -> None:
    (tmp_path / "notes" / "deep").mkdir(parents=True)
    (tmp_path / "notes" / "deep" / "a.md").write_bytes(b"x")
    (tmp_path / "b.md").write_bytes(b"x")
    real, deep = getattr(os, call), (tmp_path / "notes" / "deep").stat().st_ino

    def fail(what: object, *rest: object, **options: object) -> object:
        if what == "deep" or (isinstance(what, int) and os.fstat(what).st_ino == deep):
            raise OSError(reason, os.strerror(reason))
        return real(what, *rest, **options)

    with Folder(str(tmp_path)) as opened, monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        tree = read_tree(opened)
    assert list(tree.files) == ["b.md"]
    is_said = reason == errno.EIO
    assert tree.unread == (["notes/deep"] if is_said else [])
    assert tree.skipped == ({"notes/deep": "not readable (Input/output error)"} if is_said else {})


def test_too_many_files_and_too_deep_ones_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    for name in ("1", "2", "3"):
        (tmp_path / name).write_bytes(b"x")
    (deep / "x").write_bytes(b"x")
    monkeypatch.setattr(tree_module, "_FILES_LIMIT", 2)
    monkeypatch.setattr(tree_module, "_DEPTH_LIMIT", 2)
    with Folder(str(tmp_path)) as opened:
        tree = read_tree(opened)
    assert list(tree.files) == ["1", "2"]
    assert tree.skipped == {"3": "too much for one feature"}


def test_a_write_replaces_and_leaves_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Folder(str(tmp_path)) as opened:
        opened.write("x/y", b"one")
        opened.write("x/y", b"two")
        assert opened.names("x") == ["y"]
        assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o700

        def refuse(*_: object, **__: object) -> None:
            raise OSError(28, "full")

        monkeypatch.setattr(os, "rename", refuse)
        with pytest.raises(OSError, match="full"):
            opened.write("x/y", b"three")
        assert opened.names("x") == ["y"]

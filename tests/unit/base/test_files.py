import errno
import os
import posix
import resource
import stat
from pathlib import Path

import pytest

from amplihack_compaction.base import files, paths
from amplihack_compaction.base.files import parse_object


def test_a_fifo_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with pytest.raises(OSError, match="not a regular file"):
        files.open_regular(str(fifo))
    assert files.read_bytes(str(fifo), 10) is None


@pytest.mark.parametrize("name", ["missing", ".", "nul\0inside"])
def test_what_is_no_file_reads_as_nothing(tmp_path: Path, name: str) -> None:
    assert files.read_bytes(f"{tmp_path}/{name}", 10) is None


def test_a_link_is_opened_only_where_it_is_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "secret")
    with pytest.raises(OSError, match="a link, and none is followed") as refused:
        files.open_regular(str(link))
    assert refused.value.errno == errno.ELOOP
    assert files.read_bytes(str(link), 10) is None
    assert files.read_bytes(str(link), 10, follow=True) == b"secret"


@pytest.mark.parametrize(
    ("path", "can_be"),
    [
        ("/home/a/.claude/projects/-p/x.jsonl", True),
        ("/a/é\udcff.jsonl", True),
        ("/a/\ud800.jsonl", False),
        ("a.jsonl", False),
        ("", False),
        ("/etc/passwd", False),
        ("/a/../b.jsonl", False),
    ],
)
def test_a_transcripts_path_is_absolute_and_has_its_ending(path: str, can_be: bool) -> None:
    assert paths.is_transcript_path(path) is can_be


def test_a_file_above_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"12345")
    assert files.read_bytes(str(path), 4) is None
    assert files.read_bytes(str(path), 5) == b"12345"


def test_a_range_is_read_whole_and_stops_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"0123456789")
    descriptor = files.open_regular(str(path))
    assert files.read_range(descriptor, 2, 3) == b"234"
    assert files.read_range(descriptor, 8, 100) == b"89"
    assert files.read_range(descriptor, 50, 5) == b""
    os.close(descriptor)


def test_replacing_makes_private_files_and_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "f"
    files.replace_atomically(str(path), b"one")
    files.replace_atomically(str(path), b"two")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert os.listdir(path.parent) == ["f"]


def test_a_failing_writer_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")

    def parts() -> "list[bytes]":
        raise RuntimeError

    with pytest.raises(RuntimeError):
        files.replace_with_parts(str(path), (part for part in parts()))
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["f"]


def test_replacing_a_folder_fails_and_leaves_no_litter(tmp_path: Path) -> None:
    (tmp_path / "d" / "inside").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        files.replace_atomically(str(tmp_path / "d"), b"x")
    assert os.listdir(tmp_path) == ["d"]


def test_only_the_first_exclusive_create_wins(tmp_path: Path) -> None:
    path = str(tmp_path / "claims" / "1")
    assert files.create_exclusively(path, b"first")
    assert not files.create_exclusively(path, b"second")
    assert Path(path).read_bytes() == b"first"
    assert os.listdir(tmp_path / "claims") == ["1"]


def test_a_log_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "log"
    for _ in range(100):
        files.append_line(str(path), b"x" * 99 + b"\n", 1000)
    assert path.stat().st_size <= 1100
    assert sorted(os.listdir(path.parent)) == ["log", "log.1"]


def test_a_line_without_room_is_not_begun(tmp_path: Path) -> None:
    path = tmp_path / "log"
    files.append_line(str(path), b"first\n", 100)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (9, limits[1]))
    try:
        with pytest.raises(OSError, match="no room"):
            files.append_line(str(path), b"second\n", 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == b"first\n"


def test_a_line_behind_a_torn_one_stands_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"first\nsec")
    files.append_line(str(path), b"third\n", 100)
    assert path.read_bytes() == b"first\nsec\nthird\n"


def test_a_full_log_is_set_aside_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    files.append_line(str(path), b"old\n", 1)
    look = files.is_still

    def look_behind_a_rival(name: str, descriptor: int) -> bool:
        monkeypatch.setattr(files, "is_still", look)
        files.append_line(name, b"r\n", 1)
        return look(name, descriptor)

    monkeypatch.setattr(files, "is_still", look_behind_a_rival)
    files.append_line(str(path), b"mine\n", 3)
    assert (tmp_path / "log.1").read_bytes() == b"old\n"
    assert path.read_bytes() == b"r\nmine\n"


def test_a_log_that_cannot_be_begun_anew_closes_its_descriptor_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "log")
    files.append_line(path, b"x" * 99 + b"\n", 10)
    opened = iter([os.open(path, os.O_WRONLY)])

    def open_once(_: str, flags: int) -> int:
        for descriptor in opened:
            return descriptor
        raise PermissionError(13, "no more")

    closed: list[int] = []
    monkeypatch.setattr(files, "_open_to_write", open_once)
    monkeypatch.setattr(posix, "close", closed.append)
    with pytest.raises(PermissionError):
        files.append_line(path, b"x\n", 10)
    monkeypatch.undo()
    assert len(closed) == 1
    os.close(closed[0])


def test_a_log_that_is_a_link_or_a_fifo_is_not_written(tmp_path: Path) -> None:
    target = tmp_path / "bashrc"
    target.write_text("mine\n")
    (tmp_path / "log").symlink_to(target)
    with pytest.raises(OSError, match="symbolic"):
        files.append_line(str(tmp_path / "log"), b"x\n", 100)
    assert target.read_text() == "mine\n"
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(OSError, match=r"No such device|not a regular file"):
        files.append_line(str(tmp_path / "fifo"), b"x\n", 100)


@pytest.mark.parametrize("part", [".claude", ".claude/runtime", ".claude/runtime/power-steering"])
def test_nothing_is_written_through_a_linked_folder(
    project: Path, tmp_path: Path, part: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    link = project / part
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside)
    with pytest.raises(OSError, match="is a link"):
        paths.prepare_runtime(str(project))
    assert os.listdir(outside) == []


def test_listing_a_missing_folder_gives_nothing(tmp_path: Path) -> None:
    assert files.list_names(str(tmp_path / "none")) == []
    assert files.list_names(f"{tmp_path}/\ud800") == []
    assert files.list_names(f"{tmp_path}/\0") == []
    (tmp_path / "b").touch()
    (tmp_path / "a").touch()
    assert files.list_names(str(tmp_path)) == ["a", "b"]


def test_the_project_root_is_what_the_client_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert paths.project_root() == str(tmp_path)


@pytest.mark.parametrize(
    "session_id", ["../../etc/passwd", "", ".", "..", "a/b", "x" * 500, "ünï", "\ud800", "a\0b"]
)
def test_no_session_id_leaves_the_sessions_folder(session_id: str) -> None:
    folder = paths.session_folder("/p", session_id)
    assert os.path.normpath(folder) == folder
    assert os.path.dirname(folder) == "/p/.claude/runtime/power-steering/sessions"


def test_session_ids_keep_their_names_and_never_collide() -> None:
    uuid = "c5cbd2e7-2b3f-4f7e-9f32-86b2df72f481"
    assert paths.session_name(uuid) == uuid
    assert paths.session_name("a/b") != paths.session_name("a\\b")


def test_the_runtime_folder_ignores_itself_in_git(project: Path) -> None:
    paths.prepare_runtime(str(project))
    paths.prepare_runtime(str(project))
    runtime = project / ".claude" / "runtime" / "power-steering"
    assert (runtime / ".gitignore").read_text() == "*\n"


def test_a_project_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        paths.prepare_runtime(str(tmp_path / "gone"))
    assert os.listdir(tmp_path) == []


def test_short_reads_and_short_writes_are_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f"
    pread, write = os.pread, os.write
    monkeypatch.setattr(posix, "pread", lambda fd, n, at: pread(fd, min(n, 3), at))
    monkeypatch.setattr(posix, "write", lambda fd, data: write(fd, data[:3]))
    writing = os.open(path, os.O_WRONLY | os.O_CREAT)
    files.write_all(writing, b"0123456789")
    os.close(writing)
    assert path.read_bytes() == b"0123456789"
    descriptor = files.open_regular(str(path))
    assert files.read_range(descriptor, 1, 8) == b"12345678"
    assert files.read_range(descriptor, 6, 100) == b"6789"
    os.close(descriptor)


def test_many_small_parts_make_up_a_file(tmp_path: Path) -> None:
    parts = [b"%d\n" % number for number in range(100_000)]
    files.replace_with_parts(str(tmp_path / "f"), parts)
    assert (tmp_path / "f").read_bytes() == b"".join(parts)
    files.replace_with_parts(str(tmp_path / "f"), ())
    assert (tmp_path / "f").read_bytes() == b""


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            files.replace_atomically(str(path), b"new")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == b"old"
    assert [found.name for found in tmp_path.iterdir()] == ["f"]


def test_nothing_is_appended_to_what_is_no_file(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(OSError, match="not a regular file"):
        files.append_line(str(fifo), b"x\n", 100)
    assert os.read(reader, 10) == b""
    os.close(reader)


def test_a_file_that_cannot_be_read_is_not_a_missing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    path = tmp_path / "f"
    assert files.read_if_there(str(path), 5) is None
    path.write_bytes(b"12345")
    assert files.read_if_there(str(path), 5) == b"12345"
    for name, limit in ((path, 4), (tmp_path, 5)):
        with pytest.raises(OSError, match=r"larger than|not a regular") as caught:
            files.read_if_there(str(name), limit)
        assert caught.value.errno is None
    monkeypatch.setattr(posix, "pread", fail)
    with pytest.raises(OSError, match="Input/output"):
        files.read_if_there(str(path), 5)


def test_what_is_no_file_of_ours_counts_as_none_and_what_cannot_be_read_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    assert files.read_kept(str(kept), 10) is None
    kept.write_bytes(b"12345")
    assert files.read_kept(str(kept), 10) == b"12345"
    assert files.read_kept(str(kept), 4) is None

    def fail(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(files, "read_range", fail)
    with pytest.raises(OSError, match="Input/output error"):
        files.read_kept(str(kept), 10)


def test_a_folder_that_cannot_be_looked_into_is_named(tmp_path: Path) -> None:
    problems: list[str] = []
    (tmp_path / "b").touch()
    (tmp_path / "a").touch()
    assert files.names_in(str(tmp_path), problems) == ["a", "b"]
    assert files.names_in(f"{tmp_path}/none", problems) == []
    assert files.names_in(f"{tmp_path}/a", problems) == []
    assert problems == []
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert files.names_in(str(loop), problems) == []
    assert len(problems) == 1
    assert problems[0].startswith(f"{loop} cannot be looked into: ")


@pytest.mark.parametrize(
    "data",
    [
        b"", b" \n", b"text", b"[1]", b"null", b"42", b'"x"', b"{", b'{"a":', b'{"a":1}x',
        b'{"a":1}{"b":2}', b"\xff\xfe", b'{"a":"\xff"}', b'{"a":' + b"[" * 100_000, b"{'a':1}",
    ],
)  # fmt: skip
def test_what_is_not_one_object_is_nothing(data: bytes) -> None:
    assert parse_object(data) is None


def test_an_object_is_parsed_with_all_its_types() -> None:
    data = b' {"a": [1, -2.5e3, true, null], "b": {"c": "\\u00e9\\n\\"", "d": "\xc3\xa9"}} \n'
    assert parse_object(data) == {"a": [1, -2500.0, True, None], "b": {"c": 'é\n"', "d": "é"}}

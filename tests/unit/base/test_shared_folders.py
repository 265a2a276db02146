"""A lock keeps others out while it is held, those of filelock too, and no longer."""

import multiprocessing
import os
import posix
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from amplihack_compaction.base.shared_folders import free_bytes, lock_file, remove_leftovers


def add_up(folder: Path) -> None:
    """Add one to a number, with the lock, many times."""
    number = folder / "number"
    for _ in range(100):
        with lock_file(f"{folder}/lock", 30):
            number.write_text(str(int(number.read_text()) + 1))


def test_several_processes_hold_it_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "number").write_text("0")
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=add_up, args=(tmp_path,)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert (tmp_path / "number").read_text() == "400"


def test_filelock_waits_for_it_and_it_for_filelock(tmp_path: Path) -> None:
    path = f"{tmp_path}/lock"
    with lock_file(path, 0), pytest.raises(Timeout):
        FileLock(path, timeout=0).acquire()
    with FileLock(path), pytest.raises(TimeoutError, match="stayed locked"), lock_file(path, 0.05):
        pass
    with lock_file(path, 0):
        assert Path(path).stat().st_mode & 0o777 == 0o600


def test_who_dies_lets_go(tmp_path: Path) -> None:
    def hold_and_die() -> None:
        with lock_file(f"{tmp_path}/lock", 0):
            posix._exit(9)

    process = multiprocessing.get_context("fork").Process(target=hold_and_die)
    process.start()
    process.join()
    assert process.exitcode == 9
    with lock_file(f"{tmp_path}/lock", 0):
        pass


def test_one_whose_file_was_removed_meanwhile_is_taken_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    opened = posix.open
    times = iter(range(10))

    def open_then_lose(*given: object, **named: object) -> int:
        descriptor = opened(*given, **named)  # type: ignore[arg-type]
        if next(times) == 0:
            path.unlink()
        return descriptor

    monkeypatch.setattr(posix, "open", open_then_lose)
    with lock_file(str(path), 0):
        monkeypatch.undo()
        assert path.is_file()
        with pytest.raises(TimeoutError), lock_file(str(path), 0):
            pass


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError), lock_file(f"{tmp_path}/lock", 0):  # noqa: PT011 - by the system
        pass
    assert not (tmp_path / "elsewhere").exists()


def aged(path: Path) -> Path:
    """Make a file or folder old enough to be nobody's."""
    os.utime(path, (0, 0))
    return path


def test_only_old_temporary_files_go(tmp_path: Path) -> None:
    for name in ("ledger.json.1.aa.tmp", "store.db.tmp-wal", "ledger.json"):
        (tmp_path / name).touch()
        aged(tmp_path / name)
    (tmp_path / "ahead.3.cc.tmp").touch()
    os.utime(tmp_path / "ahead.3.cc.tmp", (4e9, 4e9))  # made before the clock was set back
    (tmp_path / "fresh.2.bb.tmp").touch()
    (tmp_path / "folder.tmp").mkdir()
    aged(tmp_path / "folder.tmp")
    (tmp_path / "old.tmp").symlink_to(aged(tmp_path / "ledger.json"))
    remove_leftovers(str(tmp_path))
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"ledger.json", "fresh.2.bb.tmp", "folder.tmp", "old.tmp"}


def test_a_folder_that_is_not_there_has_none(tmp_path: Path) -> None:
    remove_leftovers(str(tmp_path / "nothing"))
    assert not (tmp_path / "nothing").exists()


def test_a_disk_tells_how_much_room_it_has(tmp_path: Path) -> None:
    free = free_bytes(str(tmp_path))
    total = os.statvfs(tmp_path).f_blocks * os.statvfs(tmp_path).f_frsize
    assert free is not None
    assert 0 <= free < total


def test_a_file_system_without_a_size_is_not_full() -> None:
    if not os.path.isdir("/proc/self") or os.statvfs("/proc").f_blocks:
        pytest.skip("no file system without a size is known here")
    assert os.statvfs("/proc").f_bavail == 0
    assert free_bytes("/proc") is None


def test_a_folder_that_is_gone_cannot_be_asked(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        free_bytes(str(tmp_path / "gone"))

"""A lock keeps others out while it is held, those of filelock too, and no longer."""

import multiprocessing
import os
import posix
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from amplihack_compaction.base.folders import (
    free_bytes,
    list_inside,
    lock_file,
    open_inside,
    read_inside,
    remove_leftovers,
)
from amplihack_compaction.base.settings import load_settings
from amplihack_compaction.clients.claude_code.compaction_limits import read_client_settings
from amplihack_compaction.compactor.features.feature import active_feature
from amplihack_compaction.handoff.fresh_start import read_planning
from amplihack_compaction.validation.power_steering import load_steering
from tests.support.meanwhile import meanwhile


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


LIMIT = 1000
ROUNDS = 400


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a folder outside of the project, with a secret in it."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret").write_text("secret")
    return folder


def test_a_file_inside_is_read_up_to_the_limit(project: Path) -> None:
    (project / "a").mkdir()
    (project / "a" / "f").write_bytes(b"12345")
    assert read_inside(str(project), "a/f", 5) == b"12345"
    assert read_inside(str(project), "a/f", 4) is None
    assert read_inside(str(project), "a/missing", 5) is None


def test_the_folder_itself_may_be_a_link(project: Path, tmp_path: Path) -> None:
    (project / "f").write_bytes(b"x")
    (tmp_path / "link").symlink_to(project)
    assert read_inside(f"{tmp_path}/link", "f", LIMIT) == b"x"


@pytest.mark.parametrize(
    "path", ["", ".", "..", "../outside/secret", "a/../../outside/secret", "/etc/passwd", "a//f",
             "a\0b", "\ud800"],
)  # fmt: skip
def test_paths_that_are_not_plain_are_refused(project: Path, outside: Path, path: str) -> None:
    with pytest.raises((OSError, ValueError)):
        open_inside(str(project), path)
    assert read_inside(str(project), path, LIMIT) is None


def test_links_folders_and_fifos_are_refused(project: Path, outside: Path) -> None:
    (project / "file").symlink_to(outside / "secret")
    (project / "folder").symlink_to(outside)
    os.mkfifo(project / "fifo")
    (project / "plain").mkdir()
    for path in ("file", "folder/secret", "fifo", "plain"):
        assert read_inside(str(project), path, LIMIT) is None, path


def test_links_that_stay_inside_are_followed_where_that_is_asked(project: Path) -> None:
    (project / "a" / "b").mkdir(parents=True)
    (project / "a" / "b" / "f").write_text("own")
    (project / "c").mkdir()
    for link, target in (
        ("to-file", "a/b/f"), ("to-folder", "a"), ("c/up", "../a/./b//f"), ("chain", "c/up"),
        ("whole", f"{project}/a/b/f"), ("c/whole", f"{project.resolve()}/to-folder/b"),
    ):  # fmt: skip
        (project / link).symlink_to(target)
    root = str(project)
    for path in ("a/b/f", "to-file", "to-folder/b/f", "c/up", "chain", "whole", "c/whole/f"):
        assert read_inside(root, path, LIMIT, linked=True) == b"own", path
        assert (read_inside(root, path, LIMIT) == b"own") == (path == "a/b/f"), path


def test_links_that_lead_out_or_nowhere_are_refused_also_then(project: Path, outside: Path) -> None:
    (project / "a").mkdir()
    os.mkfifo(project / "fifo")
    for link, target in (
        ("out", "../outside/secret"), ("a/out", "../../outside/secret"), ("whole", outside),
        ("sly", f"{project}/../outside/secret"),
        ("like", f"{project}x/secret"), ("loop", "loop"), ("one", "two"), ("two", "one"),
        ("pipe", "fifo"), ("folder", "a"), ("up", "a/.."), ("gone", "none"), ("root", project),
        ("process", "/proc/self/root/etc/passwd"),
    ):  # fmt: skip
        (project / link).symlink_to(target)
    Path(f"{project}x").mkdir()
    Path(f"{project}x/secret").write_text("secret")
    (project / "plain").write_text("own")
    for found in project.rglob("*"):
        if found.is_symlink():
            path = str(found.relative_to(project))
            assert read_inside(str(project), path, LIMIT, linked=True) is None, path
    assert read_inside(str(project), "whole/secret", LIMIT, linked=True) is None
    for path in ("..", "a/../plain", "", "a//f"):
        assert read_inside(str(project), path, LIMIT, linked=True) is None, path


def test_a_link_turned_out_meanwhile_leads_nowhere(project: Path, outside: Path) -> None:
    (project / "a").mkdir()
    (project / "a" / "secret").write_text("own")
    (project / "linked").symlink_to("a/secret")
    seen = set()
    with swapped_all_the_time(project / "a", outside):
        for _ in range(ROUNDS):
            seen.add(read_inside(str(project), "linked", LIMIT, linked=True))
    assert seen <= {b"own", None}
    assert read_inside(str(project), "linked", LIMIT, linked=True) == b"own"


def test_settings_behind_a_link_inside_the_project_count(project: Path) -> None:
    (project / ".claude").mkdir()
    (project / "tools").mkdir()
    (project / "tools/compaction.json").write_text('{"store": "off", "injection_tokens": 7770}')
    (project / "tools/settings.json").write_text('{"autoCompactWindow": 123456}')
    for name in ("compaction.json", "settings.json"):
        (project / ".claude" / name).symlink_to(f"../tools/{name}")
    settings = load_settings(str(project))[0]
    assert (settings.store, settings.injection_tokens) == ("off", 7770)
    found = read_client_settings(str(project), "claude-opus-5-5", {})
    assert found.window_tokens == 123456


def test_settings_in_a_folder_that_is_linked_are_inside_or_none(
    project: Path, outside: Path
) -> None:
    (outside / "compaction.json").write_text('{"injection_tokens": 7770}')
    (project / "config").mkdir()
    (project / "config/compaction.json").write_text('{"injection_tokens": 8880}')
    link = project / ".claude"
    for target, expected in ((outside, False), ("config", True)):
        link.symlink_to(target)
        assert (load_settings(str(project))[0].injection_tokens == 8880) is expected
        link.unlink()


def test_names_are_listed_inside_alone(project: Path, outside: Path) -> None:
    (project / "a" / "b").mkdir(parents=True)
    (project / "link").symlink_to(outside)
    root = str(project)
    assert list_inside(root, "") == ["a", "link"]
    assert list_inside(root, "a") == ["b"]
    for path in ("link", "missing", "..", "a/../..", "/etc", "a/\0"):
        assert list_inside(root, path) == [], path


@contextmanager
def swapped_all_the_time(path: Path, other: Path) -> Iterator[None]:
    """Have another thread put a link to `other` in the place of a folder, and the folder back."""
    link, kept = path.with_name("link"), path.with_name("kept")
    link.symlink_to(other)

    def swap() -> None:
        os.rename(path, kept)
        os.rename(link, path)
        os.rename(path, link)
        os.rename(kept, path)

    with meanwhile(swap):
        yield


def test_a_folder_swapped_for_a_link_meanwhile_leads_nowhere(project: Path, outside: Path) -> None:
    (project / "a").mkdir()
    (project / "a" / "secret").write_text("own")
    seen = set()
    with swapped_all_the_time(project / "a", outside):
        for _ in range(ROUNDS):
            seen.add(read_inside(str(project), "a/secret", LIMIT))
    assert seen <= {b"own", None}
    assert read_inside(str(project), "a/secret", LIMIT) == b"own"


def test_a_planning_folder_swapped_for_a_link_meanwhile_leads_nowhere(
    project: Path, outside: Path
) -> None:
    (project / ".planning").mkdir()
    (project / ".planning" / "STATE.md").write_text("Phase: own\n")
    (outside / "STATE.md").write_text("Phase: secret\n")
    phases = set()
    with swapped_all_the_time(project / ".planning", outside):
        for _ in range(ROUNDS // 4):
            planning = read_planning(str(project))
            phases.add(planning.phase if planning is not None else "")
    assert phases <= {"own", ""}


def test_what_a_project_links_to_outside_is_never_read(project: Path, outside: Path) -> None:
    claude = project / ".claude"
    claude.mkdir()
    for name, text in (
        ("compaction.json", '{"injection_tokens": 7770}'),
        ("settings.json", '{"autoCompactWindow": 123456}'),
        ("active-focus.md", "feature: secret"),
        (".power_steering_config", '{"enabled": false}'),
        ("considerations.yaml", "- id: secret"),
    ):
        (outside / name).write_text(text)
        if not name.startswith((".power", "considerations")):
            (claude / name).symlink_to(outside / name)
    (claude / "tools").mkdir()
    (claude / "tools" / "amplihack").symlink_to(outside)
    root = str(project)
    assert load_settings(root)[0].injection_tokens != 777
    assert read_client_settings(root, "claude-opus-5-5", {}).window_tokens is None
    assert active_feature(root) == ""
    steering = load_steering(root)
    assert steering.enabled
    assert [item.id for item in steering.considerations] == ["compaction_handling"]

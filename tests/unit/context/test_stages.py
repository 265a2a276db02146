"""Rungs are taken once in a window, by one process, and given back after a real fall."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from amplihack_compaction.base.files import create_exclusively
from amplihack_compaction.context import levels as stages
from amplihack_compaction.context.levels import ACTION_SECONDS, finish, take_stages, unfinished

RATIOS = (0.70, 0.80, 0.85, 0.90, 0.95)


def cross(folder: Path, ratio: float, boundary: int = -1) -> list[int]:
    return take_stages(str(folder), boundary, ratio, RATIOS)[0]


def test_each_rung_is_taken_once_and_a_jump_takes_all(tmp_path: Path) -> None:
    assert cross(tmp_path, 0.5) == []
    assert cross(tmp_path, 0.71) == [1]
    assert cross(tmp_path, 0.79) == []
    assert cross(tmp_path, 0.93) == [2, 3, 4]
    assert take_stages(str(tmp_path), -1, 0.93, RATIOS) == ([], 4)


def test_a_small_fall_gives_nothing_back_and_a_real_one_does(tmp_path: Path) -> None:
    cross(tmp_path, 0.86)
    assert cross(tmp_path, 0.81) == []
    assert cross(tmp_path, 0.86) == []
    assert cross(tmp_path, 0.5) == []
    assert cross(tmp_path, 0.86) == [1, 2, 3]


def test_a_compaction_begins_anew(tmp_path: Path) -> None:
    cross(tmp_path, 0.96)
    assert cross(tmp_path, 0.71, boundary=1000) == [1]


def test_of_two_processes_one_has_the_highest_rung(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = create_exclusively

    def another_is_quicker(path: str, data: bytes) -> bool:
        real(path, data)
        return real(path, data)

    monkeypatch.setattr(stages, "create_exclusively", another_is_quicker)
    assert cross(tmp_path, 0.96) == []


def test_a_rung_that_another_gave_back_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cross(tmp_path, 0.86)
    monkeypatch.setattr(stages, "list_names", lambda _: ["0.handoff"])
    assert cross(tmp_path, 0.5) == []


@pytest.fixture
def dead() -> int:
    """Return the number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def begin(folder: Path, name: str, pid: object) -> Path:
    path = folder / "levels" / f"0.{name}"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"2 {pid}\n")
    return path


def test_what_a_killed_process_began_is_done_once_more(tmp_path: Path, dead: int) -> None:
    for name in ("compact", "summarize"):
        begin(tmp_path, name, 0).write_text("1\n")
    begin(tmp_path, "snapshot", dead)
    begin(tmp_path, "checkpoint", "no number")
    assert unfinished(str(tmp_path), -1) == ([2, 4], False)
    assert cross(tmp_path, 0.93) == []  # nothing is told again
    assert unfinished(str(tmp_path), -1) == ([], True)  # this process is at it
    finish(str(tmp_path), -1, [2, 4])
    assert unfinished(str(tmp_path), -1) == ([], False)
    for again in (tmp_path / "levels").glob("*.again"):
        again.write_text(f"{dead}\n")
    begin(tmp_path, "snapshot", dead)
    assert unfinished(str(tmp_path), -1) == ([], False)  # killed twice, it is given up


def test_what_a_living_process_does_is_left_to_it(tmp_path: Path) -> None:
    mark = begin(tmp_path, "handoff", os.getpid())
    assert unfinished(str(tmp_path), -1) == ([], True)
    assert unfinished(str(tmp_path), 500) == ([], False)  # of another window
    then = time.time() - 2 * ACTION_SECONDS
    os.utime(mark, (then, then))  # whoever has the number now is another process
    assert unfinished(str(tmp_path), -1) == ([1, 2, 3, 4, 5], False)
    assert begin(tmp_path, "snapshot", 1).exists()  # of another user, perhaps
    assert unfinished(str(tmp_path), -1)[1]


def test_marks_of_older_versions_are_done(tmp_path: Path) -> None:
    begin(tmp_path, "snapshot", 0).write_text("1\n")
    assert unfinished(str(tmp_path), -1) == ([], False)


def test_a_rung_that_was_given_back_is_not_written_down_again(tmp_path: Path) -> None:
    cross(tmp_path, 0.86)
    cross(tmp_path, 0.5)
    finish(str(tmp_path), -1, [1, 2, 3])
    assert cross(tmp_path, 0.86) == [1, 2, 3]


def test_rungs_that_a_killed_process_had_not_come_to_are_taken_once(
    tmp_path: Path, dead: int
) -> None:
    begin(tmp_path, "handoff", dead)  # the highest is taken first
    assert unfinished(str(tmp_path), -1) == ([1, 2, 3, 4, 5], False)
    assert unfinished(str(tmp_path), -1) == ([], True)
    assert cross(tmp_path, 0.96) == []

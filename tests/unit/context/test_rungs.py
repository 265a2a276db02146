"""Rungs are taken once in a window, by one process, and given back after a real fall."""

from pathlib import Path

import pytest

from amplihack_compaction.context import rungs
from amplihack_compaction.context.rungs import cross_rungs
from amplihack_compaction.files import create_exclusively

RATIOS = (0.70, 0.80, 0.85, 0.90, 0.95)


def cross(folder: Path, ratio: float, boundary: int = -1) -> list[int]:
    return cross_rungs(str(folder), boundary, ratio, RATIOS)[0]


def test_each_rung_is_taken_once_and_a_jump_takes_all(tmp_path: Path) -> None:
    assert cross(tmp_path, 0.5) == []
    assert cross(tmp_path, 0.71) == [1]
    assert cross(tmp_path, 0.79) == []
    assert cross(tmp_path, 0.93) == [2, 3, 4]
    assert cross_rungs(str(tmp_path), -1, 0.93, RATIOS) == ([], 4)


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

    monkeypatch.setattr(rungs, "create_exclusively", another_is_quicker)
    assert cross(tmp_path, 0.96) == []


def test_a_rung_that_another_gave_back_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cross(tmp_path, 0.86)
    monkeypatch.setattr(rungs, "list_names", lambda _: ["0.handoff"])
    assert cross(tmp_path, 0.5) == []

"""A rung is taken once in a window, by one process."""

from pathlib import Path

import pytest

from amplihack_compaction.context import rungs
from amplihack_compaction.context.rungs import cross_rungs
from amplihack_compaction.files import list_names
from amplihack_compaction.settings import Settings

RATIOS = Settings().ratios


def test_each_rung_is_taken_once_in_a_window(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert cross_rungs(folder, -1, 0.5, RATIOS) == ([], 0)
    assert cross_rungs(folder, -1, 0.82, RATIOS) == ([1, 2], 2)
    assert cross_rungs(folder, -1, 0.83, RATIOS) == ([], 2)
    assert cross_rungs(folder, -1, 0.99, RATIOS) == ([3, 4, 5], 5)
    assert cross_rungs(folder, 4711, 0.71, RATIOS) == ([1], 1)


def test_after_a_real_fall_they_can_be_taken_again(tmp_path: Path) -> None:
    folder = str(tmp_path)
    cross_rungs(folder, -1, 0.86, RATIOS)
    assert cross_rungs(folder, -1, 0.81, RATIOS) == ([], 3)
    assert cross_rungs(folder, -1, 0.74, RATIOS) == ([], 1)
    assert cross_rungs(folder, -1, 0.86, RATIOS) == ([2, 3], 3)


def test_who_does_not_get_the_highest_gets_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(folder: str) -> list[str]:
        """List what was there before another process took two rungs."""
        names = list_names(folder)
        (tmp_path / "levels" / "0.summarize").write_bytes(b"1\n")
        (tmp_path / "levels" / "0.snapshot").write_bytes(b"1\n")
        return names

    cross_rungs(str(tmp_path), -1, 0.71, RATIOS)
    monkeypatch.setattr(rungs, "list_names", overtaken)
    assert cross_rungs(str(tmp_path), -1, 0.86, RATIOS) == ([], 3)

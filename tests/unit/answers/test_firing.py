"""Two hooks of one firing: one acts. Two firings: both do."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from amplihack_compaction.answers.pre_compact import claim_firing


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"x" * 10)
    return path


def test_of_hooks_that_start_together_one_acts(tmp_path: Path, transcript: Path) -> None:
    folder = str(tmp_path / "session")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: claim_firing(folder, str(transcript)), range(16)))
    assert answers.count(True) == 1


def test_a_grown_transcript_is_another_firing(tmp_path: Path, transcript: Path) -> None:
    folder = tmp_path / "session"
    assert claim_firing(str(folder), str(transcript))
    transcript.write_bytes(b"x" * 11)
    assert claim_firing(str(folder), str(transcript))
    assert not claim_firing(str(folder), str(transcript))
    assert [path.name for path in (folder / "firings").iterdir()] == ["11"]


@pytest.mark.parametrize("age_seconds", [60, -60], ids=["later", "clock set back"])
def test_after_a_while_the_same_size_is_another_firing(
    tmp_path: Path, transcript: Path, age_seconds: int
) -> None:
    folder = tmp_path / "session"
    assert claim_firing(str(folder), str(transcript))
    then = time.time() - age_seconds
    os.utime(folder / "firings" / "10", (then, then))
    assert claim_firing(str(folder), str(transcript))
    assert not claim_firing(str(folder), str(transcript))


def test_without_a_transcript_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        claim_firing(str(tmp_path / "session"), str(tmp_path / "none"))
    assert list(tmp_path.iterdir()) == []

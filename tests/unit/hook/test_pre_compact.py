"""Of the hooks that one firing of PreCompact starts one acts. Of two firings: both do."""

import os
import posix
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from amplihack_compaction.hook.pre_compact import claim_firing

Claim = Callable[..., bool]


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"x" * 10)
    return path


@pytest.fixture
def claim(tmp_path: Path, transcript: Path) -> Claim:
    """Claim a firing of a transcript that has grown by so many bytes."""

    def claimed(grown_bytes: int = 0) -> bool:
        with transcript.open("ab") as stream:
            stream.write(b"x" * grown_bytes)
        return claim_firing(str(tmp_path / "session"), str(transcript))

    return claimed


@pytest.fixture
def age(tmp_path: Path) -> Callable[[int], None]:
    """Make the claims so many seconds older."""

    def aged(seconds: int) -> None:
        for path in (tmp_path / "session/firings").iterdir():
            os.utime(path, (time.time() - seconds,) * 2)

    return aged


def test_of_hooks_that_start_together_one_acts(claim: Claim) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: claim(), range(16)))
    assert answers.count(True) == 1


def test_with_a_grown_transcript_it_is_another_firing(claim: Claim, tmp_path: Path) -> None:
    assert claim()
    assert claim(grown_bytes=1)
    assert not claim()
    (left,) = (tmp_path / "session/firings").iterdir()
    assert left.read_text() == "11"


@pytest.mark.parametrize("age_seconds", [60, -60], ids=["later", "clock set back"])
def test_after_a_while_the_same_size_is_another_firing(
    claim: Claim, age: Callable[[int], None], age_seconds: int
) -> None:
    assert claim()
    age(age_seconds)
    assert claim()
    assert not claim()


def test_a_folder_in_the_way_of_a_claim_holds_nobody_up(claim: Claim, tmp_path: Path) -> None:
    (tmp_path / "session/firings/newest").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        claim()


def test_claims_behind_a_link_are_not_touched(claim: Claim, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "session").mkdir()
    (tmp_path / "session/firings").symlink_to(elsewhere)
    with pytest.raises(OSError):  # noqa: PT011 - ELOOP or ENOTDIR, by the system
        claim()
    assert posix.listdir(elsewhere) == []


def test_without_a_transcript_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        claim_firing(str(tmp_path / "session"), str(tmp_path / "none"))
    assert list(tmp_path.iterdir()) == []

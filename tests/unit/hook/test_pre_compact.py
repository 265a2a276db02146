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
SETTINGS, PLUGIN = ["python3", "/checkout/hooks/pre_compact.py"], ["python3", "/plugin/pre.py"]


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"x" * 10)
    return path


@pytest.fixture
def claim(tmp_path: Path, transcript: Path) -> Claim:
    """Claim a firing as the hook of a command, of a transcript that has grown by so many bytes."""

    def claimed(command: list[str] = SETTINGS, grown_bytes: int = 0) -> bool:
        with transcript.open("ab") as stream:
            stream.write(b"x" * grown_bytes)
        return claim_firing(str(tmp_path / "session"), str(transcript), command)

    return claimed


@pytest.fixture
def age(tmp_path: Path) -> Callable[[int], None]:
    """Make the claims so many seconds older."""

    def aged(seconds: int) -> None:
        for path in (tmp_path / "session/firings").iterdir():
            os.utime(path, (time.time() - seconds,) * 2)

    return aged


@pytest.mark.parametrize("commands", [[SETTINGS], [SETTINGS, PLUGIN]], ids=["equal", "two"])
def test_of_hooks_that_start_together_one_acts(claim: Claim, commands: list[list[str]]) -> None:
    asked = [commands[number % len(commands)] for number in range(16)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(claim, asked))
    assert answers.count(True) == 1


def test_of_hooks_of_two_commands_one_acts_though_the_transcript_grew_in_between(
    claim: Claim,
) -> None:
    assert claim(SETTINGS)
    assert not claim(PLUGIN, grown_bytes=1)


def test_one_command_with_a_grown_transcript_is_another_firing(
    claim: Claim, tmp_path: Path
) -> None:
    assert claim()
    assert claim(grown_bytes=1)
    assert not claim()
    (left,) = (tmp_path / "session/firings").iterdir()
    assert left.name.startswith("11-")


def test_in_the_next_round_the_command_that_acted_acts_again(claim: Claim) -> None:
    assert claim(SETTINGS)
    assert not claim(PLUGIN)
    assert not claim(PLUGIN, grown_bytes=5)
    assert claim(SETTINGS)


def test_when_the_command_that_acted_is_gone_the_other_one_acts_after_a_while(
    claim: Claim, age: Callable[[int], None]
) -> None:
    assert claim(SETTINGS)
    age(60)
    assert claim(PLUGIN, grown_bytes=1)
    assert not claim(SETTINGS)


@pytest.mark.parametrize("age_seconds", [60, -60], ids=["later", "clock set back"])
def test_after_a_while_the_same_size_is_another_firing(
    claim: Claim, age: Callable[[int], None], age_seconds: int
) -> None:
    assert claim()
    age(age_seconds)
    assert claim()
    assert not claim()


def test_what_an_older_version_claimed_counts(claim: Claim, tmp_path: Path) -> None:
    claims = tmp_path / "session/firings"
    claims.mkdir(parents=True)
    (claims / "10").touch()
    assert not claim()


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_what_stands_in_the_way_of_a_claim_holds_nobody_up(
    claim: Claim, age: Callable[[int], None], tmp_path: Path, make: Callable[[Path], None]
) -> None:
    assert claim()
    (old,) = (tmp_path / "session/firings").iterdir()
    old.unlink()
    make(old)
    age(60)
    with pytest.raises(OSError, match=r"directory|device"):
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
        claim_firing(str(tmp_path / "session"), str(tmp_path / "none"), SETTINGS)
    assert list(tmp_path.iterdir()) == []

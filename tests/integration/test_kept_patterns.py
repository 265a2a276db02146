"""What one hook compiles, the next one takes back."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.captured import payload, session
from tests.processes import CHECKOUT, environment


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a copy of the package and its hooks, without what hooks kept."""
    copy = tmp_path / "checkout"
    for name in ("amplihack_compaction", "hooks"):
        shutil.copytree(
            CHECKOUT / name, copy / name, ignore=shutil.ignore_patterns("*.patterns", "*.tmp")
        )
    return copy


def compact(checkout: Path, project: Path, *flags: str) -> str:
    """Run PreCompact in a new project; return what it told the summary to keep."""
    project.mkdir()
    given = payload("PreCompact.auto", transcript_path=str(session("short_tasks")))
    done = subprocess.run(
        [sys.executable, "-I", "-S", *flags, str(checkout / "hooks" / "pre_compact.py")],
        input=json.dumps(given).encode(),
        env=environment(project),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout
    return done.stdout.decode()


def test_the_first_hook_keeps_patterns_and_the_second_takes_them(
    checkout: Path, tmp_path: Path
) -> None:
    kept = checkout / "amplihack_compaction" / "patterns" / "__pycache__"
    first = compact(checkout, tmp_path / "first")
    (file,) = kept.glob("*.patterns")
    before = file.stat()
    assert compact(checkout, tmp_path / "second") == first
    assert file.stat().st_ino == before.st_ino  # had it compiled anything, it were another file
    assert before.st_mode & 0o777 == 0o600
    assert not list(kept.glob("*.tmp"))


def test_a_torn_file_of_them_is_written_anew(checkout: Path, tmp_path: Path) -> None:
    first = compact(checkout, tmp_path / "first")
    (file,) = (checkout / "amplihack_compaction" / "patterns" / "__pycache__").glob("*.patterns")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert compact(checkout, tmp_path / "second") == first
    assert file.read_bytes() == whole


def test_where_no_modules_are_kept_no_patterns_are(checkout: Path, tmp_path: Path) -> None:
    compact(checkout, tmp_path / "project", "-B")
    assert not list(checkout.rglob("*.patterns"))

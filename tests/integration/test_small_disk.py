"""On a disk that is full or read-only nothing is lost, and the next run does the work."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


def namespace() -> list[str]:
    """Return what runs a command where it may mount; empty where that is not allowed."""
    unshare = shutil.which("unshare")
    for options in (["--mount"], ["--map-root-user", "--mount"]) if unshare else ():
        command = [str(unshare), *options, "--"]
        probe = [*command, "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/mnt"]
        if subprocess.run(probe, capture_output=True).returncode == 0:
            return command
    return []


def test_a_disk_that_refuses_loses_nothing(tmp_path: Path) -> None:
    command = namespace()
    if not command:
        pytest.skip("nothing may be mounted here")
    script = Path(__file__).with_name("small_disk.py")
    done = subprocess.run(
        [*command, sys.executable, str(script), str(tmp_path)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    assert done.returncode == 0, done.stderr
    tries = json.loads(done.stdout)
    assert tries["full"]["code"] == 1
    assert "the disk is full" in tries["full"]["said"]
    assert tries["full"]["same"]
    assert tries["read-only"]["code"] == 1
    assert "read-only" in tries["read-only"]["said"]
    assert tries["read-only"]["same"]
    assert tries["free"]["code"] == 0
    assert not tries["free"]["same"]
    if tries["revert on a full disk"]["code"]:
        assert "the disk is full" in tries["revert on a full disk"]["said"]
        assert tries["revert on a full disk"]["same"]
        assert tries["revert"]["code"] == 0
    assert tries["whole"]["same"]

import os
from pathlib import Path

import pytest

from amplihack_compaction.base.disk_space import free_bytes


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

"""What a dead process left is removed, and what a living one may be writing is not."""

import os
from pathlib import Path

from amplihack_compaction.base.leftovers import remove_leftovers


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

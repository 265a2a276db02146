"""What the system refused, in words that say what to do."""

from pathlib import Path

import pytest

from amplihack_compaction.base.errors import file_in_way, place_and_reason, reason_of


@pytest.mark.parametrize("below", ["x", "deep/below/x"])
def test_a_file_in_a_folders_place_is_named_and_to_be_moved(tmp_path: Path, below: str) -> None:
    standing = tmp_path / "runtime"
    standing.write_text("a file")
    with pytest.raises(NotADirectoryError) as caught:
        (standing / below).read_text()
    told = f"{standing} is a file where a folder is needed; move it away"
    assert reason_of(caught.value) == place_and_reason(caught.value) == told


def test_where_no_file_stands_the_system_has_the_word(tmp_path: Path) -> None:
    assert file_in_way(f"{tmp_path}/none/x") == file_in_way(f"{tmp_path}/") == ""
    assert file_in_way("relative/x") == ""
    gone = NotADirectoryError(20, "Not a directory", f"{tmp_path}/x")
    assert place_and_reason(gone) == f"{tmp_path}/x: Not a directory"
    assert reason_of(NotADirectoryError(20, "Not a directory")) == "Not a directory"

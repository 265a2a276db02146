"""What a command writes to a file that the user named."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.cli.terminal.output import write_output


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.EIO, os.strerror(errno.EIO)), "Input/output error"),
        (OSError("not a regular file: /dev/x"), "not a regular file: /dev/x"),
    ],
)
def test_what_fails_half_way_is_named_and_leaves_the_file_as_it_was(
    tmp_path: Path, error: OSError, said: str
) -> None:
    path = tmp_path / "page.html"
    path.write_text("before")

    def parts() -> Iterator[bytes]:
        yield b"half"
        raise error

    with pytest.raises(CompactionError) as raised:
        write_output(path, parts())
    assert str(raised.value) == f"cannot write {path}: {said}"
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["page.html"]

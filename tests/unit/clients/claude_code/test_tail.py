import os
from pathlib import Path

import pytest

from amplihack_compaction.base import files
from amplihack_compaction.base.files import open_regular
from amplihack_compaction.clients.claude_code import tail
from tests.support.captured import session
from tests.support.transcripts import Transcript


def find(path: Path, start: int = 0, end: int | None = None) -> tuple[list[int], int]:
    descriptor = open_regular(str(path))
    size = path.stat().st_size
    try:
        return tail.find_boundaries(descriptor, start, size if end is None else end)
    finally:
        os.close(descriptor)


def expected(path: Path) -> list[int]:
    offsets, position = [], 0
    for line in path.read_bytes().splitlines(keepends=True):
        if line.find(b'"subtype":"compact_boundary"') > 0:
            offsets.append(position)
        position += len(line)
    return offsets


@pytest.mark.parametrize(
    ("name", "count"), [("auto_compact_x3", 3), ("manual_compact", 1), ("short_tasks", 0)]
)
def test_the_boundaries_of_real_sessions_are_found(name: str, count: int) -> None:
    path = session(name)
    offsets, end = find(path)
    assert offsets == expected(path)
    assert len(offsets) == count
    assert end == path.stat().st_size


def test_a_line_without_its_newline_waits(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    whole = session("manual_compact").read_bytes()
    cut = whole.rindex(b'"compact_boundary"') + 30
    path.write_bytes(whole[:cut])
    offsets, end = find(path)
    assert offsets == []
    assert whole[:end].endswith(b"\n")
    path.write_bytes(whole)
    assert find(path, end)[0] == expected(path)


def test_a_boundary_that_spans_blocks_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = session("auto_compact_x3")
    monkeypatch.setattr(files, "_BLOCK_BYTES", 97)
    assert find(path)[0] == expected(path)


def test_quoted_and_carried_markers_are_no_boundaries(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user('look: {"type":"system","subtype":"compact_boundary"}')
    transcript.tool("Read", {}, "ok", data={"type": "system", "subtype": "compact_boundary"})
    transcript.add("system", subtype="compact_boundary", isSidechain=True)
    transcript.lines[-1]["isSidechain"] = True
    assert find(transcript.write(tmp_path / "t.jsonl"))[0] == []


def test_a_boundary_glued_behind_a_torn_line_is_one(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("one")
    transcript.compact("s")
    lines = transcript.write(tmp_path / "t.jsonl").read_text().splitlines()
    glued = tmp_path / "glued.jsonl"
    glued.write_text(lines[0] + "\n" + lines[0][:50] + lines[1] + "\n" + lines[2] + "\n")
    assert find(glued)[0] == [len(lines[0]) + 1]


def test_an_endless_line_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_BLOCK_BYTES", 64)
    monkeypatch.setattr(files, "LINE_LIMIT_BYTES", 256)
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"x" * 5000)
    offsets, end = find(path)
    assert offsets == []
    assert end > 4000


def test_a_file_that_shrinks_while_it_is_read_ends_the_search(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"{}\n")
    assert find(path, 0, 1000) == ([], 3)

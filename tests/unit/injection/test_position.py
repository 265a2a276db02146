import json
import os
from pathlib import Path

import pytest

from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.base.size_limits import HOT_SCAN_BYTES
from amplihack_compaction.injection import position as positions
from amplihack_compaction.injection.position import Position, observe, read_position, write_position
from amplihack_compaction.injection.receipts import (
    claim,
    is_claimed,
    list_receipts,
    read_receipt,
    set_aside,
)
from tests.support.captured import session
from tests.support.transcripts import SESSION, Transcript

STATE = "<!-- AMPLIHACK STATE -->\nstate\n<!-- END AMPLIHACK STATE -->"
GIVEN = b'{"event": "SessionStart"}'


class Watched:
    """A session whose transcript grows while hooks look at it."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.path = project / "t.jsonl"
        self.transcript = Transcript()
        self.transcript.user("Start")
        self.transcript.assistant("Yes.")
        self.folder = session_folder(str(project), SESSION)

    def look(self) -> Position:
        self.transcript.write(self.path)
        position = observe(str(self.project), self.folder, str(self.path))
        assert position is not None
        return position

    def compact(self) -> int:
        """Compact, and return where the compacted window began."""
        self.transcript.write(self.path)
        lines = self.path.read_bytes().splitlines(keepends=True)
        starts = [0, *(n for n, line in enumerate(lines) if b"compact_boundary" in line)]
        self.transcript.compact("Summary.")
        return sum(len(line) for line in lines[: starts[-1]])

    def fill(self) -> None:
        for _ in range(20):
            self.transcript.assistant("a text that takes room")

    def attach(self) -> None:
        self.transcript.attachment("hook_additional_context", content=[STATE])


@pytest.fixture
def watched(project: Path) -> Watched:
    return Watched(project)


def test_without_a_compaction_nothing_is_missing(watched: Watched) -> None:
    position = watched.look()
    assert (position.boundary, position.missing) == (-1, False)
    runtime = watched.project / ".claude/runtime/power-steering"
    assert (runtime / ".gitignore").read_text() == "*\n"


def test_a_compaction_without_a_receipt_is_missing_its_injection(watched: Watched) -> None:
    watched.look()
    watched.compact()
    position = watched.look()
    assert position.missing
    assert position.window == 0
    assert watched.look().missing  # until somebody takes care of it


def test_a_receipt_and_its_attachment_settle_a_compaction(watched: Watched) -> None:
    start = watched.compact()
    assert claim(watched.folder, start, GIVEN)
    watched.attach()
    watched.transcript.assistant("Going on.")
    position = watched.look()
    assert not position.missing
    assert position.settled == position.boundary > 0


def test_a_receipt_waits_for_its_attachment_until_the_model_answers(watched: Watched) -> None:
    claim(watched.folder, watched.compact(), GIVEN)
    assert not watched.look().missing
    watched.transcript.assistant("I know nothing of it.")
    assert watched.look().missing


def test_a_hooks_raw_output_is_no_delivery(watched: Watched) -> None:
    claim(watched.folder, watched.compact(), GIVEN)
    watched.transcript.attachment("hook_success", stdout=STATE, content="")
    watched.transcript.assistant("I know nothing of it.")
    assert watched.look().missing


def test_marks_of_two_different_lines_are_no_delivery(watched: Watched) -> None:
    claim(watched.folder, watched.compact(), GIVEN)
    watched.transcript.user("what does <!-- AMPLIHACK STATE --> mean?")
    watched.transcript.attachment("hook_additional_context", content=["of another plugin"])
    watched.transcript.assistant("I know nothing of it.")
    assert watched.look().missing


def test_another_file_of_the_same_name_is_met_as_unknown(watched: Watched) -> None:
    watched.compact()
    assert watched.look().boundary > 0
    watched.transcript = Transcript()
    for number in range(40):
        watched.transcript.user(f"quite another session, part {number}")
    os.unlink(watched.path)
    assert watched.look().boundary == -1


def test_a_boundary_at_the_very_beginning_is_another_sessions(watched: Watched) -> None:
    watched.transcript = Transcript()
    watched.transcript.compact("inherited", preserved=0)
    watched.transcript.user("Go on.")
    position = watched.look()
    assert (position.boundary, position.missing) == (0, False)
    start = watched.compact()
    position = watched.look()
    assert position.missing
    assert position.window == start == 0


def test_a_second_receipt_settles_in_any_case(watched: Watched) -> None:
    start = watched.compact()
    claim(watched.folder, start, GIVEN)
    claim(watched.folder, start, b"{}", 1)
    watched.transcript.assistant("Still nothing.")
    assert not watched.look().missing


def test_what_a_later_hook_gave_is_not_given_again(watched: Watched) -> None:
    start = watched.compact()
    claim(watched.folder, start, b'{"event": "PreToolUse"}')
    watched.transcript.assistant("Going on.")
    assert not watched.look().missing
    # By the next prompt it would have been written.
    again = observe(str(watched.project), watched.folder, str(watched.path), is_new_turn=True)
    assert again is not None
    assert (again.missing, again.attempt) == (True, 1)


def test_a_fork_has_the_injection_of_its_origin(watched: Watched) -> None:
    watched.compact()
    watched.attach()
    assert not watched.look().missing


def test_each_compaction_is_told_by_where_its_window_began(watched: Watched) -> None:
    watched.look()
    for _ in range(3):
        start = watched.compact()
        assert watched.look().window == start
        watched.transcript.user("More")
        watched.transcript.assistant("Done.")
    twice = watched.compact()
    watched.transcript.user("Quick")
    last = watched.compact()
    assert last > twice
    assert watched.look().window == last


def test_a_transcript_that_shrank_is_another_one(watched: Watched) -> None:
    watched.compact()
    watched.look()
    watched.transcript = Transcript()
    watched.transcript.user("New")
    assert watched.look().boundary == -1


def test_of_a_large_unknown_transcript_only_the_end_is_searched(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "HOT_SCAN_BYTES", 4000)
    watched.compact()
    watched.fill()
    assert watched.look().boundary == -1
    watched.compact()
    position = watched.look()
    assert position.missing


def test_where_the_window_began_is_unknown_when_not_all_was_seen(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "HOT_SCAN_BYTES", 6000)
    watched.fill()
    watched.compact()
    assert watched.look().window == -1


def test_what_was_not_searched_is_searched_once_by_who_has_the_time(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "HOT_SCAN_BYTES", 4000)
    first = watched.compact()
    second = watched.compact()
    watched.fill()
    assert watched.look().boundary == -1
    found = observe(str(watched.project), watched.folder, str(watched.path), look_back=True)
    assert found is not None
    assert (found.window, found.begun) == (second, 0)
    assert found.boundary > second > first == 0
    watched.compact()
    assert watched.look().window == found.boundary


def test_a_window_of_an_unsearched_transcript_is_unknown_at_its_next_boundary(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "HOT_SCAN_BYTES", 4000)
    watched.compact()
    watched.fill()
    watched.look()
    watched.compact()
    assert watched.look().window == -1


def test_one_endless_line_is_looked_at_from_its_end(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "HOT_SCAN_BYTES", 100)
    watched.path.write_bytes(b"x" * 1000)
    position = observe(str(watched.project), watched.folder, str(watched.path))
    assert position is not None
    assert position.scanned == 1000


def test_an_ordinary_call_writes_nothing(watched: Watched) -> None:
    watched.look()
    before = os.stat(f"{watched.folder}/position").st_mtime_ns
    watched.transcript.assistant("A few bytes more.")
    watched.look()
    assert os.stat(f"{watched.folder}/position").st_mtime_ns == before


@pytest.mark.parametrize("path", ["missing", ".", "a\0b"])
def test_a_transcript_that_cannot_be_read_is_no_position(project: Path, path: str) -> None:
    folder = session_folder(str(project), SESSION)
    assert observe(str(project), folder, f"{project}/{path}") is None
    assert os.listdir(project) == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x",
        b"2 2",
        b"9 9 2 3 4 5 6 0 0",
        b"3 9 2 3 4 5 6 0 x",
        b"3 9 2 3 4 5 6 0",
        b"3 9 10 3 4 5 6 0 0",
        b"3 9 -1 3 4 5 6 0 0",
        b"3 9 0 99999999999999999999 4 5 6 0 0",
        b"3 9 0 -2 -1 -1 -1 0 0",
    ],
)
def test_a_position_that_is_not_understood_is_none(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "position").write_bytes(data)
    assert read_position(str(tmp_path)) is None


def test_a_position_round_trips(tmp_path: Path) -> None:
    position = Position(9, 2, 3, -1, 5, 1, 12, 11)
    write_position(str(tmp_path), position)
    read = read_position(str(tmp_path))
    assert read is not None
    assert read.numbers() == position.numbers()


def test_a_receipt_is_taken_once_and_can_be_set_aside(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert not is_claimed(folder, 7)
    assert claim(folder, 7, json.dumps({"window_start": 7}).encode())
    assert not claim(folder, 7, b"{}")
    assert read_receipt(folder, 7) == {"window_start": 7}
    set_aside(folder, 7, 99)
    assert not is_claimed(folder, 7)
    assert claim(folder, 7, json.dumps({"window_start": 7}).encode())
    assert claim(folder, 3, json.dumps({"window_start": 3}).encode())
    (tmp_path / "receipts" / "torn.json").write_text("{")
    assert [r["window_start"] for r in list_receipts(folder)] == [3, 7]
    assert read_receipt(folder, 8) is None


def test_real_sessions_are_followed_to_their_newest_boundary(project: Path) -> None:
    path = session("auto_compact_x3")
    folder = session_folder(str(project), SESSION)
    position = observe(str(project), folder, str(path))
    assert position is not None
    assert path.read_bytes()[position.boundary :].startswith(b'{"parentUuid":null,"logicalParent')
    assert position.missing
    assert path.stat().st_size < HOT_SCAN_BYTES

import calendar
import json
import os
import posix
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import SnapshotError
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.base.signature import mark_of
from amplihack_compaction.base.timestamps import next_stamp
from amplihack_compaction.extract.statements import LongPrompt, PromptRecord, SessionState
from amplihack_compaction.injection import snapshot
from amplihack_compaction.injection.receipts import Prepared, prepare, read_prepared
from amplihack_compaction.injection.snapshot import (
    copy_window,
    list_snapshots,
    load_snapshot,
    project_snapshots,
    snapshot_of_window,
    take_snapshot,
    text_path,
    whole_snapshot_of_window,
)
from tests.support.captured import session
from tests.support.clocks import clock_in
from tests.support.signing import change_signed, signed_text
from tests.support.states import full_state


def test_a_snapshot_restores_to_an_equal_state(tmp_path: Path) -> None:
    taken = take_snapshot(str(tmp_path), full_state(), 7, "/t.jsonl", 5)
    assert load_snapshot(str(tmp_path)) == taken
    assert load_snapshot(str(tmp_path), taken.id).state == full_state()
    assert snapshot_of_window(str(tmp_path), 7) == (taken.id, 100)
    text = Path(text_path(str(tmp_path), taken.id)).read_text()
    assert "Never push to main." in text


def test_a_snapshots_text_has_what_the_state_has_shortened(tmp_path: Path) -> None:
    text = "# Spec\n\n```sh\nmake\n```\n\n````md\nx\n````"
    long = LongPrompt(text=text, uuid="1", offset=1, at="2026-07-24T21:20:00Z")
    taken = take_snapshot(
        str(tmp_path), replace(full_state(), long_prompts=(long,)), 7, "/t.jsonl", 5
    )
    told = Path(text_path(str(tmp_path), taken.id)).read_text()
    head = f"## 2026-07-24T21:20:00Z, {len(text)} characters"
    assert told.endswith(f"{head}\n`````text\n{text}\n`````\n")
    assert load_snapshot(str(tmp_path)).state.long_prompts == (long,)


def test_half_characters_and_paths_that_are_no_utf8_do_not_tear_a_snapshot(tmp_path: Path) -> None:
    folder, path = str(tmp_path), "/tmp/caf\udce9/s.jsonl"
    state = SessionState(prompts=(PromptRecord(text="Fix the parser \ud83d", uuid="a", offset=1),))
    taken = take_snapshot(folder, state, 0, path, 5)
    loaded = load_snapshot(folder, taken.id)
    assert loaded.transcript_path == path
    assert loaded.state.prompts[0].text == "Fix the parser ?"


def test_a_windows_second_snapshot_takes_the_place_of_its_first(tmp_path: Path) -> None:
    first = take_snapshot(str(tmp_path), full_state(), 7, "/t.jsonl", 5)
    later = replace(full_state(), branch="other")
    assert take_snapshot(str(tmp_path), later, 7, "/t.jsonl", 5).id == first.id
    assert load_snapshot(str(tmp_path)).state.branch == "other"


def test_two_that_take_a_windows_first_snapshot_at_once_take_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others: list[str] = []

    def named_meanwhile(names: Iterable[str]) -> str:
        monkeypatch.setattr(snapshot, "next_stamp", next_stamp)
        others.append(take_snapshot(str(tmp_path), full_state(), 7, "/t.jsonl", 5).id)
        return next_stamp(names)

    monkeypatch.setattr(snapshot, "next_stamp", named_meanwhile)
    assert [take_snapshot(str(tmp_path), full_state(), 7, "/t.jsonl", 5).id] == others
    assert list_snapshots(str(tmp_path)) == others


def test_a_snapshot_that_was_named_and_not_taken_is_taken_anew(tmp_path: Path) -> None:
    path = tmp_path / "windows" / "7.snapshot"
    path.parent.mkdir()
    path.write_text("20260201-143022-a1b2 0")
    assert whole_snapshot_of_window(str(tmp_path), 7) == ("", -1)
    taken = take_snapshot(str(tmp_path), full_state(), 7, "/t.jsonl", 5)
    assert whole_snapshot_of_window(str(tmp_path), 7) == (taken.id, 100)
    assert list_snapshots(str(tmp_path)) == [taken.id]


def test_the_oldest_snapshots_go(tmp_path: Path) -> None:
    ids = [take_snapshot(str(tmp_path), full_state(), n, "/t", 3).id for n in range(6)]
    assert len(list_snapshots(str(tmp_path))) == 3
    assert set(list_snapshots(str(tmp_path))) <= set(ids)
    assert len(os.listdir(tmp_path / "snapshots")) == 6


@pytest.mark.parametrize("identifier", ["latest", "20260201-143022-a1b2", "../../x", "", "a/b"])
def test_a_missing_snapshot_is_a_clear_error(tmp_path: Path, identifier: str) -> None:
    with pytest.raises(SnapshotError, match="no snapshot"):
        load_snapshot(str(tmp_path), identifier)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"version": "x"}', '{"version": 1}', '{"version": 1, "id": 5}']
)
def test_a_torn_snapshot_is_a_clear_error(tmp_path: Path, content: str) -> None:
    taken = take_snapshot(str(tmp_path), full_state(), 7, "/t.jsonl", 5)
    path = tmp_path / "snapshots" / f"{taken.id}.json"
    path.write_text(signed_text(content, path))
    before = path.read_bytes()
    with pytest.raises(SnapshotError, match="cannot be read"):
        load_snapshot(str(tmp_path))
    assert path.read_bytes() == before


def test_a_snapshot_of_a_newer_version_says_so(tmp_path: Path) -> None:
    taken = take_snapshot(str(tmp_path), full_state(), 7, "/t.jsonl", 5)
    path = tmp_path / "snapshots" / f"{taken.id}.json"
    change_signed(path, version=99)
    with pytest.raises(SnapshotError, match="update amplihack-compaction"):
        load_snapshot(str(tmp_path))


@pytest.mark.parametrize("content", ["", "../x 5", "20260201-143022-a1b2", "20260201 x"])
def test_a_pointer_that_is_not_understood_points_nowhere(tmp_path: Path, content: str) -> None:
    (tmp_path / "windows").mkdir()
    (tmp_path / "windows" / "7.snapshot").write_text(content)
    assert snapshot_of_window(str(tmp_path), 7) == ("", -1)


def test_a_copy_has_the_windows_lines_without_the_clients_records(tmp_path: Path) -> None:
    path = session("auto_compact_x3")
    whole = path.read_bytes()
    boundary = whole.index(b'{"parentUuid":null,"logicalParentUuid"')
    copy = Path(copy_window(str(tmp_path), str(path), 0, boundary, 5))
    lines = [json.loads(line) for line in copy.read_text().splitlines()]
    assert {"user", "assistant"} <= {line["type"] for line in lines}
    assert not any(line["type"].startswith("api-request") for line in lines)
    assert not any(line.get("subtype") == "compact_boundary" for line in lines)
    rest = Path(copy_window(str(tmp_path), str(path), boundary, None, 5))
    assert "SUMMARY-ONE" in rest.read_text()


def test_of_a_window_above_the_limit_the_newest_lines_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "_COPY_LIMIT_BYTES", 100)
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f'{{"n":{n:04}}}\n' for n in range(100)) + '{"torn":')
    copy = Path(copy_window(str(tmp_path), str(path), 0, None, 5))
    lines = copy.read_text().splitlines()
    assert lines[-1] == '{"n":0099}'
    assert 5 < len(lines) < 10


def test_the_oldest_copies_go_and_none_can_be_asked_for(tmp_path: Path) -> None:
    path = str(session("manual_compact"))
    for start in (0, 1, 2, 10):
        copy_window(str(tmp_path), path, start, None, 2)
    (tmp_path / "windows" / "odd.jsonl").write_text("")
    copy_window(str(tmp_path), path, 20, None, 2)
    left = sorted(n for n in os.listdir(tmp_path / "windows") if n != "odd.jsonl")
    assert left == ["10.jsonl", "20.jsonl"]
    assert copy_window(str(tmp_path), path, 30, None, 0) == ""


def test_what_was_prepared_is_handed_out_until_something_is_said(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"type":"mode"}\n')
    ready = Prepared("tëxt\nof two lines", 0, "20260201-143022-a1b2", path.stat().st_size)
    prepare(str(tmp_path), ready)
    with path.open("a") as stream:
        stream.write('{"type":"last-prompt","lastPrompt":"x"}\n')
    found = read_prepared(str(tmp_path), str(path))
    assert found is not None
    assert (found.text, found.window_start, found.snapshot_id) == (ready.text, 0, ready.snapshot_id)
    assert found.transcript_bytes == path.stat().st_size
    with path.open("a") as stream:
        stream.write('{"parentUuid":null,"type":"user","message":{}}\n')
    assert read_prepared(str(tmp_path), str(path)) is None


@pytest.mark.parametrize("is_marked", [True, False])
@pytest.mark.parametrize(
    "content", ["", "x", "0 3\ntext", "0 3 s\n", "0 x s\ntext", "x 3 s\ntext", "0 3 s\n\udcff"]
)
def test_what_is_not_understood_was_not_prepared(
    tmp_path: Path, content: str, *, is_marked: bool
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("{}\n")
    data = content.encode("utf-8", "surrogateescape")
    mark = mark_of(data, f"{tmp_path}/prepared").encode() + b"\n" if is_marked else b""
    (tmp_path / "prepared").write_bytes(mark + data)
    assert read_prepared(str(tmp_path), str(path)) is None


@pytest.mark.parametrize("seen", [4, -1, 3 - 2**20, 99])
def test_what_was_prepared_for_a_transcript_of_another_size_is_not_handed_out(
    tmp_path: Path, seen: int
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("{}\n")
    prepare(str(tmp_path), Prepared("text", 0, "s", 3))
    assert read_prepared(str(tmp_path), str(path)) is not None
    prepare(str(tmp_path), Prepared("text", 0, "s", seen))
    assert read_prepared(str(tmp_path), str(path)) is None


def test_nothing_is_prepared_that_no_key_can_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AMPLIHACK_COMPACTION_HOME", "not/absolute")
    prepare(str(tmp_path), Prepared("text", 0, "s", 0))
    assert list(tmp_path.iterdir()) == []


def test_what_was_prepared_for_a_transcript_that_is_gone_is_not_handed_out(tmp_path: Path) -> None:
    prepare(str(tmp_path), Prepared("text", 0, "s", 3))
    assert read_prepared(str(tmp_path), str(tmp_path / "gone")) is None


def test_the_newest_snapshot_is_found_and_kept_when_the_clock_is_set_back(project: Path) -> None:
    folder = session_folder(str(project), "session-1")
    taken = []
    for number, year in enumerate((2031, 2026, 2026)):
        with clock_in(year):
            state = replace(full_state(), session_id="session-1", branch=f"b{number}")
            taken.append(take_snapshot(folder, state, number, "/t", 2).id)
            path = Path(folder) / "snapshots" / f"{taken[-1]}.json"
        moment = calendar.timegm((year, 1, 1, 0, 0, 0)) + number
        os.utime(path, (moment, moment))
    assert list_snapshots(folder) == taken[1:]
    assert load_snapshot(folder).state.branch == "b2"
    assert [file.id for file in project_snapshots(str(project))] == [taken[2], taken[1]]


def test_what_cannot_be_read_is_not_taken_for_missing(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = session_folder(str(project), "session-1")
    identifier = take_snapshot(folder, full_state(), 7, "/t.jsonl", 5).id

    def refuse(path: str, *_: object, **__: object) -> int:
        raise OSError(5, "Input/output error", path)

    for name in ("open", "stat"):
        with monkeypatch.context() as patch:
            patch.setattr(posix, name, refuse)
            problems: list[str] = []
            files = project_snapshots(str(project), problems)
            if name == "stat":
                assert (files, len(problems)) == ([], 1)
                assert "Input/output error" in problems[0]
            else:
                with pytest.raises(SnapshotError, match="cannot be read: Input/output error"):
                    load_snapshot(folder, identifier)

"""A copy is the original but for what is left out, has its ledger, and is made whole or not."""

import errno
import json
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.errors import CopyError, TranscriptError
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.compactor.transcripts import copied_lines, ledger_evidence
from amplihack_compaction.compactor.transcripts import make_copy as copying
from amplihack_compaction.compactor.transcripts.ledger_evidence import leaves_of
from amplihack_compaction.compactor.transcripts.make_copy import make_copy, preview_copy
from amplihack_compaction.compactor.transcripts.manifest import LeftOutPart
from amplihack_compaction.extract.statements import Rule, SessionState
from amplihack_compaction.ledger.stored import continue_from, current_state, fold_transcript
from tests.support.transcripts import SESSION, Transcript
from tests.unit.compactor.transcripts.sessions_to_copy import (
    IMAGE,
    LONG,
    RULE,
    SMALL,
    copied,
    entries,
    files_below,
    kinds,
    placed,
    planned,
    session,
)

UUID = "0" * 8 + "-1111-4111-8111-" + "2" * 12


def same(one: SessionState, other: SessionState) -> bool:
    """Compare two ledgers item for item."""

    def plain(state: SessionState) -> list[tuple[str, Any]]:
        return list(leaves_of(replace(state, session_id="", covered_bytes=0)))

    return plain(one) == plain(other)


def test_a_copy_has_every_line_in_order_with_its_uuid_and_its_own_session_id(project: Path) -> None:
    original = placed(project)
    before = Path(original.path).read_bytes()
    copy = copied(original)
    assert Path(original.path).read_bytes() == before
    lines, others = entries(original.path), entries(copy.head.copy_path)
    assert [line["uuid"] for line in lines] == [line["uuid"] for line in others]
    assert [line["parentUuid"] for line in lines] == [line["parentUuid"] for line in others]
    assert {line["sessionId"] for line in others} == {copy.head.session_id}
    assert Path(copy.head.copy_path).name == f"{copy.head.session_id}.jsonl"
    assert Path(copy.head.copy_path).parent == Path(original.path).parent
    assert os.stat(copy.head.copy_path).st_mode & 0o777 == 0o600


def test_a_copy_keeps_what_was_queued(project: Path) -> None:
    transcript = session(project)
    transcript.version = "2.1.33"
    for operation in ({"operation": "enqueue", "content": "Never amend commits."},
                      {"operation": "remove"}):  # fmt: skip
        transcript.lines.append({"type": "queue-operation", **operation})
    transcript.tool("Bash", {"command": "make"}, "done")
    original = placed(project, transcript)
    copy = copied(original)
    one = fold_transcript(original.path, SESSION).state
    assert "Never amend commits." in [rule.text for rule in one.rules]
    assert same(one, fold_transcript(copy.head.copy_path, SESSION).state)


def test_lines_that_say_the_same_keep_all_their_other_bytes(project: Path) -> None:
    original = placed(project)
    copy = copied(original)
    changed = {part.line for part in copy.plan.parts}
    lines = Path(original.path).read_bytes().splitlines()
    others = Path(copy.head.copy_path).read_bytes().splitlines()
    for number, (line, other) in enumerate(zip(lines, others, strict=True)):
        if number not in changed:
            assert line.replace(SESSION.encode(), copy.head.session_id.encode()) == other


def test_the_ledger_of_a_copy_is_that_of_its_original(project: Path) -> None:
    original = placed(project)
    copy = copied(original)
    one = fold_transcript(original.path, SESSION).state
    other = fold_transcript(copy.head.copy_path, copy.head.session_id).state
    assert [rule.text for rule in other.rules] == [RULE]
    assert other.verify
    assert same(one, other)
    assert copy.plan.evidence.items > 5


def test_a_difference_in_the_ledger_would_be_seen(project: Path) -> None:
    state = fold_transcript(placed(project).path, SESSION).state
    other = session(project)
    other.user("Never squash.")
    assert not same(state, fold_transcript(placed(project, other).path, SESSION).state)


def test_where_the_ledger_would_differ_the_window_is_kept_whole(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = session(project)
    transcript.compact("They read.", preserved=0)
    transcript.user("Count.")
    transcript.tool("Bash", {"command": "seq 1"}, LONG + "5")
    transcript.user("End.")
    transcript.assistant("Done.")
    original = placed(project, transcript)
    asked: list[int] = []

    def differing(*given: Any) -> list[int]:
        asked.append(0)
        return [0] if len(asked) == 1 else ledger_evidence.differing_windows(*given)

    monkeypatch.setattr(copying, "differing_windows", differing)
    copy = copied(original)
    assert kinds(copy.plan) == ["tool_output"]
    assert len(asked) == 2


def test_no_copy_is_made_when_its_ledger_would_still_differ(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = placed(project)
    before = files_below(project.parent)
    monkeypatch.setattr(copying, "differing_windows", lambda *_: [0])
    with pytest.raises(CopyError, match="ledger would not be"):
        copied(original)
    assert [name for name in files_below(project.parent) if ".gitignore" not in name] == before


def two_windows(project: Path) -> Transcript:
    transcript = session(project)
    transcript.compact("They read.", preserved=0)
    transcript.user("Use pnpm, not npm. Count.")
    transcript.tool("Bash", {"command": "seq 1"}, LONG + "5")
    transcript.user("End.")
    transcript.assistant("Done.")
    return transcript


@pytest.mark.parametrize("number", [0, 1])
def test_each_window_that_something_was_left_out_of_is_read_again(
    project: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Words of the user that the writing loses are seen, in whichever window they are."""
    original = placed(project, two_windows(project))
    seen = preview_copy(original, SMALL)
    words = (RULE, "Use pnpm, not npm.")[number].encode()
    whole = copied_lines._copied

    def lossy(data: bytes, parts: list[LeftOutPart], *ids: str) -> bytes:
        return whole(data.replace(words, b"Look."), parts, *ids)

    monkeypatch.setattr(copied_lines, "_copied", lossy)
    changed: list[list[int]] = []
    told = ledger_evidence.differing_windows

    def differing(*given: Any) -> list[int]:
        changed.append(told(*given))
        return changed[-1]

    monkeypatch.setattr(copying, "differing_windows", differing)
    with pytest.raises(CopyError, match="ledger would not be"):
        make_copy(seen)
    assert changed == [[number], [number]]


def test_what_the_ledger_tells_of_edits_and_of_running_work_stays(project: Path) -> None:
    transcript = Transcript()
    transcript.user("Build it.")
    for name in ("total", "report"):
        text = f"def {name}_of(rows):\n{LONG}"
        transcript.tool("Write", {"file_path": "/app/a.py", "content": text}, "written")
    transcript.tool("Write", {"file_path": "/app/notes.md", "content": LONG}, "written")
    transcript.tool("Write", {"file_path": "/app/notes.md", "content": "x"}, "written")
    started = {"backgroundTaskId": "b1"}
    transcript.tool("Bash", {"command": "make serve"}, "started", data=started)
    transcript.tool("Read", {"file_path": "/tmp/b1.output"}, f"{LONG}Error: the port is taken\n")
    transcript.user("And now?")
    transcript.assistant("Nothing.")
    original = placed(project, transcript)
    copy = copied(original)
    assert kinds(copy.plan) == ["written"]
    state = fold_transcript(copy.head.copy_path, copy.head.session_id).state
    assert [file.made for file in state.files][-1:] == [()]
    assert ("report_of",) in [file.made for file in state.files]
    assert [work.error for work in state.running] == ["Error: the port is taken"]
    assert copy.plan == preview_copy(original, SMALL)  # no window had to be kept whole


def test_a_boundary_glued_to_the_line_before_it_is_found(project: Path) -> None:
    original = placed(project, two_windows(project))
    path = Path(original.path)
    whole = path.read_bytes().splitlines(keepends=True)
    at = next(number for number, line in enumerate(whole) if b"compact_boundary" in line)
    whole[at - 1] = whole[at - 1].rstrip()
    path.write_bytes(b"".join(whole))
    copy = copied(original)
    assert {part.line < at - 1 for part in copy.plan.parts} == {False, True}
    one, other = (
        fold_transcript(path, SESSION).state for path in (original.path, copy.head.copy_path)
    )
    assert same(one, other)


def test_windows_of_a_copy_are_found_where_they_moved_to(project: Path) -> None:
    original = placed(project, two_windows(project))
    copy = copied(original)
    assert {part.resumed for part in copy.plan.parts} == {False, True}
    assert copy.plan.parts == planned(original).parts  # no window was kept whole
    one, other = (
        fold_transcript(path, SESSION).state for path in (original.path, copy.head.copy_path)
    )
    assert same(one, other)


def test_an_image_beside_a_prompt_leaves_the_users_words_as_they_are(project: Path) -> None:
    transcript = Transcript()
    transcript.user([IMAGE, {"type": "text", "text": f"{RULE} See."}, IMAGE])
    transcript.assistant("I see.")
    transcript.user("Next.")
    transcript.assistant("Done.")
    copy = copied(placed(project, transcript))
    assert kinds(copy.plan) == ["image", "image"]
    content = entries(copy.head.copy_path)[0]["message"]["content"]
    assert content[0] == {"type": "text", "text": f"{RULE} See."}
    assert [block["type"] for block in content] == ["text"] * 3
    assert all("<system-reminder>[Left out: an image" in b["text"] for b in content[1:])


def test_the_clients_form_of_a_result_keeps_its_shape(project: Path) -> None:
    transcript = Transcript()
    transcript.user("Read.")
    data = {"type": "text", "file": {"filePath": "/a.py", "content": LONG, "numLines": 100}}
    transcript.tool("Read", {"file_path": "/a.py"}, LONG, data=data)
    transcript.user("Next.")
    transcript.assistant("Done.")
    copy = copied(placed(project, transcript))
    result = entries(copy.head.copy_path)[2]["toolUseResult"]
    assert result["file"] == {"filePath": "/a.py", "content": result["file"]["content"],
                              "numLines": 100}  # fmt: skip
    assert "Left out: 101 lines of /a.py" in result["file"]["content"]


def test_a_copy_of_a_copy_leaves_nothing_more_out(project: Path) -> None:
    copy = copied(placed(project))
    again = type(placed(project))(
        path=copy.head.copy_path, session_id=copy.head.session_id, root=str(project)
    )
    assert planned(again).parts == ()
    assert not preview_copy(again, SMALL).saves


def test_odd_lines_pass_as_they_are(project: Path) -> None:
    original = placed(project)
    path = Path(original.path)
    whole = path.read_bytes().splitlines(keepends=True)
    odd = [
        b"\xff\xfe no json\n",
        b'{"type":"future-kind","sessionId":"%s","deep":{"sessionId":"x"}}\r\n' % SESSION.encode(),
        whole[3].rstrip() + whole[4],
        b"\n",
        b"[1, 2]\n",
        b'{"type":"user","sessionId":7}\n',
        b'{"type":"user","message":{"content":"lone \\ud83d half"},"uuid":"%s"}\n' % UUID.encode(),
        whole[5],
    ]
    path.write_bytes(b"".join([*whole[:8], *odd, *whole[8:], whole[-1][:60]]))
    copy = copied(original)
    lines = Path(copy.head.copy_path).read_bytes().splitlines(keepends=True)
    new = copy.head.session_id.encode()
    assert lines[8] == odd[0]
    assert lines[9] == odd[1].replace(SESSION.encode(), new)
    assert lines[10] == odd[2].replace(SESSION.encode(), new)
    assert lines[11:15] == odd[3:7]
    assert lines[-1].endswith(b"}\n")
    assert len(lines) == len(whole) + len(odd)


def test_surrogates_and_line_ends_of_shortened_lines_survive(project: Path) -> None:
    original = placed(project)
    path = Path(original.path)
    text = path.read_text().replace('"userType":"external"', '"userType":"\\ud83d é"')
    path.write_text(text.replace("\n", "\r\n"))
    copy = copied(original)
    for line in Path(copy.head.copy_path).read_bytes().splitlines(keepends=True):
        assert line.endswith(b"}\r\n")
        assert b'"userType":"\\ud83d \xc3\xa9"' in line


def test_huge_lines_are_copied_in_pieces(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = placed(project)
    huge = b'{"type":"unknown","text":"' + b"x" * 5000 + b'"}\n'
    path = Path(original.path)
    path.write_bytes(huge + path.read_bytes() + huge)
    monkeypatch.setattr(
        "amplihack_compaction.compactor.transcripts.copied_lines.LINE_LIMIT_BYTES", 4600
    )
    monkeypatch.setattr("amplihack_compaction.clients.session_lines.LINE_LIMIT_BYTES", 4600)
    copy = copied(original)
    data = Path(copy.head.copy_path).read_bytes()
    assert data.startswith(huge)
    assert data.endswith(huge)


def test_only_what_was_there_at_the_start_is_copied(project: Path) -> None:
    original = placed(project)
    seen = preview_copy(original, SMALL)
    later = Transcript("later")
    later.user("Later.")
    with Path(original.path).open("ab") as stream:
        stream.write(json.dumps(later.lines[0]).encode() + b"\n")
    copy = make_copy(seen)
    assert b"Later." not in Path(copy.head.copy_path).read_bytes()
    assert copy.head.original_bytes < Path(original.path).stat().st_size


@pytest.mark.parametrize("end", [b'{"type":"user","mess', b'{"a":1}'])
def test_a_last_line_counts_when_it_is_whole(project: Path, end: bytes) -> None:
    original = placed(project)
    with Path(original.path).open("ab") as stream:
        stream.write(end)
    data = Path(copied(original).head.copy_path).read_bytes()
    assert data.endswith(b"}\n")
    assert (end in data) == (end == b'{"a":1}')


@pytest.mark.parametrize("change", ["cut", "other line", "no json", "other value"])
def test_an_original_that_changes_meanwhile_is_not_copied(project: Path, change: str) -> None:
    original = placed(project)
    seen = preview_copy(original, SMALL)
    path = Path(original.path)
    data = path.read_bytes()
    first = seen.parts[0].offset
    if change == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif change == "other line":
        path.write_bytes(b" " + data)
    elif change == "no json":
        path.write_bytes(data[:first] + b"?" + data[first + 1 :])
    else:
        path.write_bytes(data.replace(b'"content":[', b'"contents":['))
    with pytest.raises(CopyError, match=r"changed while it was read|ledger would not"):
        make_copy(seen)
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_records_of_requests_are_not_copied(project: Path) -> None:
    original = placed(project)
    path = Path(original.path)
    path.write_bytes(b'{"type":"api-request-shape","shape":{}}\n' + path.read_bytes())
    assert b"api-request" not in Path(copied(original).head.copy_path).read_bytes()


def test_above_a_size_only_the_window_since_the_last_compaction_changes(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = session(project)
    transcript.compact("They read.", preserved=0)
    transcript.user("Count.")
    transcript.tool("Bash", {"command": "seq 1"}, LONG + "5")
    transcript.user("End.")
    transcript.assistant("Done.")
    original = placed(project, transcript)
    assert len(kinds(planned(original))) > 5
    monkeypatch.setattr(copying, "_WHOLE_LIMIT_BYTES", 10)
    narrow = copied(original)
    assert kinds(narrow.plan) == ["tool_output"]
    one = fold_transcript(original.path, SESSION).state
    assert same(one, fold_transcript(narrow.head.copy_path, narrow.head.session_id).state)


def test_tasks_and_what_the_session_went_on_from_belong_to_the_copy_too(project: Path) -> None:
    original = placed(project)
    tasks = Path(original.path).parents[2] / "tasks" / SESSION
    tasks.mkdir(parents=True)
    task = {"id": "1", "subject": "Write the docs", "status": "pending"}
    (tasks / "1.json").write_text(json.dumps(task))
    (tasks / ".lock").write_text("")
    earlier = SessionState(session_id="earlier", rules=(Rule(text="Use pnpm."),), windows=1)
    continue_from(session_folder(str(project), SESSION), SESSION, earlier)
    copy = copied(original)
    assert copy.head.tasks == ["1.json"]
    folder = session_folder(str(project), copy.head.session_id)
    state = current_state(folder, copy.head.session_id, copy.head.copy_path).state
    assert [todo.text for todo in state.open_todos] == ["Write the docs"]
    assert "Use pnpm." in [rule.text for rule in state.rules]


def test_what_killed_runs_left_is_removed_after_an_hour(project: Path) -> None:
    original = placed(project)
    folder = Path(original.path).parent
    old, new = folder / f"{UUID}.jsonl.12.0a1b2c3d.tmp", folder / f"{UUID}.jsonl.13.0a1b2c3d.tmp"
    other = folder / "notes.jsonl.12.0a1b2c3d.tmp"
    for path in (old, new, other):
        path.write_text("half")
    for path in (old, other):
        os.utime(path, (time.time() - 7200,) * 2)
    copied(original)
    assert not old.exists()
    assert new.exists()
    assert other.exists()


def test_a_full_disk_leaves_nothing_and_says_so(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = placed(project)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("amplihack_compaction.base.files.posix.fsync", full)
    with pytest.raises(CopyError, match="No space left on device; the original is as it was"):
        copied(original)
    assert [p.name for p in Path(original.path).parent.iterdir()] == [f"{SESSION}.jsonl"]


@pytest.mark.parametrize("step", ["replace_with_parts", "continue_from", "posix.link"])
def test_an_error_at_any_step_takes_everything_back(
    project: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    original = placed(project)
    tasks = Path(original.path).parents[2] / "tasks" / SESSION
    tasks.mkdir(parents=True)
    (tasks / "1.json").write_text("{}")
    earlier = SessionState(session_id="earlier", windows=1)
    continue_from(session_folder(str(project), SESSION), SESSION, earlier)
    before = files_below(project.parent)

    def fail(*given: Any, **_: Any) -> None:
        if step != "posix.link" or str(given[1]).startswith(str(Path(original.path).parent)):
            raise OSError(errno.EIO, "Input/output error")
        os.rename(given[0], given[1])
        Path(given[0]).write_bytes(b"")

    if step == "posix.link":
        import posix

        monkeypatch.setattr(posix, "link", fail)
    else:
        monkeypatch.setattr(copying, step, fail)
    with pytest.raises(CopyError, match="Input/output error"):
        copied(original)
    assert [name for name in files_below(project.parent) if ".gitignore" not in name] == before


@pytest.fixture
def read_only(project: Path) -> Iterator[Path]:
    folder = Path(placed(project).path).parent
    folder.chmod(0o500)
    yield folder
    folder.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_folder_is_an_error_that_names_it(project: Path, read_only: Path) -> None:
    with pytest.raises(CopyError, match=str(read_only)):
        make_copy(preview_copy(placed(project), SMALL))


def test_a_missing_transcript_is_an_error(project: Path) -> None:
    original = placed(project)
    Path(original.path).unlink()
    with pytest.raises(TranscriptError):
        preview_copy(original, SMALL)

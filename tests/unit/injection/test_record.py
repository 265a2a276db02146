"""What is stored of a compaction whose boundary is in the transcript by now."""

import errno
from pathlib import Path

import pytest

from amplihack_compaction.injection import record as recording
from amplihack_compaction.injection import snapshot as snapshots
from amplihack_compaction.injection.record import (
    Recorded,
    record_compaction,
    record_past_compaction,
)
from amplihack_compaction.injection.snapshot import (
    list_snapshots,
    load_snapshot,
    snapshot_of_window,
)
from amplihack_compaction.validation.events import read_events
from tests.support.transcripts import SESSION, Transcript

RULE = "Never push to main."


@pytest.fixture
def transcript() -> Transcript:
    made = Transcript()
    made.user(RULE)
    return made


def record(project: Path, transcript: Transcript, start: int = 0) -> tuple[Recorded, list[str]]:
    complaints: list[str] = []
    path = transcript.write(project.parent / "t.jsonl")
    done = record_past_compaction(str(project), SESSION, str(path), start, complaints.append)
    assert RULE in str(done.folded.state)
    return done, complaints


def test_where_nothing_may_be_written_the_state_is_still_told(
    project: Path, transcript: Transcript
) -> None:
    transcript.compact("They talked.")
    (project / ".claude").write_text("a file")
    done, complaints = record(project, transcript)
    assert (done.folder, done.snapshot_id) == ("", "")
    assert "the runtime folder cannot be made" in complaints[0]


def test_a_boundary_tells_what_was_not_known_before(project: Path, transcript: Transcript) -> None:
    transcript.compact("They talked.")
    done, complaints = record(project, transcript)
    (event,) = read_events(str(project)).events
    assert complaints == []
    assert (event.extra["snapshot"], event.extra["trigger"]) == (done.snapshot_id, "auto")
    assert Path(event.pre_compaction_transcript_path).is_file()


def test_a_compaction_that_is_recorded_after_the_next_one_tells_of_its_own_turns(
    project: Path, transcript: Transcript
) -> None:
    transcript.compact("They talked.")
    transcript.user("Use pnpm, not npm.")
    transcript.compact("They talked on.")
    transcript.user("Go on.")
    done, _ = record(project, transcript)
    (event,) = read_events(str(project)).events
    assert (event.turn_number, done.folded.state.turns) == (1, 3)
    assert "pnpm" not in str(load_snapshot(done.folder, done.snapshot_id).state)


def test_a_window_without_a_boundary_gets_an_event_and_no_copy(
    project: Path, transcript: Transcript
) -> None:
    done, _ = record(project, transcript)
    (event,) = read_events(str(project)).events
    assert (event.pre_compaction_transcript_path, done.snapshot_id) == ("", "")
    assert "trigger" not in event.extra


def test_a_boundary_with_nothing_before_it_was_another_sessions(project: Path) -> None:
    fork = Transcript()
    fork.attachment("date")
    fork.compact("They talked.", preserved=0)
    fork.user(RULE)
    done, _ = record(project, fork)
    assert done.snapshot_id == ""
    assert read_events(str(project)).events == ()


def fail(*_: object) -> bytes | None:
    raise OSError(errno.EIO, "Input/output error")


def test_a_snapshot_that_cannot_be_looked_up_is_not_taken_again(
    project: Path, transcript: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript.compact("They talked.")
    first, _ = record(project, transcript)
    (known,) = read_events(str(project)).events
    with monkeypatch.context() as patch:
        patch.setattr(snapshots, "read_kept", fail)
        patch.setattr(recording, "copy_window", fail)
        done, complaints = record(project, transcript)
    assert done.snapshot_id == ""
    assert ["snapshot there is" in complaints[0], "copy could not" in complaints[1]] == [True, True]
    assert list_snapshots(first.folder) == [first.snapshot_id]
    assert snapshot_of_window(first.folder, 0)[0] == first.snapshot_id
    assert read_events(str(project)).events == (known,)


def test_a_torn_snapshot_is_taken_anew_before_and_after_the_compaction(
    project: Path, transcript: Transcript
) -> None:
    path = str(transcript.write(project.parent / "t.jsonl"))
    for _ in range(2):
        done = record_compaction(str(project), SESSION, path, print)
        assert RULE in str(load_snapshot(done.folder, done.snapshot_id).state)
        Path(done.folder, "snapshots", f"{done.snapshot_id}.json").write_bytes(b'{"version": 1')
    transcript.compact("They talked.")
    after, complaints = record(project, transcript)
    assert RULE in str(load_snapshot(after.folder, after.snapshot_id).state)
    assert (complaints, list_snapshots(after.folder)) == ([], [after.snapshot_id])


def test_before_a_compaction_rather_one_snapshot_too_many_is_taken_than_none(
    project: Path, transcript: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(transcript.write(project.parent / "t.jsonl"))
    complaints: list[str] = []
    first = record_compaction(str(project), SESSION, path, complaints.append)
    assert complaints == []
    with monkeypatch.context() as patch:
        patch.setattr(snapshots, "read_kept", fail)
        second = record_compaction(str(project), SESSION, path, complaints.append)
    assert len(complaints) == 1
    assert list_snapshots(first.folder) == sorted([first.snapshot_id, second.snapshot_id])
    (event,) = read_events(str(project)).events
    assert event.extra["snapshot"] == second.snapshot_id != first.snapshot_id


def test_what_could_not_be_stored_leaves_the_event_what_it_had(
    project: Path, transcript: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = transcript.write(project.parent / "t.jsonl")
    record_compaction(str(project), SESSION, str(path), print)
    (before,) = read_events(str(project)).events
    transcript.user("Go on.")
    transcript.write(path)
    with monkeypatch.context() as patch:
        patch.setattr(recording, "take_snapshot", fail)
        patch.setattr(recording, "copy_window", fail)
        record_compaction(str(project), SESSION, str(path), print)
    (event,) = read_events(str(project)).events
    assert event.turn_number == before.turn_number + 1
    assert event.extra["snapshot"] == before.extra["snapshot"] != ""
    assert event.pre_compaction_transcript_path == before.pre_compaction_transcript_path != ""


def test_a_ledger_that_cannot_be_written_is_logged(project: Path, transcript: Transcript) -> None:
    transcript.compact("They talked.")
    done, _ = record(project, transcript)
    ledger = Path(done.folder, "ledger.json")
    ledger.unlink()
    ledger.mkdir()
    again, complaints = record(project, transcript)
    assert again.folded.state == done.folded.state
    assert "the ledger stays as it was" in complaints[0]
    ledger.rmdir()
    assert record(project, transcript)[1] == []
    assert ledger.is_file()

"""What is stored of a compaction whose boundary is in the transcript by now."""

from pathlib import Path

import pytest

from amplihack_compaction.compaction.events import read_events
from amplihack_compaction.preservation.record import Recorded, record_past_compaction
from tests.transcripts import SESSION, Transcript

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

"""What `watch` reads of a session, and how seldom."""

import json
from pathlib import Path

import pytest

from amplihack_compaction.base.hook_log import log_line
from amplihack_compaction.cli import watch as reading_module
from amplihack_compaction.cli.sessions import Session
from amplihack_compaction.cli.watch import CALLS_LIMIT, SessionReader, last_hook_calls
from amplihack_compaction.context.levels import ContextStatus
from amplihack_compaction.context.meter import read_status
from amplihack_compaction.injection.receipts import claim
from tests.support.transcripts import SESSION, Transcript


@pytest.fixture
def transcript() -> Transcript:
    made = Transcript()
    made.user("Add a login page. Never push to main.")
    made.assistant("The form is there.")
    return made


@pytest.fixture
def session(project: Path, transcript: Transcript) -> Session:
    return Session(SESSION, transcript.write(project / f"{SESSION}.jsonl"), str(project))


def test_nothing_is_read_again_while_nothing_changes(
    session: Session, transcript: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []

    def counted(root: str, session_id: str, path: str) -> ContextStatus | None:
        reads.append(path)
        return read_status(root, session_id, path)

    monkeypatch.setattr(reading_module, "read_status", counted)
    reader = SessionReader(session)
    assert reader.picture().state is None  # what is quickly known is shown first
    first = reader.picture()
    assert reader.picture() is first
    assert len(reads) == 1
    assert first.status is not None
    assert first.status.current_tokens == 1015
    assert first.state is not None
    assert [rule.text for rule in first.state.active_rules] == ["Never push to main."]
    transcript.user("Go on.")
    transcript.assistant("Yes.")
    transcript.write(session.transcript)
    second = reader.picture()
    assert second is not first
    assert second.status is not None
    assert second.status.current_tokens == 2015
    assert second.state is first.state  # until it has been read again
    assert len(reads) == 2


def test_a_transcript_that_is_gone_is_told(session: Session) -> None:
    reader = SessionReader(session)
    session.transcript.unlink()
    for _ in range(2):
        picture = reader.picture()
        assert "cannot be read" in picture.problem
        assert picture.status is None


def test_the_ledger_is_read_less_often_the_longer_it_takes(
    session: Session, transcript: Transcript
) -> None:
    now = [100.0]

    def clock() -> float:
        now[0] += 0.5  # what one reading takes
        return now[0]

    reader = SessionReader(session, clock)
    reader.picture()

    def read_at(seconds: float, *, grown: bool) -> bool:
        if grown:
            transcript.user("Go on.")
            transcript.write(session.transcript)
        before, now[0] = reader._picture.state, seconds
        return reader.picture().state is not before

    assert read_at(200, grown=False)
    assert not read_at(300, grown=False)
    assert read_at(300, grown=True)
    assert not read_at(305, grown=True)
    assert read_at(315, grown=False)


def test_what_was_compacted_is_not_read_again(session: Session, transcript: Transcript) -> None:
    transcript.compact("A summary.")
    transcript.user("Always write tests first.")
    transcript.write(session.transcript)
    reader = SessionReader(session)
    reader.picture()
    reader.picture()
    assert reader._base is not None
    assert reader._base.covered_bytes > 0
    reader._next, reader._read_bytes = 0.0, -1
    state = reader.picture().state
    assert state is not None
    rules = [rule.text for rule in state.active_rules]
    assert rules == ["Never push to main.", "Always write tests first."]
    assert not Path(session.folder).exists()  # nothing is written


def test_hook_calls_of_all_traces_stand_newest_first(
    session: Session, transcript: Transcript, project: Path
) -> None:
    transcript.attachment(
        "hook_success", hookEvent="PreToolUse", command="run --token=abcd1234efgh", durationMs=31
    )
    transcript.attachment("hook_cancelled", hookEvent="Stop", command="slow")
    transcript.add(
        "system",
        subtype="stop_hook_summary",
        hookInfos=[{"command": "end", "durationMs": 7}, "odd", {"durationMs": True}],
    )
    transcript.attachment("hook_of_tomorrow", hookEvent="Stop")
    transcript.write(session.transcript)
    receipt = {
        "window_start": 0,
        "event": "SessionStart",
        "at": "2026-11-21T20:00:00Z",
        "utf16": 77,
    }
    claim(session.folder, 0, json.dumps(receipt).encode())
    log_line(str(project), "Stop", "the disk is full")
    calls = last_hook_calls(session)
    told = [(call.event, call.outcome, call.milliseconds, call.is_problem) for call in calls[-5:]]
    assert told == [
        ("Stop", "ran end", 7.0, False),
        ("Stop", "ran", None, False),
        ("Stop", "was cancelled slow", None, True),
        ("PreToolUse", "ran run", 31.0, False),
        ("SessionStart", "gave the state, 77 characters", None, False),
    ]
    problem = next(call for call in calls if call.outcome == "the disk is full")
    assert problem.is_problem


def test_of_many_calls_the_last_ones_are_told(session: Session, transcript: Transcript) -> None:
    for number in range(CALLS_LIMIT + 5):
        transcript.attachment("hook_success", hookEvent="Stop", command=f"run/{number}")
    transcript.write(session.transcript)
    calls = last_hook_calls(session)
    assert len(calls) == CALLS_LIMIT
    assert calls[0].outcome == f"ran {CALLS_LIMIT + 4}"


def test_a_session_whose_files_are_gone_has_no_calls(session: Session) -> None:
    session.transcript.unlink()
    assert last_hook_calls(session) == []

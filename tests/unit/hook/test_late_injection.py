import errno
import json
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.hook import late_injection
from amplihack_compaction.injection import position, record
from amplihack_compaction.injection.position import Position, is_pending
from amplihack_compaction.injection.receipts import claim, leave_pending, list_receipts
from amplihack_compaction.injection.snapshot import text_path
from tests.support.captured import payload
from tests.support.processes import log_of, run_in_process
from tests.support.sessions import HEAD, RULE, Session
from tests.support.transcripts import SESSION


@pytest.fixture
def session(project: Path) -> Session:
    return Session(project)


def test_where_the_window_began_is_found_in_the_whole_file_when_it_was_not_seen(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(position, "HOT_SCAN_BYTES", 9_000)
    session.boundary()
    session.transcript.user("Second part. Use pnpm, not npm.")
    for _ in range(20):
        session.transcript.assistant("Words that take some room in the file.")
    session.boundary()
    given = session.tool_use()
    assert RULE in given
    (event,) = session.events
    assert event["window_start"] > 0


def test_what_is_named_as_the_whole_state_has_what_was_said_since(session: Session) -> None:
    session.boundary()
    session.transcript.user("Second part. Use pnpm, not npm.")
    given = session.tool_use()
    folder = session_folder(str(session.project), SESSION)
    (receipt,) = list_receipts(folder)
    (event,) = session.events
    assert event["snapshot"] != receipt["snapshot"]
    assert "Use pnpm" in given
    assert "Use pnpm" in Path(text_path(folder, receipt["snapshot"])).read_text()
    assert "Use pnpm" not in Path(text_path(folder, event["snapshot"])).read_text()


def test_a_window_that_turns_out_to_be_settled_is_left_alone(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.boundary("")
    session.transcript.attachment("hook_additional_context", content=[f"{HEAD} x"])
    session.transcript.write(session.path)
    folder = session_folder(str(session.project), SESSION)
    boundary = session.path.read_bytes().index(b'{"parentUuid":null,"isSidechain":false,"type":"s')
    stdin = payload("PreToolUse.Bash", session_id=SESSION, transcript_path=str(session.path))
    unknown = Position(boundary, 0, boundary)
    assert late_injection.inject_missing(stdin, str(session.project), folder, unknown) == ""


def test_of_hooks_that_run_in_parallel_one_gives_the_missed_injection(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(
        folder: str, _session: str, _event: str, window: int, attempt: int, *_: object
    ) -> bool:
        assert claim(folder, window, b"{}", attempt), "the other hook is the first"
        return claim(folder, window, b"{}", attempt)

    monkeypatch.setattr(late_injection, "take_receipt", overtaken)
    session.boundary()
    assert session.tool_use() == ""
    assert not any("given now" in line for line in log_of(session.project))


@pytest.mark.parametrize("event", ["PreToolUse", "Stop", "PreCompact", "SessionStart"])
def test_a_transcript_that_cannot_be_understood_is_a_line_in_the_log(
    session: Session, event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise TranscriptError("nothing could be understood")

    monkeypatch.setattr(record, "current_state", fail)
    session.boundary()
    session.transcript.write(session.path)
    name = {"PreToolUse": "PreToolUse.Bash", "PreCompact": "PreCompact.auto",
            "SessionStart": "SessionStart.compact"}.get(event, event)  # fmt: skip
    stdin = payload(name, session_id=SESSION, transcript_path=str(session.path))
    assert run_in_process(event, stdin, session.project).stdout == ""
    assert "nothing could be understood" in log_of(session.project)[-1]


def test_a_waiting_text_is_given_once(session: Session) -> None:
    session.transcript.write(session.path)
    folder = session_folder(str(session.project), SESSION)
    leave_pending(folder, "it was said")
    assert session.prompt() == "it was said"
    assert session.prompt() == ""
    stdin = payload("UserPromptSubmit", session_id=SESSION, transcript_path=str(session.path))
    assert late_injection.give_pending(stdin, folder) == ""


def test_a_waiting_text_that_is_empty_is_no_answer(session: Session) -> None:
    folder = session_folder(str(session.project), SESSION)
    stdin = payload("UserPromptSubmit", session_id=SESSION)
    leave_pending(folder, " \n")
    assert late_injection.give_pending(stdin, folder) == ""
    assert not is_pending(folder)


def test_a_waiting_text_that_cannot_be_read_goes_on_waiting(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    folder = session_folder(str(session.project), SESSION)
    leave_pending(folder, "it was said")
    stdin = payload("PreToolUse.Bash")
    with monkeypatch.context() as patch:
        patch.setattr(late_injection, "read_kept", fail)
        with pytest.raises(OSError, match="Input/output"):
            late_injection.give_pending(stdin, folder)
    assert "it was said" in late_injection.give_pending(stdin, folder)
    leave_pending(folder, "x" * 300_000)  # not what we leave
    assert late_injection.give_pending(stdin, folder) == ""
    assert late_injection.give_pending(stdin, folder) == ""


@pytest.mark.parametrize("summary", [None, 5, {}])
def test_post_compact_without_a_summary_is_a_line_in_the_log(
    session: Session, summary: object
) -> None:
    answer = session.hook("PostCompact", "PostCompact.auto", compact_summary=summary)
    assert answer.stdout == ""
    assert "no summary, neither" in log_of(session.project)[0]


def test_post_compact_that_cannot_store_says_so(session: Session) -> None:
    (session.project / ".claude").write_text("a file where the folder should be")
    session.post_compact()
    stdin = payload("PostCompact.auto", session_id=SESSION, transcript_path="/none")
    assert run_in_process("PostCompact", stdin, session.project).stdout == ""


def test_session_end_completes_what_came_after_the_last_stop(session: Session) -> None:
    session.compact()
    session.hook("SessionEnd", "SessionEnd.other")
    (event,) = session.events
    assert event["pre_tokens"] == 170074
    assert "checked_at_stop" not in event
    session.stop()
    assert session.events[0]["checked_at_stop"] is True
    assert json.dumps(session.events)

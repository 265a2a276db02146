"""Commands and agents in the background: what was started, and has not ended."""

from pathlib import Path

import pytest

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.extract.recent_context import extract_running
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.extract.window import extract_window
from amplihack_compaction.injection.render import render_state
from amplihack_compaction.ledger.merge import merge_window
from tests.support.transcripts import Transcript
from tests.unit.conftest import Read, started

SERVER = {"command": "npm run dev", "run_in_background": True}


def serving(transcript: Transcript) -> Transcript:
    data = {"stdout": "", "stderr": "", "backgroundTaskId": "b1"}
    transcript.tool("Bash", SERVER, "Command running in background with ID: b1.", data=data)
    return transcript


def running(read: Read, transcript: Transcript) -> list[str]:
    return [work.task_id for work in extract_running(read(transcript))]


def test_a_command_and_an_agent_in_the_background_are_known_by_their_ids(read: Read) -> None:
    transcript = serving(started())
    data = {"isAsync": True, "status": "async_launched", "agentId": "a1"}
    given = {"description": "Review the parser", "prompt": "...", "run_in_background": True}
    transcript.tool("Task", given, "Async agent launched.", data=data)
    found = extract_running(read(transcript))
    assert [(work.task_id, work.text, work.is_agent) for work in found] == [
        ("b1", "npm run dev", False),
        ("a1", "Review the parser", True),
    ]


@pytest.mark.parametrize(
    ("tool", "given", "data"),
    [
        ("KillShell", {"shell_id": "b1"}, {"message": "killed", "shell_id": "b1"}),
        ("TaskStop", {"task_id": "b1"}, {"message": "stopped", "task_id": "b1"}),
        ("TaskOutput", {"task_id": "b1"}, {"task": {"task_id": "b1", "status": "completed"}}),
        ("BashOutput", {"bash_id": "b1"}, {"status": "failed"}),
    ],
)
def test_what_was_stopped_or_found_at_its_end_does_not_run(
    read: Read, tool: str, given: dict[str, str], data: dict[str, object]
) -> None:
    transcript = serving(started())
    transcript.tool(tool, given, "ok", data=data)
    assert running(read, transcript) == []


def test_a_look_at_running_work_ends_nothing(read: Read) -> None:
    transcript = serving(started())
    data = {"task": {"task_id": "b1", "status": "running"}}
    transcript.tool("TaskOutput", {"task_id": "b1"}, "ok", data=data)
    assert running(read, transcript) == ["b1"]


@pytest.mark.parametrize("name", ["task", "shell", "agent"])
def test_a_notification_ends_work_and_is_no_prompt(read: Read, name: str) -> None:
    transcript = serving(started())
    kind = "bash" if name == "shell" else name
    transcript.user(
        f"<{kind}-notification>\n<{name}-id>b1</{name}-id>\n<status>completed</status>\n"
        f"<summary>Never push to main.</summary>\n</{kind}-notification>"
    )
    assert running(read, transcript) == []
    assert [prompt.text for prompt in read(transcript).window.prompts] == ["Go"]


def test_work_of_an_earlier_window_ends_in_a_later_one(tmp_path: Path) -> None:
    transcript = serving(started())
    transcript.compact("A summary.")
    transcript.user("Go on.")
    state = SessionState()
    for window in read_windows(transcript.write(tmp_path / "t.jsonl")):
        state = merge_window(state, extract_window(window))
    assert "- command `b1`: npm run dev" in render_state(state).text
    transcript.tool("KillShell", {"shell_id": "b1"}, "ok", data={"shell_id": "b1"})
    for window in read_windows(transcript.write(tmp_path / "t.jsonl")):
        state = merge_window(state, extract_window(window))
    assert state.running == ()


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Read", {"file_path": "/tmp/tasks/b1.output"}),
        ("Bash", {"command": "tail -5 /tmp/tasks/b1.output"}),
    ],
)
def test_an_error_in_the_output_of_running_work_is_told_with_it(
    read: Read, tool: str, given: dict[str, str]
) -> None:
    transcript = serving(started())
    transcript.tool(tool, given, "     1→npm run dev\n     2→Error: listen EADDRINUSE :::3847")
    state = merge_window(SessionState(), extract_window(read(transcript).window))
    error = "Error: listen EADDRINUSE :::3847"
    line = f"- command `b1`: npm run dev; may have ended, its output tells: {error}"
    assert line in render_state(state).text
    transcript.tool(tool, given, "WARN [Tee] Error: no key, running without\nlistening")
    assert extract_running(read(transcript))[0].error == ""

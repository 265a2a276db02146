"""Commands and agents in the background: what was started, and has not ended."""

from dataclasses import replace
from pathlib import Path

import pytest

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.extract.issues import extract_issues
from amplihack_compaction.extract.notes import extract_progress
from amplihack_compaction.extract.running_work import extract_running
from amplihack_compaction.extract.statements import (
    PromptRecord,
    RunningWork,
    SessionState,
    WindowState,
)
from amplihack_compaction.extract.verify_commands import extract_verify
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
    assert [(work.task_id, work.text, work.kind) for work in found] == [
        ("b1", "npm run dev", "command"),
        ("a1", "Review the parser", "agent"),
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


def test_what_could_not_be_stopped_since_it_was_over_does_not_run(read: Read) -> None:
    transcript = serving(started())
    said = "<tool_use_error>Task b1 is not running (status: completed)</tool_use_error>"
    transcript.tool("TaskStop", {"task_id": "b1"}, said, error=True)
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


MOVED = "Command did not complete within its 120s timeout and was moved to the background (ID: b1)."


@pytest.mark.parametrize(
    ("status", "told", "passed", "done"),
    [
        ("", "", None, []),
        ("completed", "completed (exit code 0)", True, ["pushed: git push origin main"]),
        ("failed", "failed with exit code 1", False, []),
        ("killed", "was stopped", None, []),
    ],
)
def test_what_went_on_in_the_background_is_done_when_it_ended_well(
    read: Read, status: str, told: str, passed: bool | None, done: list[str]
) -> None:
    for line in ("git push origin main", "make test"):
        transcript = started()
        transcript.tool("Bash", {"command": line}, MOVED, data={"backgroundTaskId": "b1"})
        if status:
            transcript.user(
                f"<task-notification>\n<task-id>b1</task-id>\n<status>{status}</status>\n"
                f'<summary>Background command "It" {told}</summary>\n</task-notification>'
            )
        content = read(transcript)
        if line == "make test":
            assert [check.passed for check in extract_verify(content)] == [passed]
        else:
            assert [item.text for item in extract_progress(content)] == done
        assert len(extract_issues(content)) == (status == "failed")
        assert len(extract_running(content)) == (not status)


def notification(text: str) -> dict[str, object]:
    return {"type": "queued_command", "commandMode": "task-notification", "prompt": text}


def test_a_notification_in_mid_turn_ends_work_as_one_between_turns(read: Read) -> None:
    transcript = started()
    push = {"command": "git push origin main"}
    transcript.tool("Bash", push, MOVED, data={"backgroundTaskId": "b1"})
    ended = "<task-id>b1</task-id>\n<status>completed</status>"
    told = f"<task-notification>\n{ended}\n<summary>It completed</summary>\n</task-notification>"
    transcript.add("attachment", attachment=notification(told))
    content = read(transcript)
    assert [item.text for item in extract_progress(content)] == ["pushed: git push origin main"]
    assert extract_running(content) == ()


def test_work_that_ends_behind_a_compaction_is_done_then(tmp_path: Path) -> None:
    for status, done in (("completed", ["pushed: git push origin main"]), ("killed", [])):
        transcript = started()
        push = {"command": "git push origin main"}
        transcript.tool("Bash", push, MOVED, data={"backgroundTaskId": "b1"})
        transcript.compact("It goes on.")
        ended = f"<task-id>b1</task-id>\n<status>{status}</status>"
        transcript.user(f"<task-notification>\n{ended}\n</task-notification>")
        state = SessionState()
        for window in read_windows(transcript.write(tmp_path / f"{status}.jsonl")):
            state = merge_window(state, extract_window(window))
        assert [item.text for item in state.progress] == done
        assert state.running == ()


def test_a_look_at_two_outputs_tells_the_end_of_none(read: Read) -> None:
    transcript = started()
    push = {"command": "git push origin main"}
    transcript.tool("Bash", push, MOVED, data={"backgroundTaskId": "baaaaaaa1"})
    look = "tail -n 3 /t/tasks/baaaaaaa1.output; tail -n 3 /t/tasks/bbbbbbbb2.output"
    transcript.tool("Bash", {"command": look}, "Writing 40%\nok\n\n[exited with code 0]")
    assert len(extract_running(read(transcript))) == 1
    last = "told: [exited with code 1]\n[exited with code 1]\n\n[exited with code 0]"
    transcript.tool("Bash", {"command": "cat /t/tasks/baaaaaaa1.output"}, last)
    assert len(extract_progress(read(transcript))) == 1


@pytest.mark.parametrize(
    ("line", "status", "passed"),
    [
        ("cd web && npm test", "completed", True),
        ("cd web && npm test", "failed", False),
        ("npm ci && npm test", "completed", True),
        ("npm ci && npm test", "failed", None),
        ("npm test && git push", "failed", None),
        ("sleep 3 || npm test", "completed", None),
        ("! npm test", "completed", None),
        ("npm test | tail", "completed", None),
    ],
)
def test_a_check_in_the_background_is_told_by_its_end_where_that_is_its_own(
    read: Read, line: str, status: str, passed: bool | None
) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": line}, MOVED, data={"backgroundTaskId": "b1"})
    transcript.user(
        f"<task-notification>\n<task-id>b1</task-id>\n<status>{status}</status>\n"
        "<summary>It ended with exit code 1</summary>\n</task-notification>"
    )
    (check,) = extract_verify(read(transcript))
    assert check.passed is passed


@pytest.mark.parametrize(("code", "done"), [(0, True), (1, False)])
def test_a_look_at_the_end_of_an_output_tells_how_it_ended(
    read: Read, code: int, done: bool
) -> None:
    transcript = started()
    pushing = {"command": "git push origin main"}
    transcript.tool("Bash", pushing, MOVED, data={"backgroundTaskId": "bhd7n484s"})
    file = "/tmp/claude-0/p/tasks/bhd7n484s.output"
    transcript.tool("Bash", {"command": f"cat {file}; git status"}, "so far\nOn branch main")
    assert len(extract_running(read(transcript))) == 1
    transcript.tool("Read", {"file_path": file}, f"1\tdone\n2\t\n3\t[exited with code {code}]\n4\t")
    content = read(transcript)
    assert extract_running(content) == ()
    assert (len(extract_progress(content)) == 1) is done
    assert (extract_issues(content) == ()) is done


def test_what_was_seen_to_fail_is_settled_as_any_check(read: Read) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": "npm test"}, MOVED, data={"backgroundTaskId": "b1abcd"})
    look = {"command": "tail /t/tasks/b1abcd.output"}
    transcript.tool("Bash", look, "1 failing\n\n[exited with code 1]")
    (issue,) = extract_issues(read(transcript))
    assert issue.text == "`npm test` fails: 1 failing"
    transcript.tool("Bash", {"command": "npm test"}, "5 passing")
    assert extract_issues(read(transcript)) == ()


def test_what_failed_behind_a_compaction_is_told_though_it_was_looked_at(read: Read) -> None:
    transcript = started()
    transcript.user(
        "<task-notification>\n<task-id>b1abcd</task-id>\n<status>failed</status>\n"
        '<summary>Background command "Migrate" failed with exit code 1</summary>\n'
        "</task-notification>"
    )
    look = {"command": "tail /t/tasks/b1abcd.output"}
    transcript.tool("Bash", look, "boom\n\n[exited with code 1]")
    (issue,) = extract_issues(read(transcript))
    assert "Migrate" in issue.text


def test_what_was_stopped_has_not_failed(read: Read) -> None:
    transcript = started()
    serve = {"command": "npm run dev", "run_in_background": True}
    transcript.tool("Bash", serve, "", data={"backgroundTaskId": "b1abcd"})
    look = {"command": "tail /t/tasks/b1abcd.output"}
    transcript.tool("Bash", look, "ready\n\n[exited with code 143]")
    content = read(transcript)
    assert (extract_issues(content), extract_running(content)) == ((), ())


def test_a_line_whose_exit_code_is_not_the_pushs_own_does_not_tell_of_it(read: Read) -> None:
    for line, done in (("git push", 1), ("git push 2>&1 | tail -3", 0), ("git push; ls", 0)):
        transcript = started()
        transcript.tool("Bash", {"command": line}, MOVED, data={"backgroundTaskId": "b1abcd"})
        (work,) = extract_running(read(transcript))
        assert len(work.does) == done
        look = {"command": "cat /t/tasks/b1abcd.output"}
        transcript.tool("Bash", look, "main -> main\n\n[exited with code 0]")
        assert len(extract_progress(read(transcript))) == done


def test_monitors_jobs_and_wakeups_go_on_until_their_time(read: Read) -> None:
    transcript = started()
    watch = {"description": "watch the log", "command": "tail -f a.log", "timeout_ms": 300000}
    transcript.tool("Monitor", watch, "", data={"taskId": "m1", "timeoutMs": 300000})
    kept = {"taskId": "m2", "timeoutMs": 300000, "persistent": True}
    transcript.tool("Monitor", {"description": "watch the deploy"}, "", data=kept)
    job = {"id": "j1", "humanSchedule": "Every hour at :07", "recurring": True, "nextFireAt": 9.5}
    transcript.tool("CronCreate", {"cron": "7 * * * *", "prompt": "look"}, "", data=job)
    late, over = ({"scheduledFor": ms} for ms in (4_000_000_000_000, 1_000_000_000_000))
    for data in (late, over, {"scheduledFor": "soon"}):
        transcript.tool("ScheduleWakeup", {"prompt": "check the CI"}, "", data=data)
    content = read(transcript)
    found = [(work.kind, work.task_id, work.text) for work in extract_running(content)]
    assert found == [
        ("monitor", "m1", "watch the log: tail -f a.log"),
        ("monitor", "m2", "watch the deploy"),
        ("job", "j1", "Every hour at :07: look"),
        ("wakeup", "", "at 07:06 UTC: check the CI"),
    ]
    text = render_state(SessionState(running=extract_running(content))).text
    assert "- wakeup at 07:06 UTC: check the CI\n" in text
    assert "- job `j1`: Every hour at :07: look\n" in text
    transcript.tool("CronDelete", {"id": "j1"}, "", data={"id": "j1"})
    transcript.tool("TaskStop", {"task_id": "m2"}, "", data={"task_id": "m2"})
    transcript.count += 600  # seconds
    transcript.user("And now?")
    assert [work.kind for work in extract_running(read(transcript))] == ["wakeup"]


def test_a_wakeup_is_over_when_a_later_prompt_came(tmp_path: Path) -> None:
    wakeup = RunningWork(text="look", kind="wakeup", ends_at="2026-11-21T21:00:00.000Z")
    state = SessionState(running=(wakeup, replace(wakeup, text="no end", ends_at="")))
    said = PromptRecord(text="Go on", at="2026-11-21T21:00:01.000Z")
    left = merge_window(state, WindowState(prompts=(said,)), 100).running
    assert [work.text for work in left] == ["no end"]


def test_of_a_server_that_was_started_again_the_last_is_told(read: Read) -> None:
    transcript = serving(started())
    for task_id, line in (
        ("b2", "lsof -ti :3847 | xargs kill -9; sleep 1; npm run dev 2>&1 &"),
        ("b3", "cd web && npm run dev"),
        ("b4", "pytest -q"),
        ("b5", "pytest -q"),
    ):
        given = {"command": line, "run_in_background": True}
        data = {"stdout": "", "stderr": "", "backgroundTaskId": task_id}
        transcript.tool("Bash", given, f"Command running with ID: {task_id}.", data=data)
    assert running(read, transcript) == ["b2", "b3", "b4", "b5"]


def test_a_server_of_an_earlier_window_was_started_again() -> None:
    first, again = (
        RunningWork(
            text="npm run dev", uuid=task_id, task_id=task_id, serves="npm run dev", offset=offset
        )
        for task_id, offset in (("b1", 10), ("b2", 20))
    )
    state = merge_window(SessionState(running=(first,)), WindowState(index=1, running=(again,)))
    assert state.running == (again,)

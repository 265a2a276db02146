"""Whatever comes in, a hook exits 0 and says nothing that the client would not understand."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from amplihack_compaction.base.hook_log import NOT_AWAITED
from amplihack_compaction.clients.claude_code.wiring.launchers import LAUNCHERS
from tests.support.captured import payload
from tests.support.processes import SAMPLES, environment, log_of, run_hook, run_in_process, script
from tests.support.transcripts import Transcript

UNUSABLE = {
    "empty": b"",
    "text": b"hello",
    "list": b"[]",
    "null": b"null",
    "truncated": b'{"session_id": "x", "transc',
    "bad UTF-8": b'{"session_id": "\xff\xfe"}',
    "deep": b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep and open": b"[" * 100_000,
    "two objects": b"{}{}",
    "nothing in it": b"{}",
    "wrong types": b'{"session_id": 1, "transcript_path": {}, "hook_event_name": []}',
    "empty path": b'{"session_id": "x", "transcript_path": "", "hook_event_name": "Stop"}',
    "NUL": b'{"session_id": "x", "transcript_path": "/a\\u0000b", "hook_event_name": "Stop"}',
    "other event": b'{"session_id": "x", "transcript_path": "/a", "hook_event_name": "Odd"}',
}


@pytest.mark.parametrize("event", LAUNCHERS)
def test_unusable_input_gives_one_line_in_the_log_and_nothing_else(
    event: str, project: Path
) -> None:
    for number, (name, stdin) in enumerate(UNUSABLE.items(), 1):
        # What an event does comes behind that; so for the others one process is enough.
        is_process = event == "Stop" or name == "deep"
        answer = (run_hook if is_process else run_in_process)(event, stdin, project)
        assert (answer.stdout, answer.stderr, answer.code) == ("", "", 0), name
        lines = log_of(project)
        assert len(lines) == number, name
        assert f" {event} " in lines[-1]


@pytest.mark.parametrize("event", LAUNCHERS)
def test_a_transcript_that_is_missing_stops_nothing(event: str, project: Path) -> None:
    stdin = payload(SAMPLES[event], transcript_path=f"{project}/none.jsonl")
    answer = run_hook(event, stdin, project)
    assert (answer.stdout, answer.stderr, answer.code) == ("", "", 0)


@pytest.mark.parametrize("event", LAUNCHERS)
def test_a_subagents_event_changes_nothing(event: str, project: Path) -> None:
    stdin = payload(SAMPLES[event], agent_id="abd05cf0626b80dfd", agent_type="general-purpose")
    answer = run_hook(event, stdin, project)
    assert (answer.stdout, answer.stderr, answer.code) == ("", "", 0)
    assert os.listdir(project) == []


@pytest.mark.parametrize("event", LAUNCHERS)
def test_the_kill_switch_comes_before_everything(event: str, project: Path) -> None:
    for stdin in (b"", json.dumps(payload(SAMPLES[event])).encode()):
        answer = run_hook(event, stdin, project, AMPLIHACK_COMPACTION_DISABLED="1")
        assert (answer.stdout, answer.stderr, answer.code) == ("", "", 0)
    assert os.listdir(project) == []


@pytest.mark.parametrize("event", LAUNCHERS)
def test_on_a_terminal_a_hook_explains_itself_and_never_waits(event: str, project: Path) -> None:
    master, slave = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(script(event))],
            stdin=slave,
            env=environment(project),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    finally:
        os.close(master)
        os.close(slave)
    assert (done.stdout, done.returncode) == ("", 0)
    assert f"{event} hook of amplihack-compaction" in done.stderr


def test_without_the_clients_variable_the_process_folder_is_the_project(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(script("Stop"))],
        input=b"{}",
        env={},
        cwd=project,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)
    assert len(log_of(project)) == 1


def test_a_project_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    answer = run_hook("PreToolUse", b"{}", tmp_path / "p" / "gone")
    assert (answer.stdout, answer.stderr, answer.code) == ("", "", 0)
    assert os.listdir(tmp_path / "p") == []


def test_a_failure_inside_is_one_line_in_the_log(project: Path) -> None:
    # A file where the runtime folder should be: nothing can be written below it.
    (project / ".claude").write_text("not a folder")
    (project / "t.jsonl").write_text("{}\n")
    stdin = payload("PreToolUse.Bash", transcript_path=f"{project}/t.jsonl")
    answer = run_hook("PreToolUse", stdin, project, AMPLIHACK_COMPACTION_STRICT="0")
    assert (answer.stdout, answer.stderr, answer.code) == ("", "", 0)


def test_an_answer_that_nobody_waits_for_is_said_plainly_in_the_log(project: Path) -> None:
    transcript = Transcript("16f0d6db-b1e1-45b7-ab84-6aa98ca506ad")
    transcript.user("Never push to main.")
    transcript.write(project / "t.jsonl")
    stdin = payload("PreCompact.auto", transcript_path=f"{project}/t.jsonl")
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(script("PreCompact"))],
            input=json.dumps(stdin).encode(),
            env=environment(project, AMPLIHACK_COMPACTION_STRICT="0"),
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=300,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.stderr, done.returncode) == (b"", 0)
    (line,) = log_of(project)
    assert line.endswith(NOT_AWAITED)


def test_under_strict_a_failure_is_raised(project: Path) -> None:
    (project / ".claude").write_text("not a folder")
    (project / "t.jsonl").write_text("{}\n")
    stdin = payload("PreToolUse.Bash", transcript_path=f"{project}/t.jsonl")
    answer = run_hook("PreToolUse", stdin, project)
    assert "NotADirectoryError" in answer.stderr
    assert answer.code == 1

"""The one boundary of the package, inside the test: descriptors 0 and 1 are real files."""

import json
import os
import posix
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from amplihack_compaction.hook import run as hook_run
from amplihack_compaction.hook.run import problem_with
from tests.support.captured import payload, session
from tests.support.processes import log_of


@pytest.fixture
def stdin(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[bytes], None]]:
    """Return a function that puts bytes on descriptor 0, as the client does."""
    kept = os.dup(0)
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))

    def put(data: bytes) -> None:
        path = tmp_path / "stdin"
        path.write_bytes(data)
        descriptor = os.open(path, os.O_RDONLY)
        os.dup2(descriptor, 0)
        os.close(descriptor)

    yield put
    os.dup2(kept, 0)
    os.close(kept)


@pytest.fixture(autouse=True)
def exits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the end of the process end only the test's call."""

    def leave(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr(posix, "_exit", leave)


def test_a_payload_in_gives_an_answer_out_and_code_0(
    stdin: Callable[[bytes], None], project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = str(session("manual_compact"))
    stdin(json.dumps(payload("SessionStart.compact", transcript_path=path)).encode())
    with pytest.raises(SystemExit) as left:
        hook_run.run_hook("SessionStart")
    assert left.value.code == 0
    answer = json.loads(capfd.readouterr().out)
    assert "AMPLIHACK STATE" in answer["hookSpecificOutput"]["additionalContext"]


def test_a_failure_is_logged_and_the_code_is_0(
    stdin: Callable[[bytes], None], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise ValueError("a bug")

    monkeypatch.setattr(hook_run, "_handle", fail)
    monkeypatch.delenv("AMPLIHACK_COMPACTION_STRICT")
    stdin(json.dumps(payload("Stop")).encode())
    with pytest.raises(SystemExit) as left:
        hook_run.run_hook("Stop")
    assert left.value.code == 0
    assert "ValueError: a bug at test_run.py" in log_of(project)[0]
    monkeypatch.setenv("AMPLIHACK_COMPACTION_STRICT", "1")
    stdin(json.dumps(payload("Stop")).encode())
    with pytest.raises(ValueError, match="a bug"):
        hook_run.run_hook("Stop")


def test_a_working_folder_that_is_gone_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    for data in (b"", json.dumps(payload("Stop")).encode()):
        assert hook_run.run("Stop", data) == ""


def test_on_a_terminal_it_explains_itself(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(posix, "isatty", lambda _: True)
    with pytest.raises(SystemExit) as left:
        hook_run.run_hook("Stop")
    assert left.value.code == 0
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "diagnose" in captured.err


@pytest.mark.parametrize("event", ["PreToolUse", "Odd"])
def test_events_without_a_handler_are_logged(
    stdin: Callable[[bytes], None], project: Path, event: str
) -> None:
    del stdin
    fields = payload("PreToolUse.Bash", hook_event_name=event, transcript_path="/none.jsonl")
    assert hook_run.run(event, json.dumps(fields).encode()) == ""
    assert len(log_of(project)) == (event == "Odd")


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, "session_id"),
        ({"session_id": "s", "transcript_path": ""}, "transcript_path"),
        ({"session_id": "s", "transcript_path": "/a\0.jsonl"}, "NUL"),
        (
            {"session_id": "s", "transcript_path": "/a.jsonl", "hook_event_name": 5},
            "hook_event_name",
        ),
        (
            {"session_id": "s", "transcript_path": "/a.jsonl", "hook_event_name": "x"},
            "another event",
        ),
        (
            {"session_id": "s", "transcript_path": "/etc/passwd", "hook_event_name": "Stop"},
            ".jsonl",
        ),
        ({"session_id": "s", "transcript_path": "/a.jsonl", "hook_event_name": "Stop"}, ""),
    ],
)
def test_a_payload_says_what_makes_it_unusable(fields: dict[str, object], problem: str) -> None:
    found = problem_with(fields, "Stop")
    assert problem in found
    assert bool(found) == bool(problem)


def test_the_environments_packages_are_put_on_the_path_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path: list[str] = []
    monkeypatch.setattr(sys, "path", path)
    hook_run.add_site_packages()
    hook_run.add_site_packages()
    assert len(path) == 1
    assert path[0].endswith("/site-packages")

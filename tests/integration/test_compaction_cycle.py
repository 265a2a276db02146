"""A compaction as the client plays it: every hook a process, one reading what another wrote."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.captured import payload
from tests.support.processes import (
    environment,
    log_of,
    modes_below,
    run_hook,
    run_in_process,
    script,
)
from tests.support.sessions import RULE, Session
from tests.support.transcripts import SESSION


@pytest.fixture
def session(project: Path) -> Session:
    """Return a session whose hooks are processes."""
    return Session(project, run_hook)


def test_a_compaction_is_recorded_injected_and_checked(session: Session) -> None:
    hint = session.pre_compact()
    assert f'- rule: "{RULE}"' in hint
    assert len(hint) <= 2000
    injected = session.session_start()
    for text in (RULE, "Build the login page", "- [ ] Write the docs",
                 "passed: test `pytest -q`", "https://example.com:8443/x"):  # fmt: skip
        assert text in injected
    session.post_compact()
    session.boundary(injected)
    assert session.prompt() == ""
    session.transcript.user("Go on.")
    session.transcript.assistant("Going on.")
    assert session.tool_use() == ""
    assert session.stop().stdout == ""
    (event,) = session.events
    assert event["session_id"] == SESSION
    assert (event["turn_number"], event["trigger"]) == (1, "auto")
    assert event["messages_removed"] == 4
    assert event["pre_tokens"] == 170074
    copy = Path(event["pre_compaction_transcript_path"])
    assert RULE in copy.read_text()
    report = json.loads(Path(event["loss_report"]).read_text())
    assert any(RULE in item["text"] and item["label"] == "dropped" for item in report["items"])
    session.hook("SessionEnd", "SessionEnd.other")
    assert log_of(session.project) == []


def test_everything_that_is_written_is_private(project: Path) -> None:
    session = Session(project)  # whose files have their modes whatever the process
    session.compact()
    session.stop()
    modes = modes_below(session.runtime)
    assert {m for p, m in modes.items() if os.path.isfile(p)} == {0o600}
    assert {m for p, m in modes.items() if os.path.isdir(p)} == {0o700}
    assert (session.runtime / ".gitignore").read_text() == "*\n"


def test_hooks_registered_twice_inject_once(session: Session) -> None:
    session.transcript.write(session.path)
    stdin = payload("SessionStart.compact", session_id=SESSION, transcript_path=str(session.path))

    def start(_: int) -> str:
        return run_hook("SessionStart", stdin, session.project).stdout

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(start, range(2)))
    assert len([answer for answer in answers if answer]) == 1
    assert len(session.events) == 1


def test_parallel_tool_uses_make_up_for_it_once(session: Session) -> None:
    session.boundary()
    session.transcript.write(session.path)
    stdin = payload("PreToolUse.Bash", session_id=SESSION, transcript_path=str(session.path))

    def use(_: int) -> str:
        return run_hook("PreToolUse", stdin, session.project).stdout

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(use, range(4)))
    assert len([answer for answer in answers if answer]) == 1


@pytest.mark.parametrize("prepared", [False, True])
def test_a_full_disk_still_gets_its_injection(session: Session, prepared: bool) -> None:
    if prepared:
        session.pre_compact()
    # A limit on the size of files is what a process meets as a full disk.
    session.transcript.write(session.path)
    stdin = payload("SessionStart.compact", session_id=SESSION, transcript_path=str(session.path))
    command = f'ulimit -f 0; exec "{sys.executable}" -I -S "{script("SessionStart")}"'
    done = subprocess.run(
        ["bash", "-c", command], input=json.dumps(stdin), env=environment(session.project),
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert RULE in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("session_id", ["../../evil", "a/b", "ünï çödé", "x" * 300, "."])
def test_any_string_is_a_session_id(project: Path, session_id: str) -> None:
    session = Session(project)
    session.transcript.write(session.path)
    stdin = payload("SessionStart.compact", session_id=session_id,
                    transcript_path=str(session.path))  # fmt: skip
    answer = run_in_process("SessionStart", stdin, project)
    assert RULE in answer.context
    assert sorted(os.listdir(project.parent)) == ["claude", "project"]
    assert os.listdir(project) == [".claude"]


def test_a_transcript_that_was_deleted_and_begun_anew_takes_nothing_from_the_ledger(
    project: Path,
) -> None:
    session = Session(project)
    session.compact()
    session.transcript.user("Build the cart. Amounts are in cents, always.")
    session.compact()
    session.transcript.user("Go on.")
    session.compact()
    session.transcript.lines.clear()
    session.transcript.leaf = None
    for words in ("Now the footer.", "And the header."):
        session.transcript.user(words)
        session.transcript.assistant("Done.")
        injected = session.compact()
        assert injected.count(RULE) == injected.count("Amounts are in cents, always.") == 1
        assert words in injected
    assert [line for line in log_of(project) if "its receipt was set aside" not in line] == []

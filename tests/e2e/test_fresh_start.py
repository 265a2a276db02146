"""A new session goes on from the one before: after `/clear`, in a new process, and on demand."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .client import SEARCH_PATH, Client, Setup
from .conftest import NewClient
from .installation import REPOSITORY, Installation
from .run import Run
from .scenarios import AUTO_COMPACTS, bash
from .script import Answer, Script, Step

RULE = "Never push to main."
OBJECTIVE = "Build the login page."
TODO = "Write the docs page"
HEAD = "<!-- AMPLIHACK STATE -->"
OFFERED = "amplihack-compaction: an earlier session of this project"
RUNTIME = ".claude/runtime/power-steering"
LIMIT_TOKENS = 167_000


def at(ratio: float, text: str = "") -> Step:
    """Return a round whose answer reports the context to be so full."""
    tokens = int(ratio * LIMIT_TOKENS) + 100
    return Step(text, tools=[bash(f"echo {ratio}")], context_tokens=tokens)


def work(*ratios: float) -> list[Answer]:
    """Return the model's part in a turn: a round for each ratio, and its closing words.

    A crossing is noticed by the hook of a later round at the latest: when the first one runs, the
    client has not always written down what the model said.
    """
    tokens = int(max(ratios, default=0.1) * LIMIT_TOKENS) + 200
    rounds: list[Answer] = [at(ratio) for ratio in ratios]
    last = Step(
        f"The form is there. Left to do:\n- [x] Draw the form\n- [ ] {TODO}", context_tokens=tokens
    )
    return [*rounds, last]


def with_settings(setup: Setup, **values: object) -> Callable[[Client], None]:
    """Return a setup that also writes the user's own settings file."""

    def write(client: Client) -> None:
        assert callable(setup)
        setup(client)
        path = client.home / ".claude" / "compaction.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(values))

    return write


def files(client: Client, pattern: str) -> list[Path]:
    return sorted((client.project / RUNTIME).glob(pattern))


def log(client: Client) -> str:
    path = client.project / RUNTIME / "hooks.log"
    return path.read_text() if path.exists() else ""


def last_request(run: Run) -> str:
    return run.main_requests[-1].text()


PROMPT = f"{RULE} {OBJECTIVE}"


@pytest.mark.parametrize("interactive", [False, True], ids=["print", "terminal"])
def test_after_clear_the_new_session_knows_objective_rules_and_open_todos(
    new_client: NewClient, installed: Setup, interactive: bool
) -> None:
    script = Script(main=[*work(0.1, 0.2), "Going on."], latency_seconds=0.1)
    client = new_client(
        script, setup=with_settings(installed, fresh_start="inject"), env=AUTO_COMPACTS
    )
    run = client.run([PROMPT, "/clear", "Go on."], interactive=interactive)
    assert log(client) == ""
    text = last_request(run)
    for known in (RULE, OBJECTIVE, f"- [ ] {TODO}", "Next action"):
        assert known in text
    assert text.count(HEAD) == 1


def test_what_a_fresh_start_brought_outlives_the_next_compactions(
    new_client: NewClient, installed: Setup
) -> None:
    main: list[Answer] = [*work(0.1, 0.2), "A.", "B.", "C.", "D."]
    script = Script(main=main, summaries=["Nothing.", "Nothing."], latency_seconds=0.1)
    client = new_client(script, setup=with_settings(installed, fresh_start="inject"))
    run = client.run([PROMPT, "/clear", "Go on.", "/compact", "And on.", "/compact", "On."])
    assert log(client) == ""
    assert RULE in run.first_request_after_compaction(1).text()
    assert RULE in last_request(run)
    assert f"- [ ] {TODO}" in last_request(run)


def test_growing_usage_makes_a_snapshot_a_checkpoint_and_a_handoff_and_clear_gets_one_line(
    new_client: NewClient, installed: Setup
) -> None:
    main = [*work(0.5, 0.72, 0.82, 0.87, 0.92, 0.96, 0.97), "Fine.", "Later."]
    client = new_client(Script(main=main, latency_seconds=0.1), setup=installed, env=AUTO_COMPACTS)
    run = client.run([PROMPT, "/clear", "Hello.", "/clear", "Hello again."])
    assert log(client) == ""
    before_clear = run.main_requests[-3].text()
    assert before_clear.count(" % full, compacts at ") == 3
    (event,) = map(json.loads, files(client, "auto_events.jsonl")[0].read_text().splitlines())
    assert event["type"] == "auto_compaction_complete"
    assert Path(event["payload"]["snapshotPath"]).is_file()
    assert 0 < event["payload"]["compressionRatio"] < 0.05
    kept = files(client, "sessions/*/checkpoints/*.json")
    reasons = [json.loads(path.read_text())["reason"] for path in kept]
    assert sorted(reasons) == ["context_overflow", "handoff"]
    (handoff,) = files(client, "sessions/*/handoffs/*.txt")
    assert TODO not in handoff.read_text()  # said only after it
    assert RULE in handoff.read_text()
    first, second = [request.text() for request in run.main_requests[-2:]]
    assert first.count(OFFERED) == 1
    assert RULE not in first
    assert OFFERED not in second


def test_a_new_process_is_offered_the_session_before_once(
    new_client: NewClient, installed: Setup
) -> None:
    main = [*work(0.5, 0.82, 0.83), "Fine.", "Fine."]
    client = new_client(Script(main=main, latency_seconds=0.1), setup=installed, env=AUTO_COMPACTS)
    client.run([PROMPT])
    second, third = client.run(["Hello."]), client.run(["Hello."])
    assert last_request(second).count(OFFERED) == 1
    assert OFFERED not in last_request(third)
    assert log(client) == ""


def test_a_session_that_runs_beside_the_new_one_is_not_taken(
    new_client: NewClient, installed: Setup
) -> None:
    beside: list[Run] = []

    def start_another(client: Client) -> None:
        beside.append(client.run(["I am beside.", "/clear", "And cleared."]))

    main = [*work(0.5, 0.82, 0.83), "Beside.", "Cleared.", "Gone on.", "New."]
    client = new_client(
        Script(main=main, latency_seconds=0.1),
        setup=with_settings(installed, fresh_start="inject"),
        env=AUTO_COMPACTS,
    )
    run = client.run([PROMPT, start_another, "Go on.", "/clear", "New topic?"])
    assert log(client) == ""
    for request in beside[0].main_requests:
        if "I am beside." in request.text() or "And cleared." in request.text():
            assert RULE not in request.text()
    assert RULE in last_request(run)
    assert "I am beside." not in last_request(run)


def test_a_session_that_was_resumed_is_not_offered_while_it_runs(
    new_client: NewClient, installed: Setup
) -> None:
    beside: list[Run] = []
    main = [*work(0.5, 0.82, 0.83), "Resumed.", "Beside.", "More."]
    client = new_client(Script(main=main, latency_seconds=0.1), setup=installed, env=AUTO_COMPACTS)
    first = client.run([PROMPT])
    client.run(
        ["Again.", lambda c: beside.append(c.run(["I am beside."])), "More."],
        resume=first.session_id,
    )
    (other,) = [r for r in beside[0].main_requests if "I am beside." in r.text()]
    assert OFFERED not in other.text()
    assert OFFERED in last_request(client.run(["Afterwards."]))


@pytest.fixture
def command_path(installation: Installation) -> str:
    """Return a search path on which the installed command is found."""
    return f"{installation.command.parent}:{SEARCH_PATH}"


def test_the_slash_commands_print_handoff_and_fresh_start_into_the_session(
    new_client: NewClient, installed: Setup, command_path: str
) -> None:
    def with_commands(client: Client) -> None:
        assert callable(installed)
        installed(client)
        own = client.project / ".claude" / "commands"
        shutil.copytree(REPOSITORY / "commands", own, dirs_exist_ok=True)

    main: list[Answer] = [*work(0.1, 0.2), "Handed off.", "Going on.", "More.", "Done."]
    client = new_client(
        Script(main=main, summaries=["Nothing."], latency_seconds=0.1),
        setup=with_commands,
        env={**AUTO_COMPACTS, "PATH": command_path},
    )
    first = client.run([PROMPT, "/handoff"])
    assert "HANDOFF DOCUMENT: project" in last_request(first)
    second = client.run(["/fresh-start", "/compact", "More."])
    text = second.main_requests[0].text()
    for known in (RULE, OBJECTIVE, f"- [ ] {TODO}", "Next action"):
        assert known in text
    assert RULE in last_request(second)
    assert log(client) == ""


def test_the_last_line_of_a_handoff_is_a_command_that_works(
    new_client: NewClient, installed: Setup, installation: Installation, command_path: str
) -> None:
    main = work(0.5, 0.96, 0.97)
    client = new_client(Script(main=main, latency_seconds=0.1), setup=installed, env=AUTO_COMPACTS)
    client.run([PROMPT])
    (handoff,) = files(client, "sessions/*/handoffs/*.txt")
    command = re.fullmatch(r"To go on: (.+)", handoff.read_text().splitlines()[-1])
    assert command is not None
    done = subprocess.run(
        ["/bin/sh", "-c", command[1]],
        cwd=client.project,
        env={**client.environment(), "PATH": command_path},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    for known in (RULE, OBJECTIVE, "HANDOFF DOCUMENT", "Next action"):
        assert known in done.stdout

"""The context's levels in the real client: each is told once, and what is due is on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.context.levels import RECOMMENDATIONS, Level

from .client import Client, Setup
from .conftest import NewClient, RunClient
from .installation import Installation
from .installation import run as run_command
from .run import Run
from .scenarios import AUTO_COMPACTS, Scenario, bash
from .script import Answer, Script, Step

# With AUTO_COMPACTS the client compacts above this.
LIMIT = 167_000
RUNTIME = ".claude/runtime/power-steering"


def growing(*shares: float) -> list[Answer]:
    """Return rounds of tools which report a context that fills up to these shares of the limit."""
    return [
        Step(
            f"Round {number}.",
            tools=[bash(f"echo round {number}")],
            context_tokens=round(share * LIMIT),
        )
        for number, share in enumerate(shares, 1)
    ]


def session(*shares: float, **env: str) -> Scenario:
    script = Script(main=[*growing(*shares), "Done."], latency_seconds=0.1)
    return Scenario(script, ["Build the login page. Never push to main."], {**AUTO_COMPACTS, **env})


def warnings(run: Run) -> list[str]:
    """Return the level of each warning that a hook gave, in order."""
    said = []
    for output in run.hook_outputs:
        if output.event in ("PreToolUse", "UserPromptSubmit") and "% full" in output.stdout:
            message = json.loads(output.stdout)["systemMessage"]
            levels: tuple[Level, ...] = ("compact", "summarize", "handoff")
            said += [str(level) for level in levels if RECOMMENDATIONS[level] in message]
    return said


def log(client: Client) -> str:
    path = client.project / RUNTIME / "hooks.log"
    return path.read_text() if path.exists() else ""


def test_a_growing_session_is_told_once_at_each_level(
    run_client: RunClient, installed: Setup
) -> None:
    shares = (0.3, 0.6, 0.72, 0.75, 0.78, 0.82, 0.83, 0.86, 0.88, 0.92, 0.93, 0.96, 0.97, 0.98)
    run = run_client(session(*shares), setup=installed)
    assert warnings(run) == ["compact", "summarize", "handoff"]
    assert run.main_requests[-1].text().count(" % full, compacts at 17 %.") == 3
    sessions = run.client.project / RUNTIME / "sessions"
    (folder,) = sessions.iterdir()
    assert list((folder / "snapshots").glob("*"))
    assert log(run.client) == ""


def test_a_jump_is_one_warning(run_client: RunClient, installed: Setup) -> None:
    run = run_client(session(0.3, 0.5, 0.97, 0.98), setup=installed)
    assert warnings(run) == ["handoff"]
    assert log(run.client) == ""


@pytest.mark.parametrize("auto", [True, False])
def test_with_auto_the_active_feature_is_compacted_and_the_model_told(
    run_client: RunClient, installed: Setup, auto: bool
) -> None:
    rows = "".join(f"2026-01-02 10:00:00 INFO request {n} served\n" for n in range(300))
    text = f"# Progress\n\nDecision: argon2.\n\n```\n{rows}```\n"
    files = {"features/login/progress.md": text, ".claude/active-focus.md": "feature: login\n"}
    env = {"AMPLIHACK_COMPACTION_AUTO": "true"} if auto else {}
    run = run_client(session(0.3, 0.72, 0.75, **env), setup=installed, files=files)
    now = (run.client.project / "features/login/progress.md").read_text()
    assert (now == text) == (not auto)
    assert "Decision: argon2." in now
    told = "feature login compacted from" in run.main_requests[-1].text()
    assert told == auto
    assert log(run.client) == ""


def test_tools_in_parallel_are_told_once(run_client: RunClient, installed: Setup) -> None:
    tools = [bash(f"echo {number}") for number in range(4)]
    steps: list[Answer] = [
        *growing(0.3),
        Step(tools=tools, context_tokens=round(0.75 * LIMIT)),
        Step(tools=tools, context_tokens=round(0.76 * LIMIT)),
        "Done.",
    ]
    script = Script(main=steps, latency_seconds=0.1)
    run = run_client(Scenario(script, ["Go."], AUTO_COMPACTS), setup=installed)
    assert warnings(run) == ["compact"]


def test_after_a_compaction_the_levels_are_told_anew(
    run_client: RunClient, installed: Setup
) -> None:
    steps: list[Answer] = [*growing(0.3, 0.72, 0.74, 1.02), *growing(0.2, 0.3, 0.72, 0.74), "Done."]
    script = Script(main=steps, summaries=["They talked."], latency_seconds=0.1)
    run = run_client(Scenario(script, ["Go."], AUTO_COMPACTS), setup=installed)
    assert len(run.boundaries) == 1
    assert [level for level in warnings(run) if level == "compact"] == ["compact", "compact"]
    told: dict[str, Any] = json.loads((run.client.project / RUNTIME / "context.json").read_text())
    (model,) = told["models"].values()
    assert model["limits"] == [run.boundaries[0]["preTokens"]]


def test_the_command_line_shows_what_the_hooks_saw(
    new_client: NewClient, installed: Setup, installation: Installation
) -> None:
    played = session(0.3, 0.75, 0.75)
    client = new_client(played.script, setup=installed, env=played.env)
    run = client.run(played.turns)
    shown = run_command(
        [installation.command, "status", "--session", run.transcript_path, "--json"], client.home
    )
    status = json.loads(shown)
    assert status["maxTokens"] == LIMIT
    assert status["source"] == "client: CLAUDE_CODE_AUTO_COMPACT_WINDOW"


def test_the_statusline_in_the_client_notes_the_window(
    new_client: NewClient, installed: Setup, installation: Installation
) -> None:
    played = session(0.3, 0.75)

    def with_statusline(client: Client) -> None:
        assert callable(installed)
        installed(client)
        path = client.project / ".claude" / "settings.local.json"
        settings = json.loads(path.read_text())
        line = {"type": "command", "command": f"{installation.command} statusline"}
        path.write_text(json.dumps({**settings, "statusLine": line}))

    client = new_client(played.script, setup=with_statusline, env=played.env)
    client.run(played.turns, interactive=True)
    notes: Any = json.loads(Path(client.project / RUNTIME / "context.json").read_text())
    assert any(model.get("window_tokens") == 1_000_000 for model in notes["models"].values())

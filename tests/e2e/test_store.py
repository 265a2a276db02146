"""The session store in the real client: filled by hooks that it does not wait for, and searched."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.paths import STORE_FILE
from amplihack_compaction.store.sqlite import open_sqlite

from .client import SEARCH_PATH, Client, Setup
from .conftest import NewClient, RunClient
from .installation import Installation
from .installation import run as run_command
from .scenarios import Exchange, How, Window, bash, compacting_session
from .script import Script, Step, Tool

Rows = list[tuple[Any, ...]]
SETTLED_SECONDS = 60.0


def place(client: Client) -> Path:
    return client.project / ".claude/runtime/power-steering" / STORE_FILE


def rows(client: Client, sql: str) -> Rows:
    with open_sqlite(str(place(client))) as database:
        return database.rows(sql)


def settled(client: Client, sql: str, expected: Rows) -> Rows:
    """Return what a query gives once the last hook has stored what it had to."""
    until = time.monotonic() + SETTLED_SECONDS
    while True:
        found = rows(client, sql) if place(client).exists() else []
        if found == expected or time.monotonic() > until:
            return found
        time.sleep(0.1)


@pytest.mark.parametrize("how", ["manual", "auto"])
def test_what_the_summary_drops_is_kept_and_found(
    run_client: RunClient, installed: Setup, installation: Installation, how: How
) -> None:
    windows = [
        Window(
            [Exchange("The admin port is 8443.", [bash("echo zanzibar")], "Noted: 8443.")], "A."
        ),
        Window([Exchange("Second part.", [bash("echo more")], "More.")], "B."),
        Window([Exchange("Go on.", [], "All done.")]),
    ]
    run = run_client(compacting_session(windows, how=how), setup=installed)
    assert run.exit_code == 0
    client = run.client
    said = "SELECT body FROM content JOIN message ON message = id WHERE kind = 'prompt' ORDER BY id"
    prompts: Rows = [("The admin port is 8443.",), ("Second part.",), ("Go on.",)]
    assert settled(client, said, prompts) == prompts
    found = rows(client, "SELECT number, strategy, cause, summary, place > 0 FROM compaction")
    cause = "manual" if how == "manual" else "auto"
    assert found == [(1, "summarize", cause, "A.", 1), (2, "summarize", cause, "B.", 1)]
    last = "SELECT count(*) FROM content WHERE body = 'All done.'"
    assert settled(client, last, [(1,)]) == [(1,)]  # stored at the session's very end
    log = client.project / ".claude/runtime/power-steering/hooks.log"
    assert not log.exists()
    out = run_command(
        [installation.command, "recall", "zanzibar"], client.home,
        CLAUDE_PROJECT_DIR=str(client.project), PATH=os.environ["PATH"],
    )  # fmt: skip
    assert "zanzibar" in out
    assert "before compaction 1" in out
    text = run.first_request_after_compaction(2).text()
    assert "recall WORDS` searches it." in text


def test_the_model_may_search_without_asking_where_the_user_said_so(
    new_client: NewClient, installation: Installation, claude_binary: Path
) -> None:
    names = [f"mcp__amplihack__{name}" for name in ("session_state", "remember")]
    calls = [Tool(names[0]), Tool(names[1], {"text": "Ports are odd."})]
    script = Script([Step("Look.", tools=[each]) for each in (loaded(names), *calls)])
    setup = with_recall(installation, claude_binary)
    run = new_client(script, setup=setup).run(["Which rules are in force?"])
    told = run.main_requests[-1].text()
    assert "# Session state, kept across compaction" in told
    assert f"requested permissions to use {names[0]}" not in told
    assert f"requested permissions to use {names[1]}" in told


def test_after_clear_the_model_is_told_the_new_sessions_state(
    new_client: NewClient, installation: Installation, claude_binary: Path
) -> None:
    name = "mcp__amplihack__session_state"
    ask = [Step("Look.", tools=[loaded([name])]), Step("", tools=[Tool(name)]), Step("Seen.")]
    client = new_client(Script(ask + ask), setup=with_recall(installation, claude_binary))
    run = client.run(["Never push to main.", "/clear", "Never use tabs."])
    first, second = (
        run.main_requests[at].text().partition("# Session state, kept")[2] for at in (2, 5)
    )
    assert "Never push to main." in first
    assert "Never use tabs." in second
    assert "Never push to main." not in second


def with_recall(installation: Installation, claude_binary: Path) -> Callable[[Client], None]:
    def install(client: Client) -> None:
        (client.root / "home/.local").mkdir(parents=True, exist_ok=True)
        path = f"{claude_binary.parent}:{SEARCH_PATH}"
        subprocess.run(
            [installation.command, "install", "--recall", "--no-proof"], cwd=client.project,
            env={**client.environment(), "PATH": path}, check=True, capture_output=True,
        )  # fmt: skip

    return install


def loaded(names: list[str]) -> Tool:
    return Tool("ToolSearch", {"query": f"select:{','.join(names)}"})

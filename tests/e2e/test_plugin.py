"""The package as a plugin of the real client, from an offline marketplace in a folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction import __version__

from .client import Client, Setup
from .conftest import NewClient, RunClient
from .installation import Installation
from .process import isolation
from .run import Run
from .scenarios import Exchange, Window, bash, compacting_session
from .script import Answer, Script, Step

PLUGIN = "amplihack-compaction@amplihack"
RULE = "Never push to main."
NOTHING = "The user and the assistant talked about the project."
HEAD = "<!-- AMPLIHACK STATE -->"
NOTICE = "the plugin is there, but does nothing yet"
RUNTIME = ".claude/runtime/power-steering"
COMMAND_SECONDS = 120
# Of an API that it takes for the real one the client asks for settings, four times in 16 seconds.
NOWHERE = "http://127.0.0.1:9"

pytestmark = pytest.mark.skipif(not isolation(), reason="no network namespace for claude plugin")


def ask(client: Client, *arguments: str) -> str:
    """Run a `claude plugin` command, cut off the network and in the client's own home."""
    done = subprocess.run(
        [*isolation(), str(client.binary), "plugin", *arguments],
        env={**client.environment(), "ANTHROPIC_BASE_URL": NOWHERE},
        cwd=client.project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{arguments}: {done.stdout}\n{done.stderr}"
    return done.stdout


def with_plugin(checkout: Path, *more: Setup) -> Callable[[Client], None]:
    """Return a setup that installs the plugin from a checkout, as a user does."""

    def install(client: Client) -> None:
        ask(client, "marketplace", "add", str(checkout))
        ask(client, "install", PLUGIN)
        for setup in more:
            assert callable(setup)
            setup(client)

    return install


def ruled() -> Window:
    work = [bash("echo one"), bash("echo two")]
    return Window([Exchange(f"{RULE} Build the login page.", work)], NOTHING)


def files(client: Client, pattern: str) -> list[Path]:
    return sorted((client.project / RUNTIME).glob(pattern))


def log(client: Client) -> str:
    path = client.project / RUNTIME / "hooks.log"
    return path.read_text() if path.exists() else ""


def events(client: Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(files(client, "compaction_events.json")[0].read_text())
    return found


def test_the_client_finds_nothing_to_warn_of(
    new_client: NewClient, installation: Installation
) -> None:
    client = new_client(Script())
    for path in (installation.checkout, installation.checkout / ".claude-plugin" / "plugin.json"):
        said = ask(client, "validate", "--strict", str(path))
        assert "Validation passed" in said
    for name in ("setup", "status", "doctor"):
        assert f"amplihack-compaction:compaction-{name}" in said
    for name in ("fresh-start", "handoff", "recall"):
        assert f"amplihack-compaction:{name}" in said


def test_from_the_plugin_hooks_fire_and_the_state_outlives_two_compactions(
    run_client: RunClient, installation: Installation
) -> None:
    second = Window([Exchange("Second part.", [bash("echo 3"), bash("echo 4")])], NOTHING)
    run = run_client(
        compacting_session([ruled(), second, Window([Exchange("Go on.")])]),
        setup=with_plugin(installation.checkout, installation.set_up),
    )
    for number in (1, 2):
        text = run.first_request_after_compaction(number).text()
        assert f'- "{RULE}"' in text
        assert text.count(HEAD) == 1
    assert f'- rule: "{RULE}"' in run.summary_requests[0].text()
    assert len(events(run.client)) == 2
    assert log(run.client) == ""
    assert not (run.client.project / ".claude" / "settings.json").exists()


def test_before_its_setup_the_plugin_does_nothing_and_says_so_once(
    new_client: NewClient, installation: Installation
) -> None:
    client = new_client(
        Script(main=["A.", "B.", "C.", "D."]), setup=with_plugin(installation.checkout)
    )
    unwatched = client.run(["Hello.", "/compact", "More."])
    assert NOTICE not in str(unwatched.stream)
    # A client that ends while a background hook still starts cancels it, at any point of its shell.
    ended = [o for o in unwatched.hook_outputs if o.outcome != "cancelled"]
    assert ended
    assert [o for o in ended if o.stdout or o.exit_code] == []
    assert NOTICE in shown(client.run(["Hello."], interactive=True))
    assert NOTICE not in shown(client.run(["Hello."], interactive=True))
    assert not (client.project / ".claude").exists()
    assert not (client.home / ".local/share/amplihack-compaction").exists()
    assert not any(NOTICE in request.text() for run in client.runs for request in run.requests)


def test_the_setup_command_checks_the_environment_and_proves_the_hooks(
    new_client: NewClient, installation: Installation
) -> None:
    client = new_client(
        Script(main=["Fine."]),
        setup=with_plugin(installation.checkout),
        env={"AMPLIHACK_COMPACTION_HOME": str(installation.home)},
        allowed_tools="",  # what the command may run, its own front matter says
    )
    run = client.run(["/amplihack-compaction:compaction-setup"])
    said = run.main_requests[-1].text()
    assert "is up to date" in said
    assert "All hooks work." in said
    assert "Never push to main" in said
    assert not (client.project / ".claude" / "settings.json").exists()


def test_an_updated_plugin_says_that_its_environment_is_older(
    new_client: NewClient, installation: Installation, tmp_path: Path
) -> None:
    checkout = shutil.copytree(installation.checkout, tmp_path / "newer")
    manifest = checkout / ".claude-plugin" / "plugin.json"
    manifest.write_text(
        json.dumps({**json.loads(manifest.read_text()), "version": "9.1.0"}, indent=1)
    )
    client = new_client(Script(main=["A."]), setup=with_plugin(checkout, installation.set_up))
    run = client.run(["Hello."], interactive=True)
    assert f"its environment has version {__version__}, the plugin 9.1.0" in shown(run)


def test_the_slash_commands_work_without_any_other_permission(
    new_client: NewClient, installation: Installation
) -> None:
    work = Step("The form is there. Left to do:\n- [ ] Write the docs page", context_tokens=50_000)
    main: list[Answer] = [Step(tools=[bash("echo one")], context_tokens=49_000), work]
    client = new_client(
        Script(main=[*main, *"SHFRN"], latency_seconds=0.1),
        setup=with_plugin(installation.checkout, installation.set_up),
        env={"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "200000"},
        allowed_tools="",
    )
    name = "/amplihack-compaction"
    run = client.run(
        [
            f"{RULE} Build the login page.",
            f"{name}:compaction-status",
            f"{name}:handoff",
            f"{name}:fresh-start",
            f'{name}:recall "login page" build',
            f"{name}:recall it's; `touch broken` $(touch broken)",
            f"{name}:fresh-start no such id; touch broken",
        ]
    )
    status, handoff, fresh = [request.text() for request in run.main_requests[2:5]]
    assert "of 167,000" in status
    assert "HANDOFF DOCUMENT: project" in handoff
    assert RULE in fresh
    found, missed = [request.text() for request in run.main_requests[5:7]]
    assert "Build the login page" in found
    assert "it's" in missed
    assert "unexpected extra argument" in str(run.results[-1]["result"])
    assert not (client.project / "broken").exists()
    assert log(client) == ""


def test_without_its_setup_a_slash_command_names_it(
    new_client: NewClient, installation: Installation
) -> None:
    client = new_client(Script(), setup=with_plugin(installation.checkout), allowed_tools="")
    run = client.run(["/amplihack-compaction:handoff"])
    assert "/amplihack-compaction:compaction-setup does that" in str(run.results[-1]["result"])


def test_wired_by_settings_and_plugin_the_model_is_sent_what_one_wiring_sends(
    run_client: RunClient, installation: Installation, installed: Setup
) -> None:
    scenario = compacting_session([ruled(), Window([Exchange("Go on.")])])
    single = run_client(scenario, setup=installed)
    double = run_client(scenario, setup=with_plugin(installation.checkout, installed))
    hint = f'- rule: "{RULE}"'
    for run in (single, double):
        assert run.summary_requests[0].text().count(hint) == 1
        assert run.first_request_after_compaction().text().count(HEAD) == 1
        assert len(events(run.client)) == 1
        assert log(run.client) == ""
    for pattern in ("sessions/*/snapshots/*.json", "sessions/*/receipts/*", "sessions/*/windows/*"):
        assert len(files(single.client, pattern)) == len(files(double.client, pattern))
    assert len(single.main_requests) == len(double.main_requests)


@pytest.mark.parametrize("what", ["checkout", "home"], ids=["plugin", "environment"])
def test_a_session_outlives_the_removal_of_what_its_hooks_need(
    new_client: NewClient, installation: Installation, tmp_path: Path, what: str
) -> None:
    mine = installation.moved_to(tmp_path / "mine")
    work = [Step(tools=[bash(f"echo {n}")]) for n in range(2)]
    main: list[Answer] = [work[0], "A.", work[1], "B.", "C."]
    client = new_client(
        Script(main=main, summaries=[NOTHING]), setup=with_plugin(mine.checkout, mine.set_up)
    )
    gone: Path = getattr(mine, what)
    run = client.run(["first", lambda _: shutil.rmtree(gone), "second", "/compact", "third"])
    assert run.exit_code == 0
    assert [result["result"] for result in run.results if result.get("result")][-1] == "C."
    for number in range(2):
        assert any(f"{number}" in str(r.tool_results()) for r in run.main_requests)
    assert not any("hook error" in request.text().lower() for request in run.requests)


def test_uninstalling_leaves_nothing_wired(
    new_client: NewClient, installation: Installation
) -> None:
    client = new_client(Script(main=["A."]), setup=with_plugin(installation.checkout))
    ask(client, "uninstall", PLUGIN)
    ask(client, "marketplace", "remove", "amplihack")
    text = (client.home / ".claude" / "settings.json").read_text()
    assert "amplihack" not in text
    run = client.run(["Hello."])
    assert run.exit_code == 0
    assert not [output for output in run.hook_outputs if "amplihack" in output.name]


def shown(run: Run) -> str:
    """Return what stood on the screen, its lines joined: the client breaks them anywhere."""
    return " ".join(os.fsencode(run.screen).decode("utf-8", "replace").split())

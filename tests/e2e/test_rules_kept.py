"""What the user holds in his hands, in the real client: rules that are kept, edited and offered."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from .client import SEARCH_PATH, Client, Setup
from .conftest import NewClient, RunClient
from .installation import REPOSITORY, Installation
from .scenarios import Exchange, Window, bash, compacting_session
from .script import Script

RULE = "Never push to main."
TOLD = f'The user\'s rule: "{RULE}"'
NOTHING = "The user and the assistant talked about the project."
SUMMARIES = [f"{NOTHING} {number}" for number in range(3)]
HEAD = "<!-- AMPLIHACK STATE -->"
RUNTIME = ".claude/runtime/power-steering"
PUSH = bash("git push origin main || true")


def with_guard(setup: Setup, guard: str) -> Callable[[Client], None]:
    """Return a setup that also sets what is done about a call that breaks a rule."""

    def write(client: Client) -> None:
        assert callable(setup)
        setup(client)
        path = client.home / ".claude" / "compaction.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"guard": guard}))

    return write


def breaking(prompt: str = "Go on.") -> list[Window]:
    """Return a window with the rule, and one in which the model pushes twice all the same."""
    ruled = Exchange(f"{RULE} Build the login page.", [bash("echo one"), bash("echo two")])
    return [Window([ruled], NOTHING), Window([Exchange(prompt, [PUSH, PUSH])])]


def log(client: Client) -> str:
    path = client.project / RUNTIME / "hooks.log"
    return path.read_text() if path.exists() else ""


def notices(client: Client) -> list[Path]:
    return sorted((client.project / RUNTIME).glob("sessions/*/receipts/*.notice"))


def test_a_call_that_breaks_a_rule_has_the_model_told_of_it_once(
    run_client: RunClient, installed: Setup
) -> None:
    run = run_client(compacting_session(breaking()), setup=installed)
    assert log(run.client) == ""
    before, after, last = [request.text() for request in run.main_requests[-3:]]
    assert TOLD not in before
    assert after.count(TOLD) == last.count(TOLD) == 1
    assert len(notices(run.client)) == 1


def test_what_the_newest_prompt_asks_for_is_not_told(
    run_client: RunClient, installed: Setup
) -> None:
    windows = breaking("You can push to main from now on.")
    run = run_client(compacting_session(windows), setup=installed)
    assert TOLD not in run.main_requests[-1].text()
    assert notices(run.client) == []


def test_the_user_is_asked_before_a_call_where_the_setting_says_so(
    run_client: RunClient, installed: Setup
) -> None:
    run = run_client(compacting_session(breaking()), setup=with_guard(installed, "ask"))
    # Without a terminal nobody can be asked, and the client refuses the call.
    assert log(run.client) == ""
    assert TOLD in run.main_requests[-1].text()
    assert "does not appear to be a git repository" not in run.main_requests[-1].text()


@pytest.fixture
def command_path(installation: Installation) -> str:
    """Return a search path on which the installed command is found."""
    return f"{installation.command.parent}:{SEARCH_PATH}"


def test_remember_and_forget_change_what_the_next_compactions_tell(
    new_client: NewClient, installed: Setup, command_path: str
) -> None:
    def with_commands(client: Client) -> None:
        assert callable(installed)
        installed(client)
        own = client.project / ".claude" / "commands"
        shutil.copytree(REPOSITORY / "commands", own, dirs_exist_ok=True)

    client = new_client(
        Script(default="Fine.", summaries=SUMMARIES, latency_seconds=0.1),
        setup=with_commands,
        env={"PATH": command_path},
    )
    turns = [
        f"{RULE} Build the login page.", "/remember Always sign the commits.",
        "/forget push main", "/compact", "Go on.", "/compact", "More.", "/compact", "Last.",
    ]  # fmt: skip
    run = client.run(turns)
    assert log(client) == ""
    asked = "\n".join(request.text() for request in run.main_requests)
    assert "Kept from now on in session " in asked
    assert "Forgotten: " in asked
    for number in range(1, 4):
        text = run.first_request_after_compaction(number).text()
        state = text[text.index(HEAD) :]
        assert '- rule: "Always sign the commits."' in state
        assert state.count("Always sign the commits.") == 1
        rules = state.partition("## Standing rules")[2].partition("##")[0]
        assert RULE not in rules


def test_clear_offers_at_any_fill_what_there_is(new_client: NewClient, installed: Setup) -> None:
    client = new_client(Script(default="Fine.", latency_seconds=0.1), setup=installed)
    run = client.run([f"{RULE} Build the login page.", "/clear", "Hello.", "Hello again."])
    assert log(client) == ""
    text = run.main_requests[-1].text()
    assert text.count("amplihack-compaction: an earlier session of this project") == 1
    assert "(1 rule, what it was after)" in text
    assert RULE not in text

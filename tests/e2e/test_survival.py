"""What the session had reaches the model after every compaction, whatever the summary says."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from .client import Setup
from .conftest import RunClient
from .request import Request
from .scenarios import (
    TODO_MODEL,
    TODO_WRITE,
    Exchange,
    How,
    Scenario,
    Window,
    bash,
    compacting_session,
    failing,
    task_create,
    task_update,
    todos,
    write,
)

NOTHING = "The user and the assistant talked about the project."
RULES = (
    "Never push to main.",
    "Use pnpm, not npm.",
    "Every commit needs a ticket number like SHOP-1.",
    "Don't touch the legacy folder.",
)
VALUES = ("https://staging.example.com:8443/health", "SHOP-4711", "250 ms", "config/app.toml")
OBJECTIVE = "Now add rate limiting to the login endpoint"


def story(how: How, model: str = "", env: dict[str, str] | None = None) -> Scenario:
    """Return a session of four windows: each says something new and has work done."""
    checks = "printf 'tests ok'; : pytest -q tests/api"
    windows = [
        Window(
            [
                Exchange(
                    f"{RULES[0]} Build the login page; the server is at {VALUES[0]}.",
                    [task_or_list(model, env), bash("echo looking"), write("login.py", "x = 1\n")],
                    "It is there. Left to do:\n- [x] Draw the form\n- [ ] Write the docs page",
                )
            ],
            NOTHING,
        ),
        Window(
            [
                Exchange(
                    f"{RULES[1]} {RULES[2]} The ticket is {VALUES[1]}.",
                    [bash("python3 -m pytest --version || true"), bash("echo more")],
                    "Understood, going on.",
                )
            ],
            NOTHING,
        ),
        Window(
            [
                Exchange(
                    f"{OBJECTIVE}, at most {VALUES[2]} per call; see {VALUES[3]}. {RULES[3]}",
                    [failing("no such module"), bash(f"sh -c '{checks.split(';')[0]}'")],
                    "Working on it.",
                )
            ],
            NOTHING,
        ),
        Window([Exchange("Go on.", [], "All done.")]),
    ]
    return compacting_session(windows, how=how, model=model, env=env)


def task_or_list(model: str, env: dict[str, str] | None) -> list:  # type: ignore[type-arg]
    if not model:
        return [bash("echo no todo tools here")]
    if env:
        return [todos({"Set up CI": "completed", "Write the migration": "pending"})]
    return [task_create("Set up CI"), task_create("Write the migration")]


def holds(request: Request, texts: Sequence[str]) -> list[str]:
    """Return the texts that the request does not hold."""
    return [text for text in texts if text not in request.text()]


@pytest.mark.parametrize("how", ["manual", "auto", "mid-turn"])
def test_three_compactions_with_empty_summaries_lose_nothing(
    run_client: RunClient, installed: Setup, how: How
) -> None:
    run = run_client(story(how), setup=installed)
    assert run.exit_code == 0
    known = [[RULES[0], VALUES[0]], [*RULES[:3], *VALUES[:2]], [*RULES, *VALUES]]
    for number, texts in enumerate(known, 1):
        first = run.first_request_after_compaction(number)
        assert holds(first, texts) == []
        # In mid-turn the model's first closing words come after the first compaction.
        listed = number > 1 or how != "mid-turn"
        assert ("- [ ] Write the docs page" in first.text()) == listed
        assert "- [ ] Draw the form" not in first.text()
        assert first.text().count("<!-- AMPLIHACK STATE -->") == 1
    assert OBJECTIVE in run.first_request_after_compaction(3).text()


@pytest.mark.parametrize("env", [{}, TODO_WRITE], ids=["tasks", "TodoWrite"])
def test_models_with_todo_tools_keep_their_lists(
    run_client: RunClient, installed: Setup, env: dict[str, str]
) -> None:
    run = run_client(story("auto", TODO_MODEL, env), setup=installed)
    for number in (1, 2, 3):
        text = run.first_request_after_compaction(number).text()
        assert "- [ ] Write the migration" in text
        assert ("- [ ] Set up CI" in text) == (not env)


def test_a_task_completed_later_is_open_no_more(run_client: RunClient, installed: Setup) -> None:
    work = [task_create("Write the parser"), task_create("Write the tests")]
    windows = [
        Window([Exchange("Make tasks.", [work, bash("echo a")])], NOTHING),
        Window([Exchange("Do one.", [task_update(1, "completed"), bash("echo b")])], NOTHING),
        Window([Exchange("Go on.")]),
    ]
    run = run_client(compacting_session(windows, model=TODO_MODEL), setup=installed)
    assert "- [ ] Write the parser" in run.first_request_after_compaction(1).text()
    second = run.first_request_after_compaction(2).text()
    assert "- [ ] Write the parser" not in second
    assert "- [ ] Write the tests" in second

"""How `watch` lays out what it knows, on terminals of any size."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from amplihack_compaction.cli.sessions import Session
from amplihack_compaction.cli.watch import FOOTER, HookCall, SessionNow, lay_out_view
from amplihack_compaction.context.levels import ContextStatus
from amplihack_compaction.extract.statements import (
    Decision,
    Objective,
    PromptRecord,
    Rule,
    SessionState,
    Todo,
    TodoStatus,
)

SESSION = Session("1f2e3d4c", Path("/p/t.jsonl"), "/home/me/shop")
STATUS = ContextStatus(
    current_tokens=126_500,
    max_tokens=167_000,
    usage_percentage=75.7,
    level="compact",
    recommendation="",
    can_continue=True,
    next_threshold=85.0,
)
STATE = SessionState(
    objective=Objective(text="Add a \x1b[31mlogin page"),
    rules=(Rule(text="Never push to main."), Rule(text="Always write tests first.")),
    todos=(
        Todo(text="Write the form", status=TodoStatus.IN_PROGRESS),
        Todo(text="Store the cookie"),
        Todo(text="Set up CI", status=TodoStatus.COMPLETED),
    ),
    decisions=(Decision(text="Postgres"), Decision(text="SQLite", superseded=True)),
    turns=3,
    windows=2,
)
CALLS = tuple(
    HookCall(f"2026-11-21T21:04:{second:02}Z", "Stop", f"ran it {second}", 31.0)
    for second in range(20)
)
WHOLE = SessionNow("/home/me/shop", SESSION, STATUS, STATE, CALLS, 1_500_000, 1e9)


def shown(picture: SessionNow, width: int = 100, height: int = 40) -> list[str]:
    stream = StringIO()
    console = Console(file=stream, width=width, force_terminal=False, highlight=False)
    console.print(lay_out_view(picture, width, height))
    return stream.getvalue().splitlines()


def test_a_wide_terminal_shows_all_of_it() -> None:
    lines = shown(WHOLE)
    assert lines[0] == "Session 1f2e3d4c  /home/me/shop"
    assert lines[1] == "█" * 30 + "░" * 10 + " 75.7 %  filling up"
    assert lines[2] == "126,500 of 167,000 tokens, the next level begins at 85 %"
    counts = "2 rules, 2 of 3 todos open, 1 decision, 0 exact values, 3 turns, 1 compaction"
    place = lines.index(f"Ledger  {counts}")
    assert [line.split(maxsplit=1)[1] for line in lines[place + 1 : place + 7]] == [
        "Add a  [31mlogin page",
        "[>] Write the form",
        "[ ] Store the cookie",
        "Always write tests first.",
        "Never push to main.",
        "Postgres",
    ]
    assert any(line.endswith("31 ms  ran it 0") for line in lines)
    assert lines[-1] == FOOTER


def test_the_current_objective_is_that_which_the_model_is_told() -> None:
    asked = PromptRecord(text="Now the footer.", offset=10, uuid="p1")
    lines = shown(replace(WHOLE, state=replace(STATE, prompts=(asked,))))
    place = lines.index("  current      Now the footer.")
    assert lines[place + 1] == "  goes on from Add a  [31mlogin page"
    assert not any(line.startswith("  objective") for line in lines)


def test_a_session_that_has_not_begun_is_waited_for() -> None:
    assert shown(SessionNow("/home/me/shop")) == [
        "Waiting for a session of /home/me/shop to begin ...",
        FOOTER,
    ]


def test_what_is_not_known_yet_is_said() -> None:
    lines = shown(SessionNow("/home/me/shop", SESSION, problem="the disk \x1b[31mis full"))
    assert "No response has told its token numbers yet." in lines
    assert "Ledger  being read ..." in lines
    assert "the disk  [31mis full" in lines
    assert "  none so far" in lines


def test_a_call_without_time_or_duration_is_shown_as_it_is() -> None:
    calls = (HookCall("", "", "told"), HookCall("9999999-01-01", "Stop", "x", 1.0, True))
    lines = shown(SessionNow("/p", SESSION, calls=calls))
    assert any(line.startswith("  ??") and line.endswith("told") for line in lines)


@pytest.mark.parametrize("height", [1, 2, 5, 12])
def test_a_low_terminal_keeps_its_meter(height: int) -> None:
    lines = shown(WHOLE, 80, height)
    assert len(lines) == height
    assert lines[-1] == FOOTER
    assert height < 3 or "filling up" in lines[1]


def test_calls_and_ledger_share_the_room() -> None:
    lines = shown(WHOLE, 80, 16)
    assert any(line.startswith("  todo") for line in lines)
    assert any("ran it" in line for line in lines)


@given(
    width=st.integers(1, 200),
    height=st.integers(0, 60),
    text=st.text(max_size=300),
    tokens=st.integers(0, 10**9),
)
def test_any_text_fits_into_any_terminal(width: int, height: int, text: str, tokens: int) -> None:
    state = SessionState(rules=(Rule(text=text),), todos=(Todo(text=text),))
    status = ContextStatus(
        current_tokens=tokens,
        max_tokens=1000,
        usage_percentage=tokens / 10,
        level="handoff",
        recommendation="",
        can_continue=False,
    )
    session = Session(text, Path("/p/t.jsonl"), text)
    calls = (HookCall(text, text, text, 1e12),)
    lines = shown(SessionNow(text, session, status, state, calls, 1, 1.0, text), width, height)
    assert len(lines) <= max(height, 1)
    assert "\x1b" not in "".join(lines)

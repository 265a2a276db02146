"""What the keys of `watch` do to the ledger of the session that is shown."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from amplihack_compaction.cli.commands.watch import WatchedSession
from amplihack_compaction.cli.watch import ChosenItem, SessionNow, lay_out_view, ledger_items
from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from tests.support.transcripts import SESSION, Transcript

RULE = "Never push to main."
TODO = "Write the docs"
UP, DOWN = b"\x1b[A", b"\x1b[B"


@pytest.fixture
def watched(project: Path, monkeypatch: pytest.MonkeyPatch) -> WatchedSession:
    """Return a session with an objective, a todo and a rule, whose ledger is read."""
    monkeypatch.chdir(project)
    transcript = Transcript()
    transcript.root = str(project)
    transcript.user(f"Build the login page. {RULE}")
    transcript.assistant(f"Left to do:\n- [ ] {TODO}")
    transcript.write(transcript_folder(str(project)) / f"{SESSION}.jsonl")
    made = WatchedSession(None)
    read(made)
    return made


def read(watched: WatchedSession) -> SessionNow:
    watched.picture()
    return watched.picture()


def texts(watched: WatchedSession) -> list[str]:
    state = read(watched).state
    assert state is not None
    return [item.text for item in ledger_items(state)]


def chosen(watched: WatchedSession, text: str = "") -> ChosenItem:
    """Return the choice of the item with a text; of none without one."""
    state = read(watched).state
    assert state is not None
    ids = {item.text: item.whole_id for item in ledger_items(state)}
    return ChosenItem(ids.get(text, ""), SESSION)


def press(watched: WatchedSession, key: bytes, choice: ChosenItem) -> ChosenItem:
    return watched.press(key, choice, read(watched))


@pytest.mark.parametrize(("up", "down"), [(UP, DOWN), (b"k", b"j")])
def test_the_choice_moves_from_none_to_the_last_item_and_back(
    watched: WatchedSession, up: bytes, down: bytes
) -> None:
    every = [chosen(watched, text) for text in texts(watched)]
    choice = ChosenItem()
    for expected in [*every, every[-1]]:
        choice = press(watched, down, choice)
        assert choice == expected
    for expected in [*every[-2::-1], chosen(watched), chosen(watched)]:
        choice = press(watched, up, choice)
        assert choice == expected


def test_the_chosen_item_is_forgotten_and_comes_back(watched: WatchedSession) -> None:
    choice = press(watched, b"f", chosen(watched, RULE))
    assert choice.told == f"Forgotten: {RULE}"
    assert RULE not in texts(watched)
    assert press(watched, b"u", choice).told == f"Taken back: forget {RULE}"
    assert RULE in texts(watched)
    assert press(watched, b"u", choice).told == "There is nothing to take back."


def test_a_todo_is_done_and_a_rule_is_pinned(watched: WatchedSession) -> None:
    assert press(watched, b"p", chosen(watched, RULE)).told == f"Pinned: {RULE}"
    assert press(watched, b"d", chosen(watched, TODO)).told == f"Done: {TODO}"
    assert TODO not in texts(watched)
    state = read(watched).state
    assert state is not None
    assert [item.text for item in ledger_items(state) if item.pinned] == [RULE]


def test_what_an_item_does_not_allow_is_told_and_changes_nothing(watched: WatchedSession) -> None:
    before, rule = texts(watched), chosen(watched, RULE)
    choice = press(watched, b"d", rule)
    assert choice.item_id == rule.item_id
    assert "a rule is never done" in choice.told
    assert texts(watched) == before


@pytest.mark.parametrize("key", [b"f", b"x", b"\x1b[C"])
def test_a_key_without_an_item_or_a_meaning_does_nothing(
    watched: WatchedSession, key: bytes
) -> None:
    before = texts(watched)
    assert press(watched, key, ChosenItem()) == chosen(watched)
    assert texts(watched) == before


@pytest.mark.parametrize("key", [b"f", b"u", UP, DOWN])
def test_before_a_session_has_begun_keys_do_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, key: bytes
) -> None:
    monkeypatch.chdir(project)
    assert press(WatchedSession(None), key, ChosenItem()) == ChosenItem()


def test_a_key_acts_on_what_was_drawn_when_more_was_said_since(
    watched: WatchedSession, project: Path
) -> None:
    drawn, choice = read(watched), chosen(watched, RULE)
    said = Transcript()
    said.root = str(project)
    said.user(f"Build the login page. {RULE}")
    said.assistant(f"Left to do:\n- [ ] {TODO}")
    said.user("Never touch the vendor folder.")
    said.write(transcript_folder(str(project)) / f"{SESSION}.jsonl")
    assert watched.press(b"f", choice, drawn).told == f"Forgotten: {RULE}"
    assert "Never touch the vendor folder." in texts(watched)


def test_a_second_press_does_nothing_to_what_moved_up(watched: WatchedSession) -> None:
    choice = press(watched, b"f", chosen(watched, RULE))
    left = texts(watched)
    assert press(watched, b"f", choice).told == ""
    assert texts(watched) == left


def test_what_is_chosen_in_one_session_is_not_in_the_next(watched: WatchedSession) -> None:
    other = ChosenItem(chosen(watched, RULE).item_id, "another", "Pinned: something")
    assert other.number_in(read(watched)) == -1
    assert press(watched, b"f", other) == chosen(watched)
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(lay_out_view(read(watched), 80, 40, choice=other))
    assert "Pinned" not in console.export_text()

"""What the keys of `watch` do to the ledger of the session that is shown."""

from pathlib import Path

import pytest

from amplihack_compaction.cli.commands.watch import WatchedSession
from amplihack_compaction.cli.watch import ChosenItem, SessionNow, ledger_items
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


def number_of(watched: WatchedSession, text: str) -> int:
    return texts(watched).index(text)


@pytest.mark.parametrize(("up", "down"), [(UP, DOWN), (b"k", b"j")])
def test_the_choice_moves_from_none_to_the_last_item_and_back(
    watched: WatchedSession, up: bytes, down: bytes
) -> None:
    last = len(texts(watched)) - 1
    choice = ChosenItem()
    for expected in [*range(last + 1), last]:
        choice = watched.press(down, choice)
        assert choice == ChosenItem(expected)
    for expected in [*range(last - 1, -2, -1), -1]:
        choice = watched.press(up, choice)
        assert choice == ChosenItem(expected)


def test_the_chosen_item_is_forgotten_and_comes_back(watched: WatchedSession) -> None:
    choice = watched.press(b"f", ChosenItem(number_of(watched, RULE)))
    assert choice.told == f"Forgotten: {RULE}"
    assert RULE not in texts(watched)
    assert watched.press(b"u", choice).told == f"Taken back: forget {RULE}"
    assert RULE in texts(watched)
    assert watched.press(b"u", choice).told == "There is nothing to take back."


def test_a_todo_is_done_and_a_rule_is_pinned(watched: WatchedSession) -> None:
    assert watched.press(b"p", ChosenItem(number_of(watched, RULE))).told == f"Pinned: {RULE}"
    assert watched.press(b"d", ChosenItem(number_of(watched, TODO))).told == f"Done: {TODO}"
    assert TODO not in texts(watched)
    state = read(watched).state
    assert state is not None
    assert [item.text for item in ledger_items(state) if item.pinned] == [RULE]


def test_what_an_item_does_not_allow_is_told_and_changes_nothing(watched: WatchedSession) -> None:
    before, number = texts(watched), number_of(watched, RULE)
    choice = watched.press(b"d", ChosenItem(number))
    assert choice.number == number
    assert "a rule is never done" in choice.told
    assert texts(watched) == before


@pytest.mark.parametrize("key", [b"f", b"x", b"\x1b[C"])
def test_a_key_without_an_item_or_a_meaning_does_nothing(
    watched: WatchedSession, key: bytes
) -> None:
    before = texts(watched)
    assert watched.press(key, ChosenItem()) == ChosenItem()
    assert texts(watched) == before


@pytest.mark.parametrize("key", [b"f", b"u", UP, DOWN])
def test_before_a_session_has_begun_keys_do_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, key: bytes
) -> None:
    monkeypatch.chdir(project)
    assert WatchedSession(None).press(key, ChosenItem()) == ChosenItem()


def test_a_choice_beyond_the_items_is_of_the_last_one(watched: WatchedSession) -> None:
    assert watched.press(b"x", ChosenItem(99)).number == len(texts(watched)) - 1

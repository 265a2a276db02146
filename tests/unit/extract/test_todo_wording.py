"""What is put off, and what is called done in words, is a todo or ends one, also windows later."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.extract.todo_wording import finishes, read_finished
from amplihack_compaction.extract.window import extract_window
from amplihack_compaction.ledger.merge import merge_window
from tests.support.transcripts import Transcript


def called_done(told: str, todo: str) -> bool:
    return any(finishes(name, todo) for name in read_finished(told))


@pytest.mark.parametrize(
    ("told", "todo"),
    [
        ("Invoices are done.", "invoices"),
        ("Great. The footer is done now.", "the footer"),
        ("Dunning is done too.", "dunning"),
        ("Migrated the users table.", "migrate users table"),
        ("I've added the login.", "add login"),
        ("ok revoked the token. write the readme now", "revoke the temp token when we're done"),
        ("Invoices and dunning are done.", "dunning"),
        ("Die Mahnungen sind fertig.", "Mahnungen"),
        ("La page de contact est prête.", "page de contact"),
        ("Los informes están listos.", "informes"),
        ("O rodapé está pronto.", "rodapé"),
        ("Парсер выписок готов.", "парсер выписок"),
        ("登录功能做好了。", "登录功能"),
        ("로그인을 완료했습니다.", "로그인"),
    ],
)
def test_what_is_called_done_is_done(told: str, todo: str) -> None:
    assert called_done(told, todo)


@pytest.mark.parametrize(
    ("told", "todo"),
    [
        ("The footer is not done.", "the footer"),
        ("The footer is almost done.", "the footer"),
        ("Is the footer done?", "the footer"),
        ("When the footer is done I'll push.", "the footer"),
        ("The CSV export is done.", "export"),
        ("Removed the footer.", "the header"),
        ("Tried the mailer with retries.", "retries to the mailer"),
        ("All done.", "the footer"),
        ("seed the database", "seed the database"),
        ("The tests are green.", "write tests"),
        ("The footer's colour is done.", "the footer and the header of every page"),
    ],
)
def test_what_is_open_or_something_else_is_not(told: str, todo: str) -> None:
    assert not called_done(told, todo)


def todos_of(folder: Path, *turns: str) -> dict[str, str]:
    transcript = Transcript()
    transcript.user("todo:\n- invoices\n- dunning\n- export")
    for told in turns:
        transcript.assistant("All right.")
        transcript.compact("They talked.")
        transcript.user("Go on.")
        transcript.assistant(told)
    state = SessionState()
    for window in read_windows(transcript.write(folder / "session.jsonl")):
        found = extract_window(window)
        state = merge_window(state, found)
        assert merge_window(state, found).todos == state.todos
    return {todo.text: todo.status.value for todo in state.todos}


def test_a_todo_of_an_earlier_window_is_done_and_no_other(tmp_path: Path) -> None:
    assert todos_of(tmp_path, "Invoices are done.", "The mailer is done. Dunning is done too.") == {
        "invoices": "completed", "dunning": "completed", "export": "pending",
    }  # fmt: skip


def test_a_task_of_the_clients_is_done_when_the_client_says_so(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Work on it.")
    transcript.tool(
        "TodoWrite", {"todos": [{"content": "Write the footer", "status": "in_progress"}]}
    )
    transcript.assistant("The footer is done.")
    (window,) = read_windows(transcript.write(tmp_path / "session.jsonl"))
    assert [todo.is_open for todo in extract_window(window).todos] == [True]


@given(st.text(max_size=300), st.text(max_size=100))
def test_any_text_can_be_asked(told: str, todo: str) -> None:
    assert all(isinstance(finishes(name, todo), bool) for name in read_finished(told))

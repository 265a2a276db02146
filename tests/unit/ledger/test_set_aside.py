"""Open todos beside the words that later set them aside."""

import pytest

from amplihack_compaction.extract.model import Prompt, SessionState, Todo, TodoStatus
from amplihack_compaction.injection.render import render_state
from amplihack_compaction.ledger.set_aside import set_aside


def later_said(
    todo: str, said: str, status: TodoStatus = TodoStatus.PENDING, offset: int = 9
) -> dict[str, str]:
    other = Todo(text="Rotate the signing keys", uuid="o", offset=1)
    wanted = Todo(text=todo, uuid="t", offset=1, status=status)
    return set_aside(
        SessionState(todos=(other, wanted), prompts=(Prompt(text=said, offset=offset),))
    )


@pytest.mark.parametrize(
    ("todo", "said"),
    [
        ("Write the soak test", "den Soaktest kannst du streichen, den macht der Prüfstand"),
        ("Ledger export as CSV", "den CSV Export brauchen wir nicht mehr"),
        ("Benchmark on HG002", "le benchmark HG002, laisse, Paul le fait sur son poste"),
        ("Screenshots for tablets", "las screenshots de tablet las manda diseño"),
        ("Dark mode tokens", "o dark mode fica pra próxima versão"),
        ("Document the failover", "доку по failover напишет Костя"),
        ("Wire criterion benchmark", "criterion 的 benchmark 先不做"),
        ("Coupon input", "coupon はやめた"),
        ("Coupon input", "coupon은 나중에"),
        ("Ledger export as CSV", "the CSV export can wait"),
        ("ETA", "ETA a gente deixa pro próximo sprint"),
        ("Fuzzing", "fuzzing quem faz é o Igor"),
        ("Docs", "la doc la escribe marketing, tú solo el README"),
    ],
)
def test_a_todo_that_is_set_aside_stands_with_the_words(todo: str, said: str) -> None:
    assert later_said(todo, said) == {todo: said}
    state = SessionState(
        todos=(Todo(text=todo, uuid="t", offset=1),), prompts=(Prompt(text=said, offset=9),)
    )
    assert f'- [ ] {todo} - later: "{said}"' in render_state(state).text


@pytest.mark.parametrize(
    "said",
    [
        "für den CSV Export nimm Semikolon als Trenner",
        "the CSV export needs a header line",
        "do we no longer need the CSV export?",
        "the PDF can wait",
        "skip the tests for the export",
        "x" * 500 + " skip the CSV export",
    ],
)
def test_what_asks_for_a_todo_or_speaks_of_another_does_not_set_it_aside(said: str) -> None:
    assert later_said("Ledger export as CSV", said) == {}


def test_what_was_said_before_a_todo_or_is_being_done_sets_nothing_aside() -> None:
    said = "skip the CSV export"
    assert later_said("Ledger export as CSV", said, offset=0) == {}
    assert later_said("Ledger export as CSV", said, TodoStatus.IN_PROGRESS) == {}


def test_of_two_todos_the_one_that_is_named_more_is_meant() -> None:
    todos = tuple(Todo(text=t, uuid=t, offset=1) for t in ("CSV export", "CSV export of refunds"))
    said = Prompt(text="the CSV export of refunds is off the table", offset=5)
    both = set_aside(SessionState(todos=todos, prompts=(said,)))
    assert set(both) == {"CSV export", "CSV export of refunds"}
    only = Prompt(text="the refunds of the CSV kind: not needed", offset=5)
    assert set(set_aside(SessionState(todos=todos, prompts=(only,)))) == {"CSV export of refunds"}

"""Which values, choices and todos later words put right, replace or set aside."""

import pytest

from amplihack_compaction.extract.statements import (
    ExactValue,
    PromptRecord,
    SessionState,
    Todo,
    TodoStatus,
)
from amplihack_compaction.extract.values import values_in
from amplihack_compaction.injection.render import render_state
from amplihack_compaction.ledger.replaced import ValueCorrections, todos_set_aside


def told(*sentences: str) -> list[ExactValue]:
    """Return the values of sentences that follow one another, each at its newest mention."""
    newest: dict[str, ExactValue] = {}
    for number, sentence in enumerate(sentences):
        for kind, text, _ in values_in(sentence):
            newest[text] = ExactValue(
                text=text, kind=kind, context=sentence, offset=number, uuid=str(number)
            )
    return list(newest.values())


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Start the api on port 8080 and the worker on 9090.", "the port is 8081, not 8080"),
        ("the staging url is https://a.acme.dev", "sorry, staging moved: https://b.acme.dev"),
        ("pin numpy to 1.26.4", "actually make that 2.0.1"),
        ("the ticket is SHOP-123", "I meant SHOP-132"),
        ("wait 30s between retries", "no, make it 5s"),
        ("Der Dienst läuft auf Port 8080.", "Nimm 8081 statt 8080."),
        ("le port est 8080", "pardon, 8081"),
        ("el puerto es 8080", "perdón, quise decir 8081"),
        ("a porta é 8080", "na verdade é 8081"),
        ("порт 8080", "точнее 8081"),
        ("端口是 8080", "不对,端口 8081"),
        ("ポート 8080 です", "8080ではなく8081です"),
        ("포트 8080", "8080이 아니라 8081"),
        ("backfill in batches von 5000", "5000 sperrt zu lange, geh auf 1000"),
        ("foco visível com outline de 2px", "o 2px do foco ficou fino, usa 3"),
        ("nextcloud 端口 8443", "8443 被路由器占了，换 9443"),
        ("JIT 阈值是 1000 次", "阈值 1000 次调用太高，改成 200"),
        ("keep the logs for 3 days", "3 days is too short, make it 7"),
        ("タイムアウトは30秒", "30秒は短すぎる、60秒で"),
        ("Deploy to api.acme.dev:8443 with `make ship`.", "`make ship` is gone, use `make go`"),
        ("incremental models go by updated_at", "updated_at is unreliable, take loaded_at"),
        ("the screen is 320x240", "oh the panel is 480x320 actually"),
        ("the screen is 320x240", "the new panel is 480x320"),
        ("the nas is 192.168.1.20", "the nas got a new address, 192.168.1.30"),
        ("16 threads per job", "8 threads per job from now on"),
        ("move it from 10.0.0.7 to the rack", "it moved from 10.0.0.7 to 10.0.0.9"),
    ],
)
def test_the_words_that_correct_a_value_stand_for_it(first: str, then: str) -> None:
    corrected = ValueCorrections(told(first, then))
    assert corrected.of(first) == then
    assert corrected.of(then) == ""


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("the api is on port 8080", "the worker is on port 9090"),
        ("the ticket is SHOP-123", "and SHOP-132 is next"),
        ("the ticket is SHOP-123", "sorry, it waits on OPS-7"),
        ("wait 30s between retries", "actually 5 files are enough"),
        ("the api is on port 8080", "is 8080 taken?"),
        ("keep the logs for 3 days", "3 days of logs are in the archive, too"),
        ("wait 30s between retries", "30s is what the bank wants"),
        ("the api is on port 8080", "sorry, I was away"),
        ("texts come from strings.csv, never in code", "the list comes from strings.csv as well"),
        ("wait 30s between retries", "close idle sockets after 60s from now on"),
    ],
)
def test_what_is_only_told_beside_it_corrects_nothing(first: str, then: str) -> None:
    assert ValueCorrections(told(first, then)).of(first) == ""


def test_a_like_value_told_elsewhere_stays() -> None:
    corrected = ValueCorrections(
        told("retry after 30s", "set the cache to 60s", "sorry, make that 90s")
    )
    assert corrected.of("set the cache to 60s") == "sorry, make that 90s"
    assert corrected.of("retry after 30s") == ""


def test_the_newest_correction_counts() -> None:
    sentences = ("use port 8080", "sorry, 8081", "not 8080 and not 8081 but 8082")
    assert ValueCorrections(told(*sentences)).of("use port 8080") == sentences[-1]


def later_said(
    todo: str, said: str, status: TodoStatus = TodoStatus.PENDING, offset: int = 9
) -> dict[str, str]:
    other = Todo(text="Rotate the signing keys", uuid="o", offset=1)
    wanted = Todo(text=todo, uuid="t", offset=1, status=status)
    return todos_set_aside(
        SessionState(todos=(other, wanted), prompts=(PromptRecord(text=said, offset=offset),))
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
        todos=(Todo(text=todo, uuid="t", offset=1),), prompts=(PromptRecord(text=said, offset=9),)
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
    said = PromptRecord(text="the CSV export of refunds is off the table", offset=5)
    both = todos_set_aside(SessionState(todos=todos, prompts=(said,)))
    assert set(both) == {"CSV export", "CSV export of refunds"}
    only = PromptRecord(text="the refunds of the CSV kind: not needed", offset=5)
    assert set(todos_set_aside(SessionState(todos=todos, prompts=(only,)))) == {
        "CSV export of refunds"
    }

"""What is put off, and what is called done in words, is a todo or ends one, also windows later."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.extract.todo_wording import finishes, read_finished, read_reminders
from amplihack_compaction.extract.todos import extract_todos
from amplihack_compaction.extract.window import extract_window
from amplihack_compaction.ledger.merge import merge_window
from tests.support.transcripts import Transcript
from tests.unit.extract.windows import window_saying


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


@pytest.mark.parametrize(
    ("said", "what"),
    [
        (
            "remind me to rotate the staging key before we merge",
            "rotate the staging key before we merge",
        ),
        ("ok, and don't let me forget to call the bank", "call the bank"),
        (
            "we must take that flag out again tonight, remind me",
            "we must take that flag out again tonight",
        ),
        ("ok, the keys have to be rotated - remind me please", "the keys have to be rotated"),
        ("todo for later: delete the legacy flag", "delete the legacy flag"),
        ("Note to self: the cron runs twice", "the cron runs twice"),
        ("for later - dark mode", "dark mode"),
        ("please put the slow query on the backlog", "the slow query"),
        ("Add retries to the mailer to your todo list.", "retries to the mailer"),
        ("rappelle-moi de purger le cache", "purger le cache"),
        ("recuérdame que hay que cerrar el puerto", "hay que cerrar el puerto"),
        ("me lembra de apagar o bucket", "apagar o bucket"),
        ("erinnere mich daran, den Token zu tauschen", "den Token zu tauschen"),
        ("提交前提醒我轮换密钥", "提交前轮换密钥"),
        ("可以 上线前提醒我换掉测试密钥", "上线前换掉测试密钥"),
        ("待办：清理旧表", "清理旧表"),
        ("para después: limpiar la tabla", "limpiar la tabla"),
        ("next week: the mailer", "the mailer"),
        ("напомни мне поменять ключ", "поменять ключ"),
        ("マージの前に鍵の交換をリマインドして", "マージの前に鍵の交換"),
        ("머지 전에 키 교체를 상기시켜 줘", "머지 전에 키 교체"),
        ("erinner mich dran dass das Zertifikat ausläuft", "das Zertifikat ausläuft"),
        ("merk dir fuer spaeter: das alte flag muss raus", "das alte flag muss raus"),
        ("note pour plus tard: chiffrer les backups", "chiffrer les backups"),
        ("faudra penser a virer le cron de purge", "virer le cron de purge"),
        ("genial, recuerdame avisar a marta", "avisar a marta"),
        ("hay que acordarse de quitar los console.log", "quitar los console.log"),
        ("ㅇㅋ 배포 전에 테스트 키 교체하라고 상기시켜줘", "배포 전에 테스트 키 교체"),
        ("den excel export machen wir später", "den excel export"),
        ("on verra l'export excel plus tard", "l'export excel"),
        ("lo de traducir la web lo dejamos para luego", "traducir la web"),
        ("o relatorio fica pra semana que vem", "o relatorio"),
        ("depois a gente ve a tela de feriados", "a tela de feriados"),
        ("amanhã a gente vê o fluxo de caixa", "o fluxo de caixa"),
        ("o mapa a gente deixa pro próximo sprint", "o mapa"),
        ("экспорт в csv потом сделаем", "экспорт в csv"),
        ("экран отмены потом", "экран отмены"),
        ("导出功能稍后再做", "导出功能"),
        ("退款流程以后再做 先记着", "退款流程"),
        ("CSV出力はあとでやる", "CSV出力"),
        ("キャンセル画面は後回し", "キャンセル画面"),
        ("취소 화면은 나중에 하자", "취소 화면"),
        ("csv 내보내기는 나중에", "csv 내보내기"),
    ],
)
def test_what_is_put_off_is_told(said: str, what: str) -> None:
    assert [mark.text for mark in read_reminders(f"Fix the login first. {said}")] == [what]


@pytest.mark.parametrize(
    "said",
    [
        "the port was 80, remind me?",
        "I forgot how it works, remind me",
        "what should the port be, remind me",
        "remind me what the port was",
        "can you remind me to what branch we push?",
        "the reminder mail is sent twice",
        "do it later",
        "add the field to the task form",
        "a follow-up question: which port",
        "I forget which one",
        "add dark mode to the todo app",
        "write a test on the backlog service",
        "reminder: never push to main",
        "later - not now",
        "das machen wir später",
        "on verra ça plus tard",
        "eso lo dejamos para luego",
        "isso fica pra depois",
        "это потом",
        "сначала тесты, а потом деплой",
        "了解、後で",
        "这个以后再说",
        "以后提交信息都用英文写",
        "그건 나중에 하자",
        "los tests corren después del build",
        "erinner mich daran, dass wir immer Tests schreiben",
    ],
)
def test_what_only_mentions_it_puts_nothing_off(said: str) -> None:
    assert read_reminders(said) == []


def test_a_reminder_is_an_open_todo(tmp_path: Path) -> None:
    window = window_saying(tmp_path, "Build the shop.", "remind me to rotate the staging key")
    assert [(todo.text, todo.is_open) for todo in extract_todos(window)] == [
        ("rotate the staging key", True)
    ]


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    assert all(mark.text for mark in read_reminders(text))

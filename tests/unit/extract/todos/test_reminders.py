"""What a user asks to be reminded of, or puts off, is open work."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.extract.todos.reminders import read_reminders
from amplihack_compaction.extract.todos.todos import extract_todos
from tests.unit.extract.windows import window_saying


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

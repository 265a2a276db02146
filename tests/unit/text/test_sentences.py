"""Sentences in nine languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.text.sentences import (
    inline_list_apart,
    listed_under,
    needs_sentence_before,
    reason_given,
    sentences,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use tabs. Never spaces!", ["Use tabs.", "Never spaces!"]),
        ("use tabs. never spaces", ["use tabs.", "never spaces"]),
        ("Use v1.2.3 in src/a.py, e.g. for x. Ok?", ["Use v1.2.3 in src/a.py, e.g. for x.", "Ok?"]),
        ("See https://a.b/c.html?x=1. Then go.", ["See https://a.b/c.html?x=1.", "Then go."]),
        ("No. Use ruff.", ["No.", "Use ruff."]),
        ("Issue no. 5 stays.", ["Issue no. 5 stays."]),
        ("J. Doe said hi. Bye.", ["J. Doe said hi.", "Bye."]),
        ("使用制表符。不要用空格！好的", ["使用制表符。", "不要用空格！", "好的"]),
        ("「はい。」次へ。終わり", ["「はい。」", "次へ。", "終わり"]),
        ("Nimm z.B. ruff. Gut.", ["Nimm z.B. ruff.", "Gut."]),
        ("Am 3. ist frei. Gut.", ["Am 3. ist frei.", "Gut."]),
        ("das Zertifikat am 3. zu erneuern", ["das Zertifikat am 3. zu erneuern"]),
        ("die vom 12.3. ist kaputt", ["die vom 12.3. ist kaputt"]),
        ("es ist der 3. Dann geh.", ["es ist der 3.", "Dann geh."]),
        ("set it to 8. then run it", ["set it to 8.", "then run it"]),
        ("- one. two\n- three\n3) four\n[x] five", ["one.", "two", "three", "four", "five"]),
        ("- [ ] open box", ["open box"]),
        ("# Heading\ntext", ["Heading", "text"]),
        ("one\ntwo", ["one", "two"]),
        ("first,\nsecond", ["first, second"]),
        ("... and so on", ["...", "and so on"]),
        ("Ok. [left out: private] And keep cents. So.", ["Ok.", "And keep cents.", "So."]),
        ("[left out: private]. Keep cents.", ["Keep cents."]),
        ("[redacted:npm-token] [left out: private]\nKeep cents", ["Keep cents"]),
        ("[left out: private] 金额用分", ["金额用分"]),
        (
            "[left out: private] is my name. Use [left out: private] Bar",
            ["[left out: private] is my name.", "Use [left out: private] Bar"],
        ),
        ("", []),
    ],
)
def test_text_is_cut_where_sentences_end(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_hard_wrapped_lines_are_one_sentence() -> None:
    text = "please never change the public interface of the storage module in\nthis repository"
    assert sentences(text) == [text.replace("\n", " ")]


def test_a_run_without_full_stops_is_cut_at_its_joints() -> None:
    text = "; ".join(f"clause number {n} goes on and on" for n in range(30))
    assert len(sentences(text)) == 30


def test_list_items_know_the_line_above_their_list() -> None:
    text = "Do it.\n**Rules:**\n- tabs\n- one. two\n\n- three\nEnd\n- four"
    assert listed_under(text) == {
        "tabs": "Rules:",
        "one.": "Rules:",
        "two": "Rules:",
        "three": "Rules:",
    }


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        (
            "Migrate the service. Todo: 1. exchange 2. load test (later) 3. docs",
            ["Migrate the service.", "Todo:", "1. exchange", "2. load test (later)", "3. docs"],
        ),
        ("1) tabs 2) no any", ["1) tabs", "2) no any"]),
        ("rules: (1) no any (2) 2 reviewers", ["rules:", "(1) no any", "(2) 2 reviewers"]),
    ],
)
def test_a_list_in_one_line_is_a_line_for_each_item(line: str, lines: list[str]) -> None:
    assert inline_list_apart(line) == lines


@pytest.mark.parametrize(
    "line",
    [
        "",
        "see chapter 1. 2. is wrong",
        "1. only one",
        "we need 2. then 3. of them",
        "bump it to 1.2. and 1.3.",
        "take 1. it is cheaper",
    ],
)
def test_other_numbers_list_nothing(line: str) -> None:
    assert inline_list_apart(line) == [line]


def test_each_item_of_a_list_in_one_line_is_a_sentence() -> None:
    assert sentences("Fix it. Rules: 1. never use any 2. test each change 3. no new packages.") == [
        "Fix it.", "Rules:", "never use any", "test each change", "no new packages.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "sentence",
    [
        "Never touch it.",
        "please don't ever change that",
        "It must not be edited by hand.",
        "leave them alone",
        "Those lines are frozen.",
        "that folder is off limits",
        "don't put anything there",
        "do that everywhere",
        "hands off",
        "so hands off, please",
        "Not again.",
        "never",
        "nothing else",
        "you can't, the board forbids that",
        "always join on both",
        "ok, put it into the header",
        "wait, keep them apart",
        "the same again, but move it up",
        "in the header, hide it",
        "no lo toques",
        "n'y touche pas",
        "das bleibt so",
        "deixa isso quieto",
        "не трогай его",
        "lass es so",
        "nicht anfassen",
        "别动它",
        "不要动。",
        "それは触らないで",
        "eso mismo con los impuestos",
    ],
)
def test_what_speaks_of_something_before_it_leans_on_that(sentence: str) -> None:
    assert needs_sentence_before(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Never touch the billing tables.",
        "make sure that the tests pass",
        "there must be a test for every function",
        "keep the public API as it is",
        "It's important to write tests first.",
        "When you add a function to the public interface of the package, document it.",
        "Use tabs.",
        "no new dependencies",
        "this repo uses pnpm",
        "keep the docs in that style whatever the linter of the editor says of their form",
        "kofi draws the icons, use grey squares until they come",
        "both services log to stdout",
        "run both suites",
        "start on prod at ten, I'm there",
        "no toques la base de datos",
        "El esquema es generado.",
        "el puerto es 8080",
        "ne touche pas au schéma",
        "fass die Datenbank nicht an",
        "não mexe no banco",
        "不要动数据库",
        "faz igual pros links: mesma coisa que nos botões, 40 telas, e não mexe no resto",
        "基准测试用 criterion，跟 parser 一样",
        "表4.2も表4.1と同じ書式で",
        "use the same as in api/retry.py",
        "de la même manière que dans le client",
        "100 requests per second are allowed for each of the customers",
        "40 telas usam o botão antigo",
    ],
)
def test_what_names_its_subject_stands_alone(sentence: str) -> None:
    assert not needs_sentence_before(sentence)


@pytest.mark.parametrize(
    "text",
    [
        "What about the db? Never drop tables.",
        "can you check the log? the build is red",
        "really? Never use var.",
        "we ship on friday, ok? Run the tests first.",
        "数据库是什么？不要动。",
        "kannst du das prüfen? Die Tests sind rot.",
    ],
)
def test_a_question_is_a_sentence_of_its_own(text: str) -> None:
    assert len(sentences(text)) == 2


@given(st.text(max_size=300))
def test_any_text_can_be_asked(text: str) -> None:
    needs_sentence_before(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Use SQLite because it needs no server. Then go on.", "it needs no server"),
        ("Wir nehmen Redis, weil der Cache klein ist.", "der Cache klein ist"),
        ("用 SQLite，因为不需要服务器。", "不需要服务器"),
        ("まず、サーバーが要らないので、SQLite にします。", "サーバーが要らない"),
        ("좋아요, 서버가 없기 때문에 SQLite로 가자", "서버가 없기 때문에"),
        ("軽いから、because を使う because of it", "軽い"),
        ("Use SQLite.", ""),
        ("", ""),
    ],
)
def test_a_reason_ends_with_its_sentence_or_its_marker(text: str, reason: str) -> None:
    assert reason_given(text) == reason


def test_a_long_reason_is_cut() -> None:
    assert len(reason_given("Use it because " + "it is small and " * 100)) <= 300

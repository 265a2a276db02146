"""Exact values that the user typed."""

from pathlib import Path

import pytest

from amplihack_compaction.extract.statements import ValueKind
from amplihack_compaction.extract.values import (
    CONTEXT_CHARS,
    extract_values,
    values_in,
    with_corrections,
)
from tests.unit.extract.windows import window_saying


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("see https://example.com/a?b=1.", [("url", "https://example.com/a?b=1")]),
        (
            "GET /orders/{id}, then (https://example.com/a/{id}).",
            [("path", "/orders/{id}"), ("url", "https://example.com/a/{id}")],
        ),
        ("看一下https://example.com/shop项目，然后改", [("url", "https://example.com/shop")]),
        ("https://example.com/wiki/東京 を見て", [("url", "https://example.com/wiki/東京")]),
        ("see s3://bucket/2024年/売上.csv", [("url", "s3://bucket/2024年/売上.csv")]),
        (
            "https://example.com/docs/api-仕様書.md",
            [("url", "https://example.com/docs/api-仕様書.md")],
        ),
        ("https://example.com/wiki/佐々木", [("url", "https://example.com/wiki/佐々木")]),
        (
            "https://example.com/q?名前=太郎&部署=営業",
            [("url", "https://example.com/q?名前=太郎&部署=営業")],
        ),
        ("https://例え.テスト/a", [("url", "https://例え.テスト/a")]),
        ("https://example.com【注意】", [("url", "https://example.com")]),
        (
            "把https://a.com/x改成https://b.com/y",
            [("url", "https://a.com/x"), ("url", "https://b.com/y")],
        ),
        ("部署到https://stage.example.com而不是prod", [("url", "https://stage.example.com")]),
        ("登录http://10.0.0.5:8080用admin账号测试", [("url", "http://10.0.0.5:8080")]),
        ("打开http://localhost:3000查看v2版本", [("url", "http://localhost:3000")]),
        (
            "see https://example.com/files/2024年度報告.pdf",
            [("url", "https://example.com/files/2024年度報告.pdf")],
        ),
        ("mail bob@example.com", [("url", "bob@example.com")]),
        (
            "it runs on localhost:3000 and 10.0.0.1",
            [("url", "localhost:3000"), ("url", "10.0.0.1")],
        ),
        (
            "edit src/app/main.py and README.md",
            [("path", "src/app/main.py"), ("path", "README.md")],
        ),
        ("look at @docs/plan.md and ~/x", [("path", "@docs/plan.md"), ("path", "~/x")]),
        ("listen on port 8081", [("port", "8081")]),
        ("bump to v1.2.3, python 3.11", [("version", "v1.2.3"), ("version", "3.11")]),
        ("fix PROJ-123 and #42", [("identifier", "PROJ-123"), ("identifier", "#42")]),
        ("set MAX_RETRIES=5", [("identifier", "MAX_RETRIES=5")]),
        ("revert 0a1b2c3d", [("identifier", "0a1b2c3d")]),
        (
            "call getUserName() with --no-verify",
            [("identifier", "getUserName()"), ("identifier", "--no-verify")],
        ),
        (
            "at most 250 ms, 50% or $20 for 2 GB",
            [
                ("quantity", "250 ms"),
                ("quantity", "50%"),
                ("quantity", "$20"),
                ("quantity", "2 GB"),
            ],
        ),
        ("on 2026-01-02 at 10:30", [("quantity", "2026-01-02"), ("quantity", "10:30")]),
        ("超时30秒，端口8080", [("quantity", "30秒"), ("port", "8080")]),
        ("测试库端口是5437", [("port", "5437")]),
        ("検証DBのポートは5438", [("port", "5438")]),
        ("테스트 db 포트는 5439야", [("port", "5439")]),
        (
            "call it “workspace”, 'not this' or `a b`",
            [("quoted", "workspace"), ("quoted", "not this"), ("quoted", "a b")],
        ),
        (
            "「設定」と «mode» und „Wert“",
            [("quoted", "設定"), ("quoted", "mode"), ("quoted", "Wert")],
        ),
        ("open `src/a.py` please", [("path", "src/a.py")]),
    ],
)
def test_values_are_found_to_the_letter(sentence: str, expected: list[tuple[str, str]]) -> None:
    assert [(kind.value, text) for kind, text, _ in values_in(sentence)] == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "5 things in 3 places",
        "and/or client/server",
        "I'm sure it's fine, don't worry",
        "1 test",
        "in 1/2 of the cases",
        "the year 2024 was good",
        "e.g. this one",
        "[Image #1] it does not show",
    ],
)
def test_noise_is_left_out(sentence: str) -> None:
    assert list(values_in(sentence)) == []


def test_a_value_inside_a_url_is_not_listed_twice() -> None:
    found = list(values_in("GET http://localhost:8080/v1.2.3/src/a.py?id=PROJ-1 now"))
    assert [kind for kind, _, _ in found] == [ValueKind.URL]


def test_the_newest_mention_of_a_value_wins(tmp_path: Path) -> None:
    window = window_saying(tmp_path, "use port 8081", "see a/b.py", "keep port 8081 open")
    found = extract_values(window)
    assert [(value.text, value.context) for value in found] == [
        ("a/b.py", "see a/b.py"),
        ("8081", "keep port 8081 open"),
    ]


def test_values_in_pasted_text_are_not_the_users(tmp_path: Path) -> None:
    window = window_saying(tmp_path, "look:\n```\nport 9999 at /etc/hosts\n```\nuse 30 ms")
    assert [value.text for value in extract_values(window)] == ["30 ms"]


def test_the_context_is_cut_around_the_value() -> None:
    sentence = "word " * 60 + "the limit is 250 ms exactly " + "word " * 60
    window_value = next(iter(values_in(sentence)))
    assert window_value[1] == "250 ms"


def test_a_long_sentence_gives_a_short_context(tmp_path: Path) -> None:
    sentence = "word " * 30 + "the limit is 250 ms exactly " + "word " * 30
    (value,) = extract_values(window_saying(tmp_path, sentence))
    assert "250 ms" in value.context
    assert len(value.context) <= CONTEXT_CHARS
    assert value.context.startswith("…")
    assert value.context.endswith("…")


def test_a_bare_number_of_many_digits_is_a_value() -> None:
    found = [
        text for _, text, _ in values_in("The tunnel is on potr 21950, since 2024, for 300 of us")
    ]
    assert found == ["21950"]


def test_a_path_ends_where_japanese_grammar_begins() -> None:
    for said in ("設定は conf/db.yaml にある", "設定はconf/db.yamlにある"):
        (value,) = values_in(said)
        assert value[:2] == (ValueKind.PATH, "conf/db.yaml")
        assert said[value[2] :].startswith("conf")
    kinds = [
        kind for said in ("PL/SQLの変換を使う", "リリースは12/18") for kind, *_ in values_in(said)
    ]
    assert ValueKind.PATH not in kinds


@pytest.mark.parametrize(
    ("first", "later", "text"),
    [
        ("Keys older than 72 hours go at 03:15.", "Make it 48 hours instead of 72.", "48 hours"),
        ("The margin is 18 mm.", "Mejor 22 mm, no 18.", "22 mm"),
        ("Alles nach 72 Stunden löschen.", "Nimm 48 Stunden statt 72.", "48 Stunden"),
        ("The margin is 18 mm.", "Two of 22 s, no 18.", "18 mm"),
        ("The margin is 18 mm.", "And 22 mm at the top.", "18 mm"),
    ],
)
def test_a_value_that_a_later_one_takes_the_place_of(
    tmp_path: Path, first: str, later: str, text: str
) -> None:
    values = extract_values(window_saying(tmp_path, first, later))
    told = [value for value in with_corrections(values) if value.context.startswith(first)]
    assert text in [value.text for value in told]
    assert all(value.context.endswith(later) is (text not in first) for value in told)

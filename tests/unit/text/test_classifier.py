"""A sentence's features are its words in their order; names, slips and endings say nothing."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.extract.rules import kind_of_rule
from amplihack_compaction.text.classifier import (
    PARTS,
    USER_TABLE,
    Table,
    UserChances,
    features_of,
    key_of,
    read_rows,
    user_chances,
)
from tests.publish_acts import LESSONS, digest, table_bytes


def hand_made(numbers: dict[str, list[int]]) -> bytes:
    return table_bytes(1, {key_of(name): row for name, row in numbers.items()}, "hand")


def test_words_pairs_triples_and_pairs_around_a_word_are_features() -> None:
    found = features_of("Keep it small!")
    assert {"keep", "it", "small", "!", "^ keep", "keep it", "it small !", "keep _ small"} <= found
    assert {"! $", "2:it", "3:small", "n:1"} <= found
    assert not {"^", "$", "Keep"} & found


@pytest.mark.parametrize("name", ["src/app.py", "`src/app.py`", "8080", "camelCase", "API"])
def test_code_paths_and_numbers_are_one_word(name: str) -> None:
    assert features_of(f"leave {name} alone") == features_of("leave v2 alone")


def test_long_words_are_known_by_their_beginning_too() -> None:
    assert "migr-" in features_of("no migrations") & features_of("he migrated it")
    assert not any(feature.endswith("-") for feature in features_of("no tabs"))


def test_signs_are_words_of_their_own() -> None:
    assert {"别", "动", "别 动", "n:0"} <= features_of("别动")
    assert {"먼", "저", "물 어"} <= features_of("먼저 물어")


@pytest.mark.parametrize("slip", ["pelase", "pleease", "pleas", "plase"])
def test_a_slip_is_taken_for_the_word_that_is_known(slip: str) -> None:
    known = {"please", "wait"}
    assert features_of(f"{slip} wait", known) == features_of("please wait", known)
    assert slip in features_of(f"{slip} wait")


def test_only_a_words_begin_counts_of_what_is_endless() -> None:
    assert features_of("word " * 60) | {"word $", "word word $", "word _ $"} == features_of(
        "word " * 100_000
    ) | {"word $", "word word $", "word _ $"}


def test_nothing_has_only_its_length() -> None:
    assert features_of("") == {"n:0", "^ $"}


NUMBERS = st.lists(st.integers(-127, 127), min_size=2, max_size=2)


@given(st.dictionaries(st.text(), NUMBERS, min_size=1))
def test_each_feature_is_found_and_no_other(numbers: dict[str, list[int]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "hand.weights")
        path.write_bytes(hand_made(numbers))
        rows = read_rows(str(path))
    assert rows is not None
    for feature, known in numbers.items():
        assert feature in rows
        assert list(rows.numbers_of(feature)) == known
        for other in (feature[1:], f"{feature}a", f"a{feature}", f"{feature} b"):
            assert list(rows.numbers_of(other)) == numbers.get(other, [])


@pytest.mark.parametrize("name", LESSONS)
def test_the_tables_are_small(name: str) -> None:
    assert Path(LESSONS[name].table.path).stat().st_size < 800_000


NEUTRAL = (0.5, 0.25)


def table_of(path: Path, content: bytes | None) -> Table:
    if content is not None:
        path.write_bytes(content)
    table = Table(path.name, NEUTRAL, mistyped=False, known_share=0.2)
    table.path = str(path)
    return table


def test_what_features_weigh_is_summed_up(tmp_path: Path) -> None:
    content = hand_made({"(bias)": [0, -PARTS], "keep": [PARTS, PARTS]})
    low, even = table_of(tmp_path / "t.weights", content).chances_of("keep")
    assert (round(low, 2), round(even, 2)) == (0.73, 0.5)


def test_of_a_sentence_whose_words_are_not_known_nothing_is_said(tmp_path: Path) -> None:
    content = hand_made({"(bias)": [90, 90], "keep": [10, 10]})
    table = table_of(tmp_path / "t.weights", content)
    strange = "zonder mijn toestemming wordt niets verwijderd"
    assert table.chances_of(strange) == list(NEUTRAL)
    assert table.chances_of(f"keep {strange}") == list(NEUTRAL)
    assert table.chances_of("keep it") != list(NEUTRAL)


@pytest.mark.parametrize("share", [0, 0.3, 0.5, 0.99, None])
def test_a_torn_or_missing_table_says_nothing(tmp_path: Path, share: float | None) -> None:
    whole = Path(USER_TABLE.path).read_bytes()
    content = None if share is None else whole[: int(len(whole) * share)]
    assert table_of(tmp_path / "t.weights", content).chances_of("keep it") == list(NEUTRAL)


def test_a_table_without_its_first_line_says_nothing(tmp_path: Path) -> None:
    assert table_of(tmp_path / "t.weights", b"\xff\xfe").chances_of("keep it") == list(NEUTRAL)


@pytest.mark.parametrize("name", LESSONS)
def test_the_weights_were_learnt_from_the_sentences_that_are_there(name: str) -> None:
    lesson = LESSONS[name]
    head = f"# {digest(lesson.learnt_from)}, ".encode()
    assert Path(lesson.table.path).read_bytes().startswith(head), "run python -m tests.publish_acts"


@pytest.mark.parametrize(
    ("text", "likeliest"),
    [
        ("the vendor folder is a museum, look and don't touch", lambda c: c.rule),
        ("postgres wins, mongo lost our data twice", lambda c: c.decision),
        ("enough of that, now the importer", lambda c: c.objective),
        ("tabs are fine again in the templates", lambda c: c.lift),
        ("add a test for the empty list", lambda c: c.work),
    ],
)
def test_idioms_are_told(text: str, likeliest: Callable[[UserChances], float]) -> None:
    assert likeliest(user_chances(text)) > 0.3


def test_trouble_and_thanks_need_not_be_kept() -> None:
    for text in ("thanks", "it crashes when I open the menu", "ok the tests pass now"):
        assert user_chances(text).kept < 0.3


@given(st.text())
def test_any_text_has_chances(text: str) -> None:
    assert all(0 <= chance <= 1 for chance in user_chances(text))


def test_a_long_text_is_judged_by_its_beginning() -> None:
    text = "never touch the billing tables " * 30
    assert user_chances(text) == user_chances(text + "ok " * 10_000)


APART = Path(__file__).parents[2] / "acts" / "apart_ko_zh.tsv"


@pytest.mark.parametrize("language", ["ko", "zh"])
def test_rules_in_korean_and_traditional_chinese_are_told(language: str) -> None:
    rows = [line.split("\t") for line in APART.read_text(encoding="utf-8").splitlines()]
    rules = {"prohibition", "obligation"}
    told = [(label in rules, bool(kind_of_rule(s))) for label, of, s in rows if of == language]
    assert sum(found for is_rule, found in told if is_rule) >= 11
    assert sum(found for is_rule, found in told if not is_rule) <= 1

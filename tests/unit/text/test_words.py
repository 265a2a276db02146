import pytest

from amplihack_compaction.text.words import (
    asks,
    canonical,
    content_words,
    fold_case,
    is_light,
    is_quoted,
    number_form,
    stem,
)


@pytest.mark.parametrize(
    "forms",
    [
        "commit commits committed committing",
        "use used using uses",
        "dependency dependencies",
        "authenticate authentication",
        "deploy deployment deployed",
        "write written wrote",
        "migrate migration migrated",
        "test tests testing",
        "update change modify edit",
        "docs documentation",
    ],
)
def test_the_forms_of_a_word_count_as_one(forms: str) -> None:
    assert len({canonical(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("pair", ["main maintain", "port portal", "pnpm npm", "user use"])
def test_words_that_only_look_alike_differ(pair: str) -> None:
    left, right = pair.split()
    assert canonical(left) != canonical(right)


@pytest.mark.parametrize(
    ("word", "number"),
    [("10,000", "10000"), ("30s", "30"), ("10k", "10000"), ("2.0", "2"), ("1.5", "1.5"),
     ("1.2.3", "1.2.3"), ("3a4", "3a4"), ("5.", "5")],
)  # fmt: skip
def test_numbers_lose_separators_and_units(word: str, number: str) -> None:
    assert number_form(word) == number


def test_short_words_and_words_with_digits_are_left_alone() -> None:
    assert [stem(word) for word in ("is", "bus", "v1x", "class")] == ["is", "bus", "v1x", "class"]


def test_light_words_say_little() -> None:
    assert is_light(canonical("using"))
    assert not is_light(canonical("parser"))


def test_cjk_text_is_read_in_pairs_without_its_grammar() -> None:
    assert content_words("迁移表") == ["迁移", "移表"]
    assert content_words("テストを削除") == ["テス", "スト", "削除"]
    assert content_words("使用npm") == ["npm"]


def test_chinese_words_that_are_known_are_whole_and_mean_what_english_ones_do() -> None:
    assert content_words("提交之前一定要跑测试") == content_words("commit, run tests")
    assert content_words("代码注释") == content_words("code comments")


def test_folding_makes_quotes_and_width_plain() -> None:
    assert fold_case("Don’t ＵＳＥ") == "don't use"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("can it be deleted?", True),
        ("can it be deleted?a", True),
        ("它能删吗？", True),
        ("it can be deleted", False),
        ("set it to ?x=1", False),
    ],
)
def test_a_question_ends_with_its_mark_but_for_a_slip(said: str, expected: bool) -> None:
    assert asks(said) is expected


def test_lines_that_were_joined_with_a_stop_are_quoted_all_the_same() -> None:
    assert is_quoted("shop.example. RATE LIMIT of 5", ["shop.example RATE LIMIT of 5 per hour"])
    assert not is_quoted("shop.example", ["shopexample"])


def test_items_of_a_list_are_quoted_whether_their_marks_stand_or_not() -> None:
    whole = "Bob's review: 1. Use no globals. 2. Close the file. - and rename foo"
    assert is_quoted("Bob's review: Use no globals", [whole])
    assert is_quoted("Close the file. and rename foo", [whole])
    assert not is_quoted("Use no globals", ["Use 1 of the globals"])

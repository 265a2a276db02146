"""How sentences begin that put right what was said before them."""

import pytest

from amplihack_compaction.text.phrasings.correcting import (
    corrects_itself,
    opens_correction,
    puts_right,
)


@pytest.mark.parametrize(
    "sentence",
    [
        "sorry, the limit is 30",
        "oh, my bad: 8081",
        "perdón, el iva es 21",
        "na verdade são 15 dias",
        "ach quatsch, 5 Minuten",
        "ой, не 30 а 60 секунд",
        "说错了,是 8081",
        "すみません、60秒です",
        "아니다, 4시",
        "あ、違う、8000円",
        "不对，500，200 会抖",
    ],
)
def test_a_value_is_put_right_by_who_told_it(sentence: str) -> None:
    assert corrects_itself(sentence)
    assert puts_right(sentence)
    assert opens_correction(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "actually, use 3 workers",
        "wait, what is that?",
        "sorry",
        "the sorry state of v2",
        "sorryless 3",
    ],
)
def test_what_only_begins_alike_puts_no_value_right(sentence: str) -> None:
    assert not corrects_itself(sentence)


@pytest.mark.parametrize(
    ("sentence", "tells"),
    [
        ("Actually the new template has totals in column H", True),
        ("wait, it’s the other queue that isn’t used", True),
        ("hold on, please make it blue", False),
        ("make that bigger", False),
    ],
)
def test_what_is_told_instead_puts_right(sentence: str, tells: bool) -> None:
    assert puts_right(sentence) is tells
    assert opens_correction(sentence)

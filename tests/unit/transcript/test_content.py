"""What a message's content holds, and how much of it is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.transcript.session import cut_middle, is_cut

PLAIN = "word " * 400


def parts(text: str) -> tuple[str, str, str]:
    head, mark, tail = text.partition("\n[... ")
    said, _, tail = tail.partition("]\n")
    return head, mark + said + "]\n", tail


def test_a_text_within_the_limit_stays() -> None:
    assert cut_middle("x" * 100, 100) == "x" * 100


def test_a_mark_on_a_line_of_its_own_says_how_much_is_gone() -> None:
    lines = cut_middle("x" * 1000, 100).split("\n")
    assert lines == ["x" * 50, "[... 900 characters ...]", "x" * 50]
    assert [is_cut(line) for line in lines] == [False, True, False]


@pytest.mark.parametrize(
    "line",
    ["", "[... x characters ...]", "[... 9 characters ...] and on", " [... 9 characters ...]"],
)
def test_other_lines_are_no_mark(line: str) -> None:
    assert not is_cut(line)


@pytest.mark.parametrize("end", [". ", "! ", "? ", "\n", "。", "！", "？"])
def test_no_sentence_is_cut_in_two_where_one_ends_near_by(end: str) -> None:
    text = "".join(f"You may not push {number} to main{end}" for number in range(500))
    head, _, tail = parts(cut_middle(text, 2000))
    assert head.endswith(end.strip() or f"main{end}")
    assert tail.lstrip().startswith("You may not push")


def test_a_long_sentence_is_cut_all_the_same() -> None:
    head, _, tail = parts(cut_middle(f"Begin. {PLAIN} End.", 1000))
    assert (len(head), len(tail)) == (500, 500)


@given(st.text("ab.! \n。", max_size=300), st.integers(min_value=2, max_value=200))
def test_head_and_tail_are_the_texts_own_and_the_rest_is_counted(text: str, limit: int) -> None:
    cut = cut_middle(text, limit)
    if len(text) <= limit:
        assert cut == text
        return
    marks = [n for n in range(len(text)) if cut[n:].startswith("\n[... ")]
    head = cut[: marks[0]]
    number, _, tail = cut[marks[0] + len("\n[... ") :].partition(" characters ...]\n")
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + int(number) + len(tail) == len(text)
    assert len(head) + len(tail) <= limit

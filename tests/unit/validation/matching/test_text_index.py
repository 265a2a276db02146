import pytest

from amplihack_compaction.validation.matching.text_index import TextIndex


@pytest.mark.parametrize(
    "line", ["Never push.", "- **never push**", "1. Never push", "  NEVER PUSH"]
)
def test_units_that_say_a_text_and_nothing_else_are_known(line: str) -> None:
    text = TextIndex(f"The parser was read.\n{line}\nNever push to main.")
    assert [unit.text for unit in text.units_saying("never push")] == [line]


@pytest.mark.parametrize("text", ["", "***", "1. "])
def test_no_unit_says_what_has_no_word(text: str) -> None:
    assert TextIndex("***\n---\n1. \nThe parser.").units_saying(text) == []

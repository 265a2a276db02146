import pytest

from amplihack_compaction.validation.matching.text_index import unnumbered_form


@pytest.mark.parametrize(
    "line", ["Never push.", "- **never push**", "1. Never push", "  NEVER PUSH"]
)
def test_case_markup_and_numbers_in_a_list_are_no_words(line: str) -> None:
    assert unnumbered_form(line) == "never push"


@pytest.mark.parametrize("line", ["", "***", "1. "])
def test_marks_alone_have_no_form(line: str) -> None:
    assert unnumbered_form(line) == ""

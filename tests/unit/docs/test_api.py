"""The reference of the library says what the docstrings say."""

from tests.publish_api import PAGE, reference


def test_the_reference_is_what_the_docstrings_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "run `python -m tests.publish_api`"

import pytest

from amplihack_compaction.text.polarity_wordings import plain_words


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("leave the css alone", "don't change the css"),
        ("leave src/a.py as it is", "don't change src/a.py"),
        ("hands off the parser", "don't change the parser"),
        ("the schema is off-limits", "the schema must not be changed"),
        ("the schema stays untouched", "the schema must not be changed"),
        ("dont push", "don't push"),
        ("nobody but the worker may write", "only the worker may write"),
        ("do not push unless i said so", "do not push without asking"),
        ("take the flag out of the page", "remove the flag from the page"),
        ("leave `a.md` out of it", "omit a.md from it"),
        ("stop adding comments to files", "don't adding comments to files"),
        ("not without my ok", "not without approval"),
        ("unsigned commits", "omitted signed commits"),
    ],
)
def test_a_turn_of_phrase_is_put_plainly(said: str, meant: str) -> None:
    assert " ".join(plain_words(said).split()) == meant


@pytest.mark.parametrize(
    "text", ["the client is unlikely to notice", "leave early", "an update on monday", "", "."]
)
def test_other_words_stay_as_they_are(text: str) -> None:
    assert plain_words(text) == text

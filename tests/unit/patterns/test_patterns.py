"""What a pattern cannot match without is read off it, and never too much."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.patterns.patterns import OneOf, key_of, needed_strings
from amplihack_compaction.phrasings.english import ENGLISH
from amplihack_compaction.phrasings.markers import LANGUAGES, phrasing_of
from tests import publish_patterns
from tests.publish_patterns import MODULE, module_text


@pytest.mark.parametrize(
    ("source", "strings"),
    [
        ("never", ("never",)),
        (r"\b(?:you|we) (?:must|shall) \w+", ("must", "shall")),
        (r"keep(?:s|ing)? off it", (" off it",)),
        ("colou?r", ("colo",)),
        ("ab+c", ("ab",)),
        ("a{0,2}bc", ("bc",)),
        (r"no\.1", ("no.1",)),
        ("(?!never)always(?=x)", ("always",)),
        ("(?<!bad )luck", ("luck",)),
        ("[]abc]d", ("d",)),
        ("[^]]e[\\]]", ("e",)),
        ("(quick|slow)er", ("slow", "quick")),
        ("must|", ()),
        (r"\w+", ()),
        ("", ()),
        (r"(?i)never", ()),
        (r"(?P<a>never)", ("never",)),
        (r"(never) \1", ()),
        (r"\u3040x", ()),
    ],
)  # fmt: skip
def test_the_strings_a_pattern_needs(source: str, strings: tuple[str, ...]) -> None:
    assert needed_strings(source) == strings


def sources() -> list[str]:
    phrasings = [phrasing_of(language) for language in LANGUAGES]
    patterns = [one for each in phrasings for some in each.anywhere.values() for one in some]
    return [*patterns, *(each.report for each in phrasings)]


def test_what_is_written_down_of_the_patterns_is_what_they_need() -> None:
    assert MODULE.read_text(encoding="utf-8") == module_text()


def test_every_pattern_has_a_number_of_its_own() -> None:
    assert len({key_of(source) for source in publish_patterns.sources()}) == len(
        set(publish_patterns.sources())
    )


def test_without_regard_to_case_a_pattern_is_tried_in_any() -> None:
    several = OneOf(["stra(?:ß|ss)e (?P<n>x+)"], re.IGNORECASE)
    found = several.search("In der Straße XX")
    assert found is not None
    assert found["n"] == "XX"
    assert several.match("In der Straße XX") is None


@given(st.data())
def test_what_a_pattern_finds_is_found_though_it_is_tried_seldom(data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(sources()))
    plain = re.compile(source)
    text = data.draw(st.from_regex(plain) | st.text())
    found, same = plain.search(text), OneOf([source]).search(text)
    assert (found and found.span()) == (same and same.span())


def test_of_several_the_first_that_is_there_is_found() -> None:
    several = OneOf(["never", r"\d+", "always"])
    assert [several.search(text) for text in ("", "once")] == [None, None]
    for text, said in (("always 3, never", "never"), ("always 3", "3"), ("always", "always")):
        found = several.search(text)
        assert found is not None
        assert found.group() == said


def test_most_of_the_phrasing_is_guarded() -> None:
    patterns = [one for some in ENGLISH.anywhere.values() for one in some]
    assert all(needed_strings(one) for one in patterns)


def test_a_brace_that_stands_for_itself_tells_no_string() -> None:
    assert needed_strings("aaaa{b") == ()


def test_a_brace_after_a_repeat_does_not_hide_the_other_choices() -> None:
    assert needed_strings(r"ssn:\s?{|tax-[0-9]{6}") == ()

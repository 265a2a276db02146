"""What a pattern cannot match without is read off it, and never too much."""

import gc
import re
from importlib import import_module
from pkgutil import walk_packages

import pytest
from hypothesis import given
from hypothesis import strategies as st

import amplihack_compaction
from amplihack_compaction.patterns.needed_strings import ALSO, KNOWN
from amplihack_compaction.patterns.patterns import (
    Lazy,
    OneOf,
    also_needed_strings,
    key_of,
    lazily,
    needed_strings,
)
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


@pytest.mark.parametrize(
    ("source", "strings", "more"),
    [
        (r"use [^,]{2,60}? (?:everywhere|for all)", ("for all", "everywhere"), ("use ",)),
        (r"(?:you|we) never (?!fail)\w+", (" never ",), ("we", "you")),
        (r"(?:run|use)\s+`[^`]+`(?=.*\bbefore\b)", ("run", "use"), ()),
        (r"(?:drop|skip) (?:the|all)? ?rules?\b", ("rule",), ("drop", "skip")),
        ("never|(?:we|you) always", ("never", " always"), ()),
        ("(?:we|you)? always", (" always",), ()),
        ("never", ("never",), ()),
        (r"(we|you) never \1", (), ()),
    ],
)
def test_what_a_sequence_needs_beside_its_most_telling_part(
    source: str, strings: tuple[str, ...], more: tuple[str, ...]
) -> None:
    assert (needed_strings(source), also_needed_strings(source)) == (strings, more)


def test_a_pattern_of_two_telling_parts_is_compiled_where_both_stand() -> None:
    tried = 0
    for source in publish_patterns.sources():
        also = ALSO.get(key_of(source), ())
        text = KNOWN[key_of(source)][0] if also else ""
        if not also or any(string in text for string in also):
            continue
        several = OneOf([source])
        assert list(several.among(text)) == []
        assert [found.pattern for found in several.among(f"{text} {also[0]}")] == [source]
        tried += 1
    assert tried > 50


def sources() -> list[str]:
    phrasings = [phrasing_of(language) for language in LANGUAGES]
    patterns = [one for each in phrasings for some in each.anywhere.values() for one in some]
    return [*patterns, *(each.report for each in phrasings)]


def test_what_is_written_down_of_the_patterns_is_what_they_need() -> None:
    assert MODULE.read_text(encoding="utf-8") == module_text()


def test_none_of_several_patterns_is_read_off_at_start() -> None:
    names = (
        found.name
        for found in walk_packages(amplihack_compaction.__path__, "amplihack_compaction.")
    )
    modules = [import_module(name) for name in names if not name.endswith("__main__")]
    several = [
        value for module in modules for value in vars(module).values() if isinstance(value, OneOf)
    ]
    assert len(several) > 3
    assert all(key_of(source) in KNOWN for each in several for source in each._sources)


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


def lazy_patterns() -> list[tuple[str, int]]:
    known = {source for source in publish_patterns.lazy_sources() if key_of(source) in KNOWN}
    given = {value.given for value in gc.get_objects() if isinstance(value, Lazy)}
    return sorted((source, int(flags)) for source, flags in given if source in known)


LATE = lazy_patterns()


@given(st.data())
def test_what_is_compiled_late_finds_the_same(data: st.DataObject) -> None:
    given = data.draw(st.sampled_from(LATE))
    plain = re.compile(*given)
    text = data.draw(st.from_regex(plain) | st.text())
    for name in ("search", "match", "fullmatch"):
        found, same = getattr(plain, name)(text), getattr(lazily(*given), name)(text)
        assert (found and found.span()) == (same and same.span())
    late = [found.span() for found in lazily(*given).finditer(text)]
    assert late == [found.span() for found in plain.finditer(text)]
    assert lazily(*given).findall(text) == plain.findall(text)
    assert lazily(*given).split(text, maxsplit=1) == plain.split(text, maxsplit=1)
    assert lazily(*given).sub("-", text) == plain.sub("-", text)


def test_a_pattern_is_compiled_when_a_text_holds_what_it_needs() -> None:
    late = Lazy(next(source for source, _ in LATE if "decided" in KNOWN[key_of(source)]), re.I)
    assert late.search("Nothing of that") is None
    assert late._pattern is None
    late.search("We DECIDED it")
    assert late._pattern is not None


def test_a_short_pattern_is_compiled_at_once() -> None:
    assert lazily("a+b").search("caab") is not None
    assert lazily("a+b").pattern == "a+b"


@pytest.mark.parametrize("text", ["ıf so", "İF so", "if so", "IF so"])
def test_the_letters_that_a_pattern_takes_for_one_are_one(text: str) -> None:
    assert re.search("if so", text, re.IGNORECASE)
    assert OneOf(["if so"], re.IGNORECASE).search(text)


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

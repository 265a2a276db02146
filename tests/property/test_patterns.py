"""Patterns of one's own: what is accepted is linear on any text."""

import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from amplihack_compaction.patterns.limits import (
    LONGEST_CHARS,
    MOST_STEPS,
    count_steps,
    problem_with_pattern,
    usable_patterns,
)
from amplihack_compaction.patterns.patterns import also_needed_strings, needed_strings
from tests.backtracking import Matcher, TooManyError
from tests.generated_patterns import PATTERNS, TEXTS

# The matcher takes literals one by one, and looks at a part once more when it goes back to it.
STEPS_PER_STEP = 20


@given(PATTERNS, TEXTS)
@example("abab(?:ab|a){1,4}b", "ab" * 60)
@example("[ab]{4}[ab]{1,9}[ab]{1,9}!", "a" * 90)
@example("abab(?:a|b|ab){1,3}!", "ab" * 60)
@example("(?:a|ab){4}[ab]+", "ab" * 60)
def test_an_accepted_pattern_takes_so_many_steps_at_each_place_and_no_more(
    source: str, text: str
) -> None:
    assume(problem_with_pattern(source) == "")
    steps = count_steps(source, MOST_STEPS)
    matcher = Matcher(source, STEPS_PER_STEP * steps * (len(text) + 1))
    found = [match.span() for match in re.finditer(source, text)]
    assert matcher.spans(text) == found


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("(?:a+)+bbbb", "a" * 40),
        ("(?:a|a)*bbbb", "a" * 40),
        ("abab.*b.*b!", "ab" * 300),
        ("[ab]+!!!!", "a" * 300),
        ("(?:a|ab|b|ba){9}!!!!", "ab" * 30),
        ("(?:a{0,9}){0,9}bbbb", "a" * 80),
    ],
)
def test_a_pattern_that_takes_more_is_refused(source: str, text: str) -> None:
    assert problem_with_pattern(source)
    with pytest.raises(TooManyError):
        Matcher(source, 100 * len(text)).spans(text)


@given(st.text(max_size=30))
@example("(")
@example("[[a]bbbb")
@example("a{99999999999999999999}")
@example("(?i)[\0-\U0010ffff]{4}")
@example("(" * 200 + ")" * 200)
@example("aaaa{b")
@example("\ud800aaaa")
@example("x" * (LONGEST_CHARS + 1))
def test_any_text_is_accepted_or_refused_in_words(source: str) -> None:
    problem = problem_with_pattern(source)
    if problem:
        assert problem[0].islower()
        assert usable_patterns([source]) == ([], [f"pattern 1 {problem}"])
    else:
        assert usable_patterns([source, source]) == ([source], [])
        re.compile(source)


@given(PATTERNS, TEXTS)
def test_strings_that_a_pattern_needs_are_in_all_that_it_matches(source: str, text: str) -> None:
    assume(problem_with_pattern(source) == "")
    for strings in (needed_strings(source), also_needed_strings(source)):
        for found in re.finditer(source, text):
            assert not strings or any(string in found.group() for string in strings)

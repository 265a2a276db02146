"""Patterns of one's own: all that they match is replaced, and nothing else."""

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from amplihack_compaction.base.redaction.redact import redact, redact_line, redact_value
from amplihack_compaction.base.redaction.user_patterns import (
    USER_KIND,
    usable_patterns,
    use_patterns,
)
from tests.support.user_patterns import forget_patterns

# Patterns and texts of few letters, so that the patterns match, and fail late.
ATOMS = st.sampled_from(["a", "b", "ab", "[ab]", "[^b]", ".", r"\w", r"\b", "^", "aaaaaaaa"])
COUNTS = st.sampled_from(
    ["", "", "?", "*", "+", "{2}", "{1,3}", "{0,6}", "{2,}", "??", "+?", "++", "{1,4}+", "{1,9}"]
)


def _longer(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    sequences = st.lists(inner, min_size=1, max_size=4).map("".join)
    groups = st.builds("{}{}{}){}".format, st.sampled_from(["(", "(?:", "(?>"]), sequences,
                       st.one_of(st.just(""), sequences.map("|{}".format)), COUNTS)  # fmt: skip
    around = st.builds("{}{})".format, st.sampled_from(["(?=", "(?!", "(?<!"]), ATOMS)
    return st.one_of(sequences, groups, around)


PATTERNS = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "abab", "[ab]{4}", "(?:a|ab){4}"]),
    st.recursive(st.builds("{}{}".format, ATOMS, COUNTS), _longer, max_leaves=6),
    st.sampled_from(["", "", "!", "b"]),
)
TEXTS = st.one_of(
    st.text("ab!\n ", max_size=60),
    st.builds(lambda piece, count: piece * count, st.text("ab", min_size=1, max_size=4),
              st.integers(1, 60)),
)  # fmt: skip

MARK = f"[redacted:{USER_KIND}]"


def redact_with(monkeypatch: pytest.MonkeyPatch, sources: list[str], text: str) -> str:
    forget_patterns(monkeypatch)
    use_patterns(sources)
    return redact(text)


SECRET_PARTS = st.sampled_from(
    ["token=ab1cd2ef3", "-----BEGIN PRIVATE KEY-----", "<private>", "://a:b1@", "[redacted:jwt]",
     "[left out: private]", "sk-" + "ant-" + "a1" * 20, "user-pattern", "abab", "bbb", " ", "\n"]
)  # fmt: skip
ANY_TEXTS = st.one_of(TEXTS, st.lists(st.one_of(SECRET_PARTS, st.text(max_size=5))).map("".join))


@given(st.lists(PATTERNS, min_size=1, max_size=3), ANY_TEXTS)
@example([r"[a-z]{4,9}", "redacted"], "[redacted:jwt] abcd [redacted:user-pattern]")
@example([r"d:user-pattern\] \w{2,5}"], "[redacted:user-pattern] abab [redacted:jwt]")
def test_all_that_patterns_match_is_replaced_and_the_rest_stays(
    sources: list[str], text: str
) -> None:
    usable, _ = usable_patterns(sources)
    with pytest.MonkeyPatch.context() as patch:
        before = redact_with(patch, [], text)
        clean = redact_with(patch, usable, text)
        line = json.loads(redact_line(json.dumps([text])))
    matched = [found.span() for each in usable for found in re.finditer(each, before)]
    assert line == [clean]
    if not matched:
        assert clean == before
    if before == text and "[" not in text:
        covered = [
            any(start <= place < end for start, end in matched) for place in range(len(text))
        ]
        signs = ("\0" if hidden else sign for hidden, sign in zip(covered, text, strict=True))
        assert re.sub(f"(?:{re.escape(MARK)})+", "\0", clean) == re.sub("\0+", "\0", "".join(signs))


LEAVES = st.one_of(ANY_TEXTS, st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False))
NAMES = st.sampled_from(["uuid", "text", "token", "api_key", "content"]) | ANY_TEXTS
VALUES = st.recursive(LEAVES, lambda v: st.lists(v) | st.dictionaries(NAMES, v), max_leaves=12)


@given(VALUES)
def test_a_line_holds_what_is_left_of_its_value(value: object) -> None:
    line = json.dumps(value)
    assert json.loads(redact_line(line)) == redact_value(json.loads(line))

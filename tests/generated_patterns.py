"""Patterns and texts of few letters, so that the patterns match, and fail late."""

from hypothesis import strategies as st

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

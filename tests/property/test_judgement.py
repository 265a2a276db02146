"""Whatever an item and a text say, a verdict comes of it, and the same one every time."""

from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.validation.matching.item_match import JUDGED_KINDS, match
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.matching.verdicts import Label

WORDS = st.sampled_from(
    "never always don't push pushing main ask asking without the user lifted may must only 5 60"
    " files, tests unpushed src/app.py not; allowed. pending: done used instead of npm über"
    " 推送".split()
)
SENTENCES = st.lists(WORDS, max_size=12).map(" ".join)
TEXTS = st.one_of(st.text(max_size=80), SENTENCES)


@given(item=TEXTS, lines=st.lists(TEXTS, max_size=6), kind=st.sampled_from(sorted(JUDGED_KINDS)))
def test_any_item_gets_a_verdict_in_any_text(item: str, lines: list[str], kind: str) -> None:
    found = match(item, TextIndex("\n".join(lines)), kind)
    assert found.label in Label
    assert 0.5 <= found.certainty <= 1
    assert 0 <= found.score <= 1.0001
    assert found == match(item, TextIndex("\n".join(lines)), kind)


@given(item=SENTENCES.filter(lambda text: len(text.split()) > 3), kind=st.sampled_from(["todo"]))
def test_an_item_is_never_lost_in_a_text_that_is_the_item(item: str, kind: str) -> None:
    assert match(item, TextIndex(item), kind).label is not Label.DROPPED

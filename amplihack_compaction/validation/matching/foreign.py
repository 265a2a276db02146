"""Whether only another language keeps an item from being found."""

from amplihack_compaction.text.languages import are_foreign, differ, language_of
from amplihack_compaction.text.strings import has_cjk
from amplihack_compaction.text.words import fold, raw_words
from amplihack_compaction.validation.matching.findings import KEPT_COVERAGE, Finding
from amplihack_compaction.validation.matching.haystack import Haystack
from amplihack_compaction.validation.matching.literals import has_literal
from amplihack_compaction.validation.matching.needle import Needle


def may_be_foreign(
    needle: Needle,
    best: Finding | None,
    against: Finding | None,
    findings: list[Finding],
    haystack: Haystack,
) -> bool:
    """Return whether only another language keeps the item from being found."""
    if best is not None and best.coverage >= KEPT_COVERAGE and not differ(needle.text, best.text):
        return False
    if needle.anchors and not any(has_literal(a, haystack.folded) for a in needle.anchors):
        return False
    named = [f for f in findings if needle.anchors - f.missing_anchors]
    if named and all(f.reports for f in named):
        return False
    if against is not None and not differ(needle.text, against.text):
        return False
    return is_foreign(needle.text, haystack)


def is_foreign(text: str, haystack: Haystack) -> bool:
    """Return whether the item may stand in the text in another language."""
    if len(haystack.units) <= 1 and len(raw_words(haystack.folded)) < len(raw_words(fold(text))):
        return False
    if has_cjk(text) != haystack.has_cjk and (has_cjk(text) or len(haystack.language) == 2):
        return has_cjk(text) or haystack.language in ("zh", "ja", "ko")
    return are_foreign(language_of(text), haystack.language)

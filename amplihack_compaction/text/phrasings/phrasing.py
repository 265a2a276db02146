"""The shape of a language's phrasing: how it states rules, and what only looks like one."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrasing:
    """One language's ways to state a rule, as regular expressions over folded text.

    `opening` is tried where a clause starts, `whole` where the sentence starts, `anywhere` in
    all of it; each maps a kind of rule to its patterns. The others say what speaks against a
    rule, and which question or momentary wish is one all the same (`polite`, `standing`).
    """

    language: str
    opening: Mapping[str, tuple[str, ...]]
    anywhere: Mapping[str, tuple[str, ...]]
    whole: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    openers: str
    report: str
    condition: str
    question: str
    polite: str
    tag: str
    once: str
    narrative: str
    standing: str
    keywords: str = ""
    words: str = ""

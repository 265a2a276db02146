"""A language's phrasing: how it states rules, and what only looks like one, from its data file."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).with_name("languages")
_FRAGMENT = re.compile(r"<<(\w+)>>")


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


@lru_cache
def read_phrasing(language: str) -> Phrasing:
    """Return how one of `LANGUAGES` states rules, its fragments put in their places."""
    data = tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    fragments: dict[str, str] = {}

    def whole(told: Any) -> Any:
        if isinstance(told, str):
            return _FRAGMENT.sub(lambda found: fragments[found[1]], told)
        if isinstance(told, list):
            return tuple([whole(pattern) for pattern in told])
        return {kind: whole(patterns) for kind, patterns in told.items()}

    for name, fragment in data.pop("fragments", {}).items():
        fragments[name] = whole(fragment)
    return Phrasing(language=language, **whole(data))

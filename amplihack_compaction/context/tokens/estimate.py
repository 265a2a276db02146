"""Say what a text costs a model family: straight lines on its characters or its cl100k tokens.

The lines are medians over 52,415 consecutive request pairs of 876 real sessions. What was
measured is what the context grows by from one request to the next, against the text in between,
so `base` holds what the client and the API wrap around it. The errors beside each line are the
measured p50 of one such increment. Families differ by their tokenizer: Claude up to 4.6, and
Opus 4.7, Sonnet 5 and what came since, which costs more.
"""

import re
from dataclasses import dataclass

# A pattern of all five takes two milliseconds to compile, one of what is above the lowest none.
_HIGH = re.compile("[\u1100-\U0010ffff]")
_WIDE = (
    ("\u1100", "\u11ff"), ("\u2e80", "\u9fff"), ("\uac00", "\ud7af"), ("\uf900", "\ufaff"),
    ("\uff00", "\uffef"),
)  # fmt: skip
# One Chinese, Japanese or Korean character is about one token, where the line, measured on
# sessions in Latin script, says less than half of one.
_WIDE_TOKENS = 1.0
_BEFORE_4 = re.compile(r"claude-(?:3|instant|2)")
# The version's second part has one or two digits; eight are the date of the release.
_VERSION = re.compile(r"(opus|sonnet|haiku)-(\d{1,2})(?!\d)(?:-(\d{1,2})(?!\d))?")
_LAST_OLDER = (4, 6)


@dataclass(frozen=True, slots=True)
class CharacterLine:
    """Tokens = `base` + `slope` x characters; half of the increments lie within `error`."""

    base: float
    slope: float
    error: float

    def tokens(self, text: str) -> int:
        """Return the estimated tokens of one injected text."""
        return round(self.base + self.cost(text))

    def cost(self, text: str) -> float:
        """Return what a part of a text adds, in tokens, the base left out."""
        wide = 0 if text.isascii() else sum(map(_is_wide, _HIGH.findall(text)))
        return self.slope * (len(text) - wide) + _WIDE_TOKENS * wide


@dataclass(frozen=True, slots=True)
class TokenLine:
    """Tokens = `base` + `slope` x cl100k tokens; half of the increments lie within `error`."""

    base: float
    slope: float
    error: float


OLDER_LINE = CharacterLine(102, 0.335, 0.13)
NEWER_LINE = CharacterLine(108, 0.44, 0.10)
_OLDER_TOKENS = TokenLine(105, 1.145, 0.079)
_NEWER_TOKENS = TokenLine(88, 1.59, 0.060)
# The factor that the first plan of this package used for every model: 35 and 50 % too low.
_OLDER_LEGACY = TokenLine(0, 0.92, 0.35)
_NEWER_LEGACY = TokenLine(0, 0.92, 0.50)
# Slopes on cl100k where a model had enough pairs of its own.
_MODEL_SLOPES = {
    ("opus", 4, 1): 1.162,
    ("opus", 4, 5): 1.117,
    ("opus", 4, 6): 1.144,
    ("opus", 4, 7): 1.620,
    ("opus", 4, 8): 1.587,
    ("opus", 5, 0): 1.499,
    ("sonnet", 4, 0): 1.094,
    ("sonnet", 4, 5): 1.143,
    ("sonnet", 4, 6): 1.198,
    ("sonnet", 5, 0): 1.562,
}


def _is_wide(sign: str) -> bool:
    return any(first <= sign <= last for first, last in _WIDE)


def line_for(model: str) -> CharacterLine:
    """Return the line on characters of a model's family.

    Unknown models count as new ones, which cost more.
    """
    return OLDER_LINE if _is_older(model) else NEWER_LINE


def token_line_for(model: str) -> TokenLine:
    """Return the line on cl100k tokens of a model: its own slope where one was measured."""
    line = _OLDER_TOKENS if _is_older(model) else _NEWER_TOKENS
    slope = _MODEL_SLOPES.get(_version(model) or ("", 0, 0), line.slope)
    return TokenLine(line.base, slope, line.error)


def legacy_line_for(model: str) -> TokenLine:
    """Return the plain factor of 0.92 with the error that was measured for the model's family."""
    return _OLDER_LEGACY if _is_older(model) else _NEWER_LEGACY


def _is_older(model: str) -> bool:
    version = _version(model)
    if version is None:
        return _BEFORE_4.search(model) is not None
    return version[1:] <= _LAST_OLDER


def _version(model: str) -> tuple[str, int, int] | None:
    """Return name, major and minor version, or None for names of another form."""
    found = None if _BEFORE_4.search(model) else _VERSION.search(model)
    if found is None:
        return None
    return found[1], int(found[2]), int(found[3] or 0)

"""Model families: windows, answers and the lines that estimate tokens, with their sources.

Windows, longest answers and whether the client compacts by itself: the model catalogue of
Claude Code 2.1.330, read in its code; the limits that follow were seen by running it (967,000 on
models with a window of a million, none on those with 200,000). Precision: median error of the
meter against the next response's own numbers, 933 pairs of 21 public sessions.
"""

from dataclasses import dataclass

# What follows the name of a model that the user opened to its longer window.
LONG_SUFFIX = "[1m]"
_K200, _M1 = 200_000, 1_000_000


# Median error of the whole context, by the family's line on characters.
_OLDER_PRECISION, _NEWER_PRECISION = 0.0008, 0.0007


@dataclass(frozen=True, slots=True)
class Family:
    """What is known of the models whose id holds `name`.

    `compacts` tells whether the client compacts before the window is full, unasked; `precision`
    is the meter's median error.
    """

    name: str
    window_tokens: int
    longest_window_tokens: int
    output_tokens: int
    compacts: bool
    precision: float | None


def _older(name: str, output_tokens: int, longest: int = _M1) -> Family:
    return Family(name, _K200, longest, output_tokens, False, _OLDER_PRECISION)


def _newer(name: str, output_tokens: int) -> Family:
    return Family(name, _M1, _M1, output_tokens, True, _NEWER_PRECISION)


FAMILIES = (
    _newer("claude-fable-5", 64_000),
    _newer("claude-mythos-5", 64_000),
    _newer("claude-opus-5", 64_000),
    _newer("claude-sonnet-5", 64_000),
    _newer("claude-haiku-5", 128_000),
    _newer("claude-opus-4-8", 64_000),
    _newer("claude-opus-4-7", 64_000),
    _older("claude-opus-4-6", 64_000),
    _older("claude-sonnet-4-6", 32_000),
    _older("claude-haiku-4-5", 32_000),
    _older("claude-opus-4", 32_000),
    _older("claude-sonnet-4", 32_000),
    _older("claude-3-7-sonnet", 32_000, _K200),
    _older("claude-3", 8_192, _K200),
)
# The client assumes a window of 200,000 tokens for a model it does not know, and keeps to it.
UNKNOWN = Family("", _K200, _M1, 32_000, True, None)


def family_of(model: str) -> Family:
    """Return the family of a model's id in any vendor's spelling; `UNKNOWN` when none fits."""
    lower = model.lower()
    return next((family for family in FAMILIES if family.name in lower), UNKNOWN)


def family_window(model: str, used_tokens: int = 0) -> int:
    """Return a model's window in tokens.

    It is the longer one where the id says so, or where the context has outgrown the usual one.
    """
    family = family_of(model)
    longer = model.endswith(LONG_SUFFIX) or used_tokens > family.window_tokens
    return family.longest_window_tokens if longer else family.window_tokens

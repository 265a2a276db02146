"""Levels of a filling context, and the rungs at which something is done.

A *rung* is the number of a ratio of the limit: 0 below all, then in the order of the settings
compact (1), snapshot (2), summarize (3), checkpoint (4), handoff (5). Three of them begin a level
and are told; at the other two something is done in silence.
"""

import math

from amplihack_compaction.base.settings.settings import Settings
from amplihack_compaction.context.readings import (
    CompactionConfig,
    CompactionLevel,
    ContextStatus,
    ContextWarning,
    Level,
    Severity,
)

RUNGS = ("compact", "snapshot", "summarize", "checkpoint", "handoff")
# So far below its threshold the context has to fall before a rung is told again.
HYSTERESIS_RATIO = 0.05
NEVER_TOKENS = 1 << 62
_LEVELS: dict[int, Level] = {0: "raw", 1: "compact", 3: "summarize", 5: "handoff"}
_ACTIONS = frozenset({2, 4, 5})
_SEVERITIES: dict[Level, Severity] = {
    "compact": "warning",
    "summarize": "critical",
    "handoff": "emergency",
}
_DESCRIPTIONS: dict[Level, str] = {
    "raw": "plenty of room; everything stays as it is",
    "compact": "filling up; what is no longer needed can be left out",
    "summarize": "nearly full; state that matters belongs on disk",
    "handoff": "full; a new session can go on from the handoff document",
}
_RECOMMENDATIONS: dict[Level, str] = {
    "raw": "Nothing needs to be done.",
    "compact": "A good moment to finish the current step, or for /compact at a natural break.",
    "summarize": "Large new outputs would fill it; /compact now keeps control of what is kept.",
    "handoff": "To go on with a fresh context: /clear; what begins then offers this one.",
}


def rung_of(ratio: float, ratios: tuple[float, ...]) -> int:
    """Return the highest rung that a ratio of the limit has reached."""
    return sum(ratio >= each for each in ratios)


def rung_after_fall(told: int, ratio: float, ratios: tuple[float, ...]) -> int:
    """Return the rung that still counts as told; less than before only after a real fall."""
    return min(told, sum(ratio >= each - HYSTERESIS_RATIO for each in ratios))


def band(rung: int, limit_tokens: int, ratios: tuple[float, ...]) -> tuple[int, int]:
    """Return the tokens between which nothing is to be done: from `low`, below `high`."""
    low = math.ceil((ratios[rung - 1] - HYSTERESIS_RATIO) * limit_tokens) if rung else 0
    high = math.ceil(ratios[rung] * limit_tokens) if rung < len(ratios) else NEVER_TOKENS
    return max(0, low), high


def level_of_rung(rung: int) -> Level:
    """Return the level that a rung lies on."""
    return _LEVELS[max(begin for begin in _LEVELS if begin <= rung)]


def begins_level(rung: int) -> bool:
    """Return whether a rung begins a level, which is told."""
    return rung in _LEVELS


def has_action(rung: int) -> bool:
    """Return whether something is written at a rung."""
    return rung in _ACTIONS


def next_threshold(rung: int, ratios: tuple[float, ...]) -> float | None:
    """Return the percentage at which the next level begins; None on the last one."""
    following = [begin for begin in sorted(_LEVELS) if begin > rung]
    return round(100 * ratios[following[0] - 1], 2) if following else None


def description(level: Level) -> str:
    """Return what a level means, in one line."""
    return _DESCRIPTIONS[level]


def recommendation(level: Level) -> str:
    """Return what can be done on a level, in one line."""
    return _RECOMMENDATIONS[level]


def compaction_config(settings: Settings) -> CompactionConfig:
    """Return the levels in force, with what the settings say of their parts."""
    starts = (0.0, *settings.ratios)
    levels = tuple(
        CompactionLevel(level=level, threshold=starts[rung], description=_DESCRIPTIONS[level])
        for rung, level in _LEVELS.items()
    )
    return CompactionConfig(thresholds=levels, token_counter={"api": settings.token_api})


def warning_of(status: ContextStatus) -> ContextWarning | None:
    """Return what a status has to say; None on the level `raw`."""
    if status.level == "raw":
        return None
    message = (
        f"The context is at {status.usage_percentage:.0f} % of its limit"
        f" ({status.current_tokens:,} of {status.max_tokens:,} tokens): level {status.level},"
        f" {_DESCRIPTIONS[status.level]}."
    )
    return ContextWarning(
        severity=_SEVERITIES[status.level],
        message=message,
        action=status.recommendation,
        level=status.level,
    )

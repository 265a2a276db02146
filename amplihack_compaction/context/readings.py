"""How full a session's context is, as plain values that every layer above shares."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from amplihack_compaction.base.field_values import field_values

Level = Literal["raw", "compact", "summarize", "handoff"]
Severity = Literal["warning", "critical", "emergency"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextStatus:
    """How full the context is, measured against the limit at which it overflows.

    `max_tokens` is that limit: the client's own threshold of auto-compaction where that acts,
    else the effective window. `usage_percentage` is of the limit, 0 to 100 and above.
    `precision` is the median relative error of `current_tokens` (0.0008 is 0.08 %), None when
    nothing was measured for this model. `next_threshold` is the percentage at which the next
    level begins, None on the last one.
    """

    current_tokens: int
    max_tokens: int
    usage_percentage: float
    level: Level
    recommendation: str
    can_continue: bool
    source: str = ""
    precision: float | None = None
    window_tokens: int | None = None
    next_threshold: float | None = None
    model: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the status with the camelCase keys of the JSON output."""
        return {_camel(name): content for name, content in field_values(self).items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionLevel:
    """One level and the ratio of the limit (0-1) from which on it holds."""

    level: Level
    threshold: float
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionConfig:
    """What a compactor works with: its levels, and settings of its parts as plain values."""

    thresholds: tuple[CompactionLevel, ...] = ()
    token_counter: Mapping[str, Any] = field(default_factory=dict)
    pruning: Mapping[str, Any] = field(default_factory=dict)
    compaction: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextWarning:
    """What a crossed level has to say, once per level and window."""

    severity: Severity
    message: str
    action: str
    level: Level


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)

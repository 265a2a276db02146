"""Levels of a filling context: how full it is, what that means, and at which ratios each begins.

A *stage* is the number of a ratio of the limit: 0 below all, then in the order of the settings
compact (1), snapshot (2), summarize (3), checkpoint (4), handoff (5). Three of them begin a level
and are told; at the other two something is done in silence. What is due at each is done once in a
window:

    <session>/levels/<BOUNDARY>.<STAGE>    "2 1" once it is begun, "2 2" for the second and last
                                           time, "1" when it is done

Who acts holds the folder's lock, so that of hooks that run in parallel one acts and speaks. A jump
over several stages takes them all. When the context has really fallen, its stages are given back.
What a killed process left half done, and so never spoke of, is done by the next one.
"""

import math
import posix
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.base.files import make_folder, read_bytes, replace_atomically
from amplihack_compaction.base.folders import lock_folder
from amplihack_compaction.base.settings import SETTINGS, Settings

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
        return {_camel(name): content for name, content in asdict(self).items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionLevel:
    """One level and the ratio of the limit (0-1) from which on it holds."""

    level: Level
    threshold: float
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionConfig:
    """What a compactor works with: its levels, and settings of its parts by their names.

    Raises SettingsError for thresholds that do not rise from 0 to 1, and for values out of range.
    """

    thresholds: tuple[CompactionLevel, ...] = ()
    token_counter: Mapping[str, Any] = field(default_factory=dict)
    pruning: Mapping[str, Any] = field(default_factory=dict)
    compaction: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check every value by the setting of its name."""
        ratios = [level.threshold for level in self.thresholds]
        if ratios != sorted(set(ratios)) or not all(0 <= ratio <= 1 for ratio in ratios):
            raise SettingsError(f"thresholds must rise between 0 and 1, not {ratios}")
        for part in (self.token_counter, self.pruning, self.compaction):
            for name, value in part.items():
                problem = SETTINGS[name].problem_with(value) if name in SETTINGS else ""
                if problem:
                    raise SettingsError(f"{name} {problem}")


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


API_MODEL = "claude-sonnet-4-5"
"""What the Messages API counts for where no model is named: its counts differ little by model."""
_PRUNING = (
    "prune_days", "archive_days", "archive_megabytes", "snapshot_days", "snapshot_megabytes",
    "project_context_lines",
)  # fmt: skip
_COMPACTION = ("auto", "feature_tokens", "revert_hours", "backup_days", "backup_megabytes")
STAGES = ("compact", "snapshot", "summarize", "checkpoint", "handoff")
# So far below its threshold the context has to fall before a stage is told again.
HYSTERESIS_RATIO = 0.05
NEVER_TOKENS = 1 << 62
LEVELS: dict[int, Level] = {0: "raw", 1: "compact", 3: "summarize", 5: "handoff"}
"""The stages that begin a level, which is told."""
ACTION_STAGES = frozenset({2, 4, 5})
"""The stages at which something is written."""
_SEVERITIES: dict[Level, Severity] = {
    "compact": "warning", "summarize": "critical", "handoff": "emergency",
}  # fmt: skip
NOT_COMPACTED = "not compacted by the client"
"""Ends the source of a limit at which nothing happens by itself."""
DESCRIPTIONS: dict[Level, str] = {
    "raw": "plenty of room",
    "compact": "filling up",
    "summarize": "nearly full",
    "handoff": "full",
}
"""What each level means, in one line."""
RECOMMENDATIONS: dict[Level, str] = {
    "raw": "Nothing needs to be done.",
    "compact": "A good moment to finish a step, or for /compact.",
    "summarize": "Large outputs would fill it; /compact now keeps control of what is kept.",
    "handoff": "For a fresh context: /clear; the session that begins then can go on from here.",
}
"""What can be done on each level, in one line."""


def stage_of(ratio: float, ratios: tuple[float, ...]) -> int:
    """Return the highest stage that a ratio of the limit has reached."""
    return sum(ratio >= each for each in ratios)


def stage_after_fall(taken: int, ratio: float, ratios: tuple[float, ...]) -> int:
    """Return the stage that still counts as told; less than before only after a real fall."""
    return min(taken, sum(ratio >= each - HYSTERESIS_RATIO for each in ratios))


def band(stage: int, limit_tokens: int, ratios: tuple[float, ...]) -> tuple[int, int]:
    """Return the tokens between which nothing is to be done: from `low`, below `high`."""
    low = math.ceil((ratios[stage - 1] - HYSTERESIS_RATIO) * limit_tokens) if stage else 0
    high = math.ceil(ratios[stage] * limit_tokens) if stage < len(ratios) else NEVER_TOKENS
    return max(0, low), high


def level_of_stage(stage: int) -> Level:
    """Return the level that a stage lies on."""
    return LEVELS[max(begin for begin in LEVELS if begin <= stage)]


def next_threshold(stage: int, ratios: tuple[float, ...]) -> float | None:
    """Return the percentage at which the next level begins; None on the last one."""
    following = [begin for begin in LEVELS if begin > stage]
    return round(100 * ratios[following[0] - 1], 2) if following else None


def status_at(
    tokens: int, limit_tokens: int, settings: Settings, source: str, **more: Any
) -> ContextStatus:
    """Return the status of so many tokens of a limit; `more` are other fields of it."""
    ratio = tokens / limit_tokens
    stage = stage_of(ratio, settings.ratios)
    level = level_of_stage(stage)
    return ContextStatus(
        current_tokens=tokens,
        max_tokens=limit_tokens,
        usage_percentage=round(100 * ratio, 2),
        level=level,
        recommendation=RECOMMENDATIONS[level],
        can_continue=tokens < limit_tokens,
        source=source,
        next_threshold=next_threshold(stage, settings.ratios),
        **more,
    )


def compaction_config(settings: Settings) -> CompactionConfig:
    """Return the levels in force, with what the settings say of their parts."""
    starts = (0.0, *settings.ratios)
    levels = tuple(
        CompactionLevel(level=level, threshold=starts[stage], description=DESCRIPTIONS[level])
        for stage, level in LEVELS.items()
    )
    return CompactionConfig(
        thresholds=levels,
        token_counter={"api": settings.token_api, "model": API_MODEL if settings.token_api else ""},
        pruning={name: getattr(settings, name) for name in _PRUNING},
        compaction={name: getattr(settings, name) for name in _COMPACTION},
    )


def fullness(status: ContextStatus) -> str:
    """Return how full the model's window is, and where it is compacted, or ends if it is not."""
    window = status.window_tokens or status.max_tokens
    full, limit = (round(100 * n / window) for n in (status.current_tokens, status.max_tokens))
    is_off = any(
        name in status.source for name in ("DISABLE_", "autoCompactEnabled", NOT_COMPACTED)
    )
    then = "your limit" if status.source == "settings" else "ends" if is_off else "compacts"
    return f"{full} % full, {then} at {limit} %"


def warning_of(status: ContextStatus) -> ContextWarning | None:
    """Return what a status has to say.

    None on the level `raw`, and from the limit on: the client is about to compact.
    """
    if status.level == "raw" or not status.can_continue:
        return None
    return ContextWarning(
        severity=_SEVERITIES[status.level],
        message=f"Context {fullness(status)}.",
        action=status.recommendation,
        level=status.level,
    )


_DONE = b"1\n"
_BEGUN = {None: b"2 1\n", b"2 1\n": b"2 2\n"}
"""What a mark becomes when its stage is begun: the first time, and again after a killed one."""
_MARK_BYTES = 100


@contextmanager
def crossed_stages(
    folder: str, boundary: int, ratio: float, ratios: tuple[float, ...], *, only_begun: bool = False
) -> Iterator[tuple[list[int], int] | None]:
    """Yield the stages to be acted on now, lowest first, and the highest that counts as told.

    `boundary` is the byte offset of the newest compaction, -1 for none; `ratio` how full the
    context is, of its limit. With `only_begun` none are taken but what a killed process left. Other
    hooks of the session are kept out meanwhile; None where one of them is at it. At the end of the
    `with` block all that is due at these stages is done, or refused for good. Raises OSError when
    the folder cannot be written.
    """
    make_folder(f"{folder}/levels")
    with ExitStack() as held:
        try:
            held.enter_context(lock_folder(f"{folder}/levels", 0))
        except TimeoutError:
            yield None
            return
        paths = {stage: _path(folder, boundary, stage) for stage in range(1, len(STAGES) + 1)}
        marks = {stage: mark for stage in paths if (mark := read_bytes(paths[stage], _MARK_BYTES))}
        standing = stage_after_fall(max(marks, default=0), ratio, ratios)
        for stage in [stage for stage in marks if stage > standing]:
            del marks[stage]
            posix.unlink(paths[stage])
        highest = max(standing, stage_of(ratio, ratios))
        wanted = list(marks) if only_begun else range(1, highest + 1)
        due = [stage for stage in wanted if marks.get(stage) in _BEGUN]
        for stage in due:
            replace_atomically(paths[stage], _BEGUN[marks.get(stage)])
        yield due, highest
        for stage in due:
            replace_atomically(paths[stage], _DONE)


def _path(folder: str, boundary: int, stage: int) -> str:
    return f"{folder}/levels/{max(boundary, 0)}.{STAGES[stage - 1]}"

"""The settings: what can be set, and what is in force in a project (cold).

The class below is the one table: checks, schema, documentation and environment names are made
from it. A value is taken from the first of these that has a usable one:

    AMPLIHACK_COMPACTION_<NAME>             the environment
    <project>/.claude/compaction.json       the project's file, shared with who works on it
    <client's folder>/compaction.json       the user's own file
    the default

What somebody else's repository could do harm with is settled by `Trust`. A value that cannot be
used is reported, and what it would have replaced serves: settings never stop a hook.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from amplihack_compaction.base.redaction.own_patterns import use_patterns
from amplihack_compaction.base.settings.layers import (
    Layer,
    Resolved,
    Setting,
    Trust,
    read_layers,
    read_table,
    resolve_layers,
    setting,
)


class OnLoss(StrEnum):
    """What the Stop hook does when something that mattered is missing after a compaction."""

    CONTINUE = "continue"
    PROMPT = "prompt"
    BLOCK = "block"
    OFF = "off"


class FreshStart(StrEnum):
    """What SessionStart does about a session that can be gone on with."""

    OFFER = "offer"
    INJECT = "inject"
    OFF = "off"


class Switch(StrEnum):
    """Whether something is done at all."""

    ON = "on"
    OFF = "off"


def _days(default: float, what: str, low: float = 1) -> float:
    return setting(default, what, low, 36_500, trust=Trust.OWN_FIRST)


def _megabytes(default: int, what: str) -> int:
    return setting(default, what, 1, 1_000_000, trust=Trust.OWN_FIRST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings in force.

    Each is its default, what it is for, and the smallest and largest number that makes sense. To
    add one, add it here, and run `python -m tests.publish_settings`.
    """

    on_loss: OnLoss = setting(
        OnLoss.CONTINUE, "what Stop does when something that mattered is missing after a compaction"
    )
    injection_tokens: int = setting(
        2000,
        "token budget of the injected state; the client's limit of 10,000 UTF-16 units holds in"
        " any case",
        400,
        20_000,
    )
    summary_hint_characters: int = setting(2000, "longest text for the summariser", 0, 10_000)
    ledger_items: int = setting(400, "items of each kind that a session's ledger keeps", 20, 10_000)
    snapshots: int = setting(40, "snapshots kept per session", 1, 1_000, trust=Trust.OWN_FIRST)
    window_copies: int = setting(
        20,
        "redacted window transcripts kept per session; 0 writes none",
        0,
        1_000,
        trust=Trust.OWN_FIRST,
    )
    compact_ratio: float = setting(
        0.70,
        "where level `compact` begins, as a ratio of the limit",
        0,
        1,
    )
    snapshot_ratio: float = setting(0.80, "where the automatic snapshot is taken", 0, 1)
    summarize_ratio: float = setting(0.85, "where level `summarize` begins", 0, 1)
    checkpoint_ratio: float = setting(0.90, "where the safety checkpoint is made", 0, 1)
    handoff_ratio: float = setting(
        0.95, "where level `handoff` begins and the handoff document is written", 0, 1
    )
    context_limit_tokens: int | None = setting(
        None,
        "the limit itself, in tokens, where you know it better than the client's settings tell",
        1_000,
        100_000_000,
    )
    fresh_start: FreshStart = setting(
        FreshStart.OFFER,
        "what a new session is given of one that can be gone on with: one line, all of it, nothing",
        trust=Trust.OWN_FIRST,
    )
    store: Switch = setting(
        Switch.ON, "`off` keeps nothing in the session store", trust=Trust.OWN_FIRST
    )
    store_megabytes: int = setting(
        2048,
        "above this the oldest sessions leave the store",
        1,
        10_000_000,
        trust=Trust.OWN_FIRST,
    )
    store_days: int = setting(
        0,
        "sessions not gone on with for so many days leave the store too; 0 keeps them",
        0,
        100_000,
        trust=Trust.OWN_FIRST,
    )
    token_api: bool = setting(
        False,
        "count tokens with the Messages API where a key is set; never in a hook",
        trust=Trust.OWN_ONLY,
    )
    features_folder: str = setting(
        "features", "the folder whose folders are features", is_folder=True
    )
    planning_folder: str = setting(
        ".planning", "the folder with PLAN.md, STATE.md and ROADMAP.md", is_folder=True
    )
    auto: bool = setting(
        False,
        "compact the active feature's files by itself: level `compact` at `compact_ratio`,"
        " `summarize` at `summarize_ratio`",
        trust=Trust.OWN_FIRST,
    )
    feature_tokens: int = setting(
        80_000,
        "how large a feature's texts may become; its levels are ratios of that",
        1_000,
        100_000_000,
    )
    revert_hours: float = setting(
        24.0,
        "how long a compaction is taken back without `--force`",
        0,
        87_600,
        trust=Trust.OWN_FIRST,
    )
    backup_days: float = _days(30.0, "how long backups are kept, at least `revert_hours`")
    backup_megabytes: int = _megabytes(
        200, "how large the backups of one feature may become; the oldest go first"
    )
    prune_days: float = _days(30.0, "what is older goes to the archive with `context prune`", 0)
    archive_days: float = _days(365.0, "how long the archive is kept")
    archive_megabytes: int = _megabytes(
        200, "how large the archive of one feature may become; the oldest goes first"
    )
    snapshot_days: float = _days(
        90.0, "`context prune` drops the snapshots of sessions that are older"
    )
    snapshot_megabytes: int = _megabytes(
        500, "`context prune` drops the oldest snapshots where all together are larger"
    )
    project_context_lines: int = setting(
        500,
        "the length to which `context prune` brings `.claude/memory/project-context.md`, in lines",
        20,
        1_000_000,
    )
    redact_patterns: tuple[str, ...] = setting(
        (), "what else is a secret and redacted everywhere, as regular expressions"
    )

    @property
    def ratios(self) -> tuple[float, ...]:
        """Where each level and action begins, ascending, as ratios of the limit."""
        return tuple(getattr(self, name) for name in RATIOS)


SETTINGS: dict[str, Setting] = read_table(Settings)
# In the order in which they have to ascend.
RATIOS = (
    "compact_ratio",
    "snapshot_ratio",
    "summarize_ratio",
    "checkpoint_ratio",
    "handoff_ratio",
)


def load_settings(root: str) -> tuple[Settings, list[str]]:
    """Return the settings in force in a project and what is wrong, one sentence each.

    Whoever asks works on that project: its patterns of what is a secret are in force from then on.
    """
    resolved = resolve_settings(root)
    use_patterns(resolved.values["redact_patterns"])
    return Settings(**resolved.values), [str(problem) for problem in resolved.problems]


def resolve_settings(
    root: str, environment: Mapping[str, str] | None = None, other: Layer | None = None
) -> Resolved:
    """Return what is in force in a project, with where it comes from and what is wrong.

    `environment` is that of this process by default; `other` stands in the place of the layer of
    its scope, to try it before it is written.
    """
    layers = read_layers(root, os.environ if environment is None else environment, SETTINGS)
    tried = [other if other is not None and each.scope == other.scope else each for each in layers]
    return resolve_layers(tried, SETTINGS, RATIOS)

"""The project's settings: `.claude/compaction.json`, checked by pydantic (cold).

    {
      "on_loss": "continue",            what Stop does about a loss: continue, prompt, block, off
      "injection_tokens": 2000,         token budget of the injected state
      "summary_hint_characters": 2000,  longest text for the summariser
      "ledger_items": 400,              items of each kind that a session's ledger keeps
      "snapshots": 40,                  snapshots kept per session
      "window_copies": 20,              redacted window transcripts kept per session
      "compact_ratio": 0.70,            where level `compact` begins, as a ratio of the limit
      "snapshot_ratio": 0.80,           where the automatic snapshot is taken
      "summarize_ratio": 0.85,          where level `summarize` begins
      "checkpoint_ratio": 0.90,         where the safety checkpoint is made
      "handoff_ratio": 0.95,            where level `handoff` begins and its document is written
      "context_limit_tokens": null,     the limit itself, where the user knows it better
      "fresh_start": "offer",           in a new session: offer, inject, off
      "store": "on",                    keep what is said findable: on, off
      "store_megabytes": 2048,          above this the oldest sessions leave the store
      "store_days": 0,                  and those older than this; 0 keeps them
      "token_api": false,               count tokens over the network where a key is set
      "features_folder": "features",    where `feature status NAME` looks, below the project
      "planning_folder": ".planning",   PLAN.md, STATE.md and ROADMAP.md, below the project
      "auto": false,                    compact the active feature's files at the levels
      "feature_tokens": 80000,          how large a feature's texts may become
      "revert_hours": 24,               how long a compaction is reverted without --force
      "backup_days": 30,                how long backups are kept, at least `revert_hours`
      "backup_megabytes": 200,          and how large they may become, for each feature
      "prune_days": 30,                 what is older is archived by `context prune`
      "archive_days": 365,              how long the archive is kept
      "archive_megabytes": 200,         and how large it may become, for each feature
      "snapshot_days": 90,              `context prune` drops snapshots of older sessions
      "snapshot_megabytes": 500,        and the oldest where all together are larger
      "project_context_lines": 500      to which `context prune` brings the project's memory
    }

A file that cannot be used is reported and the defaults serve: settings never stop a hook.
"""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from amplihack_compaction.files import read_bytes
from amplihack_compaction.scanner import parse_object

SETTINGS_FILE = ".claude/compaction.json"
_SIZE_LIMIT_BYTES = 1024 * 1024


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings in force; see the module for their units."""

    on_loss: OnLoss = OnLoss.CONTINUE
    injection_tokens: int = 2000
    summary_hint_characters: int = 2000
    ledger_items: int = 400
    snapshots: int = 40
    window_copies: int = 20
    compact_ratio: float = 0.70
    snapshot_ratio: float = 0.80
    summarize_ratio: float = 0.85
    checkpoint_ratio: float = 0.90
    handoff_ratio: float = 0.95
    context_limit_tokens: int | None = None
    fresh_start: FreshStart = FreshStart.OFFER
    store: Switch = Switch.ON
    store_megabytes: int = 2048
    store_days: int = 0
    token_api: bool = False
    features_folder: str = "features"
    planning_folder: str = ".planning"
    auto: bool = False
    feature_tokens: int = 80_000
    revert_hours: float = 24.0
    backup_days: float = 30.0
    backup_megabytes: int = 200
    prune_days: float = 30.0
    archive_days: float = 365.0
    archive_megabytes: int = 200
    snapshot_days: float = 90.0
    snapshot_megabytes: int = 500
    project_context_lines: int = 500

    @property
    def ratios(self) -> tuple[float, ...]:
        """Where each level and action begins, ascending, as ratios of the limit."""
        return tuple(getattr(self, name) for name in RATIOS)


# In the order in which they have to ascend.
RATIOS = (
    "compact_ratio",
    "snapshot_ratio",
    "summarize_ratio",
    "checkpoint_ratio",
    "handoff_ratio",
)
_SIZES = ("backup_megabytes", "archive_megabytes", "snapshot_megabytes")
# The smallest and largest value that makes sense of each number.
_RANGES: dict[str, tuple[float, float]] = {
    "injection_tokens": (200, 20_000),
    "summary_hint_characters": (0, 10_000),
    "ledger_items": (20, 10_000),
    "snapshots": (1, 1_000),
    "window_copies": (0, 1_000),
    "store_megabytes": (1, 10_000_000),
    "store_days": (0, 100_000),
    "context_limit_tokens": (1_000, 100_000_000),
    "feature_tokens": (1_000, 100_000_000),
    "revert_hours": (0.0, 87_600.0),
    "project_context_lines": (20, 1_000_000),
    **dict.fromkeys(("backup_days", "archive_days", "snapshot_days"), (1.0, 36_500.0)),
    "prune_days": (0.0, 36_500.0),
    **dict.fromkeys(_SIZES, (1, 1_000_000)),
    **dict.fromkeys(RATIOS, (0.0, 1.0)),
}
_FOLDERS = ("features_folder", "planning_folder")


def load_settings(root: str) -> tuple[Settings, list[str]]:
    """Return the project's settings and what is wrong with its file, one sentence each.

    A value that cannot be used leaves its default in force; the other values still count.
    """
    path = f"{root}/{SETTINGS_FILE}"
    data = read_bytes(path, _SIZE_LIMIT_BYTES)
    if data is None or not data.strip():
        return Settings(), []
    values = parse_object(data)
    if values is None:
        return Settings(), [f"{SETTINGS_FILE} is not a JSON object; the defaults are in force"]
    return _check(values)


def _check(values: dict[str, Any]) -> tuple[Settings, list[str]]:
    from pydantic import TypeAdapter, ValidationError

    known = {field.name for field in fields(Settings)}
    problems = [_unknown(name, known) for name in values if name not in known and name != "$schema"]
    usable = {name: value for name, value in values.items() if name in known}
    adapter = TypeAdapter(Settings)
    while True:
        try:
            settings = adapter.validate_python(usable)
        except ValidationError as error:
            for detail in error.errors():
                name = str(detail["loc"][0])
                usable.pop(name, None)
                problems.append(f"{SETTINGS_FILE}: {name}: {detail['msg']}; the default is used")
            continue
        wrong = _wrong_values(settings)
        if not wrong:
            return settings, problems
        for name in [name for name in wrong if name in usable]:
            usable.pop(name)
            problems.append(f"{SETTINGS_FILE}: {name}: {wrong[name]}; the default is used")


def _wrong_values(settings: Settings) -> dict[str, str]:
    """Return what is wrong with values of the right type, by name.

    Ratios that do not ascend are wrong together: which one was meant otherwise cannot be told.
    """
    wrong = {
        name: f"must lie between {low} and {high}"
        for name, (low, high) in _RANGES.items()
        if not _in_range(getattr(settings, name), low, high)
    }
    for name in _FOLDERS:
        folder = getattr(settings, name)
        if not folder or folder.startswith("/") or ".." in folder.split("/") or "\0" in folder:
            wrong[name] = "must name a folder below the project"
    if not wrong and list(settings.ratios) != sorted(set(settings.ratios)):
        wrong = dict.fromkeys(RATIOS, "the ratios must ascend")
    return wrong


def _in_range(value: float | None, low: float, high: float) -> bool:
    return value is None or low <= value <= high


def _unknown(name: str, known: set[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{SETTINGS_FILE}: unknown key {name!r}{hint}"

"""The project's settings: `.claude/compaction.json`, checked by pydantic (cold).

    {
      "on_loss": "continue",            what Stop does about a loss: continue, prompt, block, off
      "injection_tokens": 2000,         token budget of the injected state
      "summary_hint_characters": 2000,  longest text for the summariser
      "ledger_items": 400,              items of each kind that a session's ledger keeps
      "snapshots": 40,                  snapshots kept per session
      "window_copies": 20               redacted window transcripts kept per session
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings in force; see the module for their units."""

    on_loss: OnLoss = OnLoss.CONTINUE
    injection_tokens: int = 2000
    summary_hint_characters: int = 2000
    ledger_items: int = 400
    snapshots: int = 40
    window_copies: int = 20


# The smallest and largest value that makes sense of each number.
_RANGES = {
    "injection_tokens": (200, 20_000),
    "summary_hint_characters": (0, 10_000),
    "ledger_items": (20, 10_000),
    "snapshots": (1, 1_000),
    "window_copies": (0, 1_000),
}


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
        outside = [name for name in _RANGES if not _in_range(name, getattr(settings, name))]
        if not outside:
            return settings, problems
        for name in outside:
            usable.pop(name)
            low, high = _RANGES[name]
            problems.append(
                f"{SETTINGS_FILE}: {name}: must lie between {low} and {high}; the default is used"
            )


def _in_range(name: str, value: int) -> bool:
    low, high = _RANGES[name]
    return low <= value <= high


def _unknown(name: str, known: set[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{SETTINGS_FILE}: unknown key {name!r}{hint}"

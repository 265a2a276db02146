"""What decides when the client compacts: its models' windows, and what the user has set.

Windows, longest answers and whether the client compacts by itself: the model catalogue of
Claude Code 2.1.330, read in its code; the limits that follow were seen by running it (967,000 on
models with a window of a million, none on those with 200,000). Precision: median error of the
meter against the next response's own numbers, 933 pairs of 21 public sessions.

The settings file of the user, of the project and the project's local one are read in this order;
what a later one says counts. Their `env` blocks count as the environment, as in the client. Reading
is tolerant: what the client would ignore is ignored here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from amplihack_compaction.base.files import read_bytes
from amplihack_compaction.base.folders import read_inside
from amplihack_compaction.base.settings import config_path, parse_settings

N = TypeVar("N", int, float)
# What follows the name of a model that the user opened to its longer window.
LONG_SUFFIX = "[1m]"
_K200, _M1 = 200_000, 1_000_000


@dataclass(frozen=True, slots=True)
class Family:
    """What is known of the models whose id holds `name`.

    `compacts` tells whether the client compacts before the window is full, unasked; `precision`
    is the meter's median error, of the whole context by the family's line on characters.
    """

    name: str
    window_tokens: int
    longest_window_tokens: int
    output_tokens: int
    compacts: bool
    precision: float | None


FAMILIES = (
    Family("claude-fable-5", _M1, _M1, 64_000, True, 0.0007),
    Family("claude-mythos-5", _M1, _M1, 64_000, True, 0.0007),
    Family("claude-opus-5", _M1, _M1, 64_000, True, 0.0007),
    Family("claude-sonnet-5", _M1, _M1, 64_000, True, 0.0007),
    Family("claude-haiku-5", _M1, _M1, 128_000, True, 0.0007),
    Family("claude-opus-4-8", _M1, _M1, 64_000, True, 0.0007),
    Family("claude-opus-4-7", _M1, _M1, 64_000, True, 0.0007),
    Family("claude-opus-4-6", _K200, _M1, 64_000, False, 0.0008),
    Family("claude-sonnet-4-6", _K200, _M1, 32_000, False, 0.0008),
    Family("claude-haiku-4-5", _K200, _M1, 32_000, False, 0.0008),
    Family("claude-opus-4", _K200, _M1, 32_000, False, 0.0008),
    Family("claude-sonnet-4", _K200, _M1, 32_000, False, 0.0008),
    Family("claude-3-7-sonnet", _K200, _K200, 32_000, False, 0.0008),
    Family("claude-3", _K200, _K200, 8_192, False, 0.0008),
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


WINDOW_VARIABLE = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
PERCENT_VARIABLE = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
_SWITCHES = ("DISABLE_AUTO_COMPACT", "DISABLE_COMPACT")
_OUTPUT_VARIABLE = "CLAUDE_CODE_MAX_OUTPUT_TOKENS"
_CONTEXT_VARIABLE = "CLAUDE_CODE_MAX_CONTEXT_TOKENS"
# A smaller window is raised to this one by the client (seen by running 2.1.330).
SMALLEST_WINDOW_TOKENS = 100_000
_IN_PROJECT = (".claude/settings.json", ".claude/settings.local.json")
_SIZE_LIMIT_BYTES = 16 * 1024 * 1024
_MOST_TOKENS = 1_000_000_000
_TRUE = frozenset({"1", "true", "yes", "on"})


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """What was set: None where nothing was. `window_name` and `off_name` say by which name."""

    window_tokens: int | None = None
    window_name: str = ""
    percent: float | None = None
    off_name: str = ""
    output_tokens: int | None = None
    context_tokens: int | None = None
    compaction_off: bool = False


def read_client_settings(root: str, model: str, environment: Mapping[str, str]) -> ClientSettings:
    """Return what is set for a model in a project."""
    folder = config_path()
    shared = (read_inside(root, path, _SIZE_LIMIT_BYTES, linked=True) for path in _IN_PROJECT)
    files = [_read(f"{folder}/settings.json"), *(parse_settings(each) or {} for each in shared)]
    env = dict(environment)
    for settings in files:
        block = settings.get("env")
        if isinstance(block, dict):
            env.update({name: str(value) for name, value in block.items()})
    window, window_name = _window(files, model, env)
    return ClientSettings(
        window,
        window_name,
        _number(float, env.get(PERCENT_VARIABLE), 100),
        _off(files, env, folder),
        _number(int, env.get(_OUTPUT_VARIABLE), _MOST_TOKENS),
        _number(int, env.get(_CONTEXT_VARIABLE), _MOST_TOKENS),
        _is_true(env.get("DISABLE_COMPACT")),
    )


def parse_window(value: Any) -> int | None:
    """Return a window in tokens from a number or a text like `200k` or `1m`; None for neither.

    As in the client, a window below the smallest one becomes that.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip().lower().replace("_", "")
    factor = {"k": 1_000, "m": 1_000_000}.get(text[-1:], 1)
    try:
        tokens = float(text[:-1] if factor > 1 else text) * factor
    except ValueError:
        return None
    if not 1 <= tokens <= _MOST_TOKENS:
        return None
    return max(SMALLEST_WINDOW_TOKENS, round(tokens))


def _window(
    files: list[dict[str, Any]], model: str, env: Mapping[str, str]
) -> tuple[int | None, str]:
    window = parse_window(env.get(WINDOW_VARIABLE))
    if window is not None:
        return window, WINDOW_VARIABLE
    found: int | None = None
    for settings in files:
        plain = parse_window(settings.get("autoCompactWindow"))
        for_model = _model_window(settings.get("modelSettings"), model)
        found = for_model or plain or found
    return found, "autoCompactWindow" if found else ""


def _model_window(by_model: Any, model: str) -> int | None:
    if not isinstance(by_model, dict):
        return None
    bare = model.removesuffix(LONG_SUFFIX)
    for name, settings in by_model.items():
        if isinstance(settings, dict) and name and bare.startswith(name.removesuffix(LONG_SUFFIX)):
            return parse_window(settings.get("autoCompactWindow"))
    return None


def _off(files: list[dict[str, Any]], env: Mapping[str, str], folder: str) -> str:
    for name in _SWITCHES:
        if _is_true(env.get(name)):
            return name
    # Older clients keep it in their state file, beside the home's folder or in the named one.
    state = f"{folder}/.claude.json" if env.get("CLAUDE_CONFIG_DIR") else f"{folder}.json"
    values = [settings.get("autoCompactEnabled") for settings in (_read(state), *files)]
    said = [value for value in values if isinstance(value, bool)]
    return "autoCompactEnabled" if said and not said[-1] else ""


def _read(path: str) -> dict[str, Any]:
    """Return what a file of the user's own says; it may be a link to where they keep such files."""
    return parse_settings(read_bytes(path, _SIZE_LIMIT_BYTES, follow=True)) or {}


def _is_true(value: str | None) -> bool:
    return value is not None and value.strip().lower() in _TRUE


def _number(read: Callable[[str], N], value: str | None, most: int) -> N | None:
    """Return what a text is read as; None for what is none, not above zero, or above the most."""
    try:
        number = read(value or "")
    except ValueError:
        return None
    return number if 0 < number <= most else None

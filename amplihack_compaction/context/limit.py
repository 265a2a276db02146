"""Find the limit: the tokens at which the client compacts, or else has no room for an answer.

threshold = min(effective * percent / 100, effective - 13,000), where
effective = min(model's window, configured window) - min(longest answer, 20,000)

as seen by running Claude Code 2.1.330. Where the client does not compact by itself, the limit is
the effective window of the model.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from amplihack_compaction.base.settings.settings import Settings
from amplihack_compaction.clients.claude_code.client_settings import (
    PERCENT_VARIABLE,
    ClientSettings,
    read_client_settings,
)
from amplihack_compaction.clients.claude_code.model_families import (
    UNKNOWN,
    Family,
    family_of,
    family_window,
)
from amplihack_compaction.context.status_line_record import Told, read_told

ANSWER_RESERVE_TOKENS = 20_000
COMPACTION_RESERVE_TOKENS = 13_000


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit in tokens, the window it belongs to, and who said so.

    `problem` says which source could not be read, that may know better.
    """

    tokens: int
    window_tokens: int
    source: str
    problem: str = ""


def resolve_limit(
    root: str,
    model: str,
    settings: Settings,
    environment: Mapping[str, str],
    used_tokens: int = 0,
    session_id: str = "",
) -> Limit:
    """Return the limit for a model in a project's session, from the first source that knows it.

    `used_tokens` is what the model has been sent already: a window cannot be smaller.
    """
    client = read_client_settings(root, model, environment)
    told = read_told(root, model, session_id)
    window = _window(model, client, told, used_tokens)
    if settings.context_limit_tokens is not None:
        return Limit(settings.context_limit_tokens, window, "settings")
    return replace(_from_client(model, client, told, window), problem=told.problem)


def _window(model: str, client: ClientSettings, told: Told, used_tokens: int) -> int:
    named = client.context_tokens
    if named is not None and (client.compaction_off or family_of(model) is UNKNOWN):
        return named
    if told.window_tokens is not None and told.window_tokens >= used_tokens:
        return told.window_tokens
    return family_window(model, used_tokens)


def _from_client(model: str, client: ClientSettings, told: Told, window: int) -> Limit:
    family = family_of(model)
    if client.off_name:
        return Limit(_effective(window, family, client), window, f"client: {client.off_name}")
    if client.window_tokens is not None:
        effective = _effective(min(window, client.window_tokens), family, client)
        return Limit(_threshold(effective, client.percent), window, f"client: {client.window_name}")
    effective = _effective(window, family, client)
    if not _compacts(family, window):
        # An automatic compaction below the window shows that this client does compact.
        if told.limit_tokens is not None and told.limit_tokens < effective:
            return Limit(told.limit_tokens, window, "learnt")
        return Limit(effective, window, _window_source(told, family))
    threshold = _threshold(effective, client.percent)
    if client.percent is not None:
        return Limit(threshold, window, f"client: {PERCENT_VARIABLE}")
    if told.window_tokens is None and told.limit_tokens is not None:
        return Limit(told.limit_tokens, window, "learnt")
    return Limit(threshold, window, _window_source(told, family))


def _compacts(family: Family, window: int) -> bool:
    """Return whether the client compacts unasked; models opened to a longer window are not."""
    return family.compacts and (family is not UNKNOWN or window <= UNKNOWN.window_tokens)


def _window_source(told: Told, family: Family) -> str:
    if told.window_tokens is not None:
        return "statusline"
    return f"model family {family.name}" if family.name else "unknown model"


def _effective(window: int, family: Family, client: ClientSettings) -> int:
    longest = min(client.output_tokens or family.output_tokens, ANSWER_RESERVE_TOKENS)
    return max(1, window - longest)


def _threshold(effective: int, percent: float | None) -> int:
    threshold = effective - COMPACTION_RESERVE_TOKENS
    if percent is not None:
        threshold = min(int(effective * percent / 100), threshold)
    return max(1, threshold)

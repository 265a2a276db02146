"""Measure how full a session's context is.

Tokens are the newest response's own numbers and an estimate of what came after it. Between a
compaction and the first response after it they are what the client says it kept, plus the fixed
overhead that each request carries: system prompt, tools, instructions, files read again.
"""

import json
import os
import posix
from collections.abc import Mapping
from dataclasses import dataclass

from amplihack_compaction.base.files import open_regular, parse_object, read_range
from amplihack_compaction.base.limits import LINE_LIMIT_BYTES
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.base.settings.settings import Settings, load_settings
from amplihack_compaction.clients.claude_code.compaction_limits import family_of
from amplihack_compaction.clients.reading import (
    Usage,
    estimate_tokens,
    find_boundaries,
    newest_usage,
    text_characters,
    usage_of,
)
from amplihack_compaction.context.levels import (
    ContextStatus,
    level_of_stage,
    next_threshold,
    recommendation,
    stage_of,
)
from amplihack_compaction.context.limit import Limit, read_model_notes, resolve_limit
from amplihack_compaction.context.tokens.estimate import line_for
from amplihack_compaction.context.watch import read_band, without_breaks

# A response may stand behind one line of the largest size; beyond two of these it is not sought.
_SEARCH_BYTES = 2 * LINE_LIMIT_BYTES
_HEAD_BYTES = 1024 * 1024
_AFTER_BOUNDARY_BYTES = 4 * 1024 * 1024
# Where a session has not shown its own: between the 21,000 of a plain one and the 44,000 of one
# with many tools and files (first response after a compaction less `postTokens`).
_USUAL_OVERHEAD_TOKENS = 30_000


@dataclass(frozen=True, slots=True)
class Measure:
    """The context's tokens and whose they are; `exact` says that they rest on a response."""

    tokens: int
    model: str
    boundary: int
    exact: bool


# No setting of the client makes it compact below this; a smaller number is an odd one.
_LEAST_LIMIT_TOKENS = 5_000


def read_status(
    root: str,
    session_id: str,
    transcript_path: str,
    *,
    environment: Mapping[str, str] | None = None,
    settings: Settings | None = None,
) -> ContextStatus | None:
    """Return how full the context is; None while no response has told its numbers.

    `environment` is the client's own where it is not this process's. Raises OSError when the
    transcript cannot be read.
    """
    measure = measure_context(root, transcript_path)
    if measure is None:
        return None
    settings = settings or load_settings(root)[0]
    seen = os.environ if environment is None else environment
    limit = resolve_limit(root, measure.model, settings, seen, measure.tokens, session_id)
    if "CLAUDECODE" not in seen and not limit.source.startswith("settings"):
        limit = _as_the_hooks_saw_it(root, session_id, measure.model) or limit
    return make_status(measure, limit, settings)


def make_status(measure: Measure, limit: Limit, settings: Settings) -> ContextStatus:
    """Return the status of a measured context."""
    ratio = measure.tokens / limit.tokens
    stage = stage_of(ratio, settings.ratios)
    level = level_of_stage(stage)
    return ContextStatus(
        current_tokens=measure.tokens,
        max_tokens=limit.tokens,
        usage_percentage=round(100 * ratio, 2),
        level=level,
        recommendation=recommendation(level),
        can_continue=measure.tokens < limit.tokens,
        source=limit.source,
        precision=family_of(measure.model).precision if measure.exact else None,
        window_tokens=limit.window_tokens,
        next_threshold=next_threshold(stage, settings.ratios),
        model=measure.model,
    )


def measure_context(root: str, transcript_path: str) -> Measure | None:
    """Return the context's tokens now; None while no response has told its numbers.

    Costs the same for every size of the file. Raises OSError when it cannot be read.
    """
    descriptor = open_regular(transcript_path)
    try:
        size = posix.fstat(descriptor).st_size
        usage = newest_usage(descriptor, size, _SEARCH_BYTES)
        if usage is None:
            return None
        base, per_1000 = character_line(usage.model)
        boundaries, _ = find_boundaries(descriptor, usage.offset, size)
        if boundaries:
            tokens = _after_boundary(descriptor, root, usage, boundaries[-1], size)
            return Measure(tokens, usage.model, boundaries[-1], exact=False)
        tokens = estimate_tokens(descriptor, usage, size, base, per_1000)
        return Measure(tokens, usage.model, -1, exact=True)
    finally:
        posix.close(descriptor)


def character_line(model: str) -> tuple[int, int]:
    """Return the base and the tokens per 1,000 characters of a model's line, in whole numbers."""
    line = line_for(model)
    return round(line.base), round(1000 * line.slope)


def read_compaction(transcript_path: str, boundary: int) -> tuple[int | None, int | None]:
    """Return what a compaction teaches: the tokens it began at, and the overhead after it.

    None for what it does not: a manual one begins anywhere, older clients do not say what they
    kept, and without a response after it the overhead is not known.
    """
    try:
        descriptor = open_regular(transcript_path)
    except OSError:
        return None, None
    try:
        data = read_range(descriptor, boundary, _AFTER_BOUNDARY_BYTES)
    finally:
        posix.close(descriptor)
    metadata = _metadata(data)
    before, kept = _tokens(metadata, "preTokens"), _tokens(metadata, "postTokens")
    first = _first_usage(data)
    overhead = first.input_tokens - kept if first is not None and kept else 0
    automatic = metadata.get("trigger") == "auto"
    believed = before if automatic and (before or 0) >= _LEAST_LIMIT_TOKENS else None
    return believed, overhead if overhead > 0 else None


def _after_boundary(descriptor: int, root: str, usage: Usage, boundary: int, size: int) -> int:
    data = read_range(descriptor, boundary, min(size - boundary, _AFTER_BOUNDARY_BYTES))
    kept = _tokens(_metadata(data), "postTokens")
    base, per_1000 = character_line(usage.model)
    characters = 0
    for line in data.split(b"\n")[1:]:
        entry = parse_object(line)
        # What the client says it kept holds the summary already.
        if entry is not None and not (kept and entry.get("isCompactSummary")):
            characters += text_characters(entry) if entry.get("type") == "user" else 0
    overhead = read_model_notes(root, usage.model).overhead_tokens or _head_overhead(descriptor)
    return (kept or 0) + overhead + base + characters * per_1000 // 1000


def _head_overhead(descriptor: int) -> int:
    """Return what the session's first request held: nearly all of it is the fixed overhead."""
    first = _first_usage(read_range(descriptor, 0, _HEAD_BYTES))
    if first is None:
        return _USUAL_OVERHEAD_TOKENS
    return min(first.input_tokens, 2 * _USUAL_OVERHEAD_TOKENS)


def _first_usage(data: bytes) -> Usage | None:
    for line in data.split(b"\n"):
        usage = usage_of(parse_object(line), 0) if b'"usage"' in line else None
        if usage is not None:
            return usage
    return None


def _metadata(data: bytes) -> dict[str, object]:
    entry = parse_object(data.partition(b"\n")[0]) or {}
    metadata = entry.get("compactMetadata")
    return metadata if isinstance(metadata, dict) else {}


def _tokens(metadata: dict[str, object], name: str) -> int | None:
    value = metadata.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _as_the_hooks_saw_it(root: str, session_id: str, model: str) -> Limit | None:
    """Return the limit that the session's own hooks found, in the client's environment."""
    band = read_band(session_folder(root, session_id))
    if band is None or band.model != without_breaks(model):
        return None
    details = parse_object(band.details) or {}
    tokens, window = details.get("limit_tokens"), details.get("window_tokens")
    if not isinstance(tokens, int) or not isinstance(window, int) or tokens <= 0:
        return None
    return Limit(tokens, window, str(details.get("source") or ""))


def limit_details(limit: Limit) -> bytes:
    """Return a limit as the session's band keeps it."""
    details = {
        "limit_tokens": limit.tokens,
        "window_tokens": limit.window_tokens,
        "source": limit.source,
    }
    return json.dumps(details).encode()

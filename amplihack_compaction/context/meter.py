"""Measure how full a session's context is, and find the limit at which the client compacts.

Tokens are the newest response's own numbers and an estimate of what came after it. Between a
compaction and the first response after it they are what the client says it kept, plus the fixed
overhead that each request carries: system prompt, tools, instructions, files read again.

threshold = min(effective * percent / 100, effective - 13,000), where
effective = min(model's window, configured window) - min(longest answer, 20,000)

as seen by running Claude Code 2.1.330. Where the client does not compact by itself, the limit is
the effective window of the model. What a project's sessions have shown of their models is noted in
`<runtime>/context.json`: the window that a statusline was told last, the tokens at the last
automatic compactions, and the overheads: what the first response after one had, less what was kept.

It is a notebook: a lost update is noted again. Models stand without the mark of a longer window.
Two sessions of one model may have windows of different size, so each also notes its own, in
`<session>/window.json`.
"""

import json
import os
import posix
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from amplihack_compaction.base.errors import TranscriptError, reason_of
from amplihack_compaction.base.files import (
    append_line,
    parse_object,
    read_bytes,
    read_kept,
    replace_atomically,
)
from amplihack_compaction.base.folders import opened
from amplihack_compaction.base.paths import prepare_runtime, runtime_folder, session_folder
from amplihack_compaction.base.settings import Settings, load_settings
from amplihack_compaction.base.signature import own_part, signed
from amplihack_compaction.base.size_limits import LINE_LIMIT_BYTES, LOG_LIMIT_BYTES
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.clients import tail_of
from amplihack_compaction.clients.claude_code.compaction_limits import (
    LONG_SUFFIX,
    PERCENT_VARIABLE,
    UNKNOWN,
    ClientSettings,
    Family,
    family_of,
    family_window,
    read_client_settings,
)
from amplihack_compaction.clients.reading import (
    Usage,
    iterate_entries,
    text_characters,
    told_limit,
    usage_of,
)
from amplihack_compaction.clients.session_lines import read_boundary
from amplihack_compaction.context.estimate import line_for
from amplihack_compaction.context.levels import NOT_COMPACTED, ContextStatus, status_at
from amplihack_compaction.context.quiet_band import read_band, without_breaks
from amplihack_compaction.transcript.session import Entry

_OWN_FILE = "window.json"
_FILE = "context.json"
_VERSION = 1
_KEPT = 5
_MODELS = 50
# More than any context holds.
_LARGEST_TOKENS = 100_000_000
_LIMIT_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class ModelNotes:
    """What is known of one model in a project, or in a session of it; None where nothing is.

    `limit_tokens` is the least of the last compactions: each began a little above the limit.
    `problem` says why nothing is known that may have been noted.
    """

    window_tokens: int | None = None
    limit_tokens: int | None = None
    overhead_tokens: int | None = None
    problem: str = ""


def model_notes_path(root: str) -> str:
    """Return the notebook's path."""
    return f"{runtime_folder(root)}/{_FILE}"


def read_model_notes(root: str, model: str, session_id: str = "") -> ModelNotes:
    """Return what is known of a model; the window is the session's own where it told one."""
    problem = ""
    try:
        notes = _models(root).get(_key(model), {})
    except OSError as error:
        notes, problem = {}, f"{model_notes_path(root)} cannot be read: {reason_of(error)}"
    limits, overheads = _sizes_in(notes, "limits"), _sizes_in(notes, "overheads")
    own = _own_window(root, model, session_id)
    return ModelNotes(
        notes.get("window_tokens") if own is None else own,
        min(limits) if limits else None,
        sorted(overheads)[len(overheads) // 2] if overheads else None,
        problem,
    )


def _sizes_in(notes: dict[str, Any], name: str) -> list[int]:
    """Return what was noted, without what a damaged line of a transcript once told."""
    return [tokens for tokens in notes.get(name, ()) if 0 < tokens < _LARGEST_TOKENS]


def note_window(root: str, model: str, window_tokens: int, session_id: str) -> bool:
    """Note the window of a session's model; return whether that is news of the session.

    Only then is it noted for the model too: two sessions would otherwise undo each other's note
    with every line of their status bars.
    """
    if _own_window(root, model, session_id) == window_tokens:
        return False
    prepare_runtime(root)
    own = {"version": _VERSION, "model": _key(model), "window_tokens": window_tokens}
    # The session's own note comes last: once it is there, nothing is news any more.
    _note(root, model, lambda _: {"window_tokens": window_tokens})
    path = _own_path(root, session_id)
    replace_atomically(path, signed(json.dumps(own).encode("utf-8", "replace"), path))
    return True


def _own_window(root: str, model: str, session_id: str) -> int | None:
    """Return the window that a session told of a model; None when it told none, or another's."""
    if not session_id:
        return None
    path = _own_path(root, session_id)
    own = parse_object(own_part(read_bytes(path, _LIMIT_BYTES), path) or b"") or {}
    known = own.get("version") == _VERSION and own.get("model") == _key(model)
    return own["window_tokens"] if known else None


def _own_path(root: str, session_id: str) -> str:
    return f"{session_folder(root, session_id)}/{_OWN_FILE}"


def note_compaction(
    root: str, model: str, limit_tokens: int | None, overhead_tokens: int | None
) -> bool:
    """Note what a compaction taught; None for what it did not teach."""
    notes = {"limits": limit_tokens, "overheads": overhead_tokens}
    news = {name: value for name, value in notes.items() if value is not None}
    if not news:
        return False

    def added(notes: dict[str, Any]) -> dict[str, Any]:
        return {name: [*_sizes_in(notes, name), news[name]][-_KEPT:] for name in news}

    _note(root, model, added)
    return True


def _note(root: str, model: str, news_of: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Put what `news_of` makes of a model's notes over them; two readings may tell two things."""
    models = _models(root)
    key = _key(model)
    notes = models.pop(key, {})
    models[key] = {**notes, **news_of(notes)}
    kept = dict(list(models.items())[-_MODELS:])
    prepare_runtime(root)
    text, path = json.dumps({"version": _VERSION, "models": kept}), model_notes_path(root)
    replace_atomically(path, signed(text.encode("utf-8", "replace"), path))


def _models(root: str) -> dict[str, dict[str, Any]]:
    """Return the notes on all models. Raises OSError when they cannot be read now."""
    path = model_notes_path(root)
    content = parse_object(own_part(read_kept(path, _LIMIT_BYTES), path) or b"") or {}
    return content["models"] if content.get("version") == _VERSION else {}


def _key(model: str) -> str:
    return model.removesuffix(LONG_SUFFIX)


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
    transcript_path: str = "",
) -> Limit:
    """Return the limit for a model in a project's session, from the first source that knows it.

    `used_tokens` is what the model has been sent already: a window cannot be smaller. Raises
    OSError when the transcript of a client that tells its limit there cannot be read.
    """
    if settings.context_limit_tokens is None:
        told = told_limit(transcript_path)
        if told is not None:
            return Limit(*told)
    client = read_client_settings(root, model, environment)
    notes = read_model_notes(root, model, session_id)
    if notes.limit_tokens is None and transcript_path:
        notes = replace(notes, limit_tokens=_shown_limit(transcript_path, model))
    window = _window(model, client, notes, used_tokens)
    if settings.context_limit_tokens is not None:
        return Limit(settings.context_limit_tokens, window, "settings")
    return replace(_from_client(model, client, notes, window), problem=notes.problem)


def _window(model: str, client: ClientSettings, notes: ModelNotes, used_tokens: int) -> int:
    named = client.context_tokens
    if named is not None and (client.compaction_off or family_of(model) is UNKNOWN):
        return named
    if notes.window_tokens is not None and notes.window_tokens >= used_tokens:
        return notes.window_tokens
    return family_window(model, used_tokens)


def _from_client(model: str, client: ClientSettings, notes: ModelNotes, window: int) -> Limit:
    family = family_of(model)
    if client.off_name:
        return Limit(_effective(window, family, client), window, f"client: {client.off_name}")
    if client.window_tokens is not None:
        effective = _effective(min(window, client.window_tokens), family, client)
        return Limit(_threshold(effective, client.percent), window, f"client: {client.window_name}")
    effective = _effective(window, family, client)
    if not _compacts(family, window):
        # An automatic compaction below the window shows that this client does compact.
        if notes.limit_tokens is not None and notes.limit_tokens < effective:
            return Limit(notes.limit_tokens, window, "learnt")
        return Limit(effective, window, f"{_window_source(notes, family)}, {NOT_COMPACTED}")
    threshold = _threshold(effective, client.percent)
    if client.percent is not None:
        return Limit(threshold, window, f"client: {PERCENT_VARIABLE}")
    if notes.window_tokens is None and notes.limit_tokens is not None:
        return Limit(notes.limit_tokens, window, "learnt")
    return Limit(threshold, window, _window_source(notes, family))


def _compacts(family: Family, window: int) -> bool:
    """Return whether the client compacts unasked; models opened to a longer window are not."""
    return family.compacts and (family is not UNKNOWN or window <= UNKNOWN.window_tokens)


def _window_source(notes: ModelNotes, family: Family) -> str:
    if notes.window_tokens is not None:
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


# A response may stand behind one line of the largest size; beyond two of these it is not sought.
_SEARCH_BYTES = 2 * LINE_LIMIT_BYTES
_HEAD_BYTES = 1024 * 1024
_AFTER_BOUNDARY_BYTES = 4 * 1024 * 1024
# The newest windows lie in these; a status bar asks several times in a second.
_SHOWN_BYTES = 16 * 1024 * 1024
# Where a session has not shown its own: between the 21,000 of a plain one and the 44,000 of one
# with many tools and files (first response after a compaction less `postTokens`).
_USUAL_OVERHEAD_TOKENS = 30_000
# Files that the client reads again behind a compaction stand in no line; clients that do not tell
# `postTokens` do not count them either. The best of seven values on 40 compactions; on 52 others
# half of the errors are then below 9 %, and were below 17 %.
_READ_AGAIN_TOKENS = 7_000


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
    root: str, session_id: str, transcript_path: str, *, settings: Settings | None = None
) -> ContextStatus | None:
    """Return how full the context is; None while no response has told its numbers.

    Raises OSError when the transcript cannot be read.
    """
    measure = measure_context(root, transcript_path)
    if measure is None:
        return None
    settings = settings or load_settings(root)[0]
    limit = resolve_limit(
        root, measure.model, settings, os.environ, measure.tokens, session_id, transcript_path
    )
    if "CLAUDECODE" not in os.environ and not limit.source.startswith("settings"):
        limit = _as_the_hooks_saw_it(root, session_id, measure.model) or limit
    return make_status(measure, limit, settings)


def make_status(measure: Measure, limit: Limit, settings: Settings) -> ContextStatus:
    """Return the status of a measured context."""
    return status_at(
        measure.tokens,
        limit.tokens,
        settings,
        limit.source,
        precision=family_of(measure.model).precision if measure.exact else None,
        window_tokens=limit.window_tokens,
        model=measure.model,
    )


def measure_context(root: str, transcript_path: str) -> Measure | None:
    """Return the context's tokens now; None while no response has told its numbers.

    Costs the same for every size of the file. Raises OSError when it cannot be read.
    """
    tail = tail_of(transcript_path)
    with opened(transcript_path) as descriptor:
        size = posix.fstat(descriptor).st_size
        usage = tail.newest_usage(descriptor, size, _SEARCH_BYTES)
        if usage is None:
            return None
        base, per_1000 = character_line(usage.model)
        boundaries, _ = tail.find_boundaries(descriptor, usage.offset, size)
        if boundaries:
            tokens = _after_boundary(root, transcript_path, usage, boundaries[-1])
            return Measure(tokens, usage.model, boundaries[-1], exact=False)
        tokens = tail.estimate_tokens(descriptor, usage, size, base, per_1000)
        return Measure(tokens, usage.model, -1, exact=True)


def character_line(model: str) -> tuple[int, int]:
    """Return the base and the tokens per 1,000 characters of a model's line, in whole numbers."""
    line = line_for(model)
    return round(line.base), round(1000 * line.slope)


def read_compaction(transcript_path: str, boundary: int) -> tuple[int | None, int | None]:
    """Return what a compaction teaches: the tokens it began at, and the overhead after it.

    None for what it does not: a manual one begins anywhere, older clients do not say what they
    kept, and without a response after it the overhead is not known.
    """
    entries = iterate_entries(transcript_path, boundary, boundary + _AFTER_BOUNDARY_BYTES)
    try:
        begin = next(entries, None)
        first = _first_usage(entries)
    except TranscriptError:
        return None, None
    found = read_boundary(begin) if begin is not None else None
    if found is None:
        return None, None
    overhead = first.input_tokens - found.post_tokens if first and found.post_tokens else 0
    believed = found.trigger == "auto" and (found.pre_tokens or 0) >= _LEAST_LIMIT_TOKENS
    return found.pre_tokens if believed else None, overhead if overhead > 0 else None


def _shown_limit(transcript_path: str, model: str) -> int | None:
    """Return the least tokens at which a model's last automatic compactions began in a session.

    They prove that the client compacts by itself, also where no hook saw them. None where there
    are none near the end. Raises OSError when the transcript cannot be read.
    """
    tail, key, limits = tail_of(transcript_path), _key(model), list[int]()
    with opened(transcript_path) as descriptor:
        size = posix.fstat(descriptor).st_size
        boundaries, _ = tail.find_boundaries(descriptor, max(0, size - _SHOWN_BYTES), size)
        for boundary in boundaries[-_KEPT:]:
            begun, _ = read_compaction(transcript_path, boundary)
            usage = tail.newest_usage(descriptor, boundary, _SEARCH_BYTES) if begun else None
            if begun and usage is not None and _key(usage.model) == key:
                limits.append(begun)
    return min(limits, default=None)


def _after_boundary(root: str, path: str, usage: Usage, boundary: int) -> int:
    entries = list(iterate_entries(path, boundary, boundary + _AFTER_BOUNDARY_BYTES))
    found = read_boundary(entries[0]) if entries else None
    kept = found.post_tokens if found else None
    base, per_1000 = character_line(usage.model)
    characters = 0
    for data in (entry.data for entry in entries):
        # What the client says it kept holds the summary already.
        if kept is None or not data.get("isCompactSummary"):
            characters += text_characters(data) if data.get("type") == "user" else 0
    overhead = read_model_notes(root, usage.model).overhead_tokens or _head_overhead(path)
    kept = _READ_AGAIN_TOKENS if kept is None else kept
    return kept + overhead + base + characters * per_1000 // 1000


def _head_overhead(path: str) -> int:
    """Return what the session's first request held: nearly all of it is the fixed overhead."""
    first = _first_usage(iterate_entries(path, 0, _HEAD_BYTES))
    if first is None:
        return _USUAL_OVERHEAD_TOKENS
    return min(first.input_tokens, 2 * _USUAL_OVERHEAD_TOKENS)


def _first_usage(entries: Iterable[Entry]) -> Usage | None:
    found = (usage_of(entry.data, entry.offset) for entry in entries)
    return next((usage for usage in found if usage is not None), None)


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


METRICS_FILE = "token_metrics.jsonl"


def record_metric(root: str, session_id: str, status: ContextStatus) -> None:
    """Add a check of a session's context to the project's list of them; it may not fail anything.

    A line is {"at", "session_id", "tokens", "limit", "percent", "level", "source"}.
    """
    line = {
        "at": utc_text(),
        "session_id": session_id,
        "tokens": status.current_tokens,
        "limit": status.max_tokens,
        "percent": status.usage_percentage,
        "level": status.level,
        "source": status.source,
    }
    with suppress(OSError):
        prepare_runtime(root)
        log = f"{runtime_folder(root)}/{METRICS_FILE}"
        append_line(log, json.dumps(line).encode() + b"\n", LOG_LIMIT_BYTES)


@dataclass(frozen=True, slots=True)
class Overflows:
    """Checks of the context; of the sessions that filled up, how many never overflowed."""

    checks: int = 0
    filled: int = 0
    avoided: int = 0

    def __str__(self) -> str:
        """Return the share that was avoided, in words."""
        if not self.filled:
            return "none was near"
        return f"{self.avoided} of {self.filled} session{'s' * (self.filled > 1)} that filled up"


def count_overflows(root: str) -> Overflows:
    """Return what the recorded checks of a project tell; nothing where none is recorded.

    A session filled up when it left the level `raw`, and overflowed at its limit.
    """
    data = read_bytes(f"{runtime_folder(root)}/{METRICS_FILE}", 2 * LOG_LIMIT_BYTES) or b""
    lines = [line for line in map(parse_object, data.splitlines()) if line is not None]
    known = [line for line in lines if isinstance(line.get("percent"), (int, float))]
    filled = {line.get("session_id") for line in known if line.get("level") != "raw"}
    overflowed = {line.get("session_id") for line in known if line["percent"] >= _FULL_PERCENT}
    return Overflows(len(known), len(filled | overflowed), len(filled - overflowed))


_FULL_PERCENT = 100

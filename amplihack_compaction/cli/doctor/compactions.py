"""Rows on past compactions: the last ones with their receipts, and hooks that did not run at them.

A compaction is known by its boundary in a transcript. What our hooks left of it shows which of
them ran: PreCompact a time in its event, SessionStart its receipt, PostCompact its loss report.
Silence is only held against hooks where they were registered: once they left anything of a
compaction of the session, or since the settings file was last written.
"""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import reason_of
from amplihack_compaction.base.files import is_regular, open_regular, parse_object, read_range
from amplihack_compaction.base.hook_log import read_log
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import linked_folder, runtime_folder, session_folder
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.cli.doctor.installation import Installation
from amplihack_compaction.cli.doctor.rows import Row, passed, warned
from amplihack_compaction.cli.sessions import hook_traces
from amplihack_compaction.clients import tail_of
from amplihack_compaction.clients.claude_code.wiring.hook_entries import is_ours
from amplihack_compaction.clients.reading import parser_of, project_transcripts, session_id_of
from amplihack_compaction.compactor.transcripts.manifest import without_unused_copies
from amplihack_compaction.context.meter import boundary_in
from amplihack_compaction.injection.receipts import STATE_MARKER, list_receipts
from amplihack_compaction.text.words import counted, inert
from amplihack_compaction.transcript.session import Boundary
from amplihack_compaction.validation.before_and_after import leads_outside
from amplihack_compaction.validation.events import FILE_NAME, epoch_seconds, read_events

_SHOWN = 5
_LOG_DAYS = 7
_LOG_SHOWN = 3
_AFTER_BOUNDARY_BYTES = 4 * 1024 * 1024
_ANNOUNCED = "pre_compact_at"
_TRACE = b'"hook_success"'

# Whether PreCompact ran, by session and the start of the window.
Announced = dict[tuple[str, Any], bool]
_TRANSCRIPTS = 20


@dataclass(frozen=True, slots=True)
class CheckedCompaction:
    """A compaction of a session: what the transcript shows of it, and what our hooks left.

    `announced` tells whether PreCompact ran; None without an event that could say so.
    `took_ms` is how long our hooks took, by event, where the client wrote it down.
    """

    session_id: str
    boundary: Boundary
    receipts: tuple[dict[str, Any], ...] = ()
    announced: bool | None = None
    judged: bool = False
    delivered: bool = False
    answered: bool = False
    known_session: bool = False
    took_ms: dict[str, float] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """When it was, in seconds since 1970; 0 where that is not known."""
        return epoch_seconds(self.boundary.timestamp) or 0.0


def check_history(installed: Installation) -> list[Row]:
    """Return a row for each of the last compactions of a project's sessions."""
    if linked_folder(installed.root):
        return []
    unread: list[str] = []
    paths = searched_transcripts(installed.root, unread)
    past = read_compactions(installed.root, paths, _SHOWN)
    rows = [_compaction_row(each, installed) for each in past[:_SHOWN]]
    if not rows:
        looked = f"{counted(len(paths), 'transcript')} of this project"
        rows.append(passed(f"no compaction so far; {looked} looked at"))
    return [*rows, *_records(installed.root), *_unread(unread), *_log(installed.root)]


def _records(root: str) -> Iterator[Row]:
    """Yield a row on recorded events whose file is refused."""
    events = read_events(root).events
    refused = [e for e in events if leads_outside(root, e.pre_compaction_transcript_path)]
    if refused:
        text = (
            f"{FILE_NAME}: a transcript outside the project, which is refused, is named by"
            f" {counted(len(refused), 'compaction')}"
        )
        remedy = "remove the entry: our hooks write no such path"
        named = tuple(inert(e.pre_compaction_transcript_path, 200) for e in refused[:_SHOWN])
        yield warned(text, remedy, *named)


def _unread(unread: list[str]) -> Iterator[Row]:
    """Yield a row on the transcripts that hooks and commands leave alone."""
    if unread:
        text = "not all transcripts of this project can be read: nothing is kept of such a session"
        remedy = (
            "make it readable; where it is a link, put the file itself there, or make the"
            " project's whole folder the link"
        )
        yield warned(text, remedy, *unread[:_SHOWN])


def _compaction_row(past: CheckedCompaction, installed: Installation) -> Row:
    boundary = past.boundary
    before, kept = boundary.pre_tokens, boundary.post_tokens
    tokens = f", {before:,} to {kept:,} tokens" if before and kept else ""
    when = boundary.timestamp[:16].replace("T", " ") or "at an unknown time"
    what = f"{when} {boundary.trigger or 'compaction'}{tokens}, session {past.session_id[:8]}"
    told, missed = _what_was_given(past, installed), _missed(past, installed)
    text = f"{what}: {told}"
    if missed:
        names = f"{', '.join(missed[:-1])}{' and ' * (len(missed) > 1)}{missed[-1]}"
        remedy = (
            f"`{own_command()} diagnose` shows more; was the client started with --bare or"
            " --safe-mode, or under a switch named above?"
        )
        return warned(f"{text}; {names} did not run", remedy)
    if past.receipts and past.answered and not past.delivered:
        remedy = "it is given once more with the next prompt or tool use"
        return warned(f"{text}, but the transcript does not show it", remedy)
    return passed(text)


def _what_was_given(past: CheckedCompaction, installed: Installation) -> str:
    if not past.receipts:
        if past.delivered:
            return "told by another session's hooks"
        is_older = bool(installed.hooks) and not _was_registered(past, installed)
        return f"nothing of ours was told{', before the hooks were registered' * is_older}"
    parts = []
    for receipt in past.receipts:
        event = str(receipt.get("event") or "a hook")[:40]
        took = f" in {past.took_ms[event]:.0f} ms" if event in past.took_ms else ""
        parts.append(f"{event} told the model {receipt.get('utf16', '?')} characters{took}")
    return ", then ".join(parts)


def _missed(past: CheckedCompaction, installed: Installation) -> list[str]:
    """Name the hooks that left nothing of a compaction at which they were registered."""
    if not _was_registered(past, installed):
        return []
    events = {hook.event for hook in installed.hooks}
    missed = []
    if "PreCompact" in events and past.announced is False:
        missed.append("PreCompact")
    if "SessionStart" in events and not past.receipts and not past.delivered:
        missed.append("SessionStart")
    if "PostCompact" in events and not past.judged:
        missed.append("PostCompact")
    return missed


def _was_registered(past: CheckedCompaction, installed: Installation) -> bool:
    """Return whether our hooks of a compaction are known to have been registered at its time."""
    since = [
        _modified(place.scope.path)
        for place, hook in installed.registered
        if hook.event in ("SessionStart", "PostCompact")
    ]
    return bool(installed.hooks) and (
        past.known_session or bool(since and past.seconds > min(since))
    )


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()


def _log(root: str) -> Iterator[Row]:
    """Yield a row on what the hooks complained of lately."""
    since = utc_text(time.time() - _LOG_DAYS * 86_400)
    recent = [line for line in read_log(root) if line > since]
    if recent:
        text = f"the hooks logged {counted(len(recent), 'problem')} in the last {_LOG_DAYS} days"
        remedy = f"read {runtime_folder(root)}/hooks.log"
        yield warned(text, remedy, *recent[-_LOG_SHOWN:])
    else:
        yield passed(f"the hooks logged nothing in the last {_LOG_DAYS} days")


def read_compactions(root: str, paths: list[Path], newest: int) -> list[CheckedCompaction]:
    """Return so many of the last compactions of each transcript, the newest of all first.

    Of those that a fork copied only the original is among them.
    """
    announced = {
        (event.session_id, event.extra.get("window_start")): bool(event.extra[_ANNOUNCED])
        for event in read_events(root).events
        if _ANNOUNCED in event.extra
    }
    by_uuid: dict[str, CheckedCompaction] = {}
    for path in paths:
        for past in _compactions_of(root, path, newest, announced):
            known = by_uuid.get(past.boundary.uuid)
            if known is None or (past.receipts and not known.receipts):
                by_uuid[past.boundary.uuid] = past
    return sorted(by_uuid.values(), key=lambda each: each.seconds, reverse=True)


def _compactions_of(
    root: str, path: Path, newest: int, announced: Announced
) -> Iterator[CheckedCompaction]:
    """Yield a transcript's newest compactions; only the boundaries themselves are parsed."""
    try:
        descriptor = open_regular(str(path))
    except OSError:
        return
    try:
        size = os.fstat(descriptor).st_size
        tail, parse, session_id = tail_of(path), parser_of(path), session_id_of(path)
        offsets, _ = tail.find_boundaries(descriptor, 0, size)
        folder = session_folder(root, session_id)
        receipts = list_receipts(folder) if offsets else []
        for place, offset in list(enumerate(offsets))[-newest:]:
            start = offsets[place - 1] if place else 0
            end = (*offsets, size)[place + 1]
            after = read_range(descriptor, offset, min(end - offset, _AFTER_BOUNDARY_BYTES))
            boundary = boundary_in(after, parse)
            if boundary is None:
                continue
            lines = after.split(b"\n")
            judged = is_regular(f"{folder}/losses/{start}.json")
            yield CheckedCompaction(
                session_id,
                boundary,
                tuple(each for each in receipts if each.get("window_start") == start),
                announced=announced.get((session_id, start)),
                judged=judged,
                delivered=any(tail.DELIVERED_MARK in ln and STATE_MARKER in ln for ln in lines),
                answered=tail.ANSWER_MARK in after,
                known_session=judged or any(_ran_at(each, start) for each in receipts),
                took_ms=_times(lines),
            )
    finally:
        os.close(descriptor)


def _ran_at(receipt: dict[str, Any], start: int) -> bool:
    """Return whether a receipt shows that our hooks ran when the window from `start` was compacted.

    Hooks that came later make up for the last compaction: that receipt shows nothing of it.
    """
    window = receipt.get("window_start")
    if not isinstance(window, int):
        return False
    return window < start or (window == start and receipt.get("event") == "SessionStart")


def _times(lines: list[bytes]) -> dict[str, float]:
    """Return how long our hooks of the compaction took, by event, as the client noted it."""
    found: dict[str, float] = {}
    for line in lines:
        entry = parse_object(line) if _TRACE in line else None
        for trace in hook_traces(entry or {}):
            if is_ours(trace.command) and trace.milliseconds is not None:
                found.setdefault(trace.event, trace.milliseconds)
    return found


def searched_transcripts(root: str, unread: list[str]) -> list[Path]:
    """Return the newest transcripts of a project.

    `unread` gets a sentence for each that is there and cannot be read.
    """
    newest = project_transcripts(root, unread)[:_TRANSCRIPTS]
    readable = [path for path in newest if _is_readable(path, unread)]
    return without_unused_copies(root, readable)


def _is_readable(path: Path, unread: list[str]) -> bool:
    try:
        os.close(open_regular(str(path)))
    except FileNotFoundError:
        return False  # gone since it was listed
    except OSError as error:
        if error.errno is not None:  # else it is no file at all, and nobody's transcript
            unread.append(f"{path}: {reason_of(error)}")
        return False
    return True

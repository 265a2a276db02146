"""Rows on past compactions: the last ones with their receipts, and hooks that did not run at them.

A compaction is known by its boundary in a transcript. What our hooks left of it shows which of
them ran: PreCompact a time in its event, SessionStart its receipt, PostCompact its loss report.
Silence is only held against hooks where they were registered: once they left anything of a
compaction of the session, or since the settings file was last written.
"""

import errno
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import reason_of
from amplihack_compaction.base.files import is_regular, read_range
from amplihack_compaction.base.folders import opened
from amplihack_compaction.base.hook_log import read_log
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import linked_folder, runtime_folder, session_folder
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.cli.doctor.installation import Installation
from amplihack_compaction.cli.doctor.rows import Row, passed, warned
from amplihack_compaction.clients import tail_of
from amplihack_compaction.clients.reading import iterate_entries, project_transcripts, session_id_of
from amplihack_compaction.clients.session_lines import read_boundary
from amplihack_compaction.compactor.transcripts.manifest import without_unused_copies
from amplihack_compaction.injection.position import arrived
from amplihack_compaction.injection.receipts import list_receipts
from amplihack_compaction.text.words import counted
from amplihack_compaction.transcript.session import Boundary
from amplihack_compaction.validation.events import epoch_seconds, read_events
from amplihack_compaction.validation.losses import losses_path

_SHOWN = 5
_TRANSCRIPTS = 20
_LOG_DAYS = 7
_LOG_SHOWN = 3
_AFTER_BOUNDARY_BYTES = 4 * 1024 * 1024
_ANNOUNCED = "pre_compact_at"


@dataclass(frozen=True, slots=True)
class _Compaction:
    """A compaction of a session: what the transcript shows of it, and what our hooks left.

    `silent` are the events whose hooks left nothing; `known_session` says that ours ran in it.
    """

    session_id: str
    boundary: Boundary
    receipts: list[dict[str, Any]]
    silent: list[str]
    delivered: bool
    answered: bool
    known_session: bool

    @property
    def seconds(self) -> float:
        """When it was, in seconds since 1970; 0 where that is not known."""
        return epoch_seconds(self.boundary.timestamp) or 0.0


def check_history(installed: Installation) -> list[Row]:
    """Return a row for each of a project's last compactions; of those of a fork, the original's."""
    root = installed.root
    if linked_folder(root):
        return []
    unread: list[str] = []
    by_uuid: dict[str, _Compaction] = {}
    read = 0
    for path in without_unused_copies(root, project_transcripts(root, unread)[:_TRANSCRIPTS]):
        try:
            for past in _compactions_of(root, path):
                known = by_uuid.get(past.boundary.uuid)
                if known is None or (past.receipts and not known.receipts):
                    by_uuid[past.boundary.uuid] = past
            read += 1
        except OSError as error:
            # It may be gone since it was listed, or be no file at all, and nobody's transcript.
            if error.errno not in (None, errno.ENOENT):
                unread.append(f"{path}: {reason_of(error)}")
    newest = sorted(by_uuid.values(), key=lambda each: each.seconds, reverse=True)[:_SHOWN]
    rows = [_compaction_row(each, installed) for each in newest]
    if not rows:
        looked = f"{counted(read, 'transcript')} of this project"
        rows.append(passed(f"no compaction so far; {looked} looked at"))
    if unread:
        text = "not all transcripts of this project can be read: nothing is kept of such a session"
        remedy = (
            "make it readable; where it is a link, put the file itself there, or make the"
            " project's whole folder the link"
        )
        rows.append(warned(text, remedy, *unread[:_SHOWN]))
    return [*rows, *_log(root)]


def _compaction_row(past: _Compaction, installed: Installation) -> Row:
    boundary = past.boundary
    before, kept = boundary.pre_tokens, boundary.post_tokens
    tokens = f", {before:,} to {kept:,} tokens" if before and kept else ""
    when = boundary.timestamp[:16].replace("T", " ") or "at an unknown time"
    what = f"{when} {boundary.trigger or 'compaction'}{tokens}, session {past.session_id[:8]}"
    was_registered = _was_registered(past, installed)
    told = ((str(r.get("event") or "a hook")[:40], r.get("utf16", "?")) for r in past.receipts)
    given = ", then ".join(f"{hook} told the model {size} characters" for hook, size in told)
    others = "told by another session's hooks" if past.delivered else "nothing of ours was told"
    text = f"{what}: {given or others}"
    if not (past.receipts or past.delivered or was_registered) and installed.hooks:
        text += ", before the hooks were registered"
    events = {hook.event for hook in installed.hooks}
    missed = [event for event in past.silent if event in events and was_registered]
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


def _was_registered(past: _Compaction, installed: Installation) -> bool:
    """Return whether our hooks of a compaction are known to have been registered at its time."""
    if past.known_session:
        return bool(installed.hooks)
    since = set()
    for place, hook in installed.registered:
        if hook.event in ("SessionStart", "PostCompact"):
            with suppress(OSError):
                since.add(place.scope.path.stat().st_mtime)
    return bool(since) and past.seconds > min(since)


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


def _compactions_of(root: str, path: Path) -> Iterator[_Compaction]:
    """Yield a transcript's newest compactions; only the boundaries themselves are parsed."""
    tail, session_id = tail_of(path), session_id_of(path)
    folder = session_folder(root, session_id)
    with opened(str(path)) as descriptor:
        size = os.fstat(descriptor).st_size
        offsets, _ = tail.find_boundaries(descriptor, 0, size)
        if not offsets:
            return
        receipts, announced = list_receipts(folder), _announced(root, session_id)
        bounds = [0, *offsets, size]
        windows = list(zip(bounds, offsets, bounds[2:], strict=False))
        for start, offset, end in windows[-_SHOWN:]:
            after = read_range(descriptor, offset, min(end - offset, _AFTER_BOUNDARY_BYTES))
            line = next(iterate_entries(path, offset, offset + 1), None)
            boundary = read_boundary(line) if line is not None else None
            if boundary is None:
                continue
            own = [each for each in receipts if each.get("window_start") == start]
            delivered = arrived(tail.DELIVERED_MARK, after)
            judged = is_regular(losses_path(folder, start))
            left = {
                "PreCompact": announced.get(start, True),
                "SessionStart": bool(own) or delivered,
                "PostCompact": judged,
            }
            yield _Compaction(
                session_id, boundary, own, [event for event in left if not left[event]],
                delivered, tail.ANSWER_MARK in after,
                judged or any(_ran_at(each, start) for each in receipts),
            )  # fmt: skip


def _announced(root: str, session_id: str) -> dict[Any, bool]:
    """Return whether PreCompact ran, by the start of the window; older events do not tell."""
    return {
        event.extra.get("window_start"): bool(event.extra[_ANNOUNCED])
        for event in read_events(root).events
        if event.session_id == session_id and _ANNOUNCED in event.extra
    }


def _ran_at(receipt: dict[str, Any], start: int) -> bool:
    """Return whether a receipt shows that our hooks ran when the window from `start` ended."""
    window = receipt.get("window_start")
    if not isinstance(window, int):
        return False
    # Hooks that came later make up for the last compaction: that receipt shows nothing of it.
    return window < start or (window == start and receipt.get("event") == "SessionStart")

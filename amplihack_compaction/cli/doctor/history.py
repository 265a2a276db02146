"""Rows on what happened: the last compactions with their receipts, and hooks that did not run.

Silence is only held against hooks where they were registered: once they left anything of a
compaction of the session, or since the settings file was last written.
"""

import time
from collections.abc import Iterator
from pathlib import Path

from amplihack_compaction.base.files import read_bytes
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.limits import LOG_LIMIT_BYTES
from amplihack_compaction.base.paths import linked_folder, runtime_folder
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.cli.doctor.past_compactions import Past, read_past
from amplihack_compaction.cli.doctor.past_transcripts import searched_transcripts
from amplihack_compaction.cli.doctor.rows import Grade, Row
from amplihack_compaction.cli.doctor.subject import Subject
from amplihack_compaction.clients.claude_code.wiring.merge import Registered
from amplihack_compaction.text.strings import counted

GROUP = "compactions"
_SHOWN = 5
_LOG_DAYS = 7
_LOG_SHOWN = 3


def check_history(subject: Subject) -> list[Row]:
    """Return a row for each of the last compactions of a project's sessions."""
    if linked_folder(subject.root):
        return []
    unread: list[str] = []
    paths = searched_transcripts(subject.root, unread)
    past = read_past(subject.root, paths, _SHOWN)
    rows = [_row(each, subject) for each in past[:_SHOWN]]
    if not rows:
        looked = f"{counted(len(paths), 'transcript')} of this project"
        rows.append(Row(GROUP, Grade.PASS, f"no compaction so far; {looked} looked at"))
    return [*rows, *_unread(unread), *_log(subject.root)]


def _unread(unread: list[str]) -> Iterator[Row]:
    """Yield a row on the transcripts that hooks and commands leave alone."""
    if unread:
        text = "not all transcripts of this project can be read: nothing is kept of such a session"
        remedy = (
            "make it readable; where it is a link, put the file itself there, or make the"
            " project's whole folder the link"
        )
        yield Row(GROUP, Grade.WARNING, text, remedy, details=tuple(unread[:_SHOWN]))


def _row(past: Past, subject: Subject) -> Row:
    boundary = past.boundary
    before, kept = boundary.pre_tokens, boundary.post_tokens
    tokens = f", {before:,} to {kept:,} tokens" if before and kept else ""
    when = boundary.timestamp[:19] or "at an unknown time"
    what = f"{when} {boundary.trigger or 'compaction'}{tokens}, session {past.session_id[:8]}"
    told, missed = _told(past, subject), _missed(past, subject)
    text = f"{what}: {told}"
    if missed:
        names = f"{', '.join(missed[:-1])}{' and ' * (len(missed) > 1)}{missed[-1]}"
        remedy = (
            f"`{own_command()} diagnose` shows more; was the client started with --bare or"
            " --safe-mode, or under a switch named above?"
        )
        return Row(GROUP, Grade.WARNING, f"{text}; {names} did not run", remedy)
    if past.receipts and past.answered and not past.delivered:
        remedy = "it is given once more with the next prompt or tool use"
        return Row(GROUP, Grade.WARNING, f"{text}, but the transcript does not show it", remedy)
    return Row(GROUP, Grade.PASS, text)


def _told(past: Past, subject: Subject) -> str:
    if not past.receipts:
        if past.delivered:
            return "told by another session's hooks"
        is_older = bool(_hooks(subject)) and not _was_registered(past, subject)
        return f"nothing of ours was told{', before the hooks were registered' * is_older}"
    parts = []
    for receipt in past.receipts:
        event = str(receipt.get("event") or "a hook")[:40]
        took = f" in {past.took_ms[event]} ms" if event in past.took_ms else ""
        parts.append(f"{event} told the model {receipt.get('utf16', '?')} characters{took}")
    return ", then ".join(parts)


def _missed(past: Past, subject: Subject) -> list[str]:
    """Name the hooks that left nothing of a compaction at which they were registered."""
    if not _was_registered(past, subject):
        return []
    events = {hook.event for hook in _hooks(subject)}
    missed = []
    if "PreCompact" in events and past.announced is False:
        missed.append("PreCompact")
    if "SessionStart" in events and not past.receipts and not past.delivered:
        missed.append("SessionStart")
    if "PostCompact" in events and not past.judged:
        missed.append("PostCompact")
    return missed


def _was_registered(past: Past, subject: Subject) -> bool:
    """Return whether our hooks of a compaction are known to have been registered at its time."""
    since = [
        _modified(place.scope.path)
        for place, hook in subject.registered
        if hook.event in ("SessionStart", "PostCompact")
    ]
    return bool(_hooks(subject)) and (
        past.known_session or bool(since and past.seconds > min(since))
    )


def _hooks(subject: Subject) -> list[Registered]:
    """Return our hooks of all settings files, and the plugin's."""
    plugin = subject.plugin.hooks if subject.plugin is not None else ()
    return [*(hook for _, hook in subject.registered), *plugin]


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()


def _log(root: str) -> Iterator[Row]:
    """Yield a row on what the hooks complained of lately."""
    path = f"{runtime_folder(root)}/hooks.log"
    lines = (read_bytes(path, 2 * LOG_LIMIT_BYTES) or b"").decode("utf-8", "replace").splitlines()
    since = utc_text(time.time() - _LOG_DAYS * 86_400)
    recent = [line for line in lines if line > since]
    if recent:
        text = f"the hooks logged {counted(len(recent), 'problem')} in the last {_LOG_DAYS} days"
        remedy = f"read {path}"
        yield Row(GROUP, Grade.WARNING, text, remedy, details=tuple(recent[-_LOG_SHOWN:]))
    else:
        yield Row(GROUP, Grade.PASS, f"the hooks logged nothing in the last {_LOG_DAYS} days")

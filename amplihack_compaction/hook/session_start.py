"""SessionStart: inject the state after a compaction, or offer to go on with an earlier session.

After a compaction of Claude Code's the summary exists, but the transcript still has no boundary: it
is the complete file from before; others write the boundary first. Nearly always PreCompact has
read the window a moment ago, and its text is handed out; when something was said since, it is
read again.

In a new session the offer is by default one line for the user and the model; with the setting
`fresh_start` as `inject` it is the whole state, and the new session's ledger begins with it, so
that it survives this session's compactions too. It is made once, and only asked for where an offer
lies in the project's folder.
"""

import os
import time
from typing import TYPE_CHECKING, Any

from amplihack_compaction.base.files import is_regular
from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.installation import COMMAND_NAME, own_command
from amplihack_compaction.base.paths import prepare_runtime, session_folder
from amplihack_compaction.base.settings import FreshStart, load_settings
from amplihack_compaction.clients import tail_of
from amplihack_compaction.clients.claude_code.answers import additional_context
from amplihack_compaction.handoff.session_offers import Offer, forget_end, remove_old, take_offer
from amplihack_compaction.injection.position import observe
from amplihack_compaction.injection.receipts import Prepared, read_prepared, take_receipt

if TYPE_CHECKING:
    from amplihack_compaction.handoff.fresh_start import FreshStartContext

EVENT = "SessionStart"
COMMAND_FILE = ".claude/commands/fresh-start.md"
_LOOP = 3


def answer_session_start(payload: dict[str, Any], root: str) -> str:
    """Return the injection after a compaction (source `compact`), once for each, or an offer."""
    if payload.get("source") != "compact":
        return _offer(payload, root)
    folder, path = session_folder(root, payload["session_id"]), payload["transcript_path"]
    ready = read_prepared(folder, path)  # where it still tells the whole window
    text = ready.text if ready is not None and _take_receipt(payload, root, folder, ready) else ""
    if not text and tail_of(path).BOUNDARY_COMES_FIRST:
        return _make_up(payload, root, folder)
    text = text or _read_again(payload, root)
    return additional_context(EVENT, text, _alarm(root, payload["session_id"])) if text else ""


def _make_up(payload: dict[str, Any], root: str, folder: str) -> str:
    """Return the injection where the boundary is written already, and nothing was handed out."""
    from amplihack_compaction.hook.late_injection import inject_missing

    position = observe(root, folder, payload["transcript_path"], look_back=True)
    missing = position is not None and position.missing
    return inject_missing(payload, root, folder, position) if position and missing else ""


def _alarm(root: str, session_id: str) -> str:
    """Return what the user is told: that nothing can be stored, or that compactions are in a loop.

    A repository can bring a file or a link along in the place of the runtime folder.
    """
    from amplihack_compaction.base.errors import reason_of
    from amplihack_compaction.validation.events import compactions_in_a_row, read_events

    try:
        prepare_runtime(root)
    except OSError as error:
        return (
            f"Nothing can be stored in .claude/runtime ({reason_of(error)}): the rules are told,"
            f" but no tool call is held against them. `{own_command()} doctor` says more."
        )
    number = compactions_in_a_row(read_events(root).events, session_id)
    if number < _LOOP:
        return ""
    return (
        f"Compacted {number} times with hardly a step between: something fills the context again at"
        " once; /clear starts anew."
    )


def _read_again(payload: dict[str, Any], root: str) -> str:
    from amplihack_compaction.base.errors import TranscriptError
    from amplihack_compaction.injection.record import (
        prepared_injection,
        record_compaction,
        void_unused_receipt,
    )

    log = logger(root, EVENT)
    session_id, path = payload["session_id"], payload["transcript_path"]
    try:
        recorded = record_compaction(root, session_id, path, log)
    except TranscriptError as error:
        log(str(error))
        return ""
    ready = prepared_injection(recorded)
    if not recorded.folder:
        return ready.text  # where no receipt may be written, the text is still what the user needs
    try:
        void_unused_receipt(recorded.folder, ready.window_start, path, log)
    except OSError as error:
        log(f"an unused receipt could not be set aside: {error}")
    return ready.text if _take_receipt(payload, root, recorded.folder, ready) else ""


def _take_receipt(payload: dict[str, Any], root: str, folder: str, ready: Prepared) -> bool:
    """Return whether the text is to be given out: it is needed even where no receipt can be."""
    try:
        return take_receipt(folder, payload["session_id"], EVENT, ready)
    except OSError as error:
        logger(root, EVENT)(f"no receipt could be written: {error}")
        return True


def _offer(payload: dict[str, Any], root: str) -> str:
    """Return the offer for a session that starts (`startup`, `clear`); nothing for others."""
    source, session_id = payload.get("source"), payload["session_id"]
    if source == "resume":
        forget_end(root, session_id)
    if source not in ("startup", "clear"):
        return ""
    settings, _ = load_settings(root)
    if settings.fresh_start is FreshStart.OFF:
        remove_old(root)
        return ""
    offer = take_offer(root, source, session_id, client_pid())
    if offer is None:
        return ""
    if settings.fresh_start is FreshStart.INJECT:
        return _inject(root, session_id, offer)
    line = _line(root, offer)
    return additional_context(EVENT, line, line)


def client_pid() -> str:
    """Return the process id of the client that runs this hook; empty where it is not known."""
    pid = os.environ.get("CLAUDE_PID", "")
    return pid if pid.isascii() and pid.isdecimal() and len(pid) < 20 else ""


def _inject(root: str, session_id: str, offer: Offer) -> str:
    from amplihack_compaction.base.errors import SnapshotError
    from amplihack_compaction.handoff.fresh_start import prepare_fresh_start

    log = logger(root, EVENT)
    try:
        fresh = prepare_fresh_start(offer.snapshot, root)
    except SnapshotError as error:
        log(f"the session before could not be gone on with: {error}")
        return ""
    if fresh is None or fresh.compacted.state is None:
        return ""
    try:
        go_on_from(fresh, root, session_id)
    except OSError as error:
        log(f"the ledger of the session before could not be taken over: {error}")
    told = f"amplihack-compaction: goes on from snapshot {offer.snapshot} of the session before."
    return additional_context(EVENT, fresh.prompt, told)


def go_on_from(fresh: "FreshStartContext", root: str, session_id: str) -> None:
    """Let a session's ledger begin with the state, unless it is the state's own or has begun.

    Its rules guard at once. Raises OSError when it cannot be written.
    """
    from amplihack_compaction.ledger.guard import write_guard
    from amplihack_compaction.ledger.stored import continue_from

    state, folder = fresh.compacted.state, session_folder(root, session_id)
    begun = any(is_regular(f"{folder}/{name}") for name in ("ledger.json", "continues.json"))
    if state is not None and not begun and session_id != fresh.compacted.session_id:
        prepare_runtime(root)
        continue_from(folder, session_id, state)
        write_guard(folder, state, 0, load_settings(root)[0].guard)


def _slash_command(root: str) -> str:
    """Return the slash command that does the same; empty where there is none."""
    if os.environ.get("CLAUDE_PLUGIN_ROOT"):
        return f"/{COMMAND_NAME}:fresh-start"
    folders = (root, os.path.expanduser("~"))  # noqa: PTH111 - pathlib is not loaded yet
    found = any(os.path.exists(f"{folder}/{COMMAND_FILE}") for folder in folders)  # noqa: PTH110
    return "/fresh-start" if found else ""


def _holds(root: str, offer: Offer) -> str:
    """Return in numbers what is offered; nothing where its snapshot cannot be read."""
    from amplihack_compaction.base.errors import SnapshotError
    from amplihack_compaction.injection.snapshot import load_snapshot
    from amplihack_compaction.text.words import counted

    try:
        state = load_snapshot(session_folder(root, offer.session_id), offer.snapshot).state
    except (SnapshotError, OSError):
        return ""
    numbers = ((len(state.active_rules), "rule"), (len(state.open_todos), "open todo"))
    parts = [counted(number, noun) for number, noun in numbers if number]
    parts += ["what it was after"] if state.objective is not None else []
    return f" ({', '.join(parts)})" if parts else ""


def _line(root: str, offer: Offer) -> str:
    """Return the offer as one line. It quotes nothing of the session: that is what is offered."""
    from amplihack_compaction.text.words import inert

    minutes = max(0, int(time.time() - offer.at) // 60)
    ago = f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"
    what = "has a handoff document" if offer.handoff else "can be gone on with"
    holds = _holds(root, offer)
    command = _slash_command(root) or f"{own_command()} fresh-start"
    handoff = f" (handoff: {inert(offer.handoff)})" if offer.handoff else ""
    return (
        f"amplihack-compaction: an earlier session of this project {what}, recorded {ago}"
        f" ago{holds}. `{command} {offer.snapshot}` brings its context back{handoff}."
    )

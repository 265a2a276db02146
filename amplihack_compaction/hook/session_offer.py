"""SessionStart of a new session: offer to go on with the one before, once.

By default that is one line for the user and the model; with the setting `fresh_start` as `inject`
the whole state, and the new session's ledger begins with it, so that it survives this session's
compactions too. Called only where an offer lies in the project's folder.
"""

import os
import time
from typing import Any

from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import prepare_runtime, session_folder
from amplihack_compaction.base.settings.settings import FreshStart, load_settings
from amplihack_compaction.clients.claude_code.answers import additional_context
from amplihack_compaction.handoff.offers import Offer, forget_end, remove_old, take_offer

EVENT = "SessionStart"
NAME = "amplihack-compaction"
COMMAND_FILE = ".claude/commands/fresh-start.md"


def answer_session_offer(payload: dict[str, Any], root: str) -> str:
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
    from amplihack_compaction.ledger.stored import continue_from

    log = logger(root, EVENT)
    try:
        fresh = prepare_fresh_start(offer.snapshot, root)
    except SnapshotError as error:
        log(f"the session before could not be gone on with: {error}")
        return ""
    if fresh is None or fresh.compacted.state is None:
        return ""
    try:
        prepare_runtime(root)
        continue_from(session_folder(root, session_id), session_id, fresh.compacted.state)
    except OSError as error:
        log(f"the ledger of the session before could not be taken over: {error}")
    told = f"amplihack-compaction: goes on from snapshot {offer.snapshot} of the session before."
    return additional_context(EVENT, fresh.prompt, told)


def _slash_command(root: str) -> str:
    """Return the slash command that does the same; empty where there is none."""
    if os.environ.get("CLAUDE_PLUGIN_ROOT"):
        return f"/{NAME}:fresh-start"
    folders = (root, os.path.expanduser("~"))  # noqa: PTH111 - pathlib is not loaded yet
    found = any(os.path.exists(f"{folder}/{COMMAND_FILE}") for folder in folders)  # noqa: PTH110
    return "/fresh-start" if found else ""


def _line(root: str, offer: Offer) -> str:
    """Return the offer as one line. It quotes nothing of the session: that is what is offered."""
    minutes = max(0, int(time.time() - offer.at) // 60)
    ago = f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"
    what = "has a handoff document" if offer.handoff else "can be gone on with"
    command = _slash_command(root) or f"{own_command()} fresh-start"
    handoff = f" (handoff: {offer.handoff})" if offer.handoff else ""
    return (
        f"amplihack-compaction: an earlier session of this project {what}, recorded {ago} ago."
        f" `{command} {offer.snapshot}` brings its context back{handoff}."
    )

"""Answer for a client that keeps its sessions in a database, by our plugin in it.

The payload names the client and the file that its session is written into. It is brought up to date
first. The compaction itself is written last, so that all is done in Claude Code's order: the
window is still open when it is told, and when it is compared with its summary.
"""

import sqlite3
from types import ModuleType
from typing import Any

from amplihack_compaction.base.files import parse_object, write_all
from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.clients.reading import mirror_of


def answer_mirrored(payload: dict[str, Any], root: str) -> str:
    """Print what the summariser is to keep, at PreCompact; keep the state after a compaction.

    Nothing is returned: the plugin waits for the first bytes, and more is done behind them.
    """
    event, session_id = payload["hook_event_name"], payload["session_id"]
    mirror = mirror_of(payload["client"])
    if mirror is None:
        return ""  # of a client that a later version knows
    try:
        waiting = mirror.bring_up_to_date(session_id, hold=True)
        if waiting is None:
            return ""
        payload = {**payload, "trigger": waiting.trigger}
        if event == "PreCompact":
            _tell_summariser(payload, root, waiting.id, mirror)
        elif waiting.summary is not None:
            from amplihack_compaction.hook.session_start import answer_session_start

            answer = parse_object(answer_session_start(payload, root).encode()) or {}
            told = answer.get("hookSpecificOutput") or {}
            if text := told.get("additionalContext"):
                mirror.keep_state(session_id, waiting.id, text)
            write_all(1, b"\n")
            _afterwards({**payload, "compact_summary": waiting.summary.text}, root, mirror)
    except LookupError:
        return ""  # a subagent's, or another database's
    except sqlite3.Error as error:
        logger(root, event)(f"the client's database cannot be read: {error}")
    return ""


def _tell_summariser(
    payload: dict[str, Any], root: str, compaction_id: str, mirror: ModuleType
) -> None:
    from amplihack_compaction.hook.pre_compact import answer_pre_compact
    from amplihack_compaction.injection.receipts import read_prepared

    write_all(1, answer_pre_compact(payload, root).encode("utf-8", "replace") or b"\n")
    # Nothing is said before the model is asked again, perhaps sooner than this is called next.
    ready = read_prepared(session_folder(root, payload["session_id"]), payload["transcript_path"])
    if ready is not None:
        mirror.keep_state(payload["session_id"], compaction_id, ready.text)


def _afterwards(payload: dict[str, Any], root: str, mirror: ModuleType) -> None:
    from amplihack_compaction.hook.post_compact import answer_post_compact
    from amplihack_compaction.hook.store import store_event

    answer_post_compact(payload, root)
    mirror.bring_up_to_date(payload["session_id"])
    store_event(payload, root)

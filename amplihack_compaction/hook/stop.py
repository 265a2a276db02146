"""Stop after a compaction: check whether something that mattered is gone, and say how to recover.

Missing means missing from all that the model now has. It is said once per compaction, and never
in a turn that a hook prolonged already.
"""

from typing import Any

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.settings.settings import OnLoss
from amplihack_compaction.clients.claude_code.answers import additional_context, block
from amplihack_compaction.hook.late_injection import locate_window
from amplihack_compaction.injection.delivery import (
    Position,
    claim_check,
    leave_pending,
    write_position,
)
from amplihack_compaction.injection.record import Recorded, record_past_compaction
from amplihack_compaction.text.words import inert
from amplihack_compaction.transcript.session import Boundary
from amplihack_compaction.validation.losses import Fate, LossReport, report_losses
from amplihack_compaction.validation.matching.item_match import Label
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.messages import text_since_boundary
from amplihack_compaction.validation.power_steering import COMPACTION_CHECKER, load_steering

# A lost value alone is no reason to prolong a turn: one in twenty is needed later.
_WORTH_A_TURN = frozenset({"rule", "objective", "todo", "verify", "decision"})
_TRIES = 2
_ITEMS_LIMIT = 12
_ITEM_CHARS = 320
_OPENING = (
    "Said before this session's last compaction and still in force, but in nothing that the model"
    " was given since:"
)
_NAMES = {
    "rule": "rule",
    "objective": "objective",
    "todo": "still to do",
    "verify": "how the work is checked",
    "decision": "decision",
    "value": "exact value",
}


def check_losses(payload: dict[str, Any], root: str, folder: str, position: Position) -> str:
    """Complete the event of the newest compaction, and return what Stop says about it.

    Each try is written down before it begins: a check that fails or runs into the hook's time
    limit must not be paid for again at the end of every turn, and one that was killed with the
    client, at the end of its last turn, is made up for.
    """
    log = logger(root, "Stop")
    path = payload["transcript_path"]
    if position.window < 0:
        locate_window(folder, path, position)
    position.checks += 1
    if position.checks >= _TRIES:
        position.checked = position.boundary
    write_position(folder, position)
    try:
        recorded = record_past_compaction(
            root, payload["session_id"], path, position.window, log, checked_at_stop=True
        )
    except TranscriptError as error:
        log(str(error))
        return ""
    boundary = recorded.folded.window.began
    text = ""
    if boundary is not None and _is_wanted(root, recorded):
        said = str(payload.get("last_assistant_message") or "")
        text = _recovery_text(_report(recorded, path, position.window, boundary, said), recorded)
    # Of two hooks that check the same compaction, registered twice, one speaks.
    speaks = bool(text) and claim_check(folder, position.window)
    position.checked = position.boundary
    write_position(folder, position)
    return _speak(text, recorded) if speaks else ""


def _is_wanted(root: str, recorded: Recorded) -> bool:
    if recorded.settings.on_loss is OnLoss.OFF:
        return False
    steering = load_steering(root)
    asked = (item for item in steering.considerations if item.checker == COMPACTION_CHECKER)
    return steering.enabled and any(item.enabled for item in asked)


def _report(
    recorded: Recorded, path: str, window_start: int, boundary: Boundary, last_message: str
) -> LossReport:
    present = text_since_boundary(path, window_start, boundary)
    # At Stop the model's last words are not always in the transcript yet.
    return report_losses(recorded.folded.state, TextIndex([present, last_message]))


def _recovery_text(report: LossReport, recorded: Recorded) -> str:
    """Name what is missing and how to get it back; empty when nothing that mattered is."""
    if not any(fate.kind in _WORTH_A_TURN for fate in report.lost):
        return ""
    items = [f"- {_NAMES[fate.kind]}: {_said(fate)}" for fate in report.lost[:_ITEMS_LIMIT]]
    left = len(report.lost) - len(items)
    if left > 0:
        items.append(f"- … and {left} more")
    if recorded.text_file:
        items.append(f"The whole state from before the compaction is in `{recorded.text_file}`.")
    return "\n".join([_OPENING, *items])


def _said(fate: Fate) -> str:
    text = inert(fate.text, _ITEM_CHARS)
    if fate.label is Label.NEGATED:
        return f"{text} (something else is said of it now)"
    gone = inert(", ".join(fate.missing), _ITEM_CHARS)
    return f"{text} (missing of it: {gone})" if gone else text


def _speak(text: str, recorded: Recorded) -> str:
    """Answer as the settings want it."""
    if recorded.settings.on_loss is OnLoss.PROMPT:
        leave_pending(recorded.folder, text)
        return ""
    if recorded.settings.on_loss is OnLoss.BLOCK:
        return block(text)
    return additional_context("Stop", text)

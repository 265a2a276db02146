"""Stop after a compaction: have power steering check what is gone, and say how to recover.

Missing means missing from all that the model now has. It is said once per compaction, and never
in a turn that a hook prolonged already.
"""

from contextlib import suppress
from typing import Any

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.files import is_regular
from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.settings import OnLoss
from amplihack_compaction.clients import tail_of
from amplihack_compaction.clients.claude_code.answers import additional_context, block
from amplihack_compaction.hook.late_injection import locate_window
from amplihack_compaction.injection.position import Position, write_position
from amplihack_compaction.injection.receipts import claim_check, leave_pending
from amplihack_compaction.injection.record import Recorded, record_past_compaction
from amplihack_compaction.injection.render import seldom_needed
from amplihack_compaction.text.words import counted, inert
from amplihack_compaction.validation.before_and_after import read_compacted
from amplihack_compaction.validation.events import CompactionContext
from amplihack_compaction.validation.losses import WORTH_SAYING, Fate, losses_path, store_losses
from amplihack_compaction.validation.matching.verdicts import Label
from amplihack_compaction.validation.power_steering import PowerSteeringChecker, SteeringResult

_TRIES = 2
_ITEMS_LIMIT = 12
_ITEM_CHARS = 320
_OPENING = (
    "Said before this session's last compaction and still in force; not found, or only in part or"
    " otherwise, in what the model was given since:"
)
_NAMES = {
    "rule": "rule",
    "objective": "objective",
    "todo": "still to do",
    "verify": "how the work is checked",
    "decision": "decision",
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
    text = ""
    if recorded.settings.on_loss is not OnLoss.OFF:
        text = _recovery_text(_steering(payload, root, recorded, position.window), recorded)
    # Of two hooks that check the same compaction, registered twice, one speaks.
    speaks = bool(text) and claim_check(folder, position.window)
    position.checked = position.boundary
    write_position(folder, position)
    return _speak(text, recorded, hears=tail_of(path).HEARS_AT_STOP) if speaks else ""


def _steering(payload: dict[str, Any], root: str, recorded: Recorded, start: int) -> SteeringResult:
    """Ask power steering about the compaction, and complete the report that PostCompact began."""
    path, before, now = payload["transcript_path"], recorded.folded.base, recorded.folded.state
    # At Stop the model's last words are not always in the transcript yet.
    said = str(payload.get("last_assistant_message") or "")
    compacted = read_compacted(path, start, before, now, seldom_needed(before), said)
    if compacted is None:
        return SteeringResult()
    checker = PowerSteeringChecker(root, is_switched_by_project=False)
    steering = checker.check(compacted, payload["session_id"])
    losses = steering.losses
    if losses is not None and is_regular(losses_path(recorded.folder, start)):
        with suppress(OSError):  # what PostCompact stored is there
            store_losses(recorded.folder, start, losses)
    return steering


def _recovery_text(steering: SteeringResult, recorded: Recorded) -> str:
    """Name what is missing and how to get it back; empty when nothing that mattered is."""
    if steering.satisfied or steering.losses is None:
        return ""
    # Of the values that are lost few are needed: `diagnose` shows them.
    missing = [fate for fate in steering.losses.missing if fate.kind in WORTH_SAYING]
    lines = [f"- {_NAMES[fate.kind]}: {_said(fate)}" for fate in missing[:_ITEMS_LIMIT]]
    left = len(missing) - _ITEMS_LIMIT
    if lines and left > 0:
        lines.append(f"- … and {left} more")
    lines = [_OPENING, *lines] if lines else []
    lines += [inert(warning, _ITEM_CHARS) for warning in steering.recent_warnings]
    lines += _amiss(steering.compaction_context)
    if recorded.text_file:
        lines.append(f"The whole state from before the compaction is in `{recorded.text_file}`.")
    return "\n".join(lines)


def _amiss(context: CompactionContext) -> list[str]:
    """Say what makes the record of the compaction one not to rely on."""
    if context.has_security_violation:
        return ["Its recorded transcript was refused: the path leads outside the project."]
    if context.is_stale:
        hours = counted(round(context.age_hours), "hour")
        return [f"That compaction was {hours} ago: some may be settled."]
    return []


def _said(fate: Fate) -> str:
    text = inert(fate.text, _ITEM_CHARS)
    if fate.label in (Label.NEGATED, Label.CHANGED):
        return f"{text} (something else is said of it now)"
    gone = inert(", ".join(fate.missing), _ITEM_CHARS)
    return f"{text} (missing of it: {gone})" if gone else text


def _speak(text: str, recorded: Recorded, *, hears: bool) -> str:
    """Answer as the settings want it; a client that drops such a text has it with the next prompt.

    To go on by itself is what only the setting `block` asks of a client.
    """
    on_loss = recorded.settings.on_loss
    if on_loss is OnLoss.BLOCK:
        return block(text)
    if on_loss is OnLoss.PROMPT or not hears:
        leave_pending(recorded.folder, text)
        return ""
    return additional_context("Stop", text)

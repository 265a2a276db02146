"""Lay out what is known of the running session for a terminal of any size."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Group
from rich.text import Text

from amplihack_compaction.cli.diagnosis.diagnosis import state_counts
from amplihack_compaction.cli.terminal import LEVEL_COLOURS
from amplihack_compaction.cli.watch.session import HookCall, SessionNow
from amplihack_compaction.context.levels import DESCRIPTIONS, ContextStatus
from amplihack_compaction.extract.statements import Rule, SessionState, Todo, TodoStatus
from amplihack_compaction.ledger.edits import LedgerItem, list_items
from amplihack_compaction.text.words import counted, inert
from amplihack_compaction.validation.events import epoch_seconds

FOOTER = "q quits   ↑ ↓ go through the items"
CHOSEN_FOOTER = "q quits   f forgets   d is done   p pins   u takes back"
_BAR_CHARS = 40
_LEAST_BAR_CHARS = 10
_LEAST_CALLS = 3
_TEXT_CHARS = 300
_HEAD_LINES = 2
"""Of the ledger, above its items."""


@dataclass(frozen=True, slots=True)
class ChosenItem:
    """The item that is chosen, by its number among `ledger_items`; what was done to one last."""

    number: int = -1
    told: str = ""


def lay_out_view(
    picture: SessionNow,
    width: int,
    height: int,
    *,
    footer: bool = True,
    choice: ChosenItem = ChosenItem(),
) -> Group:
    """Return the view for a terminal of that many columns and rows; what has no room is left out.

    Every text is one line, cut at the right edge, without control characters.
    """
    head = list(_head(picture, width))
    room = max(0, height - len(head) - footer)
    calls = list(_calls(picture.calls)) if picture.session is not None else []
    for_calls = min(len(calls), max(_LEAST_CALLS + 2, room // 3))
    ledger = _around(list(_ledger(picture, choice)), choice, max(0, room - for_calls))
    lines = [*head, *ledger, *calls[: room - len(ledger)]][: max(0, height - footer)]
    if footer:
        keys = FOOTER if choice.number < 0 else CHOSEN_FOOTER
        lines.append(Text(choice.told or keys, "dim" if not choice.told else "yellow"))
    for line in lines:
        line.no_wrap, line.overflow = True, "ellipsis"
    return Group(*lines)


def _head(picture: SessionNow, width: int) -> Iterator[Text]:
    session = picture.session
    if session is None:
        yield Text(f"Waiting for a session of {inert(picture.root)} to begin ...")
        return
    yield Text(f"Session {inert(session.id, 80)}", "bold").append(f"  {inert(session.root)}", "dim")
    if picture.status is not None:
        yield from _meter(picture.status, width)
    else:
        yield Text("No response has told its token numbers yet.")
    written = _clock(picture.changed)
    yield Text(f"Transcript {picture.size_bytes / 1e6:.1f} MB, last written {written}", "dim")
    if picture.problem:
        yield Text(inert(picture.problem, _TEXT_CHARS), "red")


def _meter(status: ContextStatus, width: int) -> Iterator[Text]:
    colour = LEVEL_COLOURS[status.level]
    told = f" {status.usage_percentage:.1f} %  {DESCRIPTIONS[status.level]}"
    size = max(_LEAST_BAR_CHARS, min(_BAR_CHARS, width - len(told)))
    filled = min(size, round(size * status.usage_percentage / 100))
    bar = Text("█" * filled, colour).append("░" * (size - filled), "dim")
    yield bar.append(told, colour)
    following = status.next_threshold
    then = f", the next level begins at {following:g} %" if following is not None else ""
    yield Text(f"{status.current_tokens:,} of {status.max_tokens:,} tokens{then}")


def _around(lines: list[Text], choice: ChosenItem, room: int) -> list[Text]:
    """Return so many lines of the ledger, the chosen one among them."""
    first = max(0, min(choice.number + _HEAD_LINES + 2 - room, len(lines) - room))
    return lines[first : first + room]


def ledger_items(state: SessionState) -> list[LedgerItem]:
    """Return the items of a state in the order in which they are shown."""
    items = list_items(state)
    order = {
        "objective": [each for each in items if each.kind == "objective"],
        "todo": [each for each in items if each.kind == "todo"],
    }
    for kind in ("rule", "decision", "value", "note"):
        order[kind] = [each for each in reversed(items) if each.kind == kind]
    return [item for kind in order for item in order[kind]]


def _ledger(picture: SessionNow, choice: ChosenItem) -> Iterator[Text]:
    state = picture.state
    if picture.session is None:
        return
    yield Text("")
    if state is None:
        yield Text("Ledger", "bold").append("  being read ...", "dim")
        return
    counts = f"{state_counts(state)}, {counted(max(0, state.windows - 1), 'compaction')}"
    yield Text("Ledger", "bold").append(f"  {counts}", "dim")
    for number, item in enumerate(ledger_items(state)):
        line = _named(item.kind, _told(item))
        if number == choice.number:
            line.append(f"  {item.id}")
            line.stylize("reverse")
        yield line


def _told(item: LedgerItem) -> str:
    said, by = item.said, "model: " if item.by_model else ""
    if isinstance(said, Todo):
        return f"{'[>]' if said.status is TodoStatus.IN_PROGRESS else '[ ]'} {by}{said.text}"
    if isinstance(said, Rule) and said.after:
        return said.whole
    return f"{by}{said.text}{' (pinned)' * item.pinned}"


def _named(name: str, text: str) -> Text:
    return Text(f"  {name:<10} ", "dim").append(inert(text, _TEXT_CHARS), "default")


def _calls(calls: Sequence[HookCall]) -> Iterator[Text]:
    yield Text("")
    yield Text("Last hook calls", "bold").append("  those that left a trace", "dim")
    if not calls:
        yield Text("  none so far", "dim")
    for call in calls:
        took = f"{call.milliseconds:,.0f} ms" if call.milliseconds is not None else ""
        at, event = _clock(epoch_seconds(call.at)), inert(call.event, 20)
        line = Text(f"  {at:<8} {event:<20} {took:>9}  ", "dim")
        yield line.append(inert(call.outcome, _TEXT_CHARS), "red" if call.is_problem else "default")


def _clock(seconds: float | None) -> str:
    """Return the local time of an epoch; question marks for none."""
    try:
        return time.strftime("%H:%M:%S", time.localtime(seconds)) if seconds is not None else "??"
    except (OverflowError, ValueError, OSError):
        return "??"

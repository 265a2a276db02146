"""Compare what a compacted window held with what the model has now.

Compared are todos, objective, rules and turns.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from amplihack_compaction.extract.objective import extract_objectives
from amplihack_compaction.extract.statements import Objective, Rule, Todo
from amplihack_compaction.extract.todos import extract_todos
from amplihack_compaction.extract.window_content import read_content
from amplihack_compaction.text.words import content_words, counted, fold_case, one_line
from amplihack_compaction.transcript.session import ToolUse, Turn, Window
from amplihack_compaction.validation.losses import Fate, fate_of
from amplihack_compaction.validation.matching.item_match import Label, match
from amplihack_compaction.validation.matching.text_index import TextIndex

RECENT_TURNS = 10
RECENT_LOST_TURNS = 3
"""From this many missing turns on, the recent context counts as incomplete."""
TELLING_WORDS = 4
"""Words of content that a prompt must have to stand for the objective unasked."""
NAMED_ITEMS = 10
NAME_CHARS = 120
TodoFates = list[Fate]
# Enough to go on by: what is there in other words need not be said again.
_FOUND = frozenset({Label.KEPT, Label.REWORDED})
_ANSWER_CHARS = 400
# Shorter names (`a.c`, `ls`) stand in every text.
_TELLING_NAME_CHARS = 4
_DONE = re.compile(
    r"\A\s*(?:\[[xX]\]|~~|✓|✔|✅|☑)"
    r"|[\s(\[:,;–—-](?:done|completed?|finished|cancell?ed|erledigt|fertig|terminée?|fait|hecho"
    r"|feito|concluído|готово|сделано|完成|已完成|完了|完료|완료|✓|✔|✅)[\s)\].!]*\Z",
    re.IGNORECASE,
)


@dataclass(slots=True)
class CheckResult:
    """What one comparison found; `notes` say what could not be compared."""

    warnings: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def todo_fates(before: Window, now: TextIndex) -> TodoFates:
    """Return each open todo of the window with what became of it."""
    return [fate_of("todo", text, now) for text in open_todos(before)]


def check_todos(fates: TodoFates) -> CheckResult:
    """Name every open todo that is gone; done and cancelled ones are no loss."""
    check = CheckResult()
    lost = [fate.text for fate in fates if fate.alarms]
    untold = sum(fate.label is Label.UNKNOWN for fate in fates)
    if untold:
        check.notes.append(f"{untold} of {len(fates)} TODO items: {_UNTOLD}")
    if lost:
        check.warnings.append(
            f"TODO items lost after the compaction ({len(lost)} of {len(fates)}): {_names(lost)}"
        )
        check.steps += _steps("Recreate the TODO item", lost, "more TODO item")
    return check


_UNTOLD = "cannot be compared, the text is in another language"


def open_todos(window: Window) -> list[str]:
    """Return the texts of the window's open todos; a text that says it is done is not open."""
    return list(
        dict.fromkeys(todo.text for todo in extract_todos(read_content(window)) if _is_open(todo))
    )


def _is_open(todo: Todo) -> bool:
    return (
        todo.is_open
        and not todo.parked
        and bool(todo.text.strip())
        and _DONE.search(todo.text) is None
    )


def check_objectives(
    before: Window, fates: TodoFates, now: TextIndex, after: Window
) -> CheckResult:
    """Look for what the session is after; open todos that survived carry it.

    A new objective that the user gave since takes the old one's place.
    """
    check = CheckResult()
    # An open todo that survived carries what the session is after.
    if any(fate.label in _FOUND for fate in fates):
        return check
    objectives = extract_objectives(read_content(before)) or _stand_in(before)
    if not objectives:
        return check
    fate = fate_of("objective", objectives[-1].text, now)
    # What the user asked for since takes the old objective's place.
    if _is_replaced(after):
        return check
    if fate.label is Label.UNKNOWN:
        check.notes.append(f"The objective: {_UNTOLD}")
    if not fate.alarms:
        return check
    text = _name(objectives[-1].text)
    check.warnings.append(f"Session objective unclear after the compaction: {text}")
    check.steps.append(f"Restate the objective: {text}")
    return check


def _stand_in(before: Window) -> tuple[Objective, ...]:
    """Return a session's first prompt where none asks for work and it says something."""
    if before.began is not None:
        return ()
    first = extract_objectives(read_content(replace(before, index=0)))
    return tuple(found for found in first if len(content_words(found.text)) >= TELLING_WORDS)


def check_rules(rules: Sequence[Rule], now: TextIndex) -> CheckResult:
    """Name every rule that the model can no longer keep to, whole and as it was said."""
    check = CheckResult()
    fates = [fate_of("rule", rule.text, now) for rule in rules]
    lost = [fate.text for fate in fates if fate.alarms]
    untold = sum(fate.label is Label.UNKNOWN for fate in fates)
    if untold:
        check.notes.append(f"{untold} of {counted(len(fates), 'rule')}: {_UNTOLD}")
    if lost:
        check.warnings.append(
            f"Standing rules lost after the compaction ({len(lost)} of {len(fates)}):"
            f" {_names(lost)}"
        )
        check.steps += _steps("Restate the rule", lost, "more rule")
    return check


def _steps(what: str, lost: Sequence[str], noun: str) -> list[str]:
    steps = [f"{what}: {_name(text)}" for text in lost[:NAMED_ITEMS]]
    left = len(lost) - NAMED_ITEMS
    return [*steps, f"{what.split()[0]} {counted(left, noun)}."] if left > 0 else steps


def _is_replaced(after: Window) -> bool:
    return any(objective.switches for objective in extract_objectives(read_content(after)))


def check_recent(
    before: Window, now: TextIndex, turn_at_compaction: int, results: set[str]
) -> CheckResult:
    """Look for the window's last ten turns, and for gaps next to the compaction point.

    A turn is there when its prompt or the model's last words are. `turn_at_compaction` counts
    from the session's start; where it lies inside this window, the ten turns before it count
    too. `results` holds the ids of tool uses whose result is known from elsewhere.
    """
    check = CheckResult()
    turns = before.turns
    places = _recent_places(len(turns), turn_at_compaction if before.began is None else 0)
    missing = [place for place in places if _is_missing(turns[place], now)]
    telling = [place for place in places if _telling(turns[place])]
    last = telling[-1] if telling else -1
    # One or two old turns may go; where only one or two say anything, the last one may not.
    if len(missing) >= RECENT_LOST_TURNS or (last in missing and len(telling) <= 2):
        names = _names([_turn_name(turns[place]) for place in missing])
        check.warnings.append(
            f"Recent context incomplete after the compaction: of the last"
            f" {counted(len(telling), 'turn')}, {len(missing)} cannot be found"
            f" ({_ranges(missing)}): {names}"
        )
        check.steps.append("Review the last turns before the compaction for what is missing.")
    elif missing:
        check.notes.append(f"Not found again among the last turns: {_ranges(missing)}.")
    _check_gap(turns, results, now, check)
    return check


def _recent_places(count: int, turn_at_compaction: int) -> list[int]:
    places = set(range(max(0, count - RECENT_TURNS), count))
    if 0 < turn_at_compaction < count:
        places |= set(range(max(0, turn_at_compaction - RECENT_TURNS), turn_at_compaction + 1))
    return sorted(places)


def _telling(turn: Turn) -> list[str]:
    """Return the turn's texts that say enough to be looked for: prompt and last words."""
    texts = [turn.prompt.text] if turn.prompt is not None else []
    texts += [speech.text[:_ANSWER_CHARS] for speech in turn.texts[-1:]]
    return [text for text in texts if len(content_words(text[:_ANSWER_CHARS])) >= 2]


def _is_missing(turn: Turn, now: TextIndex) -> bool:
    labels = [match(text, now, "recent").label for text in _telling(turn)]
    return bool(labels) and all(label is Label.DROPPED for label in labels)


def _turn_name(turn: Turn) -> str:
    return turn.prompt.text if turn.prompt is not None else turn.texts[-1].text


def _check_gap(
    turns: Sequence[Turn], results: set[str], now: TextIndex, check: CheckResult
) -> None:
    """Name tool uses that were open when the compaction came, and that nothing speaks of since."""
    last = turns[-1].tools if turns else []
    cut_off = [
        tool
        for tool in last
        if tool.result is None and tool.id not in results and not _is_spoken_of(tool, now)
    ]
    if cut_off:
        names = _names([_tool_name(tool) for tool in cut_off])
        check.warnings.append(
            f"Recent context has a gap at the compaction point: no result of {names}"
        )
        check.steps.append(f"CheckResult what became of {names}")


def _is_spoken_of(tool: ToolUse, now: TextIndex) -> bool:
    """Return whether the tool's file or command stands in the text, the file by its name."""
    name = _detail(tool).rstrip("/").rpartition("/")[2]
    return len(name) >= _TELLING_NAME_CHARS and fold_case(name) in now.folded


def _detail(tool: ToolUse) -> str:
    return next((value for value in tool.input.values() if isinstance(value, str)), "")


def _tool_name(tool: ToolUse) -> str:
    return one_line(f"{tool.name} {_detail(tool)}", NAME_CHARS)


def _ranges(places: Iterable[int]) -> str:
    """Return turn numbers, counted from 1, as ranges: `turns 81-86, 91`."""
    ranges: list[tuple[int, int]] = []
    for place in places:
        number = place + 1
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return "turns " + ", ".join(
        str(first) if first == last else f"{first}-{last}" for first, last in ranges
    )


def _names(texts: Sequence[str]) -> str:
    shown = "; ".join(_name(text) for text in texts[:NAMED_ITEMS])
    return shown if len(texts) <= NAMED_ITEMS else f"{shown}; {len(texts) - NAMED_ITEMS} more"


def _name(text: str) -> str:
    return one_line(text, NAME_CHARS)

"""Name what a compaction lost, and the recent turns and tool uses that nothing speaks of since."""

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field

from amplihack_compaction.extract.recent_context import only_looks
from amplihack_compaction.text.commands import line_kind, split_commands
from amplihack_compaction.text.words import content_words, counted, fold_case, one_line
from amplihack_compaction.transcript.session import ToolUse, Turn, Window, bash_command
from amplihack_compaction.validation.losses import LossReport
from amplihack_compaction.validation.matching.item_match import Label, match
from amplihack_compaction.validation.matching.text_index import TextIndex

RECENT_TURNS = 10
RECENT_LOST_TURNS = 3
"""From this many missing turns on, the recent context counts as incomplete."""
LONG_TURN_STEPS = 10
RECENT_STEPS = 10
"""So many of a long turn's last tool uses tell what was being worked on."""
RECENT_SPEECHES = 3
_TELLING_SAID = 3
NAMED_ITEMS = 10
NAME_CHARS = 120
Texts = Sequence[TextIndex]
"""All that the model has, in parts."""
_ANSWER_CHARS = 400
# Tools of the client that change nothing.
_LOOKING = frozenset(
    "Read Grep Glob LS NotebookRead WebFetch WebSearch BashOutput TaskOutput TaskList".split()
)
# Shorter names (`a.c`, `ls`) stand in every text.
_TELLING_NAME_CHARS = 4
_UNTOLD = "cannot be compared, the text is in another language"
_KINDS = {
    "rule": ("Standing rules lost after the compaction", "Restate the rule", "rule"),
    "todo": ("TODO items lost after the compaction", "Recreate the TODO item", "TODO item"),
    "objective": ("Session objective unclear after the compaction", "Restate the objective", ""),
    "decision": ("Decisions lost after the compaction", "Keep to the decision", "decision"),
    "verify": ("Verify commands lost after the compaction", "Check the work with", "command"),
}
"""By kind what is said of losses, what is to be done about each, and what one is called."""


@dataclass(slots=True)
class CheckResult:
    """What one comparison found; `notes` say what could not be compared."""

    warnings: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def name_losses(report: LossReport, kinds: Iterable[str] = _KINDS) -> CheckResult:
    """Name every item that is missing, and count those of which nothing can be told."""
    check = CheckResult()
    for kind in kinds:
        title, step, noun = _KINDS[kind]
        fates = [fate for fate in report.items if fate.kind == kind]
        missing = [fate.text for fate in fates if fate.is_missing]
        untold = sum(fate.label is Label.UNKNOWN for fate in fates)
        if untold:
            count = f"{untold} of {counted(len(fates), noun)}" if noun else "The objective"
            check.notes.append(f"{count}: {_UNTOLD}")
        if missing:
            share = f" ({len(missing)} of {len(fates)})" if noun else ""
            check.warnings.append(f"{title}{share}: {_names(missing)}")
            check.steps += _steps(step, missing, f"more {noun}")
    return check


def _steps(what: str, lost: Sequence[str], noun: str) -> list[str]:
    steps = [f"{what}: {_name(text)}" for text in lost[:NAMED_ITEMS]]
    left = len(lost) - NAMED_ITEMS
    return [*steps, f"{what.split()[0]} {counted(left, noun)}."] if left > 0 else steps


def check_recent(
    before: Window, now: Texts, turn_at_compaction: int, results: Container[str]
) -> CheckResult:
    """Look for the window's last ten turns, and for gaps next to the compaction point.

    A turn is there when its prompt, the model's last words or a file of it are spoken of. Where the
    newest is, the others may go: the work goes on from there. `turn_at_compaction` counts from the
    session's start; where it lies inside this window, the ten turns before it count too. `results`
    holds the ids of tool uses whose result is known from elsewhere.
    """
    check = CheckResult()
    turns = before.turns
    compacted = turn_at_compaction if before.began is None else 0
    places = _recent_places(len(turns), compacted)
    telling = [place for place in places if _telling(turns[place])]
    missing = [place for place in telling if not _is_spoken_of(turns[place], now)]
    newest = max((place for place in telling if place <= (compacted or place)), default=-1)
    # One or two turns may go; where only one or two say anything, the newest may not.
    if newest in missing and (len(missing) >= RECENT_LOST_TURNS or len(telling) <= 2):
        names = _names([_telling(turns[place])[0] for place in missing])
        check.warnings.append(
            f"Recent context incomplete after the compaction: of the last"
            f" {counted(len(telling), 'turn')}, {len(missing)} cannot be found"
            f" ({_ranges(missing)}): {names}"
        )
        check.steps.append("Review the last turns before the compaction for what is missing.")
    elif missing:
        check.notes.append(f"Not found again among the last turns: {_ranges(missing)}.")
    _check_steps(turns, now, check)
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


def _is_spoken_of(turn: Turn, now: Texts) -> bool:
    names = filter(None, map(_file_of, turn.tools))
    return any(_stands_in(text, now) for text in _telling(turn)) or any(
        _names_file(name, now) for name in names
    )


def _stands_in(text: str, now: Texts) -> bool:
    return any(match(text, each, "recent").label is not Label.DROPPED for each in now)


def _check_steps(turns: Sequence[Turn], now: Texts, check: CheckResult) -> None:
    """Notice that of a long turn's last steps nothing is spoken of, whatever became of its prompt.

    The work of a turn that takes dozens of steps is where its last files and words are.
    """
    last = turns[-1] if turns else None
    if last is None or len(last.tools) < LONG_TURN_STEPS:
        return
    recent = last.tools[-RECENT_STEPS:]
    names = list(dict.fromkeys(filter(None, map(_file_of, recent))))
    said = [speech.text[:_ANSWER_CHARS] for speech in last.texts[-RECENT_SPEECHES:]]
    said = [text for text in said if len(content_words(text)) >= _TELLING_SAID]
    is_there = any(_names_file(name, now) for name in names) or any(
        _stands_in(text, now) for text in said
    )
    if (names or said) and not is_there:
        work = _names(names or said)
        check.warnings.append(
            f"Recent context incomplete after the compaction: of the last turn's"
            f" {counted(len(last.tools), 'step')}, the last {len(recent)} cannot be found: {work}"
        )
        check.steps.append(f"Look again at what was being worked on: {work}")


def _file_of(tool: ToolUse) -> str:
    path = tool.input.get("file_path") or tool.input.get("notebook_path")
    return path.rstrip("/").rpartition("/")[2] if isinstance(path, str) else ""


def _names_file(name: str, now: Texts) -> bool:
    """Return whether a text names a file, with its ending or without."""
    stem = fold_case(name.rpartition(".")[0] or name)
    return len(stem) < _TELLING_NAME_CHARS or any(stem in each.folded for each in now)


def _check_gap(
    turns: Sequence[Turn], results: Container[str], now: Texts, check: CheckResult
) -> None:
    """Name tool uses that were open when the compaction came, and that nothing speaks of since.

    What only looks or checks can be done again by whoever wants to know.
    """
    last = turns[-1].tools if turns else []
    cut_off = [
        tool
        for tool in last
        if tool.result is None and tool.id not in results and not _only_looks(tool)
        if not _names_detail(tool, now)
    ]
    if cut_off:
        names = _names([_tool_name(tool) for tool in cut_off])
        check.warnings.append(
            f"Recent context has a gap at the compaction point: no result of {names}"
        )
        check.steps.append(f"Check what became of {names}")


def _only_looks(tool: ToolUse) -> bool:
    line = bash_command(tool)
    if tool.name in _LOOKING or line_kind(line) is not None:
        return True
    commands = split_commands(line)
    return bool(commands) and all(map(only_looks, commands)) and not _WRITES.search(line)


_WRITES = re.compile(r"(?<![\d&])>(?!&|\s*/dev/null)|\btee\b")


def _names_detail(tool: ToolUse, now: Texts) -> bool:
    """Return whether the tool's file or command stands in the text, the file by its name."""
    name = _detail(tool).rstrip("/").rpartition("/")[2]
    is_telling = len(name) >= _TELLING_NAME_CHARS
    return is_telling and any(fold_case(name) in each.folded for each in now)


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

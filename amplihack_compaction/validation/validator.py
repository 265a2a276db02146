"""Validate that what mattered survived a session's latest compaction.

Reads the events that the hooks record, compares the window that was compacted with what the
model has now, and never stands in the way: what cannot be read or compared is said, not guessed.
The transcript is the only witness of what reached the model. Where it is silent, nothing can be
told, and `gap_between` says why.
"""

from collections.abc import Container, Iterable, Sequence, Set
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from amplihack_compaction.base.paths import runtime_folder
from amplihack_compaction.base.size_limits import STATE_HEAD
from amplihack_compaction.extract.objective import extract_objectives
from amplihack_compaction.extract.recent_context import only_looked, only_looks
from amplihack_compaction.extract.statements import Objective, SessionState
from amplihack_compaction.extract.window import extract_window
from amplihack_compaction.extract.window_content import read_content
from amplihack_compaction.ledger.merge import merge_window
from amplihack_compaction.text.commands import line_kind, split_commands
from amplihack_compaction.text.words import content_words, counted, fold_case, one_line
from amplihack_compaction.transcript.session import (
    Boundary,
    JsonObject,
    ToolUse,
    Turn,
    Window,
    bash_command,
)
from amplihack_compaction.validation.before_and_after import (
    LATER_WINDOW,
    Compacted,
    read_transcript,
    root_text,
    summary_of,
    visible_texts,
    windows_in,
)
from amplihack_compaction.validation.events import (
    CompactionContext,
    ValidationResult,
    epoch_seconds,
    latest_event,
    read_events,
)
from amplihack_compaction.validation.losses import LEFT_OUT, SINCE, Fate, LossReport, report_losses
from amplihack_compaction.validation.matching.item_match import match
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.matching.verdicts import Label

RECENT_TURNS = 10
RECENT_LOST_TURNS = 3
"""From this many missing turns on, the recent context counts as incomplete."""
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


_RECENT, _VALUE = "recent", "value"
_EVERYTHING = frozenset({*_KINDS, _VALUE, _RECENT})


def judge_compaction(
    sides: Compacted, context: CompactionContext | None = None, kinds: Set[str] = _EVERYTHING
) -> ValidationResult:
    """Return what became of all that mattered at a compaction, of these `kinds`."""
    texts = [TextIndex(text) for text in (sides.summary, sides.beside) if text]
    beside = {SINCE: texts[-1]} if len(texts) > 1 else {}
    if STATE_HEAD in sides.beside:  # nothing else leaves anything out
        beside[LEFT_OUT] = TextIndex(sides.left_out)
    report = report_losses(sides.state, texts[0] if texts else "", beside, sides.now)
    items = tuple(fate for fate in report.items if fate.kind in kinds)
    result = ValidationResult(True, losses=LossReport(items))
    result.compaction_context = context or CompactionContext()
    _name_losses(result, items)
    if _RECENT in kinds:
        named = len(result.warnings)
        _check_recent(result, sides, texts)
        result.recent_warnings = result.warnings[named:]
    result.passed = not result.warnings
    return result


def _name_losses(result: ValidationResult, items: Sequence[Fate]) -> None:
    """Name every item that is missing, and count those of which nothing can be told."""
    for kind, (title, step, noun) in _KINDS.items():
        fates = [fate for fate in items if fate.kind == kind]
        missing = [fate.text for fate in fates if fate.is_missing]
        untold = sum(fate.label is Label.UNKNOWN and not fate.beside for fate in fates)
        if untold:
            count = f"{untold} of {counted(len(fates), noun)}" if noun else "The objective"
            result.notes.append(f"{count}: {_UNTOLD}")
        if missing:
            share = f" ({len(missing)} of {len(fates)})" if noun else ""
            result.warnings.append(f"{title}{share}: {_names(missing)}")
            result.recovery_steps += _steps(step, missing, f"more {noun}")


def _steps(what: str, lost: Sequence[str], noun: str) -> list[str]:
    steps = [f"{what}: {_name(text)}" for text in lost[:NAMED_ITEMS]]
    left = len(lost) - NAMED_ITEMS
    return [*steps, f"{what.split()[0]} {counted(left, noun)}."] if left > 0 else steps


def _check_recent(result: ValidationResult, sides: Compacted, now: Texts) -> None:
    """Look for the window's last ten turns, and for gaps next to the compaction point.

    A turn is there when its prompt, the model's last words or a file of it are spoken of. Where the
    newest is, the others may go: the work goes on from there. The turn at the compaction counts
    from the session's start; where it lies inside this window, the ten before it count too.
    """
    turns = sides.before.turns
    is_first = sides.before.began is None
    compacted = result.compaction_context.turn_at_compaction if is_first else 0
    telling = [place for place in _recent_places(len(turns), compacted) if _telling(turns[place])]
    missing = [place for place in telling if not _is_spoken_of(turns[place], now)]
    newest = max((place for place in telling if place <= (compacted or place)), default=-1)
    # One or two turns may go; where only one or two say anything, the newest may not.
    if newest in missing and (len(missing) >= RECENT_LOST_TURNS or len(telling) <= 2):
        names = _names([_telling(turns[place])[0] for place in missing])
        result.warnings.append(
            f"Recent context incomplete after the compaction: of the last"
            f" {counted(len(telling), 'turn')}, {len(missing)} cannot be found"
            f" ({_ranges(missing)}): {names}"
        )
        result.recovery_steps.append(
            "Review the last turns before the compaction for what is missing."
        )
    elif missing:
        result.notes.append(f"Not found again among the last turns: {_ranges(missing)}.")
    if turns:
        _check_steps(result, turns[-1], now)
        _check_gap(result, turns[-1], sides.results, now)


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


def _check_steps(result: ValidationResult, last: Turn, now: Texts) -> None:
    """Notice that of a long turn's last steps nothing is spoken of, whatever became of its prompt.

    The work of a turn that takes dozens of steps is where its last files and words are.
    """
    if len(last.tools) < RECENT_STEPS:
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
        result.warnings.append(
            f"Recent context incomplete after the compaction: of the last turn's"
            f" {counted(len(last.tools), 'step')}, the last {len(recent)} cannot be found: {work}"
        )
        result.recovery_steps.append(f"Look again at what was being worked on: {work}")


def _file_of(tool: ToolUse) -> str:
    path = tool.input.get("file_path") or tool.input.get("notebook_path")
    return path.rstrip("/").rpartition("/")[2] if isinstance(path, str) else ""


def _names_file(name: str, now: Texts) -> bool:
    """Return whether a text names a file, with its ending or without."""
    stem = fold_case(name.rpartition(".")[0] or name)
    return len(stem) < _TELLING_NAME_CHARS or any(stem in each.folded for each in now)


def _check_gap(result: ValidationResult, last: Turn, results: Container[str], now: Texts) -> None:
    """Name tool uses that were open when the compaction came, and that nothing speaks of since.

    What only looks or checks can be done again by whoever wants to know. `results` has the ids of
    those whose result is known since.
    """
    cut_off = [
        tool
        for tool in last.tools
        if tool.result is None
        and tool.id not in results
        and not (tool.name in _LOOKING or line_kind(bash_command(tool)) or only_looked(tool))
        and not _names_detail(tool, now)
    ]
    if cut_off:
        names = _names([_tool_name(tool) for tool in cut_off])
        result.warnings.append(
            f"Recent context has a gap at the compaction point: no result of {names}"
        )
        result.recovery_steps.append(f"Check what became of {names}")


def _names_detail(tool: ToolUse, now: Texts) -> bool:
    """Return whether the tool's file, by its name, or a command that it ran stands in the text."""
    commands = (each for each in split_commands(bash_command(tool)) if not only_looks(each))
    names = [_detail(tool).rstrip("/").rpartition("/")[2], *(each.text for each in commands)]
    telling = [fold_case(name) for name in names if len(name) >= _TELLING_NAME_CHARS]
    return any(name in each.folded for name in telling for each in now)


def _detail(tool: ToolUse) -> str:
    return next((value for value in tool.input.values() if isinstance(value, str)), "")


def _tool_name(tool: ToolUse) -> str:
    return one_line(f"{tool.name} {_detail(tool)}", NAME_CHARS)


def _ranges(places: Iterable[int]) -> str:
    """Return turn numbers, counted from 1, as ranges: `turns 81-86, 91`."""
    # What follows one another is as far from its place in the list.
    runs = groupby(enumerate(places, 1), lambda pair: pair[1] - pair[0])
    ranges = [[place + 1 for _, place in run] for _, run in runs]
    return "turns " + ", ".join(
        f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else str(numbers[0]) for numbers in ranges
    )


def _names(texts: Sequence[str]) -> str:
    shown = "; ".join(_name(text) for text in texts[:NAMED_ITEMS])
    return shown if len(texts) <= NAMED_ITEMS else f"{shown}; {len(texts) - NAMED_ITEMS} more"


def _name(text: str) -> str:
    return one_line(text, NAME_CHARS)


Messages = Sequence[dict[str, Any]]
NOT_RECORDED = "not recorded, read from the given transcript"
"""The note on a compaction that no event tells of: its age says nothing of a record's."""
TELLING_WORDS = 4
"""Words of content that a prompt must have to stand for the objective unasked."""
# PreCompact records the time before the client writes that of the boundary.
_SAME_SECONDS = 3600.0


class Split(NamedTuple):
    """A list of messages: the window that was compacted, what was before it, and what follows.

    The boundary is the first that follows. Without a compaction everything follows.
    """

    earlier: list[JsonObject]
    before: list[JsonObject]
    follows: list[JsonObject]
    boundary: Boundary | None


def split_at_boundary(messages: Sequence[object]) -> Split:
    """Cut messages at their last compaction.

    Entries tell a boundary by its type, flat messages only by how a summary begins.
    """
    objects = _objects(messages)
    windows = windows_in(objects)
    start, end = windows[-2:][0].start, windows[-1].start
    return Split(objects[:start], objects[start:end], objects[end:], windows[-1].began)


def _objects(messages: Sequence[object]) -> list[JsonObject]:
    return [message for message in messages if isinstance(message, dict)]


def recorded_window(recorded: Messages | None, split: Split) -> Messages | None:
    """Return the recorded window that was compacted; None where there is none, or an older one."""
    if recorded is None:
        return None
    window = last_window(recorded, split.boundary)
    theirs, shown = _uuids(window), _uuids(split.before)
    # With no message in common it is the record of another compaction.
    is_older = shown and theirs and theirs.isdisjoint(shown | _uuids(split.follows))
    return None if is_older else window


def last_window(messages: Sequence[object], boundary: Boundary | None) -> list[JsonObject]:
    """Return the messages of the last window, or of the one that a boundary has ended.

    What goes on behind the very boundary in question is a copy of the whole transcript.
    """
    objects = _objects(messages)
    windows = windows_in(objects)
    for window in windows:
        if boundary and window.ended and window.ended.uuid == boundary.uuid:
            return objects[window.start : window.ended.offset]
    return objects[windows[-1].start :]


def _uuids(messages: Messages) -> set[str]:
    return {uuid for message in messages if isinstance(uuid := message.get("uuid"), str)}


def _nothing_known(context: CompactionContext) -> str:
    """Say why there is no window to compare with; empty when nothing was compacted."""
    note = context.note
    if context.has_compaction_event:
        note = note or "the pre-compaction transcript is not available"
        return f"{note}; nothing to compare with"
    context.note = note or "the given transcript shows none either"
    return note


def _gap_between(before: Messages, split: Split) -> str:
    """Say why nothing can be told of a window that is known; empty when it can be."""
    if not before:
        return "nothing is known from before the compaction"
    if not any(text.strip() for text in visible_texts(split.follows)):
        return "nothing shows what the model was given after the compaction"
    # The same messages on both sides would show that nothing is lost.
    if (own := _uuids(before)) and own <= _uuids(split.follows):
        return "the transcript ends before the compaction: nothing shows what came after it"
    return ""


def compacted_of(before: Messages, split: Split) -> Compacted:
    """Read both sides of a list's compaction, as the hooks read those of a file."""
    earlier = windows_in(split.earlier) if split.earlier else []
    # Offsets are counted through, so that statements have an order.
    windows = [*earlier, *windows_in(before, len(split.earlier), LATER_WINDOW + len(earlier))]
    state = SessionState()
    for window in windows:
        state = merge_window(state, extract_window(window))
    if state.objective is None and windows[0].began is None:
        state = replace(state, objective=_stand_in(windows[0]))
    window = replace(windows[-1], ended=split.boundary)
    since = windows_in(split.follows, window.end + 1, window.index + 1)[-1]
    now = merge_window(state, extract_window(since))
    preserved = split.boundary.preserved if split.boundary else ()
    kept = (each for each in split.earlier + split.before if str(each.get("uuid")) in preserved)
    given = "\n".join(visible_texts([*kept, *split.follows]))
    results = frozenset(result for node in since.chain for result, _ in node.results)
    if not since.summary:
        return Compacted(state, window, given, "", now, results)
    return Compacted(state, window, summary_of(since.summary), given, now, results)


def _stand_in(first: Window) -> Objective | None:
    """Return a session's first prompt, which need not ask for work, if it says something."""
    found = extract_objectives(read_content(replace(first, index=0)))
    telling = (each for each in found if len(content_words(each.text)) >= TELLING_WORDS)
    return next(telling, None)


class CompactionValidator:
    """Validates compactions of one project's sessions."""

    def __init__(self, project_root: Path | str) -> None:
        self.project_root = Path(project_root)
        self._root = root_text(project_root)
        self.runtime_dir = Path(runtime_folder(self._root))

    def load_compaction_context(self, session_id: str) -> CompactionContext:
        """Return the session's latest compaction with its transcript; never raises.

        Without a readable event the defaults come back. The transcript is None where it is
        missing, unreadable, too large, or not inside the project; the last is flagged.
        """
        read = read_events(self._root)
        event = latest_event(read.events, session_id)
        if event is None:
            return CompactionContext(note=read.problem)
        transcript = read_transcript(self._root, event.pre_compaction_transcript_path)
        return CompactionContext(
            has_compaction_event=True,
            turn_at_compaction=event.turn_number,
            messages_removed=event.messages_removed,
            pre_compaction_transcript=transcript.messages,
            timestamp=event.timestamp or None,
            has_security_violation=transcript.is_violation,
            note=transcript.problem,
        )

    def validate(
        self, transcript: Messages | Compacted | None, session_id: str
    ) -> ValidationResult:
        """Compare the session's present transcript with what its latest compaction took away.

        `transcript` is what the model has: flat messages, or the entries of the client's file, of
        which only what follows the last compaction counts. It alone tells what reached the model:
        what was recorded is not needed, and without what follows the compaction nothing passes.
        Where the pre-compaction transcript is not available, or is another compaction's, the
        given one serves for both sides. A compaction that was read already is taken as it is.
        """
        context = self.load_compaction_context(session_id)
        if isinstance(transcript, Compacted):
            return judge_compaction(transcript, _context_of(transcript, context))
        if not isinstance(transcript, (list, tuple)):
            return _unchecked(context, "there is no current transcript to compare with")
        split = split_at_boundary(transcript)
        # A record of the window is better than the transcript, which may be cut or rewritten.
        recorded = recorded_window(context.pre_compaction_transcript, split)
        is_recorded = recorded is not None or split.boundary is None
        before = recorded if is_recorded else split.before
        if before is None:
            result = _unchecked(context, _nothing_known(context))
        else:
            sides = compacted_of(before, split)
            is_unread = context.has_compaction_event and context.pre_compaction_transcript is None
            if not (is_recorded or is_unread):
                context = _shown_by(sides, context)
                context.pre_compaction_transcript = split.before
            gap = _gap_between(before, split)
            result = _unchecked(context, gap) if gap else judge_compaction(sides, context)
        result.used_fallback = recorded is None and context.has_compaction_event
        return result

    def validate_todos(
        self, pre_compaction: Messages, post_compaction: Messages
    ) -> ValidationResult:
        """Return whether the open todos survived; each lost one is named."""
        return _compared(pre_compaction, post_compaction, "todo")

    def validate_objectives(
        self, pre_compaction: Messages, post_compaction: Messages
    ) -> ValidationResult:
        """Return whether what the session is after is still clear."""
        return _compared(pre_compaction, post_compaction, "objective")

    def validate_recent_context(
        self, pre_compaction: Messages, post_compaction: Messages, context: CompactionContext
    ) -> ValidationResult:
        """Return whether the last ten turns survived, and name gaps at the compaction point."""
        return _compared(pre_compaction, post_compaction, _RECENT, context)


def _compared(
    before: Messages, transcript: Messages, kind: str, context: CompactionContext | None = None
) -> ValidationResult:
    """Compare the sides as they are given: a whole transcript is cut at its last compaction."""
    split = split_at_boundary(transcript)
    sides = compacted_of(last_window(before, split.boundary), split)
    return judge_compaction(sides, context, frozenset({kind}))


def _context_of(sides: Compacted, known: CompactionContext) -> CompactionContext:
    """Return what is recorded of a window's compaction; where nothing is, what it tells itself."""
    recorded = epoch_seconds(known.timestamp)
    shown = epoch_seconds(sides.before.ended.timestamp) if sides.before.ended else None
    is_older = recorded is not None and shown is not None and recorded < shown - _SAME_SECONDS
    return known if known.has_compaction_event and not is_older else _shown_by(sides, known)


def _shown_by(sides: Compacted, known: CompactionContext) -> CompactionContext:
    """Return what a compaction tells itself; that of an older one is no record of it."""
    boundary = sides.before.ended
    if boundary is None:
        return known
    return CompactionContext(
        has_compaction_event=True,
        turn_at_compaction=sides.state.turns,
        messages_removed=sides.before.count_messages(boundary.preserved),
        timestamp=boundary.timestamp or None,
        note=known.note or NOT_RECORDED,
    )


def _unchecked(context: CompactionContext, note: str) -> ValidationResult:
    notes = [note] if note else []
    return ValidationResult(True, compaction_context=context, notes=notes, checked=False)

"""Find what a transcript's ledger rests on, and tell whether a copy's ledger is the same.

What one window says is compared, item for item, before it is merged: two transcripts whose
windows say the same have the same ledger. Byte offsets differ in a copy; they only order items,
and the order of the items is compared.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.compactor.transcripts.copied_lines import placeholder, tool_subject
from amplihack_compaction.compactor.transcripts.manifest import LeftOutKind
from amplihack_compaction.extract.files_and_branch import branch_of
from amplihack_compaction.extract.notes import finished_by
from amplihack_compaction.extract.running_work import looks_at
from amplihack_compaction.extract.statements import WindowState, field_values
from amplihack_compaction.extract.verify_commands import checks_of
from amplihack_compaction.extract.window import extract_window
from amplihack_compaction.transcript.session import JsonObject, Kind, ToolResult, ToolUse, Window

Range = tuple[int, int]
_OFFSETS = frozenset("offset retired_offset changed_offset committed_offset start".split())
# How much each finding is needed is guessed from all around it, outputs too; its text stays anyway.
_GUESSED = "learnings"


@dataclass(slots=True)
class Evidence:
    """What must stay, and where the transcript's windows, turns and last response lie.

    `uuids` are the entries in which an item was said, `tools` the calls whose results say
    something to the ledger. `prompts` are offsets, ascending. `resumed` are the entries that the
    client sends when the session is resumed. `states` is what each window says, value by value, and
    `items` how many items that are; `tasks` are the client's task files.
    """

    tasks: tuple[JsonObject, ...]
    states: list[list[tuple[str, Any]]] = field(default_factory=list)
    windows: list[Range] = field(default_factory=list)
    uuids: set[str] = field(default_factory=set)
    tools: set[str] = field(default_factory=set)
    prompts: list[int] = field(default_factory=list)
    resumed: set[str] = field(default_factory=set)
    model: str = ""
    items: int = 0


def gather(windows: Iterable[Window], stop: int, tasks: tuple[JsonObject, ...]) -> Evidence:
    """Return what the ledger of a transcript's windows rests on; `stop` is where the last ends."""
    found = Evidence(tasks)
    for window in windows:
        state = _state_of(window, tasks)
        compared = (told for name, told in field_values(state).items() if name != _GUESSED)
        found.items += sum(len(told) for told in compared if isinstance(told, tuple))
        leaves = list(leaves_of(state))
        found.states.append(leaves)
        uuids = {text.partition("#")[0] for name, text in leaves if name == "uuid" and text}
        found.uuids |= uuids
        found.tools.update(_telling_tools(window, uuids, state))
        found.windows.append((window.start, stop if window.ended is None else window.end))
        found.prompts += [node.offset for node in window.chain if node.kind is Kind.PROMPT]
        found.model = window.model or found.model
        if window.ended is None:
            found.resumed = {node.uuid for node in window.chain}
            found.resumed |= window.began.preserved if window.began is not None else set()
    return found


def differing_windows(path: str, start: int, evidence: Evidence) -> list[int]:
    """Return the numbers of a copy's windows that say something else than the original's.

    The first of them lies at `start` of the copy; a copy with other windows differs in all.
    """
    windows = read_windows(path, start)
    states = [list(leaves_of(_state_of(window, evidence.tasks))) for window in windows]
    if len(states) != len(evidence.states):
        return list(range(len(evidence.states)))
    pairs = zip(states, evidence.states, strict=True)
    return [number for number, (one, other) in enumerate(pairs) if one != other]


def leaves_of(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each plain value in a state with its field's name, and how long each list is.

    Two states with the same ones say the same. Of an offset only whether there is one counts; which
    of the model's findings are told does not.
    """
    if isinstance(value, tuple):
        yield name, len(value)
        for item in value:
            yield from leaves_of(item, name)
    elif is_dataclass(value):
        for each in fields(value):
            if each.name != _GUESSED:
                yield from leaves_of(getattr(value, each.name), each.name)
    else:
        yield name, min(value, 0) if name in _OFFSETS else value


def _state_of(window: Window, task_files: Sequence[JsonObject]) -> WindowState:
    """Return what a window says; the client's task files tell of the open one."""
    return extract_window(window, task_files if window.ended is None else ())


def _telling_tools(window: Window, uuids: set[str], state: WindowState) -> Iterator[str]:
    """Yield the calls whose result an item was taken from, or would be missed by the ledger."""
    failing = [work.task_id for work in state.running if work.error]
    for step in window.steps:
        tool = step.tool
        if tool is None or tool.result is None or tool.result.is_error:
            continue
        tells_of_work = any(looks_at(task_id, tool) for task_id in failing)
        if step.uuid in uuids or tells_of_work or _says_more(tool):
            yield tool.id
    for node in window.chain:
        if node.kind is Kind.RESULT and node.uuid in uuids:
            yield from (tool_id for tool_id, _ in node.results)


def _says_more(tool: ToolUse) -> bool:
    """Return whether a result says something of the work that its placeholder would not."""
    assert tool.result is not None  # noqa: S101 - the caller has looked
    what = tool_subject(tool.name, tool.input)
    text = placeholder(LeftOutKind.TOOL_OUTPUT, what, tool.name)
    bare = replace(tool, result=ToolResult(text, is_error=False, data=tool.result.data))
    return (
        branch_of(tool) != branch_of(bare)
        or finished_by(tool) != finished_by(bare)
        or [check.passed for check in checks_of(tool)]
        != [check.passed for check in checks_of(bare)]
    )

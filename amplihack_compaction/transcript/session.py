"""A session: its entries, the nodes that they are to its conversation, its texts, its windows.

A node is slim: who spoke, what, and where it hangs in the tree. Which client wrote the entry does
not matter any more; `clients` makes one out of the other. Texts are cut, made storable, and read
outside of code fences.

A window is what was said between two compaction boundaries, on the main chain.

The transcript is a tree. A rewound prompt stays in the file as a branch of its own; what was
said on it was taken back. Strict ancestry alone would lose too much, for parallel tool calls
fork too: each call of one message hangs off the previous one, and its result hangs off the call.
A conversation that was rewound to its very beginning goes on below its last entry, as if nothing
had been; only the number of the prompt's turn, 1 again, tells. Of the main chain turns are made,
and steps: its texts and tool uses in order.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypedDict

JsonObject = dict[str, Any]


def text_in(data: Mapping[str, Any], name: str) -> str:
    """Return the text under a name of an object; empty where there is none."""
    return as_text(data.get(name))


def as_text(value: Any) -> str:
    """Return a value that is a text; an empty one for all others."""
    return value if isinstance(value, str) else ""


def as_object(value: Any) -> JsonObject:
    """Return a value that is a JSON object; an empty one for all others."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a value that is a list; an empty one for all others."""
    return value if isinstance(value, list) else []


# What tells what a tool was used on, the most telling first.
_USED_ON = (
    "command", "file_path", "notebook_path", "pattern", "url", "query", "subject", "skill",
    "description", "path", "prompt",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """One object of a transcript as its client wrote it, and the byte offset of its line."""

    offset: int
    data: JsonObject


@dataclass(slots=True)
class ReadReport:
    """What a reader met: lines read, and lines (or objects) it could not use.

    `end` is the offset behind the last whole line.
    """

    end: int = 0
    lines: int = 0
    skipped: int = 0
    reasons: dict[str, int] = field(default_factory=dict)

    def skip(self, reason: str) -> None:
        """Count one line or object that was not understood."""
        self.skipped += 1
        self.reasons[reason] = self.reasons.get(reason, 0) + 1


class Kind(Enum):
    """What a node is to the conversation."""

    PROMPT = "prompt"
    ASSISTANT = "assistant"
    RESULT = "result"
    SUMMARY = "summary"
    BOUNDARY = "boundary"
    OTHER = "other"


@dataclass(slots=True)
class ToolResult:
    """A tool's answer: `text` as the model saw it (cut), `data` what the client adds to it.

    `refused`: the call was not permitted or was interrupted, and did not run; `by_client`: not by
    the user, but by a rule of the settings or a mode. `by_another`: the user was not asked, so that
    an answer or an approval in it is not his.
    """

    text: str
    is_error: bool
    data: Any = None
    refused: bool = False
    by_another: bool = False
    by_client: bool = False


@dataclass(slots=True)
class ToolUse:
    """One call of a tool; `result` is None while it is open or was never recorded.

    `folder` is the one that it was made in. `ended_well` says how the command ended that the call
    left in the background, None while nothing tells.
    """

    id: str
    name: str
    input: JsonObject
    timestamp: str = ""
    result: ToolResult | None = None
    folder: str = ""
    ended_well: bool | None = None

    @property
    def succeeded(self) -> bool | None:
        """Whether the call succeeded; None when that is not known."""
        if self.result is None or self.result.is_error:
            return None if self.result is None else False
        return self.ended_well if self.task_id else True

    @property
    def task_id(self) -> str:
        """The id of the command that the call left in the background; empty for none."""
        data = self.result.data if self.result is not None else None
        return text_in(as_object(data), "backgroundTaskId")

    @property
    def used_on(self) -> str:
        """The target of the tool: its command, file, pattern or subject; empty if unknown."""
        texts = (text_in(self.input, key) for key in _USED_ON)
        found = next((text for text in texts if text.strip()), "")
        task, said = text_in(self.input, "taskId"), text_in(self.input, "status") or found
        if not task:
            return found
        return f"task #{task}: {said}" if said else f"task #{task}"


@dataclass(frozen=True, slots=True)
class Boundary:
    """A compaction, as the transcript records it; numbers are None where the client wrote none.

    Clients before 2.0 wrote only the summary; its line then is the boundary (`trigger` "").
    `leaf_uuid` is the last entry of what was compacted, where the client names it.
    """

    offset: int
    uuid: str
    timestamp: str = ""
    trigger: str = ""
    leaf_uuid: str | None = None
    pre_tokens: int | None = None
    post_tokens: int | None = None
    precomputed: bool = False
    preserved: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class WindowNotes:
    """What an entry tells of its window as a whole; empty or None where it tells nothing.

    `todos` is the list that old clients attach to user entries; `plan` a plan file's text; `ended`
    the id of work in the background that has ended, `completed` whether it was not stopped before,
    `failure` how it failed; `instructions` a file of them, as a folder's CLAUDE.md, that came with
    a file that was read. `interrupted` tells that the user stopped the model.
    """

    branch: str = ""
    model: str = ""
    todos: Any = None
    plan_mode: bool | None = None
    plan_path: str = ""
    plan: str = ""
    ended: str = ""
    completed: bool = False
    failure: str = ""
    instructions: str = ""
    interrupted: bool = False

    @property
    def ended_well(self) -> bool | None:
        """Whether the work came to its own end and did not fail; None where it was stopped."""
        return False if self.failure else self.completed or None


@dataclass(slots=True)
class Node:
    """One entry of the tree.

    `whole` is a prompt's text where `text` has it cut. `said` is what the user said with a tool's
    results, each with its origin. `turn` is the number of a prompt's turn in its conversation and
    the prompt's id, where the client tells them. `folder` is where it was written; `sidechain`
    says whether it is a subagent's, None where the client does not say. `boundary` is what a
    boundary's entry records.
    """

    kind: Kind
    uuid: str
    parent: str | None
    offset: int
    timestamp: str = ""
    message_id: str = ""
    text: str = ""
    whole: str = ""
    origin: str = ""
    tools: list[ToolUse] = field(default_factory=list)
    results: list[tuple[str, ToolResult]] = field(default_factory=list)
    said: list[tuple[str, str]] = field(default_factory=list)
    turn: tuple[int, str] | None = None
    folder: str = ""
    sidechain: bool | None = None
    boundary: Boundary | None = None
    noted: WindowNotes | None = None

    def shed(self) -> None:
        """Drop what only recent nodes need; prompts keep their text."""
        if self.kind in (Kind.ASSISTANT, Kind.RESULT, Kind.OTHER):
            self.text, self.tools, self.results, self.said, self.noted = "", [], [], [], None


EDITORS = frozenset(("Edit", "Write", "MultiEdit", "NotebookEdit"))
"""The tools that write into files."""


def was_refused(tool: ToolUse) -> bool:
    """Return whether the call was refused or interrupted, so that it says nothing."""
    result = tool.result
    return result is not None and result.is_error and result.refused


def others_tool(name: str) -> str:
    """Return the name of a tool that a client does not have of its own, as one that means nothing.

    By its name alone a tool of somebody's would ask the user, approve plans, or list todos.
    """
    is_ours = name[:1].isupper() or name == "exit_plan_mode"
    return f"other {name}" if is_ours else name


def bash_command(tool: ToolUse) -> str:
    """Return the command line of a Bash call; empty for every other tool."""
    return text_in(tool.input, "command") if tool.name == "Bash" else ""


# How far from its place a cut is put off for the end of a sentence.
_NEAR_CHARS = 400
_END = re.compile(r"[.!?](?=\s)|[\n。！？]")
_CUT = re.compile(r"\[\.\.\. [0-9]+ characters \.\.\.\]")
_FENCES = ("```", "~~~")


def cut_middle(text: str, limit: int) -> str:
    """Return the text, or its head and tail around a mark that says how much is left out.

    The mark has a line of its own. Where a sentence or line ends near by, none is cut in two: half
    of one can say the contrary of the whole.
    """
    if len(text) <= limit:
        return text
    half = limit // 2
    near = min(_NEAR_CHARS, half // 2)
    head, tail = text[:half], text[len(text) - half :]
    ends = [found.end() for found in _END.finditer(head, half - near)]
    head = head[: ends[-1]] if ends else head
    begin = _END.search(tail, 0, near)
    tail = tail[begin.end() :] if begin is not None else tail
    left = len(text) - len(head) - len(tail)
    return f"{head}\n[... {left} characters ...]\n{tail}"


def is_cut(line: str) -> bool:
    """Return whether a line is the mark of `cut_middle`, which nobody said."""
    return _CUT.fullmatch(line) is not None


def storable(text: str) -> str:
    """Return a text that every database takes: no NUL, no half of a character."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\N{SYMBOL FOR NULL}").encode("utf-8", "replace").decode("utf-8")


def prose_lines(text: str) -> list[str]:
    """Return a text's lines outside code fences; an unclosed fence reaches to the end."""
    if "```" not in text and "~~~" not in text:
        return text.splitlines()
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = line.lstrip()[:3]
        if fence:
            fence = "" if mark == fence else fence
        elif mark in _FENCES:
            fence = mark
        else:
            lines.append(line)
    return lines


# The newest nodes of a window keep their texts; of older ones in a window larger than any
# model's context only the prompts do, so that memory stays bounded.
RECENT_NODES = 30_000
LONG_PROMPTS = 4
"""So many of the newest long prompts are kept whole."""
# Some of them may have been taken back: which, is known when a window ends.
_LONG_NODES = 4 * LONG_PROMPTS
_CONVERSATION = (Kind.PROMPT, Kind.ASSISTANT, Kind.RESULT)


class EntryPosition(TypedDict):
    """Where something was said or done, as the arguments that every item of the state takes."""

    uuid: str
    offset: int
    position: int
    at: str
    window: int


def entry_position(said: Any, position: int = 0) -> EntryPosition:
    """Return where a step or a prompt stands; `position` tells its sentences apart."""
    return {
        "uuid": said.uuid,
        "offset": said.offset,
        "position": position,
        "at": said.at,
        "window": said.window,
    }


@dataclass(frozen=True, slots=True)
class TranscriptStep:
    """A text of the user or the model, or one tool use; `tool` is None for a text.

    `origin` is empty for what the model said; else one of typed, queued, command, rejection,
    approval, answer. `prompt` is the prompt of the turn that the step belongs to, empty before the
    first one.
    """

    uuid: str
    offset: int
    at: str
    window: int
    text: str = ""
    origin: str = ""
    tool: ToolUse | None = None
    prompt: str = ""

    @property
    def by_user(self) -> bool:
        """Whether it is what the user said."""
        return self.origin != ""

    @property
    def place(self) -> EntryPosition:
        """Where the step stands in the transcript."""
        return entry_position(self)


@dataclass(slots=True)
class Turn:
    """A prompt, the model's texts and tool uses up to the next prompt, in order of the file.

    `prompt` is None for what stands before the first prompt of a window: the turn that the
    compaction interrupted.
    """

    prompt: TranscriptStep | None
    texts: list[TranscriptStep] = field(default_factory=list)
    tools: list[ToolUse] = field(default_factory=list)


def _steps_of(chain: Iterable[Node], window: int) -> Iterator[TranscriptStep]:
    """Yield what was said and done on a chain; the results of its calls are attached to them.

    What the user said with a result has an id of its own, made of that of its entry.
    """
    prompt = ""
    calls: dict[str, ToolUse] = {}
    for node in chain:
        place = (node.offset, node.timestamp, window)
        _attach_results(node, calls)
        if node.kind is Kind.PROMPT:
            prompt = node.text
            yield TranscriptStep(node.uuid, *place, prompt, node.origin, prompt=prompt)
        elif node.kind is Kind.ASSISTANT:
            if node.text.strip():
                yield TranscriptStep(node.uuid, *place, node.text, prompt=prompt)
            for tool in node.tools:
                calls[tool.id] = tool
                tool.folder = node.folder
                yield TranscriptStep(node.uuid, *place, tool=tool, prompt=prompt)
        elif node.kind is Kind.RESULT:
            for number, (prompt, origin) in enumerate(node.said):
                said = f"{node.uuid}#{number}"
                yield TranscriptStep(said, *place, prompt, origin, prompt=prompt)


def _attach_results(node: Node, calls: dict[str, ToolUse]) -> None:
    """Give calls the results that an entry has, and what it tells of how one's work ended.

    What a call left in the background is known by its id from then on, too.
    """
    for call, result in node.results:
        if (tool := calls.get(call)) is not None:
            tool.result = result
            calls[tool.task_id or call] = tool
            _note_end_seen(tool, calls)
    if node.noted is not None and (tool := calls.get(node.noted.ended)) is not None:
        tool.ended_well = node.noted.ended_well


# The last line of the file that has the output of work in the background, which the client's own
# tool shows with its number; and that file.
_EXITED = re.compile(r"^(?:[ \t]{0,8}\d{1,7}[\t→])?\[exited with code (\d+)\]", re.MULTILINE)
_OUTPUT_FILE = re.compile(r"/tasks/(\w{4,40})\.output\b")


# Of work that was ended by a signal.
_STOPPED = frozenset(("130", "137", "143"))


def end_seen(tool: ToolUse) -> tuple[str, bool | None]:
    """Return the id of background work whose end a look at its output shows, and if it was good.

    The id is empty where none is seen. Who was stopped ended neither well nor badly.
    """
    files = {*_OUTPUT_FILE.findall(tool.used_on)}
    text = tool.result.text if len(files) == 1 and tool.result is not None else ""
    ends = _EXITED.findall(text)
    is_good = None if ends and ends[-1] in _STOPPED else ends[-1:] == ["0"]
    return (files.pop(), is_good) if ends else ("", None)


def _note_end_seen(tool: ToolUse, calls: dict[str, ToolUse]) -> None:
    task_id, is_good = end_seen(tool)
    if task_id in calls and calls[task_id].ended_well is None:
        calls[task_id].ended_well = is_good


def _turns_of(steps: Iterable[TranscriptStep]) -> list[Turn]:
    """Return the turns of these steps; a leading one without a prompt only when it has content."""
    turns = [Turn(None)]
    for step in steps:
        if step.by_user:
            turns.append(Turn(step))
        elif step.tool is not None:
            turns[-1].tools.append(step.tool)
        else:
            turns[-1].texts.append(step)
    return turns if turns[0].texts or turns[0].tools else turns[1:]


@dataclass(slots=True)
class Window:
    """The entries between two boundaries: the main chain, what was said and done on it in order.

    `start` and `end` are byte offsets: of the boundary that began the window (0 for the first)
    and of the one that ended it (the end of what was read for the last). `todos` is the list
    that old clients attach to user entries; `plan` the newest plan file's text; `root` the folder
    that the window's first entry was written in.
    """

    index: int
    start: int
    end: int
    began: Boundary | None
    ended: Boundary | None
    chain: list[Node]
    steps: list[TranscriptStep]
    turns: list[Turn]
    summary: str = ""
    root: str = ""
    branch: str = ""
    model: str = ""
    plan_mode: bool | None = None
    plan_path: str = ""
    plan: str = ""
    todos: list[JsonObject] = field(default_factory=list)
    report: ReadReport = field(default_factory=ReadReport)

    @property
    def prompts(self) -> list[TranscriptStep]:
        """The user's prompts in this window, in order."""
        return [turn.prompt for turn in self.turns if turn.prompt is not None]

    def count_messages(self, left_out: Container[str] = ()) -> int:
        """Return the number of messages on the main chain, but for lines of these uuids.

        They are prompts, the model's and tool results. The client writes an answer of several
        blocks as several lines of one message.
        """
        said = (node for node in self.chain if node.kind in _CONVERSATION)
        return len({node.message_id or node.uuid for node in said if node.uuid not in left_out})


class _WindowBuilder:
    """Collects the nodes of one window while a transcript is read."""

    def __init__(self, index: int, start: int, began: Boundary | None, report: ReadReport) -> None:
        self.index, self.start, self.began, self.report = index, start, began, report
        self.nodes: list[Node] = []
        self.long: list[Node] = []
        self.uuids: set[str] = set()
        self.sidechain: bool | None = None
        self.root = ""

    def belongs(self, node: Node) -> bool:
        """Leave out subagents' entries of old clients, unless the whole file is a subagent's.

        A client can begin a session's file with a subagent that it warms up.
        """
        if node.sidechain is None:
            return True
        if self.sidechain and not node.sidechain:
            self.nodes.clear()
            self.uuids.clear()
            self.sidechain = False
        if self.sidechain is None:
            self.sidechain = node.sidechain
        return node.sidechain == self.sidechain

    def add(self, node: Node) -> None:
        self.root = self.root or node.folder
        if node.uuid in self.uuids:
            return  # resumed sessions copy entries; the first copy has its place in the tree
        self.uuids.add(node.uuid)
        self.nodes.append(node)
        if node.whole:
            self.long.append(node)
            if len(self.long) > _LONG_NODES:
                self.long.pop(0).whole = ""
        if len(self.nodes) > RECENT_NODES:
            self.nodes[-RECENT_NODES - 1].shed()

    def finish(self, end: int, ended: Boundary | None) -> Window:
        chain = main_chain(self.nodes, ended.leaf_uuid if ended else None)
        steps = list(_steps_of(chain, self.index))
        window = Window(
            self.index, self.start, end, self.began, ended, chain, steps, _turns_of(steps),
            root=self.root, report=self.report,
        )  # fmt: skip
        for node in chain:
            take_notes(window, node)
        return window


def group_windows(
    nodes: Iterable[tuple[int, Node | None]], start: int, index: int, report: ReadReport
) -> Iterator[Window]:
    """Yield the windows that a transcript's nodes make up, the last one still open.

    With each node comes its entry's offset; an entry outside the tree has none. `start` is 0 or
    the offset of a boundary, `index` the number of the window that starts there. A window's nodes
    are dropped when the next one begins, so memory follows the largest window and not the file.
    """
    builder = _WindowBuilder(index, start, None, report)
    end = start
    for offset, node in nodes:
        end = offset
        if node is None or not builder.belongs(node):
            continue
        boundary = _boundary_at(node, builder)
        if boundary is not None and boundary.offset == start and not builder.nodes:
            builder.began = boundary
        elif boundary is not None:
            yield builder.finish(boundary.offset, boundary)
            builder = _WindowBuilder(builder.index + 1, boundary.offset, boundary, report)
        builder.add(node)
    yield builder.finish(max(end, start), None)


def _boundary_at(node: Node, builder: _WindowBuilder) -> Boundary | None:
    if node.kind is Kind.BOUNDARY:
        return node.boundary
    if node.kind is not Kind.SUMMARY:
        return None
    follows = builder.began is not None and not any(
        seen.kind in (Kind.PROMPT, Kind.ASSISTANT, Kind.SUMMARY) for seen in builder.nodes
    )
    return None if follows else Boundary(node.offset, node.uuid, node.timestamp)


def take_notes(window: Window, node: Node) -> None:
    """Take from one node what concerns the window as a whole."""
    if node.kind is Kind.SUMMARY:
        window.summary = node.text
    noted = node.noted
    if noted is None:
        return
    window.branch = noted.branch or window.branch
    window.model = noted.model or window.model
    if isinstance(noted.todos, list):
        window.todos = [todo for todo in noted.todos if isinstance(todo, dict)]
    if noted.plan_mode is not None:
        window.plan_mode = noted.plan_mode
    window.plan_path = noted.plan_path or window.plan_path
    window.plan = noted.plan or window.plan


def main_chain(nodes: list[Node], leaf_uuid: str | None = None) -> list[Node]:
    """Return the nodes of the main chain in file order.

    `leaf_uuid` names the leaf where it is known: a boundary's `logicalParentUuid`. Otherwise
    the last conversation node is the leaf. Where a parent is missing, or a second root
    appears, the chain goes on with the node before it in the file.
    """
    index = {node.uuid: place for place, node in enumerate(nodes)}
    named = index.get(leaf_uuid) if leaf_uuid is not None else None
    chosen = _ancestors(nodes, index, _last_said(nodes) if named is None else named)
    _add_companions(nodes, index, chosen)
    return [node for place, node in enumerate(nodes) if place in chosen]


def _last_said(nodes: list[Node]) -> int:
    """Return the place of the last node of the conversation, or without one of the last node."""
    places = (place for place in reversed(range(len(nodes))) if nodes[place].kind in _CONVERSATION)
    return next(places, len(nodes) - 1)


def _ancestors(nodes: list[Node], index: dict[str, int], leaf: int) -> set[int]:
    chosen: set[int] = set()
    place = leaf
    while place >= 0 and place not in chosen:
        chosen.add(place)
        if _begins_anew(nodes, place):
            break
        parent = nodes[place].parent
        # Parents come first in the file; one that does not would be a loop or a torn copy.
        above = index.get(parent, -1) if parent is not None else -1
        place = above if 0 <= above < place else place - 1
    return chosen


def _begins_anew(nodes: list[Node], place: int) -> bool:
    """Return whether a prompt is its conversation's first although others came before it."""
    turn = nodes[place].turn
    if turn is None or turn[0] != 1:
        return False
    earlier = (nodes[above] for above in range(place - 1, -1, -1))
    before = next((node for node in earlier if node.kind is Kind.PROMPT), None)
    return before is not None and before.turn is not None and before.turn[1] != turn[1]


def _add_companions(nodes: list[Node], index: dict[str, int], chosen: set[int]) -> None:
    """Add the tool results, parallel calls and attachments that hang off the chain."""
    message_ids = {nodes[place].message_id for place in chosen if nodes[place].message_id}
    for place, node in enumerate(nodes):
        parent = index.get(node.parent, -1) if node.parent is not None else -1
        if place in chosen or parent not in chosen or node.kind is Kind.PROMPT:
            continue
        if node.kind is not Kind.ASSISTANT or node.message_id in message_ids:
            chosen.add(place)

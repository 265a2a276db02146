"""Cut a transcript into windows: what was said between two compaction boundaries."""

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from amplihack_compaction.transcript.chain import main_chain
from amplihack_compaction.transcript.entries import Entry, JsonObject, ReadReport, iterate_entries
from amplihack_compaction.transcript.nodes import Kind, Node, make_node
from amplihack_compaction.transcript.turns import Prompt, Turn, make_turns

if TYPE_CHECKING:
    from pathlib import Path


# The newest nodes of a window keep their texts; of older ones in a window larger than any
# model's context only the prompts do, so that memory stays bounded.
RECENT_NODES = 30_000


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


@dataclass(slots=True)
class Window:
    """The entries between two boundaries, as turns of the main chain.

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
    turns: list[Turn]
    chain: list[Node]
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
    def prompts(self) -> list[Prompt]:
        """What the user said in this window, in order."""
        return [turn.prompt for turn in self.turns if turn.prompt is not None]

    @property
    def messages(self) -> list[Node]:
        """The lines of the main chain's messages: prompts, the model's and tool results."""
        return [n for n in self.chain if n.kind in (Kind.PROMPT, Kind.ASSISTANT, Kind.RESULT)]

    def count_messages(self, left_out: Container[str] = ()) -> int:
        """Return the number of messages on the main chain, but for lines of these uuids.

        The client writes an answer of several blocks as several lines of one message.
        """
        counted = (node for node in self.messages if node.uuid not in left_out)
        return len({node.message_id or node.uuid for node in counted})


class _Builder:
    """Collects the nodes of one window while a transcript is read."""

    def __init__(self, index: int, start: int, began: Boundary | None, report: ReadReport) -> None:
        self.index, self.start, self.began, self.report = index, start, began, report
        self.nodes: list[Node] = []
        self.uuids: set[str] = set()
        self.sidechain: bool | None = None
        self.root = ""

    def add(self, node: Node) -> None:
        if node.uuid in self.uuids:
            return  # resumed sessions copy entries; the first copy has its place in the tree
        self.uuids.add(node.uuid)
        self.nodes.append(node)
        if len(self.nodes) > RECENT_NODES:
            self.nodes[-RECENT_NODES - 1].shed()

    def finish(self, end: int, ended: Boundary | None) -> Window:
        chain = main_chain(self.nodes, ended.leaf_uuid if ended else None)
        window = Window(
            self.index, self.start, end, self.began, ended, make_turns(chain), chain,
            root=self.root, report=self.report,
        )  # fmt: skip
        for node in chain:
            _note(window, node)
        return window


def read_windows(
    path: "Path | str",
    start: int = 0,
    index: int = 0,
    report: ReadReport | None = None,
    stop: int | None = None,
    on_entry: Callable[[Entry], None] | None = None,
) -> Iterator[Window]:
    """Yield the transcript's windows from `start` on, the last one still open.

    `start` is 0 or the offset of a boundary, `index` the number of the window that starts
    there; lines that start at `stop` or later are not read. A window's entries are dropped when
    the next one begins, so memory follows the largest window and not the file. `on_entry` is
    called with every entry, for who looks at more than windows do, before the window it lies in is
    yielded. Raises TranscriptError when the file cannot be read.
    """
    report = report if report is not None else ReadReport()
    entries = iterate_entries(path, start, stop, report)
    if on_entry is not None:
        entries = _told(entries, on_entry)
    yield from windows_of(entries, start, index, report)


def _told(entries: Iterable[Entry], on_entry: Callable[[Entry], None]) -> Iterator[Entry]:
    for entry in entries:
        on_entry(entry)
        yield entry


def windows_of(
    entries: Iterable[Entry], start: int, index: int, report: ReadReport
) -> Iterator[Window]:
    """Yield the windows that entries make up, for whoever reads the lines: see `read_windows`."""
    builder = _Builder(index, start, None, report)
    end = start
    for entry in entries:
        end = entry.offset
        if not _belongs(builder, entry.data):
            continue
        node = make_node(entry)
        if node is None:
            continue
        boundary = _boundary_at(node, builder)
        if boundary is not None and boundary.offset == start and not builder.nodes:
            builder.began = boundary
        elif boundary is not None:
            yield builder.finish(boundary.offset, boundary)
            builder = _Builder(builder.index + 1, boundary.offset, boundary, report)
        builder.add(node)
        builder.root = builder.root or str(entry.data.get("cwd") or "")
    yield builder.finish(max(end, start), None)


def read_boundary(entry: Entry) -> Boundary | None:
    """Return the boundary that an entry records, or None."""
    node = make_node(entry)
    return _make_boundary(node) if node is not None and node.kind is Kind.BOUNDARY else None


def _belongs(builder: _Builder, data: JsonObject) -> bool:
    """Leave out subagents' lines of old clients, unless the whole file is a subagent's."""
    sidechain = data.get("isSidechain")
    if not isinstance(sidechain, bool):
        return True
    if builder.sidechain is None:
        builder.sidechain = sidechain
    return sidechain == builder.sidechain


def _boundary_at(node: Node, builder: _Builder) -> Boundary | None:
    if node.kind is Kind.BOUNDARY:
        return _make_boundary(node)
    if node.kind is not Kind.SUMMARY:
        return None
    follows = builder.began is not None and not any(
        seen.kind in (Kind.PROMPT, Kind.ASSISTANT, Kind.SUMMARY) for seen in builder.nodes
    )
    return None if follows else Boundary(node.offset, node.uuid, node.timestamp)


def _make_boundary(node: Node) -> Boundary:
    entry = node.entry or {}
    metadata = entry.get("compactMetadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    # Of a part that the rewind menu summarised it names where that part begins or ends: what was
    # said behind it was not taken back.
    is_part = metadata.get("messagesSummarized") is not None
    leaf = None if is_part else entry.get("logicalParentUuid")
    return Boundary(
        node.offset,
        node.uuid,
        node.timestamp,
        str(metadata.get("trigger") or ""),
        leaf if isinstance(leaf, str) else None,
        _integer(metadata.get("preTokens")),
        _integer(metadata.get("postTokens")),
        metadata.get("precomputed") is True,
        _preserved(metadata),
    )


def _preserved(metadata: JsonObject) -> frozenset[str]:
    kept = metadata.get("preservedMessages")
    if not isinstance(kept, dict):
        return frozenset()
    names = [*_list(kept.get("uuids")), *_list(kept.get("allUuids"))]
    return frozenset(name for name in names if isinstance(name, str))


def _note(window: Window, node: Node) -> None:
    """Take from one node what concerns the window as a whole."""
    entry = node.entry or {}
    if node.kind is Kind.SUMMARY:
        window.summary = node.text
    elif node.kind is Kind.ASSISTANT:
        window.branch = str(entry.get("branch") or window.branch)
        model = str(entry.get("model") or "")
        window.model = model if model and not model.startswith("<") else window.model
    elif isinstance(entry.get("todos"), list):
        window.todos = [todo for todo in entry["todos"] if isinstance(todo, dict)]
    elif isinstance(entry.get("attachment"), dict):
        _note_plan(window, entry["attachment"])


def _note_plan(window: Window, attachment: JsonObject) -> None:
    kind = attachment.get("type")
    if kind in ("plan_mode", "plan_mode_exit"):
        window.plan_mode = kind == "plan_mode"
    window.plan_path = str(attachment.get("planFilePath") or window.plan_path)
    window.plan = str(attachment.get("planContent") or window.plan)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None

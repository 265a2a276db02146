"""Read a transcript's new lines into the messages that are stored of them, a batch at a time.

Only whole lines are read, and only lines of the conversation are parsed. What is stored is redacted
and cut: prompts, answers and summaries nearly whole, calls and outputs with their head and tail.
What the client adds, thinking and pictures are left out, and calls of this package with what they
printed: a search would find itself. So is what the client says to a call that only keeps a
todo, or that the user refused.

What must be known from one increment to the next is in `Progress`; as text, for the store:

    TURN BOUNDARY          prompts so far; the uuid of a boundary whose summary is to come, or -
    CALL_ID TOOL           one line for each tool call without a result yet; of a call of this
                           package its name
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, BinaryIO

from amplihack_compaction.base.installation import COMMAND_NAME
from amplihack_compaction.clients.session_lines import (
    PromptQueue,
    clean,
    is_internal_line,
    lines_in,
    parse_line,
)
from amplihack_compaction.clients.speakers import (
    blocks_of,
    is_bare_refusal,
    is_by_another,
    is_decided_by_another,
    message_text,
    said_with_results,
    summary_part,
    typed_prompt,
)
from amplihack_compaction.store.messages import StoredMessage
from amplihack_compaction.transcript.session import (
    ReadReport,
    as_list,
    as_object,
    storable,
    text_in,
)

Found = tuple[str, str, str, str]
"""Kind, role, tool and text of a message."""

TEXT_LIMIT_CHARS = 64_000
_LIMITS_CHARS = {
    "prompt": TEXT_LIMIT_CHARS, "answer": TEXT_LIMIT_CHARS,
    "decision": 8_000, "tool_call": 8_000, "tool_output": 8_000,
}  # fmt: skip
_INPUT_DEPTH = 6
_INPUT_ITEMS = 200
_QUESTION_TOOL = "AskUserQuestion"
# What the client says to these tells nothing that the call does not.
_TODO_TOOLS = frozenset(("TodoWrite", "TaskCreate", "TaskUpdate"))
_SUMMARY_FRAME = "Summary:\n"
_SUMMARY_END = "\n\nIf you need specific details from before compaction"
_FRAME_CHARS = 400
_OWN_TOOL = re.compile(r"(?:.*_)?amplihack_+(?:recall|session_state|remember)")
_OWN_MODULE = COMMAND_NAME.replace("-", "_")
_ASIDES = frozenset(("cd", "echo", "true", "export", "sleep"))


def messages_of(entry: dict[str, Any], place: int, progress: "Progress") -> list[StoredMessage]:
    """Return the messages of one entry; `progress` counts turns and remembers open calls."""
    kind, content = entry.get("type"), as_object(entry.get("message")).get("content")
    found: Iterable[Found] = ()
    if entry.get("isSidechain"):
        pass  # a subagent's
    elif kind == "attachment":
        found = _queued(as_object(entry.get("attachment")))
    elif kind == "assistant" and not entry.get("isApiErrorMessage"):
        found = _of_model(content, progress)
    elif kind == "user":
        found = _of_user(entry, content, progress)
    made = partial(StoredMessage, said_at=said_at(entry), uuid=named(entry, place), place=place)
    messages = []
    for part, (kind, role, tool, said) in enumerate(found):
        progress.turn += kind == "prompt"
        text = redacted_and_cut(said, _LIMITS_CHARS[kind])
        messages.append(made(role, text, kind, storable(tool), turn=progress.turn, part=part))
    return messages


def _is_own_call(tool: str, command: object = "") -> bool:
    """Return whether a call does nothing but call this package, by its server or in a shell."""
    if _OWN_TOOL.fullmatch(tool):
        return True
    if not isinstance(command, str) or not (COMMAND_NAME in command or _OWN_MODULE in command):
        return False
    from amplihack_compaction.text.commands import split_commands

    commands = [c for c in split_commands(command) if c.words]
    ran = [c for c in commands if c.before[:1] != "|" or c.before == "||"]
    return all(
        c.head == COMMAND_NAME or c.words[1:3] == ("-m", _OWN_MODULE) or c.head in _ASIDES
        for c in ran
    )


def summary_text(entry: dict[str, Any]) -> str:
    """Return a summary as the model wrote it, without what the client puts around it."""
    text = message_text(as_object(entry.get("message")).get("content"))
    if _SUMMARY_FRAME in text[:_FRAME_CHARS]:
        text = text.partition(_SUMMARY_FRAME)[2]
        head, end, _ = text.rpartition(_SUMMARY_END)
        text = head if end else text
    else:
        text = summary_part(text)
    return redacted_and_cut(text, TEXT_LIMIT_CHARS)


def redacted_and_cut(text: str, limit: int) -> str:
    """Return the text without secrets, cut to the limit, as every database takes it."""
    return storable(clean(text, limit))


def _queued(attachment: dict[str, Any]) -> Iterator[Found]:
    """Yield what the user typed while the model worked."""
    is_prompt = attachment.get("commandMode", "prompt") == "prompt"
    if attachment.get("type") == "queued_command" and is_prompt and not is_by_another(attachment):
        yield from _prompt(attachment.get("prompt"))


def _prompt(content: object) -> Iterator[Found]:
    said, _ = typed_prompt(content)
    if said:
        yield "prompt", "user", "", said


def _of_user(entry: dict[str, Any], content: object, progress: "Progress") -> Iterator[Found]:
    results = blocks_of(content, "tool_result")
    if results:
        said = list(said_with_results(entry, progress.calls))
        refused = any(origin == "rejection" for _, origin in said)  # with words that are a prompt
        for block in results:
            yield from _of_result(block, entry, progress, refused=refused)
        for text, origin in said:
            if origin != "answer":  # it stands in the decision
                yield "prompt", "user", "", text
    elif not is_by_another(entry) and entry.get("toolUseResult") is None:
        yield from _prompt(content)


def _of_result(
    block: dict[str, Any], entry: dict[str, Any], progress: "Progress", *, refused: bool
) -> Iterator[Found]:
    tool = progress.calls.pop(text_in(block, "tool_use_id"), "")
    if tool == COMMAND_NAME or tool in _TODO_TOOLS:
        return
    content = block.get("content")
    text = message_text(content)
    if not text and isinstance(content, dict):
        text = str(content)
    is_answer = tool == _QUESTION_TOOL and not is_decided_by_another(entry)
    if is_answer and not block.get("is_error"):
        yield "decision", "user", tool, text
    elif text and not (refused or (block.get("is_error") and is_bare_refusal(text))):
        yield "tool_output", "tool", tool, text


def _of_model(content: object, progress: "Progress") -> Iterator[Found]:
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for block in map(as_object, as_list(content)):
        kind, text = block.get("type"), text_in(block, "text")
        if kind == "text" and text.strip():
            yield "answer", "assistant", "", text
        elif kind == "tool_use":
            tool, given = str(block.get("name") or ""), block.get("input")
            is_own = _is_own_call(tool, as_object(given).get("command"))
            if tool:
                progress.calls[text_in(block, "id")] = COMMAND_NAME if is_own else tool
            if not is_own:
                yield "tool_call", "assistant", tool, _call_text(tool, given)


def _call_text(tool: str, tool_input: object) -> str:
    """Return a call as text: the tool's name, then a line for each thing it was given."""
    lines = [tool]
    _flatten(tool_input, "", lines, _INPUT_DEPTH)
    return "\n".join(lines)


def _flatten(value: object, name: str, lines: list[str], depth: int) -> None:
    if len(lines) > _INPUT_ITEMS or depth < 0:
        return
    if isinstance(value, dict):
        for key, item in value.items():
            _flatten(item, str(key), lines, depth - 1)
    elif isinstance(value, list):
        for item in value:
            _flatten(item, name, lines, depth - 1)
    elif value is not None and value != "":
        lines.append(f"{name}: {value}" if name else str(value))


def named(entry: dict[str, Any], place: int) -> str:
    """Return what an entry is known by: its uuid, or its place where it has none."""
    return storable(text_in(entry, "uuid")) or f"@{place}"


def said_at(entry: dict[str, Any]) -> str:
    """Return an entry's time as the client wrote it; empty where it wrote none."""
    moment = text_in(entry, "timestamp")
    return moment if moment.isascii() and moment.isprintable() else ""


# A batch is stored in one go: the memory that an import needs, and how long it holds the lock.
BATCH_BYTES = 4 * 1024 * 1024
_OPEN_CALLS = 64


class Progress:
    """How far a transcript is read, and what its next lines need from the ones before."""

    def __init__(self, position: int = 0, state: str = "") -> None:
        """Take up where the store's position and state left off."""
        self.position = position
        self.turn = 0
        self.boundary = ""
        self.calls: dict[str, str] = {}
        self.queue = PromptQueue()  # from one increment to the next it is not kept
        head, _, rest = state.partition("\n")
        turn, _, boundary = head.partition(" ")
        if turn.isdigit():
            self.turn = int(turn)
            self.boundary = "" if boundary == "-" else boundary
            self.calls = dict(line.split(" ", 1) for line in rest.splitlines() if " " in line)

    def as_text(self) -> str:
        """Return the state as the store keeps it."""
        calls = list(self.calls.items())[-_OPEN_CALLS:]
        told = [f"{name} {tool}" for name, tool in calls if " " not in name]
        return "\n".join([f"{self.turn} {self.boundary or '-'}", *filter(str.isprintable, told)])


@dataclass(slots=True)
class Batch:
    """Messages in the order of the transcript, and the compaction that ends them, if one does.

    `boundary` is `(uuid, place, trigger, time)`, `summary` `(boundary's uuid, text, place, time)`.
    """

    messages: list[StoredMessage] = field(default_factory=list)
    boundary: tuple[str, int, str, str] | None = None
    summary: tuple[str, str, int, str] | None = None
    position: int = 0
    state: str = ""


def read_batches(
    stream: BinaryIO,
    progress: Progress,
    end: int,
    parse: Callable[[bytes, ReadReport], list[dict[str, Any]]] = parse_line,
) -> Iterator[Batch]:
    """Yield what the whole lines in `[progress.position, end)` hold.

    `progress` goes along; each batch carries the position and state that belong to it. The last
    batch may be empty: lines that hold no message are read too. `parse` makes session lines of a
    raw line.
    """
    batch, began, report = Batch(), progress.position, ReadReport()
    for place, line in lines_in(stream, progress.position, end, report):
        if not line.endswith(b"\n"):
            break
        progress.position = place + len(line)
        for entry in [] if is_internal_line(line) else parse(line, report):
            progress.queue.pass_by(entry)
            if not _ends(batch, entry, place, progress):
                batch.messages += messages_of(entry, place, progress)
            else:
                yield _closed(batch, progress)
                batch, began = Batch(), progress.position
        if progress.position - began >= BATCH_BYTES:
            yield _closed(batch, progress)
            batch, began = Batch(), progress.position
    yield _closed(batch, progress)


def _closed(batch: Batch, progress: Progress) -> Batch:
    batch.position, batch.state = progress.position, progress.as_text()
    return batch


def _ends(batch: Batch, entry: dict[str, Any], place: int, progress: Progress) -> bool:
    """Note in a batch what an entry records of a compaction; return whether it does.

    Clients before 2.0 wrote only its summary.
    """
    is_boundary = entry.get("type") == "system" and entry.get("subtype") == "compact_boundary"
    is_summary = entry.get("isCompactSummary") is True
    if entry.get("isSidechain") or not (is_boundary or is_summary):
        return False
    at = said_at(entry)
    if is_boundary or not progress.boundary:
        progress.boundary = named(entry, place)
        trigger = as_object(entry.get("compactMetadata")).get("trigger")
        batch.boundary = progress.boundary, place, storable(str(trigger or "")), at
    if is_summary:
        batch.summary = progress.boundary, summary_text(entry), place, at
        progress.boundary = ""
    return True

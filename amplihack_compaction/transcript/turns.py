"""A main chain in turns and steps: a prompt and what followed it, in the order of the file."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypedDict

from amplihack_compaction.transcript.nodes import Kind, Node, ToolUse


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the user said: typed, queued while the model worked, or given with a tool's result.

    `origin` is one of typed, queued, command, rejection, approval, answer.
    """

    uuid: str
    text: str
    timestamp: str = ""
    origin: str = "typed"


@dataclass(frozen=True, slots=True)
class Speech:
    """One text of the model."""

    uuid: str
    text: str
    timestamp: str = ""


@dataclass(slots=True)
class Turn:
    """A prompt, the model's texts and tool uses up to the next prompt, in order of the file.

    `prompt` is None for what stands before the first prompt of a window: the turn that the
    compaction interrupted.
    """

    prompt: Prompt | None
    texts: list[Speech] = field(default_factory=list)
    tools: list[ToolUse] = field(default_factory=list)


class EntryPosition(TypedDict):
    """Where something was said or done, as the arguments that every item of the state takes."""

    uuid: str
    offset: int
    position: int
    at: str
    window: int


@dataclass(frozen=True, slots=True)
class TranscriptStep:
    """A text of the user or the model, or one tool use; `tool` is None for a text.

    `prompt` is the prompt of the turn that the step belongs to, empty before the first one.
    """

    uuid: str
    offset: int
    at: str
    window: int
    text: str = ""
    by_user: bool = False
    tool: ToolUse | None = None
    prompt: str = ""

    @property
    def place(self) -> EntryPosition:
        """Where the step stands in the transcript."""
        return {
            "uuid": self.uuid,
            "offset": self.offset,
            "position": 0,
            "at": self.at,
            "window": self.window,
        }


def make_turns(chain: Iterable[Node]) -> list[Turn]:
    """Return the chain's turns; a leading turn without a prompt only when it has content."""
    turns = [Turn(None)]
    open_tools: dict[str, ToolUse] = {}
    for node in chain:
        if node.kind is Kind.PROMPT:
            prompt = Prompt(node.uuid, node.text, node.timestamp, node.origin)
            turns.append(Turn(prompt))
        elif node.kind is Kind.ASSISTANT:
            _add_assistant(turns[-1], node, open_tools)
        elif node.kind is Kind.RESULT:
            turns.extend(Turn(speech) for speech in _settle(node, open_tools))
    return turns if turns[0].texts or turns[0].tools else turns[1:]


def _add_assistant(turn: Turn, node: Node, open_tools: dict[str, ToolUse]) -> None:
    if node.text.strip():
        turn.texts.append(Speech(node.uuid, node.text, node.timestamp))
    for tool in node.tools:
        turn.tools.append(tool)
        open_tools[tool.id] = tool


def _settle(node: Node, open_tools: dict[str, ToolUse]) -> Iterator[Prompt]:
    """Attach results to their calls; yield what the user said with them."""
    for tool_id, result in node.results:
        tool = open_tools.get(tool_id)
        if tool is not None:
            tool.result = result
    for uuid, (text, origin) in said_in(node):
        yield Prompt(uuid, text, node.timestamp, origin)


def said_in(node: Node) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each text that the user said with a node's results, and its origin, under an id."""
    return ((f"{node.uuid}#{number}", said) for number, said in enumerate(node.said))


def make_steps(chain: Iterable[Node], window: int) -> Iterator[TranscriptStep]:
    """Yield the steps of the main chain of the window of that number."""
    prompt = ""
    for node in chain:
        place = (node.uuid, node.offset, node.timestamp, window)
        if node.kind is Kind.PROMPT:
            prompt = node.text
            yield TranscriptStep(*place, prompt, by_user=True, prompt=prompt)
        elif node.kind is Kind.ASSISTANT:
            if node.text.strip():
                yield TranscriptStep(*place, node.text, prompt=prompt)
            for tool in node.tools:
                yield TranscriptStep(*place, tool=tool, prompt=prompt)
        elif node.kind is Kind.RESULT:
            for uuid, (prompt, _) in said_in(node):
                yield TranscriptStep(uuid, *place[1:], prompt, by_user=True, prompt=prompt)

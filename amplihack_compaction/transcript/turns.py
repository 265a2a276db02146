"""Group a main chain into turns: a prompt and what followed it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

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

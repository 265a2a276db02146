"""Tell what stood before a prompt: what the model said or did last.

"Never do that again" forbids nothing without it.
"""

from dataclasses import dataclass

from amplihack_compaction.language.sentences import sentences
from amplihack_compaction.language.text import one_line
from amplihack_compaction.transcript.boundaries import Window
from amplihack_compaction.transcript.nodes import ToolUse
from amplihack_compaction.transcript.steps import was_refused

# Of what the model wrote, the last sentence counts.
_TEXT_CHARS = 2_000
_DONE_CHARS = 100
# "Done." says nothing of what was done.
_NOD_CHARS = 12


@dataclass(frozen=True, slots=True)
class Before:
    """What stood before a prompt: the model's last text, and the last tool used after it."""

    text: str = ""
    tool: ToolUse | None = None

    @property
    def done(self) -> str:
        """What the model did or said last, in short; a tool that the prompt refused as that."""
        if self.tool is not None and self.tool.used_on:
            what = f"{self.tool.name} {_inside_quotes(self.tool.used_on)}"
            return f"refused: {what}" if was_refused(self.tool) else f"model: {what}"
        said = sentences(self.text[-_TEXT_CHARS:])
        telling = said and len(said[-1]) > _NOD_CHARS
        return f'model: "{_inside_quotes(said[-1])}"' if telling else ""


def _inside_quotes(text: str) -> str:
    """Return the model's words in short; their own quotation marks would seem to end them."""
    return one_line(text, _DONE_CHARS).replace('"', "'")


NOTHING = Before()


def before_prompts(window: Window) -> dict[str, Before]:
    """Map each prompt's uuid to what stood before it."""
    found: dict[str, Before] = {}
    text, tool = "", None
    for turn in window.turns:
        if turn.prompt is not None:
            found[turn.prompt.uuid] = Before(text, tool)
        if turn.texts or turn.tools:
            text = turn.texts[-1].text if turn.texts else ""
            tool = turn.tools[-1] if turn.tools and _is_last(turn.tools[-1], text) else None
    return found


def _is_last(tool: ToolUse, text: str) -> bool:
    """Tell whether a turn ended with the tool: it was refused, or nothing was said of it."""
    return not text or was_refused(tool)

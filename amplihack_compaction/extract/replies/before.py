"""What stood before a prompt: what the model said or did last.

"Never do that again" forbids nothing without it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from amplihack_compaction.text.prompts import split_typed
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.strings import asks, end_of_question, has_cjk, one_line
from amplihack_compaction.transcript.nodes import ToolUse
from amplihack_compaction.transcript.steps import was_refused
from amplihack_compaction.transcript.windows import Window

# Of what the model wrote, the last sentence counts.
_TEXT_CHARS = 2_000
_DONE_CHARS = 100
# "Done." says nothing of what was done, and "Yes, with a flag." little of what was asked.
_NOD_CHARS = 12
_ANSWER_CHARS = 60
_SHORT_WORDS = 5


@dataclass(frozen=True, slots=True)
class Before:
    """What stood before a prompt: the model's last text, and the last tool used after it.

    `did` is the last tool of the turn, whatever was said behind it; `asked` the prompt of the turn.
    """

    text: str = ""
    tool: ToolUse | None = None
    did: ToolUse | None = None
    asked: str = ""

    @property
    def done(self) -> str:
        """What the model did or said last, in short; a tool that the prompt refused as that.

        Where it answered shortly, what it was asked stands before that.
        """
        if self.tool is not None and self.tool.used_on:
            what = _used(self.tool)
            return f"refused: {what}" if was_refused(self.tool) else f"model: {what}"
        said = sentences(self.text[-_TEXT_CHARS:])
        last = said[-1] if said else ""
        asked_back = bool(end_of_question(last))
        if not asked_back and len(last) <= _NOD_CHARS:
            return ""
        model = f'model: "{_inside_quotes(_with_subject(said))}"'
        answers = asks(self.asked) and not asked_back and len(last) <= _ANSWER_CHARS
        return f'user: "{_inside_quotes(self.asked)}" - {model}' if answers else model

    @property
    def like(self) -> str:
        """What "the same" is like: where only "Done." was said, what was done or asked for."""
        if self.done:
            return self.done
        if self.did is not None and self.did.used_on:
            return f"model: {_used(self.did)}"
        asked = sentences(self.asked[-_TEXT_CHARS:])
        return f'"{_inside_quotes(asked[-1])}"' if asked else ""


def _with_subject(said: Sequence[str]) -> str:
    """Return a text's last sentence; a short one with that before it: "I don't know why."."""
    both = " ".join(said[-2:])
    short = len(said[-1].split()) <= _SHORT_WORDS and not has_cjk(said[-1])
    return both if short and len(both) <= _DONE_CHARS else said[-1]


def _used(tool: ToolUse) -> str:
    return f"{tool.name} {_inside_quotes(tool.used_on)}"


def _inside_quotes(text: str) -> str:
    """Return words in short; their own quotation marks would seem to end them."""
    return one_line(text, _DONE_CHARS).replace('"', "'")


NOTHING = Before()


def before_prompts(window: Window) -> dict[str, Before]:
    """Map each prompt's uuid to what stood before it."""
    found: dict[str, Before] = {}
    before = NOTHING
    for turn in window.turns:
        if turn.prompt is not None:
            found[turn.prompt.uuid] = before
        if turn.texts or turn.tools:
            text = turn.texts[-1].text if turn.texts else ""
            did = turn.tools[-1] if turn.tools else None
            tool = did if did is not None and _is_last(did, text) else None
            asked = split_typed(turn.prompt.text).typed if turn.prompt is not None else ""
            before = Before(text, tool, did, asked)
    return found


def _is_last(tool: ToolUse, text: str) -> bool:
    """Return whether a turn ended with the tool: it was refused, or nothing was said of it."""
    return not text or was_refused(tool)

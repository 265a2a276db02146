"""Keep what the user said to the letter, and the last turns in short."""

from amplihack_compaction.extract.model import Prompt, TurnDigest
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.prompts import split_typed
from amplihack_compaction.text.strings import one_line
from amplihack_compaction.transcript.turns import Turn

PROMPT_CHARS = 1_000
_DIGEST_CHARS = 160
_ANSWER_CHARS = 240


def extract_prompts(content: WindowContent) -> tuple[Prompt, ...]:
    """Return the user's prompts as typed, up to 1,000 characters each, pasted parts counted."""
    return tuple(
        Prompt(
            text=_cut(said.typed.typed),
            uuid=said.uuid,
            offset=said.offset,
            at=said.at,
            window=said.window,
            pasted=said.typed.pasted_chars,
        )
        for said in content.prompts
    )


def extract_recent(content: WindowContent, turns: int = 10) -> tuple[TurnDigest, ...]:
    """Return a digest of the window's last turns: prompt, the model's last words, its tools.

    The turn that a compaction interrupted goes on without a prompt: its text is empty.
    """
    return tuple(_digest(turn, content) for turn in content.window.turns[-turns:])


def _digest(turn: Turn, content: WindowContent) -> TurnDigest:
    said = turn.prompt or (turn.texts[0] if turn.texts else None)
    uuid = said.uuid if said is not None else ""
    return TurnDigest(
        text=one_line(_words(turn), _DIGEST_CHARS),
        uuid=uuid,
        offset=content.offsets.get(uuid.partition("#")[0], 0),
        at=said.timestamp if said is not None else turn.tools[0].timestamp,
        window=content.window.index,
        answer=one_line(turn.texts[-1].text, _ANSWER_CHARS) if turn.texts else "",
        tools=tuple(dict.fromkeys(tool.name for tool in turn.tools)),
    )


def _words(turn: Turn) -> str:
    """Return the typed prompt; of one that is all pasted, what stands at its head."""
    if turn.prompt is None:
        return ""
    typed = split_typed(turn.prompt.text)
    return typed.typed or typed.title or turn.prompt.text


def _cut(text: str) -> str:
    """Cut a prompt at a word; line breaks stay, for these are the user's own words."""
    if len(text) <= PROMPT_CHARS:
        return text
    head = text[: PROMPT_CHARS - 1]
    space = head.rfind(" ")
    return (head[:space] if space > PROMPT_CHARS // 2 else head).rstrip() + "…"

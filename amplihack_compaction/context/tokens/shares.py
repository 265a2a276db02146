"""Say where a session's tokens went: by kind, by tool and by file, each text counted once.

The numbers are estimates from characters, by the line of the model's family without its base: of
what a text adds when it enters the context. Texts stay in the context and are sent again with
every request, which is not counted.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from amplihack_compaction.clients.reading import (
    IMAGE_CHARACTERS,
    blocks_of,
    is_by_another,
    text_characters,
    typed_prompt,
)
from amplihack_compaction.context.tokens.estimate import CharacterLine, line_for
from amplihack_compaction.transcript.session import JsonObject, text_in

PROMPTS, ANSWERS, THINKING = "Prompts", "Answers", "Thinking"
CALLS, OUTPUTS = "Tool calls", "Tool outputs"
SUMMARIES, ADDED = "Summaries", "Added by the client and hooks"
_KINDS_BY_BLOCK = {"text": ANSWERS, "thinking": THINKING, "tool_use": CALLS}
_FILE_KEYS = ("file_path", "notebook_path")
_DEPTH = 4


@dataclass(slots=True)
class TokenShares:
    """Estimated tokens by kind, by tool's name and by file's path; fill it with `take`."""

    kinds: Counter[str] = field(default_factory=Counter)
    tools: Counter[str] = field(default_factory=Counter)
    files: Counter[str] = field(default_factory=Counter)
    uses: Counter[str] = field(default_factory=Counter)
    _open: dict[str, tuple[str, str]] = field(default_factory=dict)
    _line: CharacterLine = field(default_factory=lambda: line_for(""))
    _model: str = ""

    def take(self, data: JsonObject) -> None:
        """Count one entry of the transcript."""
        kind, message = data.get("type"), data.get("message")
        if kind == "attachment":
            self._take_attachment(data)
        elif not isinstance(message, dict) or data.get("isApiErrorMessage"):
            return
        elif kind == "assistant":
            self._take_answer(message)
        elif kind == "user":
            self._take_user(data, message.get("content"))

    def _take_attachment(self, data: JsonObject) -> None:
        attachment = data.get("attachment")
        queued = isinstance(attachment, dict) and attachment.get("type") == "queued_command"
        if isinstance(attachment, dict) and queued:
            self.kinds[PROMPTS] += self._cost(attachment.get("prompt"))
        else:
            self.kinds[ADDED] += round(self._line.slope * text_characters(data))

    def _take_answer(self, message: JsonObject) -> None:
        model = message.get("model")
        # `<synthetic>` is the client's own, and costs what the model before it costs.
        if isinstance(model, str) and model != self._model and not model.startswith("<"):
            self._model, self._line = model, line_for(model)
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            kind = _KINDS_BY_BLOCK.get(text_in(block, "type")) if isinstance(block, dict) else None
            if kind is None:
                continue
            tokens = self._cost([block])
            self.kinds[kind] += tokens
            if kind == CALLS:
                self._take_call(block, tokens)

    def _take_call(self, block: JsonObject, tokens: int) -> None:
        name, given = text_in(block, "name"), block.get("input")
        paths = (given.get(key) for key in _FILE_KEYS) if isinstance(given, dict) else ()
        path = next((path for path in paths if isinstance(path, str)), "")
        self._open[text_in(block, "id")] = (name, path)
        self.uses[name] += 1
        self._take_tool(name, path, tokens)

    def _take_tool(self, name: str, path: str, tokens: int) -> None:
        self.tools[name] += tokens
        if path:
            self.files[path] += tokens

    def _take_user(self, data: JsonObject, content: Any) -> None:
        results = blocks_of(content, "tool_result")
        if data.get("isCompactSummary"):
            self.kinds[SUMMARIES] += self._cost(content)
        elif results:
            for block in results:
                tokens = self._cost(block.get("content"))
                self.kinds[OUTPUTS] += tokens
                name, path = self._open.pop(text_in(block, "tool_use_id"), ("", ""))
                self._take_tool(name, path, tokens)
        else:
            typed = "" if is_by_another(data) else typed_prompt(content)[0]
            self.kinds[PROMPTS if typed else ADDED] += self._cost(content)

    def _cost(self, content: Any, depth: int = _DEPTH) -> int:
        if isinstance(content, str):
            return round(self._line.cost(content))
        if not isinstance(content, list) or not depth:
            return 0
        return sum(self._block_cost(part, depth) for part in content if isinstance(part, dict))

    def _block_cost(self, block: JsonObject, depth: int) -> int:
        kind = text_in(block, "type")
        if kind in ("text", "thinking"):
            return self._cost(text_in(block, kind))
        if kind == "tool_use":
            return self._cost(str(block.get("input")))
        if kind in ("image", "document"):
            # Their bytes stand in the transcript, but cost by their size in pixels.
            return round(self._line.slope * IMAGE_CHARACTERS)
        return self._cost(block.get("content"), depth - 1)

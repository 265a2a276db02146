"""What the client itself sends after a compaction, with no plugin or with one that is empty.

Measured on the real client: the summary, the last message word for word, and the five files that
were read or written last. No todo, no rule, no earlier prompt comes back by itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

FILES_READ_AGAIN = 5
_FILE_TOOLS = ("Read", "Edit", "Write")

Line = dict[str, Any]


def sent_without_hooks(lines: Sequence[Line], summary: str) -> str:
    """Return the text that stands for what came before, given the lines up to a compaction."""
    return "\n".join((summary, _last_message(lines), *_files(lines)))


def _last_message(lines: Sequence[Line]) -> str:
    said = (block["text"] for block in _blocks(reversed(lines)) if block.get("type") == "text")
    return str(next(said, ""))


def _files(lines: Sequence[Line]) -> list[str]:
    newest: dict[str, None] = {}
    for block in _blocks(reversed(lines)):
        path = block.get("input", {}).get("file_path") if block.get("name") in _FILE_TOOLS else None
        if isinstance(path, str):
            newest.setdefault(path)
        if len(newest) == FILES_READ_AGAIN:
            break
    return [f"Called the Read tool with the following input: {path}" for path in newest]


def _blocks(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the blocks of the model's messages, the newest message first."""
    for line in lines:
        content = (
            line.get("message", {}).get("content") if line.get("type") == "assistant" else None
        )
        if isinstance(content, list):
            yield from (block for block in content if isinstance(block, dict))

"""Find in a transcript's entries what a copy could leave out."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from amplihack_compaction.compactor.transcripts.model import Kind, Part, Pointer
from amplihack_compaction.compactor.transcripts.placeholders import (
    READERS,
    duplicate_text,
    media_text,
    name_of,
    result_text,
    superseded_text,
    written_text,
)
from amplihack_compaction.extract.checks import read_outcome
from amplihack_compaction.transcript.content import blocks_of, cut_middle, message_text
from amplihack_compaction.transcript.entries import JsonObject
from amplihack_compaction.transcript.nodes import RESULT_LIMIT_CHARS
from amplihack_compaction.transcript.usage import IMAGE_CHARACTERS

_WRITERS = frozenset(("Write", "Edit", "MultiEdit", "NotebookEdit"))
_WRITTEN_KEYS = ("content", "old_string", "new_string", "new_source")
# What the user decided and the client's lists; and what tools a session may call.
_TELLING = frozenset(
    "AskUserQuestion ExitPlanMode exit_plan_mode EnterPlanMode EnterWorktree TodoWrite TaskCreate"
    " TaskUpdate TaskList TaskGet ToolSearch".split()
)
_SHELLS = frozenset(("Bash", "BashOutput", "TaskOutput"))
_MEDIA = {"image": Kind.IMAGE, "document": Kind.DOCUMENT}
_THOUGHTS = ("thinking", "redacted_thinking")
_CONTENT: Pointer = ("message", "content")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A part that could go, and what decides about it: its entry, call, file, its text's hash."""

    part: Part
    uuid: str
    tool_id: str = ""
    message_id: str = ""
    path: str = ""
    digest: bytes = b""
    lines: int = 0


@dataclass(frozen=True, slots=True)
class _Use:
    name: str = ""
    what: str = ""
    path: str = ""
    offset: int = 0
    supersedes: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """A part that stays, and why; one of `tool_id` for the ledger's sake where that rests on it."""

    reason: str
    characters: int
    tool_id: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    offset: int
    line: int
    uuid: str

    def part(
        self, pointer: Pointer, kind: Kind, characters: int, what: str, text: str = ""
    ) -> Part:
        return Part(
            offset=self.offset, line=self.line, pointer=pointer, kind=kind,
            characters=characters, what=what, resumed=False, text=text,
        )  # fmt: skip


class Scanner:
    """Reads entries in the order of the file and collects candidates above a size.

    `held` are parts that must stay; `spoken` holds the messages that have more than thinking;
    `succeeded` the calls whose result is no error.
    """

    def __init__(self, over_characters: int) -> None:
        self.over = over_characters
        self.candidates: list[Candidate] = []
        self.held: list[Held] = []
        self.spoken: set[str] = set()
        self.succeeded: set[str] = set()
        self.last_response = 0
        self._uses: dict[str, _Use] = {}
        self._touched: dict[str, int] = {}
        self._seen: dict[bytes, int] = {}
        self._message_id = ""

    def read(self, entry: JsonObject, offset: int, line: int) -> None:
        """Read one entry."""
        message = entry.get("message")
        kind = entry.get("type")
        if not isinstance(message, dict) or kind not in ("user", "assistant"):
            return
        place = _Place(offset, line, str(entry.get("uuid")))
        content = message.get("content")
        if kind == "assistant":
            self._read_response(entry, message, content, place)
        elif isinstance(content, list) and not entry.get("isCompactSummary"):
            self._read_media(content, _CONTENT, place)
            for number, block in enumerate(content):
                if isinstance(block, dict) and block.get("type") == "tool_result":
                    self._read_result(block, (*_CONTENT, number), place)

    def is_superseded(self, candidate: Candidate) -> bool:
        """Return whether a candidate's file was read or written again later."""
        return self._touched.get(candidate.path, 0) > candidate.part.offset

    def settled(self, candidate: Candidate) -> Part:
        """Return a candidate's part with the kind and text that the whole file gives it."""
        part = candidate.part
        if part.kind is not Kind.TOOL_OUTPUT:
            return part
        if candidate.path and self.is_superseded(candidate):
            return replace(part, kind=Kind.SUPERSEDED_READ, text=superseded_text(part.what))
        if self._seen.get(candidate.digest, 0) > part.offset:
            text = duplicate_text(part.what, candidate.lines)
            return replace(part, kind=Kind.DUPLICATE, text=text)
        return part

    def _read_response(
        self, entry: JsonObject, message: JsonObject, content: Any, place: _Place
    ) -> None:
        message_id = str(message.get("id") or entry.get("uuid") or "")
        if not entry.get("isSidechain") and message_id != self._message_id:
            self._message_id, self.last_response = message_id, place.offset
        if not isinstance(content, list):
            return
        for number, block in enumerate(content):
            if not isinstance(block, dict):
                continue
            if block.get("type") in _THOUGHTS:
                thought = block.get("thinking")
                size = len(thought) if isinstance(thought, str) else 0
                part = place.part((*_CONTENT, number), Kind.THINKING, size, "thinking")
                self.candidates.append(Candidate(part, place.uuid, message_id=message_id))
                continue
            self.spoken.add(message_id)
            if block.get("type") == "tool_use":
                self._read_use(block, (*_CONTENT, number), place)

    def _read_use(self, block: JsonObject, pointer: Pointer, place: _Place) -> None:
        given, name, tool_id = block.get("input"), str(block.get("name")), str(block.get("id"))
        if not isinstance(given, dict):
            return
        path = given.get("file_path") or given.get("notebook_path")
        path = path if isinstance(path, str) else ""
        whole = name in READERS and not (given.get("offset") or given.get("limit"))
        use = _Use(name, name_of(name, given), path, place.offset, whole or name in _WRITERS)
        self._uses[tool_id] = use
        if name not in _WRITERS:
            return
        for inner, text in _written(given):
            if len(text) <= self.over:
                continue
            note = written_text(use.what, text.count("\n") + 1)
            part = place.part((*pointer, "input", *inner), Kind.WRITTEN, len(text), use.what, note)
            self.candidates.append(Candidate(part, place.uuid, tool_id, path=path))

    def _read_result(self, block: JsonObject, pointer: Pointer, place: _Place) -> None:
        tool_id, content = str(block.get("tool_use_id")), block.get("content")
        use = self._uses.get(tool_id, _Use())
        failed = block.get("is_error") is True
        if not failed:
            self.succeeded.add(tool_id)
            if use.supersedes:
                self._touched[use.path] = use.offset
        text = content if isinstance(content, str) else message_text(content)
        large = len(text) > self.over
        if failed or use.name in _TELLING:
            if large:
                self.held.append(Held("error" if failed else "decision", len(text)))
            return
        if isinstance(content, list):
            self._read_media(content, (*pointer, "content"), place, tool_id)
        if not large or not _is_text(content):
            return
        if use.name in _SHELLS and read_outcome(cut_middle(text, RESULT_LIMIT_CHARS))[0]:
            self.held.append(Held("error", len(text), tool_id))
            return
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
        self._seen[digest] = place.offset
        lines = text.count("\n") + 1
        note = result_text(use.name, use.what, lines)
        part = place.part(
            (*pointer, "content"), Kind.TOOL_OUTPUT, len(text), use.what or use.name, note
        )
        path = use.path if use.name in READERS else ""
        self.candidates.append(
            Candidate(part, place.uuid, tool_id, path=path, digest=digest, lines=lines)
        )

    def _read_media(
        self, content: list[Any], pointer: Pointer, place: _Place, tool_id: str = ""
    ) -> None:
        what = self._uses.get(tool_id, _Use()).what
        for name, kind in _MEDIA.items():
            for block in blocks_of(content, name):
                source = block.get("source")
                media_type = source.get("media_type") if isinstance(source, dict) else ""
                text = media_text(kind, str(media_type or ""), what)
                # blocks_of returns the blocks themselves: the one that is this one is it.
                number = next(n for n, other in enumerate(content) if other is block)
                part = place.part(
                    (*pointer, number), kind, IMAGE_CHARACTERS, what or kind.value, text
                )
                self.candidates.append(Candidate(part, place.uuid, tool_id))


def _is_text(content: Any) -> bool:
    """Return whether a result is text alone, and so may become one text."""
    if isinstance(content, str):
        return True
    return isinstance(content, list) and len(blocks_of(content, "text")) == len(content)


def _written(given: JsonObject) -> Iterator[tuple[Pointer, str]]:
    """Yield the texts of an input that went into a file, with where they stand."""
    for key in _WRITTEN_KEYS:
        if isinstance(given.get(key), str):
            yield (key,), given[key]
    edits = given.get("edits")
    for number, edit in enumerate(edits if isinstance(edits, list) else ()):
        for key in ("old_string", "new_string"):
            if isinstance(edit, dict) and isinstance(edit.get(key), str):
                yield ("edits", number, key), edit[key]

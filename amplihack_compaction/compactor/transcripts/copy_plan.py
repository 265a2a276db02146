"""Choose what a copy leaves out: scan a transcript, then decide with its end in view.

Left out can be: results of tools, the thinking of older responses, images and documents, and the
texts that went into files. What stays: errors and the output of commands that failed, whatever
the ledger was taken from, the newest turns, and every word of the user.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, BinaryIO

from amplihack_compaction.base.files import parse_object
from amplihack_compaction.clients.reading import IMAGE_CHARACTERS, text_characters
from amplihack_compaction.clients.session_lines import RESULT_LIMIT_CHARS
from amplihack_compaction.clients.speakers import blocks_of, message_text
from amplihack_compaction.compactor.transcripts.copied_lines import (
    READERS,
    RawLine,
    is_record,
    line_hash,
    placeholder,
    raw_lines,
    tool_subject,
)
from amplihack_compaction.compactor.transcripts.ledger_evidence import Evidence, Range
from amplihack_compaction.compactor.transcripts.manifest import LeftOutKind, LeftOutPart, Pointer
from amplihack_compaction.context.estimate import line_for
from amplihack_compaction.extract.files_and_branch import DEFINES
from amplihack_compaction.extract.verify_commands import read_outcome
from amplihack_compaction.transcript.session import EDITORS, JsonObject, as_object, cut_middle

_WRITTEN_KEYS = ("content", "old_string", "new_string", "new_source")
# What the user decided and the client's lists; and what tools a session may call.
_TELLING = frozenset(
    "AskUserQuestion ExitPlanMode exit_plan_mode EnterPlanMode EnterWorktree TodoWrite TaskCreate"
    " TaskUpdate TaskList TaskGet ToolSearch".split()
)
_SHELLS = frozenset(("Bash", "BashOutput", "TaskOutput"))
_MEDIA = {"image": LeftOutKind.IMAGE, "document": LeftOutKind.DOCUMENT}
_THOUGHTS = ("thinking", "redacted_thinking")
_CONTENT: Pointer = ("message", "content")
# Of what is older than what stays whole, every part above this goes.
LEAST_TOKENS = 100
NEWEST_TOKENS = 10_000
"""So much of the newest turns stays: one long turn would otherwise be all that there is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """The session to copy: its transcript, its id, and the project that keeps our files."""

    path: str
    session_id: str
    root: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a copy leaves out of the first `end` bytes of a transcript, and the ledger it keeps.

    What lies before `start`, the last compaction of a large file, is left as it is.
    `whole_characters` are those of all messages in the file, `resumed_characters` of those that
    the client sends when the session is resumed.
    """

    original: Original
    evidence: Evidence
    start: int
    end: int
    parts: tuple[LeftOutPart, ...]
    whole_characters: int
    resumed_characters: int
    records: int
    record_bytes: int

    @property
    def saves(self) -> bool:
        """Whether there is anything to leave out."""
        return bool(self.parts or self.records)

    @property
    def whole_tokens(self) -> list[int]:
        """Estimated tokens of the whole file's messages, before and after."""
        return self._tokens(self.whole_characters, self.parts)

    @property
    def resumed_tokens(self) -> list[int]:
        """The same of the messages that are sent when the session is resumed."""
        return self._tokens(self.resumed_characters, (p for p in self.parts if p.resumed))

    def _tokens(self, characters: int, parts: Iterable[LeftOutPart]) -> list[int]:
        saved = sum(part.characters - len(part.text) for part in parts)
        slope = line_for(self.evidence.model).slope
        return [round(slope * characters), round(slope * max(0, characters - saved))]

    def without_ranges(self, ranges: list[Range]) -> "Plan":
        """Return the plan without what it leaves out of some ranges of the file."""
        parts = [p for p in self.parts if not any(start <= p.offset < end for start, end in ranges)]
        return replace(self, parts=tuple(parts))


@dataclass(frozen=True, slots=True)
class _Use:
    """A tool's call: its tool, what it was used on, and whether it makes older reads stale."""

    id: str = ""
    name: str = ""
    what: str = ""
    path: str = ""
    offset: int = 0
    supersedes: bool = False


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A part that could go, and what decides about it: its text's hash, say."""

    part: LeftOutPart
    use: _Use
    message_id: str = ""
    digest: bytes = b""
    lines: int = 1
    media_type: str = ""


class TranscriptScan:
    """One reading of the first `stop` bytes of a transcript, whose ledger rests on `evidence`.

    Of what comes before `start`, only the size counts.
    """

    def __init__(self, stream: BinaryIO, start: int, stop: int, evidence: Evidence) -> None:
        """Read the lines."""
        self._start, self._end, self._evidence = start, 0, evidence
        self._candidates: list[_Candidate] = []
        # Messages that have more than thinking, and calls whose result is no error.
        self._spoken: set[str] = set()
        self._succeeded: set[str] = set()
        self._last_response, self._message_id = 0, ""
        self._uses: dict[str, _Use] = {}
        # By `_stands_at`: in the whole file, and in what is sent on a resume.
        self._last: dict[tuple[str | bytes, bool], int] = {}
        # The offset and the characters of each message that is no subagent's.
        self._placed: list[tuple[int, int]] = []
        self._whole_characters = self._resumed_characters = 0
        self._records = self._record_bytes = 0
        self._line, self._uuid, self._is_resumed = RawLine(0, 0, b""), "", False
        for line in raw_lines(stream, stop):
            self._end = line.offset + len(line.data)
            if line.is_read and is_record(line.data):
                self._records += 1
                self._record_bytes += len(line.data)
            elif line.is_read and (b'"message"' in line.data or b'"attachment"' in line.data):
                self._read_line(line)

    def plan(self, original: Original, keep_turns: int) -> Plan:
        """Return what a copy leaves out that keeps so many turns."""
        return Plan(
            original=original,
            evidence=self._evidence,
            start=self._start,
            end=self._end,
            parts=tuple(self._part(*each) for each in enumerate(self._chosen(keep_turns), 1)),
            whole_characters=self._whole_characters,
            resumed_characters=self._resumed_characters,
            records=self._records,
            record_bytes=self._record_bytes,
        )

    def _read_line(self, line: RawLine) -> None:
        entry = parse_object(line.data)
        if entry is None:
            return
        self._line, self._uuid = line, str(entry.get("uuid"))
        self._is_resumed = self._uuid in self._evidence.resumed
        if characters := text_characters(entry):
            self._whole_characters += characters
            self._resumed_characters += characters if self._is_resumed else 0
            if not entry.get("isSidechain"):
                self._placed.append((line.offset, characters))
        if line.offset >= self._start:
            self._read(entry)

    def _read(self, entry: JsonObject) -> None:
        """Look for what could go of one entry."""
        message, kind = entry.get("message"), entry.get("type")
        if not isinstance(message, dict):
            return
        content = message.get("content")
        if kind == "assistant":
            self._read_response(entry, message, content)
        elif kind == "user" and isinstance(content, list) and not entry.get("isCompactSummary"):
            self._read_media(content, _CONTENT, _Use())
            for number, block in enumerate(content):
                if isinstance(block, dict) and block.get("type") == "tool_result":
                    self._read_result(block, (*_CONTENT, number))

    def _add(
        self, pointer: Pointer, kind: LeftOutKind, characters: int, use: _Use, **more: Any
    ) -> None:
        """Add what could go, but for what the ledger rests on and texts that are too short."""
        line, is_written = self._line, kind is LeftOutKind.WRITTEN
        # The ledger rests on a written text's entry, or on a call's result.
        evidence = self._evidence
        if self._uuid in evidence.uuids if is_written else use.id in evidence.tools:
            return
        over = round(LEAST_TOKENS / line_for(evidence.model).slope)
        if characters <= over and (is_written or kind is LeftOutKind.TOOL_OUTPUT):
            return
        part = LeftOutPart(
            kind=kind, what=use.what, characters=characters, offset=line.offset, line=line.number,
            length=len(line.data), hash=line_hash(line.data), pointer=pointer,
            resumed=self._is_resumed,
        )  # fmt: skip
        self._candidates.append(_Candidate(part, use, **more))

    def _stands_at(self, key: str | bytes, offset: int) -> None:
        """Note where a file was read or written, by its path, or a text stands, by its hash."""
        self._last[key, False] = offset
        if self._is_resumed:
            self._last[key, True] = offset

    def _comes_again(self, part: LeftOutPart, key: str | bytes) -> bool:
        """Return whether it stands later; of what is sent on a resume, in what is sent, too."""
        return self._last.get((key, part.resumed), 0) > part.offset

    def _read_response(self, entry: JsonObject, message: JsonObject, content: Any) -> None:
        message_id = str(message.get("id") or entry.get("uuid") or "")
        if not entry.get("isSidechain") and message_id != self._message_id:
            self._message_id, self._last_response = message_id, self._line.offset
        for number, block in enumerate(content if isinstance(content, list) else ()):
            if not isinstance(block, dict):
                continue
            pointer = (*_CONTENT, number)
            if block.get("type") in _THOUGHTS:
                thought = block.get("thinking")
                size = len(thought) if isinstance(thought, str) else 0
                self._add(pointer, LeftOutKind.THINKING, size, _Use(), message_id=message_id)
                continue
            self._spoken.add(message_id)
            if block.get("type") == "tool_use" and isinstance(block.get("input"), dict):
                self._read_use(
                    str(block.get("name")), block["input"], str(block.get("id")), pointer
                )

    def _read_use(self, name: str, given: JsonObject, tool_id: str, pointer: Pointer) -> None:
        path = given.get("file_path") or given.get("notebook_path")
        path = path if isinstance(path, str) else ""
        whole = name in READERS and not (given.get("offset") or given.get("limit"))
        supersedes, what = whole or name in EDITORS, tool_subject(name, given)
        use = _Use(tool_id, name, what, path, self._line.offset, supersedes)
        self._uses[tool_id] = use
        for inner, text in _written(given) if name in EDITORS else ():
            if not DEFINES.search(text):  # the ledger tells which functions an edit made
                place, lines = (*pointer, "input", *inner), text.count("\n") + 1
                self._add(place, LeftOutKind.WRITTEN, len(text), use, lines=lines)

    def _read_result(self, block: JsonObject, pointer: Pointer) -> None:
        tool_id, content = str(block.get("tool_use_id")), block.get("content")
        use = self._uses.get(tool_id, _Use(tool_id))
        failed = block.get("is_error") is True
        if not failed:
            self._succeeded.add(tool_id)
            if use.supersedes:
                self._stands_at(use.path, use.offset)
        text = content if isinstance(content, str) else message_text(content)
        if failed or use.name in _TELLING:
            return
        if isinstance(content, list):
            self._read_media(content, (*pointer, "content"), use)
        if not _is_text(content):
            return
        if use.name in _SHELLS and read_outcome(cut_middle(text, RESULT_LIMIT_CHARS))[0]:
            return
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
        self._stands_at(digest, self._line.offset)
        self._add(
            (*pointer, "content"), LeftOutKind.TOOL_OUTPUT, len(text), use,
            lines=text.count("\n") + 1, digest=digest,
        )  # fmt: skip

    def _read_media(self, content: list[Any], pointer: Pointer, use: _Use) -> None:
        for number, block in enumerate(content):
            kind = _MEDIA.get(str(block.get("type"))) if isinstance(block, dict) else None
            if kind is None:
                continue
            media_type = str(as_object(block.get("source")).get("media_type") or "")
            self._add((*pointer, number), kind, IMAGE_CHARACTERS, use, media_type=media_type)

    def _start_of_recent(self, keep_turns: int) -> int:
        """Return the offset from which on everything stays; the last response always does."""
        prompts, newest = self._evidence.prompts, self._last_response
        if not keep_turns:
            return newest
        turns = prompts[-keep_turns] if keep_turns <= len(prompts) else 0
        room = NEWEST_TOKENS / line_for(self._evidence.model).slope
        for offset, characters in reversed(self._placed):
            room -= characters
            if room < 0:
                break
            newest = min(newest, offset)
        return min(max(turns, newest), self._last_response)

    def _chosen(self, keep_turns: int) -> Iterator[_Candidate]:
        """Yield the candidates that go."""
        recent = self._start_of_recent(keep_turns)
        for each in self._candidates:
            part, use = each.part, each.use
            if part.kind is LeftOutKind.WRITTEN:
                may_go = use.id in self._succeeded and self._comes_again(part, use.path)
            else:
                may_go = part.kind is not LeftOutKind.THINKING or each.message_id in self._spoken
            if may_go and part.offset < recent:
                yield each

    def _part(self, number: int, candidate: _Candidate) -> LeftOutPart:
        """Return a candidate as the part with a number, of the kind that the whole file gives."""
        part, tool = candidate.part, candidate.use.name
        kind, what = part.kind, part.what
        if kind is LeftOutKind.TOOL_OUTPUT:
            if tool in READERS and self._comes_again(part, candidate.use.path):
                kind = LeftOutKind.SUPERSEDED_READ
            elif self._comes_again(part, candidate.digest):
                kind = LeftOutKind.DUPLICATE
        return replace(
            part,
            n=number,
            kind=kind,
            what=what or tool or kind.value,
            text=placeholder(kind, what, tool, candidate.lines, candidate.media_type),
        )


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

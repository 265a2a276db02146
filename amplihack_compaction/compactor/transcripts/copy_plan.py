"""Choose what a copy leaves out: scan a transcript once, then decide with its end in view.

Left out can be: results of tools, the thinking of older responses, images and documents, and the
texts that went into files. What stays: errors and the output of commands that failed, whatever
the ledger was taken from, the newest turns, and every word of the user.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, BinaryIO

from amplihack_compaction.base.files import parse_object
from amplihack_compaction.clients.reading import (
    IMAGE_CHARACTERS,
    RESULT_LIMIT_CHARS,
    blocks_of,
    is_internal_line,
    message_text,
    parse_line,
    text_characters,
)
from amplihack_compaction.compactor.transcripts.copied_lines import RawLine, is_record, raw_lines
from amplihack_compaction.compactor.transcripts.ledger_evidence import Evidence, Range
from amplihack_compaction.compactor.transcripts.left_out_parts import (
    READERS,
    Inputs,
    LeftOutKind,
    LeftOutPart,
    Options,
    Plan,
    Pointer,
    duplicate_text,
    media_text,
    result_text,
    superseded_text,
    tool_subject,
    written_text,
)
from amplihack_compaction.context.tokens.estimate import NEWER_LINE, OLDER_LINE, line_for
from amplihack_compaction.extract.verify_commands import read_outcome
from amplihack_compaction.transcript.session import Entry, JsonObject, ReadReport, cut_middle

_WRITERS = frozenset(("Write", "Edit", "MultiEdit", "NotebookEdit"))
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
_REPORT_LINES = 500


@dataclass(frozen=True, slots=True)
class CopyCandidate:
    """A part that could go, and what decides about it: its entry, call, file, its text's hash."""

    part: LeftOutPart
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
        self, pointer: Pointer, kind: LeftOutKind, characters: int, what: str, text: str = ""
    ) -> LeftOutPart:
        return LeftOutPart(
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
        self.candidates: list[CopyCandidate] = []
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

    def is_superseded(self, candidate: CopyCandidate) -> bool:
        """Return whether a candidate's file was read or written again later."""
        return self._touched.get(candidate.path, 0) > candidate.part.offset

    def settled(self, candidate: CopyCandidate) -> LeftOutPart:
        """Return a candidate's part with the kind and text that the whole file gives it."""
        part = candidate.part
        if part.kind is not LeftOutKind.TOOL_OUTPUT:
            return part
        if candidate.path and self.is_superseded(candidate):
            return replace(part, kind=LeftOutKind.SUPERSEDED_READ, text=superseded_text(part.what))
        if self._seen.get(candidate.digest, 0) > part.offset:
            text = duplicate_text(part.what, candidate.lines)
            return replace(part, kind=LeftOutKind.DUPLICATE, text=text)
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
                part = place.part((*_CONTENT, number), LeftOutKind.THINKING, size, "thinking")
                self.candidates.append(CopyCandidate(part, place.uuid, message_id=message_id))
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
        use = _Use(name, tool_subject(name, given), path, place.offset, whole or name in _WRITERS)
        self._uses[tool_id] = use
        if name not in _WRITERS:
            return
        for inner, text in _written(given):
            if len(text) <= self.over:
                continue
            note = written_text(use.what, text.count("\n") + 1)
            part = place.part(
                (*pointer, "input", *inner), LeftOutKind.WRITTEN, len(text), use.what, note
            )
            self.candidates.append(CopyCandidate(part, place.uuid, tool_id, path=path))

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
            (*pointer, "content"), LeftOutKind.TOOL_OUTPUT, len(text), use.what or use.name, note
        )
        path = use.path if use.name in READERS else ""
        self.candidates.append(
            CopyCandidate(part, place.uuid, tool_id, path=path, digest=digest, lines=lines)
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
                self.candidates.append(CopyCandidate(part, place.uuid, tool_id))


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


@dataclass(slots=True)
class _Sizes:
    """The characters of all messages with the offsets and uuids of their entries."""

    placed: list[tuple[int, int, str, bool]] = field(default_factory=list)
    records: int = 0
    record_bytes: int = 0


class TranscriptScan:
    """One reading of the first `stop` bytes of a transcript, for its ledger and for its copy.

    The ledger takes the entries from `start` on; of what comes before, only the size counts.
    """

    def __init__(self, stream: BinaryIO, start: int, stop: int, options: Options) -> None:
        self.start, self.stop = start, stop
        self.report = ReadReport()
        self._stream, self._options = stream, options
        steepest = max(OLDER_LINE.slope, NEWER_LINE.slope)
        self._scanner, self._sizes = Scanner(round(options.over_tokens / steepest)), _Sizes()

    def entries(self, on_line: Callable[[int], None]) -> Iterator[Entry]:
        """Yield the entries; `on_line` is told now and then up to which offset they are read."""
        for line in raw_lines(self._stream, self.stop):
            if line.number % _REPORT_LINES == 0:
                on_line(line.offset)
            self.report.lines += line.offset >= self.start
            if not line.whole:
                self.report.skip("line too long")
            elif is_record(line.data):
                self._sizes.records += 1
                self._sizes.record_bytes += len(line.data)
            else:
                yield from self._entries_of(line)

    def plan(self, evidence: Evidence) -> Plan:
        """Return what a copy leaves out, when all entries are read."""
        scanner, options = self._scanner, self._options
        over = round(options.over_tokens / line_for(evidence.model).slope)
        recent = _start_of_recent(scanner, self._sizes, evidence, options)
        kept: Counter[str] = Counter()
        for held in scanner.held:
            known = held.tool_id in evidence.tools
            kept["ledger" if known else held.reason] += held.characters > over
        parts = tuple(
            _part(scanner, candidate, evidence, number)
            for number, candidate in enumerate(
                _chosen(scanner, recent, over, evidence, options, kept), 1
            )
        )
        placed = self._sizes.placed
        return Plan(
            end=self.stop,
            model=evidence.model,
            parts=parts,
            whole_characters=sum(characters for _, characters, _, _ in placed),
            resumed_characters=sum(
                characters for _, characters, uuid, _ in placed if uuid in evidence.resumed
            ),
            records=self._sizes.records,
            record_bytes=self._sizes.record_bytes,
            kept=+kept,
        )

    def _entries_of(self, line: RawLine) -> Iterator[Entry]:
        data = line.data
        told = b'"message"' in data or b'"attachment"' in data
        wanted = line.offset >= self.start and not is_internal_line(data) and not data.isspace()
        entry = parse_object(data) if told or wanted else None
        if entry is not None and told:
            self._measure(entry, line)
        if wanted:
            for found in [entry] if entry is not None else parse_line(data, self.report):
                yield Entry(line.offset, found)

    def _measure(self, entry: JsonObject, line: RawLine) -> None:
        characters = text_characters(entry)
        if characters:
            aside = bool(entry.get("isSidechain"))
            self._sizes.placed.append((line.offset, characters, str(entry.get("uuid")), aside))
        if line.offset >= self.start:
            self._scanner.read(entry, line.offset, line.number)


def without_ranges(plan: Plan, ranges: list[Range]) -> Plan:
    """Return the plan without what it leaves out of some ranges of the file."""

    def outside(part: LeftOutPart) -> bool:
        return not any(start <= part.offset < end for start, end in ranges)

    parts = tuple(part for part in plan.parts if outside(part))
    kept = plan.kept + Counter(ledger=len(plan.parts) - len(parts))
    return replace(plan, parts=parts, kept=kept)


def _start_of_recent(scanner: Scanner, sizes: _Sizes, evidence: Evidence, options: Options) -> int:
    """Return the offset from which on everything stays."""
    prompts = evidence.prompts
    turns = prompts[-options.keep_turns] if 0 < options.keep_turns <= len(prompts) else 0
    turns = turns if options.keep_turns else scanner.last_response
    room = options.keep_tokens / line_for(evidence.model).slope
    newest = scanner.last_response
    for offset, characters, _, aside in reversed(sizes.placed):
        room -= 0 if aside else characters
        if room < 0:
            break
        newest = newest if aside else min(newest, offset)
    return min(max(turns, newest), scanner.last_response)


def _chosen(
    scanner: Scanner,
    recent: int,
    over: int,
    evidence: Evidence,
    options: Options,
    kept: Counter[str],
) -> Iterator[CopyCandidate]:
    """Yield the candidates that go, and count large ones that stay."""
    for candidate in scanner.candidates:
        part = candidate.part
        sized = part.kind in (LeftOutKind.TOOL_OUTPUT, LeftOutKind.WRITTEN)
        if sized and part.characters <= over:
            continue
        if _is_evidence(candidate, evidence):
            kept["ledger"] += sized
        elif part.offset >= recent:
            kept["recent"] += 1
        elif _may_go(scanner, candidate, options):
            yield candidate


def _is_evidence(candidate: CopyCandidate, evidence: Evidence) -> bool:
    """Return whether the ledger rests on a written text's entry, or on the result of a call."""
    if candidate.part.kind is LeftOutKind.WRITTEN:
        return candidate.uuid in evidence.uuids
    return candidate.tool_id in evidence.tools


def _part(
    scanner: Scanner, candidate: CopyCandidate, evidence: Evidence, number: int
) -> LeftOutPart:
    settled = scanner.settled(candidate)
    return replace(settled, number=number, resumed=candidate.uuid in evidence.resumed)


def _may_go(scanner: Scanner, candidate: CopyCandidate, options: Options) -> bool:
    kind = candidate.part.kind
    if kind is LeftOutKind.THINKING:
        return options.thinking and candidate.message_id in scanner.spoken
    if kind is not LeftOutKind.WRITTEN:
        return True
    if candidate.tool_id not in scanner.succeeded or options.inputs is Inputs.NONE:
        return False
    return options.inputs is Inputs.ALL or scanner.is_superseded(candidate)

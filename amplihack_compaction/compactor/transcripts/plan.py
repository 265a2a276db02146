"""Choose what a copy leaves out: scan a transcript once, then decide with its end in view.

Left out can be: results of tools, the thinking of older responses, images and documents, and the
texts that went into files. What stays: errors and the output of commands that failed, whatever
the ledger was taken from, the newest turns, and every word of the user.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from amplihack_compaction.base.json_objects import parse_object
from amplihack_compaction.compactor.transcripts.candidates import Candidate, Scanner
from amplihack_compaction.compactor.transcripts.evidence import Evidence, Range
from amplihack_compaction.compactor.transcripts.lines import RawLine, is_record, raw_lines
from amplihack_compaction.compactor.transcripts.model import Inputs, Kind, Options, Part, Plan
from amplihack_compaction.context.tokens.estimate import NEWER_LINE, OLDER_LINE, line_for
from amplihack_compaction.transcript.entries import (
    Entry,
    JsonObject,
    ReadReport,
    is_internal_line,
    parse_line,
)
from amplihack_compaction.transcript.usage import text_characters

_REPORT_LINES = 500


@dataclass(slots=True)
class _Sizes:
    """The characters of all messages with the offsets and uuids of their entries."""

    placed: list[tuple[int, int, str, bool]] = field(default_factory=list)
    records: int = 0
    record_bytes: int = 0


class Reading:
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

    def outside(part: Part) -> bool:
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
) -> Iterator[Candidate]:
    """Yield the candidates that go, and count large ones that stay."""
    for candidate in scanner.candidates:
        part = candidate.part
        sized = part.kind in (Kind.TOOL_OUTPUT, Kind.WRITTEN)
        if sized and part.characters <= over:
            continue
        if _is_evidence(candidate, evidence):
            kept["ledger"] += sized
        elif part.offset >= recent:
            kept["recent"] += 1
        elif _may_go(scanner, candidate, options):
            yield candidate


def _is_evidence(candidate: Candidate, evidence: Evidence) -> bool:
    """Return whether the ledger rests on a written text's entry, or on the result of a call."""
    if candidate.part.kind is Kind.WRITTEN:
        return candidate.uuid in evidence.uuids
    return candidate.tool_id in evidence.tools


def _part(scanner: Scanner, candidate: Candidate, evidence: Evidence, number: int) -> Part:
    settled = scanner.settled(candidate)
    return replace(settled, number=number, resumed=candidate.uuid in evidence.resumed)


def _may_go(scanner: Scanner, candidate: Candidate, options: Options) -> bool:
    kind = candidate.part.kind
    if kind is Kind.THINKING:
        return options.thinking and candidate.message_id in scanner.spoken
    if kind is not Kind.WRITTEN:
        return True
    if candidate.tool_id not in scanner.succeeded or options.inputs is Inputs.NONE:
        return False
    return options.inputs is Inputs.ALL or scanner.is_superseded(candidate)

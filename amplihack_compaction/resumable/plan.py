"""Choose what a copy leaves out: scan a transcript once, then decide with its end in view.

Left out can be: results of tools, the thinking of older responses, images and documents, and the
texts that went into files. What stays: errors and the output of commands that failed, whatever
the ledger was taken from, the newest turns, and every word of the user.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from amplihack_compaction.resumable.candidates import Candidate, Scanner
from amplihack_compaction.resumable.evidence import Evidence, Range
from amplihack_compaction.resumable.lines import is_record, raw_lines
from amplihack_compaction.resumable.model import Inputs, Kind, Options, Part, Plan
from amplihack_compaction.scanner import parse_object
from amplihack_compaction.tokens.lines import line_for
from amplihack_compaction.transcript.usage import text_characters

_REPORT_LINES = 500


@dataclass(slots=True)
class _Sizes:
    """The characters of all messages, and where they stand."""

    whole: int = 0
    resumed: int = 0
    placed: list[Range] = field(default_factory=list)
    records: int = 0
    record_bytes: int = 0


def make_plan(
    stream: BinaryIO,
    start: int,
    stop: int,
    evidence: Evidence,
    options: Options,
    on_line: Callable[[int], None] | None = None,
) -> Plan:
    """Return what a copy of the first `stop` bytes leaves out of what comes from `start` on.

    `on_line` is told now and then up to which offset the file is read.
    """
    scanner, sizes = Scanner(evidence, _over(evidence, options)), _Sizes()
    for line in raw_lines(stream, stop):
        if on_line is not None and line.number % _REPORT_LINES == 0:
            on_line(line.offset)
        if line.whole and is_record(line.data):
            sizes.records += 1
            sizes.record_bytes += len(line.data)
        elif line.whole and (b'"message"' in line.data or b'"attachment"' in line.data):
            entry = parse_object(line.data)
            if entry is None:
                continue
            characters = text_characters(entry)
            sizes.whole += characters
            sizes.resumed += characters if entry.get("uuid") in evidence.resumed else 0
            if characters and not entry.get("isSidechain"):
                sizes.placed.append((line.offset, characters))
            if line.offset >= start:
                scanner.read(entry, line.offset, line.number)
    recent = _start_of_recent(scanner, sizes, evidence, options)
    kept: Counter[str] = Counter(scanner.kept)
    parts = tuple(_chosen(scanner, recent, options, kept))
    return Plan(
        end=stop,
        model=evidence.model,
        parts=tuple(replace(part, number=number) for number, part in enumerate(parts, 1)),
        whole_characters=sizes.whole,
        resumed_characters=sizes.resumed,
        records=sizes.records,
        record_bytes=sizes.record_bytes,
        kept=+kept,
    )


def without_ranges(plan: Plan, ranges: list[Range]) -> Plan:
    """Return the plan without what it leaves out of some ranges of the file."""

    def outside(part: Part) -> bool:
        return not any(start <= part.offset < end for start, end in ranges)

    parts = tuple(part for part in plan.parts if outside(part))
    kept = plan.kept + Counter(ledger=len(plan.parts) - len(parts))
    return replace(plan, parts=parts, kept=kept)


def _over(evidence: Evidence, options: Options) -> int:
    return round(options.over_tokens / line_for(evidence.model).slope)


def _start_of_recent(scanner: Scanner, sizes: _Sizes, evidence: Evidence, options: Options) -> int:
    """Return the offset from which on everything stays."""
    prompts = evidence.prompts
    turns = prompts[-options.keep_turns] if 0 < options.keep_turns <= len(prompts) else 0
    turns = turns if options.keep_turns else scanner.last_response
    room = options.keep_tokens / line_for(evidence.model).slope
    newest = scanner.last_response
    for offset, characters in reversed(sizes.placed):
        room -= characters
        if room < 0:
            break
        newest = min(newest, offset)
    return min(max(turns, newest), scanner.last_response)


def _chosen(scanner: Scanner, recent: int, options: Options, kept: Counter[str]) -> list[Part]:
    parts = []
    for candidate in scanner.candidates:
        if candidate.part.offset >= recent:
            kept["recent"] += 1
        elif _may_go(scanner, candidate, options):
            parts.append(scanner.settled(candidate))
    return parts


def _may_go(scanner: Scanner, candidate: Candidate, options: Options) -> bool:
    kind = candidate.part.kind
    if kind is Kind.THINKING:
        return options.thinking and candidate.message_id in scanner.spoken
    if kind is not Kind.WRITTEN:
        return True
    if candidate.tool_id not in scanner.succeeded or options.inputs is Inputs.NONE:
        return False
    return options.inputs is Inputs.ALL or scanner.is_superseded(candidate)

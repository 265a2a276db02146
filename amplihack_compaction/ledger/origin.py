"""Find the session that a transcript goes on from, when it does not begin at its beginning.

A fork made after a compaction is a file of its own that starts with that compaction's boundary:
what was said before it is not copied. The boundary keeps its uuid, and the summary behind it names
the transcript that it was made from, which the client keeps in the same folder.
"""

import re
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import islice
from typing import Any, TypeVar

from amplihack_compaction.base.files import is_regular
from amplihack_compaction.transcript.entries import iterate_entries
from amplihack_compaction.transcript.nodes import Kind, make_node

T = TypeVar("T")

_NAMED = re.compile(r"read the full transcript at: (/[^\n]{1,4000}\.jsonl)")
# The client writes a boundary's summary and attachments right behind it.
_HEAD_ENTRIES = 60


@dataclass(frozen=True, slots=True)
class Origin:
    """The transcript a session goes on from, and the uuid of the boundary where it left it."""

    path: str
    boundary_uuid: str


def find_origin(transcript_path: str) -> Origin | None:
    """Return where a transcript comes from; None when it begins at its own beginning.

    Only a transcript beside this one is taken: the name stands in a text that anybody may have
    written.
    """
    boundary_uuid = ""
    for entry in islice(iterate_entries(transcript_path), _HEAD_ENTRIES):
        node = make_node(entry)
        if node is None:
            continue
        if node.kind is Kind.BOUNDARY:
            boundary_uuid = node.uuid
        elif node.kind is Kind.SUMMARY and boundary_uuid:
            return _named_in(node.text, transcript_path, boundary_uuid)
        elif node.kind in (Kind.PROMPT, Kind.ASSISTANT):
            return None
    return None


def _named_in(summary: str, transcript_path: str, boundary_uuid: str) -> Origin | None:
    named = _NAMED.search(summary)
    if named is None:
        return None
    folder, slash, _ = transcript_path.rpartition("/")
    path = f"{folder}{slash}{named.group(1).rpartition('/')[2]}"
    known = path != transcript_path and is_regular(path)
    return Origin(path, boundary_uuid) if known else None


def moved_before(value: T, boundary_offset: int) -> T:
    """Return the value with its offsets counted back from a boundary, so that all are negative.

    Offsets order what was said. What a fork's origin said came before everything in the fork,
    whose own offsets begin at 0.
    """
    result: Any = value
    if isinstance(value, tuple):
        result = tuple(moved_before(item, boundary_offset) for item in value)
    elif is_dataclass(value):
        changes: dict[str, Any] = {}
        for field in fields(value):
            old = getattr(value, field.name)
            if field.name == "offset" or (field.name == "retired_offset" and old >= 0):
                changes[field.name] = old - boundary_offset - 1
            elif isinstance(old, tuple) or is_dataclass(old):
                changes[field.name] = moved_before(old, boundary_offset)
        result = replace(result, **changes)
    return result  # type: ignore[no-any-return]

"""Make a copy of a transcript that the client resumes, smaller and with the same ledger.

The original is only read. The copy is written to a file that no session is listed by, its ledger
is compared with the original's, and only then it gets its name. What a kill leaves is a `.tmp`
file beside the original, which a later run removes.
"""

import os
import posix
import re
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from amplihack_compaction.base.errors import CopyError, TranscriptError, reason_of
from amplihack_compaction.base.files import (
    is_regular,
    list_names,
    replace_with_parts,
    write_temporary,
)
from amplihack_compaction.base.folders import opened
from amplihack_compaction.base.paths import prepare_runtime, session_folder
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.clients.claude_code.session_files import carry_tasks, drop_tasks
from amplihack_compaction.clients.claude_code.tail import find_boundaries
from amplihack_compaction.clients.reading import (
    is_resumable,
    iterate_entries,
    read_task_files,
    windows_of,
)
from amplihack_compaction.clients.session_lines import opened_transcript
from amplihack_compaction.compactor.transcripts.copied_lines import copy_lines
from amplihack_compaction.compactor.transcripts.copy_plan import Original, Plan, TranscriptScan
from amplihack_compaction.compactor.transcripts.expand import STALE_SECONDS, forget_lost
from amplihack_compaction.compactor.transcripts.ledger_evidence import differing_windows, gather
from amplihack_compaction.compactor.transcripts.manifest import (
    Head,
    file_hash,
    manifest_lines,
    manifest_path,
    remove_manifest,
)
from amplihack_compaction.ledger.stored import continue_from, continued_state
from amplihack_compaction.transcript.session import ReadReport

_ATTEMPTS = 2
KEPT_TURNS = 3
# Reading the ledger of 16 MB takes about a second.
_WHOLE_LIMIT_BYTES = 16 * 1024 * 1024
_TEMPORARY = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl\.\d{1,10}\.[0-9a-f]{8}\.tmp"
)


class Copy(NamedTuple):
    """A copy that was made, and what it leaves out."""

    head: Head
    plan: Plan


def preview_copy(original: Original, keep_turns: int = KEPT_TURNS) -> Plan:
    """Return what a copy would leave out that keeps the newest turns; nothing is written.

    Raises TranscriptError when the transcript cannot be read, or is of a client that resumes no
    copy.
    """
    if not is_resumable(original.path):
        raise TranscriptError(
            f"{original.path} is of a client that resumes no copy: use /compact there"
        )
    tasks = tuple(read_task_files(original.path, original.session_id))
    with opened_transcript(original.path) as stream:
        descriptor, start = stream.fileno(), 0
        stop = os.fstat(descriptor).st_size
        if stop > _WHOLE_LIMIT_BYTES:
            # What lies before the last compaction is no longer sent to the model.
            start = _last_boundary(descriptor, stop)
        report = ReadReport()
        entries = iterate_entries(original.path, start, stop, report)
        evidence = gather(windows_of(entries, start, 0, report), stop, tasks)
        if report.lines and report.lines == report.skipped:
            raise TranscriptError(f"nothing in {original.path} could be understood")
        return TranscriptScan(stream, start, stop, evidence).plan(original, keep_turns)


def make_copy(plan: Plan) -> Copy:
    """Write the copy beside its original, with its manifest, and return it.

    Raises CopyError when it cannot be written, when the original changes meanwhile, or when the
    copy's ledger would not be the original's; nothing is left then.
    """
    new_id = str(uuid4())
    folder = str(Path(plan.original.path).parent)
    target = f"{folder}/{new_id}.jsonl"
    remove_stale(folder)
    forget_lost(plan.original.root)
    try:
        prepare_runtime(plan.original.root)
        temporary, plan = _write(plan, target, new_id)
        try:
            head = _place(plan, temporary, target, new_id)
        finally:
            posix.unlink(temporary)
    except OSError as error:
        raise CopyError(
            f"no copy could be written in {folder}: {reason_of(error)}; the original is as it was"
        ) from error
    return Copy(head, plan)


def remove_stale(folder: str) -> None:
    """Remove what killed runs left in a folder of transcripts an hour ago or longer."""
    for name in list_names(folder):
        path = f"{folder}/{name}"
        if _TEMPORARY.fullmatch(name) and is_regular(path):
            with suppress(OSError):
                if time.time() - posix.stat(path).st_mtime > STALE_SECONDS:
                    posix.unlink(path)


def _write(plan: Plan, target: str, new_id: str) -> tuple[str, Plan]:
    """Write the copy to a temporary file; a window whose ledger differs is then kept whole."""
    original, evidence = plan.original, plan.evidence
    for _ in range(_ATTEMPTS):
        with opened_transcript(original.path) as stream:
            ids = original.session_id, new_id
            lines = copy_lines(stream, plan.parts, plan.end, ids)
            temporary = write_temporary(target, lines, sync=True)
        try:
            with opened(temporary) as descriptor:
                size = os.fstat(descriptor).st_size
                start = _last_boundary(descriptor, size) if plan.start else 0
            differing = differing_windows(temporary, start, evidence)
        except BaseException:
            posix.unlink(temporary)
            raise
        if not differing:
            return temporary, plan
        posix.unlink(temporary)
        plan = plan.without_ranges([evidence.windows[number] for number in differing])
    raise CopyError("the copy's ledger would not be the original's, so that no copy was made")


def _last_boundary(descriptor: int, stop: int) -> int:
    """Return where the last compaction lies in the first bytes of a transcript; 0 without one."""
    return next(reversed(find_boundaries(descriptor, 0, stop)[0]), 0)


def _place(plan: Plan, temporary: str, target: str, new_id: str) -> Head:
    """Give the copy its name, after everything that belongs to it; take all back on an error."""
    original = plan.original
    manifest = manifest_path(original.root, new_id)
    tasks = carry_tasks(original.path, original.session_id, new_id)
    try:
        size, digest = file_hash(temporary)
        head = Head(
            session_id=new_id,
            original_id=original.session_id,
            original_path=original.path,
            original_bytes=plan.end,
            copy_path=target,
            copy_bytes=size,
            copy_hash=digest,
            created=utc_text(),
            tasks=tasks,
            tokens={"whole": plan.whole_tokens, "resumed": plan.resumed_tokens},
            kinds=dict(Counter(part.kind.value for part in plan.parts)),
        )
        replace_with_parts(manifest, manifest_lines(manifest, head, plan.parts))
        # The copy's ledger begins with the session that the original went on from.
        folder = session_folder(original.root, original.session_id)
        if (before := continued_state(folder, original.session_id)) is not None:
            continue_from(session_folder(original.root, new_id), new_id, before)
        posix.link(temporary, target)
    except BaseException:
        with suppress(OSError):  # `forget_lost` does it later
            drop_tasks(original.path, new_id, tasks)
            remove_manifest(manifest)
        raise
    return head

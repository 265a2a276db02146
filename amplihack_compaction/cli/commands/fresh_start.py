"""`fresh-start`: the context of an earlier session, for a new one to go on with."""

import os
from contextlib import suppress
from dataclasses import asdict
from itertools import islice
from typing import Any

import typer

from amplihack_compaction.base.errors import TranscriptError, reason_of
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli.options import AS_JSON, SESSION_VARIABLE, SNAPSHOT
from amplihack_compaction.cli.sessions import open_session, sessions_above
from amplihack_compaction.cli.terminal import show
from amplihack_compaction.clients.reading import all_transcripts, session_id_of
from amplihack_compaction.compactor.transcripts.manifest import without_unused_copies
from amplihack_compaction.handoff.checkpoint import read_moment, snapshot_now
from amplihack_compaction.handoff.fresh_start import (
    LATEST,
    FreshStartContext,
    nothing_recorded,
    prepare_fresh_start,
)
from amplihack_compaction.handoff.session_offers import withdraw
from amplihack_compaction.hook.session_start import go_on_from
from amplihack_compaction.injection.snapshot import project_snapshots

SAY_WHICH = "What may be newer cannot be read now; to go on from an older one, name it: `{} ID`."
_SESSIONS_TRIED = 5


def fresh_start(snapshot: str = SNAPSHOT, as_json: bool = AS_JSON) -> None:
    """Print the context of an earlier session, for a new one to go on with.

    Without an id it is the newest session's, as it is now. Run inside a session, that session's own
    record begins with it. Exit code 1 when the snapshot that is named cannot be used.
    """
    root = project_root()
    session_id = os.environ.get(SESSION_VARIABLE, "")
    wanted = snapshot or LATEST
    if wanted == LATEST:
        wanted = _snapshot_of_newest(root, session_id) or LATEST
    fresh = prepare_fresh_start(wanted, root, running=session_id)
    if fresh is not None:
        try:
            if session_id and fresh.skipped:
                name_it = SAY_WHICH.format("fresh-start")
                typer.echo(f"The ledger was not taken over. {name_it}", err=True)
            elif session_id:
                go_on_from(fresh, root, session_id)
            if not fresh.skipped:
                withdraw(root, fresh.compacted.session_id)
        except OSError as error:
            typer.echo(f"The ledger could not be taken over: {reason_of(error)}", err=True)
    text = fresh.prompt if fresh is not None else nothing_recorded(project_snapshots(root))
    show(fresh_start_to_json(fresh), [text], as_json=as_json)
    if fresh is None and (above := sessions_above(root)):
        typer.echo(f"\n{above}", err=True)


def _snapshot_of_newest(root: str, running: str) -> str:
    """Take a snapshot of the newest other session with work, and return its id; empty without."""
    transcripts = without_unused_copies(root, all_transcripts(root))
    others = (path for path in transcripts if session_id_of(path) != running)
    for path in islice(others, _SESSIONS_TRIED):
        with suppress(TranscriptError, OSError):  # what cannot be used may have an older one
            found = open_session(path)
            moment = read_moment(root, found.id, str(found.transcript))
            if moment.has_begun:
                return snapshot_now(moment)
    return ""


def fresh_start_to_json(fresh: FreshStartContext | None) -> dict[str, Any]:
    """Return what a new session goes on with as JSON values; nulls where nothing is recorded."""
    if fresh is None:
        return {"prompt": None, "compacted": None, "instructions": None, "skipped": []}
    compacted = asdict(fresh.compacted)
    compacted.pop("state")
    return {
        "prompt": fresh.prompt,
        "compacted": compacted,
        "instructions": fresh.instructions,
        "skipped": list(fresh.skipped),
    }

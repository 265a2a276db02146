"""`events`: the recorded compactions of a project, and what of them cannot be read."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.files import list_names, parse_object, read_bytes
from amplihack_compaction.base.paths import project_root, session_folder
from amplihack_compaction.base.signature import own_part
from amplihack_compaction.cli.options import JsonOption, complete_session, examples
from amplihack_compaction.cli.sessions import chosen_session
from amplihack_compaction.cli.terminal import exit_with_problems
from amplihack_compaction.text.words import inert
from amplihack_compaction.validation.events import (
    FILE_NAME,
    CompactionEvent,
    EventsRead,
    events_path,
    read_events,
)
from amplihack_compaction.validation.losses import LossReport, losses_path, report_from_json

_REPORT_LIMIT_BYTES = 4 * 1024 * 1024
_LINE = "{:<24}  {:<8}  {:<7}  {:>5}  {:>7}  {:>9}  {:<10}  {}"
_HEAD = ("TIME", "SESSION", "TRIGGER", "TURN", "REMOVED", "TOKENS", "LOST", "TRANSCRIPT")
commands = typer.Typer()


@dataclass(frozen=True, slots=True)
class Listed:
    """An event with what its files say; `problems` name what of them cannot be read."""

    event: CompactionEvent
    losses: LossReport | None
    problems: tuple[str, ...]


@commands.command(epilog=examples("events", "events 1f2e3d4c --json"))
def events(
    session: Annotated[
        str | None,
        typer.Argument(
            metavar="SESSION",
            help="Only this session's: an id or its first characters. The default is all.",
            autocompletion=complete_session,
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the compactions that the hooks recorded in this project, and what cannot be read.

    Exit code 1 when the list itself cannot be.
    """
    root, session_id = _choose(session)
    read = read_events(root)
    found = [event for event in read.events if session_id in (None, event.session_id)]
    listed = [_look_up(root, event) for event in found]
    problems = _file_problems(root, read)
    if as_json:
        value = {
            "project": root,
            "file": events_path(root),
            "problems": problems,
            "events": [_to_json(one) for one in listed],
        }
        typer.echo(json.dumps(value, indent=2))
    else:
        typer.echo("\n".join(_lines(root, session_id, listed, problems)))
    exit_with_problems([read.problem] if read.problem else [])


def _choose(named: str | None) -> tuple[str, str | None]:
    """Return the project and the session that are meant; a session may have lost its transcript."""
    root = project_root()
    if named is None:
        return root, None
    ids = {event.session_id for event in read_events(root).events}
    found = [named] if named in ids else sorted(i for i in ids if i.startswith(named))
    if len(found) > 1:
        raise TranscriptError(f"several sessions begin with {named}: {', '.join(found[:5])}")
    if found:
        return root, found[0]
    session = chosen_session(named)
    return session.root, session.id


def _look_up(root: str, event: CompactionEvent) -> Listed:
    problems: list[str] = []
    if not event.session_id:
        problems.append("it names no session")
    if not event.timestamp:
        problems.append("its time cannot be read")
    copy = event.pre_compaction_transcript_path
    if not copy:
        problems.append("no copy of the window was made")
    elif not os.path.isfile(os.path.join(root, copy)):  # noqa: PTH113, PTH118 - may be absolute
        problems.append("the window's copy is gone: only the newest `window_copies` are kept")
    losses, problem = _losses(root, event)
    return Listed(event, losses, (*problems, *([problem] if problem else [])))


def _losses(root: str, event: CompactionEvent) -> tuple[LossReport | None, str]:
    start = event.extra.get("window_start")
    if not event.extra.get("loss_report") or not isinstance(start, int):
        return None, ""
    path = losses_path(session_folder(root, event.session_id), start)  # whatever the event names
    data = read_bytes(path, _REPORT_LIMIT_BYTES)
    if data is None:
        return None, "the loss report is gone"
    report = report_from_json(parse_object(own_part(data, path) or b""))
    return report, "" if report is not None else "the loss report cannot be read"


def _file_problems(root: str, read: EventsRead) -> list[str]:
    problems = [read.problem] if read.problem else []
    if read.skipped:
        problems.append(f"{FILE_NAME}: {read.skipped} of its values are no events, passed over")
    folder = str(Path(events_path(root)).parent)
    aside = [name for name in list_names(folder) if name.startswith(f"{FILE_NAME}.corrupt-")]
    problems += [f"{name}: set aside, since it could not be read" for name in aside]
    return problems


def _to_json(listed: Listed) -> dict[str, Any]:
    event, losses = listed.event, listed.losses
    return {
        "timestamp": event.timestamp,
        "session_id": event.session_id,
        "turn_number": event.turn_number,
        "messages_removed": event.messages_removed,
        "pre_compaction_transcript_path": event.pre_compaction_transcript_path,
        **event.extra,
        "losses": losses.counts if losses is not None else None,
        "lost": len(losses.lost) if losses is not None else None,
        "problems": list(listed.problems),
    }


def _lines(
    root: str, session_id: str | None, listed: list[Listed], problems: list[str]
) -> Iterator[str]:
    if listed:
        yield _LINE.format(*_HEAD)
    else:
        of = f"session {session_id}" if session_id else root
        yield f"No compaction of {of} is recorded."
    for one in listed:
        yield _event_line(one)
        yield from (f"  {inert(problem, 300)}" for problem in one.problems)
    if problems:
        yield "\nWhat cannot be read"
        yield from (f"  {inert(problem, 300)}" for problem in problems)


def _event_line(one: Listed) -> str:
    event, losses = one.event, one.losses
    tokens = event.extra.get("pre_tokens")
    return _LINE.format(
        inert(event.timestamp, 40) or "?",
        inert(event.session_id[:8], 8) or "?",
        inert(str(event.extra.get("trigger") or "?"), 10),
        event.turn_number,
        event.messages_removed,
        f"{tokens:,}" if isinstance(tokens, int) else "?",
        "?" if losses is None else f"{len(losses.lost)} of {len(losses.items)}",
        inert(event.pre_compaction_transcript_path, 300) or "-",
    )

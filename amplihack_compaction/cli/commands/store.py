"""`store`: what was kept of all sessions: read in, listed, shown, exported, deleted."""

import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from shutil import rmtree
from textwrap import indent
from typing import Any

import typer

from amplihack_compaction.base.errors import SessionNotFoundError, TranscriptError
from amplihack_compaction.base.files import is_folder, is_regular
from amplihack_compaction.base.paths import linked_folder, project_root, session_folder
from amplihack_compaction.base.settings import StoreStrategy, load_settings
from amplihack_compaction.cli.options import AS_JSON, URL, argument, command_group, option
from amplihack_compaction.cli.sessions import sessions_above
from amplihack_compaction.cli.terminal import (
    STDOUT,
    confirm,
    exit_with_problems,
    output_file,
    show,
    showing_progress,
    write_output,
)
from amplihack_compaction.clients.reading import project_transcripts, session_id_of
from amplihack_compaction.compactor.archive.store_archived import ARCHIVE_SESSION, store_archived
from amplihack_compaction.compactor.transcripts.manifest import (
    find_manifests,
    without_unused_copies,
)
from amplihack_compaction.handoff.session_offers import withdraw
from amplihack_compaction.ledger.edits import edits_in_force
from amplihack_compaction.store.database import SQLITE, Database
from amplihack_compaction.store.ended_runs import compact_stored
from amplihack_compaction.store.importing import find_transcripts, import_transcripts
from amplihack_compaction.store.messages import KINDS, StoredMessage
from amplihack_compaction.store.open_store import open_store
from amplihack_compaction.store.query import update_words
from amplihack_compaction.store.sessions import (
    SessionKey,
    find_session,
    leave_out,
    session_with,
    sessions_named,
    take_in_again,
)
from amplihack_compaction.store.store import SessionStore
from amplihack_compaction.store.upkeep import (
    delete_session,
    delete_sessions,
    is_purge_due,
    purge,
    surplus_sessions,
)
from amplihack_compaction.text.words import counted, harmless_lines, inert

_NAMED_SHOWN = 5
_LINE_CHARS = 100
_ID_CHARS = 8
_MEGABYTE = 1_000_000
_BYTES_PER_MEGABYTE = 1024 * 1024
_MOST_JOBS = 4
_READ_AGAIN = (
    "Its transcript stays: `store sync`, `store import` or a hook where the session goes on reads"
    " it again, unless you delete the transcript too."
)
_READ_NOW = (
    "Another process reads the store: the texts leave its file when that has ended, with the next"
    " session's end or `store vacuum`."
)
_MESSAGE_ID = re.compile(r"(.+)\.([0-9]{1,18})")
_QUIET = option("--quiet -q", "Print errors only.", False)
_JOBS = option(
    "--jobs -j N",
    "Processes that read and store; by default one for each core, at most 4.",
    None,
    min=0,
    max=64,
)
_SESSION = argument("SESSION", "A session's id, or its first characters.")
commands = command_group(
    "store", "What was kept of all sessions: read in, listed, compacted, deleted."
)


@commands.command("import")
def store_import(
    folder: Path = argument("DIR", "Where transcripts lie."),
    jobs: int | None = _JOBS,
    url: str | None = URL,
    quiet: bool = _QUIET,
) -> None:
    """Read all transcripts below a folder into the store; run again, only what is new.

    Each session is stored under the project that it was begun in. Exit code 1 when one could not
    be read.
    """
    folder = Path(os.path.expanduser(folder))  # noqa: PTH111 - no such user: it stays
    if not folder.is_dir():
        raise TranscriptError(f"there is no folder {folder}")
    problems: list[str] = []
    paths = find_transcripts(folder, problems)
    if not paths:
        nothing = f"there is no transcript (*.jsonl) below {folder}"
        raise TranscriptError("; ".join([nothing, *problems]))
    _import(url, paths, jobs, None, problems, quiet=quiet)


@commands.command("sync")
def store_sync(jobs: int | None = _JOBS, url: str | None = URL, quiet: bool = _QUIET) -> None:
    """Read what the hooks have not stored yet of this project's transcripts.

    Exit code 1 when one could not be read.
    """
    root = project_root()
    problems: list[str] = []
    if url is None:
        store_archived(root, problems)
    paths = without_unused_copies(root, project_transcripts(root, problems)[::-1])
    if not paths:
        found = [f"no session of {root} is recorded here", sessions_above(root), *problems]
        raise TranscriptError("; ".join(filter(None, found)))
    _import(url, paths, jobs, root, problems, quiet=quiet)


def _import(
    url: str | None,
    paths: list[Path],
    jobs: int | None,
    scope: str | None,
    problems: list[str],
    *,
    quiet: bool,
) -> None:
    started = time.perf_counter()
    sizes, what = {path: path.stat().st_size for path in paths}, counted(len(paths), "transcript")
    opening = partial(open_store, url, project_root())
    with (
        opening() as database,
        showing_progress(what, quiet=quiet, total=sum(sizes.values())) as update,
    ):
        if database.dialect == SQLITE:
            take_in_again(database, map(session_id_of, paths))
        if jobs is None:  # a little work needs none, and one at a time can write
            much = sum(sizes.values()) >= 32 * _MEGABYTE
            jobs = min(_MOST_JOBS, os.cpu_count() or 1) if much else 0
        result = import_transcripts(
            opening, paths, jobs, scope, lambda path: update(advance=sizes[path])
        )
        update_words(database)
    if not quiet:
        seconds, megabytes = time.perf_counter() - started, result.read_bytes / _MEGABYTE
        new = f"{counted(result.files, 'transcript')}, {counted(result.messages, 'new message')}"
        typer.echo(f"{new}, {megabytes:.1f} MB read in {seconds:.1f} s")
    exit_with_problems([f"left out: {problem}" for problem in (*problems, *result.problems)])


@commands.command("sessions")
def store_sessions(url: str | None = URL, as_json: bool = AS_JSON) -> None:
    """List the sessions of the store, with when something was last said, the newest first."""
    with open_store(url, project_root(), only_read=True) as database:
        rows = database.rows(
            "SELECT session_id, scope, message_count, compaction_count, updated_at,"
            " (SELECT count(*) FROM message WHERE message.session = session.id),"
            # What was read in today was said when it was said.
            " coalesce(nullif(last_said, ''), updated_at) AS last_said_at FROM session"
            " ORDER BY last_said_at DESC, id DESC"
        )
    names = ("session", "project", "messages", "compactions", "updatedAt", "kept", "lastSaid")
    found = [dict(zip(names, row, strict=True)) for row in rows]
    ids = {str(one["session"]) for one in found}
    begun = Counter(each[:_ID_CHARS] for each in ids)
    # Ids that are made of the time begin alike within a minute.
    ids_shown = {each: each if begun[each[:_ID_CHARS]] > 1 else each[:_ID_CHARS] for each in ids}
    lines = [
        f"{ids_shown[one['session']]}  {one['lastSaid'][:16].replace('T', ' ')}"
        f"  {counted(one['kept'], 'message'):>16}, {one['messages']:,} in the working history,"
        f" {counted(one['compactions'], 'compaction')}  {one['project']}"
        for one in found
    ]
    where = "" if found else sessions_above(project_root()) or "`store sync` reads this project's"
    nothing = f"The store has no session yet: {where}."
    show({"sessions": found}, lines or [nothing], as_json=as_json)


@commands.command("show")
def store_show(
    session: str = argument(
        "SESSION", "A session's id, or its first characters; or a message's id, as recall tells it."
    ),
    archived: bool = option("--archived", "Also what compactions took out.", False),
    url: str | None = URL,
    as_json: bool = AS_JSON,
) -> None:
    """Print the messages of a session, or one message with what was said around it."""
    named = _MESSAGE_ID.fullmatch(session)
    number = int(named[2]) if named else 0
    with _opened(url, named[1] if named else session, number) as (store, key):
        whole = store.messages(key, archived=archived)
        messages = list(store.around(key, number) if named else whole)
    lines: list[str] = []
    for message in messages:
        mark = "" if not named else "> " if message.number == number else "  "
        beside = f" · {key.session_id[:_ID_CHARS]}.{message.number}" if named else ""
        said = "\n".join(message.content.splitlines())
        lines += f"{mark}{_headline(message)}{beside}", indent(harmless_lines(said), "  ")
    found = [_message(key, message) for message in messages]
    content = {"session": key.session_id, "project": key.scope, "messages": found}
    show(content, lines, as_json=as_json)


@commands.command("history")
def store_history(session: str = _SESSION, url: str | None = URL, as_json: bool = AS_JSON) -> None:
    """Show every compaction of a session, with what there was before and after it."""
    with _opened(url, session) as (store, key):
        history = store.history(key)
    told = [{**asdict(one), "compacted_at": one.compacted_at.isoformat()} for one in history]
    lines = [] if history else [f"Session {key.session_id} was not compacted yet."]
    for one in history:
        lines.append(
            f"{one.number:>3}  {one.compacted_at:%Y-%m-%d %H:%M}  {one.strategy}"
            f"{f' ({one.cause})' if one.cause else ''}:"
            f" {_sized(one.messages_before, one.tokens_before)}"
            f" -> {_sized(one.messages_after, one.tokens_after)}"
        )
        if one.summary:
            lines.append(f"     {inert(one.summary, _LINE_CHARS)}")
    show({"session": key.session_id, "compactions": told}, lines, as_json=as_json)


def _sized(messages: int, tokens: int) -> str:
    return f"{counted(messages, 'message')} (about {counted(tokens, 'token')})"


@commands.command("stats")
def store_stats(url: str | None = URL, as_json: bool = AS_JSON) -> None:
    """Show how much the store holds, and its size."""
    with open_store(url, project_root(), only_read=True) as database:
        rows = database.rows("SELECT kind, count(*) FROM message GROUP BY kind")
        kinds: dict[str, int] = dict(rows)
        figures: dict[str, Any] = {
            "place": database.place,
            "sessions": database.number("SELECT count(*) FROM session"),
            "compactions": database.number("SELECT count(*) FROM compaction"),
            "messages": sum(kinds.values()),
            "kinds": {kind: kinds[kind] for kind in (*KINDS, *sorted(kinds)) if kind in kinds},
            "bytes": database.number(database.used) if database.is_kept else 0,
        }
    size = f"{figures['bytes'] / _MEGABYTE:.1f} MB" if figures["bytes"] else "not there yet"
    counts = (counted(figures[f"{name}s"], name) for name in ("session", "compaction", "message"))
    of_kinds = (f"  {kind:<12}{count:>9}" for kind, count in figures["kinds"].items())
    show(figures, (f"{figures['place']}: {size}", ", ".join(counts), *of_kinds), as_json=as_json)


@commands.command("export")
def store_export(
    session: str | None = argument(
        "SESSION", "A session's id, or its first characters. The default is all.", None
    ),
    output: Path | None = option(
        "--output -o FILE", "Write them there, for you alone; `-` prints them.", None
    ),
    url: str | None = URL,
) -> None:
    """Print all messages as JSON lines: of one session, or of all."""
    target = None if output is None or str(output) == STDOUT else output_file(output)
    with open_store(url, project_root(), only_read=True) as database:
        if session is not None:
            keys = [_named_key(database, session)]
        else:
            rows = database.rows("SELECT scope, session_id FROM session ORDER BY id")
            keys = [SessionKey(str(scope), str(session_id)) for scope, session_id in rows]
    if target is None:
        for line in _exported(url, keys):
            typer.echo(line)
        return
    write_output(target, (f"{line}\n".encode() for line in _exported(url, keys)))
    typer.echo(f"{counted(len(keys), 'session')} written to {target}", err=True)


def _exported(url: str | None, keys: list[SessionKey]) -> Iterator[str]:
    if not keys:
        return
    with SessionStore(url) as store:
        for key in keys:
            for message in store.messages(key, archived=True):
                yield json.dumps(_message(key, message))


@commands.command("compact")
def store_compact(
    session: str = argument("SESSION", "An id or its beginning."),
    strategy: StoreStrategy | None = option(
        "--strategy none|sliding_window|summarize", "By default the setting `store_strategy`.", None
    ),
    window: int | None = option("--window N", "Keep the newest N messages.", None, min=1),
    url: str | None = URL,
) -> None:
    """Compact a session's working history in the store; what leaves it stays in the archive."""
    settings, _ = load_settings(project_root())
    by_window = StoreStrategy.SLIDING_WINDOW if window is not None else settings.store_strategy
    chosen = strategy or by_window
    with _opened(url, session) as (store, key):
        before, after = compact_stored(store, key, chosen, window or settings.store_window)
    typer.echo(f"{counted(before, 'message')} in the working history before, {after:,} now")


@commands.command("vacuum")
def store_vacuum(
    only_space: bool = option("--only-space", "Delete no session; only give space back.", False),
    url: str | None = URL,
) -> None:
    """Delete what is beyond `store_megabytes` and `store_days`, and give the space back.

    In steps, so that sessions go on meanwhile. A server keeps the freed room for what is stored
    next.
    """
    settings, problems = load_settings(project_root())
    for problem in problems:
        typer.echo(problem, err=True)
    with open_store(url, project_root(), only_read=True) as database:
        if not database.is_kept:
            typer.echo(f"{database.place}: not there yet")
            return
        before, count = database.number(database.used), 0
        if not only_space:
            most_bytes = settings.store_megabytes * _BYTES_PER_MEGABYTE
            surplus = surplus_sessions(database, most_bytes, settings.store_days)
            count = len(surplus)
            delete_sessions(database, surplus)
        purge(database)
        after = database.number(database.used)
    typer.echo(
        f"{counted(count, 'session')} beyond the bounds deleted;"
        f" {before / _MEGABYTE:.1f} MB before, {after / _MEGABYTE:.1f} MB now"
    )


@commands.command("delete")
def store_delete(
    session: str = _SESSION,
    yes: bool = option("--yes -y", "Delete without asking.", False),
    url: str | None = URL,
) -> None:
    """Delete a session for good: from the store with its index and log, and its state's files.

    What was remembered by hand goes with these; of another project's session only what this store
    has. Its transcript stays: what reads it next stores it again, unless you delete that too.
    """
    with open_store(url, project_root(), only_read=True) as database:
        try:
            key = _named_key(database, session)
        except SessionNotFoundError:
            # Of a deletion that was killed the texts may still be in the file.
            if database.dialect == SQLITE and is_purge_due(database):
                purge(database)
            raise
        is_own = os.path.realpath(key.scope) == os.path.realpath(project_root())
        edits = _edits_of(key) if is_own else ""
        if not yes:
            named = f"session {key.session_id} of {key.scope}"
            whole = f"all that is kept of {named}{edits}"
            confirm(f"Delete {whole if is_own else f'{named} from this store'}?")
        is_read = False
        row = find_session(database, key, to_write=True)  # as it is by the time of the answer
        with showing_progress("Deleting"):
            gone = delete_session(database, row.id)
            if database.dialect == SQLITE:
                leave_out(database, key)
                is_read = not purge(database)
    files, folder = _delete_files(key) if is_own else 0, session_folder(key.scope, key.session_id)
    what = counted(gone, "message")
    what += f" and {counted(files, 'file')} of its state{edits}" if files else ""
    said = [f"Session {key.session_id} is deleted{'' if is_own else ' from this store'}: {what}."]
    if is_read:
        said.append(_READ_NOW)
    if is_folder(folder):
        said.append(f"Its state stays, which is its project's: {folder}.")
    if key.session_id == ARCHIVE_SESSION:
        said.append("Its documents stay in their archives: `store sync` reads them again.")
    elif is_regular(row.transcript):
        said.append(_READ_AGAIN)
    typer.echo(" ".join(said))


def _edits_of(key: SessionKey) -> str:
    """Return, in words, what of a session's state nothing brings back; empty for nothing."""
    if linked_folder(key.scope):
        return ""
    made = len(edits_in_force(session_folder(key.scope, key.session_id)))
    told = f", with {counted(made, 'edit')} by hand, which nothing brings back" if made else ""
    is_copy = bool(find_manifests(key.scope, key.session_id))
    return told + "; what this shortened copy left out comes back no more" * is_copy


def _delete_files(key: SessionKey) -> int:
    """Remove what this project's folder keeps of a session; return how many files there were."""
    folder = session_folder(key.scope, key.session_id)
    if linked_folder(key.scope) or not is_folder(folder):
        return 0
    files = sum(len(names) for _, _, names in os.walk(folder))
    rmtree(folder)
    withdraw(key.scope, key.session_id)
    return files


def _named_key(database: Database, named: str) -> SessionKey:
    """Return the session of an id, or of its first characters; of two projects' this one's."""
    if not named:  # an empty variable of a script: so every session begins
        raise SessionNotFoundError("the session's id is empty: `store sessions` lists them")
    found = sessions_named(database, named)
    exact = [key for key in found if key.session_id == named] or found
    here = [key for key in exact if key.scope == project_root()]
    for keys in (exact, here):
        if len(keys) == 1:
            return keys[0]
    shown = ", ".join(f"{key.session_id} of {key.scope}" for key in found[:_NAMED_SHOWN])
    raise SessionNotFoundError(
        f"several sessions begin with {named}: {shown}. Name one whole, in its project's folder"
    )


@contextmanager
def _opened(
    url: str | None, named: str, number: int = 0
) -> Iterator[tuple[SessionStore, SessionKey]]:
    """Open a store and find a session in it, of several that begin so the one of a message."""
    with open_store(url, project_root(), only_read=True) as database:
        key = session_with(database, named, number) or _named_key(database, named)
    with SessionStore(url) as store:
        yield store, key


def _headline(message: StoredMessage) -> str:
    tool = f" {inert(message.tool_name)}" if message.tool_name else ""
    gone = "" if message.archived_by is None else f", archived by compaction {message.archived_by}"
    when = message.said_at[:16].replace("T", " ")
    return f"{message.kind}{tool} · {when} · turn {message.turn}{gone}"


def _message(key: SessionKey, message: StoredMessage) -> dict[str, Any]:
    return {"scope": key.scope, "session_id": key.session_id, **asdict(message)}

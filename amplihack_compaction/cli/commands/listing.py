"""The commands that show what a store holds: sessions, messages, compactions, figures."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from amplihack_compaction.base.errors import SessionNotFoundError
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli.terminal import STDOUT, needs_ascii, output_file, write_output
from amplihack_compaction.store.database import Database
from amplihack_compaction.store.messages import KINDS
from amplihack_compaction.store.open_store import open_to_read
from amplihack_compaction.store.sessions import SessionKey
from amplihack_compaction.store.store import SessionStore, StoredMessage
from amplihack_compaction.store.upkeep import used_bytes
from amplihack_compaction.text.strings import counted

_SHOWN = 5
_LINE_CHARS = 100
_ID_CHARS = 8
_MEGABYTE = 1_000_000
_BLOCK_BYTES = 256 * 1024


def named_key(database: Database, named: str, scope: str | None = None) -> SessionKey:
    """Return the session of an id, or of its first characters.

    Raises SessionNotFoundError when there is none, or when several begin so; and for no characters
    at all, an empty variable of a script: with them every session begins.
    """
    if not named:
        raise SessionNotFoundError("the session's id is empty: `store sessions` lists them")
    rows = database.rows(
        "SELECT scope, session_id FROM session WHERE session_id LIKE :named ESCAPE '!'"
        " ORDER BY updated_at DESC",
        {"named": "".join("!" + c if c in "!%_" else c for c in named) + "%"},
    )
    found = [SessionKey(str(a), str(b)) for a, b in rows if scope in (None, a)]
    exact = [key for key in found if key.session_id == named]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if not found:
        raise SessionNotFoundError(
            f"the store has no session {named}: `store sessions` lists what it has"
        )
    shown = ", ".join(f"{key.session_id} of {key.scope}" for key in found[:_SHOWN])
    raise SessionNotFoundError(f"several sessions begin with {named}: {shown}")


def list_sessions(url: str | None, *, as_json: bool) -> None:
    """Print the sessions of a store, what was said in last first."""
    with open_to_read(url, project_root()) as database:
        rows = database.rows(
            "SELECT session_id, scope, message_count, compaction_count, updated_at,"
            " (SELECT count(*) FROM message WHERE message.session = session.id),"
            # What was read in today was said when it was said.
            " coalesce(nullif(last_said, ''), updated_at) AS last_said_at FROM session"
            " ORDER BY last_said_at DESC, id DESC"
        )
    names = ("session", "project", "messages", "compactions", "updatedAt", "kept", "lastSaid")
    found = [dict(zip(names, row, strict=True)) for row in rows]
    if as_json:
        typer.echo(json.dumps({"sessions": found}, indent=2))
        return
    if not found:
        typer.echo("The store has no session yet: `store sync` reads this project's.")
    for one in found:
        typer.echo(
            f"{one['session'][:_ID_CHARS]}  {one['lastSaid'][:16].replace('T', ' ')}"
            f"  {counted(one['kept'], 'message'):>16}, {one['messages']:,} in the working history,"
            f" {counted(one['compactions'], 'compaction')}  {one['project']}"
        )


def show_session(url: str | None, named: str, *, archived: bool, as_json: bool) -> None:
    """Print the messages of a session."""
    with _opened(url, named) as (store, key):
        messages = store.messages(key, archived=archived)
        if as_json:
            _print_messages(key, messages)
            return
        for message in messages:
            typer.echo(_headline(message))
            typer.echo("\n".join("  " + _plain(line) for line in message.content.splitlines()))


def _print_messages(key: SessionKey, messages: Iterable[StoredMessage]) -> None:
    """Print one JSON object, message by message: a session has any number of them."""
    head = json.dumps({"session": key.session_id, "project": key.scope}, indent=2)
    typer.echo(head.removesuffix("\n}") + ',\n  "messages": [', nl=False)
    for number, message in enumerate(messages):
        text = json.dumps(_message(key, message), ensure_ascii=needs_ascii())
        typer.echo(("," if number else "") + "\n    " + text, nl=False)
    typer.echo("\n  ]\n}")


def show_history(url: str | None, named: str, *, as_json: bool) -> None:
    """Print every compaction of a session, with what there was before and after it."""
    with _opened(url, named) as (store, key):
        history = store.history(key)
    if as_json:
        typer.echo(json.dumps({"session": key.session_id, "compactions": [
            {**asdict(one), "compacted_at": one.compacted_at.isoformat()} for one in history
        ]}, indent=2))  # fmt: skip
        return
    if not history:
        typer.echo(f"Session {key.session_id} was not compacted yet.")
    for one in history:
        typer.echo(
            f"{one.number:>3}  {one.compacted_at:%Y-%m-%d %H:%M}  {one.strategy}"
            f"{f' ({one.cause})' if one.cause else ''}:"
            f" {_sized(one.messages_before, one.tokens_before)}"
            f" -> {_sized(one.messages_after, one.tokens_after)}"
        )
        if one.summary:
            typer.echo(f"     {_plain(one.summary)[:_LINE_CHARS]}")


def _sized(messages: int, tokens: int) -> str:
    return f"{counted(messages, 'message')} (about {counted(tokens, 'token')})"


def show_stats(url: str | None, *, as_json: bool) -> None:
    """Print what a store holds of each kind, and its size."""
    with open_to_read(url, project_root()) as database:
        kinds: dict[str, int] = dict(
            database.rows("SELECT kind, count(*) FROM message GROUP BY kind")
        )
        counts = {
            name: int((database.one(f"SELECT count(*) FROM {table}") or (0,))[0])  # noqa: S608
            for name, table in (("sessions", "session"), ("compactions", "compaction"))
        }
        figures: dict[str, Any] = {
            "place": database.place,
            **counts,
            "messages": sum(kinds.values()),
            "kinds": {kind: kinds[kind] for kind in (*KINDS, *sorted(kinds)) if kind in kinds},
            "bytes": used_bytes(database) if database.is_kept else 0,
        }
    if as_json:
        typer.echo(json.dumps(figures, indent=2))
        return
    size = f"{figures['bytes'] / _MEGABYTE:.1f} MB" if figures["bytes"] else "not there yet"
    typer.echo(f"{figures['place']}: {size}")
    typer.echo(
        f"{counted(counts['sessions'], 'session')},"
        f" {counted(counts['compactions'], 'compaction')},"
        f" {counted(figures['messages'], 'message')}"
    )
    for kind, count in figures["kinds"].items():
        typer.echo(f"  {kind:<12}{count:>9}")


def export_sessions(url: str | None, named: str | None, output: Path | None) -> None:
    """Write messages as JSON lines: of one session, or of all; to standard output for `-`.

    Raises CompactionError when the file cannot be written; it then is as it was.
    """
    target = None if output is None or str(output) == STDOUT else output_file(output)
    with open_to_read(url, project_root()) as database:
        keys = list(_all_keys(database)) if named is None else [named_key(database, named)]
    if target is None:
        for line in _exported(url, keys, in_ascii=needs_ascii()):
            typer.echo(line)
        return
    write_output(target, _blocks(_exported(url, keys)))
    typer.echo(f"{counted(len(keys), 'session')} written to {target}", err=True)


def _exported(url: str | None, keys: list[SessionKey], *, in_ascii: bool = False) -> Iterator[str]:
    if not keys:
        return
    with SessionStore(url) as store:
        for key in keys:
            for message in store.messages(key, archived=True):
                yield json.dumps(_message(key, message), ensure_ascii=in_ascii)


def _blocks(lines: Iterable[str]) -> Iterator[bytes]:
    """Yield lines in pieces that are worth a write."""
    block = bytearray()
    for line in lines:
        block += line.encode() + b"\n"
        if len(block) >= _BLOCK_BYTES:
            yield bytes(block)
            block.clear()
    yield bytes(block)


def _all_keys(database: Database) -> Iterator[SessionKey]:
    for scope, session_id in database.rows("SELECT scope, session_id FROM session ORDER BY id"):
        yield SessionKey(str(scope), str(session_id))


class _opened:  # noqa: N801 - reads as a function in a `with`
    """Open a store and find a session in it."""

    def __init__(self, url: str | None, named: str) -> None:
        self._url, self._named = url, named

    def __enter__(self) -> tuple[SessionStore, SessionKey]:
        with open_to_read(self._url, project_root()) as database:
            key = named_key(database, self._named)
        self._store = SessionStore(self._url)
        return self._store, key

    def __exit__(self, *_: object) -> None:
        self._store.close()


def _headline(message: StoredMessage) -> str:
    tool = f" {message.tool_name}" if message.tool_name else ""
    gone = "" if message.archived_by is None else f", archived by compaction {message.archived_by}"
    when = message.said_at[:16].replace("T", " ")
    return f"{message.kind}{tool} · {when} · turn {message.turn}{gone}"


def _message(key: SessionKey, message: StoredMessage) -> dict[str, Any]:
    return {"scope": key.scope, "session_id": key.session_id, **asdict(message)}


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)

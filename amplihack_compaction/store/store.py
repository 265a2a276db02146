"""`SessionStore`: sessions, their messages and their compactions, for programs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Self

from amplihack_compaction.base.errors import ScopeError, SessionNotFoundError, StrategyError
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.base.redaction.redact import redact, redact_again
from amplihack_compaction.base.timestamps import exact_utc_text
from amplihack_compaction.store.compactions import NONE, SUMMARIZE, WINDOW, compact_session
from amplihack_compaction.store.database import whole
from amplihack_compaction.store.messages import StoredMessage, insert_messages, text_of
from amplihack_compaction.store.open_store import open_store
from amplihack_compaction.store.sessions import (
    SessionKey,
    SessionRow,
    find_session,
    make_session,
    touch_session,
)
from amplihack_compaction.transcript.session import storable

_BESIDE = 2
_KIND_OF_ROLE = {
    "user": "prompt",
    "assistant": "answer",
    "tool": "tool_output",
    "system": "summary",
}


@dataclass(frozen=True, slots=True)
class CompactionStrategy:
    """What a compaction keeps of the working history; made by one of its class methods."""

    kind: str
    max_messages: int = 0

    def __post_init__(self) -> None:
        """Raise StrategyError for a window that holds no message."""
        if self.kind == WINDOW and self.max_messages < 1:
            raise StrategyError(f"a window holds at least 1 message, not {self.max_messages}")

    @classmethod
    def none(cls) -> "CompactionStrategy":
        """Keep everything: nothing happens, and nothing is counted."""
        return cls(NONE)

    @classmethod
    def sliding_window(cls, max_messages: int) -> "CompactionStrategy":
        """Keep the newest `max_messages` messages, at least one."""
        return cls(WINDOW, max_messages)

    @classmethod
    def summarize(cls) -> "CompactionStrategy":
        """Replace all messages by one system message that holds the summary."""
        return cls(SUMMARIZE)


@dataclass(frozen=True, slots=True)
class CompactionRecord:
    """How often a session was compacted, when last (UTC), and its newest summary."""

    compaction_count: int = 0
    last_compacted_at: datetime | None = None
    summary: str | None = None


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A stored session: messages in its working history, and times (UTC); None where unknown."""

    message_count: int
    compaction_count: int
    created_at: datetime
    updated_at: datetime
    first_said_at: datetime | None = None
    last_said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PastCompaction:
    """One compaction of a session's history: messages and tokens before and after it."""

    number: int
    strategy: str
    cause: str
    compacted_at: datetime
    summary: str | None
    place: int | None
    messages_before: int
    messages_after: int
    tokens_before: int
    tokens_after: int


class SessionStore:
    """A store of sessions: SQLite in a file, or PostgreSQL.

    `url` is `sqlite:////path`, a file's path or `postgresql://…`; None stands for the current
    project's own store. With a `scope` every other project's sessions are refused. Every method
    raises StoreError when the database cannot be used; nothing is then half written.
    """

    def __init__(self, url: str | None = None, *, scope: str | None = None) -> None:
        """Open the store, made when it is missing."""
        self.scope = scope
        self._database = open_store(url, project_root())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection to the database."""
        self._database.close()

    def verify_scope(self, key: SessionKey) -> None:
        """Raise ScopeError unless the session is one of the key's own project.

        Also where the store was opened for another project. Raises SessionNotFoundError when the
        store does not know the session in any.
        """
        self._find(key)

    def add_session(self, key: SessionKey) -> None:
        """Make a session without messages; one that is there stays as it is."""
        self._check(key)
        with self._database.transaction():
            make_session(self._database, key)

    def append(self, key: SessionKey, messages: Iterable[StoredMessage]) -> int:
        """Add messages to a session, which is made when it is new; return how many were new.

        Secrets are taken out. A message whose uuid and part the session has already is not
        stored again; one without a uuid gets one.
        """
        self._check(key)
        with self._database.transaction():
            row = make_session(self._database, key)
            count = insert_messages(self._database, row, [_to_store(one) for one in messages])
            touch_session(self._database, row, exact_utc_text())
        return count

    def messages(self, key: SessionKey, *, archived: bool = False) -> Iterator[StoredMessage]:
        """Yield the working history of a session in order; with `archived`, all that is kept."""
        row = self._find(key)
        last = 0
        while page := self._page(row, last, archived=archived):
            last = whole(page[-1][-1])
            yield from map(_from_store, page)

    def around(self, key: SessionKey, number: int) -> list[StoredMessage]:
        """Return a message of a session by its number, and two before and after it.

        Raises SessionNotFoundError where the session has no such message.
        """
        row = self._find(key)
        before = self._database.rows(
            "SELECT id FROM message WHERE session = :session AND id <= :number"
            " ORDER BY id DESC LIMIT :most",
            {"session": row.id, "number": number, "most": _BESIDE + 1},
        )
        if not before or whole(before[0][0]) != number:
            raise SessionNotFoundError(f"session {key.session_id} has no message {number}")
        page = self._page(row, whole(before[-1][0]) - 1, archived=True, most=len(before) + _BESIDE)
        return list(map(_from_store, page))

    def compact(
        self, key: SessionKey, strategy: CompactionStrategy, summary: str | None = None
    ) -> CompactionRecord:
        """Compact a session by a strategy, in one transaction, and return its record.

        What leaves the working history stays in the archive. Raises SessionNotFoundError for an
        unknown session, ScopeError for another project's, StrategyError for `summarize` without
        a summary.
        """
        self._check(key)
        if strategy.kind == SUMMARIZE and not (summary and summary.strip()):
            raise StrategyError("the strategy `summarize` needs a summary")
        if strategy.kind == NONE:
            return self.get_compaction_record(key)
        clean = redact(storable(summary)) if summary else None
        with self._database.transaction():
            row = find_session(self._database, key, to_write=True)
            kept = strategy.max_messages
            compact_session(self._database, row, strategy.kind, clean, kept=kept)
        return _record_of(row)

    def get_compaction_record(self, key: SessionKey) -> CompactionRecord:
        """Return a session's record; before its first compaction 0, None and None."""
        return _record_of(self._find(key))

    def get_session_info(self, key: SessionKey) -> SessionInfo:
        """Return how many messages a session has, and when it was made, changed and spoken in."""
        row = self._find(key)
        said = [_moment(text) if text else None for text in (row.first_said, row.last_said)]
        made, changed = _moment(row.created_at), _moment(row.updated_at)
        return SessionInfo(row.message_count, row.compaction_count, made, changed, *said)

    def history(self, key: SessionKey) -> list[PastCompaction]:
        """Return every compaction of a session, oldest first."""
        row = self._find(key)
        found = self._database.rows(
            "SELECT number, strategy, cause, compacted_at, summary, place, messages_before,"
            " messages_after, tokens_before, tokens_after FROM compaction"
            " WHERE session = :session ORDER BY number",
            {"session": row.id},
        )
        return [
            PastCompaction(one[0], one[1], one[2], _moment(one[3]), _clean(one[4]), *one[5:])
            for one in found
        ]

    def _check(self, key: SessionKey) -> None:
        if self.scope is not None and key.scope != self.scope:
            raise ScopeError(f"this store was opened for {self.scope}, not for {key.scope}")

    def _find(self, key: SessionKey) -> SessionRow:
        self._check(key)
        return find_session(self._database, key)

    def _page(
        self, row: SessionRow, last: int, *, archived: bool, most: int = 500
    ) -> list[tuple[Any, ...]]:
        live = "" if archived else " AND archived IS NULL"
        return self._database.rows(
            "SELECT role, body, kind, tool, tokens, turn, said_at, uuid, part, place,"  # noqa: S608
            f" compactions, archived, id FROM {self._database.texts}"
            f" WHERE message.session = :session AND id > :last{live} ORDER BY id LIMIT :most",
            {"session": row.id, "last": last, "most": most},
        )


def _record_of(row: SessionRow) -> CompactionRecord:
    at = row.last_compacted_at
    moment = _moment(at) if at else None
    return CompactionRecord(row.compaction_count, moment, _clean(row.summary))


def _clean(summary: str | None) -> str | None:
    return redact_again(summary) if summary else summary


def _moment(text: str) -> datetime:
    """Return a stored time; one that a foreign transcript wrote oddly counts as the epoch."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _to_store(message: StoredMessage) -> StoredMessage:
    from uuid import uuid4

    return replace(
        message,
        content=redact(storable(message.content)),
        kind=message.kind or _KIND_OF_ROLE.get(message.role, "prompt"),
        uuid=message.uuid or str(uuid4()),
        said_at=message.said_at or exact_utc_text(),
    )


def _from_store(values: tuple[Any, ...]) -> StoredMessage:
    role, body, *told = values
    return StoredMessage(role, redact_again(text_of(body)), *told)

"""The sessions of a store: found, made, and how far their transcripts are read.

`progress.state` is what the reader carries from one increment to the next; see `transcript_reader`.
`progress.mark` is a hash of the bytes before the position: when they are others, the transcript
was replaced.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from amplihack_compaction.base.errors import OtherOwnerError, ScopeError, SessionNotFoundError
from amplihack_compaction.base.timestamps import exact_utc_text
from amplihack_compaction.store.database import SET_META, Database, whole
from amplihack_compaction.transcript.session import storable

_COLUMNS = (
    "id, message_count, compaction_count, last_compacted_at, summary, created_at, updated_at,"
    " transcript, first_message, last_message, first_said, last_said"
)


@dataclass(frozen=True, slots=True)
class SessionKey:
    """What names a session: its project, by the folder's path, and the client's id for it."""

    scope: str
    session_id: str

    def __post_init__(self) -> None:
        """Leave out what no database takes."""
        object.__setattr__(self, "scope", storable(self.scope))
        object.__setattr__(self, "session_id", storable(self.session_id))


class SessionRow:
    """One session as the store has it; its counters are kept up to date in a transaction."""

    def __init__(self, values: tuple[object, ...]) -> None:
        self.id = whole(values[0])
        self.message_count = whole(values[1])
        self.compaction_count = whole(values[2])
        self.last_compacted_at = _text_or_none(values[3])
        self.summary = _text_or_none(values[4])
        self.created_at, self.updated_at = str(values[5]), str(values[6])
        self.transcript = str(values[7])
        self.first_message = whole(values[8] or 0)
        self.last_message = whole(values[9] or 0)
        self.first_said, self.last_said = str(values[10]), str(values[11])


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


def find_session(database: Database, key: SessionKey, *, to_write: bool = False) -> SessionRow:
    """Return a session of the store.

    Raises ScopeError when the store knows the session under other projects only,
    SessionNotFoundError when it does not know it at all, and StoreError when another role of the
    server has stored what is to be written.
    """
    lock = database.for_update if to_write else ""
    row = database.one(
        f"SELECT {_COLUMNS} FROM session"  # noqa: S608 - names of our own, values are parameters
        f" WHERE scope = :scope AND session_id = :session_id{lock}",
        {"scope": key.scope, "session_id": key.session_id},
    )
    if row is not None:
        return SessionRow(row)
    other = database.one(
        "SELECT scope FROM session WHERE session_id = :session_id ORDER BY scope <> :scope",
        {"scope": key.scope, "session_id": key.session_id},
    )
    if lock and other is not None and other[0] == key.scope:  # who reads all may lock only his own
        raise _owned_by_another(key)
    if other is not None:
        raise ScopeError(
            f"session {key.session_id} belongs to another project than {key.scope}: name the"
            " project that it was recorded in"
        )
    from amplihack_compaction.base.installation import own_command

    raise SessionNotFoundError(
        f"the store has no session {key.session_id} of {key.scope}: `{own_command()} store"
        " sessions` lists what it has, `store sync` reads what is new"
    )


def sessions_named(database: Database, named: str) -> list[SessionKey]:
    """Return the sessions whose ids begin so, the last one changed first.

    Raises SessionNotFoundError where there is none.
    """
    rows = database.rows(
        "SELECT scope, session_id FROM session WHERE session_id LIKE :named ESCAPE '!'"
        " ORDER BY updated_at DESC",
        {"named": beginning_with(named)},
    )
    if not rows:
        raise SessionNotFoundError(
            f"the store has no session {named}: `store sessions` lists what it has"
        )
    return [SessionKey(str(scope), str(session_id)) for scope, session_id in rows]


def session_with(database: Database, named: str, number: int) -> SessionKey | None:
    """Return the session whose id begins so and which has that message, if there is one."""
    row = database.one(
        "SELECT scope, session_id FROM session WHERE session_id LIKE :named ESCAPE '!'"
        " AND id = (SELECT session FROM message WHERE id = :number)",
        {"named": beginning_with(named), "number": number},
    )
    return None if row is None else SessionKey(str(row[0]), str(row[1]))


def beginning_with(text: str) -> str:
    """Return the pattern for LIKE, with `!` as its escape, of what begins with a text."""
    return "".join("!" + sign if sign in "!%_" else sign for sign in text) + "%"


_LEFT_OUT = "left out "
"""What stands in `meta` before the id of a session that was deleted by hand."""


def leave_out(database: Database, key: SessionKey) -> None:
    """Have a session that was deleted stay so until its transcript is asked for by name."""
    database.run(SET_META, {"name": f"{_LEFT_OUT}{key.session_id}", "value": key.scope})


def left_out(database: Database) -> set[str]:
    """Return the ids of the sessions that are to stay deleted."""
    rows = database.rows("SELECT name FROM meta WHERE name LIKE :named", {"named": f"{_LEFT_OUT}%"})
    return {str(name).removeprefix(_LEFT_OUT) for (name,) in rows}


def take_in_again(database: Database, session_ids: Iterable[str]) -> None:
    """Forget that sessions were deleted by hand: their transcripts are asked for."""
    for session_id in left_out(database).intersection(session_ids):
        database.run("DELETE FROM meta WHERE name = :name", {"name": f"{_LEFT_OUT}{session_id}"})


def _owned_by_another(key: SessionKey) -> OtherOwnerError:
    return OtherOwnerError(
        f"session {key.session_id} of {key.scope} belongs to another role of this server, which"
        " stored it first and alone may change it: docs/store.md says how it is given to you"
    )


def find_known(database: Database, key: SessionKey) -> int:
    """Return a session's number in the store; 0 when it is not there yet."""
    return database.number(
        "SELECT id FROM session WHERE scope = :scope AND session_id = :session_id",
        {"scope": key.scope, "session_id": key.session_id},
    )


def make_session(database: Database, key: SessionKey, transcript: str = "") -> SessionRow:
    """Return a session, made when it is new; inside a transaction.

    That it has another transcript now, `touch_session` writes.
    """
    moment, transcript = exact_utc_text(), storable(transcript)
    (number,) = database.reserve_ids("session", 1)
    database.run(
        "INSERT INTO session (id, scope, session_id, transcript, created_at, updated_at)"
        " VALUES (:id, :scope, :session_id, :transcript, :moment, :moment)"
        " ON CONFLICT (scope, session_id) DO NOTHING",
        {
            "id": number, "scope": key.scope, "session_id": key.session_id,
            "transcript": transcript, "moment": moment,
        },
    )  # fmt: skip
    try:
        row = find_session(database, key, to_write=True)
    except (ScopeError, SessionNotFoundError):
        # It is there, or would have been made: hidden from this role.
        raise _owned_by_another(key) from None
    row.transcript = transcript or row.transcript
    return row


def touch_session(database: Database, row: SessionRow, moment: str) -> None:
    """Write a session's counters back."""
    row.updated_at = max(row.updated_at, moment)
    database.run(
        "UPDATE session SET message_count = :message_count, compaction_count = :compaction_count,"
        " last_compacted_at = :last_compacted_at, summary = :summary, updated_at = :updated_at,"
        " transcript = :transcript,"
        " first_message = nullif(:first_message, 0), last_message = nullif(:last_message, 0),"
        " first_said = :first_said, last_said = :last_said WHERE id = :id",
        vars(row),
    )


def read_progress(database: Database, session: int) -> tuple[int, str, str]:
    """Return how far a session's transcript is read: offset in bytes, mark and state."""
    row = database.one(
        "SELECT position, mark, state FROM progress WHERE session = :session", {"session": session}
    )
    return (whole(row[0]), str(row[1]), str(row[2])) if row is not None else (0, "", "")


def write_progress(database: Database, session: int, position: int, mark: str, state: str) -> None:
    """Write down how far a session's transcript is read."""
    database.run(
        "INSERT INTO progress (session, position, mark, state)"
        " VALUES (:session, :position, :mark, :state) ON CONFLICT (session) DO UPDATE"
        " SET position = excluded.position, mark = excluded.mark, state = excluded.state",
        {"session": session, "position": position, "mark": mark, "state": state},
    )

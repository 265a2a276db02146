"""Apply a compaction to a session: what leaves the working history stays in the archive."""

from amplihack_compaction.base.timestamps import exact_utc_text
from amplihack_compaction.store.database import Database, whole
from amplihack_compaction.store.messages import StoredMessage, insert_messages, tokens_by_bytes
from amplihack_compaction.store.sessions import SessionRow, touch_session

NONE, WINDOW, SUMMARIZE = "none", "sliding_window", "summarize"
UNTOLD = "client"
"""The cause of a client's compaction whose trigger the transcript does not tell."""
_LIVE = (
    "SELECT count(*), coalesce(sum(tokens), 0) FROM message WHERE session = :s AND archived IS NULL"
)
_ARCHIVE = (
    "UPDATE message SET archived = :n WHERE session = :s AND id IN (SELECT id FROM message"
    " WHERE session = :s AND archived IS NULL ORDER BY id DESC LIMIT :all OFFSET :kept)"
)
_RECORD = (
    "INSERT INTO compaction (session, number, strategy, cause, compacted_at, summary, uuid, place,"
    " messages_before, messages_after, tokens_before, tokens_after) VALUES (:session, :number,"
    " :strategy, :cause, :compacted_at, :summary, :uuid, :place, :messages_before,"
    " :messages_after, :tokens_before, :tokens_after)"
)


def compact_session(
    database: Database,
    session: SessionRow,
    strategy: str,
    summary: str | None = None,
    *,
    kept: int = 0,
    cause: str = "",
    at: str = "",
    uuid: str | None = None,
    place: int | None = None,
) -> None:
    """Archive all but the newest `kept` messages of the working history, and record it.

    One system message with the summary takes their place when `strategy` is to summarize; a
    boundary whose summary is still to come has None. `cause` is the client's trigger, empty for a
    program's own compaction; `uuid` and `place` are those of its boundary in the transcript.
    Inside a transaction.
    """
    at = at or exact_utc_text()
    messages_before, tokens_before = _live(database, session)
    session.compaction_count += 1  # what comes from here on came after it
    number = session.compaction_count
    named = {"n": number, "s": session.id, "all": messages_before, "kept": kept}
    database.run(_ARCHIVE, named)
    if summary and strategy == SUMMARIZE:
        message = StoredMessage("system", summary, "summary", said_at=at, uuid=_name_of(number))
        insert_messages(database, session, [message])
    session.message_count, tokens_after = _live(database, session)
    session.summary = summary or session.summary
    session.last_compacted_at = at
    database.run(
        _RECORD,
        {
            "session": session.id, "number": number, "strategy": strategy, "cause": cause,
            "compacted_at": at, "summary": summary, "uuid": uuid, "place": place,
            "messages_before": messages_before, "tokens_before": tokens_before,
            "messages_after": session.message_count, "tokens_after": tokens_after,
        },
    )  # fmt: skip
    touch_session(database, session, at)


def meet_boundary(
    database: Database, session: SessionRow, uuid: str, place: int, cause: str, at: str
) -> None:
    """Note a compaction that the transcript tells of; one that is recorded stays as it is."""
    if not _numbered(database, session, uuid):
        told = cause or UNTOLD
        compact_session(database, session, SUMMARIZE, cause=told, at=at, uuid=uuid, place=place)


def meet_summary(
    database: Database, session: SessionRow, boundary: str, text: str, place: int, at: str
) -> None:
    """Give a compaction the summary that the transcript has of it; of a known one, its place."""
    number = _numbered(database, session, boundary)
    if not number:
        return
    name = _name_of(number)
    named = {"place": place, "s": session.id, "uuid": name}
    if database.run("UPDATE message SET place = :place WHERE session = :s AND uuid = :uuid", named):
        return
    message = StoredMessage("system", text, "summary", said_at=at, uuid=name, place=place)
    is_newest = number == session.compaction_count
    insert_messages(database, session, [message], None if is_newest else number + 1)
    if is_newest:
        session.summary = text
    row = {"s": session.id, "n": number, "summary": text, "tokens": tokens_by_bytes(text)}
    database.run(
        "UPDATE compaction SET summary = :summary, messages_after = messages_after + 1,"
        " tokens_after = tokens_after + :tokens WHERE session = :s AND number = :n",
        row,
    )
    touch_session(database, session, at)


def _numbered(database: Database, session: SessionRow, uuid: str) -> int:
    """Return a recorded compaction's number, by its boundary; 0 without one."""
    return database.number(
        "SELECT number FROM compaction WHERE session = :s AND uuid = :uuid",
        {"s": session.id, "uuid": uuid},
    )


def _live(database: Database, session: SessionRow) -> tuple[int, int]:
    """Return the messages and tokens of the working history."""
    ((messages, tokens),) = database.rows(_LIVE, {"s": session.id})
    return whole(messages), whole(tokens)


def _name_of(number: int) -> str:
    """Return what the summary of a compaction is known by in its session."""
    return f"summary:{number}"

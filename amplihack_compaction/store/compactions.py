"""Apply a compaction to a session: what leaves the working history stays in the archive."""

from dataclasses import dataclass, field

from amplihack_compaction.base.timestamps import exact_utc_text
from amplihack_compaction.store.database import Database, whole
from amplihack_compaction.store.messages import insert_messages, message_of_system
from amplihack_compaction.store.sessions import SessionRow, touch_session

NONE, WINDOW, SUMMARIZE = "none", "sliding_window", "summarize"
UNTOLD = "client"
"""The cause of a client's compaction whose trigger the transcript does not tell."""
_LIVE = (
    "SELECT count(*), coalesce(sum(tokens), 0) FROM message WHERE session = :s AND archived IS NULL"
)
_ARCHIVE = "UPDATE message SET archived = :n WHERE session = :s AND archived IS NULL"
_ARCHIVE_OLDEST = (
    "UPDATE message SET archived = :n WHERE session = :s AND id IN (SELECT id FROM message"
    " WHERE session = :s AND archived IS NULL ORDER BY id DESC LIMIT :all OFFSET :kept)"
)
_RECORD = (
    "INSERT INTO compaction (session, number, strategy, cause, compacted_at, summary, uuid, place,"
    " messages_before, messages_after, tokens_before, tokens_after) VALUES (:session, :number,"
    " :strategy, :cause, :compacted_at, :summary, :uuid, :place, :messages_before,"
    " :messages_after, :tokens_before, :tokens_after)"
)


@dataclass(frozen=True, slots=True)
class CompactionOrigin:
    """Where a compaction comes from: what caused it and when, and its boundary in the transcript.

    `cause` is the client's trigger, empty for a program's own compaction; `uuid` and `place` are
    None until the boundary is read.
    """

    cause: str = ""
    at: str = field(default_factory=exact_utc_text)
    uuid: str | None = None
    place: int | None = None


def keep_newest(
    database: Database, session: SessionRow, most: int, summary: str | None = None
) -> None:
    """Archive all but the newest `most` messages, and record it; inside a transaction."""
    before = _live(database, session)
    surplus = before[0] - most
    session.compaction_count += 1
    if surplus > 0:
        named = {"n": session.compaction_count, "s": session.id, "all": surplus, "kept": most}
        database.run(_ARCHIVE_OLDEST, named)
    _finish(database, session, before, WINDOW, summary, CompactionOrigin())


def summarize(
    database: Database,
    session: SessionRow,
    summary: str | None,
    origin: CompactionOrigin | None = None,
) -> None:
    """Replace the working history by one system message with the summary, and record it.

    Inside a transaction. A boundary whose summary is still to come has None.
    """
    origin = origin or CompactionOrigin()
    before = _live(database, session)
    session.compaction_count += 1  # what comes from here on came after it
    number = session.compaction_count
    database.run(_ARCHIVE, {"n": number, "s": session.id})
    if summary:
        name = _summary_name(number)
        message = message_of_system("summary", name, summary, origin.at)
        insert_messages(database, session, [message])
    _finish(database, session, before, SUMMARIZE, summary, origin)


def meet_boundary(
    database: Database, session: SessionRow, *, uuid: str, place: int, cause: str, at: str
) -> None:
    """Note a compaction that the transcript tells of; one that is recorded stays as it is."""
    if not _numbered(database, session, uuid):
        origin = CompactionOrigin(cause or UNTOLD, at or exact_utc_text(), uuid, place)
        summarize(database, session, None, origin)


def meet_summary(
    database: Database, session: SessionRow, *, boundary: str, text: str, place: int, at: str
) -> None:
    """Give a compaction the summary that the transcript has of it; of a known one, its place."""
    number = _numbered(database, session, boundary)
    if not number:
        return
    name = _summary_name(number)
    named = {"place": place, "s": session.id, "uuid": name}
    if database.run("UPDATE message SET place = :place WHERE session = :s AND uuid = :uuid", named):
        return
    message = message_of_system("summary", name, text, at)
    message["place"] = place
    is_newest = number == session.compaction_count
    insert_messages(database, session, [message], None if is_newest else number + 1)
    if is_newest:
        session.summary = text
    row = {"s": session.id, "n": number, "summary": text, "tokens": message["tokens"]}
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


def _finish(
    database: Database,
    session: SessionRow,
    before: tuple[int, int],
    strategy: str,
    summary: str | None,
    origin: CompactionOrigin,
) -> None:
    """Record the compaction that the session was counted up to, and bring it up to that."""
    messages, tokens = _live(database, session)
    session.summary = summary or session.summary
    session.last_compacted_at = origin.at
    session.message_count = messages
    database.run(
        _RECORD,
        {
            "session": session.id, "number": session.compaction_count, "strategy": strategy,
            "cause": origin.cause, "compacted_at": origin.at, "summary": summary,
            "uuid": origin.uuid, "place": origin.place, "messages_before": before[0],
            "tokens_before": before[1], "messages_after": messages, "tokens_after": tokens,
        },
    )  # fmt: skip
    touch_session(database, session, origin.at)


def _live(database: Database, session: SessionRow) -> tuple[int, int]:
    """Return the messages and tokens of the working history."""
    ((messages, tokens),) = database.rows(_LIVE, {"s": session.id})
    return whole(messages), whole(tokens)


def _summary_name(number: int) -> str:
    return f"summary:{number}"

"""Put messages into the store and its full-text index, once each, and take them out again.

A message is known by its session, its entry's uuid and its part of the entry, so reading the same
lines again stores nothing twice.

Words are runs of letters and digits, so that a path or an identifier is a row of words and a
phrase finds it. Chinese, Japanese and Korean have no spaces: each run of such characters is
indexed as its overlapping pairs and its last character, and a query is cut up the same way. The
index keeps no copy of the text. SQLite needs the very words again to take a text out, so this
cutting is part of the stored format: the schema's version changes with it.
"""

import re
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from unicodedata import normalize

from amplihack_compaction.store.database import SQLITE, Database, damaged
from amplihack_compaction.store.sessions import SessionRow


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """One message of a session.

    `part` counts the texts of one entry. `compactions` is how many came before it; `archived_by`
    the one that took it out of the working history, None while it is in it. `place` is its byte
    offset in the transcript, `number` what stands behind the session in its id.
    """

    role: str
    content: str
    kind: str = ""
    tool_name: str = ""
    tokens: int = 0
    turn: int = 0
    said_at: str = ""
    uuid: str = ""
    part: int = 0
    place: int | None = None
    compactions: int = 0
    archived_by: int | None = None
    number: int = field(default=0, compare=False)


KINDS = (
    "prompt", "answer", "tool_call", "tool_output", "decision", "summary", "archived",
)  # fmt: skip
NEVER_LIVE = 0
"""What `archived` is for a document that never was part of the working history."""
# Between the measured slopes of both model families, on UTF-8 bytes: a wide character has three.
_TOKENS_PER_1000_BYTES = 380
_INSERT = (
    "INSERT INTO message (id, session, archived, compactions, kind, role, tool, tokens, turn,"
    " said_at, uuid, part, place) VALUES (:id, :session, :archived, :compactions, :kind, :role,"
    " :tool_name, :tokens, :turn, :said_at, :uuid, :part, :place)"
    " ON CONFLICT (session, uuid, part) DO NOTHING"
)
_UNPACKED_BYTES = 1024 * 1024
WIDE = (
    "\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
WIDE_RUN = re.compile(f"[{WIDE}]+")
WORD = re.compile(r"[^\W_]+")
_ACCENTS = re.compile("(?<=[A-Za-z])[\u0300-\u036f]+")
_UNINDEX = "INSERT INTO search (search, rowid, body) VALUES ('delete', :id, :words)"


def tokens_by_bytes(text: str) -> int:
    """Return about how many tokens a text has; within a fifth on English and code."""
    size_bytes = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
    return (size_bytes * _TOKENS_PER_1000_BYTES + 999) // 1000


def insert_messages(
    database: Database,
    session: SessionRow,
    messages: Sequence[StoredMessage],
    archived: int | None = None,
) -> int:
    """Store messages that are not there yet, in order; return how many were new.

    Inside a transaction. The caller writes the session's counters back (`touch_session`).
    """
    if not messages:
        return 0
    ids = database.reserve_ids("message", len(messages))
    # PostgreSQL compresses by itself, and its parser takes paths and addresses for single words.
    kept, words = (packed, with_pairs) if database.dialect == SQLITE else (str, words_only)
    rows: list[dict[str, Any]] = [
        {
            **asdict(one),
            "id": number,
            "session": session.id,
            "archived": archived,
            "compactions": session.compaction_count,
            "tokens": one.tokens or tokens_by_bytes(one.content),
            "body": kept(one.content),
            "words": words(one.content),
        }
        for number, one in zip(ids, messages, strict=True)
    ]
    if database.run_many(_INSERT, rows) < len(rows):  # the ids of the others are nobody's
        given = {"first": ids[0], "last": ids[-1]}
        found = database.rows("SELECT id FROM message WHERE id BETWEEN :first AND :last", given)
        stored = {row[0] for row in found}
        rows = [row for row in rows if row["id"] in stored]
    database.run_many(database.insert_text, rows)
    database.run_many(database.insert_words, rows)
    if archived is None:
        session.message_count += len(rows)
    if rows:  # a search need look between these alone
        session.first_message = session.first_message or rows[0]["id"]
        session.last_message = max(session.last_message, rows[-1]["id"])
    times = [row["said_at"] for row in rows if row["said_at"]]
    if times:
        session.first_said = min(session.first_said or times[0], *times)
        session.last_said = max(session.last_said, *times)
    return len(rows)


def index_document(
    database: Database, session: SessionRow, *, name: str, text: str, said_at: str
) -> bool:
    """Make a text findable that belongs to a session, but not to its conversation.

    `name` is what it is known by in the session; a name that is there already stores nothing and
    returns False. The text must be redacted. Inside a transaction.
    """
    document = StoredMessage("system", text, "archived", said_at=said_at, uuid=name)
    return insert_messages(database, session, [document], NEVER_LIVE) == 1


def unindex_messages(database: Database, texts: Sequence[tuple[int, str]]) -> None:
    """Take messages out of SQLite's index, given the texts that they were put in with."""
    database.run_many(_UNINDEX, [{"id": n, "words": with_pairs(text)} for n, text in texts])


def packed(text: str) -> str | bytes:
    """Return what SQLite keeps of a text: it compressed, where that is smaller."""
    plain = text.encode()
    small = zlib.compress(plain)
    return small if len(small) < len(plain) else text


def text_of(body: object) -> str:
    """Return the text that is kept as it is or compressed; StoreError for anything else."""
    if isinstance(body, str):
        return body
    if not isinstance(body, bytes):
        raise damaged("no text")
    try:
        return zlib.decompressobj().decompress(body, _UNPACKED_BYTES).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise damaged(str(error)) from None


def with_pairs(text: str) -> str:
    """Return the text with each run of wide characters as pairs: `abc` as `ab bc c`."""
    return WIDE_RUN.sub(lambda run: f" {pairs_of(run.group())} ", text)


def pairs_of(run: str) -> str:
    """Return a run's overlapping pairs and its last character."""
    return " ".join(run[place : place + 2] for place in range(len(run)))


def words_only(text: str) -> str:
    """Return the words of a text, apart by spaces, without accents."""
    return " ".join(WORD.findall(as_indexed(with_pairs(text))))


def as_indexed(text: str) -> str:
    """Return the text as the index has it: in small letters, without accents.

    Those are the ones on the letters of the English alphabet; elsewhere a mark makes another
    letter.
    """
    if text.isascii():
        return text.lower()
    apart = _ACCENTS.sub("", normalize("NFD", text))
    return normalize("NFC", apart).lower()

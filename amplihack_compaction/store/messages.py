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
from typing import NotRequired, TypedDict
from unicodedata import normalize

from amplihack_compaction.store.database import SQLITE, Database, damaged
from amplihack_compaction.store.sessions import SessionRow


class Message(TypedDict):
    """One text of a session, as it is stored.

    `part` counts the texts of one entry; `place` is the byte offset of the entry's line in
    the transcript, None for what no transcript has.
    """

    uuid: str
    part: int
    kind: str
    role: str
    tool: str
    tokens: int
    turn: int
    said_at: str
    place: int | None
    body: str
    id: NotRequired[int]
    session: NotRequired[int]
    archived: NotRequired[int | None]
    compactions: NotRequired[int]


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
    " :tool, :tokens, :turn, :said_at, :uuid, :part, :place)"
    " ON CONFLICT (session, uuid, part) DO NOTHING"
)
_UNPACKED_BYTES = 1024 * 1024
WIDE_RUN = re.compile(
    "[\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]+"
)
# One range: several times faster than all of them, on text that has none.
_MAYBE_WIDE = re.compile("[\u3005-\U0003ffff]")
_WORD = re.compile(r"[^\W_]+")
_ACCENTS = re.compile("(?<=[A-Za-z])[\u0300-\u036f]+")
_UNINDEX = "INSERT INTO search (search, rowid, body) VALUES ('delete', :id, :words)"


def tokens_by_bytes(text: str) -> int:
    """Return about how many tokens a text has; within a fifth on English and code."""
    size_bytes = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
    return (size_bytes * _TOKENS_PER_1000_BYTES + 999) // 1000


def insert_messages(
    database: Database,
    session: SessionRow,
    messages: Sequence[Message],
    archived: int | None = None,
) -> int:
    """Store messages that are not there yet, in order; return how many were new.

    Inside a transaction. The caller writes the session's counters back (`touch_session`).
    """
    if not messages:
        return 0
    ids = database.reserve_ids("message", len(messages))
    for number, message in zip(ids, messages, strict=True):
        message["id"] = number
        message["session"] = session.id
        message["archived"] = archived
        message["compactions"] = session.compaction_count
    inserted = database.run_many(_INSERT, messages)
    new = messages if inserted == len(messages) else _really_new(database, messages)
    # PostgreSQL compresses by itself, and its parser takes paths and addresses for single words.
    kept, words = (packed, with_pairs) if database.dialect == SQLITE else (str, words_only)
    texts = [
        {
            "id": message["id"],
            "session": session.id,
            "body": kept(message["body"]),
            "words": words(message["body"]),
        }
        for message in new
    ]
    database.run_many(database.insert_text, texts)
    database.run_many(database.insert_words, texts)
    if archived is None:
        session.message_count += len(new)
    _widen(session, new)
    return len(new)


def move_messages(
    database: Database, session: SessionRow, messages: Sequence[Message] | None
) -> None:
    """Write down where messages stand in a transcript that was replaced.

    None forgets the places of all: what the new file does not have is kept, without a place.
    """
    if messages is None:
        database.run("UPDATE message SET place = NULL WHERE session = :s", {"s": session.id})
        return
    database.run_many(
        "UPDATE message SET place = :place"
        " WHERE session = :session AND uuid = :uuid AND part = :part",
        messages,
    )


def index_document(
    database: Database, session: SessionRow, *, name: str, text: str, said_at: str
) -> bool:
    """Make a text findable that belongs to a session, but not to its conversation.

    `name` is what it is known by in the session; a name that is there already stores nothing and
    returns False. The text must be redacted. Inside a transaction.
    """
    document = message_of_system("archived", name, text, said_at)
    return insert_messages(database, session, [document], NEVER_LIVE) == 1


def message_of_system(kind: str, name: str, text: str, said_at: str) -> Message:
    """Return a message that nobody said, as it is stored; `name` is what it is known by."""
    return {
        "uuid": name, "part": 0, "kind": kind, "role": "system", "tool": "",
        "tokens": tokens_by_bytes(text), "turn": 0, "said_at": said_at, "place": None,
        "body": text,
    }  # fmt: skip


def _widen(session: SessionRow, new: Sequence[Message]) -> None:
    """Keep between which ids and times a session's messages lie: a search need look there only."""
    if not new:
        return
    session.first_message = session.first_message or new[0]["id"]
    session.last_message = max(session.last_message, new[-1]["id"])
    times = [message["said_at"] for message in new if message["said_at"]]
    if times:
        session.first_said = min(session.first_said or times[0], *times)
        session.last_said = max(session.last_said, *times)


def _really_new(database: Database, messages: Sequence[Message]) -> list[Message]:
    """Return which of the messages were stored: the ids of the others are nobody's."""
    rows = database.rows(
        "SELECT id FROM message WHERE id BETWEEN :first AND :last",
        {"first": messages[0]["id"], "last": messages[-1]["id"]},
    )
    stored = {row[0] for row in rows}
    return [message for message in messages if message["id"] in stored]


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
    if text.isascii() or not _MAYBE_WIDE.search(text):
        return text
    return WIDE_RUN.sub(lambda run: f" {pairs_of(run.group())} ", text)


def pairs_of(run: str) -> str:
    """Return a run's overlapping pairs and its last character."""
    return " ".join(run[place : place + 2] for place in range(len(run)))


def words_only(text: str) -> str:
    """Return the words of a text, apart by spaces, without accents."""
    return " ".join(_WORD.findall(as_indexed(with_pairs(text))))


def as_indexed(text: str) -> str:
    """Return the text as the index has it: in small letters, without accents.

    Those are the ones on the letters of the English alphabet; elsewhere a mark makes another
    letter.
    """
    if text.isascii():
        return text.lower()
    apart = _ACCENTS.sub("", normalize("NFD", text))
    return normalize("NFC", apart).lower()

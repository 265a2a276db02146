"""Whatever is written, said or asked: nothing is stored twice, lost, or an error."""

import json
import os
import tempfile
from pathlib import Path
from unicodedata import category, name, normalize

from hypothesis import example, given, settings
from hypothesis import strategies as st

from amplihack_compaction.store.ingest import ingest_transcript
from amplihack_compaction.store.messages import StoredMessage, insert_messages
from amplihack_compaction.store.query import parse_query
from amplihack_compaction.store.search import make_excerpt, recall
from amplihack_compaction.store.sessions import SessionKey, make_session
from amplihack_compaction.store.sqlite import open_sqlite
from amplihack_compaction.store.transcript_reader import Progress, read_batches
from amplihack_compaction.store.upkeep import delete_session, purge
from tests.support.transcripts import Transcript

TEXT = st.text(st.characters(codec="utf-8"), max_size=60) | st.sampled_from(
    [
        "数据库端口",
        "src/a_b.py:1",
        "getUserName",
        "İstanbul ß",
        "a\0b",
        "e\u0301te\u0301",
        "…",
        "ｆｕｌｌ",
    ]
)
CONTENT = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "content", "name", "id", "input", "tool_use_id"]),
            inner,
        )
    ),
    max_leaves=8,
)
ENTRY = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["user", "assistant", "system", "attachment", "odd"]),
        "message": st.fixed_dictionaries({"content": CONTENT}) | CONTENT,
    },
    optional={
        "uuid": st.text(max_size=8) | st.integers(),
        "timestamp": CONTENT,
        "subtype": st.just("compact_boundary"),
        "compactMetadata": CONTENT,
        "isCompactSummary": st.booleans(),
        "attachment": CONTENT,
        "toolUseResult": CONTENT,
    },
)
LINE = ENTRY.map(json.dumps).map(str.encode) | st.binary(max_size=40)


@given(st.lists(LINE, max_size=12), st.lists(st.integers(0, 3000), max_size=4))
def test_any_lines_in_any_steps_are_stored_as_in_one(lines: list[bytes], cuts: list[int]) -> None:
    data = b"\n".join(lines)
    with tempfile.TemporaryDirectory() as folder, open_sqlite(f"{folder}/s.db") as database:
        path = Path(folder) / "t.jsonl"
        for cut in [*sorted(cuts), len(data)]:
            path.write_bytes(data[:cut])
            ingest_transcript(database, SessionKey("/p", "steps"), str(path))
        ingest_transcript(database, SessionKey("/p", "one"), str(path))
        stored = [
            database.rows(
                "SELECT kind, tool, turn, compactions, archived, uuid, part, place, body"
                " FROM message JOIN content ON content.message = message.id"
                " WHERE session = (SELECT id FROM session WHERE session_id = :name)"
                " ORDER BY message.id",
                {"name": name},
            )
            for name in ("steps", "one")
        ]
        assert stored[0] == stored[1]


@given(st.binary(max_size=400))
def test_no_bytes_stop_the_reader(data: bytes) -> None:
    with tempfile.TemporaryFile() as stream:
        stream.write(data + b"\n")
        stream.flush()
        progress = Progress()
        list(read_batches(stream, progress, len(data) + 1))
        again = Progress(progress.position, progress.as_text())
        assert again.as_text() == progress.as_text()
        assert os.fstat(stream.fileno()).st_size >= progress.position


# What Python's Unicode does not know yet, SQLite's may take for a letter; nobody types it. That
# Cherokee has small letters SQLite does not know, nor what stands in for other characters.
SAID = TEXT.filter(
    lambda text: (
        normalize("NFC", text) == text
        and not any(category(c) in ("Cn", "Co") or "CHEROKEE" in name(c, "") for c in text)
    )
)


@given(st.lists(SAID, min_size=1, max_size=6), TEXT)
@example(["µ", "λόγος", "क़ ", "端口8443号"], "")
@settings(max_examples=40)
def test_what_is_said_is_found_and_deleted_without_a_trace(texts: list[str], asked: str) -> None:
    session = Transcript("s")
    for text in texts:
        session.user(f"frame {text} end")
    with tempfile.TemporaryDirectory() as folder, open_sqlite(f"{folder}/s.db") as database:
        path = session.write(Path(folder) / "t.jsonl")
        ingest_transcript(database, SessionKey("/p", "s"), str(path))
        recall(database, asked)
        for (body,) in database.rows("SELECT body FROM content"):
            for term in parse_query(body).wanted[:4]:
                asked = term.run or term.typed
                assert not asked or recall(database, f'"{asked}"', limit=200).hits, term
        (row,) = database.rows("SELECT id FROM session")
        delete_session(database, int(row[0]))
        purge(database)
        assert database.rows("SELECT count(*) FROM word") == [(0,)]
        assert database.rows("SELECT count(*) FROM search_word") == [(0,)]
        database.run("INSERT INTO search (search) VALUES ('integrity-check')")


@given(TEXT, TEXT)
def test_an_excerpt_is_a_part_of_its_text(body: str, asked: str) -> None:
    excerpt = make_excerpt(body * 20, parse_query(asked).wanted, 50)
    assert len(excerpt.text) <= 52
    last = 0
    for start, end in excerpt.marks:
        assert last <= start < end <= len(excerpt.text)
        last = end
    assert excerpt.marked("", "") == excerpt.text
    assert "\n" not in excerpt.text


@given(st.lists(st.tuples(TEXT, st.integers(0, 2)), max_size=12))
def test_the_same_messages_are_stored_once(pairs: list[tuple[str, int]]) -> None:
    messages = [
        StoredMessage("user", text, "prompt", uuid=text.replace("\0", ""), part=part)
        for text, part in pairs
    ]
    with tempfile.TemporaryDirectory() as folder, open_sqlite(f"{folder}/s.db") as database:
        with database.transaction():
            session = make_session(database, SessionKey("/p", "s"))
            first = insert_messages(database, session, messages)
            assert insert_messages(database, session, messages) == 0
        assert first == len({(one.uuid, one.part) for one in messages})
        assert database.rows("SELECT count(*) FROM content") == [(first,)]

"""A transcript into a store: only what is new, once, whatever happens to either."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from amplihack_compaction.base.errors import StoreError, TranscriptError
from amplihack_compaction.store import ingest as ingest_session
from amplihack_compaction.store.database import Database
from amplihack_compaction.store.ingest import ingest_transcript
from amplihack_compaction.store.messages import text_of
from amplihack_compaction.store.open_store import open_store
from amplihack_compaction.store.sessions import SessionKey
from amplihack_compaction.store.transcript_reader import Batch, Progress, read_batches
from tests.support.transcripts import SESSION, Transcript

KEY = SessionKey("/home/me/shop", SESSION)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "transcript.jsonl"


def stored(database: Database, columns: str = "kind, body") -> list[tuple[object, ...]]:
    rows = database.rows(
        f"SELECT {columns} FROM message JOIN content ON content.message = message.id ORDER BY id"
    )
    return [tuple(text_of(v) if isinstance(v, bytes) else v for v in row) for row in rows]


def compactions(database: Database) -> list[tuple[object, ...]]:
    return database.rows(
        "SELECT number, strategy, cause, summary, messages_before, messages_after, place"
        " FROM compaction ORDER BY number"
    )


def working() -> Transcript:
    session = Transcript()
    session.user("Use port 8443.")
    session.assistant("I will look.", [{"id": "t1", "name": "Bash", "input": {"command": "ls"}}])
    result = {"tool_use_id": "t1", "type": "tool_result", "content": "a.py"}
    session.user([result], toolUseResult={"stdout": "a.py", "more": "x" * 500})
    session.assistant("Done.")
    return session


def test_each_text_of_a_transcript_is_a_message(database: Database, path: Path) -> None:
    working().write(path)
    assert ingest_transcript(database, KEY, str(path)).messages == 5
    assert stored(database, "kind, role, tool, turn, body") == [
        ("prompt", "user", "", 1, "Use port 8443."),
        ("answer", "assistant", "", 1, "I will look."),
        ("tool_call", "assistant", "Bash", 1, "Bash\ncommand: ls"),
        ("tool_output", "tool", "Bash", 1, "a.py"),
        ("answer", "assistant", "", 1, "Done."),
    ]
    lines = path.read_bytes()
    for place, uuid in stored(database, "place, uuid"):
        assert isinstance(place, int)
        assert json.loads(lines[place:].partition(b"\n")[0])["uuid"] == uuid


def test_the_next_time_only_what_is_new_is_read(database: Database, path: Path) -> None:
    session = working()
    session.write(path)
    ingest_transcript(database, KEY, str(path))
    assert ingest_transcript(database, KEY, str(path)).messages == 0
    call = {"id": "t2", "name": "Read", "input": {"file_path": "/b.py"}}
    session.assistant(tools=[call])
    session.write(path)
    assert ingest_transcript(database, KEY, str(path)).messages == 1
    session.user([{"tool_use_id": "t2", "type": "tool_result", "content": "x = 1"}])
    session.user("And now?")
    session.write(path)
    result = ingest_transcript(database, KEY, str(path))
    assert (result.messages, result.is_complete, result.was_replaced) == (2, True, False)
    # The output's tool and the turn are known from the increment before.
    assert stored(database, "tool, turn")[-2:] == [("Read", 1), ("", 2)]


def test_a_torn_last_line_waits_for_its_end(database: Database, path: Path) -> None:
    whole = working().write(path).read_bytes()
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        ingest_transcript(database, KEY, str(path))
    path.write_bytes(whole)
    ingest_transcript(database, KEY, str(path))
    assert [kind for kind, _ in stored(database)] == [
        "prompt", "answer", "tool_call", "tool_output", "answer",
    ]  # fmt: skip


def test_a_compaction_archives_the_window_and_leaves_its_summary(
    database: Database, path: Path
) -> None:
    session = working()
    session.compact("They looked.", trigger="manual")
    session.user("Go on.")
    session.write(path)
    ingest_transcript(database, KEY, str(path))
    ((number, strategy, cause, summary, before, after, place),) = compactions(database)
    assert (number, strategy, cause, summary) == (1, "summarize", "manual", "They looked.")
    assert (before, after) == (5, 1)
    assert b"compact_boundary" in path.read_bytes()[int(str(place)) :].partition(b"\n")[0]
    assert stored(database, "kind, compactions, archived")[4:] == [
        ("answer", 0, 1), ("summary", 1, None), ("prompt", 1, None),
    ]  # fmt: skip


def test_clients_before_2_0_write_only_the_summary(database: Database, path: Path) -> None:
    session = working()
    session.compact("They looked.")
    session.lines = [line for line in session.lines if line["type"] != "system"]
    session.write(path)
    ingest_transcript(database, KEY, str(path))
    ((number, strategy, cause, summary, *_),) = compactions(database)
    assert (number, strategy, cause, summary) == (1, "summarize", "client", "They looked.")


def test_a_replaced_transcript_is_noticed_and_nothing_is_lost_or_doubled(
    database: Database, path: Path
) -> None:
    session = working()
    session.write(path)
    ingest_transcript(database, KEY, str(path))
    session.lines = session.lines[2:]  # as after a rewrite that dropped the beginning
    session.user("New.")
    session.write(path)
    result = ingest_transcript(database, KEY, str(path))
    assert (result.messages, result.was_replaced) == (1, True)
    assert [body for _, body in stored(database)] == [
        "Use port 8443.", "I will look.", "Bash\ncommand: ls", "a.py", "Done.", "New.",
    ]  # fmt: skip
    places = [place for (place,) in stored(database, "place")]
    assert places[:2] == [None, None]  # these lines are in no file any more
    assert places[2] == 0
    assert not ingest_transcript(database, KEY, str(path)).was_replaced


def test_a_truncated_transcript_is_read_again(database: Database, path: Path) -> None:
    whole = working().write(path).read_bytes()
    ingest_transcript(database, KEY, str(path))
    path.write_bytes(whole[: len(whole) // 2])
    assert ingest_transcript(database, KEY, str(path)).was_replaced
    assert len(stored(database)) == 5


def test_who_comes_second_goes_on_from_where_the_first_one_is(
    database: Database, store_url: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    working().write(path)
    once = iter([True])
    real = read_batches

    def overtaken(stream: BinaryIO, progress: Progress, end: int, parse: Any) -> Iterator[Batch]:
        batches = list(real(stream, progress, end, parse=parse))
        if next(once, False):
            with open_store(store_url, "") as other:
                ingest_transcript(other, KEY, str(path))
        yield from batches

    monkeypatch.setattr(ingest_session, "read_batches", overtaken)
    result = ingest_transcript(database, KEY, str(path))
    assert (result.messages, result.is_complete) == (0, True)
    assert len(stored(database)) == 5


def test_a_process_that_dies_leaves_the_rest_to_the_next_one(
    database: Database, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    working().write(path)

    def die(*_: object) -> None:
        raise StoreError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(ingest_session, "write_progress", die)
        with pytest.raises(StoreError):
            ingest_transcript(database, KEY, str(path))
    assert stored(database) == []
    assert ingest_transcript(database, KEY, str(path)).messages == 5


def test_a_deadline_ends_it_between_two_batches(database: Database, path: Path) -> None:
    working().write(path)
    result = ingest_transcript(database, KEY, str(path), deadline=0.0)
    assert (result.messages, result.is_complete) == (0, False)


def test_a_transcript_that_cannot_be_read_is_said(database: Database, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", Path("/dev/zero")):
        with pytest.raises(TranscriptError):
            ingest_transcript(database, KEY, str(path))
    assert stored(database, "id") == []


def test_odd_lines_take_nothing_with_them(database: Database, path: Path) -> None:
    session = working()
    lines = session.write(path).read_bytes().splitlines(keepends=True)
    odd = [
        b"\n", b"null\n", b'[1, "message"]\n', b'{"message": 1}\n', b"\xff\xfe message\n",
        b'{"type":"user","message":[],"uuid":"x"}\n', b'{"type":"user","message":{"content":{}}}\n',
        b'{"type":"assistant","uuid":7,"message":{"content":[1,{"type":"tool_use"}]}}\n',
        lines[0][:80] + lines[1],
    ]  # fmt: skip
    path.write_bytes(b"".join([*odd, *lines]))
    ingest_transcript(database, KEY, str(path))
    bodies = [body for _, body in stored(database)]
    assert bodies.count("I will look.") == 1
    assert bodies[-3:] == ["Bash\ncommand: ls", "a.py", "Done."]


def test_names_that_no_database_takes_stop_nothing(database: Database, path: Path) -> None:
    session = working()
    session.compact("They\0 looked.")
    odd = "\ud800\0x"
    for line in session.lines:
        line["uuid"], line["timestamp"] = f"{line['uuid']}{odd}", odd
    session.lines[-2]["compactMetadata"]["trigger"] = odd
    text = "".join(json.dumps(line) + "\n" for line in session.lines)
    path.write_text(text, encoding="ascii")
    key = SessionKey(f"/home/{odd}", odd)
    assert ingest_transcript(database, key, str(path)).messages == 5
    assert ingest_transcript(database, key, str(path)).messages == 0
    assert len(compactions(database)) == 1


def test_the_size_of_a_message_is_bounded(database: Database, path: Path) -> None:
    session = Transcript()
    session.tool("Bash", {"command": "x" * 100_000}, "y" * 100_000)
    session.user("z" * 500_000)
    session.write(path)
    ingest_transcript(database, KEY, str(path))
    sizes = [len(str(body)) for _, body in stored(database)]
    assert [size // 1000 for size in sizes] == [8, 8, 64]


@pytest.mark.skipif("COMPACTION_CORPUS" not in os.environ, reason="COMPACTION_CORPUS is not set")
def test_real_transcripts_are_stored_once_in_any_number_of_steps(
    database: Database, tmp_path: Path
) -> None:
    for source in sorted(Path(os.environ["COMPACTION_CORPUS"]).glob("*.jsonl")):
        data = source.read_bytes()
        for steps in (1, 3):
            key = SessionKey(f"in {steps}", source.stem)
            path = tmp_path / f"{source.stem}-{steps}.jsonl"
            for step in range(1, steps + 1):
                path.write_bytes(data[: len(data) * step // steps])
                ingest_transcript(database, key, str(path))
    pairs = database.rows(
        "SELECT session_id, count(*), sum(tokens), max(turn), max(compactions) FROM message"
        " JOIN session ON session.id = message.session GROUP BY scope, session_id ORDER BY 1"
    )
    assert len(pairs) > 30  # the others are subagents'
    assert pairs[::2] == pairs[1::2]

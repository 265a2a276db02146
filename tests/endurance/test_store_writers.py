"""Many processes that write into one store at once: one is killed in between, or the server."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from amplihack_compaction.store.open_store import open_store
from amplihack_compaction.store.sqlite import default_place, open_project_store
from tests.support.postgres import Server
from tests.support.processes import CHECKOUT, environment, log_of
from tests.support.transcripts import Transcript

WRITERS = 16
READERS = 4
# A minute with STORE_WRITERS_SECONDS=60; long enough here for some hundred writes at once.
SECONDS = float(os.environ.get("STORE_WRITERS_SECONDS", "3"))
WRITER = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from amplihack_compaction.hook.store import store_event
from tests.support.transcripts import Transcript

root, number, until = sys.argv[2], sys.argv[3], time.time() + float(sys.argv[4])
session, path = Transcript(f"session-{number}"), Path(root).parent / f"{number}.jsonl"
count = 0
while time.time() < until:
    session.user(f"prompt {count} of {number}")
    session.assistant(f"answer {count} of {number}")
    if count % 7 == 6:
        session.compact(f"summary {count} of {number}")
    session.write(path)
    count += 1
    for name in (session.session_id, "shared"):
        store_event(
            {"session_id": name, "transcript_path": str(path if name != "shared" else
             Path(root).parent / "shared.jsonl"), "hook_event_name": "Stop"}, root)
print(count)
"""
READER = """
import sys, time
sys.path.insert(0, sys.argv[1])
from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.store.open_store import open_store
from amplihack_compaction.store.search import recall

url, until, found = sys.argv[2], time.time() + float(sys.argv[5]), 0
while time.time() < until or not found:
    try:
        with open_store(url, "", only_read=True) as database:
            found += len(recall(database, "prompt").hits) > 0
    except StoreError:
        time.sleep(0.1)
print(found)
"""


def test_nothing_is_lost_or_stored_twice(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = Transcript("shared")
    for number in range(300):
        shared.user(f"shared prompt {number}")
        shared.assistant(f"shared answer {number}")
    shared.write(project.parent / "shared.jsonl")
    env = environment(project, PYTHONPATH=str(CHECKOUT))
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, CHECKOUT, project, str(number), str(SECONDS)],
            env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for number in range(WRITERS)
    ]  # fmt: skip
    place = default_place(str(project))
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READER, CHECKOUT, place, "", "", str(SECONDS)],
            env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for _ in range(READERS)
    ]  # fmt: skip
    time.sleep(SECONDS / 2)
    writers[0].send_signal(signal.SIGKILL)
    done = [writer.communicate(timeout=SECONDS + 120) for writer in writers]
    assert [writer.returncode for writer in writers] == [-signal.SIGKILL] + [0] * (WRITERS - 1)
    assert [err for _, err in done] == [b""] * WRITERS
    read = [reader.communicate(timeout=SECONDS + 120) for reader in readers]
    assert all(int(out) and err == b"" for out, err in read)
    assert log_of(project) == []  # no "database is locked", and nothing else
    monkeypatch.setenv("HOME", env["HOME"])  # a store is its own user's alone
    with open_project_store(str(project)) as database:
        rows = database.rows(
            "SELECT session_id, count(*) FROM message JOIN session"
            " ON session.id = message.session WHERE kind <> 'summary' GROUP BY session_id"
        )
        counts: dict[str, int] = dict(rows)
        twice = database.rows("SELECT body FROM content GROUP BY body HAVING count(*) > 1")
        found = database.one("SELECT count(*) FROM search WHERE search MATCH 'shared'")
        sound = database.one("PRAGMA integrity_check")
    for number in range(1, WRITERS):
        assert counts[f"session-{number}"] == 2 * int(done[number][0])
    assert counts["shared"] == 600
    assert (twice, found, sound) == ([], (600,), ("ok",))


SERVER_WRITER = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.store.ingest import ingest_transcript
from amplihack_compaction.store.open_store import open_store
from amplihack_compaction.store.sessions import SessionKey
from tests.support.transcripts import Transcript

url, folder, number = sys.argv[2:5]
is_over = Path(folder, "over").exists
session, path, count, refused = Transcript(f"session-{number}"), f"{folder}/{number}.jsonl", 0, 0
done = False
while not done or not is_over():
    if not is_over():
        session.user(f"prompt {count} of {number}")
        session.assistant(f"answer {count} of {number}")
        session.write(Path(path))
        count += 1
    try:
        with open_store(url, "") as database:
            key = SessionKey("/p", session.session_id)
            done = ingest_transcript(database, key, path).is_complete
    except StoreError:
        refused, done = refused + 1, False
        time.sleep(0.1)
print(count, refused)
"""


def test_a_server_that_crashes_loses_nothing(postgres: Server, tmp_path: Path) -> None:
    url, seconds = postgres.create(), str(SECONDS)
    open_store(url, "").close()
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, CHECKOUT, url, tmp_path, str(number), seconds],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for number, code in enumerate([SERVER_WRITER] * WRITERS + [READER] * READERS)
    ]  # fmt: skip
    begun, until = 0, time.monotonic() + 60
    while begun < WRITERS // 2 and time.monotonic() < until:  # on a busy machine they start late
        time.sleep(0.2)
        with open_store(url, "") as database:
            begun = int((database.one("SELECT count(*) FROM session") or (0,))[0])
    time.sleep(SECONDS / 2)
    postgres.crash()
    time.sleep(SECONDS / 2)
    (tmp_path / "over").touch()  # a busy machine may take any time until here
    done = [process.communicate(timeout=SECONDS + 120) for process in running]
    assert [err for _, err in done] == [b""] * len(running)
    written = [[int(word) for word in out.split()] for out, _ in done[:WRITERS]]
    assert any(refused for _, refused in written)  # it was gone for a while
    assert any(int(out) for out, _ in done[WRITERS:])
    with open_store(url, "") as database:
        counts: dict[str, int] = dict(
            database.rows(
                "SELECT session_id, count(*) FROM message"
                " JOIN session ON session.id = message.session GROUP BY session_id"
            )
        )
        twice = database.rows("SELECT body FROM content GROUP BY body HAVING count(*) > 1")
        found = database.one("SELECT count(*) FROM search")
    assert counts == {f"session-{n}": 2 * count for n, (count, _) in enumerate(written)}
    assert (twice, found) == ([], (sum(counts.values()),))

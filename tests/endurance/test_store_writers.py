"""Many processes that write into one store at once, one of them killed in between."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from amplihack_compaction.store.sqlite import open_project_store
from tests.support.processes import CHECKOUT, environment, log_of
from tests.support.transcripts import Transcript

WRITERS = 16
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


def test_nothing_is_lost_or_stored_twice(project: Path) -> None:
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
    time.sleep(SECONDS / 2)
    writers[0].send_signal(signal.SIGKILL)
    done = [writer.communicate(timeout=120) for writer in writers]
    assert [writer.returncode for writer in writers] == [-signal.SIGKILL] + [0] * (WRITERS - 1)
    assert [err for _, err in done] == [b""] * WRITERS
    assert log_of(project) == []  # no "database is locked", and nothing else
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

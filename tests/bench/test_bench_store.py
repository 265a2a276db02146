"""The session store: reading transcripts in, an increment in a hook, and recall at three sizes.

A million messages take two minutes to make: STORE_BENCH_MESSAGES=10000,100000,1000000 asks for it.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from amplihack_compaction.base.paths import runtime_folder
from amplihack_compaction.base.timestamps import exact_utc_text
from amplihack_compaction.store.importing import import_transcripts
from amplihack_compaction.store.messages import insert_messages
from amplihack_compaction.store.query import update_words
from amplihack_compaction.store.search import recall
from amplihack_compaction.store.sessions import SessionKey, make_session, touch_session
from amplihack_compaction.store.sqlite import open_project_store, open_sqlite
from tests.bench.hot_path.costs import bare, hook, measure
from tests.bench.hot_path.sessions import working_session
from tests.bench.spoken import Speech

MEGABYTE = 1_000_000
SIZES = [int(size) for size in os.environ.get("STORE_BENCH_MESSAGES", "10000").split(",")]
SESSION_MESSAGES = 5_000
QUERIES = 200
PEAK = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"


def corpus(folder: Path, copies: int) -> list[Path]:
    """Return real structures, several times over, as so many sessions."""
    made = []
    for source in sorted(Path(os.environ["COMPACTION_CORPUS"]).glob("*.jsonl")):
        for copy in range(copies):
            made.append(folder / f"{source.stem}-{copy}.jsonl")
            made[-1].write_bytes(source.read_bytes())
    return made


@pytest.mark.skipif("COMPACTION_CORPUS" not in os.environ, reason="COMPACTION_CORPUS is not set")
def test_import_of_real_transcripts(tmp_path: Path, report: Callable[[str], None]) -> None:
    paths = corpus(tmp_path, 6)
    size = sum(path.stat().st_size for path in paths)
    started = time.process_time()
    for path in paths:
        for line in path.read_bytes().splitlines():
            try:
                json.loads(line)
            except ValueError:
                continue
    parsing = time.process_time() - started
    opening = partial(open_sqlite, str(tmp_path / "store.db"))
    with opening() as database:
        started = time.process_time()
        done = import_transcripts(opening, paths, 0)
        update_words(database)
        seconds = time.process_time() - started
    assert done.read_bytes > 0.9 * size
    speed = size / MEGABYTE / seconds
    report(
        f"import         {size / MEGABYTE:5.0f} MB  {speed:6.1f} MB a CPU second"
        f"  {seconds / parsing:.2f} x json.loads of every line"
    )


def test_memory_of_an_import_does_not_follow_the_file(
    tmp_path: Path, report: Callable[[str], None]
) -> None:
    unit = working_session().write(tmp_path / "unit.jsonl").read_bytes()
    peaks = []
    for megabytes in (10, 100):
        folder = tmp_path / str(megabytes)
        folder.mkdir()
        with (folder / "t.jsonl").open("wb") as stream:
            # Every copy has uuids of its own, as a long session has.
            for copy in range(megabytes * MEGABYTE // len(unit) + 1):
                stream.write(unit.replace(b"-0000-4000-8000-", f"-{copy:04x}-4000-8000-".encode()))
        code = (
            "import sys; from pathlib import Path\n"
            "from amplihack_compaction.store.importing import import_transcripts\n"
            "from amplihack_compaction.store.sqlite import open_sqlite\n"
            "import_transcripts(lambda: open_sqlite(sys.argv[2]), [Path(sys.argv[1])], 0)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code + PEAK, folder / "t.jsonl", folder / "store.db"],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        peaks.append(int(done.stdout) / 1024)
    report(f"import memory  10 MB: {peaks[0]:.0f} MB   100 MB: {peaks[1]:.0f} MB")
    assert peaks[1] < 1.2 * peaks[0]


def test_an_increment_in_a_hook(
    tmp_path: Path, report: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = working_session(200)
    transcript = tmp_path / "t.jsonl"
    before = session.write(transcript).read_bytes()
    session.user("Now fix the failing test of module 7, and keep the token budget.")
    for number in range(12):
        call = {"command": f"pytest tests/test_{number}.py -q"}
        session.tool("Bash", call, "E   AssertionError: token = 3\n" * 30)
        session.assistant(f"Fixed `handle_{number}` in src/module_{number}.py")
    after = session.write(transcript).read_bytes()
    store = hook(tmp_path, "Store", "Stop", transcript)
    project = store.env["CLAUDE_PROJECT_DIR"]
    costs = []
    for _ in range(7):
        transcript.write_bytes(before)
        measure([store], 1)
        transcript.write_bytes(after)
        base, cost = measure([bare(tmp_path), store], 1)
        costs.append(1000 * (cost.cpu_seconds - base.cpu_seconds))
        for name in os.listdir(runtime_folder(project)):
            if name.startswith("store.db"):
                os.unlink(f"{runtime_folder(project)}/{name}")
    measure([store], 1)
    monkeypatch.setenv("HOME", store.env["HOME"])  # a store is its own user's alone
    with open_project_store(project) as database:
        assert (database.one("SELECT count(*) FROM session") or (0,))[0] == 1
    report(
        f"hook increment {(len(after) - len(before)) / 1000:5.0f} kB  "
        f"{statistics.median(costs):6.1f} ms CPU above a bare process"
    )


@pytest.fixture(params=SIZES)
def filled(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, int, float]:
    size: int = request.param
    speech, place = Speech(), tmp_path / "store.db"
    spent = 0.0
    with open_sqlite(str(place)) as database:
        for first in range(0, size, SESSION_MESSAGES):
            messages = list(speech.messages(first, min(SESSION_MESSAGES, size - first)))
            started = time.process_time()
            with database.transaction():
                name = f"s{first // SESSION_MESSAGES}"
                row = make_session(database, SessionKey(f"/p{first // 50_000}", name))
                insert_messages(database, row, messages)
                touch_session(database, row, exact_utc_text())
            spent += time.process_time() - started
        update_words(database)
    return place, size, spent


def test_recall(filled: tuple[Path, int, float], report: Callable[[str], None]) -> None:
    place, size, spent = filled
    times = []
    with open_sqlite(str(place)) as database:
        for query in Speech(8).queries(QUERIES, size):
            started = time.process_time()
            recall(database, query)
            times.append(1000 * (time.process_time() - started))
    times.sort()
    report(
        f"recall of {size:9,} messages  CPU p50 {times[QUERIES // 2]:5.1f} ms"
        f"  p95 {times[QUERIES * 95 // 100]:5.1f} ms  most {times[-1]:5.0f} ms"
        f"  file {place.stat().st_size / MEGABYTE:5.0f} MB"
        f"  stored {size / spent / 1000:4.0f}k a CPU second"
    )

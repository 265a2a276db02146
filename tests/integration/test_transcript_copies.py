"""`compact transcript` and `expand` as processes; and what copies of real transcripts save.

The real ones are measured twice: as they are, with their longer texts cut, and with every cut text
made as long as it was (see `tests/support/corpus.py`).
"""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from amplihack_compaction.compactor.transcripts.copy_plan import Original
from amplihack_compaction.compactor.transcripts.ledger_evidence import leaves_of
from amplihack_compaction.compactor.transcripts.make_copy import Copy, make_copy, preview_copy
from amplihack_compaction.ledger.stored import fold_transcript
from tests.support.commands import run_command
from tests.support.corpus import corpus, grown_lines, is_a_subagents
from tests.support.processes import Answer, environment
from tests.support.transcripts import SESSION
from tests.unit.compactor.transcripts.sessions_to_copy import LONG, entries, session

LARGE_TOKENS = 50_000
LEAST_SAVED = 0.6


def run(project: Path, *arguments: str) -> Answer:
    return run_command(*arguments, env=environment(project), cwd=project)


@pytest.fixture
def transcript(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(project.parent / ".claude"))
    return session(project).write(transcript_folder(str(project)) / f"{SESSION}.jsonl")


def test_a_session_is_compacted_expanded_and_reverted(project: Path, transcript: Path) -> None:
    done = run(project, "compact", "transcript", SESSION[:8], "--keep-turns", "1")
    assert (done.code, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    new_id = done.stdout.split()[-1]
    copy = transcript.parent / f"{new_id}.jsonl"
    text = next(
        line["message"]["content"][0]["content"]
        for line in entries(str(copy))
        if "cat log again" in str(line) and "toolUseResult" in line
    )
    expanded = run(project, "expand", text.rpartition("expand ")[2].rstrip("]"))
    assert (expanded.code, expanded.stdout) == (0, LONG + "1")
    assert run(project, "compact", "transcript", "--revert", new_id).code == 0
    assert list(transcript.parent.iterdir()) == [transcript]


def test_errors_are_one_line_and_exit_1(project: Path, transcript: Path) -> None:
    for arguments in (("compact", "transcript", "nowhere"), ("expand", "1f2e3d4c.1")):
        done = run(project, *arguments)
        assert done.code == 1
        assert done.stderr.startswith("amplihack-compaction: ")
        assert done.stderr.count("\n") == 1


def test_a_killed_run_leaves_no_session(project: Path, transcript: Path) -> None:
    lines = transcript.read_bytes() * 100
    transcript.write_bytes(lines)
    process = subprocess.Popen(
        [sys.executable, "-m", "amplihack_compaction", "compact", "transcript"],
        cwd=project,
        env=environment(project, PYTHONPATH=os.getcwd()),
        stdout=subprocess.DEVNULL,
    )
    while process.poll() is None and not list(transcript.parent.glob("*.tmp")):
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert list(transcript.parent.glob("*.jsonl")) == [transcript]
    assert transcript.read_bytes() == lines


def test_two_runs_at_once_make_two_copies(project: Path, transcript: Path) -> None:
    command = [sys.executable, "-m", "amplihack_compaction", "compact", "transcript", SESSION]
    processes = [
        subprocess.Popen(
            [*command, "--json", "--keep-turns", "1"],
            cwd=project,
            env=environment(project, PYTHONPATH=os.getcwd()),
            stdout=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    made = [json.loads(process.communicate()[0])["copy"]["session_id"] for process in processes]
    assert len(set(made)) == 2
    assert {path.stem for path in transcript.parent.iterdir()} == {SESSION, *made}


def copy_of(source: Path, project: Path, *, grow: bool) -> tuple[Copy, Original]:
    path = project.parent / "claude" / "projects" / "p" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    data = source.read_bytes()
    path.write_bytes(b"".join(grown_lines(data)) if grow else data)
    original = Original(path=str(path), session_id=SESSION, root=str(project))
    return make_copy(preview_copy(original)), original


@pytest.mark.skipif(not corpus(), reason="COMPACTION_CORPUS names no folder of transcripts")
@pytest.mark.parametrize("grow", [False, True], ids=["as cut", "as long as they were"])
def test_copies_of_real_transcripts_lose_nothing_and_save_most(project: Path, grow: bool) -> None:
    totals = {"whole": [0, 0], "resumed": [0, 0]}
    rows = []
    for source in corpus():
        copy, original = copy_of(source, project, grow=grow)
        one, other = (
            list(leaves_of(replace(fold_transcript(path, SESSION).state, covered_bytes=0)))
            for path in (original.path, copy.head.copy_path)
        )
        assert one == other
        sizes = {"whole": copy.plan.whole_tokens, "resumed": copy.plan.resumed_tokens}
        for name, (before, after) in sizes.items():
            large = before > LARGE_TOKENS and not is_a_subagents(source)
            totals[name] = [totals[name][0] + large * before, totals[name][1] + large * after]
            saved = f"{100 * (1 - after / before):.0f} %" if large else "(small)"
            rows.append(f"{source.stem:24} {name:8} {before:>9,} -> {after:>9,}  {saved}")
    shares = {name: 1 - after / before for name, (before, after) in totals.items()}
    print("\n" + "\n".join(rows), shares, sep="\n")  # noqa: T201 - the measure itself
    if grow:
        assert shares["whole"] >= LEAST_SAVED
        assert shares["resumed"] >= LEAST_SAVED

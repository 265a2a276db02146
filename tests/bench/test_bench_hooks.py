"""The hooks as processes, against a bare interpreter in the same run, in turn.

Ratios only: these are printed, and nothing here fails for being slow on a busy machine.
"""

import json
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.context.levels import RUNGS
from amplihack_compaction.paths import RUNTIME_FOLDER as RUNTIME
from tests.captured import payload
from tests.contexts import OLDER_LIMIT, respond
from tests.processes import environment, script
from tests.transcripts import SESSION, Transcript

MEGABYTE = 1024 * 1024
MEASURE = Path(__file__).parent / "measure.py"
COMPACTION_EVENTS = [("PreCompact", "PreCompact.auto"), ("SessionStart", "SessionStart.compact")]
BARE = [sys.executable, "-I", "-S", "-c", "pass"]


@dataclass(frozen=True)
class Cost:
    """Medians of one command's runs: CPU seconds and peak memory."""

    cpu_seconds: float
    peak_megabytes: float


def measure(commands: list[dict[str, Any]], rounds: int) -> list[Cost]:
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(MEASURE)],
        input=json.dumps({"commands": commands, "rounds": rounds}),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [
        Cost(statistics.median(r[0] for r in runs), statistics.median(r[1] for r in runs) / 1024)
        for runs in json.loads(done.stdout)
    ]


def command(folder: Path, event: str, sample: str, transcript: Path, **fields: Any) -> Any:
    project = folder / f"project-{event}-{transcript.stem}"
    project.mkdir(exist_ok=True)
    stdin = folder / f"{event}-{transcript.stem}.json"
    stdin.write_text(
        json.dumps(payload(sample, session_id=SESSION, transcript_path=str(transcript), **fields))
    )
    argv = [sys.executable, "-I", "-S", str(script(event))]
    return {"argv": argv, "stdin": str(stdin), "env": environment(project)}


def bare(folder: Path) -> dict[str, Any]:
    nothing = folder / "nothing"
    nothing.touch()
    return {"argv": BARE, "stdin": str(nothing), "env": environment(folder / "none")}


def working_session(rounds: int = 300) -> Transcript:
    """Return a window of about 200,000 tokens: prompts, tool rounds with real-sized results."""
    transcript = Transcript()
    for number in range(rounds):
        if number % 15 == 0:
            transcript.user(
                f"Step {number}: never touch module {number}; use port {8000 + number}."
            )
        transcript.tool(
            "Read", {"file_path": f"/src/module_{number}.py"}, "x = 1  # a line\n" * 130
        )
        transcript.assistant(f"Module {number} looks fine.\n- [ ] Document module {number}")
    return transcript


def grown(path: Path, transcript: Transcript, megabytes: int) -> Path:
    """Write a session's lines again and again, as many windows, until the file has that size."""
    unit = transcript.write(path).read_bytes()
    closed = Transcript()
    closed.lines = list(transcript.lines)
    closed.leaf, closed.count = transcript.leaf, transcript.count
    closed.compact("They talked.")
    window = closed.write(path).read_bytes()
    with path.open("wb") as stream:
        while stream.tell() + len(unit) < megabytes * MEGABYTE:
            stream.write(window)
        stream.write(unit)
    return path


@pytest.mark.parametrize("megabytes", [1, 50, 500])
def test_hooks_with_nothing_to_do_cost_a_bare_start(
    tmp_path: Path, report: Callable[[str], None], megabytes: int
) -> None:
    transcript = grown(tmp_path / f"t{megabytes}.jsonl", quiet_session(), megabytes)
    events = [("PreToolUse", "PreToolUse.Bash"), ("UserPromptSubmit", "UserPromptSubmit"),
              ("Stop", "Stop")]  # fmt: skip
    commands = [bare(tmp_path), *(command(tmp_path, e, s, transcript) for e, s in events)]
    base, *costs = measure(commands, 30)
    for (event, _), cost in zip(events, costs, strict=True):
        ratio = cost.cpu_seconds / base.cpu_seconds
        report(f"{event:18} {megabytes:4} MB  {ratio:5.2f} x bare  {cost.peak_megabytes:6.1f} MB")


def quiet_session() -> Transcript:
    transcript = Transcript()
    transcript.user("Go.")
    for number in range(40):
        transcript.tool("Read", {"file_path": f"/src/{number}.py"}, "x = 1\n" * 2000)
    return transcript


def test_a_compaction_of_a_full_window(tmp_path: Path, report: Callable[[str], None]) -> None:
    transcript = working_session().write(tmp_path / "full.jsonl")
    before, alone = (command(tmp_path, e, s, transcript) for e, s in COMPACTION_EVENTS)
    # As in the client: SessionStart in the project where PreCompact was a moment ago.
    after = {**alone, "env": before["env"]}
    for one, names in (
        # Else it is the second of one firing, which leaves all to the first.
        (before, ["windows/0.snapshot", f"firings/{transcript.stat().st_size}"]),
        (after, ["receipts/0.json"]),
        (alone, ["receipts/0.json", "windows/0.snapshot"]),
    ):
        folder = f"{one['env']['CLAUDE_PROJECT_DIR']}/{RUNTIME}/sessions/{SESSION}"
        one["before"] = [f"{folder}/{name}" for name in names]
    base, *costs = measure([bare(tmp_path), before, after, alone], 10)
    size = transcript.stat().st_size / MEGABYTE
    rows = ("PreCompact", "SessionStart after", "SessionStart alone")
    for row, cost in zip(rows, costs, strict=True):
        report(
            f"{row:18} {size:4.1f} MB  {cost.cpu_seconds / base.cpu_seconds:5.1f} x bare"
            f"  {cost.cpu_seconds:.2f} s CPU  {cost.peak_megabytes:6.1f} MB"
        )


@pytest.mark.parametrize("percent", [10, 75, 97])
def test_a_level_that_is_crossed(
    tmp_path: Path, report: Callable[[str], None], percent: int
) -> None:
    session = working_session()
    respond(session, OLDER_LIMIT * percent // 100)
    transcript = session.write(tmp_path / f"at{percent}.jsonl")
    crossing = command(tmp_path, "PreToolUse", "PreToolUse.Bash", transcript)
    folder = f"{crossing['env']['CLAUDE_PROJECT_DIR']}/{RUNTIME}/sessions/{SESSION}"
    crossing["before"] = [
        f"{folder}/limits", *(f"{folder}/levels/0.{rung}" for rung in RUNGS),
    ]  # fmt: skip
    base, cost = measure([bare(tmp_path), crossing], 10)
    report(
        f"level at {percent:3} %     {cost.cpu_seconds / base.cpu_seconds:5.1f} x bare"
        f"  {cost.cpu_seconds:.2f} s CPU  {cost.peak_megabytes:6.1f} MB"
    )


def test_memory_does_not_follow_the_file(tmp_path: Path, report: Callable[[str], None]) -> None:
    transcript = grown(tmp_path / "huge.jsonl", working_session(), 500)
    for event, sample in COMPACTION_EVENTS:
        (cost,) = measure([command(tmp_path, event, sample, transcript)], 1)
        report(f"{event:18}  500 MB  {cost.cpu_seconds:5.1f} s CPU  {cost.peak_megabytes:6.1f} MB")

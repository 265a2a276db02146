"""What a command costs: CPU and peak memory as medians of runs in turn, and its instructions."""

import json
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.captured import payload
from tests.support.processes import environment, script
from tests.support.transcripts import SESSION

IN_TURN = Path(__file__).parent / "in_turn.py"
_COUNTED = re.compile(r"I\s+refs:\s+([\d,]+)")


@dataclass(frozen=True)
class Command:
    """A process to be run: `stdin` names a file; the files in `before` are deleted first."""

    argv: Sequence[str]
    stdin: Path
    env: dict[str, str]
    before: Sequence[str] = field(default=())


@dataclass(frozen=True)
class Cost:
    """Medians of one command's runs: CPU seconds and peak memory."""

    cpu_seconds: float
    peak_megabytes: float


def bare(folder: Path) -> Command:
    """Return an interpreter that does nothing, what everything is compared with."""
    nothing = folder / "nothing"
    nothing.touch()
    return Command([sys.executable, "-I", "-S", "-c", "pass"], nothing, environment(folder))


def hook(folder: Path, name: str, sample: str, transcript: Path, **fields: Any) -> Command:
    """Return a hook as it is registered, on a captured payload, in a project of its own."""
    label = f"{name}-{sample}-{transcript.stem}"
    project = folder / f"project-{label}"
    project.mkdir(exist_ok=True)
    given = payload(sample, session_id=SESSION, transcript_path=str(transcript), **fields)
    stdin = folder / f"{label}.json"
    stdin.write_text(json.dumps(given), encoding="utf-8")
    return Command(["/bin/sh", "-c", f"{script(name)}||:"], stdin, environment(project))


def measure(commands: Sequence[Command], rounds: int) -> list[Cost]:
    """Run the commands in turn, that often, and return the medians of each."""
    asked = [
        {"argv": c.argv, "stdin": str(c.stdin), "env": c.env, "before": list(c.before)}
        for c in commands
    ]
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(IN_TURN)],
        input=json.dumps({"commands": asked, "rounds": rounds}),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [
        Cost(statistics.median(r[0] for r in runs), statistics.median(r[1] for r in runs) / 1024)
        for runs in json.loads(done.stdout)
    ]


def can_count() -> bool:
    """Return whether instructions can be counted here."""
    return shutil.which("valgrind") is not None


def instructions(command: Command) -> int:
    """Return how many instructions a run and its children execute, as cachegrind counts them.

    Other programs on the machine do not change the number: two runs differ by some thousandths.
    """
    for name in command.before:
        Path(name).unlink(missing_ok=True)
    with command.stdin.open("rb") as stdin:
        done = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--trace-children=yes",
             "--cachegrind-out-file=/dev/null", *command.argv],
            stdin=stdin, env=command.env, capture_output=True, text=True, check=False,
        )  # fmt: skip
    found = _COUNTED.findall(done.stderr)
    assert done.returncode == 0, done.stderr
    assert found, done.stderr
    return sum(int(count.replace(",", "")) for count in found)

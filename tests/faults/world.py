"""A home and a project in which hooks and commands run as processes, at one of their moments.

A moment is played once by the real hooks and commands, kept as a copy, and put back from there
before each try, always at the same path: transcripts and records name it.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.support.captured import payload
from tests.support.processes import CHECKOUT, script
from tests.support.transcripts import SESSION, Transcript

CLIENT_PID = "4711"
# As when it is installed, nothing is imported from the project that it is run in.
COMMAND_LINE = (sys.executable, "-P", "-m", "amplihack_compaction")
_TIMEOUT_SECONDS = 900
_AGED_SECONDS = 3600


@dataclass(frozen=True)
class Done:
    """What a process did; `code` is negative for a signal."""

    stdout: str
    stderr: str
    code: int


class World:
    """One home with one project, below `root`, and its moments below `kept`.

    `moments` names the moments, each with the one that it begins with, empty for none, and what is
    played from there. What is kept of them belongs to the root: its path stands in them.
    """

    def __init__(self, base: Path, moments: "Moments", kept: Path | None = None) -> None:
        self.base = base
        self.moments = moments
        self.root = base / "root"
        self.kept = kept or base / "moments"
        self.project = self.root / "shop"
        self.home = self.root / "home"
        self.transcripts = self.home / ".claude/projects" / _dashed(self.project)
        self.runtime = self.project / ".claude/runtime/power-steering"
        self.kept.mkdir(parents=True, exist_ok=True)

    @property
    def transcript(self) -> Path:
        """The transcript of the session that runs."""
        return self.transcripts / f"{SESSION}.jsonl"

    @property
    def log(self) -> str:
        """What the hooks have logged."""
        path = self.runtime / "hooks.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def env(self) -> dict[str, str]:
        """The environment of every hook and command: no more than it needs."""
        return {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.home),
            "CLAUDE_PROJECT_DIR": str(self.project),
            "PYTHONPATH": str(CHECKOUT),
            "TMPDIR": str(self.root / "tmp"),
            "COLUMNS": "100",
            "CLAUDE_PID": CLIENT_PID,
        }

    @contextmanager
    def as_its_user(self) -> Iterator[None]:
        """Read what the world's hooks wrote as their user does, by his key, in the `with` block."""
        with patch.dict(os.environ, {"HOME": str(self.home)}):
            yield

    def hook(self, event: str, name: str, session: str = SESSION, **changes: Any) -> Done:
        """Run a hook as the client does, on a payload that was captured from it."""
        return self.run(hook_command(event), self.payload(name, session, **changes))

    def command(self, *words: str) -> Done:
        """Run a command of the command line."""
        return self.run([*COMMAND_LINE, *words], b"")

    def payload(self, name: str, session: str = SESSION, **changes: Any) -> bytes:
        """Return a captured payload, as of one of the world's sessions."""
        path = str(self.transcripts / f"{session}.jsonl")
        fields = {"session_id": session, "transcript_path": path, **changes}
        return json.dumps(payload(name, **fields)).encode()

    def run(self, argv: list[str], stdin: bytes, *before: str, **env: str) -> Done:
        """Run a process in the project; `before` are words in front of the command."""
        done = subprocess.run(
            [*before, *argv], input=stdin, env={**self.env, **env}, cwd=self.project,
            capture_output=True, timeout=_TIMEOUT_SECONDS, check=False,
        )  # fmt: skip
        out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        return Done(out, err, done.returncode)

    def restore(self, moment: str) -> None:
        """Bring the world to a moment, which is made first where it is not kept yet."""
        kept = self.kept / moment
        if not kept.exists():
            before, play = self.moments[moment]
            shutil.rmtree(self.root, ignore_errors=True)
            if before:
                self.restore(before)
            play(self)
            self.age()
            self.keep(kept)
        self.bring_back(kept)

    def keep(self, kept: Path) -> None:
        """Keep a copy of the world as it is, in the place of the one that was kept there."""
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(self.root, kept, symlinks=True)

    def bring_back(self, kept: Path) -> None:
        """Make the world what was kept of it."""
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(kept, self.root, symlinks=True)

    def age(self) -> None:
        """Make what hooks left look an hour older: the next one is not of the same moment."""
        for claim in self.runtime.glob("sessions/*/firings/*"):
            past = claim.stat().st_mtime - _AGED_SECONDS
            os.utime(claim, (past, past))

    def write(self, transcript: Transcript) -> None:
        """Write a session's transcript to where the client has it."""
        transcript.write(self.transcripts / f"{transcript.session_id}.jsonl")


def hook_command(event: str) -> list[str]:
    """Return how the hook of an event is run."""
    return [sys.executable, "-I", "-S", str(script(event))]


def _dashed(path: Path) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in str(path))


Moments = Mapping[str, tuple[str, Callable[[World], None]]]

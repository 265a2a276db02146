"""A home and a project that have something to lose, at the moments at which hooks and commands run.

A world is made once by the real hooks and commands, kept as a copy for each of its moments, and
put back from there before each try, always at the same path: transcripts and records name it.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from amplihack_compaction.limits import STATE_HEAD
from tests.captured import payload
from tests.contexts import OLDER_LIMIT, respond
from tests.processes import CHECKOUT, script
from tests.prunable import NEW, OLD, OLDER, diary, put
from tests.sessions import RULE
from tests.transcripts import SESSION, Transcript

EARLIER = "1ec173a7-f0a8-4667-ad7c-a41227386d2c"
"""A session that has ended, and that a new one can go on with."""
NEXT = "0b9b1c5e-8c53-4a57-9e55-2f3a8a6f0d11"
"""A session that begins."""
LATE_RULE = "Use tabs in every Makefile."
KEEPING_NOTHING = ("--keep-turns", "0", "--keep-tokens", "0")
_LOG = "".join(f"2026-01-02 10:00:{n % 60:02d} INFO request {n} served\n" for n in range(300))
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

    The moments belong to the place of the root: its path stands in them.
    """

    def __init__(self, base: Path, kept: Path | None = None) -> None:
        self.base = base
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
        }

    def hook(self, event: str, name: str, session: str = SESSION, **changes: Any) -> Done:
        """Run a hook as the client does, on a payload that was captured from it."""
        return self.run(hook_command(event), self.payload(name, session, **changes))

    def command(self, *words: str) -> Done:
        """Run a command of the command line."""
        return self.run([sys.executable, "-m", "amplihack_compaction", *words], b"")

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
            before, play = MOMENTS[moment]
            shutil.rmtree(self.root, ignore_errors=True)
            if before:
                self.restore(before)
            play(self)
            self.age()
            shutil.copytree(self.root, kept, symlinks=True)
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


def _first_window(world: World, session: str = SESSION) -> Transcript:
    transcript = Transcript(session)
    transcript.root = str(world.project)
    transcript.user(f"Build the login page at https://example.com:8443/x. {RULE}")
    transcript.tool("Read", {"file_path": "/etc/long"}, "a line of the file\n" * 200)
    transcript.tool("Bash", {"command": "pytest -q"}, "2 passed")
    transcript.assistant("Good.\n- [ ] Write the docs\n- [x] Draw the form")
    return transcript


def _second_window(world: World) -> Transcript:
    transcript = _first_window(world)
    transcript.compact("They talked.", preserved=0)
    transcript.attachment("hook_additional_context", content=[STATE_HEAD])
    transcript.user(f"Go on. {LATE_RULE}")
    transcript.tool("Bash", {"command": "make"}, "Error: no rule", error=True)
    transcript.assistant("Decision: make stays, because the team knows it.")
    return transcript


def _make_files(world: World) -> None:
    for folder in (world.project, world.transcripts, world.root / "tmp"):
        folder.mkdir(parents=True)
    login, billing = world.project / "features/login", world.project / "features/billing"
    put(login, "progress.md", diary(OLDER, OLD, NEW), NEW)
    put(login, "notes/log.md", f"# Run\n\n```\n{_LOG}```\n", NEW)
    put(billing, "plan.md", f"# Plan\n\nBash output:\n```\n{_LOG}```\n", NEW)
    memory = world.project / ".claude/memory"
    put(memory, "project-context.md", diary(*(_days_ago(n) for n in (200, 150, 100, 3))), NEW)
    put(world.project / ".claude", "settings.json", '{\n  "model": "opus",\n  "hooks": {}\n}\n')
    put(world.project / ".claude", "compaction.json", '{\n  "on_loss": "continue"\n}\n')


def _days_ago(days: int) -> date:
    return date.today() - timedelta(days=days)


def _play_fresh(world: World) -> None:
    """Hooks begin in the middle of a session."""
    _make_files(world)
    world.write(_second_window(world))


def _play_untidy(world: World) -> None:
    (world.runtime / "position.1.aaaa.tmp").write_bytes(b"x")
    world.runtime.chmod(0o755)
    (world.runtime / "compaction_events.json").chmod(0o644)


def _play_working(world: World) -> None:
    """A session was compacted once and goes on; an earlier one ended; all of it is recorded."""
    _make_files(world)
    world.write(_first_window(world, EARLIER))
    world.hook("PreCompact", "PreCompact.manual", EARLIER)
    _need(world.command("handoff", "--session", EARLIER))
    world.hook("SessionEnd", "SessionEnd.other", EARLIER)
    world.write(_first_window(world))
    _compact(world)
    world.write(_second_window(world))
    world.hook("Stop", "Stop")
    for session in (EARLIER, SESSION):
        world.hook("Store", "Stop", session)
    _need(world.command("feature", "compact", "billing"))
    _need(world.command("feature", "checkpoint", "login", "--reason", "before", "-s", SESSION))


def _compact(world: World) -> None:
    world.hook("PreCompact", "PreCompact.auto")
    world.hook("SessionStart", "SessionStart.compact")
    world.hook("PostCompact", "PostCompact.auto", compact_summary="<summary>They talked.</summary>")


def _play_second_boundary(world: World) -> None:
    transcript = _second_window(world)
    transcript.compact("They went on talking.", preserved=0)
    transcript.assistant("What next?")
    world.write(transcript)


def _play_prompt_after(world: World) -> None:
    world.hook("PreToolUse", "PreToolUse.Bash")


def _play_full(world: World) -> None:
    transcript = _second_window(world)
    respond(transcript, round(0.97 * OLDER_LIMIT))
    world.write(transcript)


def _play_paired_clear(world: World) -> None:
    world.hook("SessionEnd", "SessionEnd.clear")


def _play_injecting(world: World) -> None:
    _need(world.command("config", "set", "fresh_start", "inject"))


def _need(done: Done) -> None:
    assert done.code == 0, done.stderr


def _commanded(*words: str) -> Callable[[World], None]:
    return lambda world: _need(world.command(*words))


def _hooked(event: str, name: str) -> Callable[[World], None]:
    def play(world: World) -> None:
        assert world.hook(event, name).code == 0

    return play


MOMENTS: dict[str, tuple[str, Callable[[World], None]]] = {
    "empty": ("", _make_files),
    "fresh": ("", _play_fresh),
    "working": ("", _play_working),
    "recorded": ("working", _hooked("PreCompact", "PreCompact.auto")),
    "injected": ("recorded", _hooked("SessionStart", "SessionStart.compact")),
    "missed": ("working", _play_second_boundary),
    "made up for": ("missed", _play_prompt_after),
    "full": ("working", _play_full),
    "restored": ("working", _commanded("snapshot", "restore", "latest", "-s", SESSION)),
    "injecting": ("working", _play_injecting),
    "cleared": ("injecting", _play_paired_clear),
    "installed": ("working", _commanded("install", "--no-proof")),
    "untidy": ("installed", _play_untidy),
    "copied": ("working", _commanded("compact", "transcript", SESSION, *KEEPING_NOTHING)),
    "pruned": ("working", _commanded("context", "prune")),
    "set": ("working", _commanded("config", "set", "snapshots", "12")),
}

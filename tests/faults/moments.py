"""The moments at which hooks and commands are tried: something is to be done, or to be lost."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from datetime import date, timedelta

from amplihack_compaction.base.size_limits import STATE_HEAD
from tests.faults.dates import shift_dates
from tests.faults.world import Done, Moments, World
from tests.support.prunable import FILLER, NEW, OLD, OLDER, diary, put
from tests.support.sessions import OLDER_LIMIT, RULE, respond
from tests.support.transcripts import SESSION, Transcript

EARLIER = "1ec173a7-f0a8-4667-ad7c-a41227386d2c"
"""A session that has ended, and that a new one can go on with."""
NEXT = "0b9b1c5e-8c53-4a57-9e55-2f3a8a6f0d11"
"""A session that begins."""
LATE_RULE = "Use tabs in every Makefile."
OWNER = "Wolfgang"
"""Who is spoken of in the session that runs, and nowhere else."""
KEEPING_NOTHING = ("--keep-turns", "0", "--force")
_LOG = "".join(f"2026-01-02 10:00:{n % 60:02d} INFO request {n} served\n" for n in range(300))


def _first_window(world: World, session: str = SESSION) -> Transcript:
    transcript = Transcript(session)
    transcript.root = str(world.project)
    transcript.user(f"Build the login page at https://example.com:8443/x. {RULE}")
    transcript.tool("Read", {"file_path": "/etc/long"}, "a line of the file\n" * 200)
    transcript.tool("Bash", {"command": "pytest -q"}, "2 passed")
    transcript.assistant("Good. Left to do:\n- [ ] Write the docs\n- [x] Draw the form")
    return transcript


def _second_window(world: World) -> Transcript:
    transcript = _first_window(world)
    transcript.compact("They talked.", preserved=0)
    transcript.attachment("hook_additional_context", content=[STATE_HEAD])
    transcript.user(f"Go on. {LATE_RULE} They belong to {OWNER}.")
    transcript.tool("Bash", {"command": "make"}, "Error: no rule", error=True)
    transcript.assistant("Decision: make stays, because the team knows it.")
    return transcript


def _make_files(world: World) -> None:
    for folder in (world.project, world.transcripts, world.root / "tmp"):
        folder.mkdir(parents=True)
    login, billing = world.project / "features/login", world.project / "features/billing"
    # What stands twice is what `feature compact` takes out of it.
    put(login, "progress.md", f"{diary(OLDER, OLD, NEW)}\n{FILLER * 5}\n{FILLER * 5}", NEW)
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
    left = world.runtime / "position.1.aaaa.tmp"
    left.write_bytes(b"x")
    os.utime(left, (0, 0))
    world.runtime.chmod(0o755)
    (world.runtime / "compaction_events.json").chmod(0o644)


def _play_working(world: World) -> None:
    """A session was compacted once and goes on; an earlier one ended; all of it is recorded."""
    _make_files(world)
    world.write(_first_window(world, EARLIER))
    _need(world.hook("PreCompact", "PreCompact.manual", EARLIER))
    _need(world.command("handoff", "--session", EARLIER))
    _need(world.hook("SessionEnd", "SessionEnd.other", EARLIER))
    world.write(_first_window(world))
    _compact(world)
    world.write(_second_window(world))
    _need(world.hook("Stop", "Stop"))
    for session in (EARLIER, SESSION):
        _need(world.hook("Store", "Stop", session))
    _need(world.command("feature", "compact", "billing"))
    _need(world.command("feature", "checkpoint", "login", "--reason", "before", "-s", SESSION))


def _compact(world: World) -> None:
    _need(world.hook("PreCompact", "PreCompact.auto"))
    _need(world.hook("SessionStart", "SessionStart.compact"))
    _need(
        world.hook(
            "PostCompact", "PostCompact.auto", compact_summary="<summary>They talked.</summary>"
        )
    )


def _play_second_boundary(world: World) -> None:
    transcript = _second_window(world)
    transcript.compact("They went on talking.", preserved=0)
    transcript.assistant("What next?")
    world.write(transcript)


def _play_full(world: World) -> None:
    _fill(world, 0.97)


def _fill(world: World, ratio: float) -> None:
    """Bring the context to a ratio of its limit."""
    transcript = _second_window(world)
    respond(transcript, round(ratio * OLDER_LIMIT))
    world.write(transcript)


def _play_automatic(world: World) -> None:
    """The feature that is worked on is made smaller by itself, at the first level."""
    _fill(world, 0.72)
    _need(world.command("config", "set", "auto", "true"))
    put(world.project / ".claude", "active-focus.md", "login\n")


def _play_edited(world: World) -> None:
    """A file that was made smaller was written to since."""
    with (world.project / "features/billing/plan.md").open("a", encoding="utf-8") as stream:
        stream.write("\nAsk for the tax rate.\n")


def _play_outgrown(world: World) -> None:
    """What is stored of the earlier session is older than the store's bounds."""
    _need(world.command("config", "set", "store_days", "1"))
    connection = sqlite3.connect(world.runtime / "store.db")
    with connection:
        connection.execute(
            "UPDATE session SET updated_at = '2020-02-02T02:02:02Z' WHERE session_id = ?",
            (EARLIER,),
        )
    connection.close()


def _play_exported(world: World) -> None:
    """What was exported earlier was another store's."""
    shutil.copyfile(world.transcript, world.root / "all.jsonl")


def _play_expired(world: World) -> None:
    """What was archived and kept is older than the settings' bounds, and more is to be archived."""
    put(world.project / "features/login", "progress.md", diary(OLDER, OLD, NEW), NEW)
    for folder in (*world.project.rglob(".compaction"), *world.runtime.glob(f"*/{EARLIER}")):
        shift_dates(folder, -2)


def _need(done: Done) -> None:
    assert done.code == 0, done.stderr or done.stdout


def _commanded(*words: str) -> Callable[[World], None]:
    return lambda world: _need(world.command(*words))


def _hooked(event: str, name: str) -> Callable[[World], None]:
    return lambda world: _need(world.hook(event, name))


MOMENTS: Moments = {
    "empty": ("", _make_files),
    "fresh": ("", _play_fresh),
    "working": ("", _play_working),
    "recorded": ("working", _hooked("PreCompact", "PreCompact.auto")),
    "injected": ("recorded", _hooked("SessionStart", "SessionStart.compact")),
    "missed": ("working", _play_second_boundary),
    "made up for": ("missed", _hooked("PreToolUse", "PreToolUse.Bash")),
    "full": ("working", _play_full),
    "restored": ("working", _commanded("snapshot", "restore", "latest", "-s", SESSION)),
    "injecting": ("working", _commanded("config", "set", "fresh_start", "inject")),
    "cleared": ("injecting", _hooked("SessionEnd", "SessionEnd.clear")),
    "installed": ("working", _commanded("install", "--team", "--no-proof")),
    "untidy": ("installed", _play_untidy),
    "remembered": ("working", _commanded("remember", "Always ask twice.", "-s", SESSION)),
    "guarded": ("working", _commanded("remember", "Never run `echo big`.", "-s", SESSION)),
    "copied": ("working", _commanded("compact", "transcript", SESSION, *KEEPING_NOTHING)),
    "automatic": ("working", _play_automatic),
    "edited": ("working", _play_edited),
    "exported": ("working", _play_exported),
    "outgrown": ("missed", _play_outgrown),
    "expired": ("pruned", _play_expired),
    "pruned": ("working", _commanded("context", "prune")),
    "set": ("working", _commanded("config", "set", "snapshots", "12", "--team")),
}

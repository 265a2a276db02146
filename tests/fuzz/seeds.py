"""What the fuzzer begins with: a short session in the client's shapes, and its files."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from tests.fuzz.case import WORLD, Case, Part
from tests.fuzz.world import OWN, RUNTIME, SESSION, TRANSCRIPT, World
from tests.support.captured import CAPTURES, session
from tests.support.transcripts import Transcript

EVENTS = {
    "PreToolUse": ("PreToolUse.Bash", "PreToolUse.Edit", "PreToolUse.TodoWrite"),
    "UserPromptSubmit": ("UserPromptSubmit",),
    "PreCompact": ("PreCompact.auto", "PreCompact.manual"),
    "SessionStart": ("SessionStart.compact", "SessionStart.clear", "SessionStart.resume"),
    "PostCompact": ("PostCompact.auto", "PostCompact.manual"),
    "Stop": ("Stop", "Stop.active"),
    "SessionEnd": ("SessionEnd.clear", "SessionEnd.other"),
}
STORED = ("Stop", "PreCompact.auto", "PostCompact.auto", "SessionEnd.other")
CAPTURED = (
    "auto_compact_x3", "short_todowrite", "short_tasks", "plan_file", "tool_errors",
    "manual_compact", "reactive_compact", "precomputed_compact",
)  # fmt: skip
_LINE_LIMIT_CHARS = 3000
_CAPTURED_LIMIT_BYTES = 24 * 1024
_WORLD = WORLD.decode()


def stdin(name: str, **changes: Any) -> bytes:
    """Return a captured payload, of the world's session."""
    text = (CAPTURES / "hook_payloads" / f"{name}.json").read_text(encoding="utf-8")
    fields: dict[str, Any] = json.loads(text)["stdin"]
    fields |= {
        "session_id": SESSION,
        "transcript_path": f"{_WORLD}/{TRANSCRIPT}",
        "cwd": f"{_WORLD}/project",
        **changes,
    }
    return json.dumps(fields).encode()


def hook(event: str, name: str = "") -> Part:
    """Return the step of a hook with a captured payload."""
    return Part(f">{event}", stdin(name or EVENTS[event][0]))


def transcript(content: bytes) -> Part:
    """Return the file of the session's transcript."""
    return Part(TRANSCRIPT, content)


@cache
def short_session(*, compacted: bool = True) -> bytes:
    """Return a session of a few turns: rules, todos, a failure, a decision, a compaction."""
    lines = Transcript(SESSION)
    lines.root = f"{_WORLD}/project"
    lines.user("Add refunds to the API. Never push to main. Use pnpm, not npm. Port is 8443.")
    lines.tool("Read", {"file_path": f"{_WORLD}/project/a.py"}, "1\tx = 1")
    todos = [{"content": "Write it", "status": "pending", "activeForm": "Writing it"}]
    lines.tool("TodoWrite", {"todos": todos}, data={"oldTodos": [], "newTodos": todos})
    lines.tool("Bash", {"command": "pnpm test"}, "1 failed: E_WINDOW", error=True)
    lines.tool("Edit", {"file_path": "a.py", "old_string": "1", "new_string": "2"})
    lines.assistant("Decision: the order id is the key, because clients retry.")
    if compacted:
        lines.compact("Refunds were added.")
        lines.user("Go on. You may push to main now.")
        lines.tool("Bash", {"command": "git status --short"}, " M a.py")
        lines.assistant("Done.")
    return _as_lines(lines.lines)


@cache
def long_results() -> bytes:
    """Return a session of which a copy leaves out the older results."""
    lines = Transcript(SESSION)
    lines.root = f"{_WORLD}/project"
    lines.user("Read the files. Never change the API.")
    for number in range(4):
        text = "\n".join(f"{line}\tvalue_{number}_{line} = {line}" for line in range(60))
        lines.tool("Read", {"file_path": f"{_WORLD}/project/f{number}.py"}, text)
    for turn in range(4):
        lines.user(f"And now part {turn}.")
        lines.assistant("Done.")
    return _as_lines(lines.lines)


@cache
def captured_session(name: str) -> bytes:
    """Return a captured session without its longest lines, cut to what mutates quickly."""
    lines = session(name).read_text(encoding="utf-8").splitlines()
    own = session(name).stem
    short = [line.replace(own, SESSION) for line in lines if len(line) < _LINE_LIMIT_CHARS]
    return "\n".join(short).encode()[:_CAPTURED_LIMIT_BYTES].rpartition(b"\n")[0] + b"\n"


def _as_lines(lines: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)


CYCLE: Case = (
    transcript(short_session(compacted=False)),
    hook("UserPromptSubmit"),
    hook("PreToolUse"),
    hook("PreCompact"),
    hook("SessionStart"),
    hook("PostCompact"),
    Part(">Store", stdin("PostCompact.auto")),
    transcript(short_session()),
    hook("Stop"),
    Part(">Store#2", stdin("Stop")),
    hook("SessionEnd"),
)
"""A session from its first prompt over a compaction to its end."""


def kept_files(world: World) -> dict[str, bytes]:
    """Return what lies in the world's runtime folder, by its name below the world."""
    folder = world.folder / RUNTIME
    return {
        str(path.relative_to(world.folder)): _portable(path, world)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith((".lock", "-wal", "-shm"))
    }


def _portable(path: Path, world: World) -> bytes:
    return world.take_out(path.read_bytes())


def own(name: str) -> str:
    """Return the path of a file of the session's own, below the world."""
    return f"{OWN}/{name}"

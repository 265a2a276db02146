"""Play the client's part around a session: payloads, boundaries, attachments, in its order.

Its responses report how full their context is.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from amplihack_compaction.base.settings import config_path
from tests.support.captured import payload
from tests.support.processes import Answer, run_in_process
from tests.support.transcripts import SESSION, Transcript

HEAD = "<!-- AMPLIHACK STATE -->"
RULE = "Never push to main."
NOTHING = "They talked."
OLDER_MODEL = "claude-sonnet-4-5-20250929"
NEWER_MODEL = "claude-opus-5-5"
# Of an older model, whose limit is its effective window.
OLDER_LIMIT = 180_000

Runner = Callable[[str, dict[str, Any], Path], Answer]


class Session:
    """A session in a project, and the client's part in it; `runner` runs its hooks."""

    def __init__(self, project: Path, runner: Runner = run_in_process) -> None:
        self.project = project
        self.runner = runner
        self.path = project.parent / "claude" / "projects" / "p" / f"{SESSION}.jsonl"
        self.transcript = Transcript()
        self.transcript.user(f"Build the login page at https://example.com:8443/x. {RULE}")
        self.transcript.tool("Bash", {"command": "pytest -q"}, "2 passed")
        self.transcript.assistant("Good. Left to do:\n- [ ] Write the docs\n- [x] Draw the form")

    def hook(self, event: str, name: str, **changes: Any) -> Answer:
        self.transcript.write(self.path)
        stdin = payload(name, session_id=SESSION, transcript_path=str(self.path), **changes)
        answer = self.runner(event, stdin, self.project)
        assert (answer.stderr, answer.code) == ("", 0)
        return answer

    def pre_compact(self) -> str:
        return self.hook("PreCompact", "PreCompact.auto").stdout

    def session_start(self) -> str:
        return self.hook("SessionStart", "SessionStart.compact").context

    def post_compact(self, summary: str = NOTHING) -> None:
        text = f"<analysis>{RULE}</analysis><summary>{summary}</summary>"
        assert self.hook("PostCompact", "PostCompact.auto", compact_summary=text).stdout == ""

    def boundary(self, injected: str = "", summary: str = NOTHING) -> None:
        self.transcript.compact(summary, preserved=0)
        if injected:
            self.transcript.attachment("hook_additional_context", content=[injected])

    def compact(self, summary: str = NOTHING) -> str:
        """Play a whole compaction and return what was injected."""
        self.pre_compact()
        injected = self.session_start()
        self.post_compact(summary)
        self.boundary(injected, summary)
        return injected

    def tool_use(self) -> str:
        return self.hook("PreToolUse", "PreToolUse.Bash").context

    def prompt(self) -> str:
        return self.hook("UserPromptSubmit", "UserPromptSubmit").context

    def stop(self, **changes: Any) -> Answer:
        return self.hook("Stop", "Stop", **changes)

    @property
    def runtime(self) -> Path:
        return self.project / ".claude/runtime/power-steering"

    @property
    def events(self) -> list[dict[str, Any]]:
        path = self.runtime / "compaction_events.json"
        events: list[dict[str, Any]] = json.loads(path.read_text())
        return events


def write_settings(project: Path, **values: Any) -> None:
    """Write the project's settings file."""
    (project / ".claude").mkdir(exist_ok=True)
    (project / ".claude" / "compaction.json").write_text(json.dumps(values))


def write_own_settings(**values: Any) -> None:
    """Write the user's own settings file, in this process's home."""
    path = Path(config_path()) / "compaction.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values))


def usage_of_tokens(tokens: int, output: int = 10) -> dict[str, Any]:
    """Return a response's numbers for a context of that many tokens, its output included."""
    return {
        "input_tokens": 3,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": tokens - output - 3,
        "output_tokens": output,
    }


def respond(
    transcript: Transcript,
    tokens: int,
    model: str = OLDER_MODEL,
    text: str = "Yes.",
    tools: list[dict[str, Any]] | None = None,
    **changes: Any,
) -> None:
    """Add a response that reports a context of that many tokens; `changes` are of its lines."""
    count = len(transcript.assistant(text, tools))
    for line in transcript.lines[-count:]:
        line["message"]["usage"] = usage_of_tokens(tokens)
        line["message"]["model"] = model
        line.update(changes)


def filled(path: Path, tokens: int, model: str = OLDER_MODEL) -> Path:
    """Write a transcript whose only response reports that many tokens."""
    transcript = Transcript()
    transcript.user("Go.")
    respond(transcript, tokens, model)
    return transcript.write(path)


def fill(session: Session, share: float, model: str = OLDER_MODEL) -> None:
    """Let a session's next response report a share of the older models' limit."""
    respond(session.transcript, round(share * OLDER_LIMIT), model)


def make_own_tools() -> Path:
    """Make and return the folder of the user's own files of power steering."""
    folder = Path(config_path()) / "tools" / "amplihack"
    folder.mkdir(parents=True)
    return folder

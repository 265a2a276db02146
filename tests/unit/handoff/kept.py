"""A project with a session of the client's, for tests of what is kept of it."""

import json
from pathlib import Path
from typing import Any

from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from amplihack_compaction.context.levels import ContextStatus
from amplihack_compaction.handoff.checkpoint import Moment, read_moment
from tests.support.transcripts import SESSION, Transcript

RULE = "Never push to main."
OBJECTIVE = "Build the login page."
TODO = "Write the docs page"
OTHER = "0b7f1c7e-1111-4222-8333-444444444444"


class Kept:
    """A session with a rule, an objective, todos, an edited file and a failed test."""

    def __init__(self, project: Path, session_id: str = SESSION) -> None:
        self.root = str(project)
        self.session_id = session_id
        self.transcript = Transcript(session_id, branch="feat/login")
        self.path = transcript_folder(self.root) / f"{session_id}.jsonl"
        self.transcript.user(f"{RULE} {OBJECTIVE} The port is 8443.")
        self.transcript.tool(
            "Edit", {"file_path": f"{project}/login.py", "old_string": "a", "new_string": "b"}
        )
        self.transcript.tool("Bash", {"command": "pytest -q"}, "1 failed", error=True)
        self.transcript.assistant(f"- [x] Draw the form\n- [ ] {TODO}\n- [ ] Ship it")
        self.write()

    def write(self) -> None:
        for line in self.transcript.lines:
            line["cwd"] = self.root
        self.transcript.write(self.path)

    def say(self, text: str) -> None:
        self.transcript.user(text)
        self.transcript.assistant("Yes.")
        self.write()

    def usage(self, tokens: int) -> None:
        """Let the model's newest response tell how full its context is."""
        self.transcript.assistant("So far.")
        numbers = self.transcript.lines[-1]["message"]["usage"]
        numbers.update(input_tokens=0, cache_read_input_tokens=tokens - 12)
        self.write()

    def moment(self, status: ContextStatus | None = None) -> Moment:
        return read_moment(self.root, self.session_id, str(self.path), status)

    @property
    def runtime(self) -> Path:
        return Path(self.root) / ".claude/runtime/power-steering"

    @property
    def folder(self) -> Path:
        return self.runtime / "sessions" / self.session_id

    def files(self, pattern: str) -> list[Path]:
        return sorted(self.folder.glob(pattern))


def status(tokens: int = 150_000, limit: int = 167_000) -> ContextStatus:
    """Return a context of so many tokens."""
    return ContextStatus(
        current_tokens=tokens,
        max_tokens=limit,
        usage_percentage=100 * tokens / limit,
        level="summarize",
        recommendation="",
        can_continue=True,
    )


def read_json(path: Path) -> Any:
    return json.loads(path.read_text())

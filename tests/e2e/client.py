"""The real client in a home and a project of its own, driven prompt by prompt."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypedDict, Unpack

from .api import Api
from .conversation import Keys, Said, print_turns
from .process import Launch
from .run import Run
from .script import Script
from .terminal import type_turns

API_KEY = "not-a-real-key"
SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
TURN_SECONDS = 180.0
ALLOWED_TOOLS = (
    "Agent,Bash,Edit,Glob,Grep,Read,Task,TaskCreate,TaskGet,TaskList,TaskUpdate,TodoWrite,"
    "ToolSearch,Write"
)
SESSION_HEADER = "x-claude-code-session-id"

Turn = str | Keys | Callable[["Client"], object]
"""A prompt (or a command such as /compact), keys, or something done before the next one."""

Setup = Mapping[str, object] | Callable[["Client"], object]
"""The project's settings, or a function which installs them."""


class ClientOptions(TypedDict, total=False):
    """How a client differs from a plain one.

    `setup` is the content of the project's settings file, or a function which is called when home
    and project exist. `files` are written into the project. `env` adds to the environment, and
    `state` to the client's own state file. `allowed_tools` are joined by commas.
    """

    setup: Setup | None
    files: Mapping[str, str]
    env: Mapping[str, str]
    model: str
    allowed_tools: str
    state: Mapping[str, object]


class Client:
    """One home and one project, and any number of client processes one after the other."""

    def __init__(
        self, binary: Path, root: Path, script: Script, **options: Unpack[ClientOptions]
    ) -> None:
        self.binary, self.root = binary, root.resolve()
        self.home, self.project = self.root / "home", self.root / "project"
        self.env, self.model = dict(options.get("env", {})), options.get("model", "")
        self.allowed_tools = options.get("allowed_tools", ALLOWED_TOOLS)
        self.api = Api(script, {"home": str(self.home), "project": str(self.project)})
        self.runs: list[Run] = []
        self._write_home(options.get("state", {}))
        for name, text in options.get("files", {}).items():
            write(self.project / name, text)
        self._set_up(options.get("setup"))

    def run(
        self,
        turns: Sequence[Turn],
        *,
        resume: str = "",
        continue_latest: bool = False,
        fork: bool = False,
        env: Mapping[str, str] | None = None,
        model: str = "",
        arguments: Sequence[str] = (),
        interactive: bool = False,
        turn_seconds: float = TURN_SECONDS,
    ) -> Run:
        """Run one client process through the turns, and return what happened.

        `resume` is a session id. An interactive run costs some seconds more, and has no stream.
        Raises ClientTimeoutError or ClientExitError when the turns could not all be taken, and
        whatever a function in the script raised.
        """
        started, seen, logs = time.monotonic(), len(self.api.requests), self._logs()
        options = [*arguments, *["--resume", resume] * bool(resume)]
        options += ["--continue"] * continue_latest + ["--fork-session"] * fork
        command = [*self._command(logs, model), *options]
        steps = [partial(turn, self) if callable(turn) else turn for turn in turns]
        environment = {**self.environment(), **(env or {})}
        launch = Launch(self.api, self.project, environment, logs / "stderr.txt")
        talk = type_turns if interactive else print_turns
        said = talk(command, launch, steps, turn_seconds)
        if self.api.failures:
            raise self.api.failures[0]
        return self._record(logs, seen, started, said)

    def environment(self) -> dict[str, str]:
        """Return the whole environment of the client, but for the API's address."""
        return {
            "HOME": str(self.home),
            "PATH": SEARCH_PATH,
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "SHELL": "/bin/bash",
            "IS_SANDBOX": "1",
            "CLAUDE_CODE_TMPDIR": str(self.root / "tmp"),
            "ANTHROPIC_API_KEY": API_KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1",
            **self.env,
        }

    def transcript_path(self, session_id: str) -> Path:
        """Return where the client keeps the transcript of a session started in the project."""
        return self.transcript_folder / f"{session_id}.jsonl"

    @property
    def transcript_folder(self) -> Path:
        """The folder of the project's transcripts."""
        return self.home / ".claude" / "projects" / re.sub(r"[^a-zA-Z0-9]", "-", str(self.project))

    def _write_home(self, state: Mapping[str, object]) -> None:
        project = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        answered = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "numStartups": 1,
            "bypassPermissionsModeAccepted": True,
            "customApiKeyResponses": {"approved": [API_KEY[-20:]], "rejected": []},
            "projects": {str(self.project): project},
        }
        self.project.mkdir(parents=True)
        (self.root / "tmp").mkdir()
        write(self.home / ".claude.json", json.dumps({**answered, **state}))

    def _set_up(self, setup: Setup | None) -> None:
        if callable(setup):
            setup(self)
        elif setup is not None:
            write(self.project / ".claude" / "settings.json", json.dumps(setup, indent=2))

    def _logs(self) -> Path:
        # Counted on disk: one run may start another beside it.
        logs = self.root / f"run-{len(list(self.root.glob('run-*'))) + 1}"
        logs.mkdir()
        return logs

    def _command(self, logs: Path, model: str) -> list[str]:
        command = [str(self.binary), "--debug-file", str(logs / "debug.txt")]
        command += ["--allowedTools", self.allowed_tools] * bool(self.allowed_tools)
        chosen = model or self.model
        return command + ["--model", chosen] * bool(chosen)

    def _record(self, logs: Path, seen: int, started: float, said: Said) -> Run:
        requests = self.api.requests[seen:]
        from_stream = [str(m["session_id"]) for m in said.stream if m.get("session_id")]
        from_headers = [r.headers[SESSION_HEADER] for r in requests if SESSION_HEADER in r.headers]
        run = Run(
            client=self,
            requests=requests,
            stream=said.stream,
            session_ids=list(dict.fromkeys(from_stream or from_headers)),
            exit_code=said.exit_code,
            stderr=(logs / "stderr.txt").read_text(encoding="utf-8", errors="replace"),
            debug_log=logs / "debug.txt",
            seconds=time.monotonic() - started,
            screen=said.screen,
        )
        self.runs.append(run)
        return run


def write(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")

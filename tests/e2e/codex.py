"""The real Codex client, cut off from the network, against a scripted Responses API."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, Protocol

import pytest

from .process import connected

Json = dict[str, Any]
RUN_SECONDS = 180
LIMIT_TOKENS = 50_000
CONFIG = f"""\
model = "gpt-5.5"
model_provider = "scripted"
model_context_window = 100000
model_auto_compact_token_limit = {LIMIT_TOKENS}
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:1/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[tools.update_plan]
enabled = true
[projects."%s"]
trust_level = "trusted"
"""
# The address is known when the launcher listens.
START = (
    'exec "$0" --dangerously-bypass-hook-trust'
    ' -c "model_providers.scripted.base_url=\\"$ANTHROPIC_BASE_URL/v1\\"" "$@"'
)


@dataclass(frozen=True)
class Answer:
    """What the model answers to one request, and the tokens that it says it was sent."""

    text: str = ""
    tool: str = ""
    given: Json | str = field(default_factory=dict)
    tokens: int = 5_000


class Replies(Protocol):
    """A scripted model."""

    def reply(self, body: Json) -> str:
        """Return the events of the answer to a request."""
        ...


@dataclass
class Model:
    """The scripted model; a request to summarise is answered with nothing, and counts apart."""

    answers: Iterator[Answer]
    requests: list[Json] = field(default_factory=list)
    summaries: int = 0
    number: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, body: Json) -> str:
        """Return the events of the answer to a request."""
        with self.lock:
            self.number += 1
            if "CONTEXT CHECKPOINT COMPACTION" in json.dumps(body["input"][-1]):
                self.summaries += 1
                answer = Answer()
            else:
                self.requests.append(body)
                answer = next(self.answers, Answer("Done."))
            return events(answer, f"{self.number:024d}")


def events(answer: Answer, name: str) -> str:
    """Return an answer as the API streams it."""
    items: list[Json] = []
    if answer.text:
        content = [{"type": "output_text", "text": answer.text}]
        items.append(
            {"type": "message", "role": "assistant", "id": f"msg_{name}", "content": content}
        )
    call = {"call_id": f"call_{name}", "name": answer.tool}
    if isinstance(answer.given, str):
        items.append(
            {"type": "custom_tool_call", "id": f"ctc_{name}", **call, "input": answer.given}
        )
    elif answer.tool:
        arguments = json.dumps(answer.given)
        items.append({"type": "function_call", "id": f"fc_{name}", **call, "arguments": arguments})
    usage = {
        "input_tokens": answer.tokens, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 20, "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": answer.tokens + 20,
    }  # fmt: skip
    sent: list[Json] = [{"type": "response.created", "response": {"id": f"resp_{name}"}}]
    for place, item in enumerate(items):
        sent.append({"type": "response.output_item.done", "output_index": place, "item": item})
    sent.append({"type": "response.completed", "response": {"id": f"resp_{name}", "usage": usage}})
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in sent)


class OwnHome:
    """A client with a home and a project of its own; each prompt goes on with the session."""

    BINARIES: ClassVar[str]

    def __init__(self, binary: Path, folder: Path, model: Replies) -> None:
        self.binary, self.served = binary, model
        self.home, self.project = folder / "home", folder / "project"
        self.home.mkdir(parents=True)
        self.project.mkdir()
        (self.project / "Makefile").write_text("test:\n\t@echo 3 passed\n")
        subprocess.run(["git", "init", "-q", self.project], check=True)
        self.outputs: list[str] = []

    @classmethod
    def find(cls) -> Path:
        """Return the client's binary, from the environment or the cache folder, or skip."""
        folder, name = Path(__file__).parents[2], cls.__name__.casefold()
        named = os.environ.get(f"{name.upper()}_BIN")
        found = [Path(named)] if named else sorted(folder.glob(cls.BINARIES))
        if found and found[0].is_file():
            return found[0].resolve()
        fetch = f"run tests/e2e/fetch_{name}.sh, or set {name.upper()}_BIN"
        pytest.skip(f"no {cls.__name__} at {named or cls.BINARIES}: {fetch}")

    @property
    def environment(self) -> dict[str, str]:
        """What the client and our commands are given."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "AMPLIHACK_COMPACTION_STRICT": "1",
        }

    def call(self, text: str) -> Sequence[str]:
        """Return the command that gives the client a prompt."""
        raise NotImplementedError

    def prompt(self, text: str) -> None:
        """Give the client a prompt, and wait until its turn has ended."""
        with self.started(self.call(text), subprocess.DEVNULL, subprocess.STDOUT) as process:
            said, _ = process.communicate(timeout=RUN_SECONDS)
        self.outputs.append(said.decode("utf-8", "replace"))
        assert process.returncode == 0, self.outputs[-1]

    @contextmanager
    def started(
        self, command: Sequence[str], stdin: int, stderr: int
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Run the client with the model served to it for the length of a `with` block."""
        pipes = (stdin, subprocess.PIPE, stderr)
        with (
            connected(command, self.project, self.environment, *pipes) as (process, listening),
            Server(listening, self.served),
        ):
            yield process


class Codex(OwnHome):
    """Codex; its one rollout is that of the session."""

    BINARIES = ".cache/codex/node_modules/@openai/codex-*/vendor/*/bin/codex"

    def __init__(self, binary: Path, folder: Path, answers: Iterable[Answer]) -> None:
        self.model = Model(iter(answers))
        super().__init__(binary, folder, self.model)
        (self.home / ".codex").mkdir()
        (self.home / ".codex/config.toml").write_text(CONFIG % self.project)

    @property
    def environment(self) -> dict[str, str]:
        """What the client and our commands are given."""
        more = {"CODEX_HOME": str(self.home / ".codex"), "SCRIPTED_KEY": "dummy"}
        return {**super().environment, **more}

    @property
    def rollout(self) -> Path:
        """The one rollout that the client has written."""
        (found,) = (self.home / ".codex/sessions").rglob("rollout-*.jsonl")
        return found

    def call(self, text: str) -> Sequence[str]:
        """Return the command that gives the client a prompt."""
        words = ["resume", "--last", text] if self.outputs else [text]
        return ["/bin/sh", "-c", START, str(self.binary), "exec", "--json", *words]


class Server(ThreadingHTTPServer):
    """Serves a model on a listening socket for the length of a `with` block."""

    daemon_threads = True

    def __init__(self, listening: socket.socket, model: Replies) -> None:
        super().__init__(listening.getsockname(), Handler, bind_and_activate=False)
        self.socket.close()
        self.socket, self.model = listening, model

    def __enter__(self) -> Server:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self._answer("application/json", '{"object": "list", "data": [], "models": []}')

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self._answer("text/event-stream", self.server.model.reply(body))

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(data)

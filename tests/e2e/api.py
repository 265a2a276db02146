"""A Messages API on loopback which answers from a script and remembers every request."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .request import Json, Request, is_main, is_summary, subagent_name
from .script import Script, Step, as_step

AGENT_HEADER = "x-claude-code-agent-id"
CHARACTERS_PER_TOKEN = 4


class Api:
    """The scripted model: decides what to answer, and keeps the requests.

    One serves all runs of a client, so that its lists go on where the last run stopped.
    """

    def __init__(self, script: Script, folders: Mapping[str, str] | None = None) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.failures: list[BaseException] = []
        self.active_at = 0.0
        self._folders = {f"{{{name}}}": path for name, path in (folders or {}).items()}
        self._answered: Counter[str] = Counter()
        self._agents: dict[str, str] = {}
        self._lock = threading.Lock()
        self._ids = 0

    def receive(self, path: str, headers: Mapping[str, str], body: Json) -> Request:
        """Classify a request and keep it."""
        lower = {name.lower(): value for name, value in headers.items()}
        with self._lock:
            agent = self._agent(lower.get(AGENT_HEADER, ""), body)
            kind = self._kind(path, agent, body)
            request = Request(len(self.requests) + 1, time.time(), path, kind, agent, lower, body)
            self.requests.append(request)
            self.active_at = time.monotonic()
        return request

    def answer(self, request: Request) -> Step:
        """Choose the next step for a request; its list moves on by one."""
        with self._lock:
            index = self._answered[request.kind]
            self._answered[request.kind] += 1
        step = as_step(self.script.answer(request.kind, index), request)
        request.answer = step
        return step

    def message(self, step: Step, request: Request) -> Json:
        """Return the API's message for a step."""
        content = self._content(step)
        used_tool = any(block["type"] == "tool_use" for block in content)
        return {
            "id": self._new_id("msg"),
            "type": "message",
            "role": "assistant",
            "model": request.model,
            "content": content,
            "stop_reason": step.stop_reason or ("tool_use" if used_tool else "end_turn"),
            "stop_sequence": None,
            "usage": usage(step, request),
        }

    def _agent(self, agent_id: str, body: Json) -> str:
        # A subagent's conversation loses its mark when it is compacted; the header stays.
        name = subagent_name(body)
        if name and agent_id:
            self._agents[agent_id] = name
        return name or self._agents.get(agent_id, "")

    @staticmethod
    def _kind(path: str, agent: str, body: Json) -> str:
        if path.endswith("/count_tokens"):
            return "count_tokens"
        if path != "/v1/messages":
            return "other"
        if is_summary(body):
            return "summary"
        if agent:
            return f"sub:{agent}"
        return "main" if is_main(body) else "aux"

    def _content(self, step: Step) -> list[Json]:
        content: list[Json] = []
        if step.thinking:
            content.append({"type": "thinking", "thinking": step.thinking, "signature": "c2lnbmVk"})
        if step.text or not step.tools:
            content.append({"type": "text", "text": step.text})
        for tool in step.tools:
            identifier = tool.id or self._new_id("toolu")
            filled = self._filled(dict(tool.input))
            use = {"type": "tool_use", "id": identifier, "name": tool.name, "input": filled}
            content.append(use)
        return content

    def _filled(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._filled(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self._filled(inner) for inner in value]
        if isinstance(value, str):
            for name, path in self._folders.items():
                value = value.replace(name, path)
        return value

    def _new_id(self, prefix: str) -> str:
        with self._lock:
            self._ids += 1
            return f"{prefix}_{self._ids:024d}"


def estimated_tokens(body: Json) -> int:
    """Estimate a request's size in tokens."""
    return max(1, len(json.dumps(body)) // CHARACTERS_PER_TOKEN)


def usage(step: Step, request: Request) -> dict[str, int]:
    """Return a step's usage numbers: all but a little of the context is read from the cache."""
    context = step.context_tokens
    if context is None:
        context = estimated_tokens(request.body)
    fresh = min(context, 10)
    return {
        "input_tokens": fresh,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": context - fresh,
        "output_tokens": max(1, len(step.text) // CHARACTERS_PER_TOKEN),
    }


class ApiServer(ThreadingHTTPServer):
    """Serves an `Api` on a socket which already listens."""

    daemon_threads = True

    def __init__(self, listener: socket.socket, api: Api) -> None:
        super().__init__(listener.getsockname(), Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.api = api
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> ApiServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client may hang up when it likes; other failures are kept elsewhere."""


class Handler(BaseHTTPRequestHandler):
    """Speaks HTTP for the `Api`."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer in one piece does not wait for the client's acknowledgements
    disable_nagle_algorithm = True
    server: ApiServer

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name it has
        """Write nothing to stderr."""

    def do_GET(self) -> None:
        """Answer everything that is no part of the Messages API with an empty object."""
        self.server.api.receive(self.route, dict(self.headers.items()), {})
        self._send(200, {})

    def do_HEAD(self) -> None:
        """Answer like GET, without a body."""
        self.do_GET()

    def do_POST(self) -> None:
        """Answer a request from the script; a failing script is an API error and a failed test."""
        api = self.server.api
        request = api.receive(self.route, dict(self.headers.items()), self._body())
        try:
            self._reply(request)
        except ConnectionError:
            self.close_connection = True
        except Exception as failure:  # noqa: BLE001 - it belongs to the test, which runs in another thread
            api.failures.append(failure)
            self._send(400, error("invalid_request_error", f"the script failed: {failure!r}"))

    @property
    def route(self) -> str:
        """The request's path without its query."""
        return self.path.partition("?")[0]

    def _body(self) -> Json:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        body = json.loads(raw or b"{}")
        return body if isinstance(body, dict) else {"_body": body}

    def _reply(self, request: Request) -> None:
        if request.kind == "count_tokens":
            self._send(200, {"input_tokens": estimated_tokens(request.body)})
        elif request.kind == "other":
            self._send(200, {})
        else:
            self._speak(self.server.api.answer(request), request)

    def _speak(self, step: Step, request: Request) -> None:
        time.sleep(max(step.delay_seconds, self.server.api.script.latency_seconds))
        if step.error:
            self._send(step.error.status, error(step.error.type, step.error.message))
            return
        message = self.server.api.message(step, request)
        if request.body.get("stream"):
            self._stream(message)
        else:
            self._send(200, message)

    def _send(self, status: int, answer: Json) -> None:
        raw = json.dumps(answer).encode()
        self._head(status, "application/json", {"content-length": str(len(raw))})
        if self.command != "HEAD":
            self.wfile.write(raw)

    def _stream(self, message: Json) -> None:
        self._head(200, "text/event-stream", {"connection": "close"})
        self.close_connection = True
        for event in events(message):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    def _head(self, status: int, content_type: str, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        always = {"content-type": content_type, "request-id": "req_scripted"}
        for name, value in {**always, **headers}.items():
            self.send_header(name, value)
        self.end_headers()


def error(kind: str, message: str) -> Json:
    """Return an error object of the API."""
    return {"type": "error", "error": {"type": kind, "message": message}}


def events(message: Json) -> list[Json]:
    """Return the stream events which amount to a message."""
    opening_usage = {**message["usage"], "output_tokens": 1}
    opening = {**message, "content": [], "stop_reason": None, "usage": opening_usage}
    closing = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    inner = [
        event for i, block in enumerate(message["content"]) for event in block_events(i, block)
    ]
    return [
        {"type": "message_start", "message": opening},
        *inner,
        {"type": "message_delta", "delta": closing, "usage": message["usage"]},
        {"type": "message_stop"},
    ]


def block_events(index: int, block: Json) -> list[Json]:
    """Return the stream events of one content block."""
    empty, deltas = block_parts(block)
    return [
        {"type": "content_block_start", "index": index, "content_block": empty},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def block_parts(block: Json) -> tuple[Json, list[Json]]:
    """Split a content block into its empty form and the deltas which fill it."""
    if block["type"] == "tool_use":
        filling = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        return {**block, "input": {}}, [filling]
    if block["type"] == "thinking":
        thought = {"type": "thinking_delta", "thinking": block["thinking"]}
        signature = {"type": "signature_delta", "signature": block["signature"]}
        return {"type": "thinking", "thinking": "", "signature": ""}, [thought, signature]
    return {"type": "text", "text": ""}, [{"type": "text_delta", "text": block["text"]}]

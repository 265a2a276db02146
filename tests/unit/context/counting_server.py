"""A count_tokens endpoint on loopback, as the Messages API answers."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[["Handler", dict[str, Any]], None]

_PATIENCE_SECONDS = 60.0


class Handler(BaseHTTPRequestHandler):
    """Keeps what it was asked and answers as the server was told to."""

    protocol_version = "HTTP/1.1"
    server: "Server"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, dict(self.headers.items()), body))
        self.server.connections.add(self.client_address)
        self.server.answer(self, body)

    def reply(self, status: int, data: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - http.server's name
        pass


class Server(ThreadingHTTPServer):
    """The server, what it was asked, and how it answers; `outwaited` tells of patient clients."""

    daemon_threads = True

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.connections: set[Any] = set()
        self.closing = threading.Event()
        self.outwaited = False

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that give up are part of the tests."""


def count_characters(handler: Handler, body: dict[str, Any]) -> None:
    """Answer with the text's length, which no estimate gives."""
    text = body["messages"][0]["content"]
    handler.reply(200, json.dumps({"input_tokens": len(text)}).encode())


def never(handler: Handler, body: dict[str, Any]) -> None:
    """Answer nothing as long as anyone may wait."""
    handler.server.outwaited = not handler.server.closing.wait(_PATIENCE_SECONDS)


def drip(handler: Handler, body: dict[str, Any]) -> None:
    """Send a byte now and then, so that no single read takes long."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    for _ in range(int(_PATIENCE_SECONDS / 0.15)):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        if handler.server.closing.wait(0.15):
            return
    handler.server.outwaited = True


def saying(status: int, data: bytes, **headers: str) -> Answer:
    """Return an answer of this status and body."""
    return lambda handler, body: handler.reply(status, data, **headers)


@contextmanager
def serve(answer: Answer = count_characters) -> Iterator[Server]:
    """Run a server for the time of a test."""
    with Server(answer) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.closing.set()
            server.shutdown()
            thread.join()

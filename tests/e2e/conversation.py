"""Print mode: prompts go in and stream messages come out, as JSON lines, for one client process."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

from .process import Launch, running
from .request import Json

EXIT_SECONDS = 120.0
PRINT_MODE = (
    "--print",
    "--verbose",
    "--include-hook-events",
    "--input-format=stream-json",
    "--output-format=stream-json",
)


@dataclass(frozen=True)
class Keys:
    """Keys that are pressed in a terminal, without Enter behind them."""

    pressed: str


UP, DOWN, ENTER = Keys("\x1b[A"), Keys("\x1b[B"), Keys("\r")
BoundTurn = str | Keys | Callable[[], object]
"""A prompt, keys, or something done before the next one; its client is bound already."""


class ClientTimeoutError(AssertionError):
    """The client took longer than a turn or its exit may take."""


class ClientExitError(AssertionError):
    """The client left before all turns were taken."""


@dataclass(frozen=True)
class Said:
    """What a client process put out: its stream in print mode, its screen in a terminal."""

    exit_code: int
    stream: list[Json] = field(default_factory=list)
    screen: str = ""


def print_turns(
    command: Sequence[str], launch: Launch, turns: Sequence[BoundTurn], turn_seconds: float
) -> Said:
    """Run a client in print mode through the turns."""
    pipe = subprocess.PIPE
    with (
        launch.stderr.open("wb") as stderr,
        running([*command, *PRINT_MODE], launch, pipe, pipe, stderr.fileno()) as process,
    ):
        try:
            return Conversation(process).hold(turns, turn_seconds)
        except ClientExitError as failure:
            failure.add_note(launch.stderr.read_text(encoding="utf-8", errors="replace"))
            raise


class Conversation:
    """Prompts in, stream messages out, for one client process in print mode."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._prompts: IO[bytes] = process.stdin
        self._messages: queue.Queue[Json | None] = queue.Queue()
        self._stream: list[Json] = []
        self._reader = threading.Thread(target=self._read, args=(process.stdout,), daemon=True)

    def hold(self, turns: Sequence[BoundTurn], turn_seconds: float) -> Said:
        """Take every turn, then let the client leave."""
        self._reader.start()
        for turn in turns:
            if callable(turn):
                turn()
            elif isinstance(turn, Keys):
                raise TypeError("keys are pressed in a terminal only")
            else:
                self._take(turn, time.monotonic() + turn_seconds)
        self._prompts.close()
        self._drain(time.monotonic() + EXIT_SECONDS)
        return Said(self._process.wait(EXIT_SECONDS), self._stream)

    def _take(self, prompt: str, deadline: float) -> None:
        line = {"type": "user", "message": {"role": "user", "content": prompt}}
        with suppress(BrokenPipeError):
            self._prompts.write(json.dumps(line).encode() + b"\n")
            self._prompts.flush()
        while (message := self._next(deadline, prompt)) is not None:
            if message.get("type") == "result":
                return
        code = self._process.wait(EXIT_SECONDS)
        raise ClientExitError(f"the client left with code {code} at {prompt!r}")

    def _drain(self, deadline: float) -> None:
        while self._next(deadline, "the exit") is not None:
            pass
        self._reader.join()

    def _next(self, deadline: float, waiting_for: str) -> Json | None:
        try:
            message = self._messages.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            tail = json.dumps(self._stream[-3:])[:2000]
            raise ClientTimeoutError(f"waiting for {waiting_for!r} after {tail}") from None
        if message is not None:
            self._stream.append(message)
        return message

    def _read(self, stdout: IO[bytes]) -> None:
        for line in stdout:
            try:
                self._messages.put(json.loads(line))
            except ValueError:
                self._messages.put({"type": "unparsed", "line": line.decode(errors="replace")})
        self._messages.put(None)

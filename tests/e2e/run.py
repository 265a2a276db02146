"""What one process of the client did: requests, transcript, hook outputs, exit code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .request import Json, Request

if TYPE_CHECKING:
    from .client import Client


@dataclass(frozen=True)
class HookOutput:
    """What a hook answered, as the client's stream reports it.

    The stream leaves out PreCompact, PostCompact, SessionEnd and InstructionsLoaded.
    """

    event: str
    name: str
    stdout: str
    stderr: str
    exit_code: int | None
    outcome: str


@dataclass(frozen=True)
class Run:
    """The record of one client process. Session ids stand in the order in which they were used."""

    client: Client
    requests: Sequence[Request]
    stream: Sequence[Json]
    session_ids: Sequence[str]
    exit_code: int
    stderr: str
    debug_log: Path
    seconds: float
    screen: str = field(default="", repr=False)

    @property
    def session_id(self) -> str:
        """The session which the process ended in."""
        return self.session_ids[-1]

    @property
    def main_requests(self) -> list[Request]:
        """The requests of the session's own loop."""
        return self.of_kind("main")

    @property
    def summary_requests(self) -> list[Request]:
        """The requests for a summary; a subagent's carry its name in `agent`."""
        return self.of_kind("summary")

    def of_kind(self, kind: str) -> list[Request]:
        """Return the requests of one kind."""
        return [request for request in self.requests if request.kind == kind]

    def requests_after_compaction(self, number: int = 1) -> list[Request]:
        """Return the main requests between compaction `number`, counted from 1, and the next.

        A compaction shows itself in the conversation: the summary handed over is a new one, or the
        same one in a conversation which became shorter. Raises LookupError when there were fewer.
        """
        windows: list[list[Request]] = [[]]
        before: Request | None = None
        for request in self.main_requests:
            if compacted_between(before, request):
                windows.append([])
            windows[-1].append(request)
            before = request
        if number >= len(windows):
            raise LookupError(f"compaction {number} of {len(windows) - 1} in {self.outline()}")
        return windows[number]

    def first_request_after_compaction(self, number: int = 1) -> Request:
        """Return the first main request after compaction `number`, counted from 1."""
        return self.requests_after_compaction(number)[0]

    @property
    def compactions(self) -> list[Json]:
        """The metadata of the compactions, from the stream: trigger, pre_tokens and so on."""
        boundaries = self.messages("system", "compact_boundary")
        return [boundary["compact_metadata"] for boundary in boundaries]

    @property
    def boundaries(self) -> list[Json]:
        """The same from the transcript: of all runs of the session, and named in camelCase."""
        return [
            entry["compactMetadata"]
            for entry in self.transcript
            if entry.get("subtype") == "compact_boundary"
        ]

    @property
    def results(self) -> list[Json]:
        """The stream's result messages: one for each prompt."""
        return self.messages("result")

    @property
    def hook_outputs(self) -> list[HookOutput]:
        """Everything that hooks answered, in the order of finishing."""
        return [
            HookOutput(
                message["hook_event"],
                message["hook_name"],
                message.get("stdout", ""),
                message.get("stderr", ""),
                message.get("exit_code"),
                message.get("outcome", ""),
            )
            for message in self.messages("system", "hook_response")
        ]

    def messages(self, kind: str, subtype: str = "") -> list[Json]:
        """Return the stream's messages of a type, and of a subtype where one is given."""
        of_kind = [message for message in self.stream if message.get("type") == kind]
        return [message for message in of_kind if subtype in ("", message.get("subtype"))]

    @property
    def transcript_path(self) -> Path:
        """The transcript of the session which the process ended in."""
        return self.client.transcript_path(self.session_id)

    @property
    def transcript(self) -> list[Json]:
        """The entries of that transcript."""
        return entries(self.transcript_path)

    def outline(self) -> str:
        """Say in one line which requests came, for the messages of failed tests."""
        return " ".join(f"{r.kind}({len(r.messages)})" for r in self.requests)


def compacted_between(before: Request | None, request: Request) -> bool:
    """Tell whether a compaction lies between two main requests that follow each other."""
    summary = request.summary_handed_over()
    if not summary or before is None:
        return False
    return summary != before.summary_handed_over() or len(request.messages) < len(before.messages)


def entries(path: Path) -> list[Json]:
    """Read a JSON Lines file."""
    lines = path.read_bytes().splitlines()
    return [json.loads(line) for line in lines if line.strip()]

"""The real OpenCode client, cut off from the network, against a scripted chat-completions API."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .codex import Answer, OwnHome

Json = dict[str, Any]
LIMIT_TOKENS = 100_000
# A summary of a real model takes 25 seconds and more; the scripted one comes at once.
SUMMARY_SECONDS = 6.0
CONFIG = {
    "model": "scripted/scripted",
    "small_model": "scripted/scripted",
    "autoupdate": False,
    "share": "disabled",
    "provider": {
        "scripted": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Scripted",
            # The address is known when the launcher listens.
            "options": {"baseURL": "{env:ANTHROPIC_BASE_URL}/v1", "apiKey": "dummy"},
            "models": {
                "scripted": {
                    "name": "Scripted",
                    "limit": {"context": LIMIT_TOKENS, "output": 4_000},
                    "tool_call": True,
                }
            },
        }
    },
}


@dataclass
class ChatModel:
    """The scripted model; requests for a title count apart, those for a summary get nothing."""

    answers: Iterator[Answer]
    requests: list[Json] = field(default_factory=list)
    summaries: list[Json] = field(default_factory=list)
    number: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, body: Json) -> str:
        """Return the events of the answer to a request."""
        system = json.dumps(body["messages"][0])
        if "context summarization agent" in system:
            time.sleep(SUMMARY_SECONDS)
        with self.lock:
            self.number += 1
            if "context summarization agent" in system:
                self.summaries.append(body)
                answer = Answer(" ")
            elif "title generator" in system:
                answer = Answer("A title")
            else:
                self.requests.append(body)
                answer = next(self.answers, Answer("Done."))
            return chunks(answer, self.number)


def chunks(answer: Answer, number: int) -> str:
    """Return an answer as the API streams it."""
    delta: Json = {"role": "assistant", "content": answer.text}
    if answer.tool:
        function = {"name": answer.tool, "arguments": json.dumps(answer.given)}
        call = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
        delta["tool_calls"] = [call]
    usage = {"prompt_tokens": answer.tokens, "completion_tokens": 20}
    usage["total_tokens"] = answer.tokens + 20
    reason = "tool_calls" if answer.tool else "stop"
    base = {"id": f"chat_{number}", "object": "chat.completion.chunk", "created": int(time.time())}
    sent = [
        {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        {**base, "choices": [], "usage": usage},
    ]
    return "".join(f"data: {json.dumps(each)}\n\n" for each in sent) + "data: [DONE]\n\n"


class OpenCode(OwnHome):
    """OpenCode; its settings lie in the project."""

    BINARIES = ".cache/opencode/node_modules/opencode-*/bin/opencode"

    def __init__(self, binary: Path, folder: Path, answers: Iterable[Answer]) -> None:
        self.model = ChatModel(iter(answers))
        super().__init__(binary, folder, self.model)
        (self.project / "opencode.json").write_text(json.dumps(CONFIG))

    @property
    def environment(self) -> dict[str, str]:
        """What the client and our commands are given."""
        return {
            **super().environment,
            # A closed port: else each start waits for the registry.
            "npm_config_registry": "http://127.0.0.1:1/",
            "npm_config_fetch_retries": "0",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        }

    def call(self, text: str) -> Sequence[str]:
        """Return the command that gives the client a prompt."""
        return [str(self.binary), "run", *(["-c"] if self.outputs else []), text]

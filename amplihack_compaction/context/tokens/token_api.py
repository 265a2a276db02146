"""Ask the Messages API how many tokens a text has (cold; needs the extra `api`).

One POST to `/v1/messages/count_tokens` with the text as the only message, over one client that
keeps its connection. The text leaves the machine, so this runs only for who switched it on.
"""

import os
import threading
import time
from typing import TYPE_CHECKING

from amplihack_compaction.base.json_objects import parse_object

if TYPE_CHECKING:
    from httpx import Client

KEY_VARIABLE = "ANTHROPIC_API_KEY"
URL_VARIABLE = "ANTHROPIC_BASE_URL"
DEFAULT_URL = "https://api.anthropic.com"
TIME_LIMIT_SECONDS = 0.5
# After a failure nobody waits another half second with every text.
PAUSE_SECONDS = 30.0
_API_VERSION = "2023-06-01"
_OK = 200
_ANSWER_LIMIT_BYTES = 64 * 1024


class CountingApi:
    """The endpoint as one process uses it; safe to call from several threads."""

    def __init__(self, time_limit_seconds: float = TIME_LIMIT_SECONDS) -> None:
        self._limit = time_limit_seconds
        self._resume = 0.0
        self._client: Client | None = None
        self._lock = threading.Lock()

    def count(self, text: str, model: str) -> int | None:
        """Return the API's number, or None when it gave none within the time limit.

        None at once: without a key, model, text or httpx, and for 30 s after a failure.
        """
        key = os.environ.get(KEY_VARIABLE, "").strip()
        if not (key and model and text) or time.monotonic() < self._resume:
            return None
        client = self._shared_client()
        if client is None:
            return None
        answer: list[int | None] = []
        # httpx limits each read, not the whole, and no name lookup: hence a thread, which may
        # outlive the wait.
        worker = threading.Thread(
            target=lambda: answer.append(_ask(client, text, model, key)), daemon=True
        )
        worker.start()
        worker.join(self._limit)
        tokens = answer[0] if answer else None
        if tokens is None:
            self._resume = time.monotonic() + PAUSE_SECONDS
        return tokens

    def _shared_client(self) -> "Client | None":
        try:
            from httpx import Client, InvalidURL
        except ImportError:
            return None
        with self._lock:
            if self._client is None:
                try:
                    self._client = Client(timeout=self._limit)
                except (ImportError, InvalidURL, OSError, ValueError):
                    return None  # the environment names a proxy or certificates of no use
            return self._client

    def close(self) -> None:
        """Close the connection; the next count opens another."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None


def _ask(client: "Client", text: str, model: str, key: str) -> int | None:
    from httpx import HTTPError, InvalidURL

    url = os.environ.get(URL_VARIABLE, "").strip() or DEFAULT_URL
    # Lone surrogates cannot be sent; cl100k is given the same replacement for them.
    content = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    body = {"model": model, "messages": [{"role": "user", "content": content}]}
    headers = {"x-api-key": key, "anthropic-version": _API_VERSION}
    target = f"{url.rstrip('/')}/v1/messages/count_tokens"
    try:
        with client.stream("POST", target, json=body, headers=headers) as response:
            if response.status_code != _OK:
                return None
            data = b""
            for part in response.iter_bytes():
                data += part
                if len(data) > _ANSWER_LIMIT_BYTES:
                    return None
    except (HTTPError, InvalidURL, OSError, ValueError, RuntimeError):
        # ValueError: a key that is no header value. RuntimeError: closed while asking.
        return None
    return _input_tokens(data)


def _input_tokens(data: bytes) -> int | None:
    tokens = (parse_object(data) or {}).get("input_tokens")
    if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
        return None
    return tokens

"""Count the tokens of a text: from the API where that is switched on, or offline.

The API (the extra `api`) gets one POST to `/v1/messages/count_tokens` with the text as the only
message, over one client that keeps its connection. The text leaves the machine, so this runs only
for who switched it on.
"""

import os
import threading
import time
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Literal, TypedDict

from amplihack_compaction.base.files import parse_object
from amplihack_compaction.context.estimate import estimate

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
CACHE_ENTRIES = 1_000
CACHE_SECONDS = 3_600.0


class CountingApi:
    """The endpoint as one process uses it; safe to call from several threads."""

    def __init__(self) -> None:
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
        worker.join(TIME_LIMIT_SECONDS)
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
                    self._client = Client(timeout=TIME_LIMIT_SECONDS)
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
        response = client.post(target, json=body, headers=headers)
    except (HTTPError, InvalidURL, OSError, ValueError, RuntimeError):
        # ValueError: a key that is no header value. RuntimeError: closed while asking.
        return None
    is_usable = response.status_code == _OK and len(response.content) <= _ANSWER_LIMIT_BYTES
    answer = parse_object(response.content) if is_usable else None
    tokens = (answer or {}).get("input_tokens")
    return tokens if type(tokens) is int and tokens >= 0 else None


Source = Literal["api", "cache", "offline"]


class CacheStats(TypedDict):
    """The API's counts that are kept, and what this counter found or did not find of them."""

    size: int
    hits: int
    misses: int


@dataclass(frozen=True, slots=True)
class TokenCountResult:
    """A number of tokens and how far it can be trusted.

    `precision` is 1 for the API's own number, else 1 - the measured p50 error of what made the
    estimate: 0.92 means that half of the counts lie within 8 %. A count from the cache keeps the
    `timestamp` (epoch seconds) of its making.
    """

    count: int
    source: Source
    precision: float
    timestamp: float
    cached: bool


class TokenCounter:
    """Counts what a text adds to a model's context, what wraps it included.

    Holds no text, but for an hour the API's last 1,000 counts by hashes. One instance may be used
    by several threads.
    """

    def __init__(self, *, model: str = "", api: bool = False) -> None:
        """Make a counter; nothing is read, loaded or asked before the first count.

        `model` serves counts that name none; unknown ones count as the newest family. `api` sends
        texts to the Messages API, where ANTHROPIC_API_KEY is set and the extra `api` is installed.
        """
        self.model = model
        self._api = CountingApi() if api else None
        self._lock = threading.Lock()
        # By key the count and when it was made, the oldest first.
        self._kept: dict[bytes, tuple[int, float]] = {}
        self._hits = self._misses = 0

    def count(self, text: str, *, model: str | None = None) -> TokenCountResult:
        """Return the tokens of a text; "" has none.

        Never raises for what the text holds, and takes no longer than the API's 0.5 s and the
        tokenizer, which needs under a second for 1 MB of anything.
        """
        if not text:
            return TokenCountResult(0, "offline", 1.0, time.time(), cached=False)
        # The client names a model's long context `claude-opus-4-6[1m]`; the API does not.
        model = (self.model if model is None else model).partition("[")[0]
        told = self._ask(self._api, text, model) if self._api is not None else None
        if told is not None:
            return told
        made = estimate(text, model)
        tokens, precision = round(made.tokens), 1.0 - made.error
        return TokenCountResult(tokens, "offline", precision, time.time(), cached=False)

    def invalidate_cache(self) -> None:
        """Forget the API's counts."""
        with self._lock:
            self._kept.clear()
            self._hits = self._misses = 0

    def get_cache_stats(self) -> CacheStats:
        """Return how many of the API's counts are kept, and this counter's hits and misses."""
        with self._lock:
            self._drop_old()
            return CacheStats(size=len(self._kept), hits=self._hits, misses=self._misses)

    def close(self) -> None:
        """Close the connection to the API, if there is one."""
        if self._api is not None:
            self._api.close()

    def _ask(self, api: CountingApi, text: str, model: str) -> TokenCountResult | None:
        parts = (part.encode("utf-8", "surrogatepass") for part in (model, text))
        key = blake2b(b"\0".join(parts), digest_size=16).digest()
        with self._lock:
            self._drop_old()
            kept = self._kept.get(key)
            self._hits += kept is not None
            self._misses += kept is None
        if kept is not None:
            return TokenCountResult(kept[0], "cache", 1.0, kept[1], cached=True)
        tokens = api.count(text, model)
        if tokens is None:
            return None
        made = TokenCountResult(tokens, "api", 1.0, time.time(), cached=False)
        with self._lock:
            self._kept[key] = (tokens, made.timestamp)
        return made

    def _drop_old(self) -> None:
        """Drop what is older than an hour, and the oldest of too many; with the lock held."""
        oldest, surplus = time.time() - CACHE_SECONDS, len(self._kept) - CACHE_ENTRIES
        gone = [k for n, k in enumerate(self._kept) if n < surplus or self._kept[k][1] < oldest]
        for key in gone:
            del self._kept[key]


token_counter = TokenCounter()
"""The instance that commands share: offline."""

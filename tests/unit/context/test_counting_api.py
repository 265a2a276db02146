import sys
import time
from collections.abc import Iterator

import pytest

from amplihack_compaction.context.counter import CountingApi
from tests.unit.context.counting_server import Answer, drip, never, saying, serve

MODEL = "claude-opus-4-6"


@pytest.fixture(autouse=True)
def keyed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def api() -> Iterator[CountingApi]:
    api = CountingApi()
    yield api
    api.close()


def test_the_endpoint_is_asked_as_it_wants_to_be(
    api: CountingApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url + "/")
        assert api.count("hello", MODEL) == 5
        ((path, headers, body),) = server.asked
    assert path == "/v1/messages/count_tokens"
    sent = {name.lower(): value for name, value in headers.items()}
    assert (sent["x-api-key"], sent["anthropic-version"]) == ("sk-test", "2023-06-01")
    assert body == {"model": MODEL, "messages": [{"role": "user", "content": "hello"}]}


def test_one_connection_serves_all_counts(
    api: CountingApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert [api.count("a" * n, MODEL) for n in range(1, 6)] == [1, 2, 3, 4, 5]
        assert len(server.connections) == 1
        api.close()
        assert api.count("again", MODEL) == 5


@pytest.mark.parametrize("text", ["\ud800", "a\udc00b", "\ud83d\ude00", "\0", "😀" * 3])
def test_text_that_is_no_utf8_is_sent_all_the_same(
    text: str, api: CountingApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert api.count(text, MODEL)


@pytest.mark.parametrize(("text", "model"), [("", MODEL), ("a", "")])
def test_without_text_or_model_nothing_is_asked(
    text: str, model: str, api: CountingApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert api.count(text, model) is None
        assert api.count("a", MODEL) == 1
        assert len(server.asked) == 1


@pytest.mark.parametrize("key", ["", "  "])
def test_without_a_key_nothing_is_asked(
    key: str, api: CountingApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    with serve() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert api.count("a", MODEL) is None
        assert server.asked == []


@pytest.mark.parametrize("answer", [never, drip])
def test_the_time_limit_holds_for_the_whole_and_is_paid_once(
    answer: Answer, api: CountingApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert api.count("warm", MODEL) == 4
        server.answer = answer
        assert api.count("slow", MODEL) is None
        assert not server.outwaited
        assert [api.count("next", MODEL) for _ in range(100)] == [None] * 100
        assert len(server.asked) == 2


@pytest.mark.parametrize(
    "answer",
    [
        saying(401, b'{"type": "error"}'),
        saying(404, b'{"input_tokens": 5}'),
        saying(307, b"", Location="http://127.0.0.1:9/"),
        saying(500, b"oops"),
        saying(200, b""),
        saying(200, b"<html>"),
        saying(200, b"[5]"),
        saying(200, b"{}"),
        saying(200, b'{"input_tokens": "5"}'),
        saying(200, b'{"input_tokens": true}'),
        saying(200, b'{"input_tokens": -1}'),
        saying(200, b'{"input_tokens": 5, "x": "' + b"x" * 100_000 + b'"}'),
        saying(200, b"no gzip", **{"Content-Encoding": "gzip"}),
    ],
)
def test_an_answer_that_makes_no_sense_is_none(
    answer: Answer, api: CountingApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(answer) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert api.count("hello", MODEL) is None
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9", "nonsense", "http://[", "file:///etc/passwd", "http://\x00"]
)
def test_a_url_that_leads_nowhere_is_no_error(
    url: str, api: CountingApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "\x00" in url:
        url = url.replace("\x00", "\x7f")  # no environment holds a NUL
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
    assert api.count("hello", MODEL) is None


@pytest.mark.parametrize("key", ["schlüssel", "a\nb: c"])
def test_a_key_that_is_no_header_is_no_error(
    key: str, api: CountingApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    with serve() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert api.count("hello", MODEL) is None
        assert server.asked == []


def test_a_proxy_that_is_none_is_no_error(
    api: CountingApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "nonsense://[")
    assert api.count("hello", MODEL) is None


def test_without_httpx_nothing_is_asked(api: CountingApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    assert api.count("hello", MODEL) is None


def test_after_the_pause_the_api_is_asked_again(
    api: CountingApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(saying(529, b"overloaded")) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert api.count("hello", MODEL) is None
        server.answer = saying(200, b'{"input_tokens": 9}')
        assert api.count("hello", MODEL) is None
        later = time.monotonic() + 31
        monkeypatch.setattr("amplihack_compaction.context.counter.time.monotonic", lambda: later)
        assert api.count("hello", MODEL) == 9

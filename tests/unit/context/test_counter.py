import time

import pytest

import amplihack_compaction
from amplihack_compaction.context import counter as counting
from amplihack_compaction.context import estimate as offline
from amplihack_compaction.context.counter import CountingApi, TokenCounter, TokenCountResult
from amplihack_compaction.context.estimate import NEWER_LINE, OLDER_LINE
from tests.unit.context.counting_server import never, saying, serve

MODEL = "claude-opus-4-6"

PROSE = "The quick brown fox jumps over the lazy dog. " * 40
NEWER = "claude-opus-5-5"


@pytest.fixture
def counter() -> TokenCounter:
    return TokenCounter(model=MODEL)


@pytest.fixture
def with_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def test_a_count_says_where_it_comes_from_and_how_good_it_is(counter: TokenCounter) -> None:
    before = time.time()
    result = counter.count(PROSE)
    assert (result.count, result.source, result.cached) == (
        round(105 + 1.144 * 401),
        "offline",
        False,
    )
    assert result.precision == pytest.approx(0.921)
    assert before <= result.timestamp <= time.time()


def test_the_model_named_with_the_count_goes_first(counter: TokenCounter) -> None:
    result = counter.count(PROSE, model=NEWER)
    assert result.count == round(88 + 1.59 * 401)
    assert result.precision == pytest.approx(0.94)
    assert counter.count(PROSE, model=f"{MODEL}[1m]").count == counter.count(PROSE).count


def test_an_empty_text_has_no_tokens_and_is_not_looked_up() -> None:
    counter = TokenCounter(api=True)
    assert counter.count("").count == 0
    assert counter.get_cache_stats() == {"size": 0, "hits": 0, "misses": 0}


def test_without_a_tokenizer_the_count_is_the_character_lines(
    counter: TokenCounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenized = counter.count(PROSE)
    monkeypatch.setattr(offline, "load_encoding", lambda: None)
    by_characters = counter.count(PROSE)
    assert by_characters.count == round(OLDER_LINE.base + OLDER_LINE.cost(PROSE))
    assert by_characters.precision == pytest.approx(0.87)
    assert counter.count(PROSE, model=NEWER).precision == 1 - NEWER_LINE.error
    assert tokenized.count != by_characters.count


@pytest.mark.usefixtures("with_key")
def test_the_api_counts_exactly_where_it_is_switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = TokenCounter(model=MODEL, api=True)
    with serve() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        result = counter.count("hello")
        assert (result.count, result.source, result.precision) == (5, "api", 1.0)
        kept = counter.count("hello")
        assert (kept.count, kept.source, kept.precision) == (5, "cache", 1.0)
        assert (kept.cached, kept.timestamp) == (True, result.timestamp)
        assert counter.get_cache_stats() == {"size": 1, "hits": 1, "misses": 1}
        assert len(server.asked) == 1
        assert TokenCounter(model=MODEL).count("hello").source == "offline"
        counter.invalidate_cache()
        assert counter.get_cache_stats() == {"size": 0, "hits": 0, "misses": 0}
        assert counter.count("hello").source == "api"
        assert len(server.asked) == 2
    counter.close()


@pytest.mark.usefixtures("with_key")
def test_an_answer_of_the_api_serves_for_an_hour_and_of_too_many_the_oldest_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [1_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    monkeypatch.setattr(counting, "CACHE_ENTRIES", 2)
    monkeypatch.setattr(CountingApi, "count", lambda *_: 5)
    counter = TokenCounter(model=MODEL, api=True)
    for text in ("one", "two", "three"):
        counter.count(text)
        now[0] += 1
    assert counter.get_cache_stats()["size"] == 2
    assert [counter.count(text).source for text in ("three", "two", "one")] == [
        "cache", "cache", "api"
    ]  # fmt: skip
    now[0] += 3_600
    assert counter.count("three").source == "api"
    counter.close()


@pytest.mark.usefixtures("with_key")
def test_a_slow_or_failing_api_leaves_the_count_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    for answer in (never, saying(500, b"")):
        counter = TokenCounter(model=MODEL, api=True)
        with serve(answer) as server:
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            result = counter.count(PROSE)
            assert not server.outwaited
            assert result.count == round(105 + 1.144 * 401)
            assert result.precision == pytest.approx(0.921)
            assert len(server.asked) == 1
        counter.close()


def test_without_a_key_the_api_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = TokenCounter(model=MODEL, api=True)
    with serve() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert counter.count("hello").source == "offline"
        assert server.asked == []
    counter.close()


def test_the_package_has_one_counter_for_all() -> None:
    assert amplihack_compaction.token_counter is amplihack_compaction.token_counter
    result = amplihack_compaction.token_counter.count("hello")
    assert isinstance(result, TokenCountResult)
    amplihack_compaction.token_counter.close()

import subprocess
import sys
import time
from pathlib import Path

import pytest

import amplihack_compaction
from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.context.tokens import estimate as offline
from amplihack_compaction.context.tokens.counter import TokenCounter, TokenCountResult
from amplihack_compaction.context.tokens.estimate import NEWER_LINE, OLDER_LINE
from tests.unit.context.tokens.counting_server import never, saying, serve
from tests.unit.context.tokens.sessions import MODEL, session

PROSE = "The quick brown fox jumps over the lazy dog. " * 40
NEWER = "claude-opus-5-5"


@pytest.fixture
def counter(tmp_path: Path) -> TokenCounter:
    return TokenCounter(model=MODEL, cache=tmp_path / "counts")


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


def test_an_empty_text_has_no_tokens_and_is_not_looked_up(counter: TokenCounter) -> None:
    assert counter.count("").count == 0
    assert counter.get_cache_stats() == {"size": 0, "hits": 0, "misses": 0}


def test_the_second_count_comes_from_the_cache_with_the_firsts_precision(
    counter: TokenCounter,
) -> None:
    first = counter.count(PROSE)
    second = counter.count(PROSE)
    assert (second.source, second.cached) == ("cache", True)
    assert (second.count, second.precision, second.timestamp) == (
        first.count,
        first.precision,
        first.timestamp,
    )
    assert counter.get_cache_stats() == {"size": 1, "hits": 1, "misses": 1}


def test_another_process_finds_the_count(counter: TokenCounter, tmp_path: Path) -> None:
    counter.count("shared")
    code = (
        "import sys; sys.path.insert(0, '.')\n"
        "from amplihack_compaction import TokenCounter\n"
        f"print(TokenCounter(model={MODEL!r}, cache=sys.argv[1]).count('shared').source)\n"
        "print([n for n in ('tiktoken', 'httpx') if n in sys.modules])"
    )
    argv = [sys.executable, "-I", "-c", code, str(tmp_path / "counts")]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["cache", "[]"]


def test_an_emptied_cache_counts_anew(counter: TokenCounter) -> None:
    counter.count(PROSE)
    counter.invalidate_cache()
    assert counter.get_cache_stats()["size"] == 0
    assert counter.count(PROSE).source == "offline"


def test_model_and_calibration_have_counts_of_their_own(tmp_path: Path) -> None:
    line = TokenCounter(cache=tmp_path)
    legacy = TokenCounter(cache=tmp_path, calibration="legacy")
    results = [
        line.count(PROSE, model=MODEL),
        line.count(PROSE, model=NEWER),
        legacy.count(PROSE, model=MODEL),
        legacy.count(PROSE, model=NEWER),
    ]
    assert [result.cached for result in results] == [False] * 4
    assert [result.count for result in results[2:]] == [369, 369]
    assert [round(result.precision, 2) for result in results] == [0.92, 0.94, 0.65, 0.50]


def test_an_unknown_calibration_is_refused() -> None:
    with pytest.raises(ValueError, match="'line' or 'legacy', not 'best'"):
        TokenCounter(calibration="best")  # type: ignore[arg-type]


def test_without_a_tokenizer_the_count_is_the_character_lines_and_is_kept_apart(
    counter: TokenCounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenized = counter.count(PROSE)
    monkeypatch.setattr(offline, "is_installed", lambda: False)
    by_characters = counter.count(PROSE)
    assert (by_characters.cached, by_characters.count) == (False, OLDER_LINE.tokens(PROSE))
    assert by_characters.precision == pytest.approx(0.87)
    assert counter.count(PROSE, model=NEWER).precision == 1 - NEWER_LINE.error
    assert tokenized.count != by_characters.count


def test_ranks_that_fail_to_load_are_not_kept_as_cl100k(
    counter: TokenCounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as context:
        context.setattr(offline, "load_encoding", lambda: None)
        assert counter.count(PROSE).count == OLDER_LINE.tokens(PROSE)
    assert counter.count(PROSE).count == round(105 + 1.144 * 401)


@pytest.mark.usefixtures("with_key")
def test_the_api_counts_exactly_where_it_is_switched_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = TokenCounter(model=MODEL, api=True, cache=tmp_path)
    with serve() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        result = counter.count("hello")
        assert (result.count, result.source, result.precision) == (5, "api", 1.0)
        again = counter.count("hello")
        assert (again.count, again.source, again.precision) == (5, "cache", 1.0)
        assert len(server.asked) == 1
        assert TokenCounter(model=MODEL, cache=tmp_path).count("hello").source == "offline"
        assert len(server.asked) == 1
    counter.close()


@pytest.mark.usefixtures("with_key")
def test_a_slow_or_failing_api_leaves_the_count_offline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for answer in (never, saying(500, b"")):
        counter = TokenCounter(model=MODEL, api=True, cache=tmp_path)
        with serve(answer) as server:
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            result = counter.count(PROSE)
            assert not server.outwaited
            assert result.count == round(105 + 1.144 * 401)
            assert result.precision == pytest.approx(0.921)
            assert len(server.asked) == 1
        counter.close()


def test_without_a_key_the_api_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = TokenCounter(model=MODEL, api=True, cache=tmp_path)
    with serve() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert counter.count("hello").source == "offline"
        assert server.asked == []
    counter.close()


def test_the_sessions_own_numbers_correct_its_models_counts(
    counter: TokenCounter, tmp_path: Path
) -> None:
    path = session(40, lambda text: 1.3 * offline.estimate(text, MODEL).tokens).write(
        tmp_path / "s.jsonl"
    )
    plain = counter.count(PROSE)
    other = counter.count(PROSE, model=NEWER)
    correction = counter.calibrate(path)
    assert correction is not None
    assert correction.factor == pytest.approx(1.3, rel=0.01)
    corrected = counter.count(PROSE)
    assert not corrected.cached
    assert corrected.count == pytest.approx(1.3 * plain.count, rel=0.01)
    assert corrected.precision == pytest.approx(1 - correction.error)
    assert counter.count(PROSE, model=NEWER).count == other.count


def test_too_few_pairs_or_the_legacy_factor_correct_nothing(tmp_path: Path) -> None:
    path = session(20, lambda text: 3.0 * len(text)).write(tmp_path / "s.jsonl")
    assert TokenCounter(cache=tmp_path / "c").calibrate(path) is None
    assert TokenCounter(cache=tmp_path / "c", calibration="legacy").calibrate(path) is None
    with pytest.raises(TranscriptError):
        TokenCounter(cache=tmp_path / "c").calibrate(tmp_path / "missing")


def test_a_session_that_no_line_fits_has_no_precision_below_nothing(
    counter: TokenCounter, tmp_path: Path
) -> None:
    path = session(40, lambda text: 1.0).write(tmp_path / "s.jsonl")
    correction = counter.calibrate(path)
    assert correction is not None
    assert correction.factor == 0.5
    assert counter.count(PROSE).precision == 0.0


def test_the_package_has_one_counter_for_all() -> None:
    assert amplihack_compaction.token_counter is amplihack_compaction.token_counter
    result = amplihack_compaction.token_counter.count("hello")
    assert isinstance(result, TokenCountResult)
    assert amplihack_compaction.token_counter.count("hello").cached
    amplihack_compaction.token_counter.close()


def test_a_cache_that_cannot_be_written_does_not_stop_counting(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    counter = TokenCounter(cache=tmp_path / "file" / "counts")
    assert [counter.count("hello").source for _ in range(2)] == ["offline", "offline"]

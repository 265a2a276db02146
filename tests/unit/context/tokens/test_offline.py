import pytest

from amplihack_compaction.context.tokens import exact as offline
from amplihack_compaction.context.tokens.estimate import NEWER_LINE, OLDER_LINE
from amplihack_compaction.context.tokens.exact import (
    PIECE_CHARACTERS,
    Estimate,
    count_cl100k,
    estimate,
    load_encoding,
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
    assert estimate(PROSE, "claude-opus-4-6") == Estimate(105 + 1.144 * n, 0.079, "cl100k")
    assert estimate(PROSE, "claude-opus-5-5") == Estimate(88 + 1.59 * n, 0.060, "cl100k")


def test_the_first_plans_factor_is_reported_at_its_true_error() -> None:
    assert estimate(PROSE, "claude-opus-4-6", "legacy") == Estimate(0.92 * 401, 0.35, "legacy")
    assert estimate(PROSE, "", "legacy") == Estimate(0.92 * 401, 0.50, "legacy")


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


@pytest.mark.parametrize("calibration", ["line", "legacy"])
def test_without_a_tokenizer_the_line_on_characters_serves(
    calibration: offline.Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offline, "is_installed", lambda: False)
    made = estimate("a" * 1000, "claude-opus-4-6", calibration)
    assert (round(made.tokens), made.error, made.method) == (437, OLDER_LINE.error, "characters")
    assert estimate("a" * 1000).error == NEWER_LINE.error


def test_ranks_that_turn_out_wrong_leave_the_line_on_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(offline, "load_encoding", lambda: None)
    assert estimate(PROSE).method == "characters"


def test_a_panic_of_the_tokenizer_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offline, "load_encoding", lambda: Broken(PanicException("overflow")))
    assert count_cl100k("a") is None
    assert estimate("a").method == "characters"


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(2), MemoryError()])
def test_no_other_error_is_mistaken_for_a_panic(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offline, "load_encoding", lambda: Broken(error))
    with pytest.raises(type(error)):
        count_cl100k("a")

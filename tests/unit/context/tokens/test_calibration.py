from pathlib import Path

import pytest

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.context.tokens import calibration
from amplihack_compaction.context.tokens.calibration import (
    LEAST_PAIRS,
    MOST_PAIRS,
    Increment,
    learn,
    read_increments,
)


def by_length(text: str, model: str) -> float:
    return 100 + len(text)


def pairs(count: int, factor: float, model: str = "m") -> list[Increment]:
    texts = ["x" * (50 + n * 37 % 900) for n in range(count)]
    return [Increment(model, text, round(factor * (100 + len(text)))) for text in texts]


def test_a_sessions_own_factor_is_found() -> None:
    correction = learn(pairs(50, 1.3), by_length)
    assert correction is not None
    assert correction.factor == pytest.approx(1.3, rel=0.01)
    assert (correction.model, correction.pairs) == ("m", 50)
    assert correction.error < 0.01


def test_fewer_than_twenty_pairs_teach_nothing() -> None:
    assert learn(pairs(LEAST_PAIRS - 1, 1.3), by_length) is None
    assert learn(pairs(LEAST_PAIRS, 1.3), by_length) is not None
    assert learn([], by_length) is None


@pytest.mark.parametrize(("real", "bounded"), [(9.0, 2.0), (0.01, 0.5)])
def test_the_factor_stays_within_two(real: float, bounded: float) -> None:
    correction = learn(pairs(30, real), by_length)
    assert correction is not None
    assert correction.factor == bounded
    assert correction.error > 0.5


def test_the_newest_pairs_of_the_newest_model_count() -> None:
    older = pairs(300, 0.7) + pairs(40, 1.9, "other")
    correction = learn(older + pairs(MOST_PAIRS, 1.2), by_length)
    assert correction is not None
    assert (correction.model, correction.pairs) == ("m", MOST_PAIRS)
    assert correction.factor == pytest.approx(1.2, rel=0.01)


def test_a_few_wild_pairs_change_nothing() -> None:
    wild = [Increment("m", "x" * 100, 90_000) for _ in range(9)]
    correction = learn(wild + pairs(41, 1.1), by_length)
    assert correction is not None
    assert correction.factor == pytest.approx(1.1, rel=0.02)


def test_an_estimator_that_says_nothing_teaches_nothing() -> None:
    assert learn(pairs(50, 1.3), lambda text, model: 0.0) is None


def test_only_the_newest_part_of_a_large_transcript_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.unit.context.tokens.sessions import session

    path = session(60, lambda text: 105 + len(text) / 3).write(tmp_path / "s.jsonl")
    assert len(list(read_increments(path))) == 59
    monkeypatch.setattr(calibration, "_READ_BYTES", path.stat().st_size // 2)
    assert 20 < len(list(read_increments(path))) < 40


def test_a_transcript_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="missing"):
        list(read_increments(tmp_path / "missing.jsonl"))

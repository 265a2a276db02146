from datetime import UTC, datetime, timedelta, timezone

import pytest

from amplihack_compaction.validation.events import (
    CompactionContext,
    ValidationResult,
    epoch_seconds,
)

NOON = datetime(2026, 1, 22, 12, 0, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "notation",
    [
        "2026-01-22T12:00:00Z",
        "2026-01-22T12:00:00z",
        "2026-01-22T12:00:00.000Z",
        "2026-01-22T14:00:00+02:00",
        "2026-01-22T14:00:00+0200",
        "2026-01-22 14:00:00 +02:00",
        "2026-01-22T04:00:00-08:00",
        "2026-01-22 12:00:00 UTC",
        "2026-01-22T12:00:00 GMT",
        " 2026-01-22T12:00:00 ",
        NOON,
        int(NOON * 1000),
    ],
)
def test_one_moment_is_one_moment_in_every_notation(notation: object) -> None:
    assert epoch_seconds(notation) == NOON


@pytest.mark.parametrize(
    "garbage",
    ["", "yesterday", "2026-13-45T99:00:00Z", None, True, [], {}, float("nan"), 10**400, "\ud800"],
)
def test_garbage_is_no_moment_and_never_raises(garbage: object) -> None:
    assert epoch_seconds(garbage) is None
    assert CompactionContext(timestamp=garbage).age_hours == 0.0  # type: ignore[arg-type]


def test_the_first_year_in_a_far_zone_has_an_age() -> None:
    assert CompactionContext(timestamp="0001-01-01T00:00:00+23:59").is_stale


def test_a_day_is_fresh_and_more_is_stale() -> None:
    def at(hours: float) -> CompactionContext:
        zone = timezone(timedelta(hours=-7))
        moment = datetime.now(zone) - timedelta(hours=hours)
        return CompactionContext(has_compaction_event=True, timestamp=moment.isoformat())

    assert not at(23.9).is_stale
    assert at(24.1).is_stale
    assert at(-5).age_hours == 0.0


def test_a_given_age_is_not_replaced() -> None:
    context = CompactionContext(timestamp="2026-01-22T12:00:00Z", age_hours=3.0)
    assert context.age_hours == 3.0
    assert CompactionContext(is_stale=True).is_stale


def test_the_diagnostics_say_what_is_amiss() -> None:
    assert "No compaction" in CompactionContext().get_diagnostic_summary()
    refused = CompactionContext(has_compaction_event=True, has_security_violation=True)
    assert "outside the project" in refused.get_diagnostic_summary()
    missing = CompactionContext(has_compaction_event=True, note="the file is gone")
    assert "the file is gone" in missing.get_diagnostic_summary()
    stale = CompactionContext(has_compaction_event=True, timestamp="2020-01-01T00:00:00Z")
    assert "stale" in stale.get_diagnostic_summary()


def test_results_do_not_share_their_lists() -> None:
    first, second = ValidationResult(passed=True), ValidationResult(passed=True)
    first.warnings.append("x")
    assert second.warnings == []


def test_the_summary_tells_a_pass_from_a_comparison_that_could_not_be_made() -> None:
    result = ValidationResult(passed=True, used_fallback=True, notes=["the file is in Chinese"])
    summary = result.get_summary()
    assert "passed" in summary
    assert "Could not check" in summary
    assert "the file is in Chinese" in summary
    assert "given transcript" in summary


def test_the_summary_of_a_result_with_an_event_has_the_diagnostics() -> None:
    context = CompactionContext(has_compaction_event=True, turn_at_compaction=7)
    assert "turn 7" in ValidationResult(passed=True, compaction_context=context).get_summary()

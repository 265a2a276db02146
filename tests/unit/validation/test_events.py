import errno
import json
import multiprocessing
import os
import posix
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.validation import events
from amplihack_compaction.validation.events import (
    EVENTS_LIMIT,
    CompactionContext,
    ValidationResult,
    epoch_seconds,
    events_path,
    latest_event,
    read_events,
    record_event,
)
from amplihack_compaction.validation.losses import INJECTED, Fate, LossReport
from amplihack_compaction.validation.matching.verdicts import Label


def stored(project: Path) -> list[dict[str, Any]]:
    value: list[dict[str, Any]] = json.loads(Path(events_path(str(project))).read_text())
    return value


def put(project: Path, text: str) -> Path:
    path = Path(events_path(str(project)))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_recorded_event_has_what_every_reader_expects(project: Path) -> None:
    record_event(str(project), "s", 0, turn_number=4, trigger="auto")
    (event,) = read_events(str(project)).events
    assert event.session_id == "s"
    assert event.turn_number == 4
    assert event.messages_removed == 0
    assert event.pre_compaction_transcript_path == ""
    assert event.timestamp.endswith("Z")
    assert event.extra == {"window_start": 0, "pre_compact_at": "", "trigger": "auto"}


def test_firing_twice_makes_one_event(project: Path) -> None:
    record_event(str(project), "s", 10, turn_number=4, trigger="auto")
    record_event(str(project), "s", 10, messages_removed=9)
    record_event(str(project), "s", 20)
    record_event(str(project), "other", 10)
    first, *others = stored(project)
    assert (first["turn_number"], first["messages_removed"], first["trigger"]) == (4, 9, "auto")
    assert len(others) == 2


def test_a_refresh_keeps_the_time_unless_it_is_given(project: Path) -> None:
    record_event(str(project), "s", 10, timestamp="2026-01-01T00:00:00Z")
    record_event(str(project), "s", 10, messages_removed=9)
    assert stored(project)[0]["timestamp"] == "2026-01-01T00:00:00Z"
    record_event(str(project), "s", 10, timestamp="2026-01-02T00:00:00Z")
    assert stored(project)[0]["timestamp"] == "2026-01-02T00:00:00Z"


def test_foreign_events_and_unknown_keys_stay_as_they_are(project: Path) -> None:
    foreign = {"session_id": "s", "timestamp": "2026-01-01", "mood": ["good"], "turn_number": 3}
    put(project, json.dumps([foreign, "noise", 5]))
    record_event(str(project), "s", 0)
    assert stored(project)[:3] == [foreign, "noise", 5]
    read = read_events(str(project))
    assert read.skipped == 2
    assert read.events[0].extra == {"mood": ["good"]}


def test_the_file_is_private_and_kept_out_of_commits(project: Path) -> None:
    record_event(str(project), "s", 0)
    path = Path(events_path(str(project)))
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert (path.parent / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize("content", ["{ torn", "{}", "[" * 100_000, "\ufeff", "null"])
def test_a_corrupt_file_is_set_aside_and_never_overwritten(project: Path, content: str) -> None:
    path = put(project, content)
    assert read_events(str(project)).problem
    record_event(str(project), "s", 0)
    assert len(stored(project)) == 1
    assert path.with_name(path.name + ".corrupt-1").read_text() == content
    path.write_text("broken again")
    record_event(str(project), "s", 0)
    assert path.with_name(path.name + ".corrupt-2").read_text() == "broken again"


def test_a_file_that_cannot_be_read_now_is_left_as_it_is(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    record_event(str(project), "s", 0)
    with monkeypatch.context() as patch:
        patch.setattr(posix, "pread", fail)
        assert read_events(str(project)).problem
        with pytest.raises(OSError, match="Input/output"):
            record_event(str(project), "s", 1)
    record_event(str(project), "s", 2)
    assert [event["window_start"] for event in stored(project)] == [0, 2]


def test_a_fifo_in_the_files_place_is_set_aside(project: Path) -> None:
    path = put(project, "")
    path.unlink()
    os.mkfifo(path)
    assert read_events(str(project)).problem
    record_event(str(project), "s", 0)
    assert len(stored(project)) == 1


def test_a_file_in_the_folders_place_is_named(project: Path) -> None:
    runtime = Path(events_path(str(project))).parents[1]
    runtime.parent.mkdir()
    runtime.write_text("a file")
    told = f"{runtime} is a file where a folder is needed; move it away"
    assert read_events(str(project)).problem == told


def test_no_file_is_no_problem(project: Path) -> None:
    read = read_events(str(project))
    assert (read.events, read.skipped, read.problem) == ((), 0, "")
    assert read_events("no\0folder").events == ()


def test_only_the_newest_events_are_kept(project: Path) -> None:
    put(project, json.dumps([{"session_id": "s", "window_start": n} for n in range(EVENTS_LIMIT)]))
    record_event(str(project), "s", 10_000)
    kept = stored(project)
    assert len(kept) == EVENTS_LIMIT
    assert kept[0]["window_start"] == 1
    assert kept[-1]["window_start"] == 10_000


def test_values_of_another_type_count_as_missing(project: Path) -> None:
    odd = [
        {"session_id": "s", "turn_number": "45", "messages_removed": 3, "timestamp": 0},
        {"session_id": 5, "turn_number": True, "messages_removed": [], "timestamp": None},
    ]
    put(project, json.dumps(odd))
    first, second = read_events(str(project)).events
    assert (first.turn_number, first.messages_removed, first.timestamp) == (0, 3, "")
    assert (second.session_id, second.turn_number, second.messages_removed) == ("", 0, 0)


def test_the_latest_event_is_the_latest_by_time_in_any_notation(project: Path) -> None:
    times = ["2026-01-22T10:30:00Z", "2026-01-22T13:00:00+02:00", "2026-01-22 10:00", "no time"]
    put(
        project,
        json.dumps(
            [{"session_id": "s", "timestamp": t, "turn_number": n} for n, t in enumerate(times)]
            + [{"session_id": "other", "timestamp": "2030-01-01T00:00:00Z"}]
        ),
    )
    found = latest_event(read_events(str(project)).events, "s")
    assert found is not None
    assert found.turn_number == 1
    assert latest_event(read_events(str(project)).events, "nobody") is None


def test_of_equal_times_the_later_in_the_file_counts(project: Path) -> None:
    put(project, json.dumps([{"session_id": "s", "turn_number": n} for n in range(3)]))
    found = latest_event(read_events(str(project)).events, "s")
    assert found is not None
    assert found.turn_number == 2


def test_a_later_windows_event_is_the_latest_though_the_clock_was_set_back(project: Path) -> None:
    def latest(*pairs: tuple[int | None, str]) -> int | None:
        listed = [
            {"session_id": "s", "timestamp": f"{year}-01-01T00:00:00Z", "turn_number": number}
            | ({} if start is None else {"window_start": start})
            for number, (start, year) in enumerate(pairs)
        ]
        put(project, json.dumps(listed))
        found = latest_event(read_events(str(project)).events, "s")
        return found.turn_number if found else None

    assert latest((0, "2031"), (900, "2026")) == 1
    assert latest((0, "2031"), (900, "2026"), (None, "2027")) == 1
    assert latest((0, "2026"), (900, "2027"), (None, "2031")) == 2
    assert latest((0, "2031"), (900, "no time"), (1000, "2026")) == 2


def record_many(root: str, session: str) -> None:
    for number in range(10):
        record_event(root, session, number, turn_number=number)


def test_concurrent_writers_lose_nothing(project: Path) -> None:
    context = multiprocessing.get_context("fork")
    writers = [
        context.Process(target=record_many, args=(str(project), f"s{number}"))
        for number in range(6)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert {writer.exitcode for writer in writers} == {0}
    names = {(event["session_id"], event["window_start"]) for event in stored(project)}
    assert len(names) == 60


def test_a_lock_held_for_too_long_is_said(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "LOCK_TIMEOUT_SECONDS", 0.05)
    record_event(str(project), "s", 0)
    with FileLock(events_path(str(project)) + ".lock"), pytest.raises(CompactionError):
        record_event(str(project), "s", 1)


def test_any_text_is_stored_and_read_back(project: Path) -> None:
    record_event(str(project), "séance \ud800", 0, note="路径 \U0001f600")
    (event,) = read_events(str(project)).events
    assert event.session_id == "séance \ud800"
    assert event.extra["note"] == "路径 \U0001f600"


def test_a_file_system_that_gives_up_is_no_lock_held_by_others(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(*_: object) -> None:
        raise TimeoutError(errno.ETIMEDOUT, "Connection timed out")

    monkeypatch.setattr(events, "replace_atomically", give_up)
    with pytest.raises(OSError, match="Connection timed out"):
        record_event(str(project), "s", 0)


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
    ],
)
def test_one_moment_is_one_moment_in_every_notation(notation: str) -> None:
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
    for hours, told in ((30.0, "30.0 hours ago"), (49.0, "2 days ago"), (6941.9, "289 days ago")):
        stale.age_hours = hours
        assert f"; {told}, stale" in stale.get_diagnostic_summary()


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


def test_a_pass_names_the_values_that_the_model_no_longer_has() -> None:
    fates = (
        Fate("value", Label.DROPPED, "TR-208-4"),
        Fate("value", Label.DROPPED, "TR-208-5", beside=INJECTED),
    )
    result = ValidationResult(passed=True, losses=LossReport(fates))
    named = "Exact values that the model has from nowhere: TR-208-4."
    assert named in result.get_summary().splitlines()
    assert "from nowhere" not in ValidationResult(passed=True, losses=LossReport()).get_summary()


def test_the_summary_of_a_result_with_an_event_has_the_diagnostics() -> None:
    context = CompactionContext(has_compaction_event=True, turn_at_compaction=7)
    assert "turn 7" in ValidationResult(passed=True, compaction_context=context).get_summary()

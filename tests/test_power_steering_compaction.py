"""The 34 tests of the original guide: the interface that its users' code relies on."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction import (
    CompactionContext,
    CompactionValidator,
    PowerSteeringChecker,
    ValidationResult,
)

pytestmark = pytest.mark.guide

SESSION = "guide-session"
Message = dict[str, Any]


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def assistant(text: str) -> Message:
    return {"role": "assistant", "content": text}


def hours_ago(hours: float) -> str:
    return (datetime.now(UTC) - timedelta(hours=hours)).isoformat()


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    folder = tmp_path / ".claude" / "runtime" / "power-steering"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def validator(tmp_path: Path, runtime: Path) -> CompactionValidator:
    return CompactionValidator(tmp_path)


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    folder = tmp_path / ".claude" / "tools" / "amplihack"
    folder.mkdir(parents=True)
    (folder / ".power_steering_config").write_text(
        json.dumps({"enabled": True, "checkers_enabled": {"compaction_handling": True}})
    )
    return folder


@pytest.fixture
def checker(tmp_path: Path, runtime: Path, tools: Path) -> PowerSteeringChecker:
    return PowerSteeringChecker(tmp_path)


@pytest.fixture
def record(runtime: Path) -> Callable[..., Path]:
    """Write an event and, where messages are given, the transcript that it names."""

    def write(before: list[Message] | None = None, **keys: Any) -> Path:
        path = runtime / "before.json"
        event = {
            "timestamp": hours_ago(0.5),
            "turn_number": 45,
            "messages_removed": 30,
            "pre_compaction_transcript_path": str(path),
            "session_id": SESSION,
            **keys,
        }
        (runtime / "compaction_events.json").write_text(json.dumps([event]))
        if before is not None:
            path.write_text(json.dumps(before))
        return path

    return write


def compaction_of(result: Any) -> Any:
    return next(item for item in result.considerations if item.id == "compaction_handling")


class TestCompactionContext:
    def test_defaults_mean_that_nothing_was_compacted(self) -> None:
        context = CompactionContext()
        assert context.has_compaction_event is False
        assert (context.turn_at_compaction, context.messages_removed) == (0, 0)
        assert context.pre_compaction_transcript is None
        assert context.timestamp is None
        assert (context.is_stale, context.age_hours) == (False, 0.0)
        assert context.has_security_violation is False

    def test_age_and_staleness_follow_from_the_timestamp(self) -> None:
        fresh = CompactionContext(has_compaction_event=True, timestamp=hours_ago(2))
        assert 1.9 < fresh.age_hours < 2.2
        assert not fresh.is_stale
        old = CompactionContext(has_compaction_event=True, timestamp=hours_ago(30))
        assert old.is_stale

    def test_the_diagnostic_summary_names_turn_and_number_removed(self) -> None:
        summary = CompactionContext(
            has_compaction_event=True,
            turn_at_compaction=45,
            messages_removed=30,
            pre_compaction_transcript=[user("hello")],
            timestamp="2026-01-22T10:00:00Z",
        ).get_diagnostic_summary()
        assert "45" in summary
        assert "30" in summary
        assert "compaction" in summary.lower()


class TestValidationResult:
    def test_a_passed_result_needs_nothing_else(self) -> None:
        result = ValidationResult(passed=True)
        assert result.passed
        assert (result.warnings, result.recovery_steps) == ([], [])
        assert result.used_fallback is False
        assert result.compaction_context.has_compaction_event is False

    def test_a_failed_result_carries_warnings_and_steps(self) -> None:
        context = CompactionContext(has_compaction_event=True, turn_at_compaction=45)
        result = ValidationResult(
            passed=False,
            warnings=["TODO items are gone"],
            recovery_steps=["Recreate the list"],
            compaction_context=context,
            used_fallback=True,
        )
        assert not result.passed
        assert result.warnings == ["TODO items are gone"]
        assert result.recovery_steps == ["Recreate the list"]
        assert result.compaction_context is context

    def test_the_summary_prints_every_warning_and_step(self) -> None:
        summary = ValidationResult(
            passed=False,
            warnings=["First warning, 100 %", "Second warning"],
            recovery_steps=["Look back", "Recreate the TODO list"],
        ).get_summary()
        for text in ("First warning, 100 %", "Second warning", "Look back", "Recreate the TODO"):
            assert text in summary


def test_happy_path_valid_compaction_load(
    validator: CompactionValidator, record: Callable[..., Path]
) -> None:
    record([user("Hello"), assistant("Hi")])
    context = validator.load_compaction_context(SESSION)
    assert context.has_compaction_event
    assert context.turn_at_compaction == 45
    assert context.messages_removed == 30
    assert context.pre_compaction_transcript == [user("Hello"), assistant("Hi")]
    assert not context.has_security_violation


def test_path_traversal_attack_prevented(
    validator: CompactionValidator, record: Callable[..., Path]
) -> None:
    record(pre_compaction_transcript_path="../../../etc/passwd")
    context = validator.load_compaction_context(SESSION)
    assert context.has_compaction_event
    assert context.pre_compaction_transcript is None
    assert context.has_security_violation


def test_multiple_compaction_events_uses_latest(
    validator: CompactionValidator, runtime: Path
) -> None:
    events = [
        {
            "timestamp": stamp,
            "turn_number": turn,
            "messages_removed": turn // 2,
            "pre_compaction_transcript_path": "",
            "session_id": SESSION,
        }
        for stamp, turn in (
            ("2026-01-22T09:00:00Z", 40),
            ("2026-01-22T11:30:00+02:00", 60),
            ("2026-01-22T11:00:00+02:00", 50),
        )
    ]
    (runtime / "compaction_events.json").write_text(json.dumps(events))
    context = validator.load_compaction_context(SESSION)
    assert (context.turn_at_compaction, context.messages_removed) == (60, 30)


def test_stale_compaction_event_marked_as_stale(
    validator: CompactionValidator, record: Callable[..., Path]
) -> None:
    record([], timestamp=hours_ago(25))
    context = validator.load_compaction_context(SESSION)
    assert context.is_stale
    assert context.age_hours > 24


def test_validate_todo_preservation(validator: CompactionValidator) -> None:
    before = [
        user("Build feature X"),
        assistant("TODO: Implement feature X\nTODO: Write tests\nTODO: Update docs"),
    ]
    after = [user("How is it going?"), assistant("Still on it")]
    result = validator.validate_todos(pre_compaction=before, post_compaction=after)
    assert not result.passed
    assert any("TODO" in warning for warning in result.warnings)
    assert any("recreate" in step.lower() for step in result.recovery_steps)
    assert any("Write tests" in step for step in result.recovery_steps)


def test_validate_objectives_preservation(validator: CompactionValidator) -> None:
    before = [
        user("I need to implement compaction handling for power-steering"),
        assistant("I'll help you do that"),
    ]
    after = [user("What's next?"), assistant("Let me look")]
    result = validator.validate_objectives(pre_compaction=before, post_compaction=after)
    assert not result.passed
    assert any("objective" in warning.lower() for warning in result.warnings)
    assert any("restate" in step.lower() for step in result.recovery_steps)


def test_validate_recent_context_preservation(validator: CompactionValidator) -> None:
    before = [user(f"Message {number}") for number in range(100)]
    context = CompactionContext(
        has_compaction_event=True, turn_at_compaction=85, messages_removed=10
    )
    result = validator.validate_recent_context(
        pre_compaction=before, post_compaction=before[:80] + before[91:], context=context
    )
    assert not result.passed
    assert any("recent" in warning.lower() for warning in result.warnings)
    assert any("81-86" in warning for warning in result.warnings)


def test_end_to_end_validation_success(
    validator: CompactionValidator, record: Callable[..., Path]
) -> None:
    todos = assistant("TODO: Task 1\nTODO: Task 2")
    record([user("Implement feature X"), todos, user("Great")], turn_number=2, messages_removed=1)
    result = validator.validate(transcript=[todos, user("Great")], session_id=SESSION)
    assert result.passed
    assert result.warnings == []
    assert result.compaction_context.has_compaction_event
    assert not result.used_fallback


def test_end_to_end_validation_failure(
    validator: CompactionValidator, record: Callable[..., Path]
) -> None:
    record([user("Implement compaction handling"), assistant("TODO: Write the validator")])
    result = validator.validate(transcript=[user("What should I do?")], session_id=SESSION)
    assert not result.passed
    assert result.warnings
    assert result.recovery_steps


def test_corrupt_events_are_no_compaction(validator: CompactionValidator, runtime: Path) -> None:
    (runtime / "compaction_events.json").write_text("{ not json [[[")
    context = validator.load_compaction_context(SESSION)
    assert not context.has_compaction_event
    assert context.turn_at_compaction == 0


def test_missing_events_are_no_compaction(validator: CompactionValidator) -> None:
    assert not validator.load_compaction_context(SESSION).has_compaction_event
    result = validator.validate(transcript=[user("Hello")], session_id=SESSION)
    assert result.passed
    assert result.warnings == []


def test_a_missing_transcript_leaves_the_event(
    validator: CompactionValidator, record: Callable[..., Path]
) -> None:
    record()
    context = validator.load_compaction_context(SESSION)
    assert context.has_compaction_event
    assert context.pre_compaction_transcript is None
    assert not context.has_security_violation


def test_an_empty_transcript_stays_empty(
    validator: CompactionValidator, record: Callable[..., Path]
) -> None:
    record([])
    assert validator.load_compaction_context(SESSION).pre_compaction_transcript == []


def test_a_large_transcript_loads_whole(
    validator: CompactionValidator, record: Callable[..., Path]
) -> None:
    record([user(f"Message {number}") for number in range(1500)], turn_number=1450)
    context = validator.load_compaction_context(SESSION)
    assert context.pre_compaction_transcript is not None
    assert len(context.pre_compaction_transcript) == 1500


def test_the_given_transcript_serves_where_the_other_is_missing(
    validator: CompactionValidator, record: Callable[..., Path]
) -> None:
    record(pre_compaction_transcript_path="/broken/path.json")
    result = validator.validate(transcript=[user("Something")], session_id=SESSION)
    assert result.used_fallback
    assert result.compaction_context.has_compaction_event


def test_without_any_transcript_the_check_fails_open(
    validator: CompactionValidator, record: Callable[..., Path]
) -> None:
    record()
    result = validator.validate(transcript=None, session_id=SESSION)
    assert result.passed
    assert result.notes


def test_a_link_out_of_the_project_is_refused(
    tmp_path_factory: pytest.TempPathFactory,
    validator: CompactionValidator,
    record: Callable[..., Path],
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.json"
    outside.write_text("[]")
    record().symlink_to(outside)
    context = validator.load_compaction_context(SESSION)
    assert context.has_security_violation
    assert context.pre_compaction_transcript is None


def test_a_fifo_is_refused_at_once(
    validator: CompactionValidator, record: Callable[..., Path]
) -> None:
    os.mkfifo(record())
    assert validator.load_compaction_context(SESSION).pre_compaction_transcript is None


def test_the_check_is_part_of_the_suite(checker: PowerSteeringChecker) -> None:
    result = checker.check([user("Hello"), assistant("Hi")], session_id=SESSION)
    answer = compaction_of(result)
    assert answer.satisfied
    assert answer.executed


def test_the_check_sees_a_handled_compaction(
    checker: PowerSteeringChecker, record: Callable[..., Path]
) -> None:
    todos = assistant("TODO: Step 1\nTODO: Step 2")
    record([user("Task: Implement feature"), todos])
    result = checker.check([todos, user("Great")], session_id=SESSION)
    assert compaction_of(result).satisfied
    assert result.compaction_context.has_compaction_event


def test_the_check_fails_when_todos_are_lost(
    checker: PowerSteeringChecker, record: Callable[..., Path]
) -> None:
    record([user("Task: Implement feature"), assistant("TODO: Step 1\nTODO: Step 2\nTODO: Step 3")])
    result = checker.check([user("What should I do?"), assistant("Let me see")], SESSION)
    answer = compaction_of(result)
    assert not answer.satisfied
    assert "TODO" in answer.reason


def test_the_check_says_how_to_recover(
    checker: PowerSteeringChecker, record: Callable[..., Path]
) -> None:
    record([user("I need to implement compaction handling"), assistant("I'll help with that")])
    result = checker.check([user("What's next?")], session_id=SESSION)
    steps = " ".join(compaction_of(result).recovery_steps)
    assert "restate" in steps.lower()
    assert "compaction handling" in steps


def test_the_check_carries_diagnostics(
    checker: PowerSteeringChecker, record: Callable[..., Path]
) -> None:
    record([user("Hello")])
    context = checker.check([user("Hello")], session_id=SESSION).compaction_context
    assert (context.turn_at_compaction, context.messages_removed) == (45, 30)
    assert "45" in context.get_diagnostic_summary()


def test_the_check_survives_corrupt_events(checker: PowerSteeringChecker, runtime: Path) -> None:
    (runtime / "compaction_events.json").write_text("[{]")
    assert compaction_of(checker.check([user("Hello")], session_id=SESSION)).satisfied


def test_the_check_can_be_turned_off(tmp_path: Path, runtime: Path, tools: Path) -> None:
    (tools / "considerations.yaml").write_text(
        "- id: compaction_handling\n"
        "  checker: _check_compaction_handling\n"
        "  severity: warning\n"
        "  enabled: false\n"
    )
    result = PowerSteeringChecker(tmp_path).check([user("Hello")], session_id=SESSION)
    assert not compaction_of(result).executed


def test_a_stale_event_is_still_checked(
    checker: PowerSteeringChecker, record: Callable[..., Path]
) -> None:
    record([assistant("TODO: Rotate the certificates")], timestamp=hours_ago(48))
    result = checker.check([user("Hello again")], session_id=SESSION)
    assert result.compaction_context.is_stale
    assert not compaction_of(result).satisfied


def test_a_large_session_is_checked(
    checker: PowerSteeringChecker, record: Callable[..., Path]
) -> None:
    messages = [
        (user if number % 2 == 0 else assistant)(f"Message {number}") for number in range(1100)
    ]
    record(messages[:1000], turn_number=950, messages_removed=900)
    result = checker.check(messages[950:], session_id=SESSION)
    assert compaction_of(result).satisfied


def test_a_refused_path_does_not_fail_the_check(
    checker: PowerSteeringChecker, record: Callable[..., Path]
) -> None:
    record(pre_compaction_transcript_path="../../../etc/passwd")
    result = checker.check([user("Test")], session_id=SESSION)
    assert result.compaction_context.has_security_violation
    assert compaction_of(result).satisfied
    assert checker._check_compaction_handling([user("Test")], SESSION)

import json
import os
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.validation.events import record_event
from amplihack_compaction.validation.power_steering import (
    COMPACTION_HANDLING,
    DEFAULTS,
    CheckedConsideration,
    PowerSteeringChecker,
    load_steering,
)
from tests.support.sessions import make_own_tools

HELLO = [{"role": "user", "content": "Hello"}]


@pytest.fixture
def tools(project: Path) -> Path:
    folder = project / ".claude" / "tools" / "amplihack"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def own_tools(project: Path) -> Path:
    return make_own_tools()


def answers(project: Path) -> dict[str, CheckedConsideration]:
    result = PowerSteeringChecker(project).check(HELLO, "s")
    return {item.id: item for item in result.considerations}


def test_without_files_the_compaction_is_considered(project: Path) -> None:
    steering = load_steering(str(project))
    assert steering.enabled
    assert steering.considerations == DEFAULTS
    assert steering.notes == []
    result = PowerSteeringChecker(project).check(HELLO, session_id="s")
    assert result.satisfied
    assert result.considerations[0].executed


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".power_steering_config", '{"enabled": false}'),
        (".power_steering_config", '{"checkers_enabled": {"compaction_handling": false}}'),
        ("considerations.yaml", "- {id: compaction_handling, enabled: false}"),
        ("considerations.yaml", "- {id: compaction_handling, checker: none}"),
    ],
)
def test_a_repository_cannot_switch_the_check_off(
    project: Path, tools: Path, file: str, text: str
) -> None:
    (tools / file).write_text(text)
    checker = PowerSteeringChecker(project, is_switched_by_project=False)
    result = checker.check(HELLO, "s")
    assert result.enabled
    assert result.considerations[0].executed
    assert any("cannot switch off" in note for note in result.notes)


def test_the_users_own_switch_holds_whatever_a_repository_says(
    project: Path, tools: Path, own_tools: Path
) -> None:
    (tools / ".power_steering_config").write_text('{"enabled": true}')
    (tools / "considerations.yaml").write_text("- {id: compaction_handling, enabled: true}")
    (own_tools / "considerations.yaml").write_text("- {id: compaction_handling, enabled: false}")
    assert not answers(project)[COMPACTION_HANDLING].executed


def test_enabled_false_turns_everything_off(project: Path, own_tools: Path) -> None:
    (own_tools / ".power_steering_config").write_text('{"enabled": false}')
    result = PowerSteeringChecker(project).check(HELLO, "s")
    assert not result.enabled
    assert not any(item.executed for item in result.considerations)
    assert result.satisfied


def test_a_single_checker_can_be_turned_off(project: Path, own_tools: Path) -> None:
    (own_tools / ".power_steering_config").write_text(
        json.dumps({"checkers_enabled": {COMPACTION_HANDLING: False, "other": True}})
    )
    assert not answers(project)[COMPACTION_HANDLING].executed


def test_considerations_are_read_from_yaml(project: Path, tools: Path) -> None:
    (tools / "considerations.yaml").write_text(
        "- id: compaction_handling\n"
        "  question: Was it handled?\n"
        "  severity: blocker\n"
        "  enabled: true\n"
        "- id: tests_pass\n"
        "  checker: _check_tests\n"
    )
    found = answers(project)
    assert found[COMPACTION_HANDLING].executed
    assert found[COMPACTION_HANDLING].question == "Was it handled?"
    assert found[COMPACTION_HANDLING].severity == "blocker"
    assert not found["tests_pass"].executed
    assert found["tests_pass"].satisfied
    assert "_check_tests" in found["tests_pass"].reason


@pytest.mark.parametrize("name", ["check", "__init__", "__class__", "_validate", "validator"])
def test_a_name_from_the_file_reaches_no_other_method(
    project: Path, tools: Path, name: str
) -> None:
    (tools / "considerations.yaml").write_text(json.dumps([{"id": "x", "checker": name}]))
    result = PowerSteeringChecker(project).check(HELLO, "s")
    (item,) = [item for item in result.considerations if item.id == "x"]
    assert not item.executed
    assert any(name in note for note in result.notes)


@pytest.mark.parametrize(
    "content",
    [
        "[unclosed",
        "a: b",
        "!!python/object/apply:os.system ['true']",
        "- &a {id: x}\n- *a\n",
        "- {[1]: 2}\n- ? {a: b}\n  : c\n",
        "[" * 5_000,
        "- id: 5\n",
        "- text\n",
        "#" * 70_000,
        "\x00",
    ],
)
def test_a_broken_yaml_file_is_noted_and_the_defaults_hold(
    project: Path, tools: Path, content: str
) -> None:
    (tools / "considerations.yaml").write_text(content)
    checker = PowerSteeringChecker(project)
    result = checker.check(HELLO, "s")
    assert result.considerations[0].executed
    assert result.notes


@pytest.mark.parametrize("content", ["{", "[]", "5", "\ufeff", "[" * 100_000])
def test_a_broken_config_is_noted_and_the_defaults_hold(
    project: Path, tools: Path, content: str
) -> None:
    (tools / ".power_steering_config").write_text(content)
    steering = load_steering(str(project))
    assert steering.enabled
    assert steering.notes


def test_odd_values_in_the_config_change_nothing(project: Path, tools: Path) -> None:
    (tools / ".power_steering_config").write_text('{"enabled": "no", "checkers_enabled": 5}')
    (tools / "considerations.yaml").write_text("")
    steering = load_steering(str(project))
    assert steering.enabled
    assert steering.considerations == DEFAULTS
    assert steering.notes == []


def test_a_fifo_for_a_file_is_not_waited_for(project: Path, tools: Path) -> None:
    os.mkfifo(tools / "considerations.yaml")
    assert load_steering(str(project)).notes


def test_the_answer_names_what_was_lost(project: Path) -> None:
    (project / "t.json").write_text(
        json.dumps([{"role": "assistant", "content": "TODO: Rotate the signing keys"}])
    )
    record_event(str(project), "s", 0, pre_compaction_transcript_path="t.json")
    checker = PowerSteeringChecker(project)
    result = checker.check(HELLO, "s")
    assert not result.satisfied
    assert "Rotate the signing keys" in result.considerations[0].reason
    assert "Rotate the signing keys" in " ".join(result.considerations[0].recovery_steps)
    assert result.compaction_context.has_compaction_event
    assert not checker._check_compaction_handling(HELLO, "s")


def test_what_could_not_be_checked_is_said_and_passes(project: Path) -> None:
    record_event(str(project), "s", 0)
    result = PowerSteeringChecker(project).check(None, "s")
    assert result.considerations[0].satisfied
    assert result.considerations[0].reason
    assert result.notes


def test_a_fault_in_the_validator_fails_open(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checker = PowerSteeringChecker(project)

    def fail(**keywords: Any) -> None:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr(checker.validator, "validate", fail)
    assert checker._check_compaction_handling(HELLO, "s")
    result = checker.check(HELLO, "s")
    assert result.satisfied
    assert "unforeseen" in result.notes[0]

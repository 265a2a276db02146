"""Levels, stages and the band between two of them."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.base.settings import RATIOS, Settings
from amplihack_compaction.context.levels import (
    ACTION_STAGES,
    LEVELS,
    NEVER_TOKENS,
    RECOMMENDATIONS,
    STAGES,
    ContextStatus,
    Level,
    band,
    compaction_config,
    crossed_stages,
    level_of_stage,
    next_threshold,
    stage_after_fall,
    stage_of,
    warning_of,
)
from amplihack_compaction.context.meter import Limit, Measure, make_status

DEFAULTS = Settings().ratios
LIMIT = 167_000


def status(tokens: int, model: str = "claude-opus-5-5", exact: bool = True) -> ContextStatus:
    measure = Measure(tokens, model, -1, exact)
    return make_status(measure, Limit(LIMIT, 200_000, "learnt"), Settings())


@pytest.mark.parametrize(
    ("ratio", "stage", "level"),
    [
        (0, 0, "raw"), (0.6999, 0, "raw"), (0.70, 1, "compact"), (0.80, 2, "compact"),
        (0.85, 3, "summarize"), (0.90, 4, "summarize"), (0.95, 5, "handoff"), (7, 5, "handoff"),
    ],
)  # fmt: skip
def test_a_ratio_lies_on_a_rung_and_a_level(ratio: float, stage: int, level: str) -> None:
    assert stage_of(ratio, DEFAULTS) == stage
    assert level_of_stage(stage) == level


def test_the_rungs_are_the_ratios_of_the_settings() -> None:
    assert tuple(f"{stage}_ratio" for stage in STAGES) == RATIOS
    assert list(LEVELS) == [0, 1, 3, 5]
    assert sorted(ACTION_STAGES) == [2, 4, 5]


@pytest.mark.parametrize(
    ("told", "ratio", "still"),
    [(1, 0.66, 1), (1, 0.64, 0), (3, 0.81, 3), (3, 0.79, 2), (5, 0.1, 0), (2, 0.99, 2)],
)
def test_a_rung_is_given_back_only_after_a_real_fall(told: int, ratio: float, still: int) -> None:
    assert stage_after_fall(told, ratio, DEFAULTS) == still


@given(st.integers(0, 300_000), st.integers(0, 5))
def test_between_the_marks_of_a_band_nothing_is_to_be_done(tokens: int, told: int) -> None:
    ratio = tokens / LIMIT
    standing = stage_after_fall(told, ratio, DEFAULTS)
    reached = stage_of(ratio, DEFAULTS)
    low, high = band(max(standing, reached), LIMIT, DEFAULTS)
    assert low <= tokens < high
    inside_before = band(told, LIMIT, DEFAULTS)
    quiet = inside_before[0] <= tokens < inside_before[1]
    assert quiet == (standing == told and reached <= told)


def test_the_last_band_has_no_end() -> None:
    assert band(5, LIMIT, DEFAULTS)[1] == NEVER_TOKENS
    assert band(0, LIMIT, (0.01, 0.02, 0.03, 0.04, 0.05))[0] == 0
    assert band(1, LIMIT, (0.01, 0.02, 0.03, 0.04, 0.05))[0] == 0


def test_the_next_level_is_named() -> None:
    following = [next_threshold(stage, DEFAULTS) for stage in range(6)]
    assert following == [70.0, 85.0, 85.0, 95.0, 95.0, None]


def test_a_status_keeps_the_originals_names_in_json() -> None:
    shown = json.loads(json.dumps(status(123_580).to_json()))
    assert shown["usagePercentage"] == 74.0
    assert shown["currentTokens"] == 123_580
    assert shown["maxTokens"] == LIMIT
    assert shown["canContinue"] is True
    assert shown["level"] == "compact"
    assert shown["nextThreshold"] == 85.0
    assert shown["precision"] == 0.0007


def test_an_estimate_or_an_unknown_model_has_no_measured_precision() -> None:
    assert status(1000, exact=False).precision is None
    assert status(1000, model="glm-9").precision is None


def test_a_full_context_cannot_go_on() -> None:
    assert status(166_999).can_continue
    assert not status(LIMIT).can_continue


@pytest.mark.parametrize(
    ("tokens", "severity"), [(120_000, "warning"), (145_000, "critical"), (160_000, "emergency")]
)
def test_each_level_warns_with_its_own_severity(tokens: int, severity: str) -> None:
    warning = warning_of(status(tokens))
    assert warning is not None
    assert warning.severity == severity
    assert warning.message == f"Context {round(tokens / 2000)} % full, compacts at 84 %."
    assert len(f"{warning.message} {warning.action}") <= 120


def test_where_the_client_does_not_compact_the_limit_is_an_end() -> None:
    for source, said in (
        ("client: DISABLE_AUTO_COMPACT", "ends at 84 %"),
        ("model family claude-sonnet-4, not compacted by the client", "ends at 84 %"),
        ("settings", "your limit at 84 %"),
    ):
        warning = warning_of(replace(status(120_000), source=source))
        assert warning is not None
        assert said in warning.message


def test_from_the_limit_on_there_is_no_warning() -> None:
    assert warning_of(status(LIMIT)) is None


def test_with_room_there_is_no_warning() -> None:
    assert warning_of(status(1000)) is None


def test_the_levels_in_force_come_from_the_settings() -> None:
    config = compaction_config(Settings(compact_ratio=0.5, token_api=True))
    assert [(each.level, each.threshold) for each in config.thresholds] == [
        ("raw", 0.0), ("compact", 0.5), ("summarize", 0.85), ("handoff", 0.95),
    ]  # fmt: skip
    assert config.token_counter["api"] is True


def test_only_the_clients_own_slash_commands_are_recommended() -> None:
    texts = [RECOMMENDATIONS[level] for level in get_args(Level)]
    named = {word for text in texts for word in text.split() if "/" in word}
    assert {word.strip(";.,") for word in named} == {"/compact", "/clear"}


GIVEN_RATIOS = (0.70, 0.80, 0.85, 0.90, 0.95)


def cross(folder: Path, ratio: float, boundary: int = -1) -> list[int]:
    with crossed_stages(str(folder), boundary, ratio, GIVEN_RATIOS) as crossed:
        assert crossed is not None
    return crossed[0]


def begin(folder: Path, ratio: float) -> list[int]:
    """Return the stages that are taken by a process that is killed before it has done them."""
    with (
        suppress(KeyboardInterrupt),
        crossed_stages(str(folder), -1, ratio, GIVEN_RATIOS) as crossed,
    ):
        raise KeyboardInterrupt
    assert crossed is not None
    return crossed[0]


def test_each_rung_is_taken_once_and_a_jump_takes_all(tmp_path: Path) -> None:
    assert cross(tmp_path, 0.5) == []
    assert cross(tmp_path, 0.71) == [1]
    assert cross(tmp_path, 0.79) == []
    assert cross(tmp_path, 0.93) == [2, 3, 4]
    with crossed_stages(str(tmp_path), -1, 0.93, GIVEN_RATIOS) as crossed:
        assert crossed == ([], 4)


def test_a_small_fall_gives_nothing_back_and_a_real_one_does(tmp_path: Path) -> None:
    cross(tmp_path, 0.86)
    assert cross(tmp_path, 0.81) == []
    assert cross(tmp_path, 0.86) == []
    assert cross(tmp_path, 0.5) == []
    assert cross(tmp_path, 0.86) == [1, 2, 3]


def test_a_compaction_begins_anew(tmp_path: Path) -> None:
    cross(tmp_path, 0.96)
    assert cross(tmp_path, 0.71, boundary=1000) == [1]


def test_of_two_processes_one_is_at_the_levels(tmp_path: Path) -> None:
    given = str(tmp_path), -1, 0.71, GIVEN_RATIOS
    with crossed_stages(*given) as first, crossed_stages(*given) as second:
        assert (first, second) == (([1], 1), None)
    with crossed_stages(*given) as third:
        assert third == ([], 1)


def test_what_a_killed_process_began_is_done_once_more(tmp_path: Path) -> None:
    cross(tmp_path, 0.71)
    assert begin(tmp_path, 0.93) == [2, 3, 4]
    assert begin(tmp_path, 0.93) == [2, 3, 4]
    assert cross(tmp_path, 0.93) == []  # killed twice, it is given up
    assert cross(tmp_path, 0.96) == [5]


def test_only_what_was_begun_can_be_asked_for(tmp_path: Path) -> None:
    begin(tmp_path, 0.81)
    with crossed_stages(str(tmp_path), -1, 0.96, GIVEN_RATIOS, only_begun=True) as crossed:
        assert crossed == ([1, 2], 5)

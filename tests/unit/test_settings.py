from pathlib import Path

import pytest

from amplihack_compaction.settings import FreshStart, OnLoss, Settings, load_settings


def load(project: Path, text: str) -> tuple[Settings, list[str]]:
    (project / ".claude").mkdir(exist_ok=True)
    (project / ".claude" / "compaction.json").write_text(text)
    return load_settings(str(project))


@pytest.mark.parametrize("text", ["", " \n", "{}"])
def test_without_settings_the_defaults_are_in_force(project: Path, text: str) -> None:
    assert load_settings(str(project)) == (Settings(), [])
    assert load(project, text) == (Settings(), [])


def test_values_are_read(project: Path) -> None:
    settings, problems = load(project, '{"on_loss": "block", "injection_tokens": 900}')
    assert (settings.on_loss, settings.injection_tokens, problems) == (OnLoss.BLOCK, 900, [])


@pytest.mark.parametrize("text", ["[]", "{", "text", '{"on_loss": }'])
def test_a_broken_file_is_named_and_the_defaults_serve(project: Path, text: str) -> None:
    settings, problems = load(project, text)
    assert settings == Settings()
    assert "not a JSON object" in problems[0]


def test_one_bad_value_does_not_cost_the_others(project: Path) -> None:
    settings, problems = load(
        project, '{"on_loss": "maybe", "injection_tokens": -1, "snapshots": 3, "on_los": 1}'
    )
    assert settings == Settings(snapshots=3)
    assert len(problems) == 3
    assert any("did you mean 'on_loss'" in problem for problem in problems)
    assert any("between 200 and 20000" in problem for problem in problems)


def test_the_contexts_settings_are_read(project: Path) -> None:
    settings, problems = load(
        project,
        '{"compact_ratio": 0.5, "context_limit_tokens": 150000, "fresh_start": "inject",'
        ' "token_api": true, "features_folder": "specs", "planning_folder": "plans"}',
    )
    assert problems == []
    assert settings.ratios == (0.5, 0.8, 0.85, 0.9, 0.95)
    assert settings.context_limit_tokens == 150_000
    assert settings.fresh_start is FreshStart.INJECT
    assert (settings.token_api, settings.features_folder) == (True, "specs")
    assert settings.planning_folder == "plans"


@pytest.mark.parametrize(
    "text",
    [
        '{"compact_ratio": 1.5}',
        '{"compact_ratio": -0.1}',
        '{"compact_ratio": NaN}',
        '{"compact_ratio": 0.9}',
        '{"compact_ratio": 0.8}',
        '{"handoff_ratio": 0.7}',
        '{"context_limit_tokens": 0}',
        '{"features_folder": "/etc"}',
        '{"features_folder": "a/../.."}',
        '{"planning_folder": ""}',
        '{"fresh_start": "maybe"}',
    ],
)
def test_a_value_that_makes_no_sense_leaves_the_default(project: Path, text: str) -> None:
    settings, problems = load(project, text)
    assert settings == Settings()
    assert len(problems) == 1


def test_ratios_that_do_not_ascend_are_wrong_together(project: Path) -> None:
    settings, problems = load(
        project, '{"compact_ratio": 0.9, "handoff_ratio": 0.5, "snapshots": 3}'
    )
    assert settings == Settings(snapshots=3)
    assert len(problems) == 2
    assert all("must ascend" in problem for problem in problems)

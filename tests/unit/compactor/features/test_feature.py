import os
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import FeatureError
from amplihack_compaction.base.settings import Settings
from amplihack_compaction.compactor.features.feature import (
    active_feature,
    feature_names,
    open_feature,
)
from tests.support.sessions import write_own_settings


def test_a_feature_tells_its_state_progress_and_texts(login: Path, project: Path) -> None:
    with open_feature(str(project), "login") as feature:
        assert list(feature.texts) == ["progress.md", "state.json"]
        assert feature.skipped == {"logo.png": "no UTF-8 text"}
        assert (feature.state, feature.progress_percent, feature.checked) == (
            "in progress", 40, (1, 2)
        )  # fmt: skip


@pytest.mark.parametrize(
    ("state", "percent"),
    [
        ('{"progress": 0.4}', 40), ('{"progress": 40}', 40), ('{"progress": 1}', 1),
        ('{"progress": 1.0}', 100), ('{"progress": true}', 50), ('{"progress": "half"}', 50),
        ('{"progress": 400}', 50), ("[1]", 50), ("{", 50), ("[" * 100_000, 50),
    ],
)  # fmt: skip
def test_progress_is_what_the_state_says_else_the_checklists(
    login: Path, project: Path, state: str, percent: int
) -> None:
    (login / "state.json").write_text(state)
    with open_feature(str(project), "login") as feature:
        assert feature.progress_percent == percent


def test_without_checklist_and_state_nothing_is_claimed(login: Path, project: Path) -> None:
    (login / "state.json").unlink()
    (login / "progress.md").write_text("text")
    with open_feature(str(project), "login") as feature:
        assert feature.progress_percent is None
        assert feature.state == ""


@pytest.mark.parametrize(
    "text", ["feature: login\n", "# Active focus\n- **Feature**: `login`\n", "login", "> login\n"]
)
def test_without_a_name_the_active_feature_is_meant(login: Path, project: Path, text: str) -> None:
    (project / ".claude").mkdir()
    (project / ".claude" / "active-focus.md").write_text(text)
    assert active_feature(str(project)) == "login"
    with open_feature(str(project)) as feature:
        assert feature.name == "login"


def test_without_an_active_one_a_name_is_asked_for(login: Path, project: Path) -> None:
    with pytest.raises(FeatureError, match=r"name one, or write `feature: NAME`"):
        open_feature(str(project)).__enter__()


@pytest.mark.parametrize("name", ["logout", "..", ".", "../features/login", "a\0b", ".git"])
def test_a_feature_that_is_none_names_the_others(login: Path, project: Path, name: str) -> None:
    with pytest.raises(FeatureError, match="features here: login"):
        open_feature(str(project), name).__enter__()


@pytest.mark.parametrize("linked", ["feature", "features"])
def test_a_link_that_leads_out_is_no_feature(login: Path, project: Path, linked: str) -> None:
    outside = project.parent / "outside"
    (outside / "login").mkdir(parents=True)
    (outside / "login" / "secret.md").write_text("secret")
    if linked == "feature":
        os.rename(login, project / "moved")
        login.symlink_to(outside / "login")
        assert feature_names(str(project), Settings()) == []
    else:
        os.rename(login.parent, project / "moved")
        login.parent.symlink_to(outside)
    with pytest.raises(FeatureError, match="link"):
        open_feature(str(project), "login").__enter__()


def test_a_project_behind_a_link_is_a_project(login: Path, project: Path) -> None:
    link = project.parent / "link"
    link.symlink_to(project)
    with open_feature(str(link), "login") as feature:
        assert "progress.md" in feature.texts


@pytest.mark.parametrize("folder", ["features/", "./features", ".//features"])
def test_the_features_folder_is_found_however_it_is_written(
    login: Path, project: Path, folder: str
) -> None:
    write_own_settings(features_folder=folder)
    with open_feature(str(project), "login") as feature:
        assert "progress.md" in feature.texts


def test_features_may_stand_in_the_project_itself(login: Path, project: Path) -> None:
    login.rename(project / "login")
    write_own_settings(features_folder=".")
    with open_feature(str(project), "login") as feature:
        assert "progress.md" in feature.texts

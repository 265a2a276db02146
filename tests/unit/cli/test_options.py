"""What the shell offers for sessions, snapshots and features."""

import os
from pathlib import Path

import pytest

from amplihack_compaction.cli.options import (
    _COMPLETIONS_SHOWN,
    complete_feature,
    complete_session,
    complete_snapshot,
)
from amplihack_compaction.handoff.checkpoint import snapshot_now
from tests.support.sessions import write_own_settings
from tests.unit.handoff.kept import OTHER, Kept


@pytest.fixture(autouse=True)
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in the project."""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))


def test_sessions_are_offered_newest_first(project: Path) -> None:
    assert complete_session("") == []
    old = Kept(project)
    Kept(project, OTHER)
    os.utime(old.path, (1, 1))
    assert complete_session("") == [OTHER, old.session_id]
    assert complete_session(old.session_id[:6]) == [old.session_id]


def test_of_many_sessions_the_newest_are_offered(project: Path) -> None:
    folder = Kept(project).path.parent
    for number in range(_COMPLETIONS_SHOWN + 5):
        (folder / f"{number:08}.jsonl").write_text("{}\n")
    assert len(complete_session("0")) == _COMPLETIONS_SHOWN


def test_snapshots_are_offered_with_latest(project: Path) -> None:
    assert complete_snapshot("") == ["latest"]
    identifier = snapshot_now(Kept(project).moment())
    assert complete_snapshot("") == ["latest", identifier]
    assert complete_snapshot(identifier[:4]) == [identifier]


def test_features_are_the_folders_below_the_features_folder(project: Path) -> None:
    assert complete_feature("") == []
    write_own_settings(features_folder="work/features")
    for name in ("login", "logout", ".hidden", "search"):
        (project / "work/features" / name).mkdir(parents=True)
    (project / "work/features" / "login.md").write_text("")
    assert complete_feature("log") == ["login", "logout"]
    assert complete_feature("") == ["login", "logout", "search"]

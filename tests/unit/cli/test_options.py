"""What the shell completes while a command is typed."""

from pathlib import Path

import pytest

from amplihack_compaction.cli import options
from amplihack_compaction.handoff.checkpoint import snapshot_now
from tests.transcripts import SESSION
from tests.unit.handoff.kept import Kept


def test_sessions_snapshots_and_features_are_completed(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    snapshot = snapshot_now(Kept(project).moment())
    (project / "features" / "login").mkdir(parents=True)
    assert options.session_names(SESSION[:4]) == [SESSION]
    assert snapshot in options._snapshots("")
    assert options._features("lo") == ["login"]

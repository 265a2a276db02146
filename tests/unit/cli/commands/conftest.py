"""Sessions of these tests were recorded in a folder of the test's own."""

from pathlib import Path

import pytest

from tests.support.transcripts import Transcript


@pytest.fixture(autouse=True)
def own_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let transcripts name a project in which no hook ever wrote."""
    monkeypatch.setattr(Transcript, "root", str(tmp_path / "recorded"))

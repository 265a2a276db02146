"""With `auto`, the active feature is compacted at the levels; without it, never."""

from pathlib import Path

import pytest

from amplihack_compaction.compactor.backups.change_history import list_entries
from amplihack_compaction.compactor.backups.folder import Folder
from tests.support.processes import log_of
from tests.support.sessions import Session, fill, write_own_settings
from tests.support.trees import picture, refuse_to_read

LOG = "".join(f"2026-01-02 10:00:{n % 60:02d} INFO request {n} served\n" for n in range(400))


@pytest.fixture
def session(project: Path) -> Session:
    made = Session(project)
    feature = project / "features" / "login"
    feature.mkdir(parents=True)
    (feature / "progress.md").write_text(
        f"# Progress\n\nUse argon2 for passwords.\n\n```\n{LOG}```\n"
    )
    (project / ".claude").mkdir(exist_ok=True)
    (project / ".claude" / "active-focus.md").write_text("feature: login\n")
    fill(made, 0.1)
    return made


def at(session: Session, share: float) -> str:
    fill(session, share)
    return session.hook("PreToolUse", "PreToolUse.Bash").context


def levels(session: Session) -> list[str]:
    with Folder(str(session.project / "features" / "login")) as folder:
        return [entry.level for entry in list_entries(folder)[0]]


def test_the_active_feature_is_compacted_and_then_summarised(session: Session) -> None:
    write_own_settings(auto=True)
    said = at(session, 0.75)
    assert "feature login compacted from" in said
    assert "feature compact login --revert" in said
    (session.project / "features" / "login" / "design.md").write_text("A long thought. " * 600)
    assert "feature login summarised from" in at(session, 0.86)
    assert levels(session) == ["compact", "summarize"]


def test_without_auto_no_hook_touches_a_feature(session: Session) -> None:
    before = picture(session.project / "features")
    assert "compacted from" not in at(session, 0.75)
    assert "summarised from" not in at(session, 0.97)
    assert picture(session.project / "features") == before


def test_a_feature_that_is_gone_stops_neither_the_warning_nor_the_rest(session: Session) -> None:
    write_own_settings(auto=True)
    (session.project / ".claude" / "active-focus.md").write_text("feature: logout\n")
    said = at(session, 0.82)
    assert said.startswith("Context ")
    assert list(session.runtime.glob("sessions/*/auto/*"))
    [line] = log_of(session.project)
    assert "the compaction of the active feature" in line
    assert "there is no feature" in line


def test_what_could_not_be_read_of_the_feature_is_logged(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own_settings(auto=True)
    (session.project / "features" / "login" / "design.md").write_text("A long thought.\n")
    refuse_to_read(monkeypatch, "design.md")
    assert "feature login compacted from" in at(session, 0.75)
    [line] = log_of(session.project)
    assert "feature login: design.md was left out: not readable (Input/output error)" in line

"""A compaction in OpenCode, as its plugin tells of it: what the model is told, and what is kept."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.clients.opencode import session_files
from amplihack_compaction.injection.position import observe
from tests.support.commands import run_command, run_forked_hook
from tests.support.opencode import SESSION, Database
from tests.support.processes import Answer, log_of, run_hook, run_in_process

HEAD = "<!-- AMPLIHACK STATE -->"


class Session:
    """A session of the client in a project, and what its plugin does."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": os.environ["HOME"]}
        self.environment["XDG_DATA_HOME"] = os.environ["XDG_DATA_HOME"]
        self.database = Database(Path(os.environ["XDG_DATA_HOME"]), str(project))
        self.runner: Callable[..., Answer] = run_forked_hook

    def payload(self, event: str, **more: Any) -> dict[str, Any]:
        return {
            "client": "opencode",
            "hook_event_name": event,
            "session_id": SESSION,
            "transcript_path": str(self.file),
            "source": "compact",
            **more,
        }

    def hook(self, event: str, **more: Any) -> Answer:
        return self.runner(event, self.payload(event, **more), self.project, **self.environment)

    def inside(self, event: str) -> str:
        """Run a hook inside the test; what it prints by itself is left to `capfd`."""
        return run_in_process(event, self.payload(event), self.project).stdout

    @property
    def file(self) -> Path:
        return session_files.sessions_folder() / f"{SESSION}.jsonl"

    @property
    def state(self) -> str:
        path = session_files.state_file(SESSION)
        return path.read_text() if path.exists() else ""

    def compact(self) -> tuple[str, str]:
        """Compact, and return what the summariser was told and the state afterwards."""
        asked = self.database.ask()
        hint = self.hook("PreCompact").stdout
        self.database.summarise(asked)
        self.hook("SessionStart")
        return hint, self.state

    def command(self, *words: str, **more: str) -> str:
        done = run_command(*words, env={**self.environment, **more}, cwd=self.project)
        assert done.code == 0, done.stderr
        return done.stdout


@pytest.fixture
def session(tmp_path: Path) -> Session:
    project = tmp_path / "shop"
    project.mkdir()
    return Session(project)


def test_the_summariser_and_the_model_are_told_and_it_is_proved(session: Session) -> None:
    session.runner = run_hook  # as the plugin starts it: from a new interpreter
    hint, state = session.compact()
    for told in (hint, state):
        assert "Never push to main." in told
    assert state.count(HEAD) == 1
    assert "- [ ] Write the migration" in state
    position = observe(
        str(session.project),
        session_folder(str(session.project), SESSION),
        str(session.file),
        look_back=True,
    )
    assert position is not None
    assert position.settled == position.boundary > 0
    assert not position.missing
    assert log_of(session.project) == []
    assert "delivered" in session.command("diagnose")
    assert "pnpm" in session.command("recall", "pnpm")


def test_the_plugin_is_answered_before_the_rest_is_done(
    session: Session, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = session.database.ask()
    assert session.inside("PreCompact") == ""
    assert "Never push to main." in capfd.readouterr().out
    before = session.state
    assert session.inside("SessionStart") == ""  # its summary is not there yet
    assert (capfd.readouterr().out, session.state) == ("", before)
    session.database.summarise(asked)
    assert session.inside("SessionStart") == ""
    assert capfd.readouterr().out == "\n"
    assert "Never push to main." in session.state
    assert session.inside("PreCompact") == ""
    assert capfd.readouterr().out == ""
    assert log_of(session.project) == []


def test_what_is_no_session_of_the_project_is_left_alone(
    session: Session, capfd: pytest.CaptureFixture[str]
) -> None:
    with session.database.connection as connection:
        connection.execute("UPDATE session SET parent_id = 'ses_above'")
    session.database.ask()
    assert session.inside("PreCompact") == ""
    with session.database.connection as connection:
        connection.execute("UPDATE session SET parent_id = NULL")
        connection.execute("DROP TABLE part")
    assert session.inside("PreCompact") == ""
    assert capfd.readouterr().out == ""
    assert "no such table: part" in log_of(session.project)[0]


def test_a_second_compaction_has_a_state_of_its_own(session: Session) -> None:
    session.compact()
    session.database.say("Use Redis for the queue.")
    _, state = session.compact()
    assert "Never push to main." in state
    assert "Use Redis for the queue." in state
    lines = [json.loads(line) for line in session.file.read_bytes().splitlines()]
    assert [line["type"] for line in lines].count("attachment") == 2


def test_the_state_is_there_before_the_summary_is(session: Session) -> None:
    session.database.ask()
    session.hook("PreCompact")
    assert HEAD in session.state


def test_a_compaction_without_its_first_hook_is_told_all_the_same(session: Session) -> None:
    session.database.summarise(session.database.ask())
    assert session.hook("SessionStart").stdout == "\n"
    assert "Never push to main." in session.state


@pytest.mark.parametrize("event", ["PreCompact", "SessionStart"])
def test_nothing_happens_where_nothing_is_compacted(session: Session, event: str) -> None:
    session.command("state")
    done = session.hook(event)
    assert (done.stdout, done.code, session.state) == ("", 0, "")


def test_a_subagents_compaction_changes_nothing(session: Session) -> None:
    with session.database.connection as connection:
        connection.execute("UPDATE session SET parent_id = 'ses_above'")
    assert session.compact() == ("", "")
    assert log_of(session.project) == []


def test_a_database_that_cannot_be_read_is_logged(session: Session) -> None:
    with session.database.connection as connection:
        connection.execute("DROP TABLE part")
    assert session.hook("PreCompact").code == 0
    assert "no such table: part" in log_of(session.project)[0]


def test_claude_code_goes_on_with_a_session_of_opencode(session: Session) -> None:
    session.compact()
    told = session.command("fresh-start")
    assert "Never push to main." in told
    assert "- [ ] Write the migration" in told
    assert "Never push to main." in session.command("handoff", "--print")
    # In a session of Claude Code its own ledger begins with it.
    theirs = "11111111-2222-4333-8444-555555555555"
    session.command("fresh-start", CLAUDE_CODE_SESSION_ID=theirs)
    folder = Path(session_folder(str(session.project), theirs))
    assert "Never push to main." in (folder / "continues.json").read_text()


def test_a_client_that_only_a_later_version_knows_is_left_alone(session: Session) -> None:
    session.database.ask()
    payload = session.payload("PreCompact", client="another")
    assert run_in_process("PreCompact", payload, session.project).stdout == ""
    assert session.state == ""
    assert log_of(session.project) == []

"""What the original designs ask for, each through its public name."""

import json
import logging
import os
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import amplihack_compaction
from amplihack_compaction import (
    AutoCompactionManager,
    CompactionConfig,
    CompactionHandler,
    CompactionLevel,
    ContextCompactor,
    StateManager,
)
from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.base.settings import Settings
from amplihack_compaction.context.levels import API_MODEL, compaction_config
from amplihack_compaction.validation.events import epoch_seconds
from tests.support.commands import run_command
from tests.support.processes import environment
from tests.support.sessions import Session, fill
from tests.support.transcripts import SESSION
from tests.unit.context.counting_server import saying, serve
from tests.unit.handoff.kept import Kept


@pytest.fixture
def feature(project: Path) -> Path:
    folder = project / "features" / "login"
    folder.mkdir(parents=True)
    log = "".join(f"2026-01-02 10:00:00 INFO request {n} served\n" for n in range(400))
    (folder / "progress.md").write_text(f"# Progress\n\n```\n{log}```\n")
    return folder


def run(project: Path, *words: str, **variables: str) -> str:
    done = run_command(*words, env={**environment(project), **variables}, cwd=project)
    assert "Traceback" not in done.stderr
    return done.stdout


def test_triggering_compacts_whether_or_not_auto_is_on(project: Path, feature: Path) -> None:
    result = StateManager(project).trigger_compaction("login", "compact")
    assert result is not None
    assert result.saved_tokens > 0


def test_the_configuration_has_its_parts_and_checks_them() -> None:
    config = compaction_config(Settings(token_api=True))
    assert config.token_counter == {"api": True, "model": API_MODEL}
    assert config.pruning["prune_days"] == Settings().prune_days
    assert config.compaction["feature_tokens"] == Settings().feature_tokens
    with pytest.raises(SettingsError, match="prune_days"):
        CompactionConfig(pruning={"prune_days": -1})
    high = CompactionLevel(level="compact", threshold=1.2, description="")
    with pytest.raises(SettingsError, match="thresholds"):
        CompactionConfig(thresholds=(high,))


def test_a_features_size_names_its_source_and_what_to_do(project: Path, feature: Path) -> None:
    said = run(project, "feature", "status", "login", "--tokens")
    assert "source      estimated offline" in said
    assert "advice      Nothing needs to be done." in said
    value = json.loads(run(project, "feature", "status", "login", "--tokens", "--json"))
    assert value["usagePercentage"] == round(100 * value["tokens"] / value["maxTokens"], 2)
    assert value["source"] == "estimated offline"
    assert value["recommendation"]


def test_with_the_api_a_feature_is_counted_by_it_and_falls_back(
    project: Path, feature: Path
) -> None:
    with serve(saying(200, b'{"input_tokens": 1234}')) as server:
        variables = {
            "AMPLIHACK_COMPACTION_TOKEN_API": "true", "ANTHROPIC_API_KEY": "sk-test",
            "ANTHROPIC_BASE_URL": server.url, "NO_PROXY": "127.0.0.1",
        }  # fmt: skip
        words = ("feature", "status", "login", "--tokens", "--json")
        value = json.loads(run(project, *words, **variables))
        assert value["tokens"] == 1234
        assert value["source"] == f"counted by the API for {API_MODEL}"
        (asked,) = server.asked
    assert asked[2]["model"] == API_MODEL
    (feature / "progress.md").write_text("# Other\n")
    assert json.loads(run(project, *words, **variables))["source"] == "estimated offline"


def test_todos_with_a_description_are_told_by_it() -> None:
    todos = SimpleNamespace(pending=[SimpleNamespace(description="Run tests"), {"content": "Ship"}])
    manager = SimpleNamespace(get_state=lambda _: SimpleNamespace(todos=todos))
    text = CompactionHandler(manager).preserve_state("s")
    assert "- [ ] Run tests" in text
    assert "- [ ] Ship" in text


def test_what_precompact_preserved_is_restored_by_another_process(project: Path) -> None:
    session = Session(project)
    session.pre_compact()
    code = (
        "from amplihack_compaction import CompactionHandler\n"
        "from amplihack_compaction.api.compaction_handler import LedgerSessionManager\n"
        f"handler = CompactionHandler(LedgerSessionManager({str(project)!r}))\n"
        f"print(handler.restore_state({SESSION!r}).pending_todos)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env=environment(project, HOME=os.environ["HOME"]), cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert done.stdout == "('Write the docs',)\n"


def test_an_unknown_session_says_so(caplog: pytest.LogCaptureFixture) -> None:
    manager: Any = SimpleNamespace(get_state=lambda _: None)
    handler = CompactionHandler(manager)
    with caplog.at_level(logging.WARNING):
        assert "Pending Todos: 0" in handler.preserve_state("nobody")
        assert CompactionHandler(manager).restore_state("nobody") is None
    assert "knows no session 'nobody'" in caplog.text
    assert "nothing was preserved of session 'nobody'" in caplog.text


def test_the_hooks_write_how_full_the_context_is_and_the_report_shows_it(project: Path) -> None:
    session = Session(project)
    fill(session, 0.9)
    session.prompt()
    (line,) = (session.runtime / "token_metrics.jsonl").read_text().splitlines()
    assert json.loads(line)["level"] == "summarize"
    fill(session, 0.4)
    session.pre_compact()
    page = project / "report.html"
    run(project, "report", str(session.path), "--out", str(page))
    assert "Overflows avoided" in page.read_text()
    assert "1 of 1 session that filled up" in page.read_text()


def test_an_installation_brings_the_slash_commands_and_takes_them_out_again(project: Path) -> None:
    own = project / ".claude" / "commands" / "recall.md"
    own.parent.mkdir(parents=True)
    own.write_text("My own.\n")
    assert "/handoff" in run(project, "install", "--project", str(project), "--no-proof")
    folder = own.parent
    assert "handoff.md" in {path.name for path in folder.iterdir()}
    assert own.read_text() == "My own.\n"
    run(project, "uninstall", "--project", str(project))
    assert [path.name for path in folder.iterdir()] == ["recall.md"]


def test_the_originals_modules_and_types_can_be_imported() -> None:
    for module, name in (
        ("compaction_validator", "CompactionValidator"),
        ("compaction_validator", "ValidationResult"),
        ("power_steering_checker", "PowerSteeringChecker"),
    ):
        alias = getattr(import_module(f"amplihack_compaction.{module}"), name)
        assert alias is getattr(amplihack_compaction, name)
    for name in ("Handoff", "LossReport", "PreservedState", "SteeringResult", "UnifiedState"):
        assert isinstance(getattr(amplihack_compaction, name), type)


def test_a_time_without_a_zone_is_local(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert epoch_seconds("1970-01-01T09:00:00") == 0
        assert epoch_seconds("1970-01-01T09:00:00Z") == 9 * 3600
    finally:
        monkeypatch.undo()
        time.tzset()


def test_an_automatic_snapshot_lies_in_the_folders_that_are_given(
    kept: Kept, tmp_path: Path
) -> None:
    kept.usage(140_000)
    manager = AutoCompactionManager(kept.root, tmp_path / "snaps", tmp_path / "events")
    taken = manager.trigger(kept.session_id)
    assert Path(taken.snapshot_path).parent == tmp_path / "snaps"
    assert json.loads(Path(taken.snapshot_path).read_bytes())
    (line,) = (tmp_path / "events" / "events.jsonl").read_text().splitlines()
    assert json.loads(line)["payload"]["snapshotPath"] == taken.snapshot_path


@pytest.mark.parametrize("fence", ["```\n", ""], ids=["fenced", "as it is"])
def test_below_a_decision_the_log_goes_and_the_decision_stays(
    project: Path, feature: Path, fence: str
) -> None:
    log = "".join(f"2026-01-02 10:00:{n % 60:02d} INFO request {n} served\n" for n in range(300))
    said = "We keep sessions in Redis, because the old store lost them.\n"
    (feature / "notes.md").write_text(
        f"# Notes\n\n## Decision: Redis\n\n{said}\n{fence}{log}{fence}"
    )
    result = ContextCompactor(project).compact("login")
    left = (feature / "notes.md").read_text()
    assert said in left
    assert "## Decision: Redis" in left
    assert len(left) < len(log) / 5
    assert result.saved_tokens > 0


RULES = [
    "Never write to the legacy table.", "Always store money in cents.",
    "Ask before you touch the payment module.", "Log in English only.",
]  # fmt: skip
DECISIONS = [
    "We decided to keep sessions in Redis.", "Chosen: argon2 for passwords.",
    "We use cursor pagination.", "Going with Postgres 15.",
]  # fmt: skip
TODOS = ["- [ ] Write the docs", "TODO: add an index on orders", "Retries are not implemented yet."]
VALUES = ["Port: 8443", "Base URL: https://api.example.com/v2", "Timeout = 30s"]
ERRORS = ["The upload fails with ECONNREFUSED 127.0.0.1:5432.", "KeyError: 'tenant' in billing.py"]


def test_a_summary_has_every_rule_decision_todo_value_and_error(
    project: Path, feature: Path
) -> None:
    told = [*RULES, *DECISIONS, *TODOS, *VALUES, *ERRORS]
    chatter = "The afternoon was spent reading about the weather in the harbour.\n\n"
    (feature / "notes.md").write_text(
        "# Notes\n\n" + "".join(f"{each}\n\n{chatter}" for each in told)
    )
    ContextCompactor(project).summarize("login")
    summary = (feature / "SUMMARY.md").read_text()
    words = [each.removeprefix("- [ ] ").removeprefix("TODO: ").rstrip(".") for each in told]
    assert [each for each in words if each not in summary] == []
    assert "afternoon" not in summary

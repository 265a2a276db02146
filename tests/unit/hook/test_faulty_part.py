"""Where a part of the work fails, the user's rules are told all the same."""

from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.hook_log import logger, read_log
from amplihack_compaction.extract import rules, window
from amplihack_compaction.extract.window_content import UserPrompt
from amplihack_compaction.injection import render
from amplihack_compaction.injection.record import prepared_injection, record_compaction
from amplihack_compaction.ledger import merge, superseded
from tests.support.transcripts import SESSION, Transcript

PARTS = [
    *((window._EXTRACTORS, name) for name in window._EXTRACTORS),
    *((window, name) for name in ("extract_todos", "extract_remarks", "extract_phase")),
    *((merge, name) for name in ("_merge_rules", "_merge_remarks")),
    (superseded, "superseded_by"),
    (render, "make_sections"),
]


def told(project: Path) -> str:
    session = Transcript()
    session.user("Never push to main.")
    session.assistant("Understood.")
    session.user("Build the importer now. The port is 9443.")
    path = session.write(project / "t.jsonl")
    log = logger(str(project), "PreCompact")
    recorded = record_compaction(str(project), SESSION, str(path), log, trigger="auto")
    return prepared_injection(recorded).text


@pytest.fixture
def unsafe(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AMPLIHACK_COMPACTION_STRICT", "0")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    return project


@pytest.mark.parametrize(("where", "name"), PARTS, ids=[name for _, name in PARTS])
def test_one_part_fails_and_the_rest_is_told(
    where: object, name: str, unsafe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StopIteration(name)

    if isinstance(where, dict):
        monkeypatch.setitem(where, name, fail)
    else:
        monkeypatch.setattr(where, name, fail)
    text = told(unsafe)
    expected = "Build the importer now." if name == "rules" else "Never push to main."
    assert expected in text
    logged = [line for line in read_log(str(unsafe)) if f"StopIteration: {name}" in line]
    assert logged


def test_a_prompt_that_fails_costs_its_own_rules_alone(
    unsafe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules_of = rules._rules_of

    def fail(said: UserPrompt, *given: Any) -> Any:
        if "importer" in said.sentences[0]:
            raise StopIteration
        return rules_of(said, *given)

    monkeypatch.setattr(rules, "_rules_of", fail)
    assert "Never push to main." in told(unsafe)
    assert "(rules of a prompt) " in read_log(str(unsafe))[-1]

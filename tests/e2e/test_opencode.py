"""What a session in OpenCode had reaches the model after every compaction, with empty summaries."""

from __future__ import annotations

from pathlib import Path

import pytest

from .codex import Answer
from .conftest import installed_once
from .installation import Installation
from .opencode import LIMIT_TOKENS, OpenCode
from .test_codex import (
    CHECK,
    DECISION,
    OBJECTIVE,
    PROMPTS,
    RULES,
    STATE,
    VALUE,
    assert_told_once,
    command,
    strings,
)


def todos(*steps: tuple[str, str]) -> dict[str, object]:
    found = [{"content": step, "status": status, "priority": "high"} for step, status in steps]
    return {"todos": found}


def bash(command: str) -> dict[str, object]:
    return {"command": command, "description": "Runs it"}


BEFORE = todos(("Set up CI", "in_progress"), ("Write the migration", "pending"))
AFTER = todos(("Set up CI", "completed"), ("Write the migration", "in_progress"))
ANSWERS = (
    Answer("I make a plan.", "todowrite", BEFORE),
    Answer("", "bash", bash(f"echo {VALUE}")),
    Answer(f"Decision: {DECISION}, because ops runs it already.", "bash", bash("touch login.py")),
    Answer(f"The server is at {VALUE}.", "bash", bash(CHECK)),
    Answer("", "todowrite", AFTER, tokens=LIMIT_TOKENS - 1_000),
    Answer("The page is there.", tokens=9_000),
    Answer("It is limited.", tokens=LIMIT_TOKENS - 1_000),
    Answer("Going on.", tokens=9_000),
)


@pytest.fixture(scope="session")
def opencode_binary() -> Path:
    """Return the client's binary."""
    return OpenCode.find()


@pytest.fixture(scope="session")
def product(opencode_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Return the product as installed; nobody needs it without the client."""
    assert opencode_binary.is_file()
    return installed_once(tmp_path_factory)


@pytest.fixture
def played(opencode_binary: Path, product: Installation, tmp_path: Path) -> OpenCode:
    """Return the client behind three prompts and two compactions without a word of summary."""
    client = OpenCode(opencode_binary, tmp_path, ANSWERS)
    command(client, product, "install", "--client", "opencode", "--no-proof")
    for prompt in PROMPTS:
        client.prompt(prompt)
    assert len(client.model.summaries) == 2
    return client


def test_all_is_there_after_both_compactions_and_nothing_twice(
    played: OpenCode, product: Installation
) -> None:
    log = played.project / ".claude/runtime/power-steering/hooks.log"
    assert not log.exists() or log.read_text() == ""
    requests = ["\n".join(strings(request["messages"])) for request in played.model.requests]
    assert not any(STATE in sent for sent in requests[:5])
    # The fifth answer filled the window within its turn, the seventh at the end of one; the last
    # request is that of a client which was started anew.
    first, second, later = requests[5], requests[7], requests[8]
    for sent, objective in ((first, "Build the login page."), (second, OBJECTIVE), (later, "")):
        assert_told_once(sent, objective)
    assert RULES[0] in "\n".join(strings(played.model.summaries[1]["messages"]))
    told = command(played, product, "diagnose")
    assert told.count("delivered") == 2
    assert "not seen" not in told
    assert VALUE in command(played, product, "recall", "staging")
    assert "the plugin in opencode" in command(played, product, "doctor")
    written = command(played, product, "handoff").partition("Written to ")[2].partition("\n")[0]
    assert RULES[0] in Path(written).read_text()
    command(played, product, "uninstall", "--client", "opencode")
    assert not list(played.project.glob(".opencode/plugins/*"))

"""What a session in Codex had reaches the model after every compaction, with empty summaries."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from .codex import LIMIT_TOKENS, Answer, Codex, OwnHome
from .conftest import installed_once
from .installation import Installation

RULES = ("Never push to main.", "Use pnpm, not npm.")
OBJECTIVE = "Now add rate limiting to the login endpoint"
VALUE = "https://staging.example.com:8443/health"
DECISION = "sessions are kept in Postgres"
CHECK = "make test"
STATE = "<!-- AMPLIHACK STATE -->"
PROMPTS = (
    f"{RULES[0]} {RULES[1]} The server is at {VALUE}. Build the login page.",
    f"{OBJECTIVE}.",
    "Go on.",
)


def plan(*steps: tuple[str, str]) -> dict[str, object]:
    return {"plan": [{"step": step, "status": status} for step, status in steps]}


BEFORE = plan(("Set up CI", "in_progress"), ("Write the migration", "pending"))
AFTER = plan(("Set up CI", "completed"), ("Write the migration", "in_progress"))
PATCH = "*** Begin Patch\n*** Add File: login.py\n+page = 1\n*** End Patch\n"
ANSWERS = (
    Answer("I make a plan.", "update_plan", BEFORE),
    Answer("", "exec_command", {"cmd": f"echo {VALUE}"}),
    Answer(f"Decision: {DECISION}, because ops runs it already.", "apply_patch", PATCH),
    Answer(f"The server is at {VALUE}.", "exec_command", {"cmd": CHECK}),
    Answer("", "update_plan", AFTER, tokens=LIMIT_TOKENS + 10_000),
    Answer("The page is there.", tokens=9_000),
    Answer("It is limited.", tokens=LIMIT_TOKENS + 30_000),
    Answer("Going on.", tokens=9_000),
)


@pytest.fixture(scope="session")
def codex_binary() -> Path:
    """Return the client's binary."""
    return Codex.find()


def command(client: OwnHome, installation: Installation, *words: str) -> str:
    done = subprocess.run(
        [installation.command, *words],
        cwd=client.project, env=client.environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


@pytest.fixture(scope="session")
def product(codex_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Return the product as installed; nobody needs it without the client."""
    assert codex_binary.is_file()
    return installed_once(tmp_path_factory)


@pytest.fixture
def played(codex_binary: Path, product: Installation, tmp_path: Path) -> Codex:
    """Return the client behind three prompts and two compactions without a word of summary."""
    codex = Codex(codex_binary, tmp_path, ANSWERS)
    command(codex, product, "install", "--client", "codex", "--no-proof")
    for prompt in PROMPTS:
        codex.prompt(prompt)
    assert codex.model.summaries == 2
    return codex


def test_all_is_there_after_both_compactions_and_nothing_twice(
    played: Codex, product: Installation
) -> None:
    log = played.project / ".claude/runtime/power-steering/hooks.log"
    assert not log.exists() or log.read_text() == ""
    first, second = after_compactions(played)
    for sent, objective in ((first, "Build the login page."), (second, OBJECTIVE)):
        assert_told_once(sent, objective)
    told = command(played, product, "diagnose")
    assert told.count("delivered") == 2
    assert "not seen" not in told
    assert VALUE in command(played, product, "recall", "staging")
    assert f"of {LIMIT_TOKENS:,} (" in command(played, product, "status")
    rows = command(played, product, "doctor")
    assert rows.count("SessionStart told the model") == 2
    assert "registers 10 hooks" in rows
    written = command(played, product, "handoff").partition("Written to ")[2].partition("\n")[0]
    assert RULES[0] in Path(written).read_text()
    assert RULES[0] in command(played, product, "fresh-start")
    command(played, product, "uninstall", "--client", "codex")
    assert not (played.project / ".codex/hooks.json").exists()


def assert_told_once(sent: str, objective: str) -> None:
    """Check that all that was said before is in a request, once, and nothing that is done."""
    assert sent.count(STATE) == 1
    state = sent[sent.index(STATE) :]
    for item in (*RULES, objective, VALUE, DECISION, CHECK, "- [ ] Write the migration"):
        assert item in state, item
    assert "- passed: " in state
    assert "- [ ] Set up CI" not in sent


def after_compactions(codex: Codex) -> tuple[str, str]:
    """Return the texts of the first request after each compaction."""
    requests = codex.model.requests
    # The fifth answer filled the window within its turn, the seventh at the end of one.
    return text_of(requests[5]), text_of(requests[7])


def text_of(request: dict[str, object]) -> str:
    return "\n".join(strings(request["input"]))


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for each in inner for text in strings(each)]

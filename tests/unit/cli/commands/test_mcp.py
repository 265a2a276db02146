"""The MCP server's tools, asked in the process; as a process: tests/integration."""

import asyncio
import builtins
import os
from pathlib import Path
from types import ModuleType

import pytest

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.cli.commands.mcp import make_server, mcp, state_text
from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from amplihack_compaction.compactor.transcripts.left_out_parts import Original
from amplihack_compaction.compactor.transcripts.make_copy import make_copy, preview_copy
from tests.support.transcripts import SESSION, Transcript
from tests.unit.compactor.transcripts.sessions_to_copy import SMALL, session


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    return project


def asked(tool: str, **given: object) -> str:
    result = asyncio.run(make_server(None).call_tool(tool, given))
    return str(result)


def test_a_search_in_an_empty_store_says_so(here: Path) -> None:
    pytest.importorskip("mcp")
    assert "Nothing of it was found" in asked("recall", query="admin", kinds=["prompt"])


def test_what_is_not_possible_is_told_and_not_raised(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("mcp")
    assert "Not possible: no session of" in asked("session_state")
    monkeypatch.setenv("AMPLIHACK_COMPACTION_STORE", "odd://x")
    assert "is not a store" in asked("recall", query="admin")


def test_the_state_is_that_of_the_running_session_else_the_newest(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, rule in ((SESSION, "Never push to main."), ("other", "Never use tabs.")):
        session = Transcript(name)
        session.user(rule)
        session.write(transcript_folder(str(here)) / f"{name}.jsonl")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    assert "Never push to main." in state_text("")
    assert "Never use tabs." in state_text("other")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "gone")
    assert "Never " in state_text("")


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: object) -> ModuleType:
        if name.startswith("mcp"):
            raise ImportError(name)
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(CompactionError, match=r"amplihack-compaction\[mcp\]"):
        mcp()


def test_a_copy_that_nobody_has_gone_on_in_is_not_the_newest(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    path = transcript_folder(str(project)) / f"{SESSION}.jsonl"
    log = session(project)
    log.write(path)
    original = Original(path=str(path), session_id=SESSION, root=str(project))
    copy = Path(make_copy(preview_copy(original, SMALL)).head.copy_path)
    log.user("Never touch the vendor folder.")
    log.write(path)
    os.utime(copy, (path.stat().st_mtime + 10,) * 2)
    assert "Never touch the vendor folder." in state_text("")

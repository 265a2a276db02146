"""The MCP server as the client starts it: a process, spoken to by the official client."""

import asyncio
import sys
from pathlib import Path

import pytest

from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from amplihack_compaction.hook.store import store_event
from tests.support.processes import CHECKOUT, environment
from tests.support.transcripts import SESSION, Transcript

pytest.importorskip("mcp")


def spoken(project: Path) -> None:
    session = Transcript()
    session.user("Never push to main. Use port 8443 for the admin server.")
    session.assistant("I will.")
    session.compact("They talked.")
    session.user("Go on.")
    path = session.write(transcript_folder(str(project)) / f"{SESSION}.jsonl")
    payload = {
        "session_id": SESSION, "transcript_path": str(path), "hook_event_name": "Stop",
    }  # fmt: skip
    store_event(payload, str(project))


def ask(project: Path, *calls: tuple[str, dict[str, object]]) -> tuple[list[str], list[str]]:
    """Return the names of the tools, and the text of each call's answer."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "amplihack_compaction", "mcp"],
        env=environment(project, PYTHONPATH=str(CHECKOUT), HOME=str(Path.home())),
        cwd=str(project),
    )

    async def talk() -> tuple[list[str], list[str]]:
        async with stdio_client(server) as streams, ClientSession(*streams) as session:
            await session.initialize()
            tools = [tool.name for tool in (await session.list_tools()).tools]
            answers = [await session.call_tool(name, given) for name, given in calls]
        return tools, ["".join(str(part.text) for part in one.content) for one in answers]  # type: ignore[union-attr]

    return asyncio.run(asyncio.wait_for(talk(), 60))


def test_the_model_can_look_up_what_the_summary_dropped(project: Path) -> None:
    spoken(project)
    tools, answers = ask(
        project,
        ("recall", {"query": "admin"}),
        ("recall", {"query": "admin", "kinds": ["answer"]}),
        ("recall", {"query": '"'}),
        ("session_state", {}),
        ("session_state", {"session": "none"}),
    )
    assert tools == ["recall", "session_state", "remember"]
    found, filtered, odd, state, unknown = answers
    assert "Use port 8443 for the admin server." in found
    assert "before compaction 1" in found
    assert "Nothing of it was found" in filtered
    assert "no word" in odd
    assert "Never push to main." in state
    assert unknown == f"Not possible: no session none of {project} is recorded"


def test_what_the_model_has_noted_is_told_as_its_own(project: Path) -> None:
    spoken(project)
    _, answers = ask(
        project,
        ("remember", {"text": "The admin server needs a restart. Never trust its cache."}),
        ("remember", {"text": "check the port", "kind": "todo"}),
        ("remember", {"text": " "}),
        ("remember", {"text": "x", "kind": "rule"}),
        ("session_state", {}),
    )
    noted, todo, empty, _, state = answers
    assert "note, the model's" in noted
    assert "todo, the model's" in todo
    assert empty.startswith("Not possible: there are no words")
    assert "- note: model: The admin server needs a restart." in state
    assert "- todo: model: check the port" in state
    assert "Never trust" not in state.partition("## Standing rules")[2]

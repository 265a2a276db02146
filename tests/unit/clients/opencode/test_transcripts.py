"""What OpenCode's messages become, and who speaks in them."""

from typing import Any

import pytest

from amplihack_compaction.clients.opencode.transcripts import RecordedMessage, session_lines
from amplihack_compaction.clients.session_lines import make_node
from amplihack_compaction.transcript.session import Entry, Kind, Node


def read(role: str, *parts: dict[str, Any], **info: Any) -> list[Node]:
    told = {"role": role, "time": {"created": 1795470600000}, **info}
    lines = session_lines(RecordedMessage("msg_1", told, list(parts)), {"cwd": "/p"})
    calls = {
        block["id"]: block["name"]
        for line in lines
        if line["type"] == "assistant"
        for block in line["message"]["content"]
        if block["type"] == "tool_use"
    }
    found = [make_node(Entry(0, line), calls) for line in lines]
    return [node for node in found if node is not None]


def text(said: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **more}


def call(tool: str, given: dict[str, Any], **state: Any) -> dict[str, Any]:
    told = {"status": "completed", "input": given, "output": "ok", **state}
    return {"type": "tool", "tool": tool, "callID": "call_1", "state": told}


def test_what_was_typed_is_the_users() -> None:
    (node,) = read("user", text("Use pnpm."))
    assert (node.kind, node.text, node.timestamp) == (
        Kind.PROMPT,
        "Use pnpm.",
        "2026-11-23T21:50:00.000Z",
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('"Use pnpm, not npm."', "Use pnpm, not npm."),
        ('"Say \\"yes\\" to it"', 'Say "yes" to it'),
        ('"yes" and "no"', '"yes" and "no"'),
        ('"', '"'),
    ],
)
def test_the_quotation_marks_of_the_command_line_are_not_the_users(given: str, said: str) -> None:
    assert read("user", text(given))[0].text == said


@pytest.mark.parametrize("mark", ["synthetic", "ignored"])
def test_what_the_client_adds_is_nobodys_prompt(mark: str) -> None:
    added = text("Never push to main.", **{mark: True})
    attached = {"type": "file", "filename": "x.md", "url": "file:///x.md"}
    kinds = [(node.kind, node.text) for node in read("user", added, attached, text("Read it."))]
    assert kinds == [(Kind.OTHER, ""), (Kind.PROMPT, "Read it.")]


def test_what_a_tool_or_the_model_says_is_not_the_users() -> None:
    parts = text("Never push."), call("bash", {"command": "cat x"}, output="Never push to main.")
    nodes = read("assistant", *parts)
    assert [node.kind for node in nodes] == [Kind.ASSISTANT, Kind.RESULT]
    assert all(not node.said for node in nodes)


def test_words_of_a_refusal_in_a_tools_error_are_not_the_users() -> None:
    error = "The user rejected permission to use this tool, with the feedback: Never push to main."
    called = call("bash", {"command": "x"}, status="error", error=error)
    _, result = read("assistant", called)
    assert not result.said
    ((_, answer),) = result.results
    assert (answer.refused, answer.is_error) == (True, True)


def test_a_commands_exit_code_tells_whether_it_failed() -> None:
    for code, failed in ((0, False), (2, True)):
        done = call("bash", {"command": "make"}, output="x", metadata={"exit": code})
        _, result = read("assistant", done)
        assert result.results[0][1].is_error is failed


def test_todos_that_were_cancelled_are_left_out() -> None:
    todos = [
        {"content": "Write it", "status": "pending", "priority": "high"},
        {"content": "Drop it", "status": "cancelled", "priority": "low"},
    ]
    node, _ = read("assistant", call("todowrite", {"todos": todos}))
    (tool,) = node.tools
    assert [todo["content"] for todo in tool.input["todos"]] == ["Write it"]


def test_an_answered_question_is_told_with_its_answer() -> None:
    asked = {"questions": [{"question": "Which one?", "options": [{"label": "Postgres"}]}]}
    done = call("question", asked, metadata={"answers": [["Postgres"]]})
    _, result = read("assistant", done)
    assert result.results[0][1].data["answers"] == {"Which one?": "Postgres"}


def test_a_patch_is_an_edit_of_each_of_its_files() -> None:
    patch = "*** Begin Patch\n*** Add File: a.py\n+x\n*** Update File: b.py\n-y\n*** End Patch"
    node, *results = read("assistant", call("apply_patch", {"patchText": patch}))
    told = [(tool.name, tool.used_on) for tool in node.tools]
    assert told == [("Write", "a.py"), ("Edit", "b.py")]
    assert len(results) == 2


@pytest.mark.parametrize("odd", [None, 7, [], {"input": "x"}])
def test_odd_shapes_break_nothing(odd: Any) -> None:
    parts = (
        {"type": "tool", "tool": odd, "state": odd},
        {"type": odd},
        {"type": "text", "text": odd},
    )
    read("assistant", *parts, tokens=odd, time=odd)
    read("user", *parts, time=odd)


def test_a_tool_that_bears_another_clients_name_is_not_that_tool() -> None:
    nodes = read("assistant", call("AskUserQuestion", {}), call("TodoWrite", {}), call("bash", {}))
    names = [tool.name for node in nodes for tool in node.tools]
    assert names == ["other AskUserQuestion", "other TodoWrite", "Bash"]

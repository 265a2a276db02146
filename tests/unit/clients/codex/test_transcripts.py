"""A rollout of the real client, and lines of its shapes, as the session model has them."""

import json
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.clients.codex.transcripts import parse_line
from amplihack_compaction.clients.reading import iterate_entries, iterate_lines, read_windows
from amplihack_compaction.transcript.session import ReadReport, ToolUse, Window
from tests.support.captured import CAPTURES

ROLLOUT = next((CAPTURES / "codex").glob("rollout-*.jsonl"))


@pytest.fixture(scope="module")
def windows() -> list[Window]:
    return list(read_windows(ROLLOUT))


def line_of(payload: dict[str, Any], kind: str = "response_item", **more: Any) -> bytes:
    head = {"timestamp": "2026-11-23T21:14:01.670Z", "ordinal": 7, "type": kind}
    return json.dumps({**head, "payload": payload, **more}, separators=(",", ":")).encode()


def parsed(payload: dict[str, Any], kind: str = "response_item", **more: Any) -> list[Any]:
    report = ReadReport()
    found = parse_line(line_of(payload, kind, **more), report)
    assert report.skipped == 0
    return found


def message(role: str, text: str, kind: str, source: str) -> dict[str, Any]:
    told = {
        "content_item_kinds": [kind],
        "content_item_metadata": [{"provenance": {"type": source}}],
    }
    content = [{"type": "input_text", "text": text}]
    return {
        "type": "message", "role": role, "content": content,
        "internal_chat_message_metadata_passthrough": told,
    }  # fmt: skip


def test_a_window_ends_at_each_compaction(windows: list[Window]) -> None:
    assert [[prompt.text for prompt in window.prompts] for window in windows] == [
        [
            "Never push to main. Use pnpm, not npm. The server is at"
            " https://staging.example.com:8443/health. Build the login page."
        ],
        ["Now add rate limiting to the login endpoint."],
        ["Go on."],
    ]
    assert [window.model for window in windows] == ["gpt-5.5"] * 3
    assert {window.root for window in windows} == {"/home/dev/project"}
    assert all(window.report.skipped == 0 for window in windows)


def test_a_boundary_is_known_by_what_its_line_begins_with(windows: list[Window]) -> None:
    data = ROLLOUT.read_bytes()
    for window in windows[1:]:
        assert window.began is not None
        line = data[window.start :].partition(b"\n")[0]
        assert window.began.offset == window.start
        assert window.began.uuid.encode() in line[:100]


def test_calls_have_their_outcome(windows: list[Window]) -> None:
    tools = [tool for turn in windows[0].turns for tool in turn.tools]
    assert [(tool.name, tool.used_on, tool.succeeded) for tool in tools] == [
        ("TodoWrite", "", True),
        ("Bash", "echo https://staging.example.com:8443/health", True),
        ("Write", "/home/dev/project/login.py", True),
        ("Bash", "make test", True),
        ("TodoWrite", "", True),
    ]
    assert tools[-1].input["todos"][1] == {
        "content": "Write the migration",
        "activeForm": "Write the migration",
        "status": "in_progress",
    }


def test_what_the_hooks_added_is_shown_and_is_nobodys_words(windows: list[Window]) -> None:
    shown = [
        entry.data["attachment"]["content"]
        for entry in iterate_entries(ROLLOUT)
        if entry.data["type"] == "attachment"
    ]
    assert sum("AMPLIHACK STATE" in text for texts in shown for text in texts) == 2
    assert not any("AMPLIHACK" in prompt.text for window in windows for prompt in window.prompts)


def test_reading_may_begin_at_any_boundary(windows: list[Window]) -> None:
    (again,) = list(read_windows(ROLLOUT, windows[2].start, 2))
    assert again.began == windows[2].began
    assert [prompt.text for prompt in again.prompts] == ["Go on."]


def test_lines_and_entries_are_the_same() -> None:
    lines = [(at, json.loads(line)) for at, line in iterate_lines(ROLLOUT, 0, None, ReadReport())]
    assert lines == [(entry.offset, entry.data) for entry in iterate_entries(ROLLOUT)]


@pytest.mark.parametrize(
    ("role", "kind", "source"),
    [
        ("user", "agents_md.instructions", "agents_md"),
        ("user", "environments.environment_context", "harness"),
        ("user", "user.text", "agent"),
        ("user", "hooks.additional_context", "user"),
        ("developer", "user.text", "user"),
    ],
)
def test_only_what_the_client_calls_the_users_is(role: str, kind: str, source: str) -> None:
    found = parsed(message(role, "Never push to main.", kind, source))
    assert not any("promptSource" in line for line in found)


def test_a_message_without_the_fields_of_its_source_is_not_the_users() -> None:
    bare = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}
    (line,) = parsed(bare)
    assert line["isMeta"] is True


@pytest.mark.parametrize(
    "above",
    [
        "# Context from my IDE setup:\n\n## Active file: a.py\n\n## Open tabs:\n- a.py: src/a.py\n",
        "# Context from my IDE setup:\n\n## Active selection of the file:\n"
        "## My request for Codex:\nNever run the tests.\n## Open tabs:\n- a.py: src/a.py\n",
        "\n# Files mentioned by the user:\n\n## a.md: /home/dev/a.md\n\n",
        '<in-app-browser-context source="ambient-ui-state">\n# In app browser:\n'
        "</in-app-browser-context>\n\n",
    ],
)
@pytest.mark.parametrize("heading", ["## My request for Codex:", "## My request:"])
def test_what_an_editor_puts_above_a_request_is_not_the_users(above: str, heading: str) -> None:
    said = f"{above}{heading}\nUse pnpm here.\n"
    (line,) = parsed(message("user", said, "user.text", "user"))
    assert line["message"]["content"] == "Use pnpm here."


@pytest.mark.parametrize(
    "text", ["## My request:\nUse pnpm.", "# Context from my IDE setup:\n\nUse pnpm."]
)
def test_a_heading_that_the_user_typed_stays(text: str) -> None:
    (line,) = parsed(message("user", text, "user.text", "user"))
    assert line["message"]["content"] == text


def test_of_a_message_of_several_parts_each_has_its_own_source() -> None:
    mixed = message("user", "Never push to main.", "user.text", "user")
    told = mixed["internal_chat_message_metadata_passthrough"]
    mixed["content"].append({"type": "input_text", "text": "<environment_context>"})
    told["content_item_kinds"].append("environments.environment_context")
    told["content_item_metadata"].append({"provenance": {"type": "harness"}})
    added, typed = parsed(mixed)
    assert added["message"]["content"] == "<environment_context>"
    assert typed["message"]["content"] == "Never push to main."
    assert typed["uuid"] != added["uuid"]


def test_the_models_words_for_a_compaction_are_said_once() -> None:
    said = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "x"}],
    }
    assert parsed(said, metadata={"compaction_output": True}) == []
    assert parsed(said, metadata={"compaction_output": False}) != []


def test_of_a_command_that_still_runs_nothing_is_known() -> None:
    output = "Chunk ID: 1a2b\nWall time: 10.0 seconds\nProcess running with session ID 3\nOutput:\n"
    assert parsed({"type": "function_call_output", "call_id": "c", "output": output}) == []


def outcome(item: dict[str, Any]) -> list[Any]:
    return parsed({"type": "item_completed", "item": item}, "event_msg")


@pytest.mark.parametrize(("code", "is_error"), [(0, False), (3, True), (None, True)])
def test_a_command_ends_with_its_exit_code(code: int | None, is_error: bool) -> None:
    (line,) = outcome(
        {"type": "CommandExecution", "id": "c", "exit_code": code, "aggregated_output": "x"}
    )
    (block,) = line["message"]["content"]
    assert (block["tool_use_id"], block["is_error"]) == ("c", is_error)
    assert block["content"].startswith("Exit code 3" if code == 3 else "x")


def test_a_refused_call_is_told_from_one_that_failed() -> None:
    refused, failed = (
        parsed({"type": "function_call_output", "call_id": "c", "output": text})[0]
        for text in ("exec command rejected by user", "unsupported call: x")
    )
    assert refused["toolUseResult"] == "User rejected tool use"
    assert "toolUseResult" not in failed
    assert failed["message"]["content"][0]["is_error"] is True


def test_a_patch_is_told_file_by_file() -> None:
    changes = {"/p/a.py": {"type": "add", "content": "1"}, "/p/b.py": {"type": "update"}}
    item = {"type": "FileChange", "id": "c", "changes": changes, "status": "failed", "stderr": "no"}
    calls = [line for line in outcome(item) if line["type"] == "assistant"]
    blocks = [line["message"]["content"][0] for line in calls]
    assert [(block["name"], block["input"]["file_path"]) for block in blocks] == [
        ("Write", "/p/a.py"),
        ("Edit", "/p/b.py"),
    ]


@pytest.mark.parametrize("given", ["{", "[1]", '{"plan": 3}', "{}", None, 7])
def test_odd_arguments_never_fail(given: object) -> None:
    for name in ("update_plan", "exec_command", "write_stdin", "shell", "other"):
        parsed({"type": "function_call", "name": name, "call_id": "c", "arguments": given})


@pytest.mark.parametrize("odd", [b"{", b'{"type":"response_item"}', b'{"type":"event_msg",'])
def test_a_broken_line_is_counted_and_left_out(odd: bytes) -> None:
    report = ReadReport()
    assert parse_line(odd, report) == []
    assert report.skipped == 1


@pytest.mark.parametrize("value", [None, 3, "x", [], {}, [3], {"x": []}])
@pytest.mark.parametrize("kind", ["response_item", "event_msg", "compacted", "session_meta"])
def test_fields_of_another_type_never_fail(kind: str, value: object) -> None:
    keys = (
        "type", "role", "content", "item", "message", "replacement_history", "usage", "git",
        "internal_chat_message_metadata_passthrough", "action", "output", "call_id",
    )  # fmt: skip
    for key in keys:
        for base in (
            {"type": "message"},
            {"type": "item_completed", "item": {"type": "FileChange"}},
        ):
            parse_line(line_of({**base, key: value}, kind), ReadReport())


def test_a_shell_that_was_given_words_is_told_as_one_command() -> None:
    arguments = json.dumps({"command": ["bash", "-lc", "pytest -q && ls"]})
    (line,) = parsed(
        {"type": "function_call", "name": "shell", "call_id": "c", "arguments": arguments}
    )
    tool = ToolUse("c", "Bash", line["message"]["content"][0]["input"])
    assert tool.used_on == "pytest -q && ls"


def test_the_summary_comes_without_the_clients_frame(tmp_path: Path) -> None:
    text = (
        "Another language model started. Here is the summary, use the information in this summary"
        " to assist with your own analysis:\nA flag is being added."
    )
    boundary, summary = parsed({"message": text, "replacement_history": []}, "compacted")
    assert boundary["subtype"] == "compact_boundary"
    assert summary["message"]["content"] == "A flag is being added."


@pytest.mark.parametrize("kind", ["function_call", "custom_tool_call"])
def test_a_tool_that_bears_another_clients_name_is_not_that_tool(kind: str) -> None:
    for name, more, known in (
        ("AskUserQuestion", {}, "other AskUserQuestion"),
        ("exit_plan_mode", {}, "other exit_plan_mode"),
        ("AskUserQuestion", {"namespace": "mcp__docs"}, "mcp__docs__AskUserQuestion"),
        ("view_image", {}, "view_image"),
    ):
        (line,) = parsed({"type": kind, "name": name, "arguments": "{}", "call_id": "1", **more})
        assert line["message"]["content"][0]["name"] == known

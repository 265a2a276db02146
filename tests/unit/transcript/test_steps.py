"""A window's steps in the order of the transcript."""

from pathlib import Path

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.clients.session_lines import make_node
from amplihack_compaction.transcript.session import (
    Entry,
    ToolResult,
    ToolUse,
    bash_command,
    prose_lines,
    was_refused,
)
from tests.support.transcripts import Transcript

REFUSAL = (
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, "
    "the user said:\nUse pnpm"
)


def test_texts_tools_and_refusals_come_in_order(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Go")
    transcript.assistant("First.", [{"id": "t1", "name": "Read", "input": {}}])
    transcript.refuse("Bash", {"command": "npm i"}, "Use pnpm")
    transcript.assistant("Then.")
    (window,) = read_windows(transcript.write(tmp_path / "t.jsonl"))
    steps = window.steps
    assert [(s.tool.name if s.tool else s.text, s.by_user) for s in steps] == [
        ("Go", True), ("First.", False), ("Read", False), ("Bash", False), ("Use pnpm", True),
        ("Then.", False),
    ]  # fmt: skip
    assert [step.prompt for step in steps] == ["Go"] * 4 + ["Use pnpm"] * 2
    offsets = [step.offset for step in steps]
    assert offsets == sorted(offsets)
    assert steps[4].uuid.endswith("#0")


def test_prose_is_what_stands_outside_fences() -> None:
    assert prose_lines("a\nb") == ["a", "b"]
    assert prose_lines("a\n```py\nb\n~~~\n```\nc\n ~~~\nd\n") == ["a", "c"]
    assert prose_lines("") == []


def test_only_bash_has_a_command_line() -> None:
    assert bash_command(ToolUse("1", "Bash", {"command": "ls"})) == "ls"
    assert bash_command(ToolUse("1", "Bash", {"command": 3})) == ""
    assert bash_command(ToolUse("1", "Other", {"command": "ls"})) == ""


def result_of(text: str, is_error: bool, added: object = None) -> ToolResult:
    block = {"type": "tool_result", "tool_use_id": "1", "content": text, "is_error": is_error}
    line = {"type": "user", "uuid": "u", "toolUseResult": added, "message": {"content": [block]}}
    node = make_node(Entry(0, line))
    assert node is not None
    return node.results[0][1]


def test_a_refused_call_is_told_from_a_failed_one() -> None:
    assert not was_refused(ToolUse("1", "Bash", {}))
    for result, refused in (
        (result_of(REFUSAL, True), True),
        (result_of("no", True, "User rejected tool use"), True),
        (result_of("[Request interrupted by user]", True), True),
        (result_of("Exit code 1", True), False),
        (result_of(REFUSAL, False), False),
    ):
        assert was_refused(ToolUse("1", "Bash", {}, result=result)) is refused

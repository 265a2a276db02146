"""What of each kind of entry becomes a message."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.store.transcript_reader import Progress, read_batches, summary_text
from tests.support.transcripts import SUMMARY_HEAD, Transcript


def read(session: Transcript, tmp_path: Path, progress: Progress | None = None) -> list[Any]:
    path = session.write(tmp_path / "t.jsonl")
    batches = read_batches(BytesIO(path.read_bytes()), progress or Progress(), path.stat().st_size)
    return [
        (message.kind, message.tool_name, message.content)
        for batch in batches
        for message in batch.messages
    ]


def test_what_was_typed_while_the_model_worked_is_a_prompt(tmp_path: Path) -> None:
    session = Transcript()
    session.attachment("queued_command", prompt="Also the docs.", commandMode="prompt")
    session.attachment("queued_command", prompt="ls", commandMode="bash")
    session.attachment("file", content="x")
    session.add("attachment", attachment=[1])
    progress = Progress()
    assert read(session, tmp_path, progress) == [("prompt", "", "Also the docs.")]
    assert progress.turn == 1


def with_a_queue() -> Transcript:
    """Return a session of an older client's, in which a prompt stands in the queue alone."""
    session = Transcript()
    session.version = "2.1.170"
    for operation, told in (("enqueue", {"content": "Keep port 8443."}), ("remove", {})):
        session.lines.append({"type": "queue-operation", "operation": operation, **told})
    session.tool("Bash", {"command": "ls"}, "a.py")
    return session


def test_what_only_the_queue_of_an_older_client_tells_is_a_prompt(tmp_path: Path) -> None:
    session = with_a_queue()
    assert ("prompt", "", "Keep port 8443.") in read(session, tmp_path)


def test_a_line_of_the_queue_may_have_spaces(tmp_path: Path) -> None:
    session = with_a_queue()
    path = session.write(tmp_path / "t.jsonl")
    path.write_text(path.read_text().replace('":"', '": "'), encoding="utf-8")
    batches = read_batches(BytesIO(path.read_bytes()), Progress(), path.stat().st_size)
    found = [message for batch in batches for message in batch.messages]
    assert "Keep port 8443." in [message.content for message in found]


def test_the_answer_to_a_question_is_a_decision(tmp_path: Path) -> None:
    session = Transcript()
    question = {"questions": [{"question": "Which database?", "options": ["Postgres", 2]}]}
    session.tool("AskUserQuestion", question, 'User answered: "Which database?"="Postgres"')
    call, answer = read(session, tmp_path)
    assert call == (
        "tool_call", "AskUserQuestion",
        "AskUserQuestion\nquestion: Which database?\noptions: Postgres\noptions: 2",
    )  # fmt: skip
    assert answer[0] == "decision"


def test_of_a_refusal_only_what_the_user_said_is_stored(tmp_path: Path) -> None:
    session = Transcript()
    session.refuse("Write", {"file_path": "/b"})
    session.refuse("Write", {"file_path": "/a"}, "Use the other file.")
    progress = Progress()
    found = read(session, tmp_path, progress)
    assert [kind for kind, _, _ in found] == ["tool_call", "tool_call", "prompt"]
    assert found[-1][2] == "Use the other file."
    assert progress.turn == 1


def test_what_was_typed_with_a_permission_is_a_prompt_and_an_answer_is_stored_once(
    tmp_path: Path,
) -> None:
    session = Transcript()
    session.tool("Bash", {"command": "make"}, "done", beside="but never delete vendor")
    data = {"questions": [], "answers": {}, "response": "Take SQLite."}
    session.tool("AskUserQuestion", {}, "The user responded: Take SQLite.", data=data)
    found = read(session, tmp_path)
    assert [(kind, text) for kind, _, text in found if kind in ("prompt", "decision")] == [
        ("prompt", "but never delete vendor"),
        ("decision", "The user responded: Take SQLite."),
    ]


@pytest.mark.parametrize(
    "content",
    [[{"type": "thinking", "thinking": "Hm."}], [{"type": "text", "text": "  "}], 7, None, [3]],
)
def test_what_is_no_text_of_the_conversation_is_left_out(tmp_path: Path, content: object) -> None:
    session = Transcript()
    session.add("assistant", message={"role": "assistant", "content": content})
    session.add("assistant", message={"content": "error"}, isApiErrorMessage=True)
    session.user("Caveat", isMeta=True)
    session.user("<command-name>/clear</command-name>")
    session.user("said aside", isSidechain=True)
    session.add("user", message="none")
    assert read(session, tmp_path) == []


def test_an_output_of_parts_is_one_text(tmp_path: Path) -> None:
    session = Transcript()
    parts = [{"type": "text", "text": "one"}, {"type": "image"}, {"type": "text", "text": "two"}]
    for content in (parts, {"odd": 1}, "", [parts]):
        session.user([{"type": "tool_result", "tool_use_id": 7, "content": content}])
    assert read(session, tmp_path) == [
        ("tool_output", "", "one\ntwo"), ("tool_output", "", "{'odd': 1}"),
    ]  # fmt: skip


def test_a_call_of_any_shape_is_bounded_text(tmp_path: Path) -> None:
    deep: Any = "end"
    for _ in range(50):
        deep = {"in": deep}
    session = Transcript()
    session.tool("Deep", {"a": deep, "b": list(range(5000)), "c": None, "d": ""})
    (_, _, body), _ = read(session, tmp_path)
    assert body.startswith("Deep\nb: 0\nb: 1\n")
    assert len(body.splitlines()) < 300


def test_secrets_are_gone_before_the_text_is_cut(tmp_path: Path) -> None:
    key = "-----BEGIN PRIVATE" + " KEY-----\n" + "QUJD" * 5000 + "\n-----END PRIVATE" + " KEY-----"
    session = Transcript()
    session.tool("Bash", {"command": "cat key"}, f"before\n{key}\nafter")
    assert read(session, tmp_path)[-1][2] == "before\n[redacted:private-key]\nafter"


def test_a_summary_loses_the_sentence_that_the_client_put_before(tmp_path: Path) -> None:
    session = Transcript()
    session.user("Go.")
    session.compact("They talked.")
    path = session.write(tmp_path / "t.jsonl")
    batches = list(read_batches(BytesIO(path.read_bytes()), Progress(), path.stat().st_size))
    summaries = [batch.summary for batch in batches if batch.summary is not None]
    boundaries = [batch.boundary for batch in batches if batch.boundary is not None]
    ((boundary, text, _, _),) = summaries
    assert (boundary, text) == (boundaries[0][0], "They talked.")


def test_a_line_without_an_end_that_is_too_long_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("amplihack_compaction.clients.session_lines.LINE_LIMIT_BYTES", 2_000_000)
    session = Transcript()
    session.user("x" * 5_000_000)
    session.user("After.")
    assert read(session, tmp_path)[-1] == ("prompt", "", "After.")


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": "amplihack-compaction recall quokka | head -20", "description": "x"}),
        ("Bash", {"command": "cd app && ~/.local/bin/amplihack-compaction recall 'a; b' || true"}),
        ("Bash", {"command": "/opt/env/bin/python -m amplihack_compaction state"}),
        ("mcp__amplihack__recall", {"query": "quokka"}),
        ("mcp__plugin_amplihack-compaction_amplihack__remember", {"text": "quokka"}),
    ],
)
def test_calls_of_this_package_and_what_they_printed_are_no_content(
    tmp_path: Path, tool: str, given: dict[str, Any]
) -> None:
    session = Transcript()
    session.tool(tool, given, "1. model · answer: quokka")
    assert read(session, tmp_path) == []


def test_what_was_run_beside_a_call_of_this_package_is_content(tmp_path: Path) -> None:
    session = Transcript()
    for command in ("make; amplihack-compaction state", "pip install amplihack-compaction"):
        session.tool("Bash", {"command": command}, "made")
    assert [kind for kind, _, _ in read(session, tmp_path)] == ["tool_call", "tool_output"] * 2


def test_what_a_call_of_this_package_printed_later_is_no_content(tmp_path: Path) -> None:
    session = Transcript()
    session.tool("mcp__amplihack__recall", {"query": "quokka"}, "1. model · answer: quokka")
    output, session.lines[-1:] = session.lines[-1], []
    progress = Progress()
    assert read(session, tmp_path, progress) == []
    session.lines[:] = [output]
    assert read(session, tmp_path, Progress(0, progress.as_text())) == []


@pytest.mark.parametrize("tool", ["TodoWrite", "TaskCreate", "TaskUpdate"])
def test_what_the_client_says_to_a_todo_is_left_out(tmp_path: Path, tool: str) -> None:
    session = Transcript()
    session.tool(tool, {"subject": "Build it"}, "Todos have been modified successfully.")
    assert [kind for kind, *_ in read(session, tmp_path)] == ["tool_call"]


def test_a_summary_without_the_clients_heading_has_none_of_the_clients_words() -> None:
    session = Transcript()
    session.compact("", preserved=0)
    session.lines[-1]["message"]["content"] = (
        SUMMARY_HEAD.removesuffix("Summary:\n") + "Resumen:\n1. Los PDF."
    )
    assert summary_text(session.lines[-1]) == "Resumen:\n1. Los PDF."

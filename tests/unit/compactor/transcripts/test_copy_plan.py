"""What a copy leaves out, and what stays whatever its size."""

from pathlib import Path

import pytest

from amplihack_compaction.compactor.transcripts import copy_plan
from tests.support.transcripts import Transcript
from tests.unit.compactor.transcripts.sessions_to_copy import (
    IMAGE,
    LONG,
    RULE,
    SMALL,
    kinds,
    placed,
    planned,
    think,
    whats,
)


def with_tail(transcript: Transcript) -> Transcript:
    """Add what makes everything before it old."""
    transcript.user("And now?")
    transcript.assistant("Nothing.")
    return transcript


def test_results_reads_duplicates_images_thinking_and_written_texts_go(project: Path) -> None:
    plan = planned(placed(project))
    assert whats(plan, "superseded_read") == ["/app/main.py"]
    assert whats(plan, "duplicate") == ["cat log"]
    assert whats(plan, "tool_output") == ["cat log again", "/app/main.py"]
    assert whats(plan, "image") == ["/app/picture.png"]
    assert whats(plan, "written") == ["/app/other.py"]
    assert kinds(plan).count("thinking") == 1


def test_errors_evidence_of_checks_and_the_newest_turn_stay(project: Path) -> None:
    plan = planned(placed(project))
    assert not any("pytest" in part.what or part.what == "false" for part in plan.parts)


def test_what_a_command_failed_with_stays_though_its_exit_code_was_hidden(project: Path) -> None:
    transcript = Transcript()
    transcript.user("Look.")
    transcript.tool("Bash", {"command": "./do || true"}, LONG + "\nerror: no such thing\n")
    plan = planned(placed(project, with_tail(transcript)))
    assert plan.parts == ()


@pytest.mark.parametrize("name", ["AskUserQuestion", "ExitPlanMode", "TaskList", "ToolSearch"])
def test_what_the_user_decided_and_the_clients_lists_stay(project: Path, name: str) -> None:
    transcript = Transcript()
    transcript.user("Ask.")
    transcript.tool(name, {}, LONG)
    plan = planned(placed(project, with_tail(transcript)))
    assert plan.parts == ()


def test_the_newest_turns_stay_as_far_as_they_fit(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = Transcript()
    for number in range(4):
        transcript.user(f"Turn {number}.")
        transcript.tool("Bash", {"command": f"seq {number}"}, f"{LONG}{number}")
        transcript.assistant("Done.")

    def gone(turns: int, tokens: int) -> list[str]:
        monkeypatch.setattr(copy_plan, "NEWEST_TOKENS", tokens)
        return whats(planned(placed(project, transcript), turns), "tool_output")

    assert gone(1, 100_000) == ["seq 0", "seq 1", "seq 2"]
    assert gone(3, 100_000) == ["seq 0"]
    assert gone(9, 100_000) == []
    assert gone(3, 2_000) == ["seq 0", "seq 1", "seq 2"]
    assert gone(0, 100_000) == ["seq 0", "seq 1", "seq 2", "seq 3"]


def test_the_last_response_stays_whatever_its_size(project: Path) -> None:
    transcript = Transcript()
    transcript.user("Go.")
    think(transcript, LONG)
    transcript.tool("Bash", {"command": "seq 1"}, LONG)
    plan = planned(placed(project, transcript), 0)
    assert plan.parts == ()


def test_thinking_goes_only_where_its_message_says_more(project: Path) -> None:
    transcript = Transcript()
    transcript.user("Think.")
    think(transcript, "alone " * 100, "msg_alone")
    think(transcript, "with words " * 100)
    transcript.assistant("Words.")
    plan = planned(placed(project, with_tail(transcript)))
    assert [part.characters for part in plan.parts] == [len("with words " * 100)]


def test_written_texts_go_where_their_file_was_touched_again(project: Path) -> None:
    transcript = Transcript()
    transcript.user("Write.")
    edits = [{"old_string": LONG, "new_string": "x"}, {"old_string": "y", "new_string": LONG}]
    transcript.tool("MultiEdit", {"file_path": "/a.py", "edits": edits})
    transcript.tool("Edit", {"file_path": "/a.py", "old_string": "a", "new_string": LONG})
    transcript.tool("Write", {"file_path": "/b.py", "content": LONG}, "no", error=True)
    original = placed(project, with_tail(transcript))
    gone = [part.pointer[4:] for part in planned(original).parts]
    assert gone == [("edits", 0, "old_string"), ("edits", 1, "new_string")]


def test_a_plan_that_the_ledger_took_todos_from_stays(project: Path) -> None:
    transcript = Transcript()
    transcript.user("Plan.")
    todos = "- [ ] Write the docs\n" + LONG
    for _ in range(2):
        transcript.tool("Write", {"file_path": "/app/plan.md", "content": todos})
    plan = planned(placed(project, with_tail(transcript)))
    assert plan.parts == ()


def test_what_stands_later_on_a_branch_that_was_left_is_not_named_to_the_model(
    project: Path,
) -> None:
    transcript = Transcript()
    transcript.user("Read the module.")
    transcript.tool("Read", {"file_path": "/app/main.py"}, LONG)
    transcript.tool("Bash", {"command": "cat log"}, LONG + "1")
    (fork,) = transcript.assistant("I have.")
    transcript.user("Once more.")
    transcript.tool("Read", {"file_path": "/app/main.py"}, LONG)
    transcript.tool("Bash", {"command": "cat log"}, LONG + "1")
    transcript.assistant("Again.")
    transcript.leaf = fork
    transcript.user("Go on.")
    transcript.tool("Bash", {"command": "seq 1 9"}, LONG + "4")
    transcript.assistant("Done.")
    sent = [part for part in planned(placed(project, transcript)).parts if part.resumed]
    assert [part.kind.value for part in sent] == ["tool_output", "tool_output"]
    assert not any("later" in part.text for part in sent)


def test_a_later_part_of_a_file_does_not_supersede_the_whole(project: Path) -> None:
    transcript = Transcript()
    transcript.user("Read.")
    transcript.tool("Read", {"file_path": "/a.py"}, LONG)
    transcript.tool("Read", {"file_path": "/a.py", "offset": 5, "limit": 2}, "x")
    transcript.tool("Edit", {"file_path": "/a.py", "old_string": "a"}, "not found", error=True)
    assert kinds(planned(placed(project, with_tail(transcript)))) == ["tool_output"]


def test_a_result_of_text_blocks_goes_whole_and_one_with_a_reference_stays(project: Path) -> None:
    transcript = Transcript()
    transcript.user("Call.")
    texts = [{"type": "text", "text": LONG}, {"type": "text", "text": "end"}]
    transcript.tool("mcp__a__b", {}, texts)  # type: ignore[arg-type]
    transcript.tool("mcp__a__c", {}, [*texts, {"type": "tool_reference"}])  # type: ignore[arg-type]
    plan = planned(placed(project, with_tail(transcript)))
    assert [part.what for part in plan.parts] == ["mcp__a__b"]
    assert plan.parts[0].pointer[-1] == "content"


def test_subagents_lines_and_the_summary_are_not_the_newest_turns(project: Path) -> None:
    transcript = Transcript()
    transcript.user(f"{RULE} Count.")
    transcript.tool("Bash", {"command": "seq 1"}, LONG)
    transcript.compact("They counted. " * 60, preserved=0)
    transcript.user("Count on.")
    transcript.assistant("Done.")
    transcript.add(
        "assistant", message={"id": "s", "role": "assistant", "content": LONG}, isSidechain=True
    )
    plan = planned(placed(project, transcript))
    assert whats(plan, "tool_output") == ["seq 1"]
    assert not plan.parts[0].resumed
    before, after = plan.resumed_tokens
    assert before == after
    before, after = plan.whole_tokens
    assert after < 0.7 * before


def test_what_the_boundary_kept_is_counted_as_resumed(project: Path) -> None:
    transcript = Transcript()
    transcript.user("Count.")
    transcript.tool("Bash", {"command": "seq 1"}, LONG)
    transcript.compact("They counted.", preserved=1)
    transcript.user("Count on.")
    transcript.assistant("Done.")
    assert planned(placed(project, transcript)).parts[0].resumed


def test_an_image_beside_a_prompt_goes_and_a_document_too(project: Path) -> None:
    transcript = Transcript()
    document = {"type": "document", "source": {"type": "base64", "data": "aGk="}}
    transcript.user([{"type": "text", "text": "See."}, IMAGE, document])
    transcript.assistant("I see.")
    assert kinds(planned(placed(project, with_tail(transcript)))) == ["image", "document"]


def test_records_of_requests_are_counted(project: Path) -> None:
    original = placed(project)
    with Path(original.path).open("ab") as stream:
        stream.write(b'{"type":"api-request-shape","shape":{}}\n{"type":"api-request"}\n')
    plan = planned(original)
    assert (plan.records, plan.record_bytes) == (2, 63)


def test_a_window_can_be_kept_whole_afterwards(project: Path) -> None:
    plan = planned(placed(project), SMALL)
    kept = plan.without_ranges([(0, plan.end)])
    assert kept.parts == ()
    assert plan.without_ranges([]).parts == plan.parts

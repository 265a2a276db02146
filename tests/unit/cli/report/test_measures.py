"""What is measured over a session's course."""

from collections.abc import Iterable

from amplihack_compaction.cli.report.measures import Measures
from amplihack_compaction.transcript.session import Entry, JsonObject
from tests.support.transcripts import Transcript


def measured(lines: Iterable[JsonObject]) -> Measures:
    measures = Measures()
    for number, line in enumerate(lines):
        measures.take(Entry(number, line))
    return measures


def test_each_response_counts_once_with_its_last_numbers() -> None:
    session = Transcript()
    session.user("Hello")
    session.assistant("One.", [{"id": "t1", "name": "Bash", "input": {"command": "ls"}}])
    session.assistant("Two.")
    measures = measured(session.lines)
    assert [point.tokens for point in measures.context] == [1015, 2015]
    assert [point.offset for point in measures.context] == [2, 3]  # the last of its lines
    assert measures.began == session.lines[0]["timestamp"]
    assert measures.ended == session.lines[-1]["timestamp"]


def test_a_subagents_lines_in_the_sessions_file_are_left_out() -> None:
    session = Transcript()
    session.user("Hello")
    session.assistant("One.")
    session.assistant("Of a subagent, " + "long " * 500)
    session.lines[-1]["isSidechain"] = True
    measures = measured(session.lines)
    assert len(measures.context) == 1
    assert measures.shares.kinds.total() < 50
    alone = measured([{**line, "isSidechain": True} for line in session.lines])
    assert alone.shares.kinds.total() > 500  # a file that is a subagent's own


def hook(event: str, milliseconds: object, use: str = "", command: str = "run") -> JsonObject:
    told = {"hookEvent": event, "durationMs": milliseconds, "command": command, "toolUseID": use}
    return {"type": "attachment", "attachment": {"type": "hook_success", **told}}


def stop(milliseconds: int, use: str) -> JsonObject:
    info = {"command": "run", "durationMs": milliseconds}
    return {"type": "system", "subtype": "stop_hook_summary", "hookInfos": [info], "toolUseID": use}


def test_a_run_of_a_hook_counts_once_however_often_it_is_told() -> None:
    lines = [
        hook("Stop", 20, "a"),
        stop(20, "a"),
        stop(40, "b"),
        hook("PreToolUse", 5, "b"),
        hook("PostToolUse", 7, "b"),
    ]
    runs = {event: runs for (event, _), runs in measured(lines).hooks.items()}
    assert runs == {"Stop": [20, 40], "PreToolUse": [5], "PostToolUse": [7]}


def test_odd_durations_are_no_runs() -> None:
    odd = [True, "20", -1, float("nan"), float("inf"), None]
    lines: list[JsonObject] = [hook("Stop", value) for value in odd]
    lines += [hook("", 20), {"subtype": "stop_hook_summary", "hookInfos": ["x", {"command": 1}]}]
    assert measured(lines).hooks == {}


def test_lines_of_other_shapes_are_passed_over() -> None:
    lines: list[JsonObject] = [
        {}, {"type": "assistant"}, {"type": "user", "toolUseResult": {"task": 5}},
        {"type": "user", "toolUseResult": {"taskId": 5, "statusChange": {"to": "completed"}}},
        {"type": "user", "message": {"content": [{"type": "tool_result"}, 7]}},
        {"type": "assistant", "message": {"content": [7, {"type": "tool_use", "input": 3}]}},
        {"type": "attachment", "attachment": "x"}, {"timestamp": 7},
    ]  # fmt: skip
    measures = measured(lines)
    assert (measures.context, measures.hooks) == ([], {})
    assert (measures.began, measures.ended) == ("", "")

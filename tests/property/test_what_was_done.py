"""What was done and what is to do: merging is idempotent, and no input breaks an extractor."""

import itertools
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.extract.files_and_branch import extract_branch, extract_files
from amplihack_compaction.extract.issues import extract_failed, extract_issues
from amplihack_compaction.extract.notes import extract_learnings, extract_progress
from amplihack_compaction.extract.objective import extract_phase
from amplihack_compaction.extract.recent_context import (
    extract_prompts,
    extract_recent,
    extract_strikes,
    extract_tools,
)
from amplihack_compaction.extract.statements import OPEN_STATUSES, Todo, TodoSource, TodoStatus
from amplihack_compaction.extract.todos import TODOS_LIMIT, extract_todos, merge_todos
from amplihack_compaction.extract.verify_commands import extract_verify
from amplihack_compaction.extract.window_content import WindowContent, read_content
from amplihack_compaction.text.commands import finished_actions, line_kind, split_commands
from tests.support.effort import counted, watchdog
from tests.support.transcripts import Transcript

EXTRACTORS: Sequence[Callable[[WindowContent], object]] = (
    extract_todos,
    lambda window: extract_phase(window, extract_todos(window)),
    extract_verify,
    extract_tools,
    extract_strikes,
    extract_files,
    extract_branch,
    extract_failed,
    extract_issues,
    extract_learnings,
    extract_progress,
    extract_prompts,
    extract_recent,
)
numbers = itertools.count(1)


def make_todo(
    text: str, status: TodoStatus, source: TodoSource, task: str, uuid: str, parked: bool
) -> Todo:
    named = source is TodoSource.TASK and task
    return Todo(
        text=text if text or named else "Write docs",
        status=status,
        source=source,
        task_id=task if source is TodoSource.TASK else "",
        uuid=uuid,
        parked=parked and status in OPEN_STATUSES,
        offset=next(numbers),
    )


todos = st.builds(
    make_todo,
    st.sampled_from(["Write docs", "write docs.", "Write tests", "Ship it", "docs", ""]),
    st.sampled_from(TodoStatus),
    st.sampled_from(TodoSource),
    st.sampled_from(["", "1", "2"]),
    st.sampled_from(["", "u1", "u2", "u3"]),
    st.booleans(),
)
lists = st.lists(todos, max_size=5).map(tuple)


@given(lists, lists)
def test_merging_a_window_twice_is_as_once(old: tuple[Todo, ...], new: tuple[Todo, ...]) -> None:
    once = merge_todos(merge_todos((), old), new)
    assert merge_todos(once, new) == once


@given(lists, lists)
def test_merging_keeps_the_order_in_which_todos_were_first_seen(
    old: tuple[Todo, ...], new: tuple[Todo, ...]
) -> None:
    ledger = merge_todos((), old)
    merged = merge_todos(ledger, new)
    assert len(merged) >= len(ledger)
    for before, after in zip(ledger, merged, strict=False):
        assert (before.uuid, before.offset) == (after.uuid, after.offset) or after.task_id


@given(lists, lists)
def test_merging_opens_finished_work_only_on_purpose(
    old: tuple[Todo, ...], new: tuple[Todo, ...]
) -> None:
    new = tuple(
        todo
        for todo in new
        if todo.source is not TodoSource.TASK and todo.status is not TodoStatus.IN_PROGRESS
    )
    ledger = merge_todos((), old)
    for before, after in zip(ledger, merge_todos(ledger, new), strict=False):
        assert before.is_open or not after.is_open


scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=40)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["content", "status", "todos", "task", "id", "subject", "edits", "to"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
names = st.sampled_from(
    "TodoWrite TaskCreate TaskUpdate TaskList TaskGet Bash Read Edit Write MultiEdit ExitPlanMode"
    " EnterWorktree mcp__x__create_y Other".split()
)
inputs = st.dictionaries(
    st.sampled_from(
        "todos subject taskId status command file_path content new_string edits plan title".split()
    ),
    values,
    max_size=4,
)
PHRASES = (
    "- [ ] a", "TODO: b", "DONE: b", "Phase 2: c", "that didn't work", "still failing", "```", "`",
    "it turns out that", "drop the a task", "run `make x` before every commit", "✅ a", "- [x] a",
    "git push", "fixed", "\n", ": ", "(",
)  # fmt: skip
words = st.lists(st.sampled_from(PHRASES) | st.text(max_size=30), max_size=8).map(" ".join)


@given(
    st.lists(
        st.tuples(st.just("user"), words)
        | st.tuples(st.just("assistant"), words)
        | st.tuples(names, inputs, values, st.booleans()),
        max_size=8,
    ),
    st.lists(st.dictionaries(st.sampled_from(["id", "subject", "status"]), values), max_size=2),
)
def test_no_conversation_breaks_an_extractor(
    steps: list[tuple[Any, ...]], task_files: list[dict[str, Any]]
) -> None:
    transcript = Transcript()
    for step in steps:
        if step[0] == "user":
            transcript.user(step[1], todos=[{"content": step[1], "status": "pending"}])
        elif step[0] == "assistant":
            transcript.assistant(step[1])
        else:
            name, given_input, data, error = step
            transcript.tool(name, given_input, str(data), error, data)
    with tempfile.TemporaryDirectory() as folder:
        (window,) = map(read_content, read_windows(transcript.write(Path(folder) / "t.jsonl")))
    found = extract_todos(window, task_files)
    assert merge_todos(merge_todos((), found), found) == merge_todos((), found)
    for extract in EXTRACTORS:
        assert extract(window) == extract(window)


@given(st.text(alphabet="ab '\"\\$(){}<>|&;\n`#=-/.EOF0", max_size=80), st.text(max_size=40))
def test_no_shell_line_breaks_the_splitter(line: str, output: str) -> None:
    for command in split_commands(line):
        assert command.text in line
        assert isinstance(command.phrase, str)
    assert line_kind(line) in (None, "test", "build", "lint")
    assert isinstance(finished_actions(line, output, succeeded=True), list)


PIECES = (
    "- [ ] a\n", "TODO: ", "TODO:", "drop ", "no need ", "don't ", "let me another ", "Phase 2 ",
    "the reason ", "this approach ", "not supported ", "switching to ", "I've tried ", "`", "x",
    "```\n", "run `", "run a ", "root cause of ", "error ", "1 a ", "a/", "((", "~~", "**", "\t",
    "it has ", " ", "'", "git push ", "I have ",
)  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_hostile_texts_are_read_in_linear_time(piece: str, tmp_path: Path) -> None:
    transcript = Transcript()
    text = (piece * 20_000)[:20_000]
    transcript.user(text)
    for _ in range(5):
        transcript.assistant(text)
        transcript.tool("Bash", {"command": f"pytest {text}"}, f"x {text}")
    (window,) = map(read_content, read_windows(transcript.write(tmp_path / "t.jsonl")))
    for extract in EXTRACTORS:
        with watchdog():
            extract(window)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("pytest", "Error: " + " " * 2900 + "!"),
        ("pytest", "TODO" + " " * 7900 + "x"),
        ("pytest", "- [ ] a" + " " * 7900 + "b"),
        ("pytest" + ";pytest" * 500, "exit " * 600),
    ],
    ids=["blank-error", "blank-heading", "blank-box", "checks"],
)
def test_one_long_line_does_not_hold_up_an_extractor(
    command: str, text: str, tmp_path: Path
) -> None:
    transcript = Transcript()
    transcript.user("go on")
    for number in range(4):
        transcript.assistant(text)
        transcript.tool("Bash", {"command": command}, f"{text}{number}", error=True)
    (window,) = map(read_content, read_windows(transcript.write(tmp_path / "t.jsonl")))
    for extract in EXTRACTORS:
        with watchdog():
            extract(window)


def todo_lists(calls: int, entries: int) -> Transcript:
    transcript = Transcript()
    transcript.user("go on")
    for call in range(calls):
        todos = [
            {"content": f"Write part {call} of thing {entry}", "status": "pending"}
            for entry in range(entries)
        ]
        transcript.tool("TodoWrite", {"todos": todos})
    return transcript


def checklists(texts: int, boxes: int) -> Transcript:
    transcript = Transcript()
    transcript.user("go on")
    for text in range(texts):
        lines = (f"- [ ] Write part {text} of thing {box}" for box in range(boxes))
        transcript.assistant("\n".join(lines))
    return transcript


def same_tasks(tasks: int) -> Transcript:
    transcript = Transcript()
    transcript.user("go on")
    for number in range(tasks):
        data = {"task": {"id": str(number)}}
        transcript.tool("TaskCreate", {"subject": "Write the same part"}, data=data)
    return transcript


def dropped_tasks() -> Transcript:
    transcript = checklists(5, 200)
    for _ in range(20):
        transcript.user("drop the thing 7 task.\n" * 500)
    return transcript


@pytest.mark.parametrize(
    "transcript",
    [todo_lists(60, 500), checklists(600, 200), same_tasks(3000), dropped_tasks()],
    ids=["lists", "checklists", "tasks", "dropped"],
)
def test_todos_without_end_are_bounded_in_number_and_steps(
    transcript: Transcript, tmp_path: Path
) -> None:
    (window,) = map(read_content, read_windows(transcript.write(tmp_path / "t.jsonl")))
    found, calls = counted(lambda: extract_todos(window))
    merged, more = counted(lambda: merge_todos((), found))
    assert merged
    assert calls + more < 5_000_000
    assert len(found) <= TODOS_LIMIT


def test_of_too_many_todos_the_newest_and_the_open_are_kept(tmp_path: Path) -> None:
    (window,) = map(read_content, read_windows(todo_lists(9, 400).write(tmp_path / "t.jsonl")))
    found = extract_todos(window)
    assert found[-1].text == "Write part 8 of thing 399"
    assert sum(todo.text.startswith("Write part 8 ") for todo in found) == 400

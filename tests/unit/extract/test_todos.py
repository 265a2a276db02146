"""Todos from all their sources, each once, with the status that stands last."""

import json
from dataclasses import replace
from typing import Any

import pytest

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.extract.statements import Todo, TodoSource, TodoStatus
from amplihack_compaction.extract.todos import extract_todos, merge_todos
from amplihack_compaction.extract.window_content import read_content
from tests.support.captured import session
from tests.support.transcripts import Transcript
from tests.unit.conftest import Read, started

PENDING, ACTIVE = TodoStatus.PENDING, TodoStatus.IN_PROGRESS
DONE, DROPPED = TodoStatus.COMPLETED, TodoStatus.CANCELLED


def entries(**todos: str) -> list[dict[str, str]]:
    return [
        {"content": text.replace("_", " "), "status": status, "activeForm": text}
        for text, status in todos.items()
    ]


def todo_write(
    transcript: Transcript, old: list[dict[str, str]] | None = None, **todos: str
) -> None:
    new = entries(**todos)
    transcript.tool(
        "TodoWrite", {"todos": new}, "Todos have been modified successfully.",
        data={"oldTodos": old or [], "newTodos": new},
    )  # fmt: skip


def task_create(transcript: Transcript, task_id: str, subject: str, data: bool = True) -> None:
    task = {"task": {"id": task_id, "subject": subject}}
    transcript.tool(
        "TaskCreate", {"subject": subject, "description": subject},
        f"Task #{task_id} created successfully: {subject}", data=task if data else None,
    )  # fmt: skip


def task_update(transcript: Transcript, task_id: str, status: str, **more: Any) -> None:
    change = {"success": True, "taskId": task_id, "statusChange": {"from": "pending", "to": status}}
    transcript.tool(
        "TaskUpdate", {"taskId": task_id, "status": status, **more}, f"Updated task #{task_id}",
        data=change,
    )  # fmt: skip


def states(todos: tuple[Todo, ...]) -> dict[str, str]:
    return {todo.text: todo.status.value for todo in todos}


# The client's tasks


def test_a_task_is_kept_with_its_description_the_newest(read: Read) -> None:
    transcript = started()
    given = {"subject": "Run the checks", "description": "Run make fmt && make test"}
    made = {"task": {"id": "1", "subject": "Run the checks"}}
    transcript.tool("TaskCreate", given, "Task #1 created", data=made)
    task_create(transcript, "2", "Write the page")
    todos = extract_todos(read(transcript))
    assert [todo.detail for todo in todos] == ["Run make fmt && make test", ""]
    task_update(transcript, "1", "in_progress")
    transcript.tool("TaskUpdate", {"taskId": "2", "description": "In docs/"}, "Updated task #2")
    (checks, page) = extract_todos(read(transcript))
    assert (checks.detail, checks.status) == ("Run make fmt && make test", TodoStatus.IN_PROGRESS)
    assert (page.detail, page.status) == ("In docs/", TodoStatus.PENDING)
    known = merge_todos((checks,), (replace(checks, detail="", status=TodoStatus.PENDING),))
    assert known[0].detail == "Run make fmt && make test"


# TodoWrite


def test_the_last_list_tells_each_todos_status(read: Read) -> None:
    transcript = started()
    todo_write(transcript, Parse_it="in_progress", Test_it="pending")
    todo_write(transcript, Parse_it="completed", Test_it="in_progress")
    todos = extract_todos(read(transcript))
    assert states(todos) == {"Parse it": "completed", "Test it": "in_progress"}
    assert {todo.source for todo in todos} == {TodoSource.TODO_WRITE}
    assert todos[0].uuid
    assert todos[0].at
    assert todos[0].offset > 0


def test_a_list_that_the_client_refused_changes_nothing(read: Read) -> None:
    transcript = started()
    todo_write(transcript, Parse_it="in_progress")
    transcript.tool("TodoWrite", {"todos": entries(Parse_it="completed")}, "Invalid", error=True)
    assert states(extract_todos(read(transcript))) == {"Parse it": "in_progress"}


def test_what_a_list_drops_while_it_goes_on_is_cancelled(read: Read) -> None:
    transcript = started()
    todo_write(transcript, Parse_it="in_progress", Benchmark_it="pending", Test_it="pending")
    todo_write(transcript, Parse_it="completed", Test_it="pending")
    assert states(extract_todos(read(transcript)))["Benchmark it"] == "cancelled"


def test_a_fresh_list_sets_the_old_open_work_aside(read: Read) -> None:
    transcript = started()
    todo_write(transcript, Parse_it="completed", Test_it="pending")
    todo_write(transcript, Deploy_the_site="pending")
    _, aside, fresh = extract_todos(read(transcript))
    assert (aside.text, aside.status, aside.parked) == ("Test it", PENDING, True)
    assert not fresh.parked


def test_an_all_completed_list_that_the_client_clears_stays_completed(read: Read) -> None:
    transcript = started()
    todo_write(transcript, Parse_it="completed", Test_it="completed")
    todo_write(transcript)
    assert set(states(extract_todos(read(transcript))).values()) == {"completed"}


def test_a_todo_that_got_a_few_words_more_is_still_the_same(read: Read) -> None:
    transcript = started()
    todo_write(transcript, Fix_the_parser_tests="in_progress", Ship_it="pending")
    todo_write(transcript, Fix_the_parser_tests_on_Windows="in_progress", Ship_it="pending")
    assert list(states(extract_todos(read(transcript)))) == [
        "Fix the parser tests on Windows",
        "Ship it",
    ]


def test_the_list_that_an_earlier_window_left_is_learned_from_the_first_call(read: Read) -> None:
    transcript = started()
    old = entries(Parse_it="completed", Test_it="in_progress", Document_it="pending")
    todo_write(transcript, old, Parse_it="completed", Test_it="completed")
    todos = extract_todos(read(transcript))
    assert states(todos) == {
        "Parse it": "completed",
        "Test it": "completed",
        "Document it": "pending",
    }
    # After a compaction a model forgets entries; only one that it saw here was dropped on purpose.
    assert todos[2].parked


def test_entries_that_are_no_todos_are_left_out(read: Read) -> None:
    transcript = started()
    bad: Any = ["text", {"content": 3, "status": "pending"}, {"content": "x", "status": "odd"}, {}]
    transcript.tool("TodoWrite", {"todos": bad})
    transcript.tool("TodoWrite", {"todos": "none"})
    transcript.tool("TodoWrite", {})
    assert extract_todos(read(transcript)) == ()


# Tasks


def test_tasks_follow_their_updates_by_id(read: Read) -> None:
    transcript = started()
    task_create(transcript, "1", "Write parser")
    task_create(transcript, "2", "Write tests", data=False)
    task_create(transcript, "3", "Write docs")
    task_update(transcript, "1", "completed")
    task_update(transcript, "2", "in_progress")
    task_update(transcript, "3", "deleted")
    todos = extract_todos(read(transcript))
    assert [(t.task_id, t.text, t.status) for t in todos] == [
        ("1", "Write parser", DONE),
        ("2", "Write tests", ACTIVE),
        ("3", "Write docs", DROPPED),
    ]


def test_a_completed_task_that_is_deleted_was_not_undone(read: Read) -> None:
    transcript = started()
    task_create(transcript, "1", "Write parser")
    task_update(transcript, "1", "completed")
    task_update(transcript, "1", "deleted")
    assert extract_todos(read(transcript))[0].status is DONE


def test_a_task_can_be_reopened_and_renamed(read: Read) -> None:
    transcript = started()
    task_create(transcript, "1", "Write parser")
    task_update(transcript, "1", "completed")
    task_update(transcript, "1", "pending", subject="Write the parser again")
    (todo,) = extract_todos(read(transcript))
    assert (todo.text, todo.status) == ("Write the parser again", PENDING)


def test_a_failed_update_changes_nothing(read: Read) -> None:
    transcript = started()
    task_create(transcript, "1", "Write parser")
    transcript.tool(
        "TaskUpdate", {"taskId": "1", "status": "completed"}, "Task not found",
        data={"success": False, "taskId": "1"},
    )  # fmt: skip
    transcript.tool("TaskUpdate", {"taskId": "1", "owner": "me"}, "ok", data={"success": True})
    assert extract_todos(read(transcript))[0].status is PENDING


def test_a_renamed_task_keeps_its_status(read: Read) -> None:
    transcript = started()
    task_create(transcript, "1", "Write parser")
    task_update(transcript, "1", "in_progress")
    transcript.tool("TaskUpdate", {"taskId": "1", "subject": "Write lexer"}, data={"success": True})
    (todo,) = extract_todos(read(transcript))
    assert (todo.text, todo.status) == ("Write lexer", ACTIVE)


def test_a_task_of_an_earlier_window_has_no_text_until_merged(read: Read) -> None:
    transcript = started()
    task_update(transcript, "7", "completed")
    (todo,) = extract_todos(read(transcript))
    assert (todo.task_id, todo.text, todo.status) == ("7", "", DONE)


def test_a_task_list_teaches_subjects_and_statuses(read: Read) -> None:
    transcript = started()
    task_update(transcript, "7", "in_progress")
    tasks = [
        {"id": "7", "subject": "Write parser", "status": "in_progress", "blockedBy": []},
        {"id": "8", "subject": "Write docs", "status": "pending", "blockedBy": ["7"]},
    ]
    transcript.tool("TaskList", {}, "#7 ...", data={"tasks": tasks})
    task = {"id": "9", "subject": "Ship", "status": "completed"}
    transcript.tool("TaskGet", {"taskId": "9"}, "...", data={"task": task})
    todos = extract_todos(read(transcript))
    assert [(t.task_id, t.text, t.status) for t in todos] == [
        ("7", "Write parser", ACTIVE),
        ("8", "Write docs", PENDING),
        ("9", "Ship", DONE),
    ]


def test_task_files_are_the_newest_truth(read: Read) -> None:
    transcript = started()
    task_create(transcript, "1", "Write parser")
    files: list[dict[str, Any]] = [
        {"id": "1", "subject": "Write parser", "status": "completed", "blocks": []},
        {"id": "2", "subject": "Docs", "status": "pending"},
        {"id": "3", "subject": "agent", "status": "pending", "metadata": {"_internal": True}},
        {"id": "", "subject": "broken", "status": "pending"},
    ]
    window = read(transcript)
    todos = extract_todos(window, files)
    assert states(todos) == {"Write parser": "completed", "Docs": "pending"}
    assert todos[1].offset == window.window.end


def test_a_number_that_the_client_gave_again_is_another_task(read: Read) -> None:
    transcript = started()
    task_create(transcript, "1", "Write parser")
    task_update(transcript, "1", "completed")
    task_create(transcript, "1", "Deploy")
    assert states(extract_todos(read(transcript))) == {
        "Write parser": "completed",
        "Deploy": "pending",
    }


def test_the_real_clients_tasks_and_lists_are_read() -> None:
    (tasks,) = read_windows(session("short_tasks"))
    todos = extract_todos(read_content(tasks))
    assert [(todo.task_id, todo.text) for todo in todos] == [
        ("1", "Write parser"),
        ("2", "Write tests"),
        ("3", "Docs"),
    ]
    first, second = read_windows(session("short_todowrite"))
    assert states(extract_todos(read_content(first))) == {
        "Write parser": "completed",
        "Write tests": "in_progress",
    }
    assert extract_todos(read_content(second)) == ()


def test_three_real_compactions_end_with_what_the_task_files_say() -> None:
    ledger: tuple[Todo, ...] = ()
    folder = session("auto_compact_x3").parent / "tasks"
    files = [json.loads(path.read_bytes()) for path in sorted(folder.rglob("*.json"))]
    windows = list(read_windows(session("auto_compact_x3")))
    for window in windows:
        known = files if window is windows[-1] else ()
        ledger = merge_todos(ledger, extract_todos(read_content(window), known))
    assert len(windows) == 4
    assert states(ledger) == {
        "Write parser": "completed",
        "Write tests": "completed",
        "Docs": "pending",
    }


# Checklists and TODO lines


def test_checklists_of_the_model_are_todos(read: Read) -> None:
    transcript = started()
    transcript.assistant(
        "Plan:\n- [ ] **Parse** the file\n* [x] Read it\n1. [ ] Test it\n- [~] Port to Java\n"
        "- [-] Fax it\n- [/] Index it\nNot [ ] this"
    )
    todos = extract_todos(read(transcript))
    assert states(todos) == {
        "Parse the file": "pending",
        "Read it": "completed",
        "Test it": "pending",
        "Port to Java": "cancelled",
        "Fax it": "cancelled",
        "Index it": "in_progress",
    }
    assert {todo.source for todo in todos} == {TodoSource.CHECKLIST}


def test_a_checklist_in_code_is_no_todo(read: Read) -> None:
    transcript = started()
    transcript.assistant("The template:\n```markdown\n- [ ] Describe the change\n```\nDone.")
    transcript.tool("Read", {"file_path": "README.md"}, "- [ ] from a file\nTODO: from a file")
    assert extract_todos(read(transcript)) == ()


def test_signs_make_todos_only_beside_open_ones(read: Read) -> None:
    transcript = started()
    transcript.assistant("Summary:\n- ✅ All tests pass\n✅ Pushed to main")
    transcript.assistant("☐ Write docs\n☑ Write parser\n✅ Ship")
    transcript.assistant("✅ Write docs")
    assert states(extract_todos(read(transcript))) == {
        "Write docs": "completed",
        "Write parser": "completed",
        "Ship": "completed",
    }


def test_todo_lines_are_todos_of_user_and_model(read: Read) -> None:
    transcript = started("TODO: update the docs\nFix the login first. TODO: bump the version.")
    transcript.assistant(
        "**TODO:** measure the parser TODO: and the lexer\n- TODO(ann): ask about the licence"
        "\nI saw `TODO: refactor` in a.py and a TODO: here too.\n# TODO: in code\nTODO: none"
    )
    todos = extract_todos(read(transcript))
    assert states(todos) == {
        "update the docs": "pending",
        "bump the version.": "pending",
        "measure the parser": "pending",
        "and the lexer": "pending",
        "ask about the licence": "pending",
    }
    assert {todo.source for todo in todos} == {TodoSource.MARKER}


@pytest.mark.parametrize("words", ["DONE: write the docs", "- [x] Write the docs"])
def test_a_todo_is_completed_in_words(read: Read, words: str) -> None:
    transcript = started("TODO: write the docs")
    transcript.assistant(words)
    assert states(extract_todos(read(transcript))) == {"write the docs": "completed"}


def test_a_plan_files_checklist_counts_wherever_it_shows(read: Read) -> None:
    transcript = started()
    transcript.attachment(
        "plan_file_reference", planFilePath="/h/.claude/plans/p.md", planContent="- [ ] Plan a"
    )
    transcript.user("go on")
    transcript.tool("Write", {"file_path": "/h/.claude/plans/q.md", "content": "- [ ] Plan b"})
    edits = [{"old_string": "- [ ] Plan b", "new_string": "- [x] Plan b"}]
    transcript.tool("MultiEdit", {"file_path": "/h/.claude/plans/q.md", "edits": edits})
    transcript.tool(
        "Edit", {"file_path": "TODO.md", "old_string": "", "new_string": "- [ ] Tell c"}
    )
    transcript.tool("Write", {"file_path": "src/readme.md", "content": "- [ ] Not a plan"})
    transcript.tool("ExitPlanMode", {"plan": "# Plan\n- [ ] Plan d"})
    transcript.tool("ExitPlanMode", {"plan": "- [ ] Refused"}, "The user doesn't want", error=True)
    assert states(extract_todos(read(transcript))) == {
        "Plan a": "pending",
        "Plan b": "completed",
        "Tell c": "pending",
        "Plan d": "pending",
    }


def test_old_clients_attach_their_list_to_prompts(read: Read) -> None:
    transcript = Transcript()
    transcript.user("Go", todos=entries(Parse_it="in_progress", Test_it="pending"))
    todo_write(transcript, Ship_it="pending")
    todos = extract_todos(read(transcript))
    assert [(t.text, t.source, t.parked) for t in todos] == [
        ("Parse it", TodoSource.USER_TODOS, True),
        ("Test it", TodoSource.USER_TODOS, True),
        ("Ship it", TodoSource.TODO_WRITE, False),
    ]


# One todo, several sources


def test_a_todo_that_several_sources_name_appears_once(read: Read) -> None:
    transcript = started("TODO: write tests")
    task_create(transcript, "4", "Write tests")
    transcript.assistant("- [ ] Write **tests**")
    (todo,) = extract_todos(read(transcript))
    assert (todo.task_id, todo.source, todo.text) == ("4", TodoSource.TASK, "write tests")


def test_the_models_words_close_what_a_list_has_open_but_do_not_reopen_it(read: Read) -> None:
    transcript = started()
    todo_write(transcript, Parse_it="completed", Test_it="in_progress")
    transcript.assistant("- [ ] Parse it\n- [x] Test it")
    assert set(states(extract_todos(read(transcript))).values()) == {"completed"}


def test_the_user_can_reopen_what_a_list_has_closed(read: Read) -> None:
    transcript = started()
    todo_write(transcript, Parse_it="completed")
    transcript.user("TODO: parse it")
    assert states(extract_todos(read(transcript))) == {"Parse it": "pending"}


# Merging windows


def todo(text: str, status: TodoStatus = PENDING, uuid: str = "", **more: Any) -> Todo:
    return Todo(text=text, uuid=uuid or text, status=status, **more)


def test_finished_work_is_not_revived_by_a_stale_list() -> None:
    old = (todo("a", DONE), todo("b", DROPPED))
    new = (todo("a", uuid="x"), todo("b", uuid="x"))
    assert [item.status for item in merge_todos(old, new)] == [DONE, DROPPED]


def test_work_that_is_in_progress_again_is_open() -> None:
    (merged,) = merge_todos((todo("a", DONE),), (todo("A.", ACTIVE, uuid="x"),))
    assert merged.status is ACTIVE
    assert (merged.text, merged.uuid) == ("a", "a")


def test_an_update_reopens_a_task_and_learns_nothing_of_its_subject() -> None:
    old = (todo("Write docs", DONE, source=TodoSource.TASK, task_id="3"),)
    new = (todo("", PENDING, uuid="u", source=TodoSource.TASK, task_id="3"),)
    (merged,) = merge_todos(old, new)
    assert (merged.text, merged.status) == ("Write docs", PENDING)


def test_a_later_window_fills_in_a_subject() -> None:
    old = (todo("", ACTIVE, uuid="u", source=TodoSource.TASK, task_id="3"),)
    new = (todo("Write docs", DONE, source=TodoSource.TASK, task_id="3"),)
    (merged,) = merge_todos(old, new)
    assert (merged.text, merged.status) == ("Write docs", DONE)


def test_a_later_list_parks_what_it_leaves_out() -> None:
    listed = TodoSource.TODO_WRITE
    old = (todo("a", source=listed), todo("b", DONE, source=listed), todo("c"))
    merged = merge_todos(old, (todo("d", source=listed),))
    assert [(item.text, item.parked, item.is_open) for item in merged] == [
        ("a", True, True),
        ("b", False, False),
        ("c", False, True),
        ("d", False, True),
    ]
    assert merge_todos(merged, (todo("a", ACTIVE, uuid="y", source=listed),))[0].parked is False


def test_a_window_without_a_list_parks_nothing() -> None:
    old = (todo("a", source=TodoSource.TODO_WRITE),)
    assert merge_todos(old, (todo("b"),))[0].parked is False


def test_a_checklists_entry_that_went_onto_a_list_follows_the_list() -> None:
    listed = TodoSource.TODO_WRITE
    merged = merge_todos((todo("a", source=TodoSource.CHECKLIST),), (todo("a", source=listed),))
    assert merge_todos(merged, (todo("z", source=listed),))[0].parked


def test_a_reused_number_is_another_task_after_merging() -> None:
    old = (todo("Write docs", DONE, source=TodoSource.TASK, task_id="1"),)
    new = (todo("Deploy", source=TodoSource.TASK, task_id="1"),)
    merged = merge_todos(old, new)
    assert states(merged) == {"Write docs": "completed", "Deploy": "pending"}
    assert merge_todos(merged, new) == merged

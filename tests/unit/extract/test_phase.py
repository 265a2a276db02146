"""The phase, the last tools and what keeps failing."""

import pytest

from amplihack_compaction.extract.objective import extract_phase
from amplihack_compaction.extract.recent_context import extract_strikes, extract_tools
from amplihack_compaction.extract.statements import Strikes, Todo, TodoStatus
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.sentences import telling_line
from tests.support.transcripts import Transcript
from tests.unit.conftest import Read, started

REFUSED = "The user doesn't want to proceed with this tool use."


def bash(transcript: Transcript, line: str, output: str = "ok", error: bool = False) -> None:
    transcript.tool("Bash", {"command": line}, output, error)


def phase(window: WindowContent, *todos: Todo) -> tuple[str, str]:
    found = extract_phase(window, todos)
    return found.name, found.source


ACTIVE = Todo(text="Write the lexer", status=TodoStatus.IN_PROGRESS, offset=5)


def test_plan_mode_comes_before_everything(read: Read) -> None:
    transcript = started()
    transcript.assistant("Phase 2: implementation")
    transcript.attachment("plan_mode", planFilePath="/p.md", planExists=False)
    transcript.assistant("Thinking.")
    assert phase(read(transcript), ACTIVE) == ("planning", "plan mode")
    transcript.tool("ExitPlanMode", {"plan": "# Plan"}, "User has approved your plan.")
    assert phase(read(transcript), ACTIVE) == ("Phase 2: implementation", "marker")
    transcript.tool("EnterPlanMode", {}, "Entered plan mode.")
    assert phase(read(transcript), ACTIVE) == ("planning", "plan mode")


def test_planning_goes_on_when_the_user_rejects_a_plan_until_something_is_edited(
    read: Read,
) -> None:
    transcript = started()
    transcript.user("Plan the migration of the store.")
    transcript.refuse("ExitPlanMode", {"plan": "# Plan"}, "use sqlite")
    transcript.user("And keep the old files.")
    content = read(transcript)
    assert phase(content) == ("planning", "plan mode")
    asked = next(said for said in content.prompts if "migration" in said.entry.text)
    assert extract_phase(content, ()).offset == asked.entry.offset
    transcript.tool("Write", {"file_path": "/h/.claude/plans/x.md", "content": "# Plan"}, "ok")
    assert phase(read(transcript)) == ("planning", "plan mode")
    transcript.tool("Edit", {"file_path": "/p/a.py", "old_string": "a", "new_string": "b"}, "ok")
    assert phase(read(transcript)) == ("", "")


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("Bash", {"command": "python migrate.py"}),
        ("Bash", {"command": "sed -i s/a/b/ a.py"}),
        ("Write", {"file_path": "/p/README.md", "content": "# P"}),
        ("Edit", {"file_path": "/p/src/plans/models.py", "old_string": "a", "new_string": "b"}),
        ("NotebookEdit", {"notebook_path": "/p/a.ipynb", "new_source": "1"}),
    ],
)
def test_work_ends_planning_that_only_a_rejected_plan_tells_of(
    read: Read, name: str, given: dict[str, str]
) -> None:
    transcript = started()
    transcript.user("Plan the migration of the store.")
    transcript.refuse("ExitPlanMode", {"plan": "# Plan"}, "forget the plan, just run it")
    transcript.tool("Bash", {"command": "ls -l"}, "a.py")
    transcript.tool("Bash", {"command": "pytest -q"}, "3 passed")
    assert phase(read(transcript)) == ("planning", "plan mode")
    transcript.tool(name, given, "ok")
    assert phase(read(transcript)) == ("", "")


def test_what_is_run_does_not_end_planning_that_the_client_tells_of(read: Read) -> None:
    transcript = started()
    transcript.attachment("plan_mode", planFilePath="/h/.claude/plans/x.mdx")
    transcript.tool("Bash", {"command": "node -e 1"}, "1")
    transcript.tool("Write", {"file_path": "/h/.claude/plans/x.mdx", "content": "# P"}, "ok")
    assert phase(read(transcript)) == ("planning", "plan mode")


def test_a_plan_that_the_client_did_not_let_through_begins_nothing(read: Read) -> None:
    transcript = started()
    told = "Permission to use ExitPlanMode has been denied because of don't ask mode."
    transcript.tool("ExitPlanMode", {"plan": "# Plan"}, told, error=True)
    assert phase(read(transcript)) == ("", "")


def test_planning_that_is_told_of_at_a_windows_first_prompt_may_go_on_from_before(
    read: Read,
) -> None:
    transcript = started()
    transcript.attachment("plan_mode", planFilePath="/p.md")
    content = read(transcript)
    assert extract_phase(content, ()).offset == content.window.start


def test_a_plan_that_could_not_be_shown_tells_of_no_plan_mode(read: Read) -> None:
    transcript = started()
    transcript.tool("ExitPlanMode", {"plan": "# Plan"}, "You are not in plan mode.", error=True)
    assert phase(read(transcript)) == ("", "")


def test_plan_mode_ends_by_the_clients_own_note(read: Read) -> None:
    transcript = started()
    transcript.attachment("plan_mode", planFilePath="/p.md")
    transcript.attachment("plan_mode_exit", planFilePath="/p.md", planExists=True)
    transcript.assistant("Off we go.")
    assert phase(read(transcript)) == ("", "")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Phase 2: implementation", "Phase 2: implementation"),
        ("## Step 3 - Testing the parser. It is long.", "Step 3: Testing the parser"),
        ("**Phase 1 (research)** begins", "Phase 1: research"),
        ("Moving to step 2 (`BUILDATHON.md`) now.", "Step 2: BUILDATHON.md"),
        ("Phase 3: the parser (both parts)", "Phase 3: the parser (both parts"),
        ("🚀 Stage 4/6: rollout", "Stage 4: rollout"),
        ("Phase 2 complete.", "Phase 2 complete"),
        ("The plan:\nPhase 1: a\nPhase 2: b\n\nNow Phase 1: a", "Phase 1: a"),
        ("Moving on to Phase 3: polish", "Phase 3: polish"),
    ],
)
def test_a_marker_names_the_phase(read: Read, text: str, name: str) -> None:
    transcript = started()
    transcript.assistant(text)
    assert phase(read(transcript), ACTIVE) == (name, "marker")


@pytest.mark.parametrize(
    "text",
    [
        "The plan:\n- Phase 1: parser\n- Phase 2: lexer\n- Phase 3: docs",
        "The first phase of the moon is next.",
        "```\nPhase 2: code\n```",
        "This phase 2 thing is odd",
        "Step by step",
    ],
)
def test_an_outline_or_a_mention_is_no_marker(read: Read, text: str) -> None:
    transcript = started()
    transcript.assistant(text)
    assert phase(read(transcript), ACTIVE) == ("Write the lexer", "todo")


def test_an_old_marker_speaks_of_other_work(read: Read) -> None:
    transcript = started("Phase 2: implementation")
    for number in range(12):
        transcript.user(f"Question {number}")
        transcript.assistant("Answer.")
    assert phase(read(transcript)) == ("", "")


def test_parked_and_nameless_todos_are_no_phase(read: Read) -> None:
    parked = Todo(text="a", status=TodoStatus.IN_PROGRESS, parked=True)
    nameless = Todo(text="", status=TodoStatus.IN_PROGRESS, task_id="1")
    assert phase(read(started()), parked, nameless) == ("", "")


def test_the_last_ten_tools_are_kept_with_what_they_were_used_on(read: Read) -> None:
    transcript = started()
    for number in range(8):
        transcript.tool("Read", {"file_path": f"/{number}.py"})
    bash(transcript, "npm test\n-- --run", "boom", error=True)
    transcript.tool("Grep", {"pattern": "x" * 300})
    transcript.tool("TodoWrite", {"todos": []})
    last = transcript.assistant(tools=[{"id": "t9", "name": "Task", "input": {"prompt": "Look"}}])
    tools = extract_tools(read(transcript))
    assert len(tools) == 10
    assert last
    assert [(t.name, t.detail[:20], t.succeeded) for t in tools[-5:]] == [
        ("Read", "/7.py", True),
        ("Bash", "npm test -- --run", False),
        ("Grep", "x" * 20, True),
        ("TodoWrite", "", True),
        ("Task", "Look", None),
    ]
    assert len(tools[-3].detail) <= 300
    assert tools[-1].id == "t9"
    assert tools[-1].offset > tools[0].offset > 0


def test_failures_of_one_kind_in_a_row_are_strikes(read: Read) -> None:
    transcript = started()
    bash(transcript, "pytest -q a.py", "ImportError: no module", error=True)
    transcript.tool("Edit", {"file_path": "/a.py"})
    bash(transcript, "cd /p && uv run pytest b.py | tail", "1 failed")
    transcript.tool("Read", {"file_path": "/x"}, "missing", error=True)
    bash(transcript, "python -m pytest", "E   ValueError: bad\n1 failed", error=True)
    found = extract_strikes(read(transcript))
    assert (found.count, found.step) == (3, "pytest")
    assert found.error == "E ValueError: bad"


def test_a_line_that_failed_is_of_the_kind_that_its_error_names(read: Read) -> None:
    transcript = Transcript()
    for program in ("createdb", "initdb", "createdb"):
        line = "rm -rf d; $PG/initdb -D d && $PG/createdb shop && pnpm vp run db:migrate"
        transcript.tool("Bash", {"command": line}, f"Exit code 1\n{program}: error: no", error=True)
    found = extract_strikes(read(transcript))
    assert (found.step, found.count) == ("createdb", 2)


def test_success_of_the_same_kind_resets_the_strikes(read: Read) -> None:
    transcript = started()
    for _ in range(2):
        bash(transcript, "git push origin main", "rejected", error=True)
    bash(transcript, "git push -u origin main")
    assert extract_strikes(read(transcript)) == Strikes()


def test_the_kind_that_failed_most_is_told(read: Read) -> None:
    transcript = started()
    for _ in range(2):
        transcript.tool("Edit", {"file_path": "/a"}, "String to replace not found", error=True)
    bash(transcript, "npm run build", "error: x", error=True)
    found = extract_strikes(read(transcript))
    assert (found.count, found.step, found.error) == (2, "Edit", "String to replace not found")


def test_a_refusal_and_mere_looking_are_no_failures(read: Read) -> None:
    transcript = started()
    bash(transcript, "npm run build", REFUSED, error=True)
    bash(transcript, "grep -r x . | head", "", error=True)
    bash(transcript, "git diff && ls /nope", "No such file", error=True)
    transcript.tool("Read", {"file_path": "/a"}, "missing", error=True)
    assert extract_strikes(read(transcript)) == Strikes()


def test_one_failure_that_nothing_followed_up_is_soon_no_strike(read: Read) -> None:
    transcript = started()
    bash(transcript, "curl -f http://x", "curl: (22)", error=True)
    assert extract_strikes(read(transcript)).count == 1
    for number in range(20):
        transcript.tool("Write", {"file_path": f"/{number}"})
    assert extract_strikes(read(transcript)) == Strikes()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Exit code 1\n\nsome noise\nfatal: not a git repository", "fatal: not a git repository"),
        (
            "Traceback\n  File a\nKeyError: 'a'\n\nx\njson.JSONDecodeError: bad",
            "json.JSONDecodeError: bad",
        ),
        (
            "<tool_use_error>File has not been read yet</tool_use_error>",
            "File has not been read yet",
        ),
        ("\x1b[31mError: boom\x1b[0m", "Error: boom"),
        ("only words", "only words"),
        ("Exit code 2\n", ""),
        ("Error: " + "x" * 400, "Error: " + "x" * 192 + "…"),
        (
            "On branch main\nnothing to commit, working tree clean",
            "nothing to commit, working tree clean",
        ),
        (
            "ok shop/cart\n--- FAIL: TestSum (0.1s)\n    cart.go:9: adding\n"
            "    cart_test.go:31: sum is 3, not 4\n        of two carts\n"
            "--- FAIL: TestTax (0.0s)\n    tax_test.go:8: no tax\nFAIL",
            "--- FAIL: TestSum (0.1s) cart_test.go:31: sum is 3, not 4",
        ),
        (
            "..E\nE   BrokenProcessPool: A process was terminated abruptly\n"
            "1 error, 2 passed in 9.80s",
            "E BrokenProcessPool: A process was terminated abruptly",
        ),
        (
            'Traceback (most recent call last):\n  File "a.py", line 3, in run\n'
            "concurrent.futures.process.BrokenProcessPool: A process was terminated abruptly",
            "concurrent.futures.process.BrokenProcessPool: A process was terminated abruptly",
        ),
        ("app.Main: started\nbuild failed for app.Main", "build failed for app.Main"),
        ("E   KeyError: 'a'\nE   Actual: 5\n1 failed", "E KeyError: 'a'"),
        (
            "✖ 2 problems (2 errors, 0 warnings)\ncart.ts: error: no such export 'sum'",
            "cart.ts: error: no such export 'sum'",
        ),
        ("Tests: 1 failed, 3 passed", "Tests: 1 failed, 3 passed"),
        (
            "Error: Missing required argument\n\n  on alerts.tf line 1, in resource"
            ' "rule_group" "webhooks":\n\nThe argument "interval_seconds" is required.',
            'Error: Missing required argument on alerts.tf line 1, in resource "rule_group"'
            ' "webhooks": The argument "interval_seconds" is required.',
        ),
        (
            "╷\n│ Error: Unsupported argument\n│ \n│   on main.tf line 3:\n│    3:   sise = 2\n│ \n"
            '│ An argument named "sise" is not expected here.\n╵',
            'Error: Unsupported argument on main.tf line 3: An argument named "sise" is not'
            " expected here.",
        ),
        (
            "error: these files would be overwritten by merge:\n\tsrc/cart.py\nAborting",
            "error: these files would be overwritten by merge: src/cart.py",
        ),
        ("Error: boom\n    at run ('cart.js':3:1)\n    at main ('a.js':1:1)", "Error: boom"),
        ("Error: boom\nthe rest went well", "Error: boom"),
        ("Error: a.go:3:1: unused\n1 issues:\n\nError: issues found", "Error: a.go:3:1: unused"),
        ("FAIL\nFAIL\texample/store\t3.2s", "FAIL example/store 3.2s"),
        (
            "[lint] ERROR task failed\na.go:1:2: Error return is lost",
            "a.go:1:2: Error return is lost",
        ),
        ("Failed to compile.\n\n./a.ts\nType error: no Row", "Type error: no Row"),
        ("FAIL\n[test] ERROR task failed", "FAIL"),
        ("Error Trace: a.go:3\nError: no such reference", "Error: no such reference"),
    ],
)
def test_the_line_that_says_most_stands_for_an_error(text: str, line: str) -> None:
    assert telling_line(text) == line


def test_a_tool_on_a_task_says_which_and_what(read: Read) -> None:
    transcript = started()
    transcript.tool("TaskUpdate", {"taskId": "2", "status": "completed"})
    transcript.tool("TaskUpdate", {"taskId": "3", "subject": "Lexer"})
    transcript.tool("TaskGet", {"taskId": "4"})
    details = [tool.detail for tool in extract_tools(read(transcript))]
    assert details == ["task #2: completed", "task #3: Lexer", "task #4"]

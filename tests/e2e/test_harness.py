"""The harness itself: what it says about the client is what the client does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import NewClient, RunClient
from .conversation import ClientExitError, ClientTimeoutError
from .process import isolation
from .request import Request
from .scenarios import (
    TODO_MODEL,
    TODO_WRITE,
    Exchange,
    How,
    Round,
    Scenario,
    Window,
    bash,
    compacting_session,
    edit,
    failing,
    numbered_windows,
    precomputed_session,
    read,
    subagent_session,
    task_create,
    task_update,
    todos,
    write,
)
from .script import Answer, Script, Step

CONTEXT_HOOK = """
import json, sys
payload = json.load(sys.stdin)
who = payload.get("agent_id", "the session")
context = f"NOTED {payload.get('source', '')} FOR {who} IN {payload['transcript_path']}"
answer = {"hookEventName": payload["hook_event_name"], "additionalContext": context}
print(json.dumps({"hookSpecificOutput": answer}))
"""

LOGGING_HOOK = """
import json, os, sys
payload = json.load(sys.stdin)
with open(os.path.join(os.environ["CLAUDE_PROJECT_DIR"], "events.txt"), "a") as log:
    log.write(payload["hook_event_name"] + "\\n")
"""


def hooks(folder: Path, source: str, **matchers: str) -> dict[str, object]:
    """Return settings in which a script, written below `folder`, serves some events."""
    script = folder / "hook.py"
    script.write_text(source)
    command = {"type": "command", "command": f"{sys.executable} -I {script}"}
    return {
        "hooks": {
            event: [{"matcher": matcher, "hooks": [command]}] for event, matcher in matchers.items()
        }
    }


@pytest.fixture
def noting(tmp_path: Path) -> dict[str, object]:
    """Settings in which a hook gives the model a note at every start of a session."""
    return hooks(tmp_path, CONTEXT_HOOK, SessionStart="")


def conversation(*prompts: str) -> Scenario:
    """Return a session in which the model just talks."""
    return Scenario(Script(), prompts)


def test_two_prompts_are_two_turns_of_one_session(new_client: NewClient) -> None:
    answers: list[Answer] = [Step("Looking.", tools=[bash("echo in {project}")]), "A.", "B."]
    client = new_client(Script(main=answers))
    run = client.run(["first prompt", "second prompt"])
    assert run.exit_code == 0
    assert [result["result"] for result in run.results] == ["A.", "B."]
    assert f"in {client.project}" in run.main_requests[1].text()
    assert "second prompt" not in run.main_requests[1].text()
    assert "second prompt" in run.main_requests[2].text()
    assert len({entry["sessionId"] for entry in run.transcript if "sessionId" in entry}) == 1


def test_the_client_reaches_nothing_but_loopback(run_client: RunClient) -> None:
    if not isolation():
        pytest.skip("no network namespaces here")
    interfaces = bash("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '")
    run = run_client(Scenario(Script(main=[Step(tools=[interfaces])]), ["look around"]))
    assert [result["content"] for result in run.main_requests[1].tool_results()] == ["lo"]


def test_a_hooks_text_reaches_the_model_after_a_manual_compaction(
    run_client: RunClient, noting: dict[str, object]
) -> None:
    run = run_client(compacting_session(numbered_windows(2), how="manual"), setup=noting)
    before, after = run.main_requests[2], run.first_request_after_compaction()
    assert "NOTED compact" not in before.text()
    assert f"NOTED compact FOR the session IN {run.transcript_path}" in after.text()
    assert "SUMMARY 1" in after.summary_handed_over()
    assert "prompt 2" in after.text()
    names = [output.name for output in run.hook_outputs]
    assert names == ["SessionStart:startup", "SessionStart:compact"]


@pytest.mark.parametrize("how", ["manual", "auto", "mid-turn"])
def test_three_compactions_in_a_row_are_told_apart(
    run_client: RunClient, noting: dict[str, object], how: How
) -> None:
    run = run_client(compacting_session(numbered_windows(4), how=how), setup=noting)
    assert run.exit_code == 0
    trigger = "manual" if how == "manual" else "auto"
    assert [compaction["trigger"] for compaction in run.compactions] == [trigger] * 3
    assert len(run.boundaries) == 3
    for number in (1, 2, 3):
        first = run.first_request_after_compaction(number)
        assert f"SUMMARY {number}" in first.summary_handed_over()
        assert first.text().count("NOTED compact") == 1
        assert f"early {number}" not in first.text()
        assert (f"prompt {number + 1}" in first.text()) == (how != "mid-turn")
    with pytest.raises(LookupError, match="compaction 4 of 3"):
        run.first_request_after_compaction(4)


def test_a_refused_request_is_compacted_and_sent_again(
    run_client: RunClient, noting: dict[str, object]
) -> None:
    run = run_client(compacting_session(numbered_windows(4), how="overflow"), setup=noting)
    assert [compaction["trigger"] for compaction in run.compactions] == ["auto"] * 3
    for number in (1, 2, 3):
        first = run.first_request_after_compaction(number)
        assert f"SUMMARY {number}" in first.summary_handed_over()
        # This way the client keeps whole turns, and with them what hooks said in them.
        assert "NOTED compact" in first.text()
        assert f"prompt {number + 1}" in first.text()


def test_a_summary_may_be_made_from_its_request(new_client: NewClient) -> None:
    def summarise(request: Request) -> str:
        return f"asked for {'KEEP THE NAMES' in request.text()}"

    client = new_client(Script(summaries=[summarise]))
    run = client.run(["first prompt", "second prompt", "/compact KEEP THE NAMES", "third prompt"])
    assert "asked for True" in run.first_request_after_compaction().text()


def test_a_subagents_compaction_is_not_the_sessions(
    run_client: RunClient, noting: dict[str, object]
) -> None:
    run = run_client(subagent_session("helper"), setup=noting)
    assert [summary.agent for summary in run.summary_requests] == ["helper"]
    after = run.of_kind("sub:helper")[2]
    assert "SUMMARY OF THE SUBAGENT" in after.summary_handed_over()
    assert "NOTED compact FOR the session" not in after.text()
    assert "NOTED compact FOR" in after.text()
    with pytest.raises(LookupError, match="compaction 1 of 0"):
        run.first_request_after_compaction()


def test_a_precomputed_compaction_uses_a_summary_made_earlier(
    run_client: RunClient, tmp_path: Path
) -> None:
    settings = hooks(tmp_path, LOGGING_HOOK, PreCompact="", SessionStart="", PostToolBatch="")
    run = run_client(precomputed_session(), setup=settings)
    assert [boundary.get("precomputed") for boundary in run.boundaries] == [True]
    after = run.first_request_after_compaction()
    assert "PRECOMPUTED SUMMARY" in after.summary_handed_over()
    events = (run.client.project / "events.txt").read_text().split()
    swapped = events.index("SessionStart", 1)
    assert events[1:swapped].count("PostToolBatch") > events.index("PreCompact")


def test_a_session_is_resumed_continued_and_forked(new_client: NewClient) -> None:
    client = new_client(Script(main=["A.", "B.", "C.", "D."]))
    first = client.run(["first prompt"])
    resumed = client.run(["second prompt"], resume=first.session_id)
    forked = client.run(["third prompt"], resume=first.session_id, fork=True)
    continued = client.run(["fourth prompt"], continue_latest=True)
    assert resumed.session_id == first.session_id
    assert forked.session_id not in (first.session_id, "")
    assert continued.session_id == forked.session_id
    assert "first prompt" in resumed.main_requests[0].text()
    assert "second prompt" in forked.main_requests[0].text()
    assert "third prompt" in continued.main_requests[0].text()
    assert [run.exit_code for run in client.runs] == [0, 0, 0, 0]


def test_clear_starts_another_session_with_a_transcript_of_its_own(run_client: RunClient) -> None:
    run = run_client(conversation("first prompt", "/clear", "second prompt"))
    old, new = run.session_ids
    assert run.session_id == new
    assert "first prompt" not in run.main_requests[1].text()
    assert "first prompt" in run.client.transcript_path(old).read_text()
    assert "second prompt" in run.client.transcript_path(new).read_text()


@pytest.mark.parametrize("tool", ["TaskCreate", "TodoWrite"])
def test_an_older_model_has_todo_tools(run_client: RunClient, tool: str) -> None:
    work = {
        "TaskCreate": [task_create("Write parser"), task_update(1, "in_progress")],
        "TodoWrite": [todos({"Write parser": "in_progress"}), todos({"Write parser": "completed"})],
    }[tool]
    env = TODO_WRITE if tool == "TodoWrite" else {}
    window = Window([Exchange("make a list", work)])
    run = run_client(compacting_session([window], model=TODO_MODEL, env=env))
    results = run.main_requests[-1].tool_results()
    assert len(results) == len(work)
    assert not any(result.get("is_error") for result in results)


def test_the_default_model_has_no_todo_tools_of_its_own(new_client: NewClient) -> None:
    client = new_client(Script(), allowed_tools="Bash,Agent")
    run = client.run(["first prompt"])
    assert not {"TodoWrite", "TaskCreate"} & set(run.main_requests[0].tool_names())
    assert "TaskCreate" not in run.main_requests[0].text()


def test_tools_fail_and_succeed_as_scripted(run_client: RunClient) -> None:
    rounds: list[Round] = [
        failing("it broke", code=3),
        read("a.txt"),
        edit("a.txt", "alpha", "beta"),
        [write("b.txt", "new"), bash("cat a.txt")],
    ]
    window = Window([Exchange("do the work", rounds)])
    run = run_client(compacting_session([window]), files={"a.txt": "alpha\n"})
    results = [result["content"] for result in run.main_requests[-1].tool_results()]
    assert "it broke" in str(results[0])
    assert "Exit code 3" in str(results[0])
    assert results[-1] == "beta"
    assert (run.client.project / "b.txt").read_text() == "new"


def test_something_can_be_done_between_two_prompts(new_client: NewClient) -> None:
    answers: list[Answer] = ["A.", Step(tools=[bash("cat note.txt")])]
    client = new_client(Script(main=answers))
    run = client.run(
        ["first", lambda c: (c.project / "note.txt").write_text("left here"), "second"]
    )
    assert run.main_requests[-1].tool_results()[0]["content"] == "left here"


def test_a_client_that_leaves_early_says_why(new_client: NewClient) -> None:
    client = new_client(Script())
    with pytest.raises(ClientExitError, match="first prompt") as left:
        client.run(["first prompt"], arguments=["--no-such-option"])
    assert "--no-such-option" in "".join(left.value.__notes__)


def test_a_failing_script_fails_the_test_with_its_own_error(new_client: NewClient) -> None:
    def broken(request: Request) -> str:
        raise ZeroDivisionError(request.kind)

    with pytest.raises(ZeroDivisionError, match="main"):
        new_client(Script(main=[broken])).run(["first prompt"])


def test_a_turn_takes_no_longer_than_allowed(new_client: NewClient) -> None:
    slow = Step("Too late.", delay_seconds=5)
    client = new_client(Script(main=[slow]))
    with pytest.raises(ClientTimeoutError, match="first prompt"):
        client.run(["first prompt"], turn_seconds=1.0)


def test_the_binary_is_of_the_pinned_version(claude_binary: Path) -> None:
    pinned = (Path(__file__).parent / "fetch_client.sh").read_text()
    told = subprocess.run([claude_binary, "--version"], capture_output=True, text=True, timeout=30)
    assert f"VERSION={told.stdout.split()[0]}\n" in pinned

"""The installed hooks in the real client, in everything that is not plain sailing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.clients.claude_code.wiring.hook_entries import EVENTS

from .client import Client, Setup
from .conftest import NewClient, RunClient
from .installation import Installation
from .run import Run
from .scenarios import (
    AUTO_COMPACTS,
    Exchange,
    Window,
    bash,
    compacting_session,
    full,
    numbered_windows,
    precomputed_session,
    subagent_session,
)
from .script import Answer, Script, Step, Tool

RULE = "Never push to main."
RULES = [RULE, "Use pnpm, not npm.", "Every commit needs a ticket number."]
NOTHING = "The user and the assistant talked about the project."
HEAD = "<!-- AMPLIHACK STATE -->"
RUNTIME = ".claude/runtime/power-steering"


def runtime(client: Client) -> Path:
    return client.project / RUNTIME


def events(client: Client) -> list[dict[str, Any]]:
    path = runtime(client) / "compaction_events.json"
    found: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []
    return found


def log(client: Client) -> str:
    path = runtime(client) / "hooks.log"
    return path.read_text() if path.exists() else ""


def ruled(prompt: str = f"{RULE} Build the login page.") -> Window:
    return Window([Exchange(prompt, [bash("echo one"), bash("echo two")])], NOTHING)


def without(setup: Setup, *left_out: str) -> Callable[[Client], None]:
    """Return a setup that registers the hooks but for some events, as a client that misses them."""

    def register(client: Client) -> None:
        assert callable(setup)
        setup(client)
        path = client.project / ".claude" / "settings.local.json"
        settings = json.loads(path.read_text())
        for event in left_out:
            del settings["hooks"][event]
        path.write_text(json.dumps(settings))

    return register


def prompts_of(run: Run) -> int:
    return len([request for request in run.main_requests if HEAD in request.text()])


def test_a_complete_injection_causes_no_stop_output_and_no_extra_turn(
    run_client: RunClient, installed: Setup
) -> None:
    run = run_client(compacting_session([ruled(), Window([Exchange("Go on.")])]), setup=installed)
    plain = run_client(compacting_session([ruled(), Window([Exchange("Go on.")])]))
    assert len(run.main_requests) == len(plain.main_requests)
    assert not [output for output in run.hook_outputs if output.event == "Stop" and output.stdout]
    assert log(run.client) == ""


def test_what_a_manual_compaction_leaves_of_its_hooks_is_short(
    run_client: RunClient, installed: Setup
) -> None:
    rules = " ".join(
        f"{rule} Never touch the folder of module {n}." for n, rule in enumerate(RULES)
    )
    windows = [ruled(f"{rules} Build the login page."), Window([Exchange("Go on.")])]
    plain, ours = (
        run_client(compacting_session(windows, how="manual"), setup=setup)
        .first_request_after_compaction()
        .text()
        .partition("<local-command-stdout>")[2]
        .partition("</local-command-stdout>")[0]
        for setup in ({}, installed)
    )
    assert len(ours) - len(plain) < 400
    assert '- rule: "' in ours


def test_the_summariser_is_told_what_to_keep(run_client: RunClient, installed: Setup) -> None:
    run = run_client(compacting_session([ruled(), Window([Exchange("Go on.")])]), setup=installed)
    asked = run.summary_requests[0].text()
    assert f'- rule: "{RULE}"' in asked
    assert "hookSpecificOutput" not in asked


def test_the_event_tells_what_the_client_did(run_client: RunClient, installed: Setup) -> None:
    windows = [ruled(), ruled("Second part."), Window([Exchange("Go on.")])]
    run = run_client(compacting_session(windows), setup=installed)
    first, second = events(run.client)
    assert (first["trigger"], first["window_start"]) == ("auto", 0)
    assert second["window_start"] > 0
    assert [e["pre_tokens"] for e in (first, second)] == [b["preTokens"] for b in run.boundaries]
    for event in (first, second):
        assert Path(event["pre_compaction_transcript_path"]).is_relative_to(run.client.project)
        assert Path(event["loss_report"]).exists()
    assert second["turn_number"] > first["turn_number"] > 0


def test_rules_in_nine_languages_outlive_three_compactions(
    run_client: RunClient, installed: Setup
) -> None:
    rules = [
        "不要修改数据库。", "Nunca edite a pasta legacy.", "Usa siempre tabulaciones.",
        "N'utilise jamais npm.", "Benutze niemals globale Variablen.",
        "テストは必ず実行してください。",
        "main 브랜치에 절대 푸시하지 마세요.", "Никогда не трогай миграции.", "Never use tabs.",
    ]  # fmt: skip
    windows = [ruled(" ".join(rules[n : n + 3])) for n in (0, 3, 6)] + [Window([Exchange("Go.")])]
    run = run_client(compacting_session(windows), setup=installed)
    text = run.first_request_after_compaction(3).text()
    assert [rule for rule in rules if rule not in text] == []


def test_a_lifted_rule_does_not_come_back_as_active(
    run_client: RunClient, installed: Setup
) -> None:
    windows = [
        ruled("Never push to main. Don't use tabs. Build it."),
        ruled("You may now push to main."),
        ruled("More."),
        Window([Exchange("Go on.")]),
    ]
    run = run_client(compacting_session(windows), setup=installed)
    text = run.first_request_after_compaction(3).text()
    active = text.partition("\n## Rules, some of them for one request")[2].partition("\n## ")[0]
    assert 'with "Build it.": "Don\'t use tabs."' in active
    assert "push to main" not in active
    assert 'lifted: "Never push to main."' in text


def test_what_the_users_patterns_call_secret_never_reaches_the_model_again(
    run_client: RunClient, installed: Setup
) -> None:
    def register(client: Client) -> None:
        assert callable(installed)
        installed(client)
        settings = {"redact_patterns": ["ACME-[0-9]{8}", "(?:a+)+!!!!"]}
        own = client.home / ".claude" / "compaction.json"
        own.parent.mkdir(exist_ok=True)
        own.write_text(json.dumps(settings))

    said = "Never ship to ACME-12345678. <private>They pay late.</private> Build the login page."
    windows = [ruled(said), ruled("More."), Window([Exchange("Go on.")])]
    run = run_client(compacting_session(windows), setup=register)
    for number in (1, 2):
        text = run.first_request_after_compaction(number).text()
        assert "Never ship to [redacted:user-pattern]." in text
        assert "ACME-12345678" not in text
        assert "pay late" not in text
    kept = b"".join(path.read_bytes() for path in runtime(run.client).rglob("*") if path.is_file())
    assert b"[redacted:user-pattern]" in kept
    assert b"12345678" not in kept
    assert b"pay late" not in kept
    assert "redact_patterns: pattern 2 repeats" in log(run.client)


def test_a_missed_session_start_is_made_up_for(run_client: RunClient, installed: Setup) -> None:
    windows = [ruled(), Window([Exchange("Go on.", [bash("echo three")])])]
    session = compacting_session(windows, how="manual")
    session.script.latency_seconds = 0.1
    run = run_client(session, setup=without(installed, "SessionStart", "PreCompact"))
    assert RULE in run.first_request_after_compaction().text()
    assert run.main_requests[-1].text().count(HEAD) == 1


def test_a_missed_session_start_in_mid_turn_is_made_up_for_by_a_tool(
    run_client: RunClient, installed: Setup
) -> None:
    rounds = [bash("echo one"), bash("echo two"), bash("echo three"), bash("echo four")]
    steps: list[Answer] = [
        Step(tools=[rounds[0]]), full(Step(tools=[rounds[1]])), Step(tools=[rounds[2]]),
        Step(tools=[rounds[3]]), "Done.",
    ]  # fmt: skip
    script = Script(main=steps, summaries=[NOTHING], latency_seconds=0.1)
    session = compacting_session([ruled()])
    run = run_client(
        type(session)(script, [f"{RULE} Build it."], AUTO_COMPACTS),
        setup=without(installed, "SessionStart"),
    )
    assert HEAD not in run.first_request_after_compaction().text()
    assert RULE in run.main_requests[-1].text()
    assert run.main_requests[-1].text().count(HEAD) == 1


def test_with_only_stop_registered_the_loss_is_named_once(
    run_client: RunClient, installed: Setup
) -> None:
    windows = [ruled(), Window([Exchange("Go on."), Exchange("And on.")])]
    session = compacting_session(windows, how="manual")
    setup = without(installed, "SessionStart", "PreCompact", "PreToolUse", "UserPromptSubmit")
    run = run_client(session, setup=setup)
    told = [request for request in run.main_requests if RULE in request.text()]
    assert any("Stop hook additional context" in request.text() for request in told)
    outputs = [output for output in run.hook_outputs if output.event == "Stop" and output.stdout]
    assert len(outputs) == 1


def test_a_subagents_compaction_leaves_the_session_untouched(
    run_client: RunClient, installed: Setup
) -> None:
    run = run_client(subagent_session("helper"), setup=installed)
    assert run.exit_code == 0
    assert not any(HEAD in request.text() for request in run.requests)
    assert events(run.client) == []
    assert log(run.client) == ""


def test_a_precomputed_compaction_is_given_the_state_at_the_swap(
    run_client: RunClient, installed: Setup
) -> None:
    session = precomputed_session()
    turns = [f"{RULE} Work on it.", *session.turns[1:]]
    run = run_client(
        type(session)(session.script, turns, session.env, state=session.state, interactive=True),
        setup=installed,
    )
    first = run.first_request_after_compaction()
    assert RULE in first.text()
    assert first.text().count(HEAD) == 1


def test_a_refused_request_is_survived(run_client: RunClient, installed: Setup) -> None:
    windows = [ruled(), ruled("Second part."), Window([Exchange("Go on.")])]
    run = run_client(compacting_session(windows, how="overflow"), setup=installed)
    for number in (1, 2):
        assert f'- "{RULE}"' in run.first_request_after_compaction(number).text()


def test_resumed_continued_and_forked_sessions_keep_their_state(
    new_client: NewClient, installed: Setup
) -> None:
    windows = [ruled(), Window([Exchange("Go on.")])]
    session = compacting_session(windows, how="manual")
    script = Script(main=[*session.script.main, *["More."] * 20], summaries=[NOTHING])
    client = new_client(script, setup=installed)
    first = client.run(session.turns)
    client.run(["Again.", "/compact", "After resume."], resume=first.session_id)
    forked = client.run(["Forked.", "/compact", "In fork."], resume=first.session_id, fork=True)
    continued = client.run(["Continued.", "/compact", "Last."], continue_latest=True)
    for run in client.runs[1:]:
        assert RULE in run.main_requests[-1].text()
        assert run.main_requests[-1].text().count(HEAD) == 1
    assert forked.session_id != first.session_id
    assert continued.exit_code == 0


def test_clear_starts_with_nothing_of_the_session_before(
    run_client: RunClient, installed: Setup
) -> None:
    windows = [ruled(), Window([Exchange("Go on.")])]
    session = compacting_session(windows, how="manual")
    turns = [*session.turns, "/clear", "New topic.", "/compact", "More."]
    script = Script(main=[*session.script.main, "A.", "B.", "C."], summaries=[NOTHING])
    run = run_client(type(session)(script, turns), setup=installed)
    assert run.exit_code == 0
    last = run.main_requests[-1].text()
    assert "New topic." in last
    assert RULE not in last


def test_an_overflow_keeps_the_order_and_counts_what_is_left_out(
    run_client: RunClient, installed: Setup
) -> None:
    exchanges = [
        Exchange(
            "Build the login page. "
            + " ".join(
                f"Never touch the file number {10 * m + n} of the old app." for n in range(10)
            )
        )
        for m in range(12)
    ]
    windows = [Window([*exchanges, *ruled().exchanges], NOTHING), Window([Exchange("Go.")])]
    run = run_client(compacting_session(windows), setup=installed)
    text = run.first_request_after_compaction().text()
    state = text[text.index(HEAD) :]
    shown = state.count('- "Never touch the file')
    assert 10 < shown < 120
    assert f"Not shown: {120 - shown} rules" in state
    places = [state.index(f"## {t}") for t in ("Standing rules", "Objective")]
    assert places == sorted(places)
    named = state.partition("The whole state: ")[2].partition("\n")[0]
    assert "number 0 of" in Path(named).read_text()


def test_deleting_checkout_and_environment_leaves_the_session_working(
    new_client: NewClient, installation: Installation, tmp_path: Path
) -> None:
    mine = installation.moved_to(tmp_path / "mine")
    work = [Step(tools=[bash(f"echo {n}")]) for n in range(3)]
    main: list[Answer] = [work[0], "A.", work[1], "B.", work[2], "C.", "D."]
    client = new_client(Script(main=main, summaries=[NOTHING]), setup=mine.into)
    run = client.run(
        [
            "first",
            lambda _: shutil.rmtree(mine.checkout),
            "second",
            lambda _: shutil.rmtree(mine.home),
            "third",
            "/compact",
            "fourth",
        ]
    )
    assert run.exit_code == 0
    assert [result["result"] for result in run.results if result.get("result")][-1] == "D."
    for number in range(3):
        assert any(f"{number}" in str(r.tool_results()) for r in run.main_requests)
    assert not any("hook error" in request.text().lower() for request in run.requests)


def test_hooks_registered_twice_speak_once(run_client: RunClient, installed: Setup) -> None:
    def twice(client: Client) -> None:
        assert callable(installed)
        installed(client)
        project = client.project / ".claude" / "settings.local.json"
        local = json.loads(project.read_text())
        for groups in local["hooks"].values():
            for hook in groups[0]["hooks"]:
                hook["command"] += " # another spelling"
        (client.project / ".claude" / "settings.json").write_text(json.dumps(local))

    run = run_client(compacting_session([ruled(), Window([Exchange("Go on.")])]), setup=twice)
    assert run.first_request_after_compaction().text().count(HEAD) == 1
    assert len(events(run.client)) == 1


def test_the_kill_switch_is_the_clients_plain_behaviour(
    run_client: RunClient, installed: Setup
) -> None:
    run = run_client(
        compacting_session([ruled(), Window([Exchange("Go on.")])]),
        setup=installed,
        env={"AMPLIHACK_COMPACTION_DISABLED": "1"},
    )
    assert not any(HEAD in request.text() for request in run.requests)
    assert not runtime(run.client).exists()


@pytest.mark.parametrize("how", ["manual", "auto"])
def test_a_session_without_anything_to_keep_goes_its_way(
    run_client: RunClient, installed: Setup, how: Any
) -> None:
    run = run_client(compacting_session(numbered_windows(3), how=how), setup=installed)
    assert run.exit_code == 0
    assert log(run.client) == ""


@pytest.mark.parametrize("end", ["kill -KILL $$", "kill -ABRT $$", "exit 1"])
def test_a_hook_that_dies_with_its_shell_blocks_nothing(run_client: RunClient, end: str) -> None:
    """What the client makes of an interpreter that has no memory, were its exit code not hidden."""

    def register(client: Client) -> None:
        command = {"type": "command", "command": end, "timeout": 20}
        settings = {"hooks": {event: [{"hooks": [command]}] for event in EVENTS}}
        path = client.project / ".claude" / "settings.local.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(settings))

    scenario = compacting_session([ruled(), Window([Exchange("Go on.")])])
    run = run_client(scenario, setup=register)
    plain = run_client(compacting_session([ruled(), Window([Exchange("Go on.")])]))
    assert len(run.main_requests) == len(plain.main_requests)
    assert "hook_non_blocking_error" in run.transcript_path.read_text()
    assert "hook_blocking_error" not in run.transcript_path.read_text()


def test_background_work_that_ended_in_mid_turn_is_told_as_ended(
    new_client: NewClient, installed: Setup
) -> None:
    wait = "python3 -c 'import time; time.sleep({})'"
    waiting = {"command": wait.format(2), "run_in_background": True, "description": "wait a little"}
    main: list[Answer] = [
        Step(tools=[Tool("Bash", waiting)]),
        Step(tools=[Tool("Bash", {"command": wait.format(6)})]),
        "Done.",
        "B.",
    ]
    client = new_client(Script(main=main, summaries=["One."]), setup=installed)
    run = client.run([f"Wait for it. {RULE}", "/compact", "Go on."])
    lines = [json.loads(line) for line in run.transcript_path.read_text().splitlines()]
    modes = [(line.get("attachment") or {}).get("commandMode") for line in lines]
    assert "task-notification" in modes
    injected = run.main_requests[-1].text().rpartition(HEAD)[2]
    assert RULE in injected
    assert "Running in the background" not in injected

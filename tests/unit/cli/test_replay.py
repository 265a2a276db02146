"""The replay: it plays what the client did, and notices a hook that does not work."""

import json
import re
import shlex
from pathlib import Path

import pytest

from amplihack_compaction.base.hook_log import NOT_AWAITED
from amplihack_compaction.base.size_limits import STATE_HEAD
from amplihack_compaction.cli import replay
from amplihack_compaction.cli.replay import EXPECTED, Replay, replay_session
from amplihack_compaction.clients.claude_code.wiring.hook_entries import Registered, command_of

STATE = f"{STATE_HEAD}\n{' / '.join(EXPECTED)}\n"


def says(text: str) -> str:
    return f"cat > /dev/null; printf %s {shlex.quote(text)}"


def context(event: str, text: str = STATE) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})


def only_when(word: str, command: str) -> str:
    return f"if grep -q {word}; then {command}; fi"


GOOD = {
    "PreCompact": says("Keep the rules."),
    "SessionStart": only_when('\'"source": "compact"\'', says(context("SessionStart"))),
    "PostCompact": "cat > /dev/null",
    "PreToolUse": "cat > /dev/null",
    "UserPromptSubmit": "cat > /dev/null",
    "Stop": "cat > /dev/null",
    "SessionEnd": "cat > /dev/null",
}


def play(**changed: str) -> Replay:
    return replay_session([Registered(event, c) for event, c in {**GOOD, **changed}.items()])


def test_the_recording_is_small_and_names_no_machine() -> None:
    folder = Path(replay.__file__).parent / "replay_session"
    files = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert sorted(files) == ["after.jsonl", "before.jsonl", "payloads.json"]
    assert sum(map(len, files.values())) < 100_000
    for text in files.values():
        assert not re.search(r'"/(?!home/user)[a-z]+/|"prompt_snapshot","|api-request', text)


def test_hooks_that_work_have_no_problems() -> None:
    played = play()
    assert played.problems == []
    assert played.told == STATE
    events = [answer.event for answer in played.answers]
    assert events[:3] == ["SessionStart", "UserPromptSubmit", "PreToolUse"]
    place = events.index("PreCompact")
    assert events[place : place + 3] == ["PreCompact", "SessionStart", "PostCompact"]
    assert events[-1] == "SessionEnd"
    assert {"PreToolUse", "Stop", "UserPromptSubmit"} <= set(events[place:])


def test_hooks_see_the_transcript_as_it_was_at_their_time(tmp_path: Path) -> None:
    note = (
        'path=$(sed \'s/.*"transcript_path": "\\([^"]*\\)".*/\\1/\'); '
        f'cat "$path" >> {tmp_path}/seen; '
        f'echo "$CLAUDE_PROJECT_DIR" "$(pwd)" >> {tmp_path}/where'
    )
    replay_session(
        [
            Registered("PreCompact", f"{note}; echo text; mv {tmp_path}/seen {tmp_path}/before"),
            Registered("SessionStart", GOOD["SessionStart"]),
            Registered("SessionEnd", note),
        ]
    )
    before = (tmp_path / "before").read_text(encoding="utf-8")
    seen = (tmp_path / "seen").read_text(encoding="utf-8")
    assert "Never push to main" in before
    assert "compact_boundary" not in before
    assert seen.startswith(before)
    assert "compact_boundary" in seen
    (line,) = [line for line in seen.splitlines() if '"hook_additional_context"' in line]
    assert json.loads(line)["attachment"]["content"] == [STATE]
    where = (tmp_path / "where").read_text(encoding="utf-8").split()
    assert where[0] == where[1]
    assert where[0].endswith("/shop")
    assert not Path(where[0]).exists()
    assert "/home/user" not in seen


def test_without_a_session_start_the_client_shows_no_injection() -> None:
    hooks = [
        Registered("PreToolUse", only_when("toolu_", says(context("PreToolUse")))),
        Registered("SessionEnd", "grep -o '\"transcript_path\"' >&2"),
    ]
    played = replay_session(hooks)
    assert played.told == STATE
    assert played.problems == ['SessionEnd: "transcript_path"']


@pytest.mark.parametrize(
    ("event", "command", "problem"),
    [
        ("Stop", "exit 3", "Stop: exit code 3"),
        ("Stop", "echo lost >&2; exit 2", "Stop: exit code 2 lost"),
        ("PreToolUse", "echo 'ImportError: no' >&2", "PreToolUse: ImportError: no"),
        ("PreToolUse", "echo hello", "PreToolUse: printed 'hello\\n', which is no answer"),
        ("PreToolUse", says(context("Stop", "x")), "PreToolUse: printed"),
        ("PostCompact", "echo hello", "PostCompact: printed 'hello\\n', where nothing is expected"),
        ("SessionEnd", "echo {}", "SessionEnd: printed"),
        ("PreCompact", "true", "PreCompact: no text for the summary"),
        ("PreCompact", "echo '{}'", "PreCompact: no text for the summary"),
        ("SessionStart", "true", "after the compaction the model was told nothing"),
        (
            "SessionStart",
            says(context("SessionStart", STATE.replace("8443", ""))),
            "the model was not told of '8443'",
        ),
    ],
)
def test_a_hook_that_does_not_work_is_named(event: str, command: str, problem: str) -> None:
    problems = play(**{event: command}).problems
    assert problems
    assert all(found.startswith(problem) for found in problems)


def test_a_hook_that_hangs_is_not_waited_for() -> None:
    hooks = [Registered("SessionEnd", "exec sleep 30", 0.2)]
    assert replay_session(hooks).problems == ["SessionEnd: no answer in 0.2 seconds, twice"]


def test_a_hook_that_a_stalled_machine_kept_from_answering_once_is_asked_again() -> None:
    stalled = "mkdir stalled 2>/dev/null && exec sleep 30; exit 0"
    assert replay_session([Registered("SessionEnd", stalled, 2)]).problems == []


def test_a_hook_whose_first_answer_came_too_late_has_no_problem() -> None:
    late = (
        "mkdir stalled 2>/dev/null || exit 0; mkdir -p .claude/runtime/power-steering; "
        f"echo 2026-11-30T00:00:00Z SessionEnd pid=1 {NOT_AWAITED} "
        ">>.claude/runtime/power-steering/hooks.log; exec sleep 30"
    )
    assert replay_session([Registered("SessionEnd", late, 2)]).problems == []


def test_what_a_hook_logs_is_a_problem() -> None:
    log = 'd="$CLAUDE_PROJECT_DIR/.claude/runtime/power-steering"; mkdir -p "$d"; '
    problems = play(
        SessionEnd=log + 'echo "2026 SessionEnd pid=1 broken" >> "$d/hooks.log"'
    ).problems
    assert problems == ["logged: SessionEnd pid=1 broken"]


def test_the_switch_that_turns_hooks_off_does_not_reach_the_replay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AMPLIHACK_COMPACTION_DISABLED", "1")
    assert play(Stop='test -z "$AMPLIHACK_COMPACTION_DISABLED"').problems == []


def test_a_command_whose_launcher_is_gone_is_a_problem() -> None:
    (problem, *_) = play(Stop=command_of("Stop")).problems
    assert problem.startswith("Stop: ")
    assert "not found" in problem

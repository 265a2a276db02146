"""A compaction as the client plays it: every hook a process, one reading what another wrote."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.captured import payload
from tests.processes import Answer, environment, log_of, modes_below, run_hook, script
from tests.transcripts import SESSION, Transcript

HEAD = "<!-- AMPLIHACK STATE -->"
RULE = "Never push to main."
RULE_2 = "Use pnpm, not npm."
NOTHING = "They talked."


class Session:
    """A session in a project, and the client's part in it."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.path = project.parent / "claude" / "projects" / "p" / f"{SESSION}.jsonl"
        self.transcript = Transcript()
        self.transcript.user(f"Build the login page at https://example.com:8443/x. {RULE}")
        self.transcript.tool("Bash", {"command": "pytest -q"}, "2 passed")
        self.transcript.assistant("Good.\n- [ ] Write the docs\n- [x] Draw the form")

    def hook(self, event: str, name: str, **changes: Any) -> Answer:
        self.transcript.write(self.path)
        stdin = payload(name, session_id=SESSION, transcript_path=str(self.path), **changes)
        answer = run_hook(event, stdin, self.project)
        assert (answer.stderr, answer.code) == ("", 0)
        return answer

    def pre_compact(self) -> str:
        return self.hook("PreCompact", "PreCompact.auto").stdout

    def session_start(self) -> str:
        return self.hook("SessionStart", "SessionStart.compact").context

    def post_compact(self, summary: str = NOTHING) -> None:
        text = f"<analysis>{RULE}</analysis><summary>{summary}</summary>"
        assert self.hook("PostCompact", "PostCompact.auto", compact_summary=text).stdout == ""

    def boundary(self, injected: str = "", summary: str = NOTHING) -> None:
        self.transcript.compact(summary, preserved=0)
        if injected:
            self.transcript.attachment("hook_additional_context", content=[injected])

    def compact(self, summary: str = NOTHING) -> str:
        """Play a whole compaction and return what was injected."""
        self.pre_compact()
        injected = self.session_start()
        self.post_compact(summary)
        self.boundary(injected, summary)
        return injected

    def tool_use(self) -> str:
        return self.hook("PreToolUse", "PreToolUse.Bash").context

    def prompt(self) -> str:
        return self.hook("UserPromptSubmit", "UserPromptSubmit").context

    def stop(self, **changes: Any) -> Answer:
        return self.hook("Stop", "Stop", **changes)

    @property
    def runtime(self) -> Path:
        return self.project / ".claude/runtime/power-steering"

    @property
    def events(self) -> list[dict[str, Any]]:
        path = self.runtime / "compaction_events.json"
        events: list[dict[str, Any]] = json.loads(path.read_text())
        return events


@pytest.fixture
def session(project: Path) -> Session:
    return Session(project)


def settings(project: Path, **values: Any) -> None:
    (project / ".claude").mkdir(exist_ok=True)
    (project / ".claude" / "compaction.json").write_text(json.dumps(values))


def test_a_compaction_is_recorded_injected_and_checked(session: Session) -> None:
    hint = session.pre_compact()
    assert f'standing rule: "{RULE}"' in hint
    assert len(hint) <= 2000
    injected = session.session_start()
    for text in (RULE, "Build the login page", "- [ ] Write the docs", "- [x] Draw the form",
                 "`pytest -q` (passed", "https://example.com:8443/x"):  # fmt: skip
        assert text in injected
    session.post_compact()
    session.boundary(injected)
    assert session.prompt() == ""
    session.transcript.user("Go on.")
    session.transcript.assistant("Going on.")
    assert session.tool_use() == ""
    assert session.stop().stdout == ""
    (event,) = session.events
    assert event["session_id"] == SESSION
    assert (event["turn_number"], event["trigger"]) == (1, "auto")
    assert event["messages_removed"] == 4
    assert event["pre_tokens"] == 170074
    copy = Path(event["pre_compaction_transcript_path"])
    assert RULE in copy.read_text()
    report = json.loads(Path(event["loss_report"]).read_text())
    assert any(RULE in item["text"] and item["label"] == "dropped" for item in report["items"])
    session.hook("SessionEnd", "SessionEnd.other")
    assert log_of(session.project) == []


def test_everything_that_is_written_is_private(session: Session) -> None:
    session.compact()
    session.stop()
    modes = modes_below(session.runtime)
    assert {m for p, m in modes.items() if os.path.isfile(p)} == {0o600}
    assert {m for p, m in modes.items() if os.path.isdir(p)} == {0o700}
    assert (session.runtime / ".gitignore").read_text() == "*\n"


def test_what_was_said_before_the_last_compaction_is_still_there_after_the_third(
    session: Session,
) -> None:
    session.compact()
    session.transcript.user(f"{RULE_2} The ticket is SHOP-4711.")
    session.transcript.assistant("Yes.")
    session.compact()
    session.transcript.user("Go on.")
    session.transcript.assistant("Done.")
    injected = session.compact()
    for text in (RULE, RULE_2, "SHOP-4711", "https://example.com:8443/x", "Write the docs"):
        assert text in injected
    assert len(session.events) == 3
    assert len({event["window_start"] for event in session.events}) == 3


def test_a_lost_ledger_is_folded_again(session: Session) -> None:
    session.compact()
    session.transcript.user("Go on.")
    session.compact()
    ledger = session.runtime / "sessions" / SESSION / "ledger.json"
    for content in (None, b"", b"{", b'{"version": 1, "covered_bytes": -5}', b"[]"):
        ledger.unlink()
        if content is not None:
            ledger.write_bytes(content)
        session.transcript.user("More.")
        assert RULE in session.compact()


def test_a_ledger_of_a_newer_version_is_left_alone(session: Session) -> None:
    session.compact()
    session.transcript.user("Go on.")
    ledger = session.runtime / "sessions" / SESSION / "ledger.json"
    ledger.parent.mkdir(parents=True, exist_ok=True)
    ledger.write_text('{"version": 99, "secret": "of the future"}')
    assert RULE in session.compact()
    assert "of the future" in ledger.read_text()


def test_firing_twice_makes_one_event_and_one_injection(session: Session) -> None:
    for _ in range(3):
        session.pre_compact()
    assert session.session_start() != ""
    assert session.session_start() == ""
    session.post_compact()
    session.post_compact()
    assert len(session.events) == 1


def test_hooks_registered_twice_inject_once(session: Session) -> None:
    session.transcript.write(session.path)
    stdin = payload("SessionStart.compact", session_id=SESSION, transcript_path=str(session.path))

    def start(_: int) -> str:
        return run_hook("SessionStart", stdin, session.project).stdout

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(start, range(6)))
    assert len([answer for answer in answers if answer]) == 1
    assert len(session.events) == 1


def test_an_early_pre_compact_is_refreshed_at_session_start(session: Session) -> None:
    session.pre_compact()
    session.transcript.user(f"By the way: {RULE_2}")
    session.transcript.assistant("Noted.")
    assert RULE_2 in session.session_start()
    (event,) = session.events
    assert RULE_2 in Path(event["pre_compaction_transcript_path"]).read_text()


@pytest.mark.parametrize("event", ["prompt", "tool_use"])
def test_a_missed_session_start_is_made_up_for_once(session: Session, event: str) -> None:
    session.boundary()
    given = getattr(session, event)()
    assert RULE in given
    session.transcript.attachment("hook_additional_context", content=[given])
    session.transcript.assistant("I see.")
    assert session.prompt() == ""
    assert session.tool_use() == ""
    assert session.stop().stdout == ""
    (recorded,) = session.events
    assert recorded["messages_removed"] == 4
    assert RULE in Path(recorded["pre_compaction_transcript_path"]).read_text()


def test_parallel_tool_uses_make_up_for_it_once(session: Session) -> None:
    session.boundary()
    session.transcript.write(session.path)
    stdin = payload("PreToolUse.Bash", session_id=SESSION, transcript_path=str(session.path))

    def use(_: int) -> str:
        return run_hook("PreToolUse", stdin, session.project).stdout

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(use, range(6)))
    assert len([answer for answer in answers if answer]) == 1


def test_an_injection_that_never_arrived_is_given_again_once(session: Session) -> None:
    session.pre_compact()
    assert session.session_start() != ""
    session.boundary()
    session.transcript.assistant("I know of nothing.")
    assert RULE in session.tool_use()
    session.transcript.assistant("Still nothing.")
    assert session.tool_use() == ""


def test_a_compaction_that_never_came_gives_its_receipt_back(session: Session) -> None:
    session.pre_compact()
    assert session.session_start() != ""
    # The client died before it wrote the boundary; the session was resumed and went on.
    session.transcript.user("Where were we?")
    session.transcript.assistant("Here.")
    assert RULE in session.compact()
    assert "set aside" in log_of(session.project)[-1]


def test_stop_names_what_is_missing_once(session: Session) -> None:
    session.pre_compact()
    session.boundary()  # nothing was injected, and the summary says nothing
    session.transcript.assistant("What now?")
    text = session.stop().context
    for item in (RULE, "Write the docs", "pytest -q"):
        assert item in text
    assert "Draw the form" not in text
    assert session.stop().stdout == ""


def test_what_the_summary_kept_is_not_missing(session: Session) -> None:
    summary = (
        f"The user wants the login page built at https://example.com:8443/x. Rule: {RULE}\n"
        "Open: Write the docs. Tests are run with `pytest -q` and passed."
    )
    session.pre_compact()
    session.boundary(summary=summary)
    session.transcript.assistant("Going on.")
    assert session.stop().stdout == ""


def test_a_turn_that_a_hook_prolonged_is_never_prolonged_again(session: Session) -> None:
    session.pre_compact()
    session.boundary()
    assert session.stop(stop_hook_active=True).stdout == ""


def test_on_loss_off_says_nothing(session: Session) -> None:
    settings(session.project, on_loss="off")
    session.pre_compact()
    session.boundary()
    assert session.stop().stdout == ""


def test_on_loss_block_blocks_with_the_items(session: Session) -> None:
    settings(session.project, on_loss="block")
    session.pre_compact()
    session.boundary()
    answer = session.stop().json
    assert answer["decision"] == "block"
    assert RULE in answer["reason"]


def test_on_loss_prompt_waits_for_the_next_prompt(session: Session) -> None:
    settings(session.project, on_loss="prompt")
    session.pre_compact()
    session.session_start()
    session.boundary()
    assert session.stop().stdout == ""
    session.transcript.attachment("hook_additional_context", content=[f"{HEAD} late"])
    assert RULE in session.prompt()
    assert session.prompt() == ""
    assert session.tool_use() == ""


def test_power_steering_can_be_switched_off(session: Session) -> None:
    folder = session.project / ".claude/tools/amplihack"
    folder.mkdir(parents=True)
    (folder / ".power_steering_config").write_text('{"enabled": false}')
    session.pre_compact()
    session.boundary()
    assert session.stop().stdout == ""


def test_broken_settings_are_named_in_the_log_and_defaults_serve(session: Session) -> None:
    (session.project / ".claude").mkdir()
    (session.project / ".claude/compaction.json").write_text("{oops")
    assert session.pre_compact() != ""
    assert "compaction.json is not a JSON object" in log_of(session.project)[0]


def test_a_secret_is_neither_stored_nor_injected(session: Session) -> None:
    secret = "gh" + "p_" + "A1b2C3d4E5f6" * 3
    session.transcript.user(f"Never print the token {secret} anywhere.")
    session.transcript.tool("Bash", {"command": f"curl -H 'x: {secret}'"}, f"used {secret}")
    injected = session.compact()
    session.stop()
    assert secret not in injected
    assert "Never print the token [redacted:github-token] anywhere." in injected
    for parent, _, names in os.walk(session.project):
        for name in names:
            assert secret.encode() not in (Path(parent) / name).read_bytes(), name


def test_a_read_only_project_still_gets_its_injection(session: Session) -> None:
    if os.geteuid() == 0:
        pytest.skip("root writes everywhere")
    session.project.chmod(0o500)
    assert RULE in session.session_start()


@pytest.mark.parametrize("prepared", [False, True])
def test_a_full_disk_still_gets_its_injection(session: Session, prepared: bool) -> None:
    if prepared:
        session.pre_compact()
    # A limit on the size of files is what a process meets as a full disk.
    session.transcript.write(session.path)
    stdin = payload("SessionStart.compact", session_id=SESSION, transcript_path=str(session.path))
    command = f'ulimit -f 0; exec "{sys.executable}" -I -S "{script("SessionStart")}"'
    done = subprocess.run(
        ["bash", "-c", command], input=json.dumps(stdin), env=environment(session.project),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert RULE in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


def test_task_files_tell_how_tasks_stand_now(session: Session) -> None:
    folder = session.path.parent.parent.parent / "tasks" / SESSION
    folder.mkdir(parents=True)
    task = {"id": "1", "subject": "Write the parser", "description": "", "status": "pending",
            "blocks": [], "blockedBy": []}  # fmt: skip
    (folder / "1.json").write_text(json.dumps(task))
    (folder / "torn.json").write_text("{")
    assert "- [ ] Write the parser" in session.compact()
    (folder / "1.json").write_text(json.dumps({**task, "status": "completed"}))
    session.transcript.user("Go on.")
    injected = session.compact()
    assert "- [x] Write the parser" in injected
    assert "- [ ] Write the parser" not in injected


def test_a_fork_folds_its_copy_of_the_transcript(session: Session) -> None:
    session.compact()
    session.transcript.user("Go on.")
    session.transcript.assistant("Yes.")
    fork = "11111111-2222-4333-8444-555555555555"
    copy = session.path.with_name(f"{fork}.jsonl")
    session.transcript.write(copy)
    stdin = payload("PreToolUse.Bash", session_id=fork, transcript_path=str(copy))
    assert run_hook("PreToolUse", stdin, session.project).stdout == ""
    stdin = payload("SessionStart.compact", session_id=fork, transcript_path=str(copy))
    assert RULE in run_hook("SessionStart", stdin, session.project).context


@pytest.mark.parametrize("session_id", ["../../evil", "a/b", "ünï çödé", "x" * 300, "."])
def test_any_string_is_a_session_id(project: Path, session_id: str) -> None:
    session = Session(project)
    session.transcript.write(session.path)
    stdin = payload("SessionStart.compact", session_id=session_id,
                    transcript_path=str(session.path))  # fmt: skip
    answer = run_hook("SessionStart", stdin, project)
    assert RULE in answer.context
    assert sorted(os.listdir(project.parent)) == ["claude", "project"]
    assert os.listdir(project) == [".claude"]


def test_session_end_removes_what_a_crashed_hook_left(session: Session) -> None:
    session.compact()
    folder = session.runtime / "sessions" / SESSION
    left = folder / "ledger.json.123.abcd.tmp"
    left.write_text("half")
    os.utime(left, (0, 0))
    fresh = folder / "ledger.json.124.abcd.tmp"
    fresh.write_text("just being written")
    assert session.hook("SessionEnd", "SessionEnd.other").stdout == ""
    assert not left.exists()
    assert fresh.exists()

"""`simulate`, `validate`, `events` and `state --diff` on a session that the hooks ran in."""

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.cli.app import run_command_line
from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from amplihack_compaction.injection.snapshot import list_snapshots
from amplihack_compaction.validation.before_and_after import SUMMARY_HEAD
from tests.support.sessions import RULE, Session
from tests.support.transcripts import SESSION, Transcript
from tests.support.trees import picture

Out = pytest.CaptureFixture[str]


@pytest.fixture
def session(project: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Return a session of the project that the commands run in."""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    return Session(project)


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: Out, project: Path) -> Any:
    """Return a function that runs a command and gives its exit code, stdout and stderr."""

    def do(*arguments: object) -> tuple[int, str, str]:
        # The hooks of a session leave it unset.
        monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
        monkeypatch.setattr(sys, "argv", ["amplihack-compaction", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            run_command_line()
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return do


def without_snapshots(text: str) -> list[str]:
    return [line for line in text.splitlines() if "The whole state: " not in line]


@pytest.mark.parametrize("in_lines", [False, True])
def test_plain_messages_are_validated_as_a_session_is(
    call: Any, tmp_path: Path, in_lines: bool
) -> None:
    said = [
        ("user", "Build the shop. Never push to main."),
        ("assistant", "Shall I use 5 workers or 11?"),
        ("user", "ok 11"),
        ("assistant", "TODO: add the cart index"),
        ("user", f"{SUMMARY_HEAD}\nSummary: The user wants the shop built."),
    ]
    messages = [{"role": role, "content": text} for role, text in said]
    path = tmp_path / "messages.json"
    path.write_text("\n".join(map(json.dumps, messages)) if in_lines else json.dumps(messages))
    code, text, _ = call("validate", path)
    assert code == 1
    assert "Standing rules lost after the compaction (1 of 1): Never push to main." in text
    assert "TODO items lost after the compaction (1 of 1): add the cart index" in text
    assert "(turns 2): TODO: add the cart index" in text, "a short reply names no turn"
    path.write_text(
        path.read_text().replace("The user wants", "Open: the cart index. The user wants")
    )
    assert "TODO items lost" not in call("validate", path)[1]


def test_the_simulation_is_what_the_hooks_injected(session: Session, call: Any) -> None:
    given = [session.compact()]
    for number in range(80):  # more than the budget holds
        session.transcript.user(f"Never touch the file config{number}.toml, it is Ada's own.")
        session.transcript.assistant("Good.")
    given.append(session.compact())
    session.transcript.user("Go on. The server listens on port 9443.")
    session.transcript.write(session.path)
    before = picture(session.project)
    value = json.loads(call("simulate", session.path, "--json")[1])
    first, second, now = value["boundaries"]
    for simulated, real in zip((first, second), given, strict=True):
        assert without_snapshots(simulated["text"]) == without_snapshots(real)
    assert second["omitted_lines"] > 0
    assert f"{SESSION}/snapshots/00000000-000000-0000.md" in second["text"]
    text = value["boundaries"][-1]["text"]
    assert call("simulate", session.path, "--text")[1] == text + "\n"
    shown = call("simulate", session.path)[1]
    assert f"{second['omitted_lines']} lines left out, seldom needed" in shown
    assert second["utf16"] == len(second["text"])
    assert 200 < second["tokens"] <= 2000
    assert any("config79.toml" in line for line in second["added"])
    assert (now["number"], now["at"]) == (None, None)
    assert any("9443" in line for line in now["added"])
    assert picture(session.project) == before


def test_the_simulation_tells_the_summariser_what_pre_compact_prints(
    session: Session, call: Any
) -> None:
    for number in range(20):
        session.transcript.user(f"Never touch the file config{number}.toml, it is Ada's own.")
        session.transcript.assistant("Good.")
    printed = []
    for trigger in ("auto", "manual"):
        session.transcript.write(session.path)
        printed.append(session.hook("PreCompact", f"PreCompact.{trigger}").stdout)
        session.transcript.compact("They talked.", trigger)
    session.transcript.write(session.path)
    value = json.loads(call("simulate", session.path, "--json")[1])
    assert [one["summary_hint"] for one in value["boundaries"][:2]] == printed
    auto, manual = map(len, printed)
    assert manual <= 200 < auto
    shown = call("simulate", session.path)[1]
    assert f"would tell    the summariser {manual} characters\n" in shown
    assert f"the summariser {auto:,} characters, {manual} after a /compact\n" in shown
    assert "injected" not in shown


def test_a_simulated_text_that_is_as_the_one_before_is_not_shown_again(
    session: Session, call: Any
) -> None:
    session.compact()
    session.transcript.write(session.path)
    text = call("simulate", session.path)[1]
    first, now = text.split("If it were compacted now")
    assert RULE in first
    assert "the same as at the compaction before" in now
    assert RULE not in now


def test_the_simulation_as_text_marks_what_is_new(session: Session, call: Any) -> None:
    session.compact()
    session.transcript.user("Never use tabs.")
    session.transcript.write(session.path)
    text = call("simulate", session.path)[1]
    first, now = text.split("If it were compacted now")
    assert first.startswith("Compaction 1  2026-11-21T21:")
    assert "0 gone since the one before" in first
    assert f'+ - "{RULE}"' in first
    assert f'  - "{RULE}"' in now
    assert '+ - "Never use tabs."' in now
    assert "characters" in now


def test_an_old_transcript_is_simulated_and_nothing_is_written(
    tmp_path: Path, project: Path, call: Any
) -> None:
    transcript = Transcript()
    transcript.user(f"Build it. {RULE}")
    transcript.compact("They talked.")
    path = transcript.write(tmp_path / "old" / "t.jsonl")
    before = picture(tmp_path)
    code, text, _ = call("simulate", path)
    assert code == 0
    assert RULE in text
    for command in (("diagnose",), ("validate",), ("state",), ("state", "--diff", "1", "now")):
        call(command[0], path, *command[1:])
    assert picture(tmp_path) == before


def test_a_validation_that_finds_a_loss_ends_with_1(session: Session, call: Any) -> None:
    session.pre_compact()
    session.boundary(summary="They wrote the form.")  # and nothing was injected
    session.transcript.assistant("Go on.")
    session.transcript.write(session.path)
    code, text, _ = call("validate", session.path)
    assert code == 1
    assert text.startswith("Compaction check failed.")
    assert RULE in text
    code, text, _ = call("validate", session.path, "--json")
    value = json.loads(text)
    assert (code, value["outcome"], value["passed"], value["checked"]) == (1, "lost", False, True)
    assert value["session_id"] == SESSION
    assert any(RULE in step for step in value["recovery_steps"])
    assert value["compaction"]["found"]
    copy = Path(transcript_folder(str(session.project))) / session.path.name
    copy.parent.mkdir(parents=True)
    copy.write_bytes(session.path.read_bytes())
    code, text, _ = call("validate", SESSION[:8], "--json")
    assert (code, json.loads(text)["recovery_steps"]) == (1, value["recovery_steps"])


def test_a_validation_that_finds_all_ends_with_0(tmp_path: Path, call: Any) -> None:
    transcript = Transcript()
    transcript.user(f"Build the login page. {RULE}")
    transcript.assistant("Yes.")
    transcript.compact(f"The user wants to build the login page. {RULE}", preserved=2)
    transcript.assistant("I build the login page.")
    code, text, _ = call("validate", transcript.write(tmp_path / "t.jsonl"), "--json")
    assert (code, json.loads(text)["outcome"]) == (0, "passed")


def test_what_could_not_be_checked_is_said_and_is_no_failure(tmp_path: Path, call: Any) -> None:
    transcript = Transcript()
    transcript.user("Hello.")
    path = transcript.write(tmp_path / "t.jsonl")
    code, text, _ = call("validate", path)
    assert code == 0
    assert text.startswith("Compaction not checked.")
    assert "No compaction recorded for this session" in text
    assert json.loads(call("validate", path, "--json")[1])["outcome"] == "could not check"


def test_two_states_are_told_apart_in_words(session: Session, call: Any) -> None:
    session.compact()
    session.transcript.user("You may push to main again. Never use tabs. The port is 9443.")
    session.transcript.assistant("Done:\n- [x] Write the docs")
    session.transcript.write(session.path)
    (snapshot,) = list_snapshots(str(session.runtime / "sessions" / SESSION))
    for old in ("1", "latest", snapshot):
        text = call("state", session.path, "--diff", old, "now")[1]
        assert text.startswith("From compaction 1 (" if old == "1" else f"From snapshot {snapshot}")
        assert "rule: 1 added, 1 changed\n  + Never use tabs.\n" in text
        assert f"  ~ {RULE}: in force -> lifted by: You may push to main again." in text
        assert "  ~ Write the docs: pending -> completed" in text
        assert "  + 9443" in text
        assert "  ~ turns: 1 -> 2" in text
    back = json.loads(call("state", session.path, "--diff", "now", "1", "--json")[1])
    assert back["from"] == "now"
    assert back["kinds"]["rule"]["dropped"] == ["Never use tabs."]
    assert "nothing changed" in call("state", session.path, "--diff", "now", "now")[1]


def test_a_state_of_another_sessions_snapshot_can_be_compared(session: Session, call: Any) -> None:
    session.compact()
    (snapshot,) = list_snapshots(str(session.runtime / "sessions" / SESSION))
    other = Transcript("00000000-2b3f-4f7e-9f32-86b2df72f481")
    other.root = str(session.project)
    other.user("Another thing altogether.")
    path = other.write(session.path.parent / f"{other.session_id}.jsonl")
    code, text, _ = call("state", path, "--diff", snapshot, "now")
    assert code == 0
    assert f"  - {RULE}" in text


@pytest.mark.parametrize("name", ["9", "20200101-000000-0000", "nonsense"])
def test_a_state_that_there_is_not_is_named(session: Session, call: Any, name: str) -> None:
    session.compact()
    code, _, err = call("state", session.path, "--diff", name, "now")
    assert code == 1
    assert name in err


def test_a_refused_path_and_a_stale_event_reach_the_user(
    session: Session, call: Any, project: Path
) -> None:
    session.compact(f"Build the login page. {RULE} Still to do: write the docs. `pytest -q`")
    session.transcript.user("Go on.")
    session.transcript.assistant("Going on.")
    session.transcript.write(session.path)
    path = session.runtime / "compaction_events.json"
    (event,) = json.loads(path.read_text())

    def record(**changes: Any) -> tuple[int, str, str]:
        path.write_text(json.dumps([{**event, **changes}]))
        code, said, _ = call("validate", session.path)
        return code, said, call("doctor")[1]

    code, said, doctor = record(pre_compaction_transcript_path="../../etc/passwd")
    assert code == 3
    assert "refused: it leads outside the project" in said
    assert "outside the project, which is refused" in doctor
    stale = (datetime.now(UTC) - timedelta(hours=30)).isoformat()
    for line in session.transcript.lines:
        line["timestamp"] = stale
    session.transcript.write(session.path)
    code, said, _ = record(timestamp=stale)
    assert code == 3
    assert "hours ago, stale" in said

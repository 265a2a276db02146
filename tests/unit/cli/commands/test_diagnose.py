"""`diagnose` and `state` on a session that was compacted twice."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.paths import runtime_folder, session_folder
from amplihack_compaction.cli.app import run_command_line
from amplihack_compaction.cli.diagnosis import diagnose_session
from amplihack_compaction.cli.sessions import chosen_session
from amplihack_compaction.injection.receipts import claim
from amplihack_compaction.validation.events import events_path, record_event
from tests.support.transcripts import SESSION, Transcript

STATE = "<!-- AMPLIHACK STATE -->\n- Never push to main.\n- Use port 8443.\n<!-- END -->"


def two_compactions(project: Path) -> Path:
    transcript = Transcript()
    transcript.user("Add a login page. Never push to main. Always write tests first.")
    transcript.tool("Bash", {"command": "pytest -q"}, "3 passed")
    transcript.tool(
        "TodoWrite",
        {"todos": [
            {"content": "Write the form", "status": "completed", "activeForm": "x"},
            {"content": "Store the session cookie", "status": "in_progress", "activeForm": "x"},
        ]},
    )  # fmt: skip
    transcript.assistant("The form is there.")
    transcript.compact(
        "The user wants a login page. The form is done. Always write tests first."
        " Next: Store the session cookie. Tests run with pytest -q."
    )
    transcript.attachment("hook_additional_context", content=[STATE], hookEvent="SessionStart")
    transcript.user("Go on. The server listens on port 8443.")
    transcript.assistant("Yes.")
    transcript.compact("")
    transcript.user("And now?")
    return transcript.write(project / f"{SESSION}.jsonl")


def with_records(project: Path, path: Path) -> None:
    """Write down what the hooks would have: a receipt and an event each, and a problem."""
    first = diagnose_session(chosen_session(str(path))).compactions
    folder = session_folder(str(project), SESSION)
    for compaction, hook in zip(first, ("SessionStart", "UserPromptSubmit"), strict=True):
        start = compaction.window_start
        receipt = {"window_start": start, "event": hook, "at": "2026-11-21T21:00:00Z", "utf16": 77}
        claim(folder, start, json.dumps(receipt).encode())
    record_event(str(project), SESSION, 0, turn_number=1, messages_removed=5)
    record_event(str(project), SESSION, 10**9)
    record_event(str(project), "another session", 0)
    log = Path(runtime_folder(str(project))) / "hooks.log"
    log.write_text("2026-11-21T21:04:53Z Stop pid=1 the disk \x1b[31mis full\n", encoding="utf-8")


@pytest.fixture
def transcript(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    path = two_compactions(project)
    with_records(project, path)
    return path


def call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object
) -> str:
    monkeypatch.setattr(sys, "argv", ["amplihack-compaction", *map(str, arguments)])
    with pytest.raises(SystemExit) as left:
        run_command_line()
    said = capsys.readouterr()
    assert not left.value.code, said.err
    return said.out


def test_each_compaction_is_told_with_what_it_lost_and_got_back(
    transcript: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = call(monkeypatch, capsys, "diagnose", transcript)
    first, second, now = text.split("\n\n")[1:4]
    assert first.startswith("Compaction 1  2026-11-21 21:00 UTC  auto")
    assert "auto, 170,074 tokens before, 2,777 after" in first
    assert "2 rules, 1 of 2 todos open" in first
    assert "[>] Store the session cookie" in first
    (lost,) = [line for line in first.splitlines() if "Never push" in line and "lost" in line]
    assert lost.endswith("(brought back)")
    assert "injected    SessionStart, 76 characters, delivered\n" in first + "\n"
    assert "event       recorded" in first
    assert "turn 1, 5 messages removed" in first
    assert "injected    UserPromptSubmit, 77 characters, given, but not seen" in second
    assert "event       none recorded" in second
    assert now.startswith("State now")
    lines = [line for line in first.splitlines() if line.startswith("    ")]
    assert all(line[28] == " " != line[29] for line in lines)
    rules = [line.split(maxsplit=1)[1] for line in lines if line.startswith("    rule ")]
    assert rules == ["Always write tests first.", "Never push to main."]  # as `state` has them
    assert "0 decisions, 0 exact values, 1 turn\n" in first
    assert "1 more recorded event without" in text
    assert "the disk  [31mis full" in text  # what a log holds does not reach the terminal raw


def test_what_the_summary_put_in_other_words_is_listed_last_with_these(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    transcript = Transcript()
    transcript.user("Always write the tests first.")
    transcript.user("Never push to main. Build the login page.")
    transcript.compact("The user does not want anything to be pushed to the main branch.")
    transcript.user("On.")
    path = transcript.write(tmp_path / "t.jsonl")
    items = json.loads(call(monkeypatch, capsys, "diagnose", "--json", path))["compactions"][0]
    assert items["counts"]["reworded"] == 1
    lines = call(monkeypatch, capsys, "diagnose", path).splitlines()
    assert any("1 reworded" in line for line in lines)
    fates = [line.strip() for line in lines if line.startswith("    lost: ")]
    assert fates
    (reworded,) = [line.strip() for line in lines if "reworded: " in line]
    assert reworded.startswith("reworded: rule")
    assert "Never push to main." in reworded
    assert "to be pushed to the main branch" in reworded
    assert lines.index(f"    {reworded}") > max(lines.index(f"    {fate}") for fate in fates)


def test_the_same_as_json(
    transcript: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    value: dict[str, Any] = json.loads(call(monkeypatch, capsys, "diagnose", "--json", transcript))
    assert value["session_id"] == SESSION
    first, second = value["compactions"]
    assert (first["tokens_before"], first["trigger"]) == (170074, "auto")
    rules = {i["text"]: i for i in first["items"] if i["kind"] == "rule"}
    assert rules["Never push to main."]["lost"]
    assert rules["Never push to main."]["brought_back"]
    assert not rules["Always write tests first."]["lost"]
    assert sum(first["counts"].values()) == len(first["items"])
    assert first["injections"] == [
        {
            "hook": "SessionStart",
            "at": "2026-11-21T21:00:09.000Z",
            "characters": 76,
            "delivered": True,
            "receipt": True,
        }
    ]
    assert first["event"]["messages_removed"] == 5
    assert second["event"] is None
    assert not second["injections"][0]["delivered"]
    assert value["problems"][0].startswith("2026-11-21")


def test_a_session_from_before_the_package_is_diagnosed_too(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = call(monkeypatch, capsys, "diagnose", two_compactions(project))
    assert "no receipt here" in text
    assert text.count("none recorded: the hooks were not there") == 2
    assert "Problems" not in text


def test_a_session_that_was_not_compacted_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    transcript = Transcript()
    transcript.user("Hello.")
    transcript.user("Coo.", origin={"kind": "pigeon"})
    path = transcript.write(tmp_path / "t.jsonl")
    path.write_bytes(path.read_bytes() + b"torn {\n")
    text = call(monkeypatch, capsys, "diagnose", path)
    assert "It was not compacted so far." in text
    assert "unreadable  1 line," in text
    assert "1 prompt of an unknown origin, not taken for the user's: pigeon" in text


def test_a_summary_that_is_missing_and_one_that_is_old_are_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    transcript = Transcript()
    transcript.user("Never push to main.")
    transcript.compact("A summary.")
    transcript.lines.pop()  # the client died before it wrote the summary
    metadata = transcript.lines[-1]["compactMetadata"]
    metadata.update(trigger="", precomputed=True, preTokens=None)
    transcript.user("On.")
    text = call(monkeypatch, capsys, "diagnose", transcript.write(tmp_path / "t.jsonl"))
    assert "summary     none in the transcript" in text
    assert "unknown trigger, its summary made early, size not recorded\n" in text
    assert "injected    nothing" in text


def test_attachments_of_other_shapes_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    transcript = Transcript()
    transcript.user("Never push to main.")
    transcript.compact("Nothing.")
    transcript.attachment("hook_success", content=f"{STATE} hook_additional_context")
    transcript.attachment("hook_additional_context", content=[7], note=STATE)
    transcript.add("attachment", attachment=f"{STATE} hook_additional_context")
    transcript.attachment("hook_additional_context", content=STATE)
    text = call(monkeypatch, capsys, "diagnose", transcript.write(tmp_path / "t.jsonl"))
    assert text.count("injected  ") == 1
    assert "injected    a hook, " in text


def test_more_items_than_fit_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    transcript = Transcript()
    for number in range(15):
        transcript.user(f"Never touch the file config{number}.toml.")
    transcript.compact("Nothing.")
    text = call(monkeypatch, capsys, "diagnose", transcript.write(tmp_path / "t.jsonl"))
    assert "... 3 more rules; --json has all" in text


def test_an_events_file_that_cannot_be_read_is_a_problem(
    transcript: Path, project: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    Path(events_path(str(project))).write_text("{", encoding="utf-8")
    assert "cannot be read as a JSON list" in call(monkeypatch, capsys, "diagnose", transcript)


def test_the_state_before_a_compaction_is_printed_whole(
    transcript: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = call(monkeypatch, capsys, "diagnose", transcript, "--before", 1)
    assert first.startswith("The state before compaction 1  2026-11-21 21:00 UTC")
    assert '- "Never push to main."' in first
    assert "8443" not in first
    second = json.loads(call(monkeypatch, capsys, "diagnose", transcript, "--before=2", "--json"))
    assert (second["number"], second["tokens_before"]) == (2, 170074)
    assert [value["text"] for value in second["state"]["values"]] == ["8443"]


def test_a_compaction_that_there_is_not_is_named(
    transcript: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["x", "diagnose", str(transcript), "--before", "3"])
    with pytest.raises(SystemExit) as left:
        run_command_line()
    assert left.value.code == 1
    assert f"there is no compaction 3: session {SESSION} has 2" in capsys.readouterr().err


def test_what_a_kept_message_still_says_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    transcript = Transcript()
    transcript.user("Always write tests first.")
    transcript.assistant("Yes.")
    transcript.user("Build it. Never push to main.")
    transcript.compact("They talked about the weather at length.", preserved=1)
    path = transcript.write(tmp_path / "t.jsonl")
    lines = call(monkeypatch, capsys, "diagnose", path).splitlines()
    (kept,) = [line for line in lines if line.startswith("    lost: rule") and "push" in line]
    assert kept.endswith("(in a message that was kept)")
    (gone,) = [line for line in lines if line.startswith("    lost: rule") and "tests" in line]
    assert gone.endswith("Always write tests first.")


def test_the_state_is_printed_whole_or_as_json(
    transcript: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = call(monkeypatch, capsys, "state", transcript)
    assert text.startswith("<!-- AMPLIHACK STATE -->")
    assert '- "Never push to main."' in text
    assert "not shown" not in text
    value = json.loads(call(monkeypatch, capsys, "state", transcript, "--json"))
    assert value["session_id"] == SESSION
    assert [rule["text"] for rule in value["rules"]] == [
        "Never push to main.",
        "Always write tests first.",
    ]

"""A level that is crossed is told once, and what is due at it is done."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.base.settings import Settings
from amplihack_compaction.context import meter as told
from amplihack_compaction.context.levels import RECOMMENDATIONS, Level, crossed_stages
from amplihack_compaction.context.meter import model_notes_path, note_window, read_model_notes
from amplihack_compaction.context.quiet_band import is_due, read_band
from amplihack_compaction.extract.statements import WindowState
from amplihack_compaction.extract.window import extract_window
from amplihack_compaction.ledger import stored as fold
from amplihack_compaction.transcript.session import Window
from tests.support.captured import payload
from tests.support.processes import CHECKOUT, Answer, environment, log_of, run_hook
from tests.support.sessions import (
    NEWER_MODEL,
    OLDER_LIMIT,
    OLDER_MODEL,
    Session,
    fill,
    respond,
    write_own_settings,
    write_settings,
)
from tests.support.transcripts import SESSION

DIES_WHILE_ACTING = """
import os, sys
from amplihack_compaction.handoff import level_actions as actions
from amplihack_compaction.hook.run import run
actions.run_level_actions = lambda *_: os._exit(9)
run("PreToolUse", sys.stdin.buffer.read())
"""


@pytest.fixture
def session(project: Path) -> Session:
    """Return a session at the beginning of its context."""
    made = Session(project)
    fill(made, 0.1)
    return made


def use_tool(session: Session) -> Answer:
    return session.hook("PreToolUse", "PreToolUse.Bash")


def told_at(session: Session, *shares: float) -> list[str]:
    """Return what each of these fills makes the next tool use say, by its level."""
    said = []
    for share in shares:
        fill(session, share)
        said.append(level_told(use_tool(session)))
    return said


def level_told(answer: Answer) -> str:
    """Return the level whose advice an answer has for the user; empty for none."""
    message = answer.json["systemMessage"] if answer.stdout else ""
    levels: tuple[Level, ...] = ("compact", "summarize", "handoff")
    return next((level for level in levels if RECOMMENDATIONS[level] in message), "")


def due(session: Session, boundary: int = -1) -> bool:
    root = str(session.project)
    session.transcript.write(session.path)
    return is_due(root, session_folder(root, SESSION), str(session.path), boundary)


def folder(session: Session) -> Path:
    return Path(session_folder(str(session.project), SESSION))


def test_notes_that_cannot_be_read_are_logged_and_asked_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes | None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(told, "read_kept", fail)
        use_tool(session)
    assert "context.json cannot be read: Input/output error" in log_of(session.project)[-1]
    assert read_band(str(folder(session))) is None
    assert due(session)
    logged = log_of(session.project)
    use_tool(session)
    assert log_of(session.project) == logged
    assert read_band(str(folder(session))) is not None


def test_each_level_is_told_once(session: Session) -> None:
    said = told_at(session, 0.5, 0.71, 0.72, 0.79, 0.81, 0.86, 0.91, 0.96, 0.99, 1.2)
    assert [level for level in said if level] == ["compact", "summarize", "handoff"]
    assert said[1] == "compact"
    assert said[5] == "summarize"
    assert said[7] == "handoff"


def test_the_model_gets_facts_and_the_user_advice_too(session: Session) -> None:
    fill(session, 0.75)
    answer = use_tool(session)
    said: dict[str, Any] = answer.json
    assert said["hookSpecificOutput"]["hookEventName"] == "PreToolUse"
    assert answer.context == "Context 68 % full, ends at 90 %."
    assert said["systemMessage"] == f"{answer.context} {RECOMMENDATIONS['compact']}"


def test_a_prompt_is_told_as_well_as_a_tool(session: Session) -> None:
    fill(session, 0.75)
    answer = session.hook("UserPromptSubmit", "UserPromptSubmit")
    assert answer.json["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert use_tool(session).stdout == ""


def test_a_jump_over_several_levels_is_one_warning_and_all_that_is_due(session: Session) -> None:
    fill(session, 0.99)
    answer = use_tool(session)
    assert level_told(answer) == "handoff"
    for written in ("auto/*", "checkpoints/*", "handoffs/*"):
        assert list(folder(session).glob(written))
    assert use_tool(session).stdout == ""


def test_while_another_hook_acts_the_next_one_looks_again(session: Session) -> None:
    use_tool(session)
    fill(session, 0.81)
    assert told_at(session, 0.81) == ["compact"]
    fill(session, 0.86)
    with crossed_stages(str(folder(session)), -1, 0.81, Settings().ratios) as crossed:
        assert crossed is not None
        assert use_tool(session).stdout == ""
    assert due(session)
    assert level_told(use_tool(session)) == "summarize"
    assert not due(session)


def test_marks_that_cannot_be_stored_are_logged_and_the_level_is_told(session: Session) -> None:
    use_tool(session)
    (folder(session) / "limits").unlink()
    (folder(session) / "limits").mkdir()
    assert told_at(session, 0.75) == ["compact"]
    assert "marks could not be stored" in log_of(session.project)[-1]


def test_what_is_unfinished_at_a_compaction_is_done_before_it(session: Session) -> None:
    use_tool(session)
    assert told_at(session, 0.81) == ["compact"]
    (snapshot,) = (folder(session) / "auto").iterdir()
    snapshot.unlink()
    (folder(session) / "levels" / "0.snapshot").write_text("2 1\n")
    session.pre_compact()
    assert snapshot.exists()


def test_what_is_due_at_a_compaction_is_done_with_what_it_has_read(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Window] = []

    def extract_and_note(window: Window, *more: Any) -> WindowState:
        read.append(window)
        return extract_window(window, *more)

    monkeypatch.setattr(fold, "extract_window", extract_and_note)
    fill(session, 0.99)
    session.pre_compact()
    assert len(list((folder(session) / "handoffs").iterdir())) == 1
    assert len(list((folder(session) / "checkpoints").iterdir())) == 2
    assert len(list((folder(session) / "snapshots").glob("*.json"))) == 1
    assert len(read) == 1


@pytest.mark.parametrize("share", [0.86, 0.99])
def test_what_a_killed_hook_began_is_done_by_the_next_one(session: Session, share: float) -> None:
    use_tool(session)
    fill(session, share)
    session.transcript.write(session.path)
    stdin = payload("PreToolUse.Bash", session_id=SESSION, transcript_path=str(session.path))
    killed = subprocess.run(
        [sys.executable, "-c", DIES_WHILE_ACTING],
        input=json.dumps(stdin).encode(),
        env=environment(session.project),
        cwd=CHECKOUT,
        capture_output=True,
        check=False,
    )
    assert (killed.returncode, killed.stdout, killed.stderr) == (9, b"", b"")
    assert due(session)
    answer = use_tool(session)
    assert level_told(answer) == ("handoff" if share > 0.95 else "summarize")
    assert list((folder(session) / "snapshots").iterdir())
    assert not due(session)
    assert use_tool(session).stdout == ""


def test_at_eighty_percent_a_snapshot_is_on_disk(session: Session) -> None:
    assert told_at(session, 0.75, 0.81) == ["compact", ""]
    assert list((folder(session) / "snapshots").iterdir())


def test_a_small_fall_is_no_fall_and_a_real_one_is(session: Session) -> None:
    assert told_at(session, 0.71, 0.66, 0.71) == ["compact", "", ""]
    assert told_at(session, 0.64, 0.71) == ["", "compact"]


def test_after_a_compaction_all_levels_count_anew(session: Session) -> None:
    assert told_at(session, 0.71, 0.86) == ["compact", "summarize"]
    session.compact()
    fill(session, 0.2)
    use_tool(session)
    assert told_at(session, 0.3, 0.71, 0.86) == ["", "compact", "summarize"]


def test_a_limit_that_cannot_be_noted_costs_no_warning(session: Session) -> None:
    fill(session, 0.9)
    session.compact()
    noted = Path(model_notes_path(str(session.project)))
    noted.unlink(missing_ok=True)
    noted.symlink_to(session.project / "elsewhere.json")
    assert told_at(session, 0.3, 0.71) == ["", "compact"]
    assert any("could not be stored" in line for line in log_of(session.project))


def test_between_a_compaction_and_its_first_response_nothing_is_told(session: Session) -> None:
    fill(session, 0.5)
    use_tool(session)
    session.compact()
    session.transcript.lines[-3]["compactMetadata"]["postTokens"] = OLDER_LIMIT
    assert session.hook("UserPromptSubmit", "UserPromptSubmit").stdout == ""


def test_an_automatic_compaction_teaches_the_limit(session: Session) -> None:
    fill(session, 0.9)
    session.compact()
    position = next(
        line for line in reversed(session.transcript.lines) if "compactMetadata" in line
    )
    position["compactMetadata"]["preTokens"] = 150_000
    fill(session, 0.1)
    use_tool(session)
    assert read_model_notes(str(session.project), OLDER_MODEL).limit_tokens == 150_000
    fill(session, 0.6)
    assert "compacts at 75 %" in use_tool(session).context


def test_what_is_known_is_not_looked_up_again(session: Session) -> None:
    assert due(session)
    use_tool(session)
    assert not due(session)
    fill(session, 0.69)
    assert not due(session)
    fill(session, 0.71)
    assert due(session)
    use_tool(session)
    assert not due(session)


def test_long_texts_are_counted_before_anything_is_imported(session: Session) -> None:
    fill(session, 0.69)
    use_tool(session)
    session.transcript.user("é" * 4_000)  # more bytes than characters
    assert not due(session)
    session.transcript.user("x" * 10_000)
    assert due(session)


def test_another_model_is_another_limit(session: Session) -> None:
    assert told_at(session, 0.71) == ["compact"]
    respond(session.transcript, 130_000, NEWER_MODEL)
    assert due(session)
    assert use_tool(session).stdout == ""
    assert not due(session)
    fill(session, 0.71)
    assert level_told(use_tool(session)) == "compact"  # it had really fallen


def test_a_changed_setting_counts_at_once(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(session, 0.5)
    assert use_tool(session).stdout == ""
    write_own_settings(context_limit_tokens=100_000)
    assert "your limit at 50 %" in use_tool(session).context
    monkeypatch.setenv("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "200k")
    assert due(session)


def test_what_another_session_of_the_model_is_told_counts_for_that_one(session: Session) -> None:
    root = str(session.project)
    note_window(root, OLDER_MODEL, 200_000, SESSION)
    assert told_at(session, 0.5) == [""]
    note_window(root, OLDER_MODEL, 1_000_000, "another")
    assert told_at(session, 0.75) == ["compact"]
    note_window(root, OLDER_MODEL, 500_000, SESSION)
    assert due(session)


def test_the_thresholds_are_the_users(session: Session) -> None:
    write_settings(session.project, compact_ratio=0.3, snapshot_ratio=0.4)
    assert told_at(session, 0.25, 0.35) == ["", "compact"]


def test_settings_that_do_not_parse_are_named_and_the_defaults_serve(session: Session) -> None:
    (session.project / ".claude").mkdir()
    (session.project / ".claude" / "compaction.json").write_text('{"compact_ratio": 3, "x": 1}')
    assert told_at(session, 0.71) == ["compact"]
    text = "\n".join(log_of(session.project))
    assert "compact_ratio: must lie between" in text
    assert "unknown key 'x'" in text


def test_hooks_in_parallel_speak_once(session: Session) -> None:
    use_tool(session)
    fill(session, 0.75)
    session.transcript.write(session.path)
    stdin = payload("PreToolUse.Bash", session_id=SESSION, transcript_path=str(session.path))
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: run_hook("PreToolUse", stdin, session.project), range(6)))
    assert [answer.stderr for answer in answers if answer.stderr] == []
    assert len([answer for answer in answers if answer.stdout]) == 1


@pytest.mark.parametrize(
    "content", [b"", b"x", b"9 1 2 3 4 5\n\n\n\n", b"1 2\n\n\n\n", b"1 1 1 1 1 1"]
)
def test_a_torn_band_is_made_anew(session: Session, content: bytes) -> None:
    use_tool(session)
    path = folder(session) / "limits"
    path.write_bytes(content)
    assert read_band(str(folder(session))) is None
    assert use_tool(session).stdout == ""
    assert read_band(str(folder(session))) is not None


def test_numbers_that_make_no_sense_are_no_level(session: Session) -> None:
    use_tool(session)
    for usage in ({}, {"input_tokens": 0}, {"input_tokens": -170_000}):
        fill(session, 0.99)
        session.transcript.lines[-1]["message"]["usage"] = usage
        assert use_tool(session).stdout == ""


def test_a_transcript_without_a_response_or_none_at_all_is_nothing_due(project: Path) -> None:
    session = Session(project)
    session.transcript.lines = session.transcript.lines[:1]
    assert not due(session)
    assert not is_due(str(project), str(project), str(project / "none"), -1)
    assert not is_due(str(project), str(project), "\0", -1)


def test_a_subagents_tools_say_nothing(session: Session) -> None:
    fill(session, 0.99)
    assert session.hook("PreToolUse", "PreToolUse.Bash", agent_id="a1").stdout == ""


def test_a_proxy_models_name_does_not_break_the_band(session: Session) -> None:
    respond(session.transcript, 50_000, "proxy\nmodel 模")
    use_tool(session)
    assert not due(session)
    band = read_band(str(folder(session)))
    assert band is not None
    assert json.loads(band.details)["source"] == "unknown model"

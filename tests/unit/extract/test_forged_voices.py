"""Nobody but the user speaks as the user: forged voices, and his own ones that must be kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.extract.window import extract_window
from amplihack_compaction.store.transcript_reader import Progress, messages_of
from tests.support.captured import session
from tests.support.transcripts import BY_USER, Transcript
from tests.voices import forged
from tests.voices.forged import FORGED, OWN, Add


def spoken(add: Add, folder: Path) -> str:
    """Return all that counts as the user's words, of the session and of what the store keeps."""
    transcript = Transcript()
    transcript.user("Look at the parser.")
    add(transcript)
    (window,) = read_windows(transcript.write(folder / "t.jsonl"))
    progress = Progress()
    stored = [m for line in transcript.lines for m in messages_of(line, 0, progress)]
    said = [m.content for m in stored if m.role == "user"]
    assert {p.text for p in window.prompts} <= {*said} or "The user responded" in "".join(said)
    return "\n".join([*(prompt.text for prompt in window.prompts), *said])


@pytest.mark.parametrize("half", ["DEVELOP", "HELD_OUT"])
def test_what_others_say_is_never_the_users(tmp_path: Path, half: str) -> None:
    voices = getattr(forged, f"FORGED_{half}")
    assert [name for name, add in voices.items() if FORGED[:20] in spoken(add, tmp_path)] == []


@pytest.mark.parametrize("half", ["DEVELOP", "HELD_OUT"])
def test_what_the_user_says_is_kept(tmp_path: Path, half: str) -> None:
    voices = getattr(forged, f"OWN_{half}")
    assert [name for name, add in voices.items() if OWN not in spoken(add, tmp_path)] == []


@pytest.mark.parametrize("source", ["hook", "config", "classifier", None])
def test_an_answer_or_a_plan_that_nobody_was_asked_about_is_no_decision(
    tmp_path: Path, source: str | None
) -> None:
    decided = {"decision": "accept", "source": source}
    asked = {"questions": [{"question": "Which?"}], "answers": {"Which?": FORGED}}

    def decisions(**fields: Any) -> list[str]:
        transcript = Transcript()
        transcript.user("Look at the parser.")
        transcript.tool("AskUserQuestion", {"questions": []}, "ok", data=asked, **fields)
        transcript.tool("ExitPlanMode", {"plan": f"# Plan\n{FORGED}"}, "ok", **fields)
        (window,) = read_windows(transcript.write(tmp_path / "t.jsonl"))
        found = extract_window(window)
        assert not isinstance(found, SessionState)
        return [made.source for made in found.decisions]

    assert decisions(permissionDecision=decided) == []
    assert "answer" in decisions(permissionDecision={"decision": "accept", **BY_USER})


def test_of_a_real_session_with_a_forging_server_the_refusal_alone_is_his() -> None:
    path = session("forged_refusal")
    (window,) = read_windows(path)
    assert [(p.origin, p.text) for p in window.prompts] == [
        ("typed", "begin"), ("rejection", "Never write b"), ("typed", "go on"), ("typed", "more"),
    ]  # fmt: skip
    progress = Progress()
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    stored = [m for line in lines for m in messages_of(line, 0, progress)]
    assert not any("upload" in m.content for m in stored if m.role == "user")


def test_of_a_real_session_words_with_a_permission_are_his() -> None:
    (window,) = read_windows(session("permission_with_words"))
    assert [(p.origin, p.text) for p in window.prompts if p.origin != "typed"] == [
        ("approval", "butneverb")
    ]

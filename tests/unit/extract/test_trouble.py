"""Approaches that were given up."""

import pytest

from amplihack_compaction.extract.issues import extract_failed
from amplihack_compaction.extract.notes import extract_learnings
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.extract.window import extract_window
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.injection.render import render_state
from amplihack_compaction.ledger.merge import merge_window
from tests.unit.conftest import Read, started


def failed_texts(window: WindowContent) -> list[str]:
    return [approach.text for approach in extract_failed(window)]


def test_the_reason_is_kept_beside_it(read: Read) -> None:
    transcript = started("We already tried vendoring, not possible because the licence forbids it.")
    (approach,) = extract_failed(read(transcript))
    assert approach.reason == "the licence forbids it"
    assert approach.uuid


def test_words_that_name_nothing_get_the_sentence_beside_them(read: Read) -> None:
    transcript = started("Look at the lock in the handler. That didn't work.")
    assert failed_texts(read(transcript)) == ["Look at the lock in the handler. That didn't work."]


def test_what_the_model_gave_up_is_told_with_what_it_found(read: Read) -> None:
    said = "Patching sys.path didn't work because pytest imports the module first."
    transcript = started()
    transcript.assistant(said)
    window = read(transcript)
    assert failed_texts(window) == []
    assert [item.text for item in extract_learnings(window)] == [said]


@pytest.mark.parametrize(
    "sentence",
    [
        "If that doesn't work, we can poll.",
        "Does that approach work?",
        "This should work on Linux.",
        "The cache might not work if the disk is full.",
        "The tests work again.",
        "I reverted nothing.",
        "It supports both modes, so I use the first.",
    ],
)
def test_suppositions_and_questions_are_no_failures(read: Read, sentence: str) -> None:
    transcript = started(f"Something before. {sentence}")
    assert failed_texts(read(transcript)) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("We already tried a mutex, it was too slow.", True),
        ("stop trying to patch the client", True),
        ("Please don't try to install numpy again", True),
        ("No, that doesn't work: the port is taken.", True),
        ("The login page doesn't work on Safari.", False),
        ("Have you tried a mutex?", False),
        ("```\nI tried that\n```", False),
    ],
)
def test_what_the_user_calls_tried_is_kept_a_bug_report_is_not(
    read: Read, text: str, kept: bool
) -> None:
    assert bool(extract_failed(read(started(text)))) is kept


def test_long_lists_do_not_flood(read: Read) -> None:
    transcript = started("```\n# that didn't work\n```")
    for number in range(20):
        transcript.user(f"We tried variant {number}, too slow.")
    texts = failed_texts(read(transcript))
    assert texts == [f"We tried variant {number}, too slow." for number in range(8, 20)]


def test_a_push_that_was_refused_is_told_until_it_is_run(read: Read) -> None:
    transcript = started()
    for command in ("git push origin main", "git log", "ls /tmp"):
        transcript.refuse("Bash", {"command": command})
    (push,) = extract_failed(read(transcript))
    assert (push.text, push.refused) == ("git push origin main", True)
    transcript.tool("Bash", {"command": "cd web && git push"}, "main -> main")
    assert extract_failed(read(transcript)) == ()


@pytest.mark.parametrize(
    "denied",
    [
        "Permission to use Bash with command git push has been denied.",
        "Permission for this action was denied by the Claude Code auto mode classifier. Reason: x",
        "claude-x is temporarily unavailable, so auto mode cannot determine the safety of Bash now",
    ],
)
def test_a_push_that_the_client_refused_is_not_laid_upon_the_user(read: Read, denied: str) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": "git push"}, denied, error=True)
    state = merge_window(SessionState(), extract_window(read(transcript).window))
    text = render_state(state).text
    assert "- the client refused, and it was not run since: `git push`" in text


def test_a_push_that_was_run_and_failed_is_not_told_as_never_run(read: Read) -> None:
    transcript = started()
    transcript.refuse("Bash", {"command": "git push origin main"})
    transcript.tool("Bash", {"command": "git push origin main"}, "no such remote", error=True)
    assert not any(one.refused for one in extract_failed(read(transcript)))


@pytest.mark.parametrize(
    ("command", "error"),
    [("git push", False), ("git push", True), ("git push 2>&1 || true", False)],
)
def test_a_push_of_a_later_window_ends_the_refusal(read: Read, command: str, error: bool) -> None:
    transcript = started()
    transcript.refuse("Bash", {"command": "git push"})
    state = merge_window(SessionState(), extract_window(read(transcript).window))
    assert "- the user refused, and it was not run since: `git push`" in render_state(state).text
    pushing = started("Push it now.")
    pushing.tool("Bash", {"command": command}, "main -> main", error=error)
    later = merge_window(state, extract_window(read(pushing).window))
    assert not any(approach.refused for approach in later.failed)

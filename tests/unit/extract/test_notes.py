"""What was learned and what was finished."""

import pytest

from amplihack_compaction.extract.notes import extract_learnings, extract_progress
from amplihack_compaction.extract.window_content import WindowContent
from tests.unit.conftest import Read, started


def learned(window: WindowContent) -> list[str]:
    return [item.text for item in extract_learnings(window)]


def finished(window: WindowContent) -> list[str]:
    return [item.text for item in extract_progress(window)]


@pytest.mark.parametrize(
    "sentence",
    [
        "It turns out that the cache is keyed by mtime.",
        "The root cause is a stale lock file.",
        "**Root cause:** the socket is closed twice",
        "Note: the CLI needs Node 20 or newer.",
        "Gotcha: hooks run in parallel and need a lock.",
        "The reason is that stdout is block-buffered.",
        "I found that the parser skips empty lines.",
        "The real culprit here is the proxy's timeout.",
        "The problem was that the port was taken.",
    ],
)
def test_what_was_found_out_is_kept_in_its_words(read: Read, sentence: str) -> None:
    transcript = started()
    transcript.assistant(f"I read the code.\n{sentence}\nMoving on.")
    assert [text.replace("*", "") for text in learned(read(transcript))] == [
        sentence.replace("*", "")
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "Let me find the root cause of this first, it is unclear.",
        "Is the root cause is in the parser?",
        "Maybe the reason is that stdout is buffered.",
        "Note: yes",
        "The problem set is large and needs care.",
        "```\n# Note: this is a comment in code\n```",
        "> Note: this was quoted from elsewhere",
        "| note: cell | the root cause is x |",
    ],
)
def test_searches_guesses_and_code_are_no_learnings(read: Read, sentence: str) -> None:
    transcript = started()
    transcript.assistant(sentence)
    assert learned(read(transcript)) == []


def test_the_users_notes_count_and_the_newest_twenty_stay(read: Read) -> None:
    transcript = started("Note: the staging database is read-only.")
    assert learned(read(transcript)) == ["Note: the staging database is read-only."]
    for number in range(25):
        transcript.assistant(f"It turns out that case {number} is special.")
    transcript.assistant("It turns out that case 24 is special.")
    texts = learned(read(transcript))
    assert len(texts) == 20
    assert texts[-1] == "It turns out that case 24 is special."


def test_a_learning_is_cut_at_two_hundred_characters(read: Read) -> None:
    transcript = started()
    transcript.assistant("It turns out that " + "very " * 60 + "much.")
    (item,) = extract_learnings(read(transcript))
    assert len(item.text) <= 200
    assert item.offset > 0


def test_finished_actions_are_told_in_order(read: Read) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": "git commit -am x"}, "[main 1a2b3c4] Add parser")
    transcript.tool("Bash", {"command": "git push"}, "main -> main")
    transcript.tool("Bash", {"command": "git push"}, "fatal: denied", error=True)
    url = "https://github.com/a/b/pull/7"
    transcript.tool("Bash", {"command": "gh pr create --fill"}, url)
    transcript.tool("mcp__github__merge_pull_request", {"title": "Parser"}, f"merged {url}")
    transcript.tool("mcp__github__create_issue", {"title": "x"}, "failed", error=True)
    transcript.tool("mcp__github__get_issue", {"title": "x"}, "ok")
    transcript.assistant(tools=[{"id": "t", "name": "Bash", "input": {"command": "git push"}}])
    assert finished(read(transcript)) == [
        "commit 1a2b3c4 on main: Add parser",
        "pushed: git push",
        f"gh pr create --fill -> {url}",
        f"github merge_pull_request: Parser -> {url}",
    ]


def test_what_the_model_only_calls_done_is_no_finished_step(read: Read) -> None:
    transcript = started("I've implemented the parser myself already.")
    transcript.assistant("Fixed the off-by-one error in the window.")
    assert finished(read(transcript)) == []


def test_of_finished_actions_the_newest_stay(read: Read) -> None:
    transcript = started()
    for number in range(30):
        transcript.tool("Bash", {"command": f"git push origin b{number}"}, "ok")
    texts = finished(read(transcript))
    assert len(texts) == 20
    assert texts[0] == "pushed: git push origin b10"

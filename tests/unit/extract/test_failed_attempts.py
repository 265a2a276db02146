"""Approaches that were given up."""

import pytest

from amplihack_compaction.extract.failed_attempts import extract_failed
from amplihack_compaction.extract.window_content import WindowContent
from tests.unit.conftest import Read, started


def failed_texts(window: WindowContent) -> list[str]:
    return [approach.text for approach in extract_failed(window)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Patching sys.path didn't work because pytest imports the module first.",
        "This approach fails because the hook runs before the file exists.",
        "A regex approach won't work here since the grammar is recursive.",
        "The sqlite backend is not supported on this platform, switching to a JSON file.",
        "Switching to polling because inotify is not reliable on NFS.",
        "Reverting the lock change: it deadlocks under load.",
        "Mocking the clock was a dead end.",
        "I'm abandoning the streaming parser.",
    ],
)
def test_an_approach_that_the_model_gave_up_is_kept(read: Read, sentence: str) -> None:
    transcript = started()
    transcript.assistant(f"I looked at it again. {sentence}\nThe weather is fine.")
    assert failed_texts(read(transcript)) == [sentence]


def test_the_reason_is_kept_beside_it(read: Read) -> None:
    transcript = started()
    transcript.assistant("Vendoring didn't work because the licence forbids it.")
    (approach,) = extract_failed(read(transcript))
    assert approach.reason == "the licence forbids it."
    assert approach.uuid
    assert approach.offset > 0


def test_words_that_name_nothing_get_the_command_that_failed(read: Read) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": "pip install foo"}, "ERROR: no matching dist", error=True)
    transcript.assistant("That didn't work. Let me try a different approach.")
    (approach,) = extract_failed(read(transcript))
    assert approach.text == "`pip install foo`: That didn't work."
    assert approach.reason == "ERROR: no matching dist"


def test_words_that_name_nothing_get_the_sentence_beside_them(read: Read) -> None:
    transcript = started()
    transcript.assistant("I put the lock into the handler. That didn't work.")
    transcript.assistant("Let me try another way. I will move the lock to the caller.")
    transcript.assistant("That didn't work.")
    assert failed_texts(read(transcript)) == [
        "I put the lock into the handler. That didn't work.",
        "Let me try another way. I will move the lock to the caller.",
    ]


def test_a_failure_of_an_earlier_turn_is_not_what_failed_now(read: Read) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": "pip install foo"}, "ERROR: no", error=True)
    transcript.user("Something else")
    transcript.tool("Bash", {"command": "rm x"}, "The user doesn't want to proceed", error=True)
    transcript.assistant("That didn't work.")
    assert failed_texts(read(transcript)) == []


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
    transcript = started()
    transcript.assistant(f"Something before. {sentence}")
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
        ("the index helps after analyze! I tried, 1.5 s", False),
        ("```\nI tried that\n```", False),
    ],
)
def test_what_the_user_calls_tried_is_kept_a_bug_report_is_not(
    read: Read, text: str, kept: bool
) -> None:
    assert bool(extract_failed(read(started(text)))) is kept


def test_code_and_long_lists_do_not_flood(read: Read) -> None:
    transcript = started()
    transcript.assistant("```\n# this approach fails\n```\n| that didn't work | x |")
    for number in range(20):
        transcript.assistant(f"Variant {number} didn't work.")
    texts = failed_texts(read(transcript))
    assert texts == [f"Variant {number} didn't work." for number in range(8, 20)]


def test_what_only_sounds_like_a_failed_attempt_is_none(read: Read) -> None:
    transcript = started()
    transcript.assistant("Had a go with threads first, that only made it slower, so they are out.")
    assert failed_texts(read(transcript)) == []


def test_points_of_a_report_are_no_failed_attempts(read: Read) -> None:
    transcript = started()
    points = "- **API** on port 3000: the one we just started\n- **Queue**: empty, not yet filled"
    transcript.assistant(f"What is there now:\n{points}")
    assert failed_texts(read(transcript)) == []


def test_what_an_option_replaces_is_not_given_up(read: Read) -> None:
    transcript = started()
    options = "1. Stream the file instead of reading it whole\n2. Use multiprocessing"
    transcript.assistant(f"Suggestions:\n{options}\nWhich ones should I do?")
    assert failed_texts(read(transcript)) == []


def test_what_names_nothing_is_told_with_what_stood_before_it(read: Read) -> None:
    text = "Blocks were sealed after the flush then. I reverted that."
    transcript = started()
    transcript.assistant(text)
    assert failed_texts(read(transcript)) == [text]


def test_what_is_only_proposed_was_not_given_up(read: Read) -> None:
    steps = "1. Stream the file instead of loading it\n2. Insert with COPY"
    transcript = started()
    transcript.assistant(f"My plan:\n{steps}\n\nShall I start?")
    assert failed_texts(read(transcript)) == []


@pytest.mark.parametrize(
    "said",
    [
        "Reverted to the super loop.",
        "OK, dropped.",
        "OK, reverted.",
        "Rolled back the migration.",
        "Entendido, revertido al commit anterior.",
    ],
)
def test_what_is_done_as_the_user_asked_is_no_failed_attempt(read: Read, said: str) -> None:
    transcript = started()
    transcript.user("the old loop was better, please take that again")
    transcript.assistant(said)
    assert failed_texts(read(transcript)) == []


@pytest.mark.parametrize(
    "said",
    [
        "Reverted the cache change, it made the numbers worse.",
        "OK, the streaming mode did not work because the file is not seekable.",
    ],
)
def test_what_was_taken_back_for_a_reason_is_a_failed_attempt(read: Read, said: str) -> None:
    transcript = started()
    transcript.user("try something")
    transcript.assistant(said)
    assert failed_texts(read(transcript)) == [said]

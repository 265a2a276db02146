"""What is still unresolved."""

from collections.abc import Callable

import pytest

from amplihack_compaction.state.model import Item
from amplihack_compaction.transcript.boundaries import Window
from amplihack_compaction.work.issues import by_certainty, extract_issues
from tests.transcripts import Transcript

Read = Callable[[Transcript], Window]


def started(text: str = "Go") -> Transcript:
    transcript = Transcript()
    transcript.user(text)
    return transcript


def issue_texts(window: Window) -> list[str]:
    return [issue.text for issue in extract_issues(window)]


def test_a_check_that_last_failed_is_an_issue(read: Read) -> None:
    transcript = started()
    output = "E   AssertionError: 1 != 2\n1 failed"
    transcript.tool("Bash", {"command": "pytest -q"}, output, error=True)
    (issue,) = extract_issues(read(transcript))
    assert issue.text == "`pytest -q` fails: E AssertionError: 1 != 2"
    transcript.tool("Bash", {"command": "pytest -q"}, "3 passed")
    assert extract_issues(read(transcript)) == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "The upload is still failing with a timeout.",
        "Known issue: the exporter drops the last row.",
        "The release is blocked by the licence review.",
        "BUG: the parser eats the last comma",
        "FIXME: the retry loop never ends",
        "One remaining problem is the flaky watcher.",
        "The feed is still failing: the socket closes too early.",
        "The feed still times out now and then.",
        "The importer keeps dropping the last row.",
        "Not fixed: the feed drops the second message.",
        "I could not get the feed to work, it refuses the certificate.",
        "I don't know why the feed closes early.",
        "The memory leak is not fixed yet.",
    ],
)
def test_what_is_said_to_be_unresolved_is_an_issue(read: Read, sentence: str) -> None:
    transcript = started()
    transcript.assistant(f"All done otherwise.\n{sentence}")
    assert issue_texts(read(transcript)) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "There are no known issues.",
        "If it is still failing, tell me.",
        "Is it still failing?",
        "The known issue was fixed in 1.2.",
        "We are no longer blocked by the review.",
        "The cache still works as before.",
        "The timeout is fixed.",
        "Nothing special here.",
    ],
)
def test_what_is_denied_or_asked_is_no_issue(read: Read, sentence: str) -> None:
    transcript = started()
    transcript.assistant(sentence)
    assert issue_texts(read(transcript)) == []


def test_a_resolved_issue_is_left_out(read: Read) -> None:
    transcript = started()
    transcript.assistant("The upload to S3 is still failing.")
    transcript.user("BUG: the parser eats the last comma")
    transcript.assistant("Once this is fixed the upload will work.")
    assert len(issue_texts(read(transcript))) == 2
    transcript.assistant("I fixed the parser: it keeps the last comma now.")
    assert issue_texts(read(transcript)) == ["The upload to S3 is still failing."]
    transcript.assistant("Resolved: `S3` permissions.")
    assert issue_texts(read(transcript)) == []


def test_a_passing_check_resolves_what_was_said_of_its_kind(read: Read) -> None:
    transcript = started()
    transcript.assistant("Two tests are still failing. The build is still broken.")
    transcript.tool("Bash", {"command": "pytest"}, "9 passed")
    assert issue_texts(read(transcript)) == ["The build is still broken."]
    transcript.tool("Bash", {"command": "npm run build"}, "ok")
    assert issue_texts(read(transcript)) == []


def test_a_check_of_one_part_leaves_the_other_parts_failures_open(read: Read) -> None:
    transcript = started()
    error = "E   AssertionError: 3 rows\n1 failed"
    transcript.tool("Bash", {"command": "pytest tests/feed -x"}, error, error=True)
    transcript.assistant("The billing suite still fails with a deadlock.")
    transcript.tool("Bash", {"command": "pytest -q tests/test_cart.py"}, "4 passed")
    assert issue_texts(read(transcript)) == [
        "`pytest tests/feed -x` fails: E AssertionError: 3 rows",
        "The billing suite still fails with a deadlock.",
    ]
    transcript.tool("Bash", {"command": "pytest -q tests/billing"}, "8 passed")
    assert len(issue_texts(read(transcript))) == 1
    transcript.tool("Bash", {"command": "pytest -k slow"}, "8 passed")
    assert len(issue_texts(read(transcript))) == 1
    transcript.tool("Bash", {"command": "pytest tests"}, "30 passed")
    assert issue_texts(read(transcript)) == []


def test_a_failure_that_comes_again_is_told_once(read: Read) -> None:
    transcript = started()
    for error in ("E   KeyError: a", "E   KeyError: b"):
        transcript.tool("Bash", {"command": "pytest tests/feed"}, error, error=True)
    assert issue_texts(read(transcript)) == ["`pytest tests/feed` fails: E KeyError: b"]


UNKNOWN_WORDING = "The rate limiter trips in staging now and then, cause a mystery to me."


def test_what_ends_a_turn_is_an_issue_in_words_that_no_pattern_knows(read: Read) -> None:
    transcript = started()
    transcript.assistant(f"The route is there and answers. {UNKNOWN_WORDING}")
    assert issue_texts(read(transcript)) == [UNKNOWN_WORDING]


def test_in_the_middle_of_a_turn_it_is_a_thought(read: Read) -> None:
    transcript = started()
    transcript.assistant("Strange, the limiter trips in staging but not here.")
    transcript.tool("Bash", {"command": "cat limits.py"}, "RATE = 3")
    transcript.assistant("I raised the limit.")
    assert issue_texts(read(transcript)) == []


def test_the_likeliest_four_of_such_issues_are_kept(read: Read) -> None:
    transcript = started()
    for part in ("mailer", "uploader", "importer", "exporter", "crawler", "printer"):
        transcript.assistant(f"The {part} trips in staging now and then, cause a mystery to me.")
        transcript.user("Go on")
    assert len(issue_texts(read(transcript))) == 4


def test_what_is_surely_an_issue_comes_first_then_the_likeliest(read: Read) -> None:
    known = Item(text="`pytest -q` fails: E assert 1 == 2", offset=1)
    told = Item(text="The upload test still fails.", offset=2)
    likely = Item(text=UNKNOWN_WORDING, offset=3)
    assert by_certainty([known, told, likely]) == [told, known, likely]


@pytest.mark.parametrize(
    "line", [f"{UNKNOWN_WORDING[:-1]}:", f"✅ {UNKNOWN_WORDING}", f"**{UNKNOWN_WORDING}**"]
)
def test_what_leads_to_the_next_line_or_is_ticked_or_a_title_is_no_issue(
    read: Read, line: str
) -> None:
    transcript = started()
    transcript.assistant(line)
    assert issue_texts(read(transcript)) == []


def test_what_surely_stays_unsolved_counts_while_work_goes_on(read: Read) -> None:
    sure = "Two of the billing tests are red and I could not get them green."
    for told, kept in ((sure, [sure]), ("The billing part is odd.", [])):
        transcript = started()
        transcript.assistant(told)
        transcript.tool("Bash", {"command": "cat limits.py"}, "RATE = 3")
        transcript.assistant("I raised the limit.")
        assert issue_texts(read(transcript)) == kept


def test_what_an_option_lacks_is_no_issue(read: Read) -> None:
    transcript = started()
    lacking = "2. **Webhooks** - at once, needs a public address that we do not have yet"
    transcript.assistant(f"Two ways:\n1. Polling\n{lacking}\n\nWhich one do you **prefer?**")
    assert issue_texts(read(transcript)) == []


@pytest.mark.parametrize(
    ("said", "solved"),
    [
        ("That worked, the image is there.", True),
        ("Fixed.", True),
        ("Yes, that did the trick.", True),
        ("That helped a little, but not enough.", False),
        ("It worked once.", False),
        ("I renamed the job.", False),
    ],
)
def test_what_names_nothing_speaks_of_what_was_told_last(
    read: Read, said: str, solved: bool
) -> None:
    transcript = started()
    transcript.assistant("I could not get it to compile.")
    transcript.user("Try another mirror.")
    transcript.assistant(said)
    assert (issue_texts(read(transcript)) == []) is solved


def test_what_names_nothing_does_not_reach_back_far(read: Read) -> None:
    transcript = started()
    transcript.assistant("I could not get it to compile.")
    for prompt in ("Leave it. Rename the job.", "Now the label."):
        transcript.user(prompt)
        transcript.assistant("Renamed it.")
    transcript.assistant("That worked.")
    assert issue_texts(read(transcript)) == ["I could not get it to compile."]

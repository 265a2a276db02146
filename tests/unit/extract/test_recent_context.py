"""The user's words to the letter, and the last turns in short."""

from pathlib import Path

import pytest

from amplihack_compaction.extract.recent_context import (
    extract_long_prompts,
    extract_prompts,
    extract_recent,
    only_looks,
)
from amplihack_compaction.text.commands import split_commands
from tests.support.transcripts import Transcript
from tests.unit.conftest import Read
from tests.unit.extract.windows import window_of


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return a function that writes a transcript and reads its last window."""
    return lambda transcript: window_of(transcript, tmp_path)


def test_prompts_are_kept_verbatim_without_what_was_pasted(read: Read) -> None:
    transcript = Transcript()
    first = transcript.user("Fix  this:\n\n- a\n- b\n\n```\nTraceback (most recent call last)\n```")
    transcript.user("x" * 1_600 + " " + "y" * 600)
    one, two = extract_prompts(read(transcript))
    assert one.text == "Fix  this:\n\n- a\n- b"
    assert one.pasted > 30
    assert (one.uuid, one.offset, two.pasted) == (first, 0, 0)
    assert two.text == "x" * 1_600 + "…"
    assert two.offset > 0


def test_a_long_word_is_cut_at_the_limit(read: Read) -> None:
    transcript = Transcript()
    transcript.user("z" * 2_200)
    (prompt,) = extract_prompts(read(transcript))
    assert prompt.text == "z" * 1_999 + "…"


def specification(sections: int) -> str:
    parts = (f"## {n}. Part\n\n- The part {n} has a port, 80{n:03}.\n" for n in range(sections))
    return "Build this.\n\n# The shop, specified\n\n" + "\n".join(parts)


def test_the_newest_prompts_that_are_shortened_are_kept_whole(read: Read) -> None:
    transcript = Transcript()
    texts = [specification(sections) for sections in (40, 41, 42, 700, 1_200)]
    for text in texts:
        transcript.user(text)
        transcript.user("and now fix the small thing")
    found = extract_long_prompts(read(transcript))
    assert [prompt.text for prompt in found[:3]] == [text.strip() for text in texts[1:4]]
    assert len(texts[3]) > 20_000
    assert len(texts[4]) > 40_000
    assert found[3].text == texts[4].strip()
    assert found[0].offset < found[1].offset


def test_logs_do_not_push_a_specification_out(read: Read) -> None:
    transcript = Transcript()
    transcript.user(specification(60))
    lines = "\n".join(f'  File "/p/a{n}.py", line {n}, in run' for n in range(90))
    for _ in range(5):
        transcript.user(f"It fails again:\n```\nTraceback (most recent call last)\n{lines}\n```")
    found = extract_long_prompts(read(transcript))
    assert [prompt.is_document for prompt in found] == [True, False]
    assert found[0].text == specification(60).strip()


def test_a_prompt_that_was_taken_back_keeps_no_other_from_being_whole(read: Read) -> None:
    transcript = Transcript()
    (before,) = transcript.assistant("What shall I build?")
    for number in range(5):
        transcript.user(specification(700 + number), parent=before)
    (prompt,) = extract_long_prompts(read(transcript))
    assert prompt.text == specification(704).strip()


def test_a_prompt_that_is_quoted_whole_is_not_kept_again(read: Read) -> None:
    transcript = Transcript()
    transcript.user("Please look after the parser. " * 60)
    transcript.user("Why this?\n```\nTraceback (most recent call last)\n```")
    assert extract_long_prompts(read(transcript)) == ()


def test_of_a_prompt_without_end_both_ends_are_kept(read: Read) -> None:
    transcript = Transcript()
    transcript.user(f"First. {specification(9_000)} Last of all.")
    (prompt,) = extract_long_prompts(read(transcript))
    assert len(prompt.text) < 65_000
    assert prompt.text.startswith("First. ")
    assert prompt.text.endswith("Last of all.")
    assert " characters ...]" in prompt.text


def test_what_was_said_on_a_refusal_is_a_prompt_with_a_place(read: Read) -> None:
    transcript = Transcript()
    transcript.user("Go")
    transcript.refuse("Bash", {"command": "npm i"}, "Use pnpm instead")
    refusal = extract_prompts(read(transcript))[-1]
    assert refusal.text == "Use pnpm instead"
    assert refusal.offset > 0


def test_the_last_turns_are_digested(read: Read) -> None:
    transcript = Transcript()
    for number in range(12):
        transcript.user(f"Question {number} " + "word " * 60)
        transcript.assistant("Looking.")
        transcript.tool("Read", {"file_path": "/a"})
        transcript.tool("Bash", {"command": "ls; make"})
        transcript.tool("Read", {"file_path": "/b"})
        transcript.assistant(f"Answer {number}.\n\n" + "More. " * 80)
    digests = extract_recent(read(transcript))
    assert len(digests) == 10
    assert len(extract_recent(read(transcript), turns=3)) == 3
    last = digests[-1]
    assert last.text.startswith("Question 11 word")
    assert last.answer.startswith("Answer 11. More.")
    assert (len(last.text) <= 160, len(last.answer) <= 300) == (True, True)
    assert last.tools == ("Read", "Bash")
    assert last.offset > digests[0].offset > 0


def test_an_interrupted_turn_goes_on_without_a_prompt(read: Read) -> None:
    transcript = Transcript()
    transcript.user("Go")
    transcript.compact("Nothing.")
    transcript.tool("Bash", {"command": "make"})
    (silent,) = extract_recent(read(transcript))
    assert (silent.text, silent.answer, silent.uuid) == ("", "", "")
    transcript.assistant("Back at it.")
    (digest,) = extract_recent(read(transcript))
    assert (digest.text, digest.answer, digest.tools) == ("", "Back at it.", ("Bash",))
    assert digest.at


def test_a_prompt_that_is_all_pasted_shows_its_head(read: Read) -> None:
    transcript = Transcript()
    transcript.user('Traceback (most recent call last):\n  File "a.py", line 1\nValueError: bad')
    (digest,) = extract_recent(read(transcript))
    assert digest.text.startswith("Traceback (most recent call last)")


def test_what_is_done_behind_the_last_words_is_counted_for_the_last_turn(read: Read) -> None:
    transcript = Transcript()
    transcript.user("Mend the parser.")
    for number in range(3):
        transcript.tool("Bash", {"command": f"make {number}"}, "ok")
        if number == 0:
            transcript.assistant("Now the rest.")
    assert [turn.uses_since for turn in extract_recent(read(transcript))] == [2]
    transcript.user("And the lexer.")
    assert [turn.uses_since for turn in extract_recent(read(transcript))] == [0, 0]


def test_a_choice_that_a_long_answer_ends_with_is_told_whole(read: Read) -> None:
    transcript = Transcript()
    transcript.user("Draw the page.")
    lead = "The page is drawn, and the form says what is wrong with each of its fields. " * 6
    options = f"1. **Mail** - {'a code is sent, ' * 9}and typed\n2. **Key** - the browser asks"
    transcript.assistant(f"{lead}\n\n{options}\n\nWhich way shall it be?")
    (digest,) = extract_recent(read(transcript))
    _, told = digest.answer.split("… 1. ")
    assert told.startswith("Mail - a code is sent")
    assert told.endswith("…; 2. Key - the browser asks. Which way shall it be?")
    transcript.assistant(f"{lead}\n\n{options}\n\nBoth are there, and the tests pass.")
    (digest,) = extract_recent(read(transcript))
    assert "; 2. Key" not in digest.answer


def test_what_a_long_answer_offers_is_kept_whole(read: Read) -> None:
    transcript = Transcript()
    transcript.user("Did you mend the invite?")
    lead = "The invite is lowered in one place and compared as it was typed in another. " * 6
    offer = "Shall I mend it? It would be:\n- Lower the mail.\n- Test a mixed one."
    transcript.assistant(f"{lead}\n\n{offer}\n\nI show you the commit before I push it.")
    (digest,) = extract_recent(read(transcript))
    assert digest.offer.startswith(lead[:100])
    assert digest.offer.endswith(
        "Shall I mend it? It would be: - Lower the mail. - Test a mixed one."
        " I show you the commit before I push it."
    )
    transcript.assistant(f"{lead}\n\nIt is done.")
    (digest,) = extract_recent(read(transcript))
    assert digest.offer == ""


def test_a_prompt_that_was_stopped_before_an_answer_is_told_so(read: Read) -> None:
    transcript = Transcript()
    for text in ("Spawn seven agents to find the bug.", "[Request interrupted by user]"):
        transcript.user(text)
    transcript.user("Look at the mapper first, the points are off.")
    transcript.assistant("The mapper is wrong by one.")
    transcript.user("Mend it then.")
    found = extract_prompts(read(transcript))
    assert [prompt.unanswered for prompt in found] == [True, False, False]


def test_a_prompt_that_was_stopped_in_the_middle_of_its_work_is_told_so(read: Read) -> None:
    transcript = Transcript()
    transcript.user("Rename foo to bar in src/.")
    transcript.tool("Edit", {"file_path": "/p/a.py", "old_string": "foo", "new_string": "bar"})
    transcript.user("[Request interrupted by user]")
    transcript.user("No, only in src/api.")
    transcript.tool("Edit", {"file_path": "/p/b.py", "old_string": "foo", "new_string": "bar"})
    transcript.user("[Request interrupted by user]")
    transcript.user("continue")
    transcript.assistant("Done.")
    transcript.user("Now the tests.")
    found = extract_prompts(read(transcript))
    assert [prompt.unanswered for prompt in found] == [True, False, False, False]


@pytest.mark.parametrize(
    ("line", "looks"),
    [
        ("grep -i error deploy.log", True),
        ("npm ls react", True),
        ("sed -n 3p a.py", True),
        ("find . -name x", True),
        ("sed -i.bak s/a/b/ x", False),
        ("sed -Ei s/a/b/ x", False),
        ("find . -name '*.pyc' -delete", False),
        ("rm -rf log", False),
    ],
)
def test_what_only_looks(line: str, looks: bool) -> None:
    assert all(map(only_looks, split_commands(line))) is looks

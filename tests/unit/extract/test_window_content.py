"""What the model only took note of is told by what it did, and not by the words."""

from pathlib import Path

import pytest

from tests.support.transcripts import Transcript
from tests.unit.extract.windows import window_of


def noted(transcript: Transcript, folder: Path) -> list[bool]:
    """Tell of each prompt whether the model only took note of it."""
    return [prompt.only_noted for prompt in window_of(transcript, folder).prompts]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Understood.", True),
        ("好的,记住了。", True),
        ("Got it, I'll keep the exporter as it is.", True),
        ("Do you mean the exporter of the shop?", False),
        ("The exporter reads the orders in pages of 500 and writes them to a file. " * 4, False),
    ],
)
def test_few_words_and_no_work_say_that_it_was_noted(
    tmp_path: Path, answer: str, expected: bool
) -> None:
    transcript = Transcript()
    transcript.user("the exporter is as it is")
    transcript.assistant(answer)
    assert noted(transcript, tmp_path) == [expected]


def test_who_works_or_is_interrupted_has_noted_nothing(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("tabs in the exporter")
    transcript.tool("Bash", {"command": "ls"}, "a.py")
    transcript.assistant("Done.")
    transcript.user("spaces in the importer")
    transcript.user("and two of them")
    transcript.assistant("Noted.")
    assert noted(transcript, tmp_path) == [False, False, True]

"""What the user pasted is no rule of his, and what he typed beside it is."""

from pathlib import Path

import pytest

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.extract.window import extract_window
from tests.support.transcripts import Transcript
from tests.voices import pasted
from tests.voices.pasted import PASTED, TYPED


def stated(prompt: str, folder: Path) -> tuple[str, str]:
    """Return the rules of a prompt, and all else that is kept as decided or wanted."""
    transcript = Transcript()
    transcript.user("Look at the parser.")
    transcript.assistant("I do.")
    transcript.user(prompt)
    (window,) = read_windows(transcript.write(folder / "t.jsonl"))
    found = extract_window(window)
    assert not isinstance(found, SessionState)
    rules = "\n".join(rule.text for rule in found.rules)
    return rules, "\n".join(made.text for made in found.decisions)


@pytest.mark.parametrize(("half", "known"), [("DEVELOP", []), ("HELD_OUT", ["lisp comment"])])
def test_what_was_pasted_is_no_rule_and_no_decision(
    tmp_path: Path, half: str, known: list[str]
) -> None:
    prompts = getattr(pasted, f"PASTED_{half}")
    taken = [n for n, text in prompts.items() if PASTED[:20] in "".join(stated(text, tmp_path))]
    assert taken == known  # of the half that was held out, what the first look at it found


@pytest.mark.parametrize("half", ["DEVELOP", "HELD_OUT"])
def test_what_was_typed_beside_it_is_a_rule(tmp_path: Path, half: str) -> None:
    prompts = getattr(pasted, f"TYPED_{half}")
    words = TYPED.rstrip(".")
    assert [n for n, text in prompts.items() if words not in stated(text, tmp_path)[0]] == []

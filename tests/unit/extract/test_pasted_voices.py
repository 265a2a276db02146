"""What the user pasted is no rule of his, and what he typed beside it is."""

from pathlib import Path

import pytest

from amplihack_compaction.extract.window_content import split_typed
from amplihack_compaction.text.pasted import AUTHORS_TABLE
from tests.publish_authors import digest_of
from tests.support.stated import stated
from tests.voices import pasted
from tests.voices.authored import learnt_from
from tests.voices.pasted import PASTED, TYPED


@pytest.mark.parametrize("half", ["DEVELOP", "HELD_OUT"])
def test_what_was_pasted_is_no_rule_and_no_decision(tmp_path: Path, half: str) -> None:
    prompts = getattr(pasted, f"PASTED_{half}")
    taken = [n for n, text in prompts.items() if PASTED[:20] in "".join(stated(text, tmp_path))]
    assert taken == []


@pytest.mark.parametrize("half", ["DEVELOP", "HELD_OUT"])
def test_what_was_typed_beside_it_is_a_rule(tmp_path: Path, half: str) -> None:
    prompts = getattr(pasted, f"TYPED_{half}")
    words = TYPED.rstrip(".")
    assert [n for n, text in prompts.items() if words not in stated(text, tmp_path)[0]] == []


def test_sentences_in_backticks_are_no_rules(tmp_path: Path) -> None:
    shown = "`Always start this with --slow. Never run it twice.`"
    prompt = f"The footer of the wizard has {shown} — which file is that from? grep for it"
    assert stated(prompt, tmp_path) == ("", "")


def test_the_weights_were_learnt_from_the_prompts_that_are_there() -> None:
    head = f"# {digest_of(learnt_from())}, ".encode()
    found = Path(AUTHORS_TABLE.path).read_bytes()
    assert found.startswith(head), "run python -m tests.publish_authors"


AUDIT = """npm audit is red again:
Package:   left-frame
Version:   2.1.0
Title:     Never use the sandbox flag with remote frames
Severity:  7.1 (high)

Package:   tiny-parse
Version:   0.1.0
Title:     Always upgrade before parsing
Error: Process completed with exit code 1.
error: tiny-parse has no fixed version"""


def test_labels_with_their_values_in_a_column_are_pasted() -> None:
    parts = split_typed(AUDIT)
    assert parts.typed.strip() == "npm audit is red again:"
    assert parts.handed == "error: tiny-parse has no fixed version"


@pytest.mark.parametrize(
    "notes",
    [
        "for the demo\nHost:  demo.example\nPort:  8081\nUser:  kim",
        "Q1:  yes, use postgres\nQ2:  never push to main\nQ3:  no\nQ4:  as before",
        "Goal:     a faster login form\nScope:    never touch the api folder\n"
        "Style:    use tabs\nTests:    always run npm test first",
        "Please fix the login form.\nNote:  never touch the api folder\nThen the upload.\n"
        "Note:  always run npm test\nThen mine.\nNote:  no new file\nThe rest.\nNote:  keep tabs",
        "so it is drawn:\n|\nplease never push to main\n|",
    ],
)
def test_what_is_noted_below_one_another_is_the_users(notes: str) -> None:
    assert split_typed(notes).typed == notes


def test_what_a_compiler_shows_below_a_line_is_pasted() -> None:
    shown = "fix it\n     |      ^^^^ help: never borrow it twice\n     |\n     = note: always on"
    assert split_typed(shown).typed.strip() == "fix it"

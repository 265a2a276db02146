"""What the user pasted is no rule of his, and what he typed beside it is."""

import hashlib
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.extract.window import extract_window
from amplihack_compaction.extract.window_content import split_typed
from amplihack_compaction.text.pasted import AUTHORS_TABLE
from tests.publish_authors import digest_of
from tests.support.transcripts import Transcript
from tests.voices import pasted
from tests.voices.authored import learnt_from, strangers
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


def prompts_of(name: str, half: int) -> list[dict[str, Any]]:
    """Return the prompts of half 0, which were developed on, or 1; a hash of the shape says it."""
    path = Path(pasted.__file__).with_name(f"{name}.toml")
    prompts = tomllib.loads(path.read_text(encoding="utf-8"))["prompt"]
    return [p for p in prompts if hashlib.sha256(p["shape"].encode()).digest()[0] % 2 == half]


def plain(text: str) -> str:
    return re.sub(r"[\s\"“”.。'`]+", " ", text).strip().lower()


# Each half at its first look: of 60 prompts 17 of 27 and 18 of 33 gave a rule or a decision, of 120
# later ones 32 of 65 and 17 of 55. Both are learnt from now.
@pytest.mark.parametrize(("half", "most"), [(0, 2), (1, 1)])
def test_few_shapes_of_pastes_give_a_rule(tmp_path: Path, half: int, most: int) -> None:
    prompts = prompts_of("pastes", half)
    taken = [
        prompt["shape"]
        for prompt in prompts
        if any(
            plain(line) in plain("\n".join(stated(prompt["text"], tmp_path)))
            for line in prompt["foreign"]
        )
    ]
    assert len(prompts) > 25
    assert len(taken) <= most, taken


def test_the_weights_were_learnt_from_the_prompts_that_are_there() -> None:
    head = f"# {digest_of(learnt_from())}, ".encode()
    found = Path(AUTHORS_TABLE.path).read_bytes()
    assert found.startswith(head), "run python -m tests.publish_authors"


# The half with even numbers (0) of the first stranger's is learnt from. Before there were weights,
# 7 and 6 of the prompts with a paste gave a rule or a decision, and 19 and 8 of the user's own
# sentences were lost. The second stranger's are not learnt from.
@pytest.mark.parametrize(
    ("name", "half", "most_taken", "most_lost"),
    [
        ("strangers", 0, 0, 2),
        ("strangers", 1, 5, 5),
        ("strangers_2", 0, 1, 14),
        ("strangers_2", 1, 4, 17),
    ],
)
def test_strangers_are_told_from_the_user(
    tmp_path: Path, name: str, half: int, most_taken: int, most_lost: int
) -> None:
    taken, lost = 0, 0
    for prompt in strangers(half, name):
        found = plain("\n".join(stated(prompt["text"], tmp_path)))
        typed = plain(split_typed(prompt["text"]).typed)
        taken += any(plain(line) in found for line in prompt["foreign"])
        lost += sum(plain(line) not in typed for line in prompt["own"])
    assert taken <= most_taken
    assert lost <= most_lost


# What is lost is seldom a paste's fault (5 of 24): the sentence is not known for a rule.
@pytest.mark.parametrize(("half", "most"), [(0, 12), (1, 9)])
def test_what_the_user_types_in_any_shape_is_a_rule(tmp_path: Path, half: int, most: int) -> None:
    prompts = prompts_of("typed", half)
    lost, taken = [], []
    for prompt in prompts:
        rules, decided = stated(prompt["text"], tmp_path)
        lost += [line for line in prompt["own"] if plain(line) not in plain(rules)]
        found = plain(f"{rules}\n{decided}")
        taken += [line for line in prompt.get("foreign", ()) if plain(line) in found]
    assert len(lost) <= most, lost
    assert taken == []

"""Any text goes through the extractors, quickly, and retiring rules settles."""

import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amplihack_compaction.extract.decisions import extract_decisions
from amplihack_compaction.extract.objective import OBJECTIVE_CHARS, extract_objectives
from amplihack_compaction.extract.rules import (
    RETRACTIONS_LIMIT,
    RULES_LIMIT,
    extract_retractions,
    extract_rules,
    kind_of_rule,
    target_of,
)
from amplihack_compaction.extract.statements import Retraction, Rule, RuleKind
from amplihack_compaction.extract.values import VALUES_LIMIT, extract_values, values_in
from amplihack_compaction.extract.window_content import PROMPTS_LIMIT, split_typed
from amplihack_compaction.ledger.merge import retire
from amplihack_compaction.ledger.superseded import superseded_by
from amplihack_compaction.text.sentences import sentences
from tests.support.effort import counted, watchdog
from tests.unit.extract.phrases_tune import DECOYS, PAIRS, RULES
from tests.unit.extract.windows import window_saying

PIECES = st.sampled_from(
    [*RULES, *DECOYS, "```", "> ", "\n", "\n\n", "- ", ": ", "here is the log:"]
)
PROMPTS = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=12).map(" ".join))
STATED = [words for pair in PAIRS for words in (pair[0], pair[2])]
LIFTING = [pair[1] for pair in PAIRS]
# Of what statements of values are made: openings, things, links, values, and words of change.
TELLING = (
    ("", "the ", "new ", "use ", "set the ", "don't raise the ", "if asked, the "),
    ("date", "target date", "deadline date", "limit", "limit cap", "port", "budget of the trip"),
    (" is ", " is now ", ": ", " to ", " at ", " moved to ", " "),
    ("May 5", "May 12", "March 4", "10 MB", "20 MB", "8080", "9:30", "UTC", "feature/a"),
    ("", ".", " now.", " instead.", "? now", ", not 9090", " and the port is 80"),
)
TOLD = st.lists(st.tuples(*map(st.sampled_from, TELLING)).map("".join), max_size=8)


@settings(max_examples=200)
@given(TOLD)
def test_what_was_told_is_replaced_by_what_was_told_later_or_stands(told: list[str]) -> None:
    replaced = superseded_by(told)
    parts = {part for text in told for part in (text, *sentences(text))}
    assert set(replaced.values()) <= set(told)
    for old, new in replaced.items():
        assert old in parts or any(old in text for text in told)
        assert old not in new


@given(PROMPTS)
def test_typed_and_pasted_make_up_the_prompt(text: str) -> None:
    found = split_typed(text)
    assert len(found.typed) <= len(text) + 1
    spoken = set(found.typed.split())
    assert spoken <= set(text.replace(":", ".").split()) | set(text.split())


@given(PROMPTS)
def test_sentences_invent_nothing(text: str) -> None:
    whole = "".join(text.split())
    for sentence in sentences(text):
        assert sentence == sentence.strip()
        assert "".join(sentence.split()) in whole


@given(st.lists(PROMPTS.filter(str.strip), max_size=4))
def test_any_window_goes_through_every_extractor(prompts: list[str]) -> None:
    with TemporaryDirectory() as folder:
        window = window_saying(Path(folder), *prompts)
    rules, retractions = extract_rules(window), extract_retractions(window)
    once = retire(rules, retractions)
    assert retire(once, retractions) == once
    assert all(len(found.text) <= OBJECTIVE_CHARS for found in extract_objectives(window))
    values = [value.text for value in extract_values(window)]
    assert len(values) == len(set(values))
    assert isinstance(extract_decisions(window), tuple)


@given(st.lists(st.sampled_from([*STATED, *LIFTING]), max_size=8))
def test_retiring_rules_settles_and_invents_none(said: list[str]) -> None:
    rules, retractions = [], []
    for offset, text in enumerate(said):
        kind, target = kind_of_rule(text), target_of(text)
        if text in STATED:
            rules.append(Rule(text=text, offset=offset, kind=RuleKind(kind or "obligation")))
        elif target is not None:
            retractions.append(Retraction(text=text, offset=offset, target=target))
    once = retire(rules, retractions)
    assert retire(once, retractions) == once
    assert {rule.text for rule in once} <= {rule.text for rule in rules}
    assert all(rule.retired_offset > rule.offset for rule in once if not rule.active)


HOSTILE = [
    "you should " * 1800,
    "every a " * 2500,
    "never," * 3300,
    "a" * 20_000,
    "-" * 20_000,
    "." * 20_000,
    "\n" * 20_000,
    "<a>\n" * 5000,
    "".join(f"<a{n}>\n" for n in range(3000)),
    "1,1" * 6600,
    "a.b" * 6600,
    "/a" * 10_000,
    '"' * 20_000,
    "`a " * 6600,
    "a_" * 10_000,
    "- " * 10_000,
    "if you a, " * 2000,
    "1" * 20_000,
    "不要" * 10_000,
    "ない" * 10_000,
    "не " * 6600,
    "```\n" * 5000,
    "here is the log:\n" * 1200,
    "    x\n" * 3300,
    "@" * 20_000,
    "a@a." * 5000,
    "aA" * 10_000,
    "\t \n" * 6600,
    "(" * 20_000,
    "forget " * 2800,
    ":\n" * 10_000,
    "\r@" * 10_000,
    "Decision: " * 2000,
    "~=" * 10_000,
    "ので" * 10_000,
    "skip a " * 2800,
    "забудь " * 2800,
    "is fine " * 2500,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_takes_no_longer_than_its_length_deserves(text: str) -> None:
    # Linear work on 20,000 characters takes tens of milliseconds; a runaway pattern minutes.
    with watchdog():
        for sentence in sentences(split_typed(text).typed):
            kind_of_rule(sentence)
            target_of(sentence)
            list(values_in(sentence))


SPEECH = (extract_rules, extract_retractions, extract_decisions, extract_objectives, extract_values)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_hostile_prompt_holds_up_an_extractor(text: str, tmp_path: Path) -> None:
    window = window_saying(tmp_path, text)
    for extract in SPEECH:
        with watchdog():
            extract(window)


def test_of_too_many_prompts_the_newest_are_read(tmp_path: Path) -> None:
    window = window_saying(tmp_path, *(f"word {n}" for n in range(PROMPTS_LIMIT + 5)))
    said = [said.typed.typed for said in window.prompts]
    assert said == [f"word {n}" for n in range(5, PROMPTS_LIMIT + 5)]


def test_thousands_of_rules_and_retractions_are_settled_in_few_steps(tmp_path: Path) -> None:
    prompts = []
    for part in range(50):
        numbers = range(part * 30, part * 30 + 30)
        prompts.append("\n".join(f"- Never touch the widget{n} in module{n}." for n in numbers))
        prompts.append("\n".join(f"- You may now touch the widget{n} again." for n in numbers))
    window = window_saying(tmp_path, *prompts)
    rules, retractions = extract_rules(window), extract_retractions(window)
    assert len(rules) == RULES_LIMIT
    assert len(retractions) == RETRACTIONS_LIMIT
    settled, calls = counted(lambda: retire(rules, retractions))
    assert calls < 100 * RULES_LIMIT * RETRACTIONS_LIMIT
    assert "widget1499 " in settled[-1].text
    assert not settled[-1].active


def test_rules_of_many_words_are_compared_in_few_steps() -> None:
    chance = random.Random(3)
    words = ["".join(chance.choices("bcdfgaeiou", k=7)) for _ in range(300)]
    rules = [
        Rule(text=f"Never {' '.join(chance.choices(words, k=70))}", offset=n, kind=RuleKind(kind))
        for n, kind in enumerate(["prohibition", "obligation"] * 60)
    ]
    lifting = [Retraction(text="x", target=rule.text, offset=999) for rule in rules[:60]]
    _, calls = counted(lambda: retire(rules, lifting))
    # Compared word with word, 120 rules of 70 words would take hundreds of millions.
    assert calls < 2_000_000


def test_the_values_of_hundreds_of_prompts_are_found_in_few_steps(tmp_path: Path) -> None:
    prompts = (
        "\n".join(f"see https://host{part}.example/{n}" for n in range(500)) for part in range(60)
    )
    window = window_saying(tmp_path, *prompts)
    values, calls = counted(lambda: extract_values(window))
    assert calls < 50 * 60 * 500
    assert len(values) == VALUES_LIMIT
    assert values[-1].text == "https://host59.example/499"

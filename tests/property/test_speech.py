"""Any text goes through the extractors, quickly, and retiring rules settles."""

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.language.markers import LANGUAGES, markers_for
from amplihack_compaction.language.sentences import sentences
from amplihack_compaction.language.typed import split_typed
from amplihack_compaction.speech.decisions import extract_decisions
from amplihack_compaction.speech.norms import kind_of_rule
from amplihack_compaction.speech.objective import OBJECTIVE_CHARS, extract_objectives
from amplihack_compaction.speech.retractions import extract_retractions, retire, target_of
from amplihack_compaction.speech.rules import extract_rules
from amplihack_compaction.speech.values import extract_values, values_in
from amplihack_compaction.state.model import Retraction, Rule, RuleKind
from tests.unit.speech.phrases_tune import DECOYS, PAIRS, RULES
from tests.unit.speech.windows import window_saying

PIECES = st.sampled_from(
    [*RULES, *DECOYS, "```", "> ", "\n", "\n\n", "- ", ": ", "here is the log:"]
)
PROMPTS = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=12).map(" ".join))
STATED = [words for pair in PAIRS for words in (pair[0], pair[2])]
LIFTING = [pair[1] for pair in PAIRS]


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
        kind, target = kind_of_rule(text)[0], target_of(text)
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
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_takes_no_longer_than_its_length_deserves(text: str) -> None:
    for language in LANGUAGES:
        markers_for(language)
    start = time.process_time()
    for sentence in sentences(split_typed(text).typed):
        kind_of_rule(sentence)
        target_of(sentence)
        list(values_in(sentence))
    # Linear work on 20,000 characters takes tens of milliseconds; a runaway pattern minutes.
    assert time.process_time() - start < 2

"""How well rules, decoys and retractions are told apart on lists of phrases."""

from types import ModuleType

import pytest

from amplihack_compaction.extract.decisions import LIKELY, weight_of
from amplihack_compaction.extract.rules import kind_of_rule, takes_back_only, target_of
from amplihack_compaction.extract.statements import Retraction, Rule, RuleKind
from amplihack_compaction.extract.window_content import split_typed
from amplihack_compaction.ledger.merge import retire
from amplihack_compaction.text.sentences import sentences
from tests.unit.extract import (
    phrases_fresh,
    phrases_grammar,
    phrases_held_out,
    phrases_last,
    phrases_later,
    phrases_tune,
)

LISTS = [
    phrases_tune,
    phrases_held_out,
    phrases_fresh,
    phrases_later,
    phrases_last,
    phrases_grammar,
]
PAIRS = [pair for module in (*LISTS[:3], phrases_grammar) for pair in module.PAIRS]


def is_kept(text: str) -> bool:
    """Return whether a sentence is held to be a rule, or quoted as what may be one."""
    parts = sentences(split_typed(text).typed)
    return states_a_rule(text) or any(weight_of(sentence) >= LIKELY for sentence in parts)


def states_a_rule(text: str) -> bool:
    return any(kind_of_rule(sentence) for sentence in sentences(split_typed(text).typed))


@pytest.mark.parametrize("phrases", LISTS, ids=lambda module: module.__name__[-12:])
def test_clear_rules_are_kept(phrases: ModuleType) -> None:
    missed = [text for text in phrases.RULES if not is_kept(text)]
    assert len(missed) <= len(phrases.RULES) * 0.1, missed


@pytest.mark.parametrize("phrases", LISTS, ids=lambda module: module.__name__[-12:])
def test_what_only_looks_like_a_rule_is_left_out(phrases: ModuleType) -> None:
    false = [text for text in phrases.DECOYS if states_a_rule(text)]
    assert len(false) <= len(phrases.DECOYS) * 0.045, false


def make_rule(text: str, offset: int) -> Rule:
    kind = kind_of_rule(text) or "obligation"
    return Rule(text=text, offset=offset, kind=RuleKind(kind))


def test_a_retraction_lifts_its_rule_and_no_other() -> None:
    missed = [pair for pair in PAIRS if not lifts_only_the_first(*pair)]
    assert len(missed) <= len(PAIRS) * 0.09, missed


def lifts_only_the_first(rule: str, lifting: str, other: str) -> bool:
    rules = [make_rule(rule, 1), make_rule(other, 2)]
    target = target_of(lifting)
    retractions = [Retraction(text=lifting, offset=3, target=target)] if target is not None else []
    if not takes_back_only(lifting) and kind_of_rule(lifting):
        rules.append(make_rule(lifting, 3))
    retired = retire(rules, retractions)
    active = {found.text: found.active for found in retired}
    assert retire(retired, retractions) == retired
    return active[other] and not active[rule]

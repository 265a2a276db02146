"""How well rules, decoys and retractions are told apart on lists of phrases."""

from types import ModuleType

import pytest

from amplihack_compaction.extract.rules import kind_of_rule, takes_back_only, target_of
from amplihack_compaction.extract.statements import Retraction, Rule, RuleKind
from amplihack_compaction.ledger.merge import retire
from amplihack_compaction.text.prompts import split_typed
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


def states_a_rule(text: str) -> bool:
    return any(kind_of_rule(sentence)[0] for sentence in sentences(split_typed(text).typed))


@pytest.mark.parametrize("phrases", LISTS, ids=lambda module: module.__name__[-12:])
def test_clear_rules_are_kept(phrases: ModuleType) -> None:
    missed = [text for text in phrases.RULES if not states_a_rule(text)]
    assert len(missed) <= len(phrases.RULES) * 0.02, missed


@pytest.mark.parametrize("phrases", LISTS, ids=lambda module: module.__name__[-12:])
def test_what_only_looks_like_a_rule_is_left_out(phrases: ModuleType) -> None:
    false = [text for text in phrases.DECOYS if states_a_rule(text)]
    assert len(false) <= len(phrases.DECOYS) * 0.01, false


def make_rule(text: str, offset: int) -> Rule:
    kind = kind_of_rule(text)[0] or "obligation"
    return Rule(text=text, offset=offset, kind=RuleKind(kind))


@pytest.mark.parametrize(("rule", "lifting", "other"), PAIRS)
def test_a_retraction_lifts_its_rule_and_no_other(rule: str, lifting: str, other: str) -> None:
    rules = [make_rule(rule, 1), make_rule(other, 2)]
    target = target_of(lifting)
    retractions = [Retraction(text=lifting, offset=3, target=target)] if target is not None else []
    if not takes_back_only(lifting) and kind_of_rule(lifting)[0]:
        rules.append(make_rule(lifting, 3))
    retired = retire(rules, retractions)
    active = {found.text: found.active for found in retired}
    assert active[rule] is False
    assert active[other] is True
    assert retire(retired, retractions) == retired

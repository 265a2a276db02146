"""How well sentences are judged that nothing was learnt from, pasted texts told, breaches noticed.

Each has floors, so that what is learnt anew or made plainer is no worse than before.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from amplihack_compaction.base.settings import Guard
from amplihack_compaction.extract.rules import kind_of_rule
from amplihack_compaction.extract.statements import Rule, RuleKind, SessionState
from amplihack_compaction.extract.window_content import split_typed
from amplihack_compaction.hook.run import may_break_rule
from amplihack_compaction.ledger.guard import read_guard, write_guard
from amplihack_compaction.text.classifier import user_chances
from tests.acts.sentences import Sentence
from tests.publish_acts import LESSONS
from tests.support.guard_lists import breaks, called, guard_list
from tests.support.stated import plain, stated
from tests.voices.authored import prompts_of, strangers

Report = Callable[[str], None]

# Of sentences that nothing was learnt from: how much of what does an act is above the chance, and
# how much of what is above the chance does it.
FLOORS = {
    ("typed", "kept"): (0.3, 0.92, 0.80),
    ("typed", "rule"): (0.6, 0.6, 0.84),
    ("typed", "forbids"): (0.5, 0.84, 0.88),
    ("typed", "fragment"): (0.5, 0.4, 0.8),
    ("typed", "decision"): (0.31, 0.6, 0.78),
    ("typed", "objective"): (0.15, 0.8, 0.72),
    ("typed", "lift"): (0.035, 0.86, 0.33),
    ("typed", "work"): (0.5, 0.64, 0.82),
    ("east", "kept"): (0.3, 0.88, 0.8),
    ("east", "rule"): (0.5, 0.7, 0.78),
    ("east", "lift"): (0.5, 0.68, 0.9),
}


@cache
def apart(name: str) -> list[Sentence]:
    """Return a lesson's sentences that nothing is learnt from."""
    return LESSONS[name].kept_apart


@pytest.mark.parametrize("name", LESSONS)
def test_every_act_has_hundreds_of_sentences_that_tell_it(name: str) -> None:
    lesson = LESSONS[name]
    learnt_from = lesson.learnt_from
    for act in lesson.acts.values():
        assert sum(sentence.label in act.does for sentence in learnt_from) > 300


def test_hundreds_of_sentences_are_kept_apart() -> None:
    assert [name for name in LESSONS if len(apart(name)) <= 250] == []


@pytest.mark.parametrize(("name", "act"), FLOORS)
def test_sentences_that_nothing_was_learnt_from_are_told_apart(
    name: str, act: str, report: Report
) -> None:
    chance, recall, precision = FLOORS[name, act]
    does, unknown = LESSONS[name].acts[act]
    asked = [s for s in apart(name) if s.label not in unknown | {"decoy"}]
    shown = [s.label in does for s in asked if getattr(user_chances(s.text), act) >= chance]
    done = sum(sentence.label in does for sentence in asked)
    report(f"{name} {act:10} {sum(shown)} of {done} found, {len(shown) - sum(shown)} falsely")
    assert sum(shown) >= recall * done
    assert sum(shown) >= precision * len(shown)


@pytest.mark.parametrize(
    ("name", "floor", "at_most"),
    [
        ("strangers", 59, 0),
        ("trades", 53, 0),
        ("ordinary", 58, 2),
        ("ordinary_2", 53, 2),
        ("everyday", 1017, 0),
    ],
)
def test_of_a_list_of_calls_as_many_are_noticed_as_before(
    name: str, floor: int, at_most: int, report: Report
) -> None:
    """A floor, not the aim: 90 in 100, and at most one falsely."""
    noticed, falsely = 0, 0
    rows = guard_list(name)
    for rule, tool, given, branch, kind in rows:
        if breaks(rule, tool, given, branch):
            noticed, falsely = noticed + (kind == "B"), falsely + (kind == "K")
    breaches = sum(kind == "B" for *_, kind in rows)
    report(f"guard, {name:11} {noticed} of {breaches} noticed, {falsely} falsely")
    assert (noticed >= floor, falsely <= at_most) == (True, True)


def test_no_planted_breach_is_passed_over_by_the_hot_path(tmp_path: Path) -> None:
    passed_over = []
    for rule, tool, given, _ in guard_list("planted"):
        stated = Rule(text=rule, kind=RuleKind(kind_of_rule(rule)), offset=0)
        write_guard(str(tmp_path), SessionState(rules=(stated,)), 0, Guard.TELL)
        assert read_guard(str(tmp_path))[0].text == rule
        if not may_break_rule(str(tmp_path), called(tool, given), 0):
            passed_over.append((rule, given))
    assert passed_over == []


def test_what_is_noticed_of_everyday_calls_is_not_passed_over_by_the_hot_path(
    tmp_path: Path,
) -> None:
    passed_over, noticed = [], 0
    for rule, tool, given, branch, _ in guard_list("everyday")[::5]:
        stated = Rule(text=rule, kind=RuleKind.PROHIBITION, offset=0)
        call = called(tool, given)
        for each in write_guard(str(tmp_path), SessionState(rules=(stated,)), 0, Guard.TELL):
            if each.broken_by(tool, call["tool_input"], "/repo", branch):
                noticed += 1
                if not may_break_rule(str(tmp_path), call, 0):
                    passed_over.append((rule, given))
    assert noticed > 100
    assert passed_over == []


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
    tmp_path: Path, report: Report, name: str, half: int, most_taken: int, most_lost: int
) -> None:
    taken, lost = 0, 0
    for prompt in strangers(half, name):
        found = plain("\n".join(stated(prompt["text"], tmp_path)))
        typed = plain(split_typed(prompt["text"]).typed)
        taken += any(plain(line) in found for line in prompt["foreign"])
        lost += sum(plain(line) not in typed for line in prompt["own"])
    report(f"pasted, {name} {half}: {taken} prompts with a stranger's word, {lost} own ones lost")
    assert taken <= most_taken
    assert lost <= most_lost


# At the first look 84 of 180 prompts gave a rule or a decision. All are learnt from now.
def test_few_shapes_of_pastes_give_a_rule(tmp_path: Path) -> None:
    prompts = prompts_of("pastes")
    taken = [
        prompt["shape"]
        for prompt in prompts
        if any(
            plain(line) in plain("\n".join(stated(prompt["text"], tmp_path)))
            for line in prompt["foreign"]
        )
    ]
    assert len(prompts) > 50
    assert len(taken) <= 3, taken


# What is lost is seldom a paste's fault (5 of 24): the sentence is not known for a rule.
def test_what_the_user_types_in_any_shape_is_a_rule(tmp_path: Path) -> None:
    prompts = prompts_of("typed")
    lost, taken = [], []
    for prompt in prompts:
        rules, decided = stated(prompt["text"], tmp_path)
        lost += [line for line in prompt["own"] if plain(line) not in plain(rules)]
        found = plain(f"{rules}\n{decided}")
        taken += [line for line in prompt.get("foreign", ()) if plain(line) in found]
    assert len(lost) <= 21, lost
    assert taken == []

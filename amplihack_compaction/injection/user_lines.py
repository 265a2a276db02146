"""Lines of what the user said: rules, objective, decisions, remarks, what is lifted."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from amplihack_compaction.extract.decisions import (
    LIKELY,
    in_one_breath,
    may_be_rule,
    weight_of_remark,
)
from amplihack_compaction.extract.objective import by_likelihood, follows
from amplihack_compaction.extract.statements import Decision, Objective, Rule, SessionState
from amplihack_compaction.injection.lines import SHORT_CHARS, later
from amplihack_compaction.ledger.merge import PAST_LIMIT
from amplihack_compaction.ledger.replaced import PLAN, ValueCorrections, changed_choices
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.words import TEXT_CHARS, inert, is_quoted, normal_form

_POINT = re.compile(r"(?:^|(?<=\s))(?:\d{1,2}[.)]|[-*•])\s")
# A rule and the objective are needed word for word: nearly all are shorter than this.
_RULE_CHARS = 600
_REMARK_CHARS = 200
# Of what was pasted with a prompt the beginning tells what it is.
_HANDED_CHARS = 400
# Steps shown as core beside the objective: the newest that set work, and the likeliest.
_MAIN_STEPS = 2
# What a line costs beside its words: two quotes, a dash, and what it was said after.
_LINE_CHARS = 40
# Of what the same words were said after, the newest are shown.
_MOST_OCCASIONS = 3

# Chances are the text classifier's, from 0 to 1.
_CORE_FROM_CHANCE = 0.2
"""A remark that matters so likely is core: one rule that is lost is worse than some idle words."""
_SETS_WORK_CHANCE = 0.3
"""A text surely set work."""
_ASKS_FOR_WORK_CHANCE = 0.5
"""It rather asks for work than says what holds on."""
_MAY_SET_WORK_CHANCE = 0.05
"""Below it a step hardly set work."""
_RULE_LIKE_CHANCE = 0.3
_MAY_BE_RULE_CHANCE = 0.1
_LIFTS_CHANCE = 0.4
"""Later words likely take a rule back; below it they only stand beside it."""
_HOLDS_ON_CHANCE = 0.2
"""Below it what led to an edit was rather a request for it than something that holds on."""
_EDITED_SHARE = 0.3
"""So much less such a request weighs, as a ratio: what it asked for is done."""


def rule_lines(state: SessionState, corrected: ValueCorrections) -> Iterator[str]:
    """Yield the standing rules, newest first: what was said last weighs more."""
    standing = (r for r in reversed(state.active_rules) if not _is_likely_lifted(r))
    return _rule_lines(standing, corrected)


def questioned_lines(state: SessionState, corrected: ValueCorrections) -> Iterator[str]:
    """Yield the rules that later words likely take back, with these words."""
    likely_lifted = (r for r in reversed(state.active_rules) if _is_likely_lifted(r))
    return _rule_lines(likely_lifted, corrected)


def _rule_lines(rules: Iterable[Rule], corrected: ValueCorrections) -> Iterator[str]:
    """Yield a line for each wording: what the same words were said after stands in one."""
    worded: dict[str, list[Rule]] = {}
    for rule in rules:
        worded.setdefault(rule.text, []).append(rule)
    for same in worded.values():
        after = "; after ".join(rule.after for rule in same[:_MOST_OCCASIONS] if rule.after)
        changed = same[0].questioned_by or corrected.of(same[0].text)
        yield f"{_quoted(replace(same[0], after=after), _RULE_CHARS)}{later(changed)}"


def _quoted(said: Rule, limit_chars: int) -> str:
    after = f" (after {inert(said.after)})" if said.after else ""
    return f'- "{inert(said.text, limit_chars)}"{after}'


def _is_likely_lifted(rule: Rule) -> bool:
    """Return whether a rule's later words likely take it back; a mention only stands beside it."""
    return bool(rule.questioned_by) and user_chances(rule.questioned_by).lift >= _LIFTS_CHANCE


def _in_question(remark: Rule) -> bool:
    """Return whether a remark is one that later words can take back, and no fact."""
    return bool(remark.questioned_by) and user_chances(remark.text).rule >= _RULE_LIKE_CHANCE


def remark_lines(
    state: SessionState,
    other_lines: Iterable[str] = (),
    values: Iterable[str] = (),
    choices: Iterable[str] = (),
    *,
    corrected: ValueCorrections,
) -> tuple[list[str], list[str], tuple[str, ...]]:
    """Return the lines of the likely remarks and of the others, the likeliest first.

    Of two that are as likely the shorter comes first: it leaves more room for others. The last are
    all these lines, those of the newest remarks first.

    Left out is what a rule, a decision or the objective's lines say. Those that other lines quote,
    as far as these are not cut short, come last; what may be a rule is more than a value that
    stands in it. The later `choices` stand beside what they replace.
    """
    decided = [made for made in state.decisions if not made.superseded]
    understood = [item.text for item in (*state.active_rules, *decided)]
    steps = list(_quoted_steps(state))
    doubted = [*state.questioned_rules, *filter(_in_question, state.remarks)]
    beside = {rule.retired_by for rule in state.rules} | {rule.questioned_by for rule in doubted}
    beside.update(choices)
    quoted, values = [*understood, *other_lines], tuple(values)
    over = [rule.text for rule in state.rules if not rule.active]
    changed = changed_choices(state.remarks, (*state.active_rules, *decided))
    ranked: dict[str, float] = {}
    for remark in reversed(in_one_breath(state.remarks)):
        said = is_quoted(remark.text, (*understood, *steps))
        if not said and remark.text not in beside and not is_quoted(remark.text, over):
            other = changed.get(remark.text, "") or corrected.of(remark.text)
            doubt = remark.questioned_by if remark in doubted else other
            line = f"{_quoted(remark, _remark_chars(remark.text))}{later(doubt)}"
            quoting = quoted if may_be_rule(remark.text, _RULE_LIKE_CHANCE) else (*quoted, *values)
            waits = is_quoted(remark.text, quoting)
            ranked[line] = 0 if waits else _weight(remark, state)
    lines = sorted(ranked, key=lambda line: -ranked[line] / (len(line) + _LINE_CHARS))
    likely = [line for line in lines if ranked[line] >= _CORE_FROM_CHANCE]
    others = [line for line in lines if ranked[line] < _CORE_FROM_CHANCE]
    return likely, others, tuple(ranked)


def _weight(remark: Rule, state: SessionState) -> float:
    share = _EDITED_SHARE if _led_to_edits(remark.text, state) else 1
    return share * weight_of_remark(remark)


def _remark_chars(text: str) -> int:
    """Return how much of a remark is shown: what it speaks of may stand before it."""
    parts = sentences(text)
    return _REMARK_CHARS + (len(text) - len(parts[-1]) if len(parts) > 1 else 0)


def _led_to_edits(text: str, state: SessionState) -> bool:
    """Return whether a remark rather asked for what was done: it is like no rule and no choice.

    What stands beside a likelier request is not what was asked for.
    """
    chances = user_chances(text)
    if max(chances.rule, chances.decision, chances.lift) >= _HOLDS_ON_CHANCE:
        return False
    led = {file.why for file in state.files if file.edits and text in file.why}
    return any(
        all(user_chances(part).work <= chances.work for part in sentences(why)) for why in led
    )


def decision_lines(choices: Iterable[tuple[Decision, str]]) -> Iterator[str]:
    """Yield the decisions with their reasons, and what was later chosen instead."""
    for decision, changed in choices:
        titled = not decision.question or decision.text.startswith(decision.question)
        question = "" if titled else f"{inert(decision.question, SHORT_CHARS)} -> "
        known = normal_form(decision.reason) in normal_form(decision.text)
        reason = "" if known else f" (because: {inert(decision.reason, SHORT_CHARS)})"
        plan = "approved plan: " if decision.source == PLAN else ""
        yield f"- {plan}{question}{inert(decision.text, TEXT_CHARS)}{reason}{later(changed)}"


def lifted_lines(state: SessionState) -> Iterator[str]:
    """Yield the rules that are no longer in force, newest first."""
    for rule in reversed(state.rules):
        if not rule.active:
            lifted = inert(rule.retired_by, SHORT_CHARS)
            yield f'- lifted: "{inert(rule.text, SHORT_CHARS)}" (by: "{lifted}")'


def past_work_lines(state: SessionState) -> Iterator[str]:
    """Yield the work that was followed by other work or given up for it, newest first."""
    thread = (*state.past_objectives, *state.continues, state.objective)
    turns = [objective for objective in thread if objective is not None]
    for objective in reversed(state.past_objectives):
        if _set_work(objective):
            done = _is_followed(objective, turns)
            label = "earlier work" if done else "turned away from"
            yield f'- {label}: "{inert(objective.text, SHORT_CHARS)}"'


def _is_followed(objective: Objective, turns: Sequence[Objective]) -> bool:
    """Return whether work was only followed by other work, and not given up for it."""
    later = (turn for turn in turns if turn.offset > objective.offset and turn.switches)
    turned = next(later, None)
    return turned is not None and follows(turned)


def _set_work(objective: Objective) -> bool:
    """Return whether a prompt surely set work: who turns to other work takes back no rule."""
    chances = user_chances(objective.text)
    works = max(chances.work, objective.chance)
    return chances.kept < LIKELY or works > max(_SETS_WORK_CHANCE, chances.kept)


def objective_lines(state: SessionState, corrected: ValueCorrections) -> Iterator[str]:
    """Yield the objective, and the main steps that led to it."""
    if state.objective is None:
        return
    text = state.objective.text
    changed = later(corrected.of(text))
    yield f'- Current: "{inert(text, _RULE_CHARS)}"{changed}{_handed(state.objective)}'
    for objective in _main_steps(state):
        yield _goes_on(objective, _step_chars(objective))
    begun = _begun(state)
    if begun is not None:
        yield f'- Began with: "{inert(begun.text, SHORT_CHARS)}"{_handed(begun)}'


def _begun(state: SessionState) -> Objective | None:
    """Return what the session began with, where all else only followed: "next: the docs"."""
    turns = (*state.past_objectives, *state.continues, *filter(None, (state.objective,)))
    only_followed = all(follows(turn) for turn in turns if turn.switches)
    is_known = 0 < len(state.past_objectives) < PAST_LIMIT
    return state.past_objectives[0] if is_known and only_followed else None


def _quoted_steps(state: SessionState) -> Iterator[str]:
    """Yield what the objective's lines quote whole, and what is surely nothing but work."""
    steps = [(step, _step_chars(step)) for step in _main_steps(state)]
    if state.objective is not None:
        steps.append((state.objective, _RULE_CHARS))
    for step, chars in steps:
        chances = user_chances(step.text)
        if step is state.objective and len(step.text) <= chars:
            yield step.text  # it stands right above, whatever else it is
            continue
        is_work = step.switches or chances.kept < LIKELY or chances.work > _ASKS_FOR_WORK_CHANCE
        if is_work and len(step.text) <= chars and not may_be_rule(step.text, _MAY_BE_RULE_CHANCE):
            yield step.text


def _step_chars(step: Objective) -> int:
    return TEXT_CHARS if _lists_steps(step.text) else SHORT_CHARS


def _lists_steps(text: str) -> bool:
    """Return whether a text is a list in one line: later words speak of its points."""
    return len(_POINT.findall(text)) > 1


def _main_steps(state: SessionState) -> tuple[Objective, ...]:
    """Return what the thread began with, what set new work last, and what did most likely."""
    begun, later = state.continues[:1], state.continues[1:]
    newest = [step for step in reversed(later) if step.chance >= _SETS_WORK_CHANCE][:1]
    ranked = dict.fromkeys((*newest, *by_likelihood(later)))
    likely = [step for step in list(ranked)[:_MAIN_STEPS] if not _says_little(step)]
    return (*sorted(likely, key=lambda step: -step.offset), *begun)


def thread_lines(state: SessionState) -> Iterator[str]:
    """Yield the other steps that led to the objective, newest first; those that say little last."""
    shown = _main_steps(state)
    steps = [step for step in reversed(state.continues[1:]) if step not in shown]
    lines = (_goes_on(step) for step in sorted(steps, key=_says_little))
    yield from dict.fromkeys(lines)


def _says_little(step: Objective) -> bool:
    """Return whether a step hardly set new work, and is like nothing else that must be kept."""
    return step.chance < _MAY_SET_WORK_CHANCE and user_chances(step.text).kept < LIKELY


def _goes_on(objective: Objective, limit: int = TEXT_CHARS) -> str:
    return f'- Goes on from: "{inert(objective.text, limit)}"{_handed(objective)}'


def _handed(objective: Objective) -> str:
    """Return what was pasted with a prompt: somebody else wrote it, and the work is after it."""
    # Its own quotation marks would let it seem to be what the user said.
    handed = inert(objective.handed, _HANDED_CHARS).replace('"', "'")
    return f" (pasted with it: {handed})" if handed else ""

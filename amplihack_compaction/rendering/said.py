"""Say in lines what the user said: rules, objective, decisions, remarks, what is lifted."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from amplihack_compaction.acts.chances import chances_of
from amplihack_compaction.language.reasons import reason_of
from amplihack_compaction.language.sentences import sentences
from amplihack_compaction.language.text import normal_form
from amplihack_compaction.ledger.remarks import LIKELY, in_one_breath, may_be_rule, weight_of
from amplihack_compaction.patterns.patterns import lazily
from amplihack_compaction.rendering.lines import SHORT_CHARS, TEXT_CHARS, inert
from amplihack_compaction.speech.objective import by_likelihood
from amplihack_compaction.speech.thread import follows
from amplihack_compaction.state.model import Decision, Objective, Rule, SessionState
from amplihack_compaction.subjects.subjects import stem, subject_of

_POINT = lazily(r"(?:^|(?<=\s))(?:\d{1,2}[.)]|[-*•])\s")
# What tells that a choice is taken back and not only spoken of.
_TURNS = lazily(
    r"\b(?:no|not|nope|nah|instead|rather|actually|overkill|too|drop\w*|replac\w+|forget|scrap"
    r"|switch\w*|chang\w+|back to|after all|in the end|won|wins|nicht|doch|lieber|statt"
    r"|finalement|plutôt|mejor|en vez"
    r"|melhor|em vez|лучше|не)\b|n't\b|不|别|还是|改|やっぱ|말고",
    re.IGNORECASE,
)
_RULE_CHARS = 600
_REMARK_CHARS = 200
# How much of a remark another line has that says nearly all of it.
_MOST_OF = 0.85
_MAIN_STEPS = 2
# Of what the same words were said after, the newest are told.
_AFTER_AT_MOST = 3
# Chances from which a text surely set work, is like a rule, may be one, and takes one back.
_SETS_WORK = 0.3
_RULE_LIKE = 0.3
_MAY_BE_RULE = 0.1
_LIFTS = 0.3
_CHOOSES = 0.3
# Below it what led to an edit was a request for it, and nothing that holds on.
_HOLDS_ON = 0.2
# A choice of so few words, such as "yes", is named by its question.
_BARE_WORDS = 2
_CACHED_CHOICES = 1024
_BECAUSE = frozenset(
    map(stem, "because since weil denn porque parce puisque car pois потому поскольку".split())
)


def rule_lines(state: SessionState) -> Iterator[str]:
    """Yield the standing rules, newest first: what was said last weighs more."""
    return _rule_lines(r for r in reversed(state.active_rules) if not _is_likely_lifted(r))


def questioned_lines(state: SessionState) -> Iterator[str]:
    """Yield the rules that later words likely take back, with these words."""
    return _rule_lines(r for r in reversed(state.active_rules) if _is_likely_lifted(r))


def _rule_lines(rules: Iterable[Rule]) -> Iterator[str]:
    """Yield a line for each wording: what the same words were said after stands in one."""
    worded: dict[str, list[Rule]] = {}
    for rule in rules:
        worded.setdefault(rule.text, []).append(rule)
    for same in worded.values():
        after = "; after ".join(rule.after for rule in same[:_AFTER_AT_MOST] if rule.after)
        yield f"{_quoted(replace(same[0], after=after), _RULE_CHARS)}{_later(same[0])}"


def _quoted(said: Rule, limit_chars: int) -> str:
    after = f" (after {inert(said.after)})" if said.after else ""
    return f'- "{inert(said.text, limit_chars)}"{after}'


def _is_likely_lifted(rule: Rule) -> bool:
    """Tell whether a rule's later words likely take it back; a mention only stands beside it."""
    return bool(rule.questioned_by) and chances_of(rule.questioned_by).lift >= _LIFTS


def _later(rule: Rule) -> str:
    return f' - later: "{inert(rule.questioned_by)}"' if rule.questioned_by else ""


def _in_question(remark: Rule) -> bool:
    """Tell whether a remark is one that later words can take back, and no fact."""
    return bool(remark.questioned_by) and chances_of(remark.text).rule >= _RULE_LIKE


def remark_lines(
    state: SessionState, other_lines: Iterable[str] = (), values: Iterable[str] = ()
) -> tuple[list[str], list[str]]:
    """Return the lines of the likely remarks and of the others, the likeliest first.

    Those that other lines quote, as far as these are not cut short, come last; what may be a rule
    is more than a value that stands in it.
    """
    decided = [made for made in state.decisions if not made.superseded]
    understood = [item.text for item in (*state.active_rules, *decided)]
    objective = state.objective.text if state.objective is not None else ""
    doubted = [*state.questioned_rules, *filter(_in_question, state.remarks)]
    beside = {rule.retired_by for rule in state.rules} | {rule.questioned_by for rule in doubted}
    beside |= {later_choice(made, state.remarks) for made in decided}
    quoted, values = [*understood, *other_lines], tuple(values)
    over = [rule.text for rule in state.rules if not rule.active]
    ranked: dict[str, float] = {}
    for remark in reversed(in_one_breath(state.remarks)):
        # What is all of the objective is said there, unless it may be a rule taken for work.
        is_work = remark.text == objective and not may_be_rule(remark.text, _MAY_BE_RULE)
        said = is_work or any(remark.text in text for text in understood)
        if not said and remark.text not in beside and not _is_quoted(remark.text, over):
            later = _later(remark) if remark in doubted else ""
            line = f"{_quoted(remark, _remark_chars(remark.text))}{later}"
            others = quoted if may_be_rule(remark.text, _RULE_LIKE) else (*quoted, *values)
            waits = _is_quoted(remark.text, others) or _led_to_edits(remark.text, state)
            ranked[line] = 0 if waits else weight_of(remark.text)
    lines = sorted(ranked, key=lambda line: -ranked[line])
    likely = [line for line in lines if ranked[line] >= LIKELY]
    return likely, lines[len(likely) :]


def _remark_chars(text: str) -> int:
    """Return how much of a remark is shown: what it speaks of may stand before it."""
    parts = sentences(text)
    return _REMARK_CHARS + (len(text) - len(parts[-1]) if len(parts) > 1 else 0)


def _led_to_edits(text: str, state: SessionState) -> bool:
    """Tell whether a remark only asked for what was done: it is like no rule and no choice."""
    chances = chances_of(text)
    only_asks = max(chances.rule, chances.decision, chances.lift) < _HOLDS_ON
    return only_asks and any(file.edits and text in file.why for file in state.files)


def _is_quoted(text: str, quoted: Iterable[str]) -> bool:
    """Tell whether a text is quoted elsewhere, all of it or all but a few words."""
    return any(
        other and (text in other or (other in text and len(other) > _MOST_OF * len(text)))
        for other in quoted
    )


def lifted_lines(state: SessionState) -> Iterator[str]:
    """Yield what is no longer in force, newest first."""
    for rule in reversed(state.rules):
        if not rule.active:
            lifted = inert(rule.retired_by, SHORT_CHARS)
            yield f'- lifted: "{inert(rule.text, SHORT_CHARS)}" (by: "{lifted}")'
    thread = (*state.past_objectives, *state.continues, state.objective)
    turns = [objective for objective in thread if objective is not None]
    for objective in reversed(state.past_objectives):
        if _set_work(objective):
            done = _is_followed(objective, turns)
            label = "earlier work" if done else "turned away from"
            yield f'- {label}: "{inert(objective.text, SHORT_CHARS)}"'


def _is_followed(objective: Objective, turns: Sequence[Objective]) -> bool:
    """Tell whether work was only followed by other work, and not given up for it."""
    later = (turn for turn in turns if turn.offset > objective.offset and turn.switches)
    turned = next(later, None)
    return turned is not None and follows(turned)


def _set_work(objective: Objective) -> bool:
    """Tell whether a prompt surely set work: who turns to other work takes back no rule."""
    chances = chances_of(objective.text)
    works = max(chances.work, objective.chance)
    return chances.kept < LIKELY or works > max(_SETS_WORK, chances.kept)


def objective_lines(state: SessionState) -> Iterator[str]:
    """Yield the objective, and the main steps that led to it."""
    if state.objective is None:
        return
    yield f'- Current: "{inert(state.objective.text, _RULE_CHARS)}"'
    for objective in _main_steps(state):
        yield _goes_on(objective, TEXT_CHARS if _lists_steps(objective.text) else SHORT_CHARS)


def _lists_steps(text: str) -> bool:
    """Tell whether a text is a list in one line: later words speak of its points."""
    return len(_POINT.findall(text)) > 1


def _main_steps(state: SessionState) -> tuple[Objective, ...]:
    """Return what the thread began with, and what set new work most likely, newest first."""
    begun, later = state.continues[:1], state.continues[1:]
    likely = by_likelihood(later)[:_MAIN_STEPS]
    return (*sorted(likely, key=lambda step: -step.offset), *begun)


def thread_lines(state: SessionState) -> Iterator[str]:
    """Yield the other steps that led to the objective, newest first."""
    shown = _main_steps(state)
    for objective in reversed(state.continues[1:]):
        if objective not in shown:
            yield _goes_on(objective)


def _goes_on(objective: Objective, limit: int = TEXT_CHARS) -> str:
    return f'- Goes on from: "{inert(objective.text, limit)}"'


def decision_lines(state: SessionState) -> Iterator[str]:
    """Yield the decisions that hold, newest first, with their reasons."""
    for decision in reversed(state.decisions):
        if decision.superseded:
            continue
        question = f"{inert(decision.question, SHORT_CHARS)} -> " if decision.question else ""
        known = normal_form(decision.reason) in normal_form(decision.text)
        reason = "" if known else f" (because: {inert(decision.reason, SHORT_CHARS)})"
        plan = "approved plan: " if decision.source == "plan" else ""
        changed = later_choice(decision, state.remarks)
        later = f' - later: "{inert(changed)}"' if changed else ""
        yield f"- {plan}{question}{inert(decision.text, TEXT_CHARS)}{reason}{later}"


def later_choice(decision: Decision, remarks: Iterable[Rule]) -> str:
    """Return the newest remark that likely chooses otherwise: it turns from what was decided."""
    bare = len(decision.text.split()) <= _BARE_WORDS  # "yes"
    chosen = _named_by(f"{decision.question} {decision.text}" if bare else decision.text)
    place = (decision.offset, decision.position)
    return next(
        (
            remark.text
            for remark in sorted(remarks, key=lambda remark: -remark.offset)
            if (remark.offset, remark.position) > place
            and chances_of(remark.text).decision >= _CHOOSES
            and _TURNS.search(remark.text)
            and chosen & _named_by(remark.text)
        ),
        "",
    )


@lru_cache(maxsize=_CACHED_CHOICES)
def _named_by(text: str) -> frozenset[str]:
    """Return what a choice names, without the reason for it."""
    reason = reason_of(text)
    words = subject_of(text.replace(reason, " ") if reason else text).words - _BECAUSE
    # "c'est" and "it's" are no names, though subjects keep them.
    return frozenset(word for word in words if "'" not in word)

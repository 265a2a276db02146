"""Say in lines what the user said: rules, remarks and decisions, and what is over of them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import groupby, pairwise

from amplihack_compaction.extract.barred_clauses import NEGATED
from amplihack_compaction.extract.decisions import may_be_rule, weight_of_remark
from amplihack_compaction.extract.objective import has_content, newest_prompt
from amplihack_compaction.extract.replies import SAYS_YES_BUT, TAKES_ONE_WAY
from amplihack_compaction.extract.rules import is_like_no_rule, is_likely_lifted, parted_by_hold
from amplihack_compaction.extract.statements import (
    PLAN_APPROVED,
    SAID_WITH,
    Decision,
    Rule,
    SessionState,
)
from amplihack_compaction.extract.values import is_machine_made
from amplihack_compaction.injection.lines import SHORT_CHARS, StateLine, falling, prompts_since
from amplihack_compaction.injection.objective_lines import (
    PAST_PROMPT_CHARS,
    earlier_aims,
    objective_words,
)
from amplihack_compaction.ledger.edits import FORGOTTEN
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.words import (
    TEXT_CHARS,
    asks,
    inert,
    is_quoted,
    later,
    normal_form,
    printed,
)

LABELLED = re.compile(r"[A-Z]{2,15}(?: [A-Z]{2,15}){0,2}: \w")
"""How what begins is meant to be kept: "FACT: ...", "IMPORTANT: ..."."""
# A rule is needed word for word: nearly all are shorter than this.
_RULE_CHARS = 600
_REQUEST_CHARS = 60
_TOGETHER_CHARS = 600
_REMARK_CHARS = 200
# Of what the same words were said after, the newest are shown.
_MOST_OCCASIONS = 3
_DECISION = 0.85
_DECISION_FADES = 0.02
_TAKEN_UP = 0.25
# So many prompts on, and with a commit between, a question's answer was carried out.
_PROMPTS_OF_WORK = 4
_COMMITS = ("commit", "pushed: ", "merged: ")
# How this commit is to be made, not how commits are.
_ON_COMMIT = re.compile(
    r"\b(?:this|these|the (?:first|last)) (?:[\w-]+ ){0,2}(?:commit|push)\b"
    r"|\b(?:commit|push|amend|force-push) (?:this|these|it|them|now)\b|\bmy (?:local )?commits?\b"
    r"|[这這][个個]?\s?(?:[\w-]+ )?(?:commit|提交)|强推|強推",
    re.IGNORECASE,
)
_OFFERS = re.compile(
    r"\b(?:want|like) me to\b|\b(?:shall|should|may|can) i\b|\bwhich ones\b|\bsomething else\?",
    re.IGNORECASE,
)
_TAKES_UP = re.compile(
    r"\W*(?:y(?:es|eah|ep|up)|ok(?:ay)?|sure|do it|go ahead|please|just|let'?s)\b", re.IGNORECASE
)

# A menu of what to do next: what was taken from it is done. "Next.js or Remix?" is none.
_MENU = re.compile(
    r"\b(?:what|which|where|how)\b[^?]{0,80}\bnext(?:\s?(?:[?,:;(]|$)|\s(?:for|with)\b|\s[–—-]"
    r"|\s(?:steps?|tasks?|phase|priority|thing|focus|feature|issue|item|up)\b)"
    r"|^\W*next (?:steps?|tasks?|up)\b|\bsomething else\b",
    re.IGNORECASE,
)

# Chances are the text classifier's, from 0 to 1.
_ASKS_FOR_WORK_CHANCE = 0.5
"""It rather asks for work than says what holds on."""
_RULE_LIKE_CHANCE = 0.3
_MAY_BE_RULE = 0.1
_HOLDS_ON_CHANCE = 0.2
"""Below it what led to an edit was rather a request for it than something that holds on."""
_EDITED_SHARE = 0.3
"""So much less such a request is needed, as a ratio: what it asked for is done."""
_LIKE_RULE_OR_CHOICE = 0.5
_REMARK_NEED = 0.4
_REMARK_SPAN = 0.25

_LABELLED_NEED = 0.98
_SHORT_PROMPT_CHARS = 130
_LONG_PROMPT_CHARS = 400
_WEIGHTY = 0.8


def rule_lines(state: SessionState, *, sure: bool) -> Iterator[str]:
    """Yield the standing rules, newest first: those that surely hold on, or the others."""
    return _rule_lines(_standing(state)[0 if sure else 1])


def possible_rule_lines(
    state: SessionState, current: str, decided: Iterable[str]
) -> list[StateLine]:
    """Return the rules that may have been meant once, but for one that is the `current` prompt.

    Those that were said with a request share a line that tells it. Left out is what a line on what
    was `decided` tells, with what it answers. What is like no rule is seldom needed.
    """
    is_current, decided = normal_form(current), list(decided)
    doubted = [
        rule
        for rule in _standing(state)[1]
        if normal_form(rule.text) != is_current and not is_quoted(inert(rule.text), decided)
    ]
    unlike = [rule for rule in doubted if is_like_no_rule(rule)]
    others = _lines_by_request(state, [rule for rule in doubted if rule not in unlike])
    return [*falling(others, 0.9, 0.01, least=0.5), *falling(_rule_lines(unlike), 0.2, 0.001)]


def _lines_by_request(state: SessionState, rules: Sequence[Rule]) -> list[str]:
    """Return lines for the rules that were said with one request, and one for each other.

    A line that has no room is left out as a whole: of many rules each line takes some.
    """
    current = newest_prompt(state) or state.objective
    lines: list[str] = []
    for (uuid, asked), said in groupby(rules, lambda rule: (rule.uuid, rule.asked_with)):
        told = [line.removeprefix("- ") for line in _rule_lines(said)]
        if not asked:
            lines += [f"- {rule}" for rule in told]
            continue
        is_current = current is not None and current.uuid == uuid
        request = f'"{printed(asked, _REQUEST_CHARS)}"' if asked != "…" else "a request"
        head = f"- with {'the current prompt' if is_current else request}: "
        line = head
        for rule in told:
            if line != head and len(line) + len(rule) > _TOGETHER_CHARS:
                lines.append(line)
                line = head
            line += rule if line == head else f" · {rule}"
        lines.append(line)
    return lines


def _standing(state: SessionState) -> tuple[list[Rule], list[Rule]]:
    standing = [r for r in reversed(state.active_rules) if not is_likely_lifted(r)]
    return parted_by_hold(standing)


def questioned_lines(state: SessionState) -> Iterator[str]:
    """Yield the rules that later words likely take back, with these words."""
    likely_lifted = (r for r in reversed(state.active_rules) if is_likely_lifted(r))
    return _rule_lines(likely_lifted)


def _rule_lines(rules: Iterable[Rule]) -> Iterator[str]:
    """Yield a line for each wording: what the same words were said after stands in one."""
    worded: dict[str, list[Rule]] = {}
    for rule in rules:
        worded.setdefault(rule.text, []).append(rule)
    for same in worded.values():
        after = "; after ".join(rule.after for rule in same[:_MOST_OCCASIONS] if rule.after)
        said = _rule_quoted(replace(same[0], after=after), _RULE_CHARS)
        yield f"{said}{later(same[0].questioned_by)}"


def _rule_quoted(said: Rule, limit_chars: int) -> str:
    after = f" (after {inert(said.after)})" if said.after else ""
    lifted = f" {inert(said.lifted_of_it)}" if said.lifted else ""
    return f'- "{inert(said.text, limit_chars)}"{after}{lifted}'


# What was said in the prompt before is over, rules apart.
_SCRATCHES = re.compile(
    r"\W*(?:(?:no|ok|hm+|wait|actually|sorry)\W+){0,2}(?:(?:scratch|scrap|forget|ditch) (?:all )?"
    r"(?:that|this|it)|vergiss (?:das|es)|oublie ça|olvida eso|esquece isso|забудь(?: это)?)\b"
    r"[,.;:!]|\W*never ?mind\b|算了[,，。]",
    re.IGNORECASE,
)


def remark_lines(
    state: SessionState, other_lines: Iterable[str] = (), values: Iterable[str] = ()
) -> list[StateLine]:
    """Return the lines of the remarks, the newest first.

    Left out is what a rule, a decision or the objective's lines say. What other lines quote, as far
    as these are not cut short, is hardly needed; what may be a rule is more than a value that
    stands in it.
    """
    decided = [made for made in state.decisions if not made.superseded]
    understood = [item.text for item in (*state.active_rules, *decided)]
    ruled = set(map(normal_form, understood))
    scratched = {old.uuid for old, new in pairwise(state.prompts) if _SCRATCHES.match(new.text)}
    aims = [inert(aim.text, PAST_PROMPT_CHARS) for aim in earlier_aims(state).among_prompts]
    said = [*understood, *objective_words(state), *aims]
    asked = (remark for remark in state.remarks if remark.questioned_by)
    # A fact cannot be taken back.
    likely = (each for each in asked if user_chances(each.text).rule >= _RULE_LIKE_CHANCE)
    doubted = [*state.questioned_rules, *likely]
    beside = {rule.retired_by for rule in state.rules} | {rule.questioned_by for rule in doubted}
    over = [rule.text for rule in state.rules if not rule.active]
    quoted, values = [*understood, *other_lines], tuple(values)
    needs: dict[str, float] = {}
    for remark in reversed(state.remarks):
        if remark.text in beside or is_quoted(remark.text, [*said, *over]):
            continue
        if remark.uuid in scratched:
            continue
        doubt = remark.questioned_by if remark in doubted else ""
        shown = _without_rules(remark, ruled)
        line = f"{_rule_quoted(shown, _remark_chars(shown.text))}{later(doubt)}"
        quoting = quoted if may_be_rule(remark.text, _RULE_LIKE_CHANCE) else (*quoted, *values)
        is_told = is_quoted(remark.text, quoting) or not has_content(shown.text)
        needs[line] = 0 if is_told else _need_of_remark(remark, state)
    return [StateLine(line, need) for line, need in needs.items()]


def _without_rules(remark: Rule, ruled: Set[str]) -> Rule:
    """Return a remark without its first and last sentences that are told as rules or choices."""
    parts = sentences(remark.text)
    untold = [number for number, part in enumerate(parts) if normal_form(part) not in ruled]
    left = " ".join(parts[untold[0] : untold[-1] + 1]) if untold else ""
    return replace(remark, text=left) if left and len(untold) < len(parts) else remark


def _need_of_remark(remark: Rule, state: SessionState) -> float:
    """Return how much a remark is needed: as likely as it is a rule or a choice in other words.

    What the model only took note of was no request, nor is what stands beside one. Of 200 other
    remarks in 25 real compactions one in ten was of use, and of those in long prompts hardly one.
    """
    prompt = next((p.text for p in state.prompts if p.uuid == remark.uuid), "")
    if len(prompt) > _LONG_PROMPT_CHARS or is_machine_made(remark.text):
        return 0.0
    if not has_content(remark.text):
        return 0.0  # "yes, that makes sense"
    if LABELLED.match(remark.text):
        return _LABELLED_NEED
    chances, weight = user_chances(remark.text), weight_of_remark(remark)
    likely = max(chances.rule, chances.decision, chances.lift) >= _LIKE_RULE_OR_CHOICE
    alone = weight >= _WEIGHTY and len(prompt) < _SHORT_PROMPT_CHARS
    beside = chances.rule >= _MAY_BE_RULE and _stands_beside_request(remark, prompt)
    states = likely or alone or remark.noted or beside
    if remark.after and _TAKES_UP.match(remark.text):
        return 0.0  # what the model offered then was done
    asks_for_work = chances.work >= _ASKS_FOR_WORK_CHANCE and not likely
    if asks(remark.text) and not likely:
        return 0.0  # the model answered it
    base = _REMARK_NEED if states and not asks_for_work else 0
    share = _EDITED_SHARE if _led_to_edits(remark.text, state) else 1
    return share * (base + _REMARK_SPAN * max(weight, chances.rule, chances.decision))


def _stands_beside_request(remark: Rule, prompt: str) -> bool:
    """Return whether another sentence of a prompt asked for what was done on it."""
    others = (part for part in sentences(prompt) if part not in remark.text)
    return any(user_chances(part).work >= _ASKS_FOR_WORK_CHANCE for part in others)


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


def decision_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield the decisions with their reasons, newest first.

    Who takes up an offer to work has chosen nothing that holds once the work is done, and what was
    answered or approved before a commit is in the code some prompts later. A rule that was told as
    a choice stands among the rules.
    """
    rules = {normal_form(rule.text) for rule in state.active_rules}
    made = [one for one in reversed(state.decisions) if not one.superseded]
    standing = [one for one in made if one.question or normal_form(one.text) not in rules]
    for number, decision in enumerate(standing):
        question = f"{inert(decision.asked, SHORT_CHARS)} -> " if decision.asked else ""
        known = normal_form(decision.reason) in normal_form(decision.text)
        reason = "" if known else f" (because: {inert(decision.reason, SHORT_CHARS)})"
        need = _DECISION - _DECISION_FADES * number
        offered = _OFFERS.search(decision.question) and _TAKES_UP.match(decision.text)
        says_how = SAYS_YES_BUT.match(decision.text)
        idle = offered and not (says_how or TAKES_ONE_WAY.search(decision.question))
        over = idle or _MENU.search(decision.question) or _is_carried_out(decision, state)
        if decision.question and over:
            need = _TAKEN_UP
        line = f"- {decision.by}{question}{inert(decision.text, TEXT_CHARS)}{reason}"
        yield StateLine(line, max(need, 0.0))


def _is_carried_out(decision: Decision, state: SessionState) -> bool:
    """Return whether work was committed since what was answered in prose, or was planned.

    An answer to a choice may hold on, but for one on how to make a commit, at the prompt after it.
    """
    is_committed = any(
        step.offset > decision.offset and step.text.startswith(_COMMITS) for step in state.progress
    )
    prompts = prompts_since(state, decision.offset)
    if decision.source == "answer" or SAID_WITH in decision.text:
        on_commit = _ON_COMMIT.search(decision.question) and not NEGATED.search(decision.text)
        return bool(is_committed and prompts and on_commit)
    return is_committed and prompts >= _PROMPTS_OF_WORK


def lifted_lines(state: SessionState) -> Iterator[str]:
    """Yield the rules that are no longer in force, newest first."""
    known = {FORGOTTEN: "forgotten by hand", PLAN_APPROVED: f"by {PLAN_APPROVED}"}
    for rule in reversed(state.rules):
        if not rule.active:
            how = known.get(rule.retired_by, f'by: "{inert(rule.retired_by, SHORT_CHARS)}"')
            yield f'- lifted: "{inert(rule.text, SHORT_CHARS)}" ({how})'


def replaced_lines(over: Mapping[str, str]) -> Iterator[str]:
    """Yield the statements that later ones replaced, with these, newest first."""
    for old, new in reversed(list(over.items())):
        yield f'- "{inert(old, SHORT_CHARS)}" (now: "{inert(new, SHORT_CHARS)}")'

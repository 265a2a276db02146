"""Merge a window into the ledger: what was done stays done, what was lifted stays lifted.

An item is identified by the entry it was said in and its words, so that what a resumed session has
copied is there once. Every kind has a bound; what matters least goes first: retired rules, closed
todos, then the oldest.

Rules that the user's later words lift, supersede or put in question are told first.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from amplihack_compaction.base.hook_log import attempted
from amplihack_compaction.extract.decisions import REMARKS_LIMIT, mark_superseded
from amplihack_compaction.extract.files_and_branch import reason_for
from amplihack_compaction.extract.issues import (
    UNDER_WAY,
    is_called_fixed,
    is_failed_step,
    is_failure_of,
    is_settled,
)
from amplihack_compaction.extract.objective import PHASE_TURNS, by_likelihood, phase_of_todos
from amplihack_compaction.extract.recent_context import (
    RECENT_TOOLS,
    kind_of_step,
    newest_long_prompts,
)
from amplihack_compaction.extract.rules import (
    BACK,
    GO,
    NEED_NOT,
    PERMITS,
    PLACE,
    UNNAMED,
    UNTIL_PLANNED,
    WHAT_MAY,
    WHO_MAY,
    allows,
    complains,
    kind_of_rule,
)
from amplihack_compaction.extract.running_work import RUNNING_LIMIT, without_restarted
from amplihack_compaction.extract.statements import (
    BY_PLAN,
    PLAN_APPROVED,
    PLAN_MODE,
    FailedApproach,
    FileRecord,
    Issue,
    Item,
    Objective,
    Phase,
    Retraction,
    Rule,
    RuleKind,
    SessionState,
    Todo,
    ToolRecord,
    WindowState,
    as_item,
)
from amplihack_compaction.extract.todos import merge_todos
from amplihack_compaction.extract.verify_commands import newest_commands
from amplihack_compaction.ledger.clauses import (
    SOMEBODY,
    liftable_clauses,
    with_clause_lifted,
    with_said_again,
)
from amplihack_compaction.text.commands import lasting_actions
from amplihack_compaction.text.polarity import (
    Subject,
    contradicts,
    same_claim,
    shared_weight,
    subject_of,
)
from amplihack_compaction.text.words import anchors_of, is_quoted, normal_form, words_of

# Of the weight of a target's words, where no rule shares more of them.
_NEAREST_SHARE = 0.3
# Above nothing: for words that only put a rule in question.
_ANY_SHARE = 1e-9
# What is not to be done before the user has said so.
_WAITS = re.compile(
    r"\b(?:before|until|till|unless|for) (?:i(?:'ve| have)? (?:sa(?:y|id)|tell|told|give|given|ok"
    r"|approved?|confirm(?:ed)?)|my (?:go|ok|okay|word|approval|signal))\b",
    re.IGNORECASE,
)
# A guess that fits more rules than this speaks of none of them.
_QUESTIONED_AT_MOST = 2

_ALWAYS = subject_of("always immer toujours siempre sempre всегда").words

Place = tuple[int, int]
_UNSAID: Place = (-1, -1)


# Each is asked for with every window, and of every later rule.
_subject_of = lru_cache(maxsize=4_000)(subject_of)


def _about(rule: Rule) -> Subject:
    """Return what a rule is about: also what it was said after, where it speaks of that."""
    said = _subject_of(rule.standing)
    if not rule.after:
        return said
    done = _subject_of(rule.after.partition(": ")[2])
    return replace(said, words=said.words | done.words, names=said.names | done.names)


def retire(rules: Sequence[Rule], retractions: Sequence[Retraction]) -> tuple[Rule, ...]:
    """Return the rules with those marked that were lifted or superseded later on.

    Retractions lift rules stated before them; a rule that contradicts an older one supersedes it.
    A rule stated again stands once, in its first wording; stated again after it was lifted it
    stands again. Doing it twice changes nothing.
    """
    standing: list[Rule] = []
    events: list[tuple[Place, int, Rule | Retraction]] = [
        *((where_said(rule), 1, rule) for rule in rules),
        *((where_said(item), 0, item) for item in retractions),
    ]
    last = {item.text: where_said(item) for item in sorted(retractions, key=where_said)}
    for _, _, event in sorted(events, key=lambda event: event[:2]):
        if isinstance(event, Rule):
            standing = _add(standing, event)
        else:
            now = _lift(standing, event)
            standing = [_by_last_words(*pair, last) for pair in zip(standing, now, strict=True)]
    return tuple(sorted(standing, key=where_said))


def where_said(item: Item) -> Place:
    """Return where an item was said, by which items are in order."""
    return item.offset, item.position


def _add(standing: list[Rule], rule: Rule) -> list[Rule]:
    """Take a rule in: instead of its repetition, and superseding what it contradicts."""
    result: list[Rule] = []
    subject = _about(rule)
    for old in standing:
        # One of which something was lifted is said again with it.
        is_whole_again = old.lifted and normal_form(old.text) == normal_form(rule.text)
        is_again = same_claim(_about(old), subject) or is_whole_again
        if rule.after == old.after and is_again:
            rule = _said_again(old, rule)
        elif old.active and rule.active and _contradicts(rule, subject, old):
            if rule.unsure_author:
                result.append(replace(old, questioned_by=rule.text, questioned_by_other=True))
            else:
                result.append(replace(old, retired_by=rule.text, retired_offset=rule.offset))
        else:
            result.append(with_said_again(old, rule.text) if rule.active else old)
    return [*result, rule]


def _contradicts(rule: Rule, subject: Subject, old: Rule) -> bool:
    """Return whether a rule takes an older one's place; who tells that it was broken keeps it."""
    return not complains(rule.text) and contradicts(subject, _about(old))


def _said_again(old: Rule, rule: Rule) -> Rule:
    """Return a rule that was said again, as it counts from there, in its first wording.

    What was lifted and is said again stands again.
    """
    if where_said(old) == where_said(
        rule
    ):  # one statement, merged before: what came later stands on it
        return old
    return replace(rule, text=old.text) if old.active and rule.active else rule


def _lift(standing: list[Rule], retraction: Retraction) -> list[Rule]:
    place = where_said(retraction)
    if any(_was_met_by(rule, retraction) for rule in standing):
        return standing
    if retraction.target == GO:  # its words stand in the rule: "before I say go"
        before = [rule for rule in standing if rule.active and where_said(rule) < place]
        waiting = [rule for rule in before if _WAITS.search(rule.text)]
        return _questioned(standing, waiting, retraction)
    earlier = [
        rule for rule in standing if where_said(rule) < place and retraction.text not in rule.text
    ]
    if not retraction.guess:
        before = [rule for rule in earlier if rule.active]
        if lifted := _lifted_by(before, retraction):
            by, offset = retraction.text, retraction.offset
            is_unsure = retraction.limited or retraction.unsure_author
            if (
                is_unsure
                or _lets_off_a_place(retraction, lifted)
                or _lets_off_something_narrower(retraction, lifted)
            ):
                return _questioned(standing, lifted, retraction)
            part = _without_clause(lifted, retraction)
            if part is not None:
                return [part if rule is lifted[0] else rule for rule in standing]
            if _names_one_of_several(retraction, lifted):
                return _questioned(standing, lifted, retraction)
            return _marked(standing, lifted, retired_by=by, retired_offset=offset)
    # What was lifted only later could have been meant as well: doing it twice changes nothing.
    then = [
        rule
        for rule in earlier
        if (rule.active or rule.retired_offset > retraction.offset) and rule.uuid != retraction.uuid
    ]
    meant = _put_in_question(then, retraction)
    return _questioned(standing, meant, retraction)


def _without_clause(lifted: list[Rule], retraction: Retraction) -> Rule | None:
    """Return the rule without the one clause that is spoken of; None where all of it is."""
    parts = liftable_clauses(lifted[0].text)
    if len(lifted) > 1 or len(parts) == 1 or retraction.target in UNNAMED:
        return None
    target, whole = _subject_of(retraction.target), _about(lifted[0])
    said = {part: shared_weight(target, subject_of(part)) for part in parts}
    nearest = max(parts, key=lambda part: said[part])
    others = (weight for part, weight in said.items() if part != nearest)
    if not said[nearest] or said[nearest] < shared_weight(target, whole) or any(others):
        return None
    return with_clause_lifted(lifted[0], nearest, retraction.text, retraction.offset)


def _lets_off_a_place(retraction: Retraction, lifted: list[Rule]) -> bool:
    """Return whether a leave is for a place that no rule names: it holds on elsewhere."""
    ruled = {word for rule in lifted for word in words_of(rule.text)}
    lets_off = allows(retraction.text) or NEED_NOT.search(retraction.text)
    places = PLACE.finditer(retraction.text) if lets_off else ()
    return any(ruled.isdisjoint(words_of(place["where"])) for place in places)


_CLAUSE_END = re.compile(
    r"[,;:.!?]\s|\s[-–—]\s|[，；。]|\s(?:because|since|so|but|weil|if|when|even|once|again|now)\b"
)
_LISTED = re.compile(r"[,;、，]\s*|\s(?:or|and|nor|und|oder|et|ou|y|и|или)\s")


def _lets_off_something_narrower(retraction: Retraction, lifted: list[Rule]) -> bool:
    """Return whether a leave is for a part of what a rule names: the rule holds for the rest."""
    leave = _CLAUSE_END.split(retraction.target, maxsplit=1)[0]
    if retraction.target in UNNAMED or not allows(leave):
        return False
    ruled = {word for rule in lifted for word in _about(rule).words}
    if (who := WHO_MAY.match(leave)) is not None:
        return not subject_of(who["named"]).words <= ruled
    paths = [name for name in anchors_of(leave) if "/" in name.strip("/")]
    if any(name not in rule.text for name in paths for rule in lifted):
        return True
    if (what := WHAT_MAY.search(leave)) is None:
        return False
    for word in what["named"].split():
        named = subject_of(word).words
        if named and named <= ruled:
            return False
        if named:
            return True
    return False


def _names_one_of_several(retraction: Retraction, lifted: list[Rule]) -> bool:
    """Return whether a rule says several things, and its lifting names but some of them."""
    if retraction.target in UNNAMED:
        return False
    target = _subject_of(retraction.target).words
    for rule in lifted:
        parts = [
            words
            for part in _LISTED.split(rule.text)
            if not SOMEBODY.match(part) and (words := subject_of(part).words)
        ]
        named = [not target.isdisjoint(words) for words in parts]
        if any(named) and not all(named):
            return True
    return False


def _put_in_question(rules: list[Rule], retraction: Retraction) -> list[Rule]:
    """Return the rules that words may have lifted, or have let off once."""
    said = _subject_of(retraction.text)
    others = [rule for rule in rules if rule.kind is not RuleKind.PROHIBITION]
    forbidding = [rule for rule in rules if rule.kind is RuleKind.PROHIBITION]
    if retraction.guess and kind_of_rule(retraction.text) == RuleKind.PROHIBITION:
        # Who says "no ids in file names either" bars what they bar, too.
        forbidding = [rule for rule in forbidding if not _about(rule).barred & said.barred]
    # Who lets one thing off seldom names all that is forbidden.
    if retraction.limited and (near := _nearest(forbidding, said, least=_ANY_SHARE)):
        return near
    left = [*others, *forbidding]
    return _nearest(left, said, least=_ANY_SHARE, most=_QUESTIONED_AT_MOST)


def _questioned(standing: list[Rule], chosen: list[Rule], retraction: Retraction) -> list[Rule]:
    by_other = retraction.unsure_author
    return _marked(standing, chosen, questioned_by=retraction.text, questioned_by_other=by_other)


def _marked(standing: list[Rule], chosen: list[Rule], **changes: Any) -> list[Rule]:
    """Return the rules, those chosen with changes."""
    ids = {id(rule) for rule in chosen}
    return [replace(rule, **changes) if id(rule) in ids else rule for rule in standing]


def _by_last_words(before: Rule, now: Rule, last: dict[str, Place]) -> Rule:
    """Return a rule as it is now, but in question by the newest words: it was merged before."""
    then = last.get(before.questioned_by, _UNSAID)
    if then > last.get(now.questioned_by, _UNSAID):
        by_other = before.questioned_by_other
        return replace(now, questioned_by=before.questioned_by, questioned_by_other=by_other)
    return now


def _was_met_by(rule: Rule, retraction: Retraction) -> bool:
    """Return whether a retraction has lifted a rule, or put it in question, already."""
    if rule.questioned_by == retraction.text:
        return True
    met = (retraction.text, retraction.offset)
    if any((clause.by, clause.offset) == met for clause in rule.lifted):
        return True
    same_words = rule.retired_by == retraction.text
    return same_words and rule.retired_offset == retraction.offset


_BARS = re.compile(
    r"\W*(?:please,? )?(?:do not|don['’]?t|never|stop|(?:you|we) must not)\b", re.IGNORECASE
)


def _lifted_by(rules: list[Rule], retraction: Retraction) -> list[Rule]:
    if not retraction.target:
        return rules
    target, said = _subject_of(retraction.target), _subject_of(retraction.text)
    if retraction.target == BACK:
        return _nearest(rules, said, least=_ANY_SHARE) or rules[-1:]
    if _BARS.match(retraction.text):  # "don't push to main any more": it is barred again
        rules = [rule for rule in rules if not same_claim(target, _about(rule))]
    if PERMITS.search(retraction.text):  # who may do what he must do must still do it
        allowed = target.words | _ALWAYS
        rules = [
            rule
            for rule in rules
            if rule.kind is not RuleKind.OBLIGATION or not _about(rule).words <= allowed
        ]
    return _nearest(rules, target) or _nearest(rules, said)


def _nearest(
    rules: list[Rule], target: Subject, *, least: float = _NEAREST_SHARE, most: int = 1
) -> list[Rule]:
    """Return the rules that share more with a target than all others, if they share enough.

    Who takes something back speaks of one of the rules, in other words perhaps: where more than
    `most` share as much, of none of them.
    """
    shares = [(shared_weight(target, _about(rule)), rule) for rule in rules]
    best = max((share for share, _ in shares), default=0.0)
    nearest = [rule for share, rule in shares if share == best]
    return nearest if best >= least and len(nearest) <= most else []


I = TypeVar("I", bound=Item)  # noqa: E741 - an item

DEFAULT_LIMIT = 400
_THREAD_LIMIT = 10
_NEWEST_OF_THREAD = 3
PAST_LIMIT = 20
_ADDRESSES = 12
_RECENT_TURNS = 10
_NOTES_LIMIT = 40
_INSTRUCTIONS = 20


def merge_window(
    state: SessionState, found: WindowState, limit: int = DEFAULT_LIMIT
) -> SessionState:
    """Return the ledger with one later window merged in; `limit` bounds each kind of item."""
    state = _merge_objectives(state, found)
    united = _union(state.rules, found.rules)
    rules = attempted("rules lifted", lambda: _merge_rules(united, found), united)
    todos = _drop_first(merge_todos(state.todos, found.todos), limit, lambda todo: todo.is_open)
    now = max((said.at for said in found.prompts), default="")
    running = [
        work
        for work in _union(state.running, found.running)
        if work.task_id not in found.ended and not (work.ends_at and work.ends_at < now)
    ]
    progress = (*_done_since(state, found), *found.progress)
    # Files of instructions that came again count as new.
    instructions = [path for path in state.instructions if path not in found.instructions]
    return replace(
        state,
        windows=found.index + 1,
        prompts=_union(state.prompts, found.prompts)[-limit:],
        long_prompts=newest_long_prompts(_union(state.long_prompts, found.long_prompts)),
        rules=_drop_first(rules, limit, lambda rule: rule.active),
        remarks=attempted(
            "remarks lifted", lambda: _merge_remarks(state, found, rules), state.remarks
        ),
        decisions=mark_superseded(_union(state.decisions, found.decisions))[-limit:],
        todos=todos,
        values=_newest_said(state.values, found.values)[-limit:],
        verify=newest_commands((*state.verify, *found.verify)),
        phase=_merge_phases(state.phase, found, todos),
        strikes=found.strikes if found.tool_uses else state.strikes,
        tools=_merge_tools(state, found),
        files=_merge_files(state.files, found.files)[-limit:],
        failed=_union(_still_refused(state, found), found.failed)[-_NOTES_LIMIT:],
        issues=_still_open(state, found)[-_NOTES_LIMIT:],
        learnings=_union(state.learnings, found.learnings)[-_NOTES_LIMIT:],
        progress=_union(state.progress, progress)[-_NOTES_LIMIT:],
        recent=_union(state.recent, found.recent)[-_RECENT_TURNS:],
        addresses=_newest_said(state.addresses, found.addresses)[-_ADDRESSES:],
        running=without_restarted(running)[-RUNNING_LIMIT:],
        instructions=(*instructions, *found.instructions)[-_INSTRUCTIONS:],
        root=state.root or found.root,
        branch=found.branch or state.branch,
        # What a fork's origin did lies below 0.
        changed_offset=found.changed_offset or state.changed_offset,
        committed_offset=found.committed_offset or state.committed_offset,
        model=found.model or state.model,
        turns=state.turns + found.turns,
        messages=state.messages + found.messages,
        tool_uses=state.tool_uses + found.tool_uses,
    )


def _identity(item: Item) -> tuple[str, str]:
    return item.uuid, normal_form(item.key)


def _done_since(state: SessionState, found: WindowState) -> Iterator[Item]:
    """Yield what work has finished that was begun in an earlier window and ended well in this."""
    for work in state.running:
        if work.task_id in found.ended_well:
            began = as_item(work)
            yield from (replace(began, text=text) for text in work.does)


def _union(old: Iterable[I], new: Iterable[I]) -> tuple[I, ...]:
    """Return old items and the new ones among them, in the order they were said."""
    known = {_identity(item): item for item in old}
    for item in new:
        known.setdefault(_identity(item), item)
    return tuple(sorted(known.values(), key=where_said))


def _merge_objectives(state: SessionState, found: WindowState) -> SessionState:
    seen = {
        _identity(objective)
        for objective in (*state.past_objectives, *state.continues, state.objective)
        if objective is not None
    }
    current, thread, past = state.objective, list(state.continues), list(state.past_objectives)
    for objective in found.objectives:
        # One that was merged before may have gone at the bound.
        is_before = current is not None and where_said(objective) < where_said(current)
        if is_before or _identity(objective) in seen:
            continue
        if objective.switches and current is not None:
            past, thread = [*past, *thread, current], []
        elif current is not None:
            thread.append(current)
        current = objective
    return replace(
        state,
        objective=current,
        continues=_bounded_thread(thread),
        past_objectives=tuple(past[-PAST_LIMIT:]),
    )


def _bounded_thread(thread: list[Objective]) -> tuple[Objective, ...]:
    """Cut a thread to the limit: the first says what it is about, the newest where it went.

    Of those between, the ones go that set new work least likely.
    """
    between = thread[1:-_NEWEST_OF_THREAD]
    surplus = max(0, len(thread) - _THREAD_LIMIT)
    least = by_likelihood(between)[len(between) - surplus :]
    return tuple(objective for objective in thread if objective not in least)


def _merge_rules(united: tuple[Rule, ...], found: WindowState) -> tuple[Rule, ...]:
    """Return the rules without restatements of one that stands, the retractions applied."""
    rules: dict[object, Rule] = {}
    approved = max((one.offset for one in found.decisions if one.source == BY_PLAN), default=0)
    for rule in retire(united, found.retractions):
        if rule.active and rule.offset < approved and UNTIL_PLANNED.search(rule.text):
            rule = replace(rule, retired_by=PLAN_APPROVED, retired_offset=approved)
        claim = (normal_form(rule.standing), rule.after)
        rules.setdefault(claim if rule.active else id(rule), rule)
    return tuple(rules.values())


def _merge_remarks(
    state: SessionState, found: WindowState, rules: tuple[Rule, ...]
) -> tuple[Rule, ...]:
    """Unite the remarks, without what was lifted: what stands for it is the newer remark.

    Who takes back "that", all rules, or one of the `rules`, means what was understood for one, and
    these words stand beside it.
    """
    lifted = {rule.retired_by for rule in rules}
    beside = lifted | {rule.questioned_by for rule in rules}
    named = [
        lift for lift in found.retractions if lift.target not in UNNAMED and lift.text not in lifted
    ]
    united = retire(_union(state.remarks, found.remarks), named)
    left = (remark for remark in united if remark.active and not is_quoted(remark.text, beside))
    return tuple(left)[-REMARKS_LIMIT:]


def _drop_first(items: tuple[I, ...], limit: int, matters: Callable[[I], bool]) -> tuple[I, ...]:
    """Cut to the limit: the oldest that do not matter go first, then the oldest."""
    idle = [place for place, item in enumerate(items) if not matters(item)]
    gone = set(idle[: max(0, len(items) - limit)])
    kept = tuple(item for place, item in enumerate(items) if place not in gone)
    return kept[-limit:]


def _merge_phases(old: Phase, found: WindowState, todos: tuple[Todo, ...]) -> Phase:
    """Return the phase; a todo in progress or an announcement may be of an earlier window.

    Planning that goes on from a window's beginning began before it.
    """
    if found.phase.name:
        goes_on = old.source == found.phase.source == PLAN_MODE
        return old if goes_on and found.phase.offset == found.start else found.phase
    if old.source == "marker" and found.turns <= PHASE_TURNS:
        return old
    return phase_of_todos(todos) or Phase()


def _newest_said(old: Iterable[I], new: Iterable[I]) -> tuple[I, ...]:
    """Return items, each wording once as it was said last, in that order."""
    newest: dict[str, I] = {}
    for item in sorted((*old, *new), key=lambda item: item.offset):
        newest.pop(item.text, None)
        newest[item.text] = item
    return tuple(newest.values())


def _merge_tools(state: SessionState, found: WindowState) -> tuple[ToolRecord, ...]:
    known = {(tool.id, tool.offset) for tool in state.tools}
    fresh = [tool for tool in found.tools if (tool.id, tool.offset) not in known]
    return (*state.tools, *fresh)[-RECENT_TOOLS:]


def _merge_files(
    old: tuple[FileRecord, ...], new: tuple[FileRecord, ...]
) -> tuple[FileRecord, ...]:
    """Add up per path."""
    files = {file.path: file for file in old}
    for file in new:
        known = files.pop(file.path, None)
        if known is None:
            files[file.path] = file
            continue
        files[file.path] = replace(
            file,
            reads=known.reads + file.reads,
            edits=known.edits + file.edits,
            why=reason_for(file.path, known.why, file.why),
            made=file.made or known.made,
            offset=max(file.offset, known.offset),
            changed_offset=file.changed_offset or known.changed_offset,
        )
    return tuple(sorted(files.values(), key=lambda file: file.offset))


def _still_refused(state: SessionState, found: WindowState) -> tuple[FailedApproach, ...]:
    """Return what failed before, without what the user refused then and let be run since."""
    return tuple(
        one
        for one in state.failed
        if not (one.refused and lasting_actions(one.text).keys() & set(found.acts))
    )


def _still_open(state: SessionState, found: WindowState) -> tuple[Issue, ...]:
    """Unite the issues, but for those of what passed, was gone on with or called fixed since."""
    passed = [command for command in found.verify if command.passed]
    before = [
        issue
        for issue in state.issues
        if not (_was_gone_on_with(issue, found) or _went_well_since(issue, found))
    ]
    issues = _union(before, found.issues)
    failed = [command for command in found.verify if command.passed is False]
    return tuple(
        issue
        for issue in issues
        if not any(issue.offset < c.offset and is_settled(issue, c.kind, c.text) for c in passed)
        and not any(issue.offset < c.offset and is_failure_of(issue, c.text) for c in failed)
        and not is_called_fixed(issue, found.solved)
    )


def _went_well_since(issue: Issue, found: WindowState) -> bool:
    """Return whether a step that had failed, and is no check, went well in a later window."""
    return is_failed_step(issue) and kind_of_step(issue.command) in found.went_well


def _was_gone_on_with(issue: Issue, found: WindowState) -> bool:
    """Return whether git went on with what it had stopped, or all of it was committed."""
    if UNDER_WAY not in issue.text:
        return False
    begun = lasting_actions(issue.command).keys()
    ends = begun if "git rebase" in begun else {*begun, "git commit"}
    return not ends.isdisjoint(found.acts)

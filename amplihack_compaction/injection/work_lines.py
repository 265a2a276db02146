"""Say in lines how the work stands: todos, checks, phase, failures, the last turns."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise, takewhile
from math import log1p

from amplihack_compaction.extract.issues import (
    BY_CLIENT,
    NOT_FOUND,
    UNDER_WAY,
    command_name,
    is_failed_step,
    says_not_settled,
)
from amplihack_compaction.extract.notes import PROMPTS_SINCE, is_for_now, likeliest_first
from amplihack_compaction.extract.objective import has_content
from amplihack_compaction.extract.replies import BEGINS_WITH_NO
from amplihack_compaction.extract.running_work import SERVES
from amplihack_compaction.extract.statements import (
    PLAN_MODE,
    FailedApproach,
    Item,
    Learning,
    PromptRecord,
    SessionState,
    Todo,
    TodoSource,
    TodoStatus,
    TurnDigest,
)
from amplihack_compaction.extract.verify_commands import check_covers, is_same_check
from amplihack_compaction.injection.lines import (
    SHORT_CHARS,
    SHOWN_FROM,
    StateLine,
    falling,
    prompts_since,
)
from amplihack_compaction.injection.objective_lines import (
    PAST_PROMPT_CHARS,
    answered_turn,
    earlier_aims,
    objective_words,
    prompts_above,
    quoted_of_model,
    quoted_prompt,
    without_told,
)
from amplihack_compaction.injection.rule_lines import LABELLED
from amplihack_compaction.text.classifier import logistic, user_chances
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.words import (
    LATER,
    TEXT_CHARS,
    code_span,
    counted,
    distinct_words,
    inert,
    is_quoted,
    printed,
)

_DETAIL_CHARS = 160
_DETAILED = 6
_TOLD = 0.6
_TOLD_FADES = 0.03
# What was told so many prompts ago may be settled: the line says how long ago it was.
_LONG_AGO = 3
# A refusal says of a push that it is not yet wanted; a program may no longer be wanted.
_LATELY = 6
_ABSENT = 0.35
# A sentence of the model's that is this likely needed, beside what is told, is shown.
_LEAST_CHANCE = 0.05
_LEARNED = 0.18
_PER_CHANCE = 2.0
_LEARNED_MOST = 0.9
_LEARNED_CHARS = 800
_PAST_TURNS_BYTES = 2_400
_SHORT_TURNS_CHARS = 1_600
_AIMS = 0.7
_OTHER = 0.2
# So long a line must not take the room of several that are needed as much.
_JOINED = 0.4
_SENTENCES_OF_TURN = 6
_NOTHING = ("", 0.0)
# What was said before an earlier compaction was needed half as often as its odds say.
_EARLIER_WINDOW = -0.7
_STRIKES = 2
_NAMES_SOMETHING = 3
# So many of a stopped prompt's words may be other ones where it was typed anew.
_LEFT_OUT = 0.2
_TRIES = frozenset("Bash Edit MultiEdit NotebookEdit Write".split())
_LAST_STEPS = 2
_OTHER_TOOL = 0.1
# What only shortens an output is not how the work is checked.
_SHORTENS = re.compile(r"(?: 2>&1)?(?: \| (?:tail|head|grep|rg|sed)\b[^|]*)*$")
_RUNNING = 0.75
_RUNNING_FADES = 0.15
# How much a past prompt is needed: weights as those in `extract/notes.py`, learnt by the same
# command. One in six says something that the other sections do not.
_PAST_WEIGHTS = {
    "always": -1.57,
    "prompts since": -0.54,
    "of an earlier window": 0.81,
    "words not told": 0.72,
    "states something": 0.69,
    "next states something": -0.62,
}
_PAST = 0.09
_IDLE_PROMPT = 0.2
_LABELLED_NEED = 0.4
_BEFORE_CURRENT_WORDS = 20
# An error that was pasted a prompt or two ago may be what the work is about.
_NEWEST_HANDED = 3
_HANDED = 0.45
# Of how many turns the answer is told.
_ANSWERS = 2
_ANSWER_NEED = 0.66
_ANSWER_CHARS = 300
# Fewer that end one piece and begin another are chance.
_BOTH_SAY_CHARS = 12
_SAME_CHARS = 30
_TELLING_CHARS = 16


def pending_line(state: SessionState) -> Iterator[str]:
    """Yield how many todos are open, if any are."""
    if pending := sum(map(_is_pending, state.open_todos)):
        yield f"Pending Todos: {pending}"


def _is_pending(todo: Todo) -> bool:
    return not todo.parked and todo.source is not TodoSource.CHECKLIST


def todo_lines(state: SessionState) -> list[StateLine]:
    """Return the todos: those in progress, the other open ones, the closed.

    Hardly needed is what a later list dropped without a word, and a checklist in the model's
    report: on real sessions none of it was open work. What comes next is told with its details.
    """
    in_progress = TodoStatus.IN_PROGRESS
    working: list[str] = []
    waiting: list[str] = []
    idle: list[str] = []
    for todo in sorted(state.open_todos, key=lambda todo: todo.status is not in_progress):
        line = f"- [ ] {inert(todo.text, TEXT_CHARS)}{_todo_note(todo)}"
        if not _is_pending(todo):
            idle.insert(0, line)
        else:
            if todo.detail and len(working) + len(waiting) < _DETAILED:
                line = f"{line}: {inert(todo.detail, _DETAIL_CHARS)}"
            (working if todo.status is in_progress else waiting).append(line)
    closed = [_closed(todo) for todo in reversed(state.todos) if not todo.is_open and todo.text]
    return [
        *falling(working, 0.95, 0.01),
        *falling(waiting, 0.9, 0.01),
        *falling(closed, 0.2, 0.001),
        *falling(idle, 0.15, 0.001),
    ]


def _closed(todo: Todo) -> str:
    text = inert(todo.text, SHORT_CHARS)
    done = todo.status is TodoStatus.COMPLETED
    return f"- [x] {text}" if done else f"- [~] {text} (dropped from the list, or cancelled)"


def _todo_note(todo: Todo) -> str:
    number = f"task #{todo.task_id}" if todo.task_id else ""
    working = "in progress" if todo.status is TodoStatus.IN_PROGRESS else ""
    parked = "from an earlier list, never marked done" if todo.parked else ""
    notes = ", ".join(note for note in (working, number, parked) if note)
    return f" ({notes})" if notes else ""


def verify_lines(state: SessionState, failures: Sequence[StateLine]) -> Iterator[str]:
    """Yield the commands that check the work, those with the same result in one line.

    Left out is what one of the lines on `failures` tells, with its error, and what passed before
    another check that covers it.
    """
    results: dict[str, dict[str, list[str]]] = {}
    newest = sorted(state.verify, key=lambda command: -command.offset)
    for number, command in enumerate(newest):
        fails = inert(f"{command_name(command.text)} fails")
        if command.passed is False and any(fails in line.text for line in failures):
            continue
        if command.passed is None and any(
            issue.command and is_same_check(issue.command, command.text) for issue in state.issues
        ):
            continue
        if command.passed and any(
            later.passed is not None
            and later.kind is command.kind
            and check_covers(later.text, command.text)
            for later in newest[:number]
        ):
            continue
        is_old = command.passed and command.offset < state.changed_offset
        result = f"{command.result}, before the last changes" if is_old else command.result
        ran = inert(_SHORTENS.sub("", command.text), TEXT_CHARS)
        results.setdefault(result, {}).setdefault(ran, []).append(command.kind)
    for result, commands in results.items():
        by_kinds: dict[str, list[str]] = {}
        for text, kinds in commands.items():
            by_kinds.setdefault(", ".join(kinds), []).append(code_span(text))
        told = (f"{kinds} {', '.join(texts)}" for kinds, texts in by_kinds.items())
        yield f"- {result}: {'; '.join(told)}"


_DEPLOYS = re.compile(r"\b(?:deploy|publish)")


def done_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield the finished steps, newest first: what was done for good must not be done again.

    A step whose output tells of an error is told among what is unresolved alone. What was deployed
    before the working tree was changed again has to be once more.
    """
    failing = {issue.command for issue in state.issues}
    done = [step for step in reversed(state.progress) if step.text not in failing]
    old = {s for s in done if s.offset < state.changed_offset and _DEPLOYS.search(s.text)}
    steps = [inert(s.text, SHORT_CHARS) + " (before the last changes)" * (s in old) for s in done]
    if steps:
        yield StateLine(f"- {'; '.join(steps[:_LAST_STEPS])}", 0.4)
    yield from falling((f"- {step}" for step in steps[_LAST_STEPS:]), 0.25, 0.001)


def phase_line(state: SessionState) -> Iterator[str]:
    """Yield the workflow's phase where it was announced.

    A todo in progress stands above; what only the last tools suggest tells nobody anything, what
    was announced before the last prompt is past.
    """
    phase = state.phase
    is_past = phase.source == "marker" and prompts_since(state, phase.offset) > 0
    if phase.name and phase.source in _ANNOUNCED and not is_past:
        yield f"Workflow Phase: {inert(phase.name, SHORT_CHARS)} ({_ANNOUNCED[phase.source]})"


_ANNOUNCED = {"marker": "as announced", PLAN_MODE: "plan mode: no plan is approved yet"}


def strike_line(state: SessionState) -> Iterator[str]:
    """Yield the strikes against a step, where one failure is none. An issue tells its own error."""
    strikes = state.strikes
    if strikes.count >= _STRIKES:
        step = f" on {inert(strikes.step, 60)}" if strikes.step else ""
        known = any(strikes.error in issue.text for issue in state.issues)
        error = "" if known or not strikes.error else f": {printed(strikes.error, SHORT_CHARS)}"
        yield f"Error Recovery: {counted(strikes.count, 'strike')}{step}{error}"


def issue_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield what is unresolved, newest first.

    A step that failed is past a few prompts later: none of those was still of use. What the
    objective's lines quote is left out.
    """
    said = list(objective_words(state))
    untold = [issue for issue in reversed(state.issues) if not is_quoted(issue.text, said)]
    for number, issue in enumerate(untold):
        since = prompts_since(state, issue.offset)
        command, fails, error = inert(issue.text).partition("` fails: ")
        text = f"- unresolved{_ago(since)}: {command}{fails}{printed(error)}"
        is_left = is_failed_step(issue) and UNDER_WAY not in issue.text
        is_past = since >= _LONG_AGO and is_left
        yield StateLine(text, 0.0 if is_past else max(_TOLD - _TOLD_FADES * number, 0.0))


def _ago(prompts: int) -> str:
    return f" ({counted(prompts, 'prompt')} ago)" if prompts >= _LONG_AGO else ""


def attempt_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield what was tried and given up, newest first."""
    for number, approach in enumerate(reversed(state.failed)):
        since = prompts_since(state, approach.offset)
        need = max(_TOLD - _TOLD_FADES * number, 0.0)
        if approach.refused:
            refused = code_span(approach.text, SHORT_CHARS)
            who = inert(approach.reason) or "user"
            text = f"- the {who} refused, and it was not run since{_ago(since)}: {refused}"
            # What only the client refused is done in another way, or by the user, before long.
            is_past = approach.reason == BY_CLIENT and since >= _LONG_AGO
            yield StateLine(text, 0.0 if is_past else need)
        elif approach.text.endswith(NOT_FOUND):
            yield StateLine(f"- {_given_up(approach)}", _ABSENT if since < _LATELY else 0.0)
        else:
            yield StateLine(f"- tried and given up{_ago(since)}: {_given_up(approach)}", need)


def _given_up(approach: FailedApproach) -> str:
    told = not approach.reason or approach.reason.strip("…") in approach.text
    reason = "" if told else f" ({inert(approach.reason, SHORT_CHARS)})"
    return f"{inert(approach.text, SHORT_CHARS)}{reason}"


def _day_before(at: str) -> str:
    """Return the day before a time, `2026-11-20`; empty for what is no time."""
    try:
        return (datetime.fromisoformat(at) - timedelta(days=1)).date().isoformat()
    except ValueError:
        return ""


def running_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield what runs in the background, newest first; most of what is older ended unseen.

    Agents share a line: those begun since the newest prompt, and others.
    """
    agents: dict[str, list[str]] = {}
    last_day = _day_before(state.prompts[-1].at) if state.prompts else ""
    for work in reversed(state.running):
        id_ = f"{code_span(work.task_id, 64)}: " if work.task_id else ""
        told = f"{id_}{inert(work.text, SHORT_CHARS)}"
        fades = 0 if SERVES.search(work.text) else _RUNNING_FADES
        since = prompts_since(state, work.offset)
        need = _RUNNING - fades * since
        if work.at[:10] < last_day:  # with its client it may have ended since
            need = min(need, 0.0)
        if work.kind in ("job", "wakeup"):  # the client has them, also after a compaction
            yield StateLine(f"- {work.kind} {told}", _RUNNING)
        elif work.kind != "agent":
            if work.error:
                told += f"; may have ended, its output tells: {printed(work.error)}"
            yield StateLine(f"- {inert(work.kind)} {told}", max(need, 0.0))
        elif need > 0:
            label = "agents, ended perhaps" if since else "agents at work"
            agents.setdefault(label, []).append(told)
    for label, named in agents.items():
        yield StateLine(f"- {label}: {'; '.join(named)}", _RUNNING)


def tool_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield the newest uses of tools; where the work stands is told with what is wanted now."""
    outcome = {True: "", False: " (error)", None: " (no result)"}
    for tool in reversed(state.tools[-10:]):
        detail = tool.detail.replace(f"{state.root}/", "") if state.root else tool.detail
        shown = f" {inert(detail, TEXT_CHARS)}" if detail else ""
        yield StateLine(f"- {inert(tool.name, 60)}{outcome[tool.succeeded]}{shown}", _OTHER_TOOL)


def recent_lines(
    state: SessionState, said: Iterable[str], *, apart: bool = False
) -> tuple[list[StateLine], list[StateLine], dict[int, StateLine]]:
    """Return what of the turns before still holds, what of them did not help, and the rest.

    But for what is `said` elsewhere. First what the model found out, did and answered, and the
    prompts; then what the next prompt says did not help. The rest was told under the prompts that
    the objective's lines quote, by their places. `apart` gives each turn a line of its own.
    """
    said, above, answered = list(said), prompts_above(state), answered_turn(state)
    aims = {aim.offset for aim in earlier_aims(state).among_prompts}
    newest = [turn for turn in state.recent[-_ANSWERS:] if turn is not answered]
    turns = [turn for turn in newest if _tells(turn, goes_on=turn is state.recent[-1])]
    told: set[str] = set().union(*map(distinct_words, [*said, *(turn.answer for turn in turns)]))
    learned = _told_by_model(state, turns, told, quoted_of_model(state))
    under = {place: learned.pop(place) for place in above if place in learned}
    unhelpful = list(_unhelpful_lines(state, learned))
    turns_told: list[tuple[StateLine, bool]] = []
    others: list[StateLine] = []
    for place, prompt in reversed(list(enumerate(state.prompts))):
        parts: list[StateLine] = []
        is_aim = prompt.offset in aims  # also where a decision that is not shown says it
        is_told = not is_aim and is_quoted(prompt.text or prompt.handed, said)
        is_told = is_told or _is_typed_anew(state.prompts[place : place + 2])
        if prompt.offset not in above and not is_told:
            parts += _prompt_line(state, place, [] if is_aim else said, told, is_aim=is_aim)
            said.append(prompt.text)
        if found := learned.pop(prompt.offset, None):
            parts.append(replace(found, text=f"model: {found.text}"))
        shown = [part for part in parts if part.need >= SHOWN_FROM]
        others += [replace(part, text=f"- {part.text}") for part in parts if part not in shown]
        if shown:
            text = " — ".join(part.text for part in shown)
            turns_told.append((StateLine(text, max(part.need for part in shown)), is_aim))
    turns_told += ((replace(one, text=f"model: {one.text}"), False) for one in learned.values())
    told_apart = [replace(turn, text=f"- {turn.text}") for turn, _ in turns_told]
    lines = told_apart if apart else _in_one(turns_told)
    return [*lines, *others], unhelpful, under


def _is_typed_anew(prompts: Sequence[PromptRecord]) -> bool:
    """Return whether of two prompts the first was stopped, and the second says nearly all of it."""
    if len(prompts) < 2 or not prompts[0].unanswered:
        return False
    words, later = (distinct_words(prompt.text) for prompt in prompts)
    return len(words) >= _NAMES_SOMETHING and len(words - later) <= _LEFT_OUT * len(words)


def _in_one(told: Sequence[tuple[StateLine, bool]]) -> Iterator[StateLine]:
    """Yield what is told of past turns as one line, newest first; and what does not fit into it.

    Beside much else those that are earlier aims have a line of their own below it, which is given
    room before it.
    """
    turns, need = [turn for turn, _ in told], _JOINED
    aims = [turn for turn, is_aim in told if is_aim]
    if aims and sum(len(turn.text) for turn in turns) <= _SHORT_TURNS_CHARS:
        aims, need = [], _AIMS
    elif aims:
        turns = [turn for turn, is_aim in told if not is_aim]
    texts: list[str] = []
    for turn in turns:
        if len(" · ".join([*texts, turn.text]).encode("utf-8", "replace")) <= _PAST_TURNS_BYTES:
            texts.append(turn.text)
        else:
            yield StateLine(f"- {turn.text}", min(turn.need, _OTHER))
    if texts:
        yield StateLine(f"- {' · '.join(texts)}", min(max(t.need for t in turns), need))
    if aims:
        yield StateLine(f"- {' · '.join(aim.text for aim in aims)}", _AIMS)


def _prompt_line(
    state: SessionState, place: int, said: list[str], told: Set[str], *, is_aim: bool
) -> Iterator[StateLine]:
    """Yield a past prompt, unless others tell all of it; an earlier aim is needed in any case."""
    prompt = state.prompts[place]
    own = [value for value in state.values if value.uuid == prompt.uuid]
    valued = (replace(value, text=value.context.partition(LATER)[0]) for value in own)
    ruled = (one for one in (*state.active_rules, *state.remarks) if one.uuid == prompt.uuid)
    elsewhere: list[Item] = [o for o in (*ruled, *valued) if o.text and is_quoted(o.text, said)]
    elsewhere += [rule for rule in state.rules if not rule.active]
    words, need = without_told(prompt, elsewhere), _need_of_past(state.prompts, place, told)
    says_more = words == prompt.text or has_content(words.strip(" …"))  # than "Good. …"
    words = inert(words, PAST_PROMPT_CHARS) if says_more else ""
    if not has_content(prompt.text):
        need = min(need, _IDLE_PROMPT)  # "keep going"
    elif place == len(state.prompts) - 2 and len(prompt.text.split()) <= _BEFORE_CURRENT_WORDS:
        need = max(need, _LABELLED_NEED)  # what the current one speaks of: "one per worktree"
    if LABELLED.match(prompt.text):
        need = max(need, _LABELLED_NEED)
    if is_aim:
        need = max(need, _AIMS)
    if prompt.handed and len(state.prompts) - place <= _NEWEST_HANDED:
        need = max(need, _HANDED)
    else:
        prompt = replace(prompt, handed="")
    beside = " (interrupted)" if prompt.unanswered and words else ""
    if asked := quoted_prompt(prompt, words, beside):
        yield StateLine(asked, need)


def _unhelpful_lines(state: SessionState, learned: dict[int, StateLine]) -> Iterator[StateLine]:
    """Yield what the model did that did not help, newest first, and take it from `learned`.

    Who only answered has tried nothing. What the user then said no to goes untold.
    """
    tried = {turn.offset for turn in state.recent if _TRIES.intersection(turn.tools)}
    answers = {decision.offset for decision in state.decisions if decision.question}
    for old, new in reversed(list(pairwise(state.prompts))):
        if old.offset not in learned:
            continue
        done = learned[old.offset].text
        named, shared = _named_in(new.text, done)
        if BEGINS_WITH_NO.match(new.text) and shared and new.offset not in answers:
            del learned[old.offset]
        elif old.offset in tried and says_not_settled(new.text) and (shared or not named):
            del learned[old.offset]
            said = f'as the user then said ("{inert(new.text, SHORT_CHARS)}")'
            told = inert(done, _LEARNED_CHARS)
            yield StateLine(f"- did not help, {said}: model: {told}", _TOLD)


def _named_in(said: str, done: str) -> tuple[bool, bool]:
    """Return whether a prompt begins by naming anything, and what was done ("same error": none)."""
    named = distinct_words("".join(sentences(said)[:1]))
    return len(named) >= _NAMES_SOMETHING, not named.isdisjoint(distinct_words(done))


def _told_by_model(
    state: SessionState, turns: Iterable[TurnDigest], told: Set[str], quoted: str
) -> dict[int, StateLine]:
    """Return what the model found out, did, and answered in `turns`, by the place of the prompt.

    Each with how much it is needed; a sentence that is `quoted` with the objective is left out.
    """
    learned = _learned(state, told, quoted)
    for turn in turns:
        place = max((p.offset for p in state.prompts if p.offset <= turn.offset), default=-1)
        before, need = learned.get(place, _NOTHING)
        # Behind what was found out, of a long answer the end alone stands in its place.
        answer = turn.answer if turn is state.recent[-1] else _still_true(turn.answer, state, place)
        answer = answer.rpartition("… ")[2] if before else answer
        text = _continued(before, answer) if before not in answer else answer
        learned[place] = inert(text, _LEARNED_CHARS + _ANSWER_CHARS), max(need, _ANSWER_NEED)
    return {place: StateLine(f'"{text}"', need) for place, (text, need) in learned.items()}


def _still_true(answer: str, state: SessionState, place: int) -> str:
    """Return the last words of a turn that is over, but for questions, offers, what was done."""
    ended = min((p.offset for p in state.prompts if p.offset > place), default=place)
    said = sentences(answer)
    left = [s for s in said if not (is_for_now(s) or _is_overtaken(state, s, ended))]
    return answer if len(left) == len(said) else " ".join(left)


def _continued(before: str, answer: str) -> str:
    """Return what was found out and then the answer's end, what both of them say once."""
    head = before.rstrip("… ")
    end = head[-_SAME_CHARS:]
    if len(end) == _SAME_CHARS and end in answer:
        return f"{head}{answer.partition(end)[2]}"
    both = range(min(len(head), len(answer)), _BOTH_SAY_CHARS, -1)
    shared = next((chars for chars in both if head.endswith(answer[:chars])), 0)
    return f"{head}{answer[shared:]}" if shared else f"{before} … {answer}"


# What the model said of the working tree alone, and the steps by which that is over.
_NOT_YET = tuple(
    (
        re.compile(
            rf"\bun{word}\b|(?:n't|n’t|\bnot|\bnothing)\b[\w ]{{0,25}}\b{word}\b"
            r"(?! (?:by|into|onto))",
            re.IGNORECASE,
        ),
        done,
    )
    for word, done in (("committed", ("commit", "pushed")), ("pushed", ("pushed",)))
)
# Of a queue or a database, or beside what is not over.
_SAYS_MORE = re.compile(
    r"\b(?:events?|messages?|offsets?|queues?|reads?|records?|rows?|stack|transactions?"
    r"|but(?! not)|error|fail\w*|however)\b",
    re.IGNORECASE,
)


def _is_overtaken(state: SessionState, said: str, until: int) -> bool:
    """Return whether what the model said was not done was done behind a place."""
    if _SAYS_MORE.search(said):
        return False
    return any(
        step.offset > until and step.text.startswith(done) and pattern.search(said)
        for pattern, done in _NOT_YET
        for step in state.progress
    )


def _learned(state: SessionState, told: Set[str], quoted: str) -> dict[int, tuple[str, float]]:
    """Return what the model found out and did, by the place of the prompt, but for words `told`.

    The likeliest sentences of a turn stand together, with how much the first of them is needed.
    """
    turns: dict[int, list[tuple[float, Learning]]] = {}
    for chance, one in likely_learnings(state, told):
        is_over = _is_overtaken(state, one.text, one.offset)
        if is_over or inert(one.text).rstrip("…") in quoted:
            continue
        before = (prompt.offset for prompt in state.prompts if prompt.offset <= one.offset)
        turns.setdefault(max(before, default=-1), []).append((chance, one))
    return {place: _together(learnings) for place, learnings in turns.items()}


def likely_learnings(state: SessionState, told: Set[str]) -> Iterator[tuple[float, Learning]]:
    """Yield what the model found out and did, the likeliest needed beside words `told` first."""
    window = state.learnings[-1].window if state.learnings else 0
    odds: list[tuple[Learning, float]] = []
    for one in state.learnings:
        age = PROMPTS_SINCE * log1p(prompts_since(state, one.offset))
        odds.append((one, one.weight + age + _EARLIER_WINDOW * (one.window < window)))
    yield from takewhile(lambda found: found[0] >= _LEAST_CHANCE, likeliest_first(odds, told))


def _together(learnings: list[tuple[float, Learning]]) -> tuple[str, float]:
    """Return the likeliest sentences of a turn in their order, and how much they are needed."""
    likeliest = [one for _, one in learnings[:_SENTENCES_OF_TURN]]
    shown = sorted(likeliest, key=lambda one: (one.offset, one.position))
    text = shown[0].text
    for before, one in pairwise(shown):
        follows = (one.uuid, one.position) == (before.uuid, before.position + 1)
        text += f"{' ' if follows else ' … '}{one.text}"
    return inert(text, _LEARNED_CHARS), min(_LEARNED_MOST, _LEARNED + _PER_CHANCE * learnings[0][0])


def _tells(turn: TurnDigest, *, goes_on: bool) -> bool:
    """Return whether the model's last words of a turn tell something; "Done." does not.

    Nor does what was only announced in one that is over: it was begun then.
    """
    is_past = not goes_on and all(map(is_for_now, sentences(turn.answer)))
    return len(turn.answer) >= _TELLING_CHARS and not is_past


def _need_of_past(prompts: Sequence[PromptRecord], place: int, told: Set[str]) -> float:
    """Return how much a past prompt is needed; what was pasted was for the moment."""
    marks = marks_of_past(prompts, place, told)
    odds = sum(_PAST_WEIGHTS[name] * value for name, value in marks.items())
    return _IDLE_PROMPT if prompts[place].pasted else _PAST + logistic(odds)


def marks_of_past(prompts: Sequence[PromptRecord], place: int, told: Set[str]) -> dict[str, float]:
    """Return what tells how needed the prompt at a place is beside the words that are told.

    What the prompt after it states is likely said in place of it. Of an earlier window's prompts
    the client's summaries have lost more.
    """
    prompt, *after = prompts[place:]
    return {
        "always": 1,
        "prompts since": log1p(len(after)),
        "of an earlier window": prompt.window < prompts[-1].window,
        "words not told": log1p(len(distinct_words(prompt.text[:PAST_PROMPT_CHARS]) - told)),
        "states something": _states(prompt),
        "next states something": _states(after[0]) if after else 0,
    }


def _states(prompt: PromptRecord) -> float:
    """Return how likely a prompt states what must not be lost, by its likeliest sentence."""
    return max((user_chances(part).kept for part in sentences(prompt.text)), default=0.0)

"""Say in lines how the work stands: todos, checks, phase, failures, the last turns."""

import re
from collections.abc import Iterable, Iterator, Sequence

from amplihack_compaction.extract.issues import by_certainty, command_name, is_sure
from amplihack_compaction.extract.statements import (
    FailedApproach,
    PromptRecord,
    SessionState,
    Todo,
    TodoSource,
    TodoStatus,
    TurnDigest,
    VerifyCommand,
)
from amplihack_compaction.injection.lines import (
    SHORT_CHARS,
    StateLine,
    falling,
    prompts_since,
)
from amplihack_compaction.injection.objectives import answered_turn, prompts_above
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.words import TEXT_CHARS, asks, counted, has_cjk, inert, is_quoted

# What only sounds like an issue was mostly solved by what was asked for next: of those older than
# one prompt one in twelve was still open (25 real compactions).
_GUESS = 0.5
_GUESS_FADES = 0.15
_TOLD = 0.6
_TOLD_FADES = 0.03
# What was told so many prompts ago may be settled: the line says how long ago it was.
_LONG_AGO = 3
# Of what the model only turned away from ("let me revert that"), nothing older was of use.
_TURNED_FADES = 0.06
_TURNS = re.compile(r"\b(?:let me|let's|i'll|revert\w*)\b", re.IGNORECASE)
_LEARNED = 0.45
_LEARNED_FADES = 0.06
_STRIKES = 2
_RUNNING = 0.75
_RUNNING_FADES = 0.15
# Of the prompts before the newest one in four says what is still of use, and hardly fewer of those
# ten or fifteen prompts old: rules and choices of real sessions stand in them.
_PROMPT_NEED = 0.52
_PROMPT_FADES = 0.014
# What likely states a rule or a choice lasts nearly three times as long as what surely does not.
_FADES_MOST = 1.1
_KEPT_LASTS = 0.7
_PROMPT_CHARS = 320
_IDLE_PROMPT = 0.2
_SAYS_SOMETHING_WORDS = 4
_QUESTION_WORDS = 5
_CJK_A_WORD = 2
# Of how many turns the answer is told.
_ANSWERS = 2
_ANSWER_NEED = 0.66
_ANSWER_CHARS = 300
_TELLING_CHARS = 16


def pending_line(state: SessionState) -> str:
    """Return how many todos are open."""
    return f"Pending Todos: {sum(not todo.parked for todo in state.open_todos)}"


def todo_lines(state: SessionState) -> list[StateLine]:
    """Return the todos: those in progress, the other open ones, the closed.

    Hardly needed is what a later list dropped without a word, and a checklist in the model's
    report: on real sessions none of it was open work.
    """
    working: list[str] = []
    waiting: list[str] = []
    idle: list[str] = []
    for todo in state.open_todos:
        line = f"- [ ] {inert(todo.text, TEXT_CHARS)}{_todo_note(todo)}"
        if todo.parked or todo.source is TodoSource.CHECKLIST:
            idle.insert(0, line)
        else:
            (working if todo.status is TodoStatus.IN_PROGRESS else waiting).append(line)
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
    return f"- [x] {text}" if done else f"- [~] {text} (cancelled)"


def _todo_note(todo: Todo) -> str:
    number = f"task #{todo.task_id}" if todo.task_id else ""
    working = "in progress" if todo.status is TodoStatus.IN_PROGRESS else ""
    parked = "from an earlier list, never marked done" if todo.parked else ""
    notes = ", ".join(note for note in (working, number, parked) if note)
    return f" ({notes})" if notes else ""


def verify_lines(commands: Iterable[VerifyCommand], failures: Sequence[StateLine]) -> Iterator[str]:
    """Yield the commands that check the work, with their last results.

    Left out is a failure that one of the lines on `failures` tells, with its error.
    """
    outcome = {True: "passed", False: "failed", None: "result unknown"}
    for command in sorted(commands, key=lambda command: -command.offset):
        fails = inert(f"{command_name(command.text)} fails")
        told = command.passed is False and any(fails in line.text for line in failures)
        if not told:
            result = outcome[command.passed]
            yield f"- {command.kind}: `{inert(command.text, TEXT_CHARS)}` ({result})"


def done_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield the finished steps, newest first: what was done for good must not be done again."""
    return falling(
        (f"- {inert(step.text, SHORT_CHARS)}" for step in reversed(state.progress)), 0.4, 0.06
    )


def phase_lines(state: SessionState) -> Iterator[str]:
    """Yield the workflow's phase where it was announced, and the strikes against a step.

    A todo in progress stands above; what only the last tools suggest tells nobody anything, nor
    does one failure. An issue tells its own error.
    """
    phase = state.phase
    if phase.name and phase.source in _ANNOUNCED:
        yield f"Workflow Phase: {inert(phase.name, SHORT_CHARS)} ({_ANNOUNCED[phase.source]})"
    strikes = state.strikes
    if strikes.count >= _STRIKES:
        step = f" on {inert(strikes.step, 60)}" if strikes.step else ""
        known = any(strikes.error in issue.text for issue in state.issues)
        error = "" if known or not strikes.error else f": {inert(strikes.error, SHORT_CHARS)}"
        yield f"Error Recovery: {counted(strikes.count, 'strike')}{step}{error}"


_ANNOUNCED = {"marker": "as announced", "plan mode": "plan mode"}


def issue_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield what is unresolved, what is surely so first."""
    for number, issue in enumerate(by_certainty(state.issues)):
        since = prompts_since(state, issue.offset)
        need = _TOLD - _TOLD_FADES * number if is_sure(issue) else _GUESS - _GUESS_FADES * since
        text = f"- unresolved{_ago(since)}: {inert(issue.text, SHORT_CHARS)}"
        yield StateLine(text, max(need, 0.0))


def _ago(prompts: int) -> str:
    return f" ({counted(prompts, 'prompt')} ago)" if prompts >= _LONG_AGO else ""


def attempt_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield what was tried and given up, newest first."""
    for number, approach in enumerate(reversed(state.failed)):
        since = prompts_since(state, approach.offset)
        turned = _TURNED_FADES * since if _TURNS.search(approach.text) else 0.0
        text = f"- tried and given up{_ago(since)}: {_given_up(approach)}"
        yield StateLine(text, max(_TOLD - _TOLD_FADES * number - turned, 0.0))


def _given_up(approach: FailedApproach) -> str:
    told = not approach.reason or approach.reason.strip("…") in approach.text
    reason = "" if told else f" ({inert(approach.reason, SHORT_CHARS)})"
    return f"{inert(approach.text, SHORT_CHARS)}{reason}"


def learned_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield what was learned, newest first: what was found out long ago is in the code by now."""
    for learning in reversed(state.learnings):
        need = _LEARNED - _LEARNED_FADES * prompts_since(state, learning.offset)
        yield StateLine(f"- learned: {inert(learning.text, TEXT_CHARS)}", max(need, 0.0))


def running_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield what runs in the background, newest first; most of what is older ended unseen."""
    for work in reversed(state.running):
        kind = "agent" if work.is_agent else "command"
        text = f"- {kind} `{inert(work.task_id, 64)}`: {inert(work.text, SHORT_CHARS)}"
        need = _RUNNING - _RUNNING_FADES * prompts_since(state, work.offset)
        yield StateLine(text, max(need, 0.0))


def tool_lines(state: SessionState) -> Iterator[str]:
    """Yield the newest uses of tools."""
    outcome = {True: "", False: " (error)", None: " (no result)"}
    for tool in reversed(state.tools[-10:]):
        detail = tool.detail.replace(f"{state.root}/", "") if state.root else tool.detail
        shown = f" {inert(detail, 80)}" if detail else ""
        yield f"- {inert(tool.name, 60)}{outcome[tool.succeeded]}{shown}"


def recent_lines(state: SessionState, said: Iterable[str]) -> Iterator[StateLine]:
    """Yield the newest prompts but for what is `said` elsewhere, and what the model answered last.

    They are past, whatever they asked for; what they say of the work may still hold.
    """
    said, above, told = list(said), prompts_above(state), answered_turn(state)
    turns = [turn for turn in state.recent[-_ANSWERS:] if turn is not told]
    answers = {turn.uuid: _answer(turn) for turn in turns}
    if state.recent and not state.recent[-1].text and answers[state.recent[-1].uuid]:
        yield StateLine(f"- {answers.pop(state.recent[-1].uuid)}", _ANSWER_NEED)
    for age, prompt in enumerate(reversed(state.prompts)):
        known = prompt.offset in above or is_quoted(prompt.text, said)
        rest = "" if known else _rest_of(prompt, state, said)
        words = f'"{inert(rest, _PROMPT_CHARS)}"' if rest.strip(" …") else ""
        answer = answers.get(prompt.uuid, "")
        if words or answer:
            said.append(prompt.text)
            need = _ANSWER_NEED if answer else _need_of_past(prompt, age)
            yield StateLine(f"- {' — '.join(part for part in (words, answer) if part)}", need)


def _rest_of(prompt: PromptRecord, state: SessionState, said: list[str]) -> str:
    """Return a prompt without the rules and remarks in it that are told elsewhere."""
    text = " ".join(prompt.text.split())
    for rule in (*state.active_rules, *state.remarks):
        if rule.uuid == prompt.uuid and is_quoted(rule.text, said):
            text = text.replace(rule.text, "…")
    return text


def _need_of_past(prompt: PromptRecord, age: int) -> float:
    """Return how much a past prompt is needed.

    Nods say nothing; a short question was answered, and what was pasted was for the moment.
    """
    words = len(prompt.text) // _CJK_A_WORD if has_cjk(prompt.text) else len(prompt.text.split())
    least = _QUESTION_WORDS if asks(prompt.text) else _SAYS_SOMETHING_WORDS
    if words < least or prompt.pasted:
        return _IDLE_PROMPT
    fades = _PROMPT_FADES * (_FADES_MOST - _KEPT_LASTS * _kept_chance(prompt.text))
    return max(_PROMPT_NEED - fades * age, 0.0)


def _kept_chance(text: str) -> float:
    """Return how likely a sentence of a prompt is a rule or a choice, or takes one back."""
    return max((user_chances(part).kept for part in sentences(text)), default=0.0)


def _answer(turn: TurnDigest) -> str:
    """Return the model's last words of a turn; "Done." tells nothing."""
    if len(turn.answer) < _TELLING_CHARS:
        return ""
    return f'model: "{inert(turn.answer, _ANSWER_CHARS)}"'

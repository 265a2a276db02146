"""Say in lines how the work stands: todos, checks, phase, failures, the last turns."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import exp, log1p

from amplihack_compaction.extract.issues import command_name, is_failed_step
from amplihack_compaction.extract.notes import PROMPTS_SINCE, chance_beside
from amplihack_compaction.extract.statements import (
    FailedApproach,
    Learning,
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
from amplihack_compaction.injection.objectives import (
    answered_turn,
    handed_with,
    objective_words,
    prompts_above,
)
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.words import (
    TEXT_CHARS,
    asks,
    counted,
    distinct_words,
    has_cjk,
    inert,
    is_quoted,
)

_DETAIL_CHARS = 160
_DETAILED = 6
_TOLD = 0.6
_TOLD_FADES = 0.03
# What was told so many prompts ago may be settled: the line says how long ago it was.
_LONG_AGO = 3
# A sentence of the model's that is this likely needed, beside what is told, is shown.
_LEAST_CHANCE = 0.1
_LEARNED = 0.2
_LEARNED_MOST = 0.9
_LEARNED_CHARS = 300
_SENTENCES_OF_TEXT = 2
# What was said before an earlier compaction was needed half as often as its odds say.
_EARLIER_WINDOW = -0.7
_STRIKES = 2
_LAST_TOOLS = 1
_LAST_COMMAND = 0.4
_OTHER_TOOL = 0.1
# What only shortens an output is not how the work is checked.
_SHORTENS = re.compile(r"(?: 2>&1)?(?: \| (?:tail|head)(?: -n)? -?\d+)?$")
_RUNNING = 0.75
_RUNNING_FADES = 0.15
# Of the prompts before the newest one in four says what is still of use, and hardly fewer of those
# ten or fifteen prompts old: rules and choices of real sessions stand in them.
_PAST = 0.12
_ASKED_CHARS = 120
_PROMPT_CHARS = 320
_IDLE_PROMPT = 0.2
_SAYS_SOMETHING_WORDS = 4
_QUESTION_WORDS = 5
# An error that was pasted a prompt or two ago may be what the work is about.
_NEWEST_HANDED = 2
_HANDED = 0.45
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
    report: on real sessions none of it was open work. What comes next is told with its details.
    """
    in_progress = TodoStatus.IN_PROGRESS
    working: list[str] = []
    waiting: list[str] = []
    idle: list[str] = []
    for todo in sorted(state.open_todos, key=lambda todo: todo.status is not in_progress):
        line = f"- [ ] {inert(todo.text, TEXT_CHARS)}{_todo_note(todo)}"
        if todo.parked or todo.source is TodoSource.CHECKLIST:
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
    kinds: dict[tuple[str, str], list[str]] = {}
    for command in sorted(commands, key=lambda command: -command.offset):
        fails = inert(f"{command_name(command.text)} fails")
        told = command.passed is False and any(fails in line.text for line in failures)
        if not told:
            ran = inert(_SHORTENS.sub("", command.text), TEXT_CHARS), outcome[command.passed]
            kinds.setdefault(ran, []).append(command.kind)
    for (text, result), checked in kinds.items():
        yield f"- {', '.join(checked)}: `{text}` ({result})"


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
    """Yield what is unresolved, newest first.

    A step that failed is past a few prompts later: none of those was still of use. What the
    objective's lines quote is left out.
    """
    said = list(objective_words(state))
    untold = [issue for issue in reversed(state.issues) if not is_quoted(issue.text, said)]
    for number, issue in enumerate(untold):
        since = prompts_since(state, issue.offset)
        text = f"- unresolved{_ago(since)}: {inert(issue.text, TEXT_CHARS)}"
        is_past = since >= _LONG_AGO and is_failed_step(issue)
        yield StateLine(text, 0.0 if is_past else max(_TOLD - _TOLD_FADES * number, 0.0))


def _ago(prompts: int) -> str:
    return f" ({counted(prompts, 'prompt')} ago)" if prompts >= _LONG_AGO else ""


def attempt_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield what was tried and given up, newest first."""
    for number, approach in enumerate(reversed(state.failed)):
        since = prompts_since(state, approach.offset)
        text = f"- tried and given up{_ago(since)}: {_given_up(approach)}"
        yield StateLine(text, max(_TOLD - _TOLD_FADES * number, 0.0))


def _given_up(approach: FailedApproach) -> str:
    told = not approach.reason or approach.reason.strip("…") in approach.text
    reason = "" if told else f" ({inert(approach.reason, SHORT_CHARS)})"
    return f"{inert(approach.text, SHORT_CHARS)}{reason}"


def running_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield what runs in the background, newest first; most of what is older ended unseen.

    Agents share a line.
    """
    agents: list[str] = []
    for work in reversed(state.running):
        told = f"`{inert(work.task_id, 64)}`: {inert(work.text, SHORT_CHARS)}"
        need = _RUNNING - _RUNNING_FADES * prompts_since(state, work.offset)
        if not work.is_agent:
            yield StateLine(f"- command {told}", max(need, 0.0))
        elif need > 0:
            agents.append(told)
    if agents:
        yield StateLine(f"- agents, ended perhaps: {'; '.join(agents)}", _RUNNING)


def tool_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield the newest uses of tools; a command that was run last is gone on from."""
    outcome = {True: "", False: " (error)", None: " (no result)"}
    for number, tool in enumerate(reversed(state.tools[-10:])):
        detail = tool.detail.replace(f"{state.root}/", "") if state.root else tool.detail
        shown = f" {inert(detail, TEXT_CHARS)}" if detail else ""
        need = _LAST_COMMAND if number < _LAST_TOOLS and tool.name == "Bash" else _OTHER_TOOL
        yield StateLine(f"- {inert(tool.name, 60)}{outcome[tool.succeeded]}{shown}", need)


def recent_lines(state: SessionState, said: Iterable[str]) -> Iterator[StateLine]:
    """Yield the newest prompts with what the model answered, found out and did under them.

    But for what is `said` elsewhere. They are past, whatever they asked for; what they say of the
    work may still hold.
    """
    said, above, told = list(said), prompts_above(state), answered_turn(state)
    turns = [turn for turn in state.recent[-_ANSWERS:] if turn is not told and _tells(turn)]
    learned = _learned(state, [*said, *(turn.answer for turn in turns)])
    for turn in turns:
        place = max((p.offset for p in state.prompts if p.offset <= turn.offset), default=-1)
        learned.setdefault(place, []).insert(0, (inert(turn.answer, _ANSWER_CHARS), _ANSWER_NEED))
    newest_first = enumerate(reversed(state.prompts))
    places = ((prompt.offset, age, prompt) for age, prompt in newest_first)
    for place, age, prompt in (*places, (-1, 0, None)):
        asked, need = "", 0.0
        known = prompt is None or place in above or is_quoted(prompt.text or prompt.handed, said)
        if prompt is not None and not known:
            words, need = _rest_of(prompt, state, said), _need_of_past(prompt, age)
            limit = _PROMPT_CHARS if need > _IDLE_PROMPT else _ASKED_CHARS
            asked = f'"{inert(words, limit)}"' if words.strip(" …") else ""
            if prompt.handed and age <= _NEWEST_HANDED:
                asked, need = f"{asked}{handed_with(prompt)}".strip(), max(need, _HANDED)
            said.append(prompt.text)
        yield from _turn_lines(asked, need, learned.get(place, []))


def _turn_lines(asked: str, need: float, told: list[tuple[str, float]]) -> Iterator[StateLine]:
    """Yield a turn's lines: its prompt with the first thing that was told, then the others."""
    if asked and not told:
        yield StateLine(f"- {asked}", need)
    for number, (text, needed) in enumerate(told):
        first = asked and number == 0
        before = f"{asked} — " if first else ""
        yield StateLine(f'- {before}model: "{text}"', max(need, needed) if first else needed)


def _learned(state: SessionState, said: list[str]) -> dict[int, list[tuple[str, float]]]:
    """Return what the model found out and did that is not `said`, by the place of the prompt.

    What the words of other lines tell, or of newer sentences, is needed less. Sentences of one
    text are told together, with how much they are needed, the newest text first.
    """
    told: set[str] = set().union(*map(distinct_words, said))
    texts: dict[str, list[tuple[float, Learning]]] = {}
    for one in reversed(state.learnings):
        words = distinct_words(one.text)
        chance = chance_beside(told, words, _odds(one, state))
        if chance >= _LEAST_CHANCE and not is_quoted(one.text, said):
            texts.setdefault(one.uuid, []).append((chance, one))
            told |= words
    found: dict[int, list[tuple[str, float]]] = {}
    for learnings in texts.values():
        likeliest = sorted(learnings, key=lambda pair: -pair[0])[:_SENTENCES_OF_TEXT]
        shown = sorted((one for _, one in likeliest), key=lambda one: one.position)
        text = shown[0].text + "".join(_behind(*pair) for pair in pairwise(shown))
        need = min(_LEARNED_MOST, _LEARNED + likeliest[0][0])
        before = (prompt.offset for prompt in state.prompts if prompt.offset <= shown[0].offset)
        found.setdefault(max(before, default=-1), []).append((inert(text, _LEARNED_CHARS), need))
    return found


def _behind(before: Learning, one: Learning) -> str:
    """Return a sentence as it stands behind one before it of the same text."""
    return f"{' ' if one.position == before.position + 1 else ' … '}{one.text}"


def _odds(one: Learning, state: SessionState) -> float:
    """Return the logarithm of the odds that something the model said is needed."""
    earlier = _EARLIER_WINDOW * (one.window < state.learnings[-1].window)
    return one.weight + earlier + PROMPTS_SINCE * log1p(prompts_since(state, one.offset))


def _tells(turn: TurnDigest) -> bool:
    """Return whether the model's last words of a turn tell something; "Done." does not."""
    return len(turn.answer) >= _TELLING_CHARS


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
    kept = max((user_chances(part).kept for part in sentences(prompt.text)), default=0.0)
    odds = -0.4 - 0.6 * log1p(age) + 0.5 * log1p(words) + 1.2 * kept - 0.65 * asks(prompt.text)
    return 1 / (1 + exp(-odds)) - _PAST

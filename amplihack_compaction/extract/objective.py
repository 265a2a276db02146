"""Find the prompts that set what the session is after, or turn from it, and the phase it is in."""

import re
from collections.abc import Sequence

from amplihack_compaction.extract.recent_context import only_looked
from amplihack_compaction.extract.rules import kind_of_rule, surely_holds
from amplihack_compaction.extract.statements import (
    PLAN_MODE,
    Objective,
    Phase,
    PromptRecord,
    RuleKind,
    SessionState,
    Todo,
    TodoStatus,
)
from amplihack_compaction.extract.verify_commands import checks_of
from amplihack_compaction.extract.window_content import UserPrompt, WindowContent, typed_or_said
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.pasted import is_heading
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.word_lists import data_lines, patterns
from amplihack_compaction.text.words import (
    GO_ON_WORDS,
    asks,
    compile_all,
    has_cjk,
    one_line,
    opens_question,
    without_accents,
    words_of,
)
from amplihack_compaction.transcript.session import (
    EDITORS,
    ToolUse,
    TranscriptStep,
    Window,
    bash_command,
    prose_lines,
    text_in,
    was_refused,
)

_PATTERNS = patterns("objective")

# Chances from which a sentence may turn to other work, and lifts a rule instead.
_TURNS_AT_LEAST = 0.03
LIFTS_ABOVE = 0.5
_SWITCHES = compile_all(
    map(without_accents, data_lines("switches.txt")), re.IGNORECASE | re.MULTILINE
)


def chance_of_work(said: UserPrompt) -> float:
    """Return how likely a prompt sets new work: a sentence of it, or all of them together."""
    return max(user_chances(text).objective for text in (*said.sentences, said.typed.typed))


def turns_to_other_work(said: UserPrompt) -> bool:
    """Return whether a sentence that is no rule of its own turns away from what was asked."""
    return chance_of_work(said) >= _TURNS_AT_LEAST and any(
        turns_away(sentence) and not kind_of_rule(sentence) for sentence in said.sentences
    )


def turns_away(text: str) -> bool:
    """Return whether a text turns from what was asked to something else."""
    chances = user_chances(text)
    if chances.lift > max(LIFTS_ABOVE, chances.objective):
        return False
    words = without_accents(text)
    return any(pattern.search(words) for pattern in _SWITCHES)


# The chance from which a sentence asks for work.
_ASKS_ABOVE = 0.3
_QUESTION_ASKS_ABOVE = 0.6
_CLAUSES = re.compile(r"[,;，；]\s*|\s[-–—]\s")
_WORK_ABOVE = 0.6
_CONTENT_WORDS = 2
_CJK_PAIRS = 4
_BROKEN = re.compile(_PATTERNS["broken"], re.IGNORECASE)


def asks_for_work(sentence: str) -> bool:
    """Return whether a sentence asks for work to be done, or a clause of it does."""
    is_question = asks(sentence) or opens_question(sentence)
    least = _QUESTION_ASKS_ABOVE if is_question else _ASKS_ABOVE
    parts = (sentence, *_CLAUSES.split(sentence))
    likely = (max(user_chances(part).work, user_chances(part).objective) for part in parts)
    broken = not is_question and _BROKEN.search(sentence) is not None
    asked = broken or max(likely) > least
    return asked and has_content(sentence, likely_words(sentence))


def likely_words(sentence: str) -> int:
    """Return how many content words a task needs: of what is surely one, "do billing" has it."""
    return 1 if user_chances(sentence).work > _WORK_ABOVE else _CONTENT_WORDS


def has_content(text: str, least: int = _CONTENT_WORDS) -> bool:
    """Return whether a text has more than nods and everyday words."""
    if has_cjk(text):
        pairs = [pair for pair in words_of(text) if pair not in GO_ON_WORDS]
        return text.strip(" 。.!！,，、") not in GO_ON_WORDS and len(pairs) >= _CJK_PAIRS
    words = {word for word in words_of(text) if word not in GO_ON_WORDS and len(word) > 1}
    return len(words) >= least


OBJECTIVE_CHARS = 2_000
# The chance from which a prompt counts as setting work; what is told with a correction sounds
# like work.
_SETS_WORK_ABOVE = 0.15
_FADING = 0.5
_ANSWER_WORDS = 6
_VALUE_REPLY = re.compile(_PATTERNS["value reply"], re.IGNORECASE)


def extract_objectives(content: WindowContent) -> tuple[Objective, ...]:
    """Return the prompts that set what the session is after, oldest first.

    Not among them: nods, asides that only ask, prompts of rules alone, answers to the model.
    When the session's first window has none, its first prompt stands in.
    """
    prompts = content.prompts
    found = tuple(map(_make, filter(sets_objective, prompts)))
    if not found and prompts and content.window.index == 0:
        return (_make(prompts[0]),)
    return found


def sets_objective(said: UserPrompt) -> bool:
    """Return whether a prompt asks for work."""
    typed = said.typed.typed.strip()
    # One line of it looks like a test's output: "ok 11".
    if _VALUE_REPLY.fullmatch(typed or said.typed.title):
        return False
    if not typed:
        return said.typed.pasted_chars > 0 and bool(said.typed.title)
    if said.entry.origin == "rejection":
        return False
    sets_work = chance_of_work(said) > _SETS_WORK_ABOVE
    if (turns_away(typed) or sets_work) and has_content(typed):
        return True
    if not has_content(typed, likely_words(typed)) and not said.typed.title:
        return False
    if asks(said.before.text) and len(typed.split()) <= _ANSWER_WORDS and len(typed) <= 60:
        return False
    return any(map(asks_for_work, said.sentences))


def objective_text(said: UserPrompt) -> str:
    """Return a prompt's own words, cut at a sentence, with what was pasted named."""
    typed, title = said.typed.typed, said.typed.title
    announces = typed.rstrip().endswith((":", "："))
    is_named = is_heading(title) or not said.typed.handed  # else that is told beside it
    if title and ((announces and is_named) or not typed):
        typed = f"{typed} {title.lstrip('# ')}".strip()
    text = " ".join(typed.split())
    if len(text) <= OBJECTIVE_CHARS:
        return text
    kept = ""
    for sentence in sentences(text):
        if len(kept) + len(sentence) > OBJECTIVE_CHARS:
            break
        kept = f"{kept} {sentence}".strip()
    return kept or one_line(text, OBJECTIVE_CHARS)


def _make(said: UserPrompt) -> Objective:
    return Objective(
        text=objective_text(said),
        **said.place(),
        switches=turns_to_other_work(said),
        chance=round(chance_of_work(said), 2),
        handed=said.typed.handed,
    )


def by_likelihood(steps: Sequence[Objective]) -> list[Objective]:
    """Return objectives, the ones that set new work most likely first.

    What was said windows ago is less likely to be what the work is about now.
    """
    newest = max((step.window for step in steps), default=0)

    def likelihood(step: Objective) -> tuple[float, int]:
        return step.chance * _FADING ** (newest - step.window), step.offset

    return sorted(steps, key=likelihood, reverse=True)


# A prompt that is a lasting rule, or bars something, for so much of its length asks for nothing
# beside it.
_STATED_SHARE = 0.7


def newest_prompt(state: SessionState) -> PromptRecord | None:
    """Return the newest prompt where it is another than the objective, and stands nowhere else."""
    newest = state.prompts[-1] if state.prompts else None
    if newest is None or not (newest.text.strip() or newest.handed):
        return None
    objective = state.objective
    if objective is not None and newest.offset <= objective.offset:
        return None
    # What is said with an answer is: "yes, but never on main".
    ruled_by = (rule for rule in state.active_rules if rule.uuid == newest.uuid)
    stated = (rule for rule in ruled_by if not rule.after)
    ruled = sum(
        len(rule.text)
        for rule in stated
        if rule.kind is not RuleKind.OBLIGATION or surely_holds(rule)
    )
    is_stated = ruled > _STATED_SHARE * len(newest.text)
    return None if is_stated and objective is not None else newest


def is_done_by_hand(state: SessionState, prompt: Objective | PromptRecord) -> bool:
    """Return whether a prompt is an objective that was marked as done."""
    return any(past.uuid == prompt.uuid for past in state.past_objectives)


_PHASE_CHARS = 80
# A marker older than this many turns speaks of another piece of work.
PHASE_TURNS = 10
_MARKER = re.compile(
    r"^[ \t]*(?:[-*>]+[ \t]+|#{1,6}[ \t]+|[^\w\s]{1,3}[ \t]+)?(?:\*\*|__)?"
    r"(?P<lead>(?:now|next|starting|begin|beginning|entering|moving (?:on )?to|on to|current"
    r"|continuing(?: with)?)[ \t:]+(?:with[ \t]+)?)?"
    r"(?P<kind>phase|step|stage|milestone|iteration)[ \t]+"
    r"(?P<number>\d{1,3}(?:\.\d{1,2})?|[IVX]{1,4}|[A-H])\b(?:/\d+|[ \t]+of[ \t]+\d+)?(?:\*\*)?"
    r"(?:[ \t]*[:–—-][ \t]*|[ \t]*\([ \t]*|[ \t]+(?=complete|done|finished))"
    r"(?P<name>[^\n]{2,200})",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.;!?](?:\s|$)")
_EDGES = " \t*_#()`.:-–—"


def extract_phase(content: WindowContent, todos: Sequence[Todo]) -> Phase:
    """Return the phase of the work at the window's end; an empty name when nothing tells it.

    Plan mode comes first, then the last explicit marker ("Phase 2: testing"; a list of several
    is an outline, not a marker), then the todo in progress. `source` is plan mode, marker or todo.
    """
    since = _planning_since(content)
    if since is not None:
        return Phase(name="planning", source=PLAN_MODE, offset=since)
    return _last_marker(content.steps) or phase_of_todos(todos) or Phase()


def phase_of_todos(todos: Sequence[Todo]) -> Phase | None:
    """Return the phase that the todo in progress names; None when none is."""
    active = [todo for todo in todos if todo.status is TodoStatus.IN_PROGRESS and not todo.parked]
    if not active or not active[-1].text:
        return None
    todo = active[-1]
    return Phase(name=one_line(todo.text, _PHASE_CHARS), source="todo", offset=todo.offset)


def _planning_since(content: WindowContent) -> int | None:
    """Return the place of the prompt at which the planning began that goes on; None without one.

    The client's attachments tell it, the two tools that enter and leave plan mode, and an edit of
    another file than the plan's. Where only a plan that the user rejected does, it is over with
    whatever is run.
    """
    told = [(step.offset, noted.plan_mode) for step, noted in content.noted]
    moves = [
        *((offset, _BEGINS if plans else _ENDS) for offset, plans in told if plans is not None),
        *((step.offset, _move(tool, content.window)) for step, tool in content.uses),
    ]
    since, is_told = None, False
    for offset, move in sorted(moves, key=lambda move: move[0]):
        if move == _ENDS or (move == _WORKS and not is_told):
            since, is_told = None, False
        elif move in (_BEGINS, _REJECTED):
            since = _begun_with(content, offset) if since is None else since
            is_told = is_told or move == _BEGINS
    return since


_BEGINS, _ENDS, _REJECTED, _WORKS = "begins", "ends", "rejected", "works"


def _begun_with(content: WindowContent, offset: int) -> int:
    """Return the place of the prompt before an offset; of a window's first the window's own."""
    begun = [said.entry.offset for said in content.prompts if said.entry.offset <= offset]
    return begun[-1] if len(begun) > 1 else content.window.start


def _move(tool: ToolUse, window: Window) -> str:
    """Return what a use of a tool tells of plan mode, if anything."""
    if tool.name == "ExitPlanMode" and tool.succeeded:
        return _ENDS
    if tool.name == "ExitPlanMode":
        by_user = was_refused(tool) and tool.result is not None and not tool.result.by_client
        return _REJECTED if by_user else ""
    if not tool.succeeded:
        return ""
    if tool.name in EDITORS:
        path = text_in(tool.input, "file_path") or text_in(tool.input, "notebook_path")
        return "" if path == window.plan_path or "/.claude/plans/" in path else _ENDS
    if tool.name == "EnterPlanMode":
        return _BEGINS
    looks = only_looked(tool) or bool(checks_of(tool))
    return _WORKS if bash_command(tool) and not looks else ""


def _last_marker(steps: list[TranscriptStep]) -> Phase | None:
    turns = 0
    for step in reversed(steps):
        if step.tool is None and turns <= PHASE_TURNS:
            found = _marker_in(step)
            if found is not None:
                return found
        turns += step.by_user
    return None


def _marker_in(step: TranscriptStep) -> Phase | None:
    found: dict[str, tuple[str, bool]] = {}
    for line in prose_lines(typed_or_said(step)):
        mark = _MARKER.match(line)
        if mark is not None:
            title = f"{mark['kind'].capitalize()} {mark['number']}"
            found[title] = (_titled(title, mark["name"]), mark["lead"] is not None)
    # Several that nobody announces are an outline of the work, not where it is.
    announced = [name for name, led in found.values() if led]
    names = announced or ([name for name, _ in found.values()] if len(found) == 1 else [])
    if not names:
        return None
    return Phase(name=one_line(names[-1], _PHASE_CHARS), source="marker", offset=step.offset)


def _titled(title: str, rest: str) -> str:
    if ")" in rest and "(" not in rest.partition(")")[0]:  # all of it stood in brackets
        rest = rest.partition(")")[0]
    rest = _SENTENCE_END.split(rest, maxsplit=1)[0].strip(_EDGES)
    joint = " " if rest.startswith(("complete", "done", "finished")) else ": "
    return f"{title}{joint}{rest}" if rest else title

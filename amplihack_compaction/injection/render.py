"""Render a state within a budget: as the markdown that is injected, and as the summariser's hint.

    <!-- AMPLIHACK STATE -->
    # Session state, kept across compaction
    ...sections...
    <!-- END AMPLIHACK STATE -->

The room goes to the lines that are needed most, whichever section they stand in; a line that does
not fit keeps no shorter one out. A text is no longer than what is needed: lesser lines are left
out even where there is room. A line's `need` is about how often one of its kind, so new and so far
up, was of use in 25 real compactions whose lines a reader judged: from 1 (always) to 0. Nothing
below `SHOWN_FROM` is injected, whatever room there is. What is left out is counted at the end,
with the file that has it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import filterfalse

from amplihack_compaction.base.hook_log import attempted
from amplihack_compaction.base.size_limits import INJECTION_LIMIT_UTF16, STATE_END, STATE_HEAD
from amplihack_compaction.context.estimate import CharacterLine, line_for
from amplihack_compaction.extract.rules import is_like_no_rule, parted_by_hold
from amplihack_compaction.extract.statements import Rule, SessionState
from amplihack_compaction.injection.lines import (
    SHOWN_FROM,
    StateLine,
    falling,
    file_lines,
    value_lines,
)
from amplihack_compaction.injection.objective_lines import (
    earlier_aims,
    objective_lines,
    objective_words,
)
from amplihack_compaction.injection.rule_lines import (
    decision_lines,
    lifted_lines,
    possible_rule_lines,
    questioned_lines,
    remark_lines,
    replaced_lines,
    rule_lines,
)
from amplihack_compaction.injection.work_lines import (
    attempt_lines,
    done_lines,
    issue_lines,
    pending_line,
    phase_line,
    recent_lines,
    running_lines,
    strike_line,
    todo_lines,
    tool_lines,
    verify_lines,
)
from amplihack_compaction.ledger.edits import EDIT_CHARS, list_items, without_kept
from amplihack_compaction.ledger.superseded import without_superseded
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.words import code_span, counted, inert, is_quoted, utf16_length


@dataclass(slots=True)
class Section:
    """Lines under a heading; `noun` names what a line is, for the count of those left out.

    `always` are printed in any case, of the others those `chosen`, by their numbers.
    """

    title: str
    noun: str
    lines: Sequence[StateLine]
    always: Sequence[str] = ()
    chosen: set[int] = field(default_factory=set)

    def left_out(self, *, needed: bool) -> int:
        """Return how many of the lines that are needed, or of the lesser ones, are not printed."""
        left = (line for number, line in enumerate(self.lines) if number not in self.chosen)
        return sum((line.need >= SHOWN_FROM) == needed for line in left)

    @property
    def text(self) -> str:
        """The section as it is printed; empty when nothing of it is."""
        if not self.chosen and not self.always:
            return ""
        lines = (self.lines[number].text for number in sorted(self.chosen))
        return "\n".join((self.heading, *self.always, *lines))

    @property
    def heading(self) -> str:
        """The line above the section's others."""
        return f"## {self.title}"

    def pay(self, number: int, budget: "TextBudget") -> None:
        """Print a line if it fits, with the heading where it is the first."""
        text = self.lines[number].text
        is_first = not self.chosen and not self.always
        if budget.pay(f"{self.heading}\n{text}" if is_first else text):
            self.chosen.add(number)


def make_sections(
    state: SessionState, *, apart: bool = False, has_room: bool = True
) -> list[Section]:
    """Return the state's sections in the order of the text; those without content are left out.

    `apart` gives each past turn a line of its own, for people. Where a budget `has_room`, more of
    the newest prompt is quoted.
    """
    kept, state, over = in_force(state)
    values = value_lines(state)
    files = file_lines(state)
    issues = list(issue_lines(state))
    remarks = remark_lines(state, _shown([*files, *issues]), _shown(values))
    likely = filterfalse(is_like_no_rule, state.active_rules)  # the others are seldom told
    stated = [item.text for item in (*likely, *state.decisions)]
    # All rules are needed; of very many the older leave room for the rest.
    rules = falling(rule_lines(state, sure=True), 0.99, 0.01, least=0.5)
    aims = list(objective_words(state))
    decisions = list(decision_lines(state))
    asked = possible_rule_lines(state, next(iter(aims), ""), _shown(decisions))
    above = [*aims, *stated]
    told = [
        *above,
        *_shown([*remarks, *values]),
        *(aim.text for aim in earlier_aims(state).among_prompts),
    ]
    changed = [
        f'- "{inert(new)}"'
        for new in dict.fromkeys(over.values())
        if new not in over and not is_quoted(new, told)
    ]
    failed = [*issues, *attempt_lines(state)]
    checks = verify_lines(state, issues)
    first = [
        Section("Kept by hand", "kept line", falling(kept, 1.0, 0.001)),
        Section("Standing rules (the user's words)", "rule", rules),
        Section(
            "Rules, some of them for one request (the user's words)", "possible-rule line", asked
        ),
        Section("Rules that may have changed", "rule", falling(questioned_lines(state), 0.7, 0.02)),
    ]
    work = [
        Section("Todos", "todo", todo_lines(state), [*pending_line(state)]),
        Section("Checks, with the last result", "command", falling(checks, 0.8, 0.1)),
        Section("Decisions", "decision", decisions),
        Section("Exact values", "value", values),
        Section("Running in the background", "piece of work", [*running_lines(state)]),
    ]
    others = [
        Section("Branch and files", "file line", files),
        Section("Already done", "step", [*done_lines(state)]),
        Section("Also said (the user's words)", "remark", remarks),
        Section("No longer in force", "lifted rule", falling(lifted_lines(state), 0.36, 0.02)),
        Section(
            "Holds since it changed (the user's words)", "statement", falling(changed, 0.8, 0.02)
        ),
        Section("Replaced since", "replaced statement", falling(replaced_lines(over), 0.15, 0.001)),
        Section("Recent Tool History", "tool use", [*tool_lines(state)]),
    ]
    # A value that is a whole task is told as that: what was asked for, with what came of it.
    tasks = {
        f'- "{inert(prompt.text)}"'
        for prompt in state.prompts
        if user_chances(prompt.text).work >= _IS_TASK
    }
    elsewhere = [
        line
        for part in (*first, *work, *others)
        for line in part.lines
        if part.noun != "value" or line.text not in tasks
    ]
    said = [*above, *_shown([*failed, *elsewhere])]
    turns, unhelpful, under = recent_lines(state, said, apart=apart)
    values[:] = _untold(values, _shown([*turns, *remarks]))
    now = [
        Section(
            "Objective",
            "earlier prompt",
            [*objective_lines(state, under, has_room=has_room)],
            [*phase_line(state)],
        ),
        Section(
            "Recent context (earlier prompts with the model's answers; most are done)",
            "turn",
            turns,
        ),
    ]
    failed += unhelpful
    trouble = Section("Failed approaches and open issues", "issue", failed, [*strike_line(state)])
    parts = (*first, *now, *work, trouble, *others)
    return [part for part in parts if part.lines or part.always]


def _shown(lines: Iterable[StateLine]) -> list[str]:
    """Return the texts of the lines that are needed enough to be shown."""
    return [line.text for line in lines if line.need >= SHOWN_FROM]


def _untold(values: Iterable[StateLine], turns: Sequence[str]) -> Iterator[StateLine]:
    """Yield the values' lines but for those whose words a past prompt says whole."""
    for line in values:
        begun = line.text.removeprefix('- "').removesuffix('"').rstrip("…")
        if not any(begun in turn for turn in turns):
            yield line


def seldom_needed(state: SessionState) -> str:
    """Return the rules, todos and decisions that no injection shows, whatever room there is.

    Nobody is to be alarmed that the model has them from nowhere.
    """
    named = (part.lines for part in make_sections(state) if part.noun in _NAMED)
    return "\n".join(line.text for lines in named for line in lines if line.need < SHOWN_FROM)


def in_force(state: SessionState) -> tuple[list[str], SessionState, dict[str, str]]:
    """Return the lines of what was kept by hand, the state as it holds beside them, what changed.

    That is each statement that a later one replaced, with this.
    """
    return list(_kept_lines(state)), *without_superseded(without_kept(state))


def _kept_lines(state: SessionState) -> Iterator[str]:
    """Yield what was kept by hand, newest first; what the model had noted is marked as its own."""
    kept = [item for item in list_items(state) if item.pinned] if state.pinned else []
    for item in sorted(kept, key=lambda item: -item.said.offset):
        text = inert(item.text, EDIT_CHARS)
        told = f"model: {text}" if item.by_model or item.kind == "note" else f'"{text}"'
        over = item.said.lifted_of_it if isinstance(item.said, Rule) else ""
        yield f"- {item.kind}: {told} {inert(over)}".rstrip()


class TextBudget:
    """What is left to print with, in tokens and in UTF-16 code units."""

    def __init__(self, line: CharacterLine, tokens: float, utf16: int) -> None:
        self.line, self.tokens, self.utf16 = line, tokens, utf16

    def pay(self, text: str) -> bool:
        """Take a line's cost if there is room for it."""
        cost, units = self.line.cost(text + "\n"), utf16_length(text) + 1
        if cost > self.tokens or units > self.utf16:
            return False
        self.tokens -= cost
        self.utf16 -= units
        return True


def fill(sections: Iterable[Section], budget: TextBudget, least_need: float) -> None:
    """Print the lines that are needed most, of those that are needed at least so much."""
    waiting = [
        (line.need, section, number)
        for section in sections
        for number, line in enumerate(section.lines)
        if number not in section.chosen and line.need >= least_need
    ]
    for _, section, number in sorted(waiting, key=lambda found: -found[0]):
        section.pay(number, budget)


DEFAULT_BUDGET_TOKENS = 2000
_WITHOUT_LIMIT = 10**9
# Chance from which a prompt is held to ask for work.
_IS_TASK = 0.5
# What is left out of these is told by its name.
_NAMED = ("rule", "possible-rule line", "todo", "decision")
_INTRODUCTION = (
    "# Session state, kept across compaction\n"
    "From the transcript, newest first. Quoted words are the user's, unless `model:`; where the"
    " summary differs, they hold."
)


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text, its estimated tokens, and how many lines were left out for the budget."""

    text: str
    tokens: int
    omitted: int


def render_whole(state: SessionState) -> str:
    """Return the state as markdown, nothing left out."""
    return render_state(state, _WITHOUT_LIMIT, limit_utf16=_WITHOUT_LIMIT).text


def render_long_prompts(state: SessionState) -> str:
    """Return the prompts that the state has shortened, whole, as markdown; empty without any."""
    parts = ["# Long prompts, whole, as they were typed and pasted"] if state.long_prompts else []
    for prompt in state.long_prompts:
        ticks = max(map(len, re.findall("`+", prompt.text)), default=0)
        fence = "`" * max(3, ticks + 1)
        head = f"## {prompt.at}, {len(prompt.text):,} characters"
        parts.append(f"{head}\n{fence}text\n{prompt.text}\n{fence}")
    return "\n\n".join(parts)


def render_state(
    state: SessionState,
    budget_tokens: int = DEFAULT_BUDGET_TOKENS,
    full_state_file: str = "",
    limit_utf16: int = INJECTION_LIMIT_UTF16,
    last_line: str = "",
) -> Rendered:
    """Return the state as markdown of at most `budget_tokens` and `limit_utf16` code units.

    Tokens are estimated by the character line of the session's model, without what the client
    wraps around any text. `full_state_file` is
    named where something is left out. `last_line` ends the text; the budget holds it too.
    """
    line = line_for(state.model)
    is_whole = budget_tokens >= _WITHOUT_LIMIT
    least_need = 0 if is_whole else SHOWN_FROM
    if not full_state_file:  # that is what has them whole
        state = replace(state, long_prompts=())
    # What was kept by hand goes before the newest prompt, and may be long.
    has_room = budget_tokens >= DEFAULT_BUDGET_TOKENS and not state.pinned
    made = partial(make_sections, state, apart=is_whole, has_room=has_room)
    sections = attempted("sections", made, None) or [_plain_section(state)]
    # Room is kept for saying that everything was left out, so that saying less always fits.
    left_out = partial(_left_out, sections, full_state_file, len(state.long_prompts))
    frame = _join([], left_out(), last_line)
    budget = TextBudget(line, budget_tokens - line.cost(frame), limit_utf16 - utf16_length(frame))
    for section in sections:
        for text in (section.heading, *section.always) if section.always else ():
            budget.pay(text)
    fill(sections, budget, least_need)
    less = _join([], left_out(), last_line)
    budget.tokens += line.cost(frame) - line.cost(less)
    fill(sections, budget, least_need)
    shown = [section.text for section in sections]
    text = _join(shown, left_out(), last_line)
    omitted = sum(len(section.lines) - len(section.chosen) for section in sections)
    return Rendered(text, round(line.cost(text)), omitted)


def _plain_section(state: SessionState) -> Section:
    """Return what stands in for all sections where they could not be made."""
    return Section("To be kept", "line", falling(_hint_lines(state), 0.9, 0.01, least=SHOWN_FROM))


def _left_out(sections: Sequence[Section], file: str, long_prompts: int) -> str:
    """Say how many rules and todos are not shown, how many other lines, and which file has all."""
    named = [section for section in sections if section.noun in _NAMED]
    others = [section for section in sections if section.noun not in _NAMED]
    counts = [(section.left_out(needed=True), section.noun) for section in named]
    counts.append((sum(section.left_out(needed=True) for section in others), "other line"))
    lesser = sum(section.left_out(needed=False) for section in sections)
    counts.append((lesser, "seldom needed line"))
    counts.append((long_prompts, "long prompt"))
    left = [counted(count, noun) for count, noun in counts if count]
    if not left:
        return ""
    whole = f" The whole state: {inert(file, 400)}" if file else ""
    return f"Not shown: {', '.join(left)}.{whole}"


def _join(sections: list[str], left_out: str, last_line: str) -> str:
    lines = (STATE_HEAD, _INTRODUCTION, *sections, left_out, last_line, STATE_END)
    return "\n".join(line for line in lines if line)


MANUAL_HINT_CHARACTERS = 200
"""After a /compact the client shows the hint to the user, and keeps it in the model's context."""
_HINT_HEAD = "Keep this in the summary, word for word:"
_ITEM_CHARS = 240
# Of a rule of two sentences the second is the rule.
_RULE_CHARS = 600


def summary_hint(state: SessionState, limit_characters: int) -> str:
    """Return the text, at most `limit_characters` long; empty when there is nothing to keep.

    The most needed comes first. Characters are UTF-16 code units, as the client counts them.
    """
    lines = [_HINT_HEAD]
    room = limit_characters - len(_HINT_HEAD)
    for line in _hint_lines(state):
        length = utf16_length(line) + 1
        if length > room:
            continue  # a shorter one may still fit
        lines.append(line)
        room -= length
    return "\n".join(lines) if len(lines) > 1 else ""


def _hint_lines(state: SessionState) -> Iterator[str]:
    kept, state, _ = in_force(state)
    yield from (f"- kept by hand, {line.removeprefix('- ')}" for line in kept)
    sure, doubted = parted_by_hold(state.active_rules)
    for rule in reversed(sure):
        yield f"- rule: {inert(rule.whole, _RULE_CHARS)}"
    if state.objective is not None:
        yield f'- current objective: "{inert(state.objective.text, _ITEM_CHARS)}"'
    for todo in state.open_todos:
        yield f"- still to do: {inert(todo.text, _ITEM_CHARS)}"
    for command in state.verify:
        yield f"- {command.kind} command: {code_span(command.text, _ITEM_CHARS)}"
    for decision in reversed(state.decisions):
        if not decision.superseded:
            asked = f"{inert(decision.asked, _ITEM_CHARS)} -> " if decision.asked else ""
            yield f"- decided: {decision.by}{asked}{inert(decision.text, _ITEM_CHARS)}"
    for value in reversed(state.values):
        yield f"- exact {value.kind}: {code_span(value.text, _ITEM_CHARS)}"
    for rule in reversed(doubted):
        yield f"- rule, maybe meant once: {inert(rule.whole, _RULE_CHARS)}"

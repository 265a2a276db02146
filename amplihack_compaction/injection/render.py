"""Render a state within a budget: as the markdown that is injected, and as the summariser's hint.

    <!-- AMPLIHACK STATE -->
    # Session state, kept across compaction
    ...sections...
    <!-- END AMPLIHACK STATE -->

The room goes to the lines that are needed most, whichever section they stand in; a line that does
not fit keeps no shorter one out. A text is no longer than what is needed: lesser lines are left
out even where there is room. What is left out is counted at the end, with the file that has it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from amplihack_compaction.base.size_limits import (
    INJECTION_LIMIT_UTF16,
    STATE_END,
    STATE_HEAD,
)
from amplihack_compaction.context.estimate import CharacterLine, line_for
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.injection.lines import SHOWN_FROM, StateLine
from amplihack_compaction.injection.sections import Section, make_sections
from amplihack_compaction.text.words import counted, inert, utf16_length


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


@dataclass(slots=True)
class PrintedSection:
    """A section, and which of its lines are printed, by their numbers."""

    section: Section
    chosen: set[int] = field(default_factory=set)

    @property
    def needed_left_out(self) -> int:
        """How many of the lines that are needed are not printed."""
        return sum(need >= SHOWN_FROM for need in self._left_out())

    @property
    def others_left_out(self) -> int:
        """How many of the lesser lines are not printed."""
        return len(self._left_out()) - self.needed_left_out

    def _left_out(self) -> list[float]:
        lines = enumerate(self.section.lines)
        return [line.need for number, line in lines if number not in self.chosen]

    @property
    def text(self) -> str:
        """The section's printed text; empty when nothing is."""
        if not self.chosen and not self.section.always:
            return ""
        lines = (self.section.lines[number].text for number in sorted(self.chosen))
        return "\n".join((self.heading, *self.section.always, *lines))

    @property
    def heading(self) -> str:
        """The line above the section's others."""
        return f"## {self.section.title}"

    def pay(self, number: int, budget: TextBudget) -> None:
        """Print a line if it fits, with the heading where it is the first."""
        text = self.section.lines[number].text
        is_first = not self.chosen and not self.section.always
        if budget.pay(f"{self.heading}\n{text}" if is_first else text):
            self.chosen.add(number)


def fill(printed: list[PrintedSection], budget: TextBudget, least_need: float) -> None:
    """Print the lines that are needed most, of those that are needed at least so much."""

    def lines() -> Iterator[tuple[StateLine, PrintedSection, int]]:
        for part in printed:
            for number, line in enumerate(part.section.lines):
                if number not in part.chosen and line.need >= least_need:
                    yield line, part, number

    for _, part, number in sorted(lines(), key=lambda found: -found[0].need):
        part.pay(number, budget)


DEFAULT_BUDGET_TOKENS = 2000
_WITHOUT_LIMIT = 10**9
# What is left out of these is told by its name.
_NAMED = ("rule", "possible rule", "todo", "decision")
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
    printed = [PrintedSection(section) for section in make_sections(state, apart=is_whole)]
    # Room is kept for saying that everything was left out, so that saying less always fits.
    frame = _frame_of(printed, full_state_file, last_line)
    budget = TextBudget(line, budget_tokens - line.cost(frame), limit_utf16 - utf16_length(frame))
    for part in printed:
        for text in (part.heading, *part.section.always) if part.section.always else ():
            budget.pay(text)
    fill(printed, budget, least_need)
    budget.tokens += line.cost(frame) - line.cost(_frame_of(printed, full_state_file, last_line))
    fill(printed, budget, least_need)
    shown = [part.text for part in printed]
    text = _join(shown, _left_out(printed, full_state_file), last_line)
    omitted = sum(part.needed_left_out + part.others_left_out for part in printed)
    return Rendered(text, round(line.cost(text)), omitted)


def _frame_of(printed: list[PrintedSection], file: str, last_line: str) -> str:
    """Return the text without its sections: what says where it comes from and what it lacks."""
    return _join([], _left_out(printed, file), last_line)


def _left_out(printed: list[PrintedSection], file: str) -> str:
    """Say how many rules and todos are not shown, how many other lines, and which file has all."""
    left = [
        counted(part.needed_left_out, part.section.noun)
        for part in printed
        if part.needed_left_out and part.section.noun in _NAMED
    ]
    needed = sum(part.needed_left_out for part in printed if part.section.noun not in _NAMED)
    lesser = sum(part.others_left_out for part in printed)
    if needed:
        left.append(counted(needed, "other line"))
    if lesser:
        left.append(counted(lesser, "seldom needed line"))
    if not left:
        return ""
    whole = f" The whole state: {inert(file, 400)}" if file else ""
    return f"Not shown: {', '.join(left)}.{whole}"


def _join(sections: list[str], left_out: str, last_line: str) -> str:
    lines = (STATE_HEAD, _INTRODUCTION, *sections, left_out, last_line, STATE_END)
    return "\n".join(line for line in lines if line)


_HINT_HEAD = "Keep this in the summary, word for word:"
_ITEM_CHARS = 240
# Of a rule of two sentences the second is the rule.
_RULE_CHARS = 600


def summary_hint(state: SessionState, limit_characters: int) -> str:
    """Return the text, at most `limit_characters` long; empty when there is nothing to keep.

    Characters are UTF-16 code units, as the client counts them.
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
    for rule in reversed(state.active_rules):
        yield f"- standing rule: {inert(rule.whole, _RULE_CHARS)}"
    if state.objective is not None:
        yield f'- current objective: "{inert(state.objective.text, _ITEM_CHARS)}"'
    for todo in state.open_todos:
        yield f"- still to do: {inert(todo.text, _ITEM_CHARS)}"
    for command in state.verify:
        yield f"- {command.kind} command: `{inert(command.text, _ITEM_CHARS)}`"
    for decision in reversed(state.decisions):
        if not decision.superseded:
            asked = f"{inert(decision.asked, _ITEM_CHARS)} -> " if decision.asked else ""
            yield f"- decided: {decision.by}{asked}{inert(decision.text, _ITEM_CHARS)}"
    for value in reversed(state.values):
        yield f"- exact {value.kind}: `{inert(value.text, _ITEM_CHARS)}`"

"""Render a state within a budget: as the markdown that is injected, and as the summariser's hint.

    <!-- AMPLIHACK STATE -->
    # Session state, kept across compaction
    ...sections, in the order in which they are needed later...
    <!-- END AMPLIHACK STATE -->

The budget goes to the sections' core lines first: up to each section's share, then in the order
of the sections, to all that fit in what is left. What this leaves goes to the other lines in the
same way. Lines that are left out are counted at the end, with the file that has them. The room for
that is kept before anything is printed; what of it is not needed is given out in the end.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from amplihack_compaction.base.limits import (
    INJECTION_LIMIT_UTF16,
    STATE_END,
    STATE_HEAD,
)
from amplihack_compaction.context.tokens.estimate import CharacterLine, line_for
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.injection.lines import file_lines, value_lines
from amplihack_compaction.injection.user_lines import (
    decision_lines,
    lifted_lines,
    objective_lines,
    past_work_lines,
    questioned_lines,
    remark_lines,
    rule_lines,
    thread_lines,
)
from amplihack_compaction.injection.work_lines import (
    closed_lines,
    done_lines,
    doubtful_lines,
    failed_lines,
    learned_lines,
    open_lines,
    parked_lines,
    pending_line,
    phase_lines,
    recent_lines,
    tool_lines,
    verify_lines,
)
from amplihack_compaction.ledger.replaced import ValueCorrections, later_choices
from amplihack_compaction.text.words import counted, inert, utf16_length

# So many lines on what failed are shown in any but the fullest state.
_SURELY_SHOWN = 2
# Rules that were lifted lately may be remembered as standing.
_LIFTED = 3
# Of older checks none was needed by who went on.
_CHECKS = 4


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading; `noun` names what a line is, for the count of those left out.

    `always` are printed in any case. The first `core` of the lines are needed, the others useful.
    `share` of the room is kept for the section's core, `spare` of what that leaves for the first
    `most` of the others; the rest stand only where there is no budget.
    `in_print` has the lines in the order in which they are printed, where that is another than the
    one in which they are needed.
    """

    title: str
    lines: tuple[str, ...]
    share: float
    noun: str
    core: int = 0
    spare: float = 0.0
    always: tuple[str, ...] = ()
    in_print: tuple[str, ...] = ()
    most: int = 0

    def shown(self, chosen: Collection[int]) -> tuple[str, ...]:
        """Return the lines of these numbers, as they are printed."""
        lines = tuple(line for number, line in enumerate(self.lines) if number in chosen)
        return tuple(line for line in self.in_print if line in lines) if self.in_print else lines


def make_sections(state: SessionState) -> list[Section]:
    """Return the state's sections, most needed first; those without content are left out."""
    corrected = ValueCorrections(state.values)
    values, other_values = value_lines(state, corrected)
    files, other_files = file_lines(state)
    choices = later_choices(state)
    later = [changed for _, changed in choices]
    failed = list(failed_lines(state))
    quoted = [*files, *failed[:_SURELY_SHOWN]]
    remarks, other_remarks, newest_remarks = remark_lines(
        state, quoted, values, later, corrected=corrected
    )
    checks = list(verify_lines(state.verify, failed[:_SURELY_SHOWN]))
    recent = list(recent_lines(state))
    lifted = list(lifted_lines(state))
    learned = list(learned_lines(state))
    sections = [
        _section("Standing rules (the user's words)", "rule", 0.26, rule_lines(state, corrected)),
        _section("Rules that may have changed", "rule", 0.05, questioned_lines(state, corrected)),
        _section("Objective", "earlier prompt", 0.10, objective_lines(state, corrected),
                 0, thread_lines(state)),
        _section("Todos", "todo", 0.17, open_lines(state),
                 0.10, [*closed_lines(state), *parked_lines(state)], most=2,
                 always=(pending_line(state),)),
        _section("Checks, with the last result", "command", 0.07, checks[:_CHECKS],
                 0, checks[_CHECKS:]),
        _section("Decisions", "decision", 0.18, decision_lines(choices)),
        _section("Exact values", "value", 0.10, values, 0, other_values),
        _section("Already done", "step", 0, (), 0.10, done_lines(state), most=3),
        _section("Phase", "", 0, (), always=tuple(phase_lines(state))),
        _section("Failed approaches and open issues", "issue", 0.14, failed,
                 0.06, [*learned, *doubtful_lines(state)],
                 most=min(len(learned), 2)),
        _section("Branch and files", "file line", 0.15, files, 0.08, other_files, most=2),
        _section("Also said (the user's words)", "remark", 0.20, remarks, 0, other_remarks,
                 in_print=newest_remarks),
        _section("Recent context", "turn", 0.10, recent[:1], 0.18, recent[1:], most=2),
        _section("No longer in force", "lifted rule", 0, (), 0.06,
                 [*lifted, *past_work_lines(state)], most=min(len(lifted), _LIFTED)),
        _section("Recent Tool History", "tool use", 0, (), 0, tool_lines(state)),
    ]  # fmt: skip
    return [section for section in sections if section.lines or section.always]


def _section(
    title: str,
    noun: str,
    share: float,
    core: Iterable[str],
    spare: float = 0.0,
    others: Iterable[str] = (),
    *,
    most: int = 0,
    always: tuple[str, ...] = (),
    in_print: tuple[str, ...] = (),
) -> Section:
    needed = tuple(core)
    lines = (*needed, *others)
    return Section(title, lines, share, noun, len(needed), spare, always, in_print, most)


# What a section leaves of its share is shared out again among the others.
_ROUNDS = 4


class TextBudget:
    """What is left to print with, in tokens and in UTF-16 code units."""

    def __init__(self, line: CharacterLine, tokens: float, utf16: int) -> None:
        self.line, self.tokens, self.utf16 = line, tokens, utf16

    def cost(self, text: str) -> float:
        """Return what a line and its line break cost, in tokens."""
        return self.line.cost(text + "\n")

    def pay(self, text: str) -> bool:
        """Take a line's cost if there is room for it."""
        cost, units = self.cost(text), utf16_length(text) + 1
        if cost > self.tokens or units > self.utf16:
            return False
        self.tokens -= cost
        self.utf16 -= units
        return True


class PrintedSection:
    """A section, and which of its lines are printed; all of them may be where it `is_whole`."""

    def __init__(self, section: Section, *, is_whole: bool = False) -> None:
        self.section, self.is_whole = section, is_whole
        self.chosen: set[int] = set()

    @property
    def is_due(self) -> bool:
        """Whether the section is there even without room for any of its lines."""
        return bool(self.section.core or self.section.always)

    @property
    def end(self) -> int:
        """The number behind the last line that may be printed now: with a core that is whole."""
        section = self.section
        if self.core_left_out:
            return section.core
        last = section.core + section.most
        return len(section.lines) if self.is_whole else min(last, len(section.lines))

    @property
    def core_left_out(self) -> int:
        """How many of the needed lines are not printed."""
        return self.section.core - sum(number < self.section.core for number in self.chosen)

    @property
    def others_left_out(self) -> int:
        """How many of the lines that are only useful are not printed."""
        return len(self.section.lines) - len(self.chosen) - self.core_left_out

    @property
    def text(self) -> str:
        """The section's printed text; empty when nothing is."""
        if not self.chosen and not self.section.always:
            return ""
        return "\n".join((self.heading, *self.section.always, *self.section.shown(self.chosen)))

    @property
    def heading(self) -> str:
        """The line above the section's others."""
        return f"## {self.section.title}"

    def fill(self, end: int, budget: TextBudget, allowance: float) -> None:
        """Print lines before the one of number `end` while the allowance lasts, if they fit.

        The first core line needs no allowance: half an objective is worth more than none.
        """
        for number in range(end):
            if number in self.chosen:
                continue
            text = self.section.lines[number]
            if not self.chosen and not self.is_due:
                text = f"{self.heading}\n{text}"
            allowance -= budget.cost(text)
            if allowance < 0 and (self.chosen or not self.section.core):
                break
            if budget.pay(text):
                self.chosen.add(number)


def pay_headings(printed: list[PrintedSection], budget: TextBudget) -> None:
    """Pay for the headings, and for what is printed in any case."""
    for part in printed:
        for text in (part.heading, *part.section.always) if part.is_due else ():
            budget.pay(text)


def share_out(printed: list[PrintedSection], budget: TextBudget) -> None:
    """Print core lines while there is room, then others of the sections whose core is whole."""
    _fill_all(printed, [(part.section.core, part.section.share) for part in printed], budget)
    _fill_all(printed, [(part.end, part.section.spare) for part in printed], budget)


def _fill_all(
    printed: list[PrintedSection], ends: list[tuple[int, float]], budget: TextBudget
) -> None:
    """Fill every section up to its end: by its share of what is left, then while it lasts."""
    for _ in range(_ROUNDS):
        room = budget.tokens
        for part, (end, share) in zip(printed, ends, strict=True):
            part.fill(end, budget, share * room)
    for part, (end, _) in zip(printed, ends, strict=True):
        part.fill(end, budget, float("inf"))


DEFAULT_BUDGET_TOKENS = 2000
_WITHOUT_LIMIT = 10**9
_INTRODUCTION = (
    "# Session state, kept across compaction\n"
    "From the transcript, lists newest first. Quoted words are the user's, unless `model:`; where"
    " the summary differs, this is what was said."
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

    Tokens are estimated by the character line of the session's model. `full_state_file` is
    named where something is left out. `last_line` ends the text; the budget holds it too.
    """
    line = line_for(state.model)
    is_whole = budget_tokens >= _WITHOUT_LIMIT
    printed = [PrintedSection(section, is_whole=is_whole) for section in make_sections(state)]
    # Room is kept for saying that everything was left out, so that saying less always fits.
    frame = _frame_of(printed, full_state_file, last_line)
    budget = TextBudget(line, budget_tokens - line.tokens(frame), limit_utf16 - utf16_length(frame))
    pay_headings(printed, budget)
    share_out(printed, budget)
    used = line.tokens(_frame_of(printed, full_state_file, last_line))
    budget.tokens += line.tokens(frame) - used
    share_out(printed, budget)
    shown = [part.text for part in printed]
    text = _join(shown, _left_out(printed, full_state_file), last_line)
    omitted = sum(part.core_left_out + part.others_left_out for part in printed)
    return Rendered(text, line.tokens(text), omitted)


def _frame_of(printed: list[PrintedSection], file: str, last_line: str) -> str:
    """Return the text without its sections: what says where it comes from and what it lacks."""
    return _join([], _left_out(printed, file), last_line)


def _left_out(printed: list[PrintedSection], file: str) -> str:
    """Say how many needed lines of which section are not shown, and which file has everything.

    Of the others, which are only useful, their number is enough.
    """
    left = [
        counted(part.core_left_out, part.section.noun) for part in printed if part.core_left_out
    ]
    useful = sum(part.others_left_out for part in printed)
    if useful:
        left.append(counted(useful, "lesser line"))
    if not left:
        return ""
    whole = f" The whole state: {inert(file, 400)}" if file else ""
    return f"Not shown: {', '.join(left)}.{whole}"


def _join(sections: list[str], left_out: str, last_line: str) -> str:
    lines = (STATE_HEAD, _INTRODUCTION, *sections, left_out, last_line, STATE_END)
    return "\n".join(line for line in lines if line)


_HINT_HEAD = (
    "Keep the following in the summary word for word: it comes from the record of this session"
    " and is needed later."
)
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
            asked = f"{inert(decision.question, _ITEM_CHARS)} -> " if decision.question else ""
            yield f"- decided: {asked}{inert(decision.text, _ITEM_CHARS)}"
    for value in reversed(state.values):
        yield f"- exact {value.kind}: `{inert(value.text, _ITEM_CHARS)}`"

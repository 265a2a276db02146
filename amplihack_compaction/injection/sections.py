"""Say a state in sections of markdown lines, in the order in which it is needed later."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from amplihack_compaction.extract.model import SessionState
from amplihack_compaction.injection.lines import file_lines, value_lines
from amplihack_compaction.injection.said import (
    decision_lines,
    lifted_lines,
    objective_lines,
    questioned_lines,
    remark_lines,
    rule_lines,
    thread_lines,
)
from amplihack_compaction.injection.work_lines import (
    closed_lines,
    done_lines,
    failed_lines,
    learned_lines,
    open_lines,
    pending_line,
    phase_lines,
    recent_lines,
    tool_lines,
    verify_lines,
)
from amplihack_compaction.ledger.replaced import Corrections, later_choices

# So many lines on what failed are shown in any but the fullest state.
_SURELY_SHOWN = 2


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading; `noun` names what a line is, for the count of those left out.

    `always` are printed in any case. The first `core` of the lines are needed, the others useful.
    `share` of the room is kept for the section's core, `spare` of what that leaves for the others.
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

    def shown(self, chosen: Collection[int]) -> tuple[str, ...]:
        """Return the lines of these numbers, as they are printed."""
        lines = tuple(line for number, line in enumerate(self.lines) if number in chosen)
        return tuple(line for line in self.in_print if line in lines) if self.in_print else lines


def make_sections(state: SessionState) -> list[Section]:
    """Return the state's sections, most needed first; those without content are left out."""
    corrected = Corrections(state.values)
    values, other_values = value_lines(state, corrected)
    files, other_files = file_lines(state)
    choices = later_choices(state)
    later = [changed for _, changed in choices]
    failed = list(failed_lines(state))
    quoted = [*files, *failed[:_SURELY_SHOWN]]
    remarks, other_remarks, newest_remarks = remark_lines(
        state, quoted, values, later, corrected=corrected
    )
    todos = (pending_line(state),)
    sections = [
        _section("Standing rules (the user's words)", "rule", 0.26, rule_lines(state, corrected)),
        _section("Rules that may have changed", "rule", 0.05, questioned_lines(state, corrected)),
        _section("Objective", "earlier prompt", 0.10, objective_lines(state, corrected),
                 0.10,
                 thread_lines(state)),
        _section("Todos", "todo", 0.17, open_lines(state), 0.10, closed_lines(state), todos),
        _section("Checks, with the last result", "command", 0.07,
                 verify_lines(state.verify, failed[:_SURELY_SHOWN])),
        _section("Decisions", "decision", 0.18, decision_lines(choices)),
        _section("Exact values", "value", 0.10, values, 0.10, other_values),
        _section("Already done", "step", 0, (), 0.10, done_lines(state)),
        _section("Phase", "", 0, (), always=tuple(phase_lines(state))),
        _section("Failed approaches and open issues", "issue", 0.14, failed, 0.06,
                 learned_lines(state)),
        _section("Branch and files", "file line", 0.12, files, 0.08, other_files),
        _section("Also said (the user's words)", "remark", 0.20, remarks, 0.3, other_remarks,
                 in_print=newest_remarks),
        _section("Recent Tool History", "tool use", 0, (), 0.07, tool_lines(state)),
        _section("Recent context", "turn", 0, (), 0.18, recent_lines(state)),
        _section("No longer in force", "lifted rule", 0, (), 0.06, lifted_lines(state)),
    ]  # fmt: skip
    return [section for section in sections if section.lines or section.always]


def _section(
    title: str,
    noun: str,
    share: float,
    core: Iterable[str],
    spare: float = 0.0,
    others: Iterable[str] = (),
    always: tuple[str, ...] = (),
    in_print: tuple[str, ...] = (),
) -> Section:
    needed = tuple(core)
    lines = (*needed, *others)
    return Section(title, lines, share, noun, len(needed), spare, always, in_print)

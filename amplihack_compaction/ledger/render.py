"""Render a state as the markdown that is injected, within a token budget, by priority.

    <!-- AMPLIHACK STATE -->
    # Session state, kept across compaction
    ...sections, see `ledger.sections`...
    <!-- END AMPLIHACK STATE -->

Each section is first filled up to its share of the budget; what is left over goes to the
sections in order. Where lines are left out, their number and the file that has them are said.
"""

from dataclasses import dataclass

from amplihack_compaction.ledger.sections import Section, inert, make_sections
from amplihack_compaction.limits import INJECTION_LIMIT_UTF16, utf16_length
from amplihack_compaction.state.model import SessionState
from amplihack_compaction.tokens.lines import CharacterLine, line_for

HEAD = "<!-- AMPLIHACK STATE -->"
END = "<!-- END AMPLIHACK STATE -->"
DEFAULT_BUDGET_TOKENS = 2000
_INTRODUCTION = (
    "# Session state, kept across compaction\n"
    "Recorded from this session's transcript by the amplihack-compaction hooks. Quoted words are"
    " the user's own; where the summary differs, these are what was said."
)
# Room under the client's limit for the "N more" lines and the frame.
_RESERVE_UTF16 = 400


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text, its estimated tokens, and how many lines were left out for the budget."""

    text: str
    tokens: int
    omitted: int


def render_state(
    state: SessionState,
    budget_tokens: int = DEFAULT_BUDGET_TOKENS,
    full_state_file: str = "",
    limit_utf16: int = INJECTION_LIMIT_UTF16,
) -> Rendered:
    """Return the state as markdown of at most `budget_tokens` and `limit_utf16` code units.

    Tokens are estimated by the character line of the session's model. `full_state_file` is
    named where something is left out.
    """
    line = line_for(state.model)
    sections = make_sections(state)
    frame = _join([], full_state_file)
    room_tokens = budget_tokens - line.tokens(frame)
    room_utf16 = limit_utf16 - utf16_length(frame) - _RESERVE_UTF16
    counts = _share_out(sections, line, room_tokens, room_utf16)
    parts = [
        _section_text(section, count)
        for section, count in zip(sections, counts, strict=True)
        if count or section.always
    ]
    omitted = sum(len(s.lines) - n for s, n in zip(sections, counts, strict=True))
    text = _join(parts, full_state_file if omitted else "")
    return Rendered(text, line.tokens(text), omitted)


class _Purse:
    """What is left of the budget, in tokens and in UTF-16 code units."""

    def __init__(self, line: CharacterLine, tokens: float, utf16: int) -> None:
        self.line, self.tokens, self.utf16 = line, tokens, utf16

    def pay(self, text: str) -> bool:
        """Take a line's cost (and its line break's) if there is room for it."""
        cost, units = self.line.cost(text + "\n"), utf16_length(text) + 1
        if cost > self.tokens or units > self.utf16:
            return False
        self.tokens -= cost
        self.utf16 -= units
        return True


def _share_out(
    sections: list[Section], line: CharacterLine, tokens: float, utf16: int
) -> list[int]:
    """Return how many lines of each section are printed."""
    purse = _Purse(line, tokens, utf16)
    for section in sections:
        purse.pay(_heading(section))
        for text in section.always:
            purse.pay(text)
        if section.lines:
            purse.pay(_more(section, len(section.lines)))
    whole = purse.tokens
    counts = [_fill(section, 0, purse, section.share * whole) for section in sections]
    return [
        _fill(section, count, purse, float("inf"))
        for section, count in zip(sections, counts, strict=True)
    ]


def _fill(section: Section, count: int, purse: _Purse, allowance: float) -> int:
    """Print lines from `count` on while the allowance and the purse last.

    A section's first line needs no allowance: half an objective is worth more than none.
    """
    for text in section.lines[count:]:
        allowance -= purse.line.cost(text + "\n")
        if (allowance < 0 and count) or not purse.pay(text):
            break
        count += 1
    return count


def _section_text(section: Section, count: int) -> str:
    lines = [_heading(section), *section.always, *section.lines[:count]]
    left = len(section.lines) - count
    if left:
        lines.append(_more(section, left))
    return "\n".join(lines)


def _heading(section: Section) -> str:
    return f"## {section.title}"


def _more(section: Section, left: int) -> str:
    return f"- … {left} more {section.noun} not shown"


def _join(parts: list[str], full_state_file: str) -> str:
    lines = [HEAD, _INTRODUCTION, *parts]
    if full_state_file:
        lines.append(f"What is not shown here stands in {inert(full_state_file, 400)}")
    return "\n".join([*lines, END])

"""Render a state as the markdown that is injected, within a token budget, by priority.

    <!-- AMPLIHACK STATE -->
    # Session state, kept across compaction
    ...sections, see `rendering.sections`...
    <!-- END AMPLIHACK STATE -->

The budget goes to the sections' core lines first: up to each section's share, then in the order
of the sections. What it leaves goes to the other lines in the same way. Lines that are left out
are counted at the end, with the file that has them. The room for that is kept before anything is
printed; what of it is not needed is given out in the end.
"""

from dataclasses import dataclass

from amplihack_compaction.language.text import counted
from amplihack_compaction.limits import INJECTION_LIMIT_UTF16, STATE_END, STATE_HEAD, utf16_length
from amplihack_compaction.rendering.lines import inert
from amplihack_compaction.rendering.sections import Section, make_sections
from amplihack_compaction.state.model import SessionState
from amplihack_compaction.tokens.lines import CharacterLine, line_for

HEAD = STATE_HEAD
END = STATE_END
DEFAULT_BUDGET_TOKENS = 2000
_WITHOUT_LIMIT = 10**9
# What a section leaves of its share is shared out again among the others.
_ROUNDS = 4
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
    sections = make_sections(state)
    # Room is kept for saying that everything was left out, so that saying less always fits.
    frame = _frame_of(sections, [0] * len(sections), full_state_file, last_line)
    purse = _Purse(line, budget_tokens - line.tokens(frame), limit_utf16 - utf16_length(frame))
    counts = _share_out(sections, purse)
    used = line.tokens(_frame_of(sections, counts, full_state_file, last_line))
    purse.tokens += line.tokens(frame) - used
    counts = _fill_by_need(sections, counts, purse)
    parts = [
        _section_text(section, count)
        for section, count in zip(sections, counts, strict=True)
        if count or section.always
    ]
    text = _join(parts, _left_out(sections, counts, full_state_file), last_line)
    omitted = sum(len(section.lines) for section in sections) - sum(counts)
    return Rendered(text, line.tokens(text), omitted)


def _frame_of(sections: list[Section], counts: list[int], file: str, last_line: str) -> str:
    """Return the text without its sections: what says where it comes from and what it lacks."""
    return _join([], _left_out(sections, counts, file), last_line)


class _Purse:
    """What is left of the budget, in tokens and in UTF-16 code units."""

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


def _share_out(sections: list[Section], purse: _Purse) -> list[int]:
    """Return how many lines of each section are printed."""
    for section in sections:
        for text in (_heading(section), *section.always) if _is_due(section) else ():
            purse.pay(text)
    return _fill_by_need(sections, [0] * len(sections), purse)


def _fill_by_need(sections: list[Section], counts: list[int], purse: _Purse) -> list[int]:
    """Print core lines while there is room, then others of the sections whose core is whole."""
    core = [max(count, section.core) for section, count in zip(sections, counts, strict=True)]
    counts = _fill_all(sections, counts, core, [section.share for section in sections], purse)
    ends = [
        count if count < section.core else len(section.lines)
        for section, count in zip(sections, counts, strict=True)
    ]
    return _fill_all(sections, counts, ends, [section.spare for section in sections], purse)


def _fill_all(
    sections: list[Section],
    counts: list[int],
    ends: list[int],
    shares: list[float],
    purse: _Purse,
) -> list[int]:
    """Fill every section up to its end: by its share of what is left, then while it lasts."""
    for _ in range(_ROUNDS):
        room = purse.tokens
        counts = [
            _fill(section, counts[place], ends[place], purse, shares[place] * room)
            for place, section in enumerate(sections)
        ]
    return [
        _fill(section, counts[place], ends[place], purse, float("inf"))
        for place, section in enumerate(sections)
    ]


def _fill(section: Section, count: int, end: int, purse: _Purse, allowance: float) -> int:
    """Print lines from `count` to `end` while the allowance and the purse last.

    A section's first core line needs no allowance: half an objective is worth more than none.
    """
    for number in range(count, end):
        text = section.lines[number]
        if not count and not _is_due(section):
            text = f"{_heading(section)}\n{text}"
        allowance -= purse.cost(text)
        spent = allowance < 0 and (count > 0 or not section.core)
        if spent or not purse.pay(text):
            break
        count += 1
    return count


def _is_due(section: Section) -> bool:
    """Tell whether a section is there even without room for any of its lines."""
    return bool(section.core or section.always)


def _section_text(section: Section, count: int) -> str:
    return "\n".join((_heading(section), *section.always, *section.shown(count)))


def _heading(section: Section) -> str:
    return f"## {section.title}"


def _left_out(sections: list[Section], counts: list[int], file: str) -> str:
    """Say how many needed lines of which section are not shown, and which file has everything.

    Of the others, which are only useful, their number is enough.
    """
    cut = list(zip(sections, counts, strict=True))
    left = [
        counted(section.core - count, section.noun)
        for section, count in cut
        if count < section.core
    ]
    useful = sum(len(section.lines) - max(count, section.core) for section, count in cut)
    if useful:
        left.append(counted(useful, "lesser line"))
    if not left:
        return ""
    whole = f" The whole state: {inert(file, 400)}" if file else ""
    return f"Not shown: {', '.join(left)}.{whole}"


def _join(sections: list[str], left_out: str, last_line: str) -> str:
    lines = (HEAD, _INTRODUCTION, *sections, left_out, last_line, END)
    return "\n".join(line for line in lines if line)

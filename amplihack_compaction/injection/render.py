"""Render a state as the markdown that is injected, within a token budget, by priority.

    <!-- AMPLIHACK STATE -->
    # Session state, kept across compaction
    ...sections, see `rendering.sections`...
    <!-- END AMPLIHACK STATE -->

The budget is shared out among the sections' lines (`rendering.room`). Lines that are left out are
counted at the end, with the file that has them. The room for that is kept before anything is
printed; what of it is not needed is given out in the end.
"""

from dataclasses import dataclass

from amplihack_compaction.base.limits import (
    INJECTION_LIMIT_UTF16,
    STATE_END,
    STATE_HEAD,
    utf16_length,
)
from amplihack_compaction.context.tokens.estimate import line_for
from amplihack_compaction.extract.model import SessionState
from amplihack_compaction.injection.lines import inert
from amplihack_compaction.injection.sections import make_sections
from amplihack_compaction.injection.token_room import Part, Purse, pay_headings, share_out
from amplihack_compaction.text.strings import counted

HEAD = STATE_HEAD
END = STATE_END
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
    parts = [Part(section) for section in make_sections(state)]
    # Room is kept for saying that everything was left out, so that saying less always fits.
    frame = _frame_of(parts, full_state_file, last_line)
    purse = Purse(line, budget_tokens - line.tokens(frame), limit_utf16 - utf16_length(frame))
    pay_headings(parts, purse)
    share_out(parts, purse)
    used = line.tokens(_frame_of(parts, full_state_file, last_line))
    purse.tokens += line.tokens(frame) - used
    share_out(parts, purse)
    shown = [part.text for part in parts]
    text = _join(shown, _left_out(parts, full_state_file), last_line)
    omitted = sum(part.core_left_out + part.others_left_out for part in parts)
    return Rendered(text, line.tokens(text), omitted)


def _frame_of(parts: list[Part], file: str, last_line: str) -> str:
    """Return the text without its sections: what says where it comes from and what it lacks."""
    return _join([], _left_out(parts, file), last_line)


def _left_out(parts: list[Part], file: str) -> str:
    """Say how many needed lines of which section are not shown, and which file has everything.

    Of the others, which are only useful, their number is enough.
    """
    left = [counted(part.core_left_out, part.section.noun) for part in parts if part.core_left_out]
    useful = sum(part.others_left_out for part in parts)
    if useful:
        left.append(counted(useful, "lesser line"))
    if not left:
        return ""
    whole = f" The whole state: {inert(file, 400)}" if file else ""
    return f"Not shown: {', '.join(left)}.{whole}"


def _join(sections: list[str], left_out: str, last_line: str) -> str:
    lines = (HEAD, _INTRODUCTION, *sections, left_out, last_line, END)
    return "\n".join(line for line in lines if line)

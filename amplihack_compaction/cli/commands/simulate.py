"""`simulate`: what the hooks would have injected at each boundary of a transcript.

The state is folded and rendered by the functions that the hooks call, with the project's
settings; nothing is written. Two things differ from what a hook would have seen: the client's
task files tell the state of now and not of then, so tasks come from the transcript alone; and
the snapshot that the text names where something is left out was never taken, so its name stands
for one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import chain
from typing import Any

from amplihack_compaction.base.settings import load_settings
from amplihack_compaction.cli.options import AS_JSON, SESSION_ARGUMENT, option
from amplihack_compaction.cli.sessions import Session, chosen_session, session_states
from amplihack_compaction.cli.terminal import coloured, show, showing_progress
from amplihack_compaction.injection.render import (
    MANUAL_HINT_CHARACTERS,
    Rendered,
    render_state,
    summary_hint,
)
from amplihack_compaction.injection.snapshot import text_path
from amplihack_compaction.text.words import counted, utf16_length
from amplihack_compaction.transcript.session import Boundary

SNAPSHOT = "00000000-000000-0000"
"""Stands for the id of the snapshot that a hook would have taken."""
_COLOURS = {"+": "green", "-": "red", " ": ""}


@dataclass(frozen=True, slots=True)
class Simulated:
    """What would have been injected at a compaction; `number` and `boundary` None for now.

    `hint` is what the summariser would have been told, `manual_hint` what after a `/compact`.
    `changes` are the lines of the text and of the one before, in order, each behind `+` (new),
    `-` (gone) or a space.
    """

    number: int | None
    boundary: Boundary | None
    rendered: Rendered
    hint: str
    manual_hint: str
    changes: list[str]

    def marked(self, sign: str) -> list[str]:
        """Return the lines that are new (`+`), or gone (`-`)."""
        return [line[1:] for line in self.changes if line[0] == sign]


def simulate(
    session: str | None = SESSION_ARGUMENT,
    only_text: bool = option(
        "--text",
        "Only the text that would be told now, as the model reads it. The file that it names is"
        " written by the hooks alone.",
        False,
    ),
    as_json: bool = AS_JSON,
) -> None:
    """Show what the hooks would have injected at each compaction, and would now.

    Works on any transcript, and writes nothing. Lines are marked as new (+) or gone (-) since
    the injection before.
    """
    found = chosen_session(session)
    with showing_progress("Reading the session", quiet=as_json):
        simulated = list(simulate_injections(found))
    lines = [simulated[-1].rendered.text] if only_text else chain(*map(_lines, simulated))
    content = {"session_id": found.id, "boundaries": list(map(_to_json, simulated))}
    show(content, lines, as_json=as_json)


def simulate_injections(session: Session) -> Iterator[Simulated]:
    """Yield what would have been injected at each boundary of a session, and last, now."""
    settings = load_settings(session.root)[0]
    before: list[str] = []
    for number, (window, state) in enumerate(session_states(session), 1):
        file = text_path(session.folder, SNAPSHOT)
        rendered = render_state(state, settings.injection_tokens, file)
        most = settings.summary_hint_characters
        hint = summary_hint(state, most)
        short = summary_hint(state, min(most, MANUAL_HINT_CHARACTERS))
        lines = rendered.text.splitlines()
        # With so many lines around each change, all stand in one hunk behind the three of the head.
        changes = list(unified_diff(before, lines, n=len(before) + len(lines), lineterm=""))[3:]
        ended = window.ended
        if ended is not None and ended.trigger == "manual":
            hint = short
        yield Simulated(number if ended else None, ended, rendered, hint, short, changes)
        before = lines


def _to_json(one: Simulated) -> dict[str, Any]:
    boundary = one.boundary
    return {
        "number": one.number,
        "at": boundary.timestamp if boundary else None,
        "trigger": boundary.trigger if boundary else None,
        "text": one.rendered.text,
        "tokens": one.rendered.tokens,
        "utf16": utf16_length(one.rendered.text),
        "omitted_lines": one.rendered.omitted,
        "summary_hint": one.hint,
        "added": one.marked("+"),
        "dropped": one.marked("-"),
    }


def _lines(one: Simulated) -> Iterator[str]:
    boundary, text = one.boundary, one.rendered.text
    if boundary is None:
        title = "If it were compacted now"
    else:
        trigger = boundary.trigger or "unknown trigger"
        title = f"Compaction {one.number}  {boundary.timestamp}  {trigger}"
    yield coloured(title, "bright_white")
    omitted = counted(one.rendered.omitted, "line")
    left = (
        f", {omitted} left out, seldom needed or without room; hooks write the file it names"
        if one.rendered.omitted
        else ""
    )
    tokens, characters = one.rendered.tokens, utf16_length(text)
    yield f"  would inject  about {tokens:,} tokens, {characters:,} characters{left}"
    by_hand = f", {utf16_length(one.manual_hint):,} after a /compact" if boundary is None else ""
    yield f"  would tell    the summariser {utf16_length(one.hint):,} characters{by_hand}"
    added, dropped = one.marked("+"), one.marked("-")
    new = counted(len(added), "line")
    yield f"  difference    {new} new, {len(dropped):,} gone since the one before\n"
    if text and not added and not dropped:
        yield from ("  the same as at the compaction before", "")
        return
    for line in one.changes:
        yield coloured(f"{line[0]} {line[1:]}", _COLOURS[line[0]])
    yield ""

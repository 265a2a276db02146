"""`recall`: search the store; the answer as text for people and for the model, and as JSON."""

import os
import re
import sys
import time
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.files import is_regular, list_names
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import EDITS_FILE, project_root, runtime_folder
from amplihack_compaction.base.settings import Switch, load_settings
from amplihack_compaction.cli.options import AS_JSON, SESSION_VARIABLE, URL, argument, option
from amplihack_compaction.cli.terminal import show
from amplihack_compaction.clients.reading import project_transcripts, session_id_of
from amplihack_compaction.store.ingest import ingest_transcript
from amplihack_compaction.store.messages import KINDS
from amplihack_compaction.store.open_store import open_store, store_name
from amplihack_compaction.store.search import Filters, Found, Hit, recall
from amplihack_compaction.store.sessions import SessionKey, find_known, left_out, sessions_named
from amplihack_compaction.text.words import counted, inert

_MOMENT = re.compile(
    r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2}(?:T[0-9]{2}(?::[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?Z?)?)?)?)?"
)
_BEGINNING = "2000-01-01T00:00:00"
"""What completes a time that is named in part."""
# Of short options with their value in one word only a number's is told from a word.
_OUT = re.compile(r"-(?!n\d+\Z)\w\w")
_BOLD = ("\x1b[1m", "\x1b[0m")
_SPEAKERS = {"assistant": "model"}
# An hour of work is read in within a tenth of it.
_READ_SECONDS = 5.0
_MOST_REMEMBERED = 3
_UNMARKED = ("", "")  # what is copied or read by a program is as it was said
commands = typer.Typer()


class _TakingWordsOut(TyperCommand):
    """A command of whose words `-word` takes one out, wherever it stands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options; a short one stands apart from its value, but for `-n5`."""
        end = args.index("--") if "--" in args else len(args)
        out = [word for word in args[:end] if _OUT.match(word)]
        words = [word for word in args[:end] if word not in out]
        result: list[str] = super().parse_args(ctx, [*words, "--", *out, *args[end + 1 :]])
        return result


@commands.command("recall", cls=_TakingWordsOut)
def recall_command(
    query: list[str] = argument(
        "WORDS",
        'Words, the nearest to them first; "in quotes" side by side; -word must not be there.',
    ),
    session: str = option("--session -s SESSION", "Only this session, or those that begin so.", ""),
    project: Path | None = option("--project DIR", "Only this project's sessions.", None),
    kind: list[str] | None = option(
        "--kind -k KIND",
        "prompt, answer, tool_call, tool_output, decision, summary or archived; may be repeated.",
        None,
    ),
    since: str = option("--since TIME", "Not before this time (UTC), as 2026-11-21.", ""),
    until: str = option("--until TIME", "Not after this time, as 2026-11-21T18.", ""),
    before_compaction: int | None = option(
        "N", "Only before a session's Nth compaction.", None, min=0
    ),
    limit: int = option("--limit -n N", "At most so many.", 10, min=1, max=200),
    url: str | None = URL,
    as_json: bool = AS_JSON,
) -> None:
    """Find what was said or done in this project's sessions, also what was compacted away.

    Exit code 1 when nothing is found.
    """
    unknown = [name for name in kind or () if name not in KINDS]
    if unknown:
        raise typer.BadParameter(f"--kind {unknown[0]}: there are {', '.join(KINDS)}")
    filters = Filters(
        scope=os.path.realpath(project) if project else None,
        session=session,
        kinds=tuple(kind or ()),
        since=search_time(since),
        until=search_time(until),
        before_compaction=before_compaction,
    )
    found = search_store(joined(query), filters, limit, url)
    text = recall_as_text(found, url, _BOLD if sys.stdout.isatty() else _UNMARKED)
    show(recall_as_json(found), [text], as_json=as_json)
    raise typer.Exit(0 if found.hits or found.remembered else 1)


def search_store(query: str, filters: Filters, limit: int, url: str | None) -> Found:
    """Return what a search finds, with a note of what is not read in yet.

    This project's own sessions are read in first, where no other project is named. Raises
    SessionNotFoundError where the store has no session that is named.
    """
    root = project_root()
    unread = [] if filters.scope else read_in_new(url, root)
    with open_store(url, root, only_read=True) as database:
        if filters.session:
            sessions_named(database, filters.session)
        found = recall(database, query, filters, limit, os.environ.get(SESSION_VARIABLE, ""))
    found.notes[:0] = unread
    if filters == Filters():
        found.remembered = remembered(root, query)
    if not (found.hits or unread or filters.scope):
        from amplihack_compaction.cli.sessions import sessions_above

        found.notes += filter(None, [sessions_above(root)])
    return found


def remembered(root: str, query: str) -> list[str]:
    """Return what was remembered by hand in a project's sessions and has most of a query's words.

    The nearest first, at most three. Whoever remembers from a terminal says it in no transcript.
    """
    sessions = f"{runtime_folder(root)}/sessions"
    logs = (f"{sessions}/{name}/{EDITS_FILE}" for name in list_names(sessions))
    folders = [log.rpartition("/")[0] for log in logs if is_regular(log)]
    if not folders:
        return []
    from amplihack_compaction.ledger.edits import Edit, edits_in_force
    from amplihack_compaction.text.words import content_words

    wanted = {*content_words(query)}
    near: dict[str, int] = {}
    for folder in folders:
        kept: dict[str, Edit] = {}
        for edit in edits_in_force(folder):
            if edit.act == "remember":
                kept[edit.item] = edit
            elif edit.act in ("forget", "done"):
                kept.pop(edit.item, None)
        for edit in kept.values():
            shared = len(wanted & {*content_words(edit.text)})
            if 2 * shared > len(wanted):
                who = _SPEAKERS["assistant"] if edit.by == "model" else "you"
                near[f'{edit.kind} of {edit.at[:10]}, by {who}: "{edit.text}"'] = shared
    return sorted(near, key=lambda line: -near[line])[:_MOST_REMEMBERED]


def search_time(named: str) -> str:
    """Return a moment that was named for `since` or `until`: an ISO 8601 time or its beginning.

    Raises CompactionError for anything else, by which every search would find nothing, or all.
    """
    told = named[: len(_BEGINNING)].rstrip("Z")
    try:
        datetime.fromisoformat(told + _BEGINNING[len(told) :])
        is_moment = not named or bool(_MOMENT.fullmatch(named))
    except ValueError:  # as 2026-02-30
        is_moment = False
    if not is_moment:
        raise CompactionError(
            f"{named!r} is no time: say 2026-11-21, 2026-11-21T18 or 2026-11-21T18:30 (UTC)"
        )
    # Times are compared as texts: what is said in part must be the beginning of what lies in it.
    return named.removesuffix("Z")


def joined(words: list[str]) -> str:
    """Return the query that a shell took apart: of several words, one with a space was quoted."""
    if len(words) == 1:
        return words[0]
    return " ".join(f'"{word}"' if any(c.isspace() for c in word) else word for word in words)


def read_in_new(url: str | None, root: str) -> list[str]:
    """Have a project's own store read what its transcripts have beyond it; note what is left out.

    For some seconds, the newest first. A store that is named in place of the project's own, or is
    switched off, is filled by `store sync` alone.
    """
    # It loads what reads sessions: as much as recall itself takes.
    from amplihack_compaction.compactor.transcripts.manifest import without_unused_copies

    paths = without_unused_copies(root, project_transcripts(root))
    filled = [path for path in paths if path.stat().st_size]
    keys = [SessionKey(root, session_id_of(path)) for path in filled]
    unread, problem = len(keys), ""
    if keys and not store_name(url) and load_settings(root)[0].store is Switch.ON:
        until = time.monotonic() + _READ_SECONDS
        try:
            with open_store(url, root, _READ_SECONDS) as database:
                deleted = left_out(database)
                for key, path in zip(keys, filled, strict=True):
                    if key.session_id in deleted:
                        unread -= 1
                    elif time.monotonic() < until:
                        unread -= ingest_transcript(database, key, str(path), until).is_complete
                    else:
                        unread -= bool(find_known(database, key))
        except CompactionError as error:
            problem = f" ({error})"
    elif keys:
        with open_store(url, root, only_read=True) as database:
            unread = sum(not find_known(database, key) for key in keys)
    if not unread:
        return []
    missing = f"{counted(unread, 'session')} {'is' if unread == 1 else 'are'}"
    return [f"{missing} not read in yet{problem}: `{own_command()} store sync{_of(url)}` does it"]


def _of(url: str | None) -> str:
    return " --url …" if url else ""  # it may hold a password


def recall_as_text(found: Found, url: str | None = None, marks: tuple[str, str] = _UNMARKED) -> str:
    """Return the hits as lines of text, with marks around what was found, below what is noted."""
    notes = [f"Remembered by hand: {line}" for line in found.remembered]
    notes += [f"({note})" for note in found.notes]
    if found.hits:
        hits = (_hit(n, hit, marks) for n, hit in enumerate(found.hits, 1))
        show = f"{own_command()} store show {found.hits[0].id}{_of(url)}"
        around = f"(`{show}` prints what was said around it)"
        return "\n".join([*notes, *hits, around])
    nothing = [] if found.remembered else ["Nothing of it was found."]
    return "\n".join([*nothing, *notes])


def recall_as_json(found: Found) -> dict[str, Any]:
    """Return the hits as JSON's objects."""
    return {
        "hits": [
            {
                **asdict(hit),
                "excerpt": hit.excerpt.text,
                "marks": [list(mark) for mark in hit.excerpt.marks],
            }
            for hit in found.hits
        ],
        "notes": found.notes,
        "remembered": found.remembered,
    }


def _hit(number: int, hit: Hit, marks: tuple[str, str]) -> str:
    head = [
        _SPEAKERS.get(hit.role, hit.role), f"{hit.kind} {inert(hit.tool)}".strip(),
        hit.said_at[:16].replace("T", " "), f"turn {hit.turn}",
        f"before compaction {hit.archived_by}" if hit.archived_by else "",
    ]  # fmt: skip
    where = f"session {inert(hit.session_id)}"
    said = hit.excerpt.marked(*marks)
    return f"{number}. {' · '.join(filter(None, head))}\n   {said}\n   {hit.id} · {where}"

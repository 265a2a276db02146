"""`compact transcript`: smaller copies of sessions, which `expand` gives back whole."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from amplihack_compaction.base.errors import CopyError
from amplihack_compaction.base.installation import COMMAND_NAME, own_command
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli.options import (
    AS_JSON,
    DRY_RUN,
    SESSION_ARGUMENT,
    command_group,
    option,
)
from amplihack_compaction.cli.sessions import Session, chosen_session
from amplihack_compaction.cli.terminal import show, showing_progress
from amplihack_compaction.clients.claude_code.session_files import config_folder
from amplihack_compaction.compactor.transcripts.copy_plan import Original, Plan
from amplihack_compaction.compactor.transcripts.expand import delete_copy, list_copies
from amplihack_compaction.compactor.transcripts.make_copy import (
    KEPT_TURNS,
    Copy,
    make_copy,
    preview_copy,
)
from amplihack_compaction.compactor.transcripts.manifest import LeftOutKind, find_manifests
from amplihack_compaction.text.words import counted, inert

_PATH_CHARS = 4096
_SAVES_NOTHING = (
    "What the client sends on a resume would be as long as now: what can be left out lies before"
    " the last compaction, or is kept. No copy is made; --force makes it all the same."
)
_NAMES = {
    LeftOutKind.TOOL_OUTPUT: "output of tools",
    LeftOutKind.SUPERSEDED_READ: "files read again later",
    LeftOutKind.DUPLICATE: "the same output again",
    LeftOutKind.IMAGE: "images",
    LeftOutKind.DOCUMENT: "documents",
    LeftOutKind.THINKING: "older thinking",
    LeftOutKind.WRITTEN: "texts that went into files",
}

commands = command_group("compact", "Make a context smaller, reversibly.")


@commands.command("transcript")
def compact_transcript(
    session: str | None = SESSION_ARGUMENT,
    dry_run: bool = DRY_RUN,
    keep_turns: int = option("--keep-turns N", "Newest turns that stay whole.", KEPT_TURNS, min=0),
    listed: bool = option("--list", "List the copies that were made.", False),
    revert: str | None = option("--revert COPY", "Delete a copy.", None),
    force: bool = option(
        "--force",
        "Make a copy that saves nothing on a resume, too; delete one that was gone on with.",
        False,
    ),
    as_json: bool = AS_JSON,
) -> None:
    """Copy a session under a new id, without what can be looked up again.

    The client resumes the copy; the original is never touched. Rules, decisions, errors, the
    newest turns and your own words stay whole. `expand` gives back whatever was left out.
    """
    if listed and revert is not None:
        raise typer.BadParameter("--list and --revert exclude each other")
    if revert is not None and (dry_run or as_json):
        raise typer.BadParameter("--revert has no dry run and no JSON")
    if session is not None and (listed or revert is not None):
        raise typer.BadParameter("--list and --revert take no session: --revert COPY names it")
    if listed:
        _show_copies(as_json=as_json)
    elif revert is not None:
        head = delete_copy(project_of_copy(revert), revert, force=force)
        is_there = Path(head.original_path).is_file()
        go_on = f"; go on with claude --resume {head.original_id}" if is_there else ""
        typer.echo(f"Session {head.session_id} is deleted{go_on}")
    else:
        _make_copy(session, keep_turns, dry_run=dry_run, as_json=as_json, force=force)


def _make_copy(
    named: str | None, keep_turns: int, *, dry_run: bool, as_json: bool, force: bool
) -> None:
    """Make a smaller copy or show what it leaves out; one that saves nothing needs `force`."""
    session = chosen_session(named)
    # Our files go where the user is if its project is gone.
    root = session.root if Path(session.root).is_dir() else project_root()
    original = Original(path=str(session.transcript), session_id=session.id, root=root)
    with showing_progress("Copying", quiet=as_json):
        plan = preview_copy(original, keep_turns)
        saves, pays = plan.saves, force or _saves_on_resume(plan)
        copy = make_copy(plan) if saves and pays and not dry_run else None
    plan = copy.plan if copy is not None else plan
    lines = list(_plan_lines(session, plan))
    if copy is not None:
        lines += _copy_lines(copy)
    elif not saves:
        lines.append("There is nothing to leave out, so that no copy is made.")
    elif not pays:
        lines.append(_SAVES_NOTHING)
    show(_to_json(plan, copy), lines, as_json=as_json)
    if saves and not (pays or dry_run):
        raise typer.Exit(1)


def _saves_on_resume(plan: Plan) -> bool:
    """Return whether a resumed copy sends less, by one token in a hundred at least."""
    before, after = plan.resumed_tokens
    return before - after > before // 100


def _show_copies(*, as_json: bool) -> None:
    """Show the copies that were made in this project, oldest first."""
    root = project_of_copy("")
    lines: list[str] = []
    heads: list[dict[str, Any]] = []
    for path, head in list_copies(root):
        if head is None:
            lines.append(f"{inert(path, _PATH_CHARS)} cannot be used")
            continue
        exists = Path(head.copy_path).exists()
        heads.append({**asdict(head), "exists": exists})
        before, after = (*head.tokens.get("resumed", ()), 0, 0)[:2]
        lines.append(
            f"{head.session_id}  {inert(head.created)}  of {inert(head.original_id[:8])}"
            f"  {before:,} -> {after:,} tokens{'' if exists else '  (its file is gone)'}"
        )
    nothing = f"No copies were made in {root} yet."
    show({"copies": heads}, lines or [nothing], as_json=as_json)


def project_of_copy(named: str) -> str:
    """Return the project that has a copy whose id begins so: this folder's, or one above it.

    A command that the model runs starts in the folder of its last `cd`. What is linked on the way
    up is another's, as a home whose `.claude` is a link.
    """
    here = Path(project_root())
    for folder in (here, *here.parents):
        with suppress(CopyError):
            if find_manifests(str(folder), named):
                return str(folder)
    return str(here)


def _plan_lines(session: Session, plan: Plan) -> Iterator[str]:
    yield f"Session {session.id} ({plan.end:,} bytes)\n  left out"
    for kind, parts, before, after in _kinds(plan):
        yield f"    {_NAMES[kind]:<28}{parts:>6,}  {before:>9,} -> {after:>7,} tokens"
    if plan.records:
        records = f"{plan.records:>6,}  {plan.record_bytes:>9,} bytes"
        yield f"    {'records of API requests':<28}{records}"
    totals = {"the whole file": plan.whole_tokens, "what a resume sends": plan.resumed_tokens}
    for name, (before, after) in totals.items():
        saved = f"{100 * (1 - after / before) if before else 0:.0f} % less"
        yield f"  {name:<30}{before:>17,} -> {after:>7,} tokens, {saved}"


def _copy_lines(copy: Copy) -> Iterator[str]:
    yield f"  the ledger is the same: {counted(copy.plan.evidence.items, 'item')} compared"
    folder = Path(copy.head.copy_path).parent
    if folder.parent != config_folder() / "projects":
        yield f"  {folder} is no folder of the client's: it resumes only what lies in its own"
    command = own_command()
    if copy.plan.parts and command != COMMAND_NAME:
        # Each placeholder with the whole path would cost the context what it is to save.
        call = f"`{COMMAND_NAME} expand ID`"
        yield f"  its placeholders name {call}, which the shell does not find: it is {command}"
    yield f"\nclaude --resume {copy.head.session_id}"


def _kinds(plan: Plan) -> Iterator[tuple[LeftOutKind, int, int, int]]:
    """Yield of each kind how many parts it has, and their tokens before and after."""
    scale = plan.whole_tokens[0] / plan.whole_characters if plan.whole_characters else 0
    for kind in _NAMES:
        parts = [part for part in plan.parts if part.kind is kind]
        before, after = sum(p.characters for p in parts), sum(len(p.text) for p in parts)
        if parts:
            yield kind, len(parts), round(scale * before), round(scale * after)


def _to_json(plan: Plan, copy: Copy | None) -> dict[str, Any]:
    def amounts(before: int, after: int) -> dict[str, float]:
        saved = round(100 * (1 - after / before), 1) if before else 0.0
        return {"before": before, "after": after, "saved_percent": saved}

    made = None
    if copy is not None:
        resume = f"claude --resume {copy.head.session_id}"
        made = {"resume": resume, "ledger_items": plan.evidence.items, **asdict(copy.head)}
    return {
        "session": plan.original.session_id,
        "transcript": plan.original.path,
        "bytes": plan.end,
        "from_last_compaction": plan.start > 0,
        "tokens": {"whole": amounts(*plan.whole_tokens), "resumed": amounts(*plan.resumed_tokens)},
        "saves_on_resume": _saves_on_resume(plan),
        "kinds": {
            kind.value: {"parts": parts, "tokens_before": before, "tokens_after": after}
            for kind, parts, before, after in _kinds(plan)
        },
        "records": {"lines": plan.records, "bytes": plan.record_bytes},
        "copy": made,
    }

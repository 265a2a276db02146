"""The commands `compact transcript` and `expand`: smaller copies of sessions, and back."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from amplihack_compaction.base.errors import CompactionError, CopyError, reason_of
from amplihack_compaction.base.files import create_exclusively
from amplihack_compaction.base.installation import COMMAND_NAME, own_command
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli.sessions import Session, find_session
from amplihack_compaction.cli.terminal import STDOUT, progress_bar, shows_progress
from amplihack_compaction.clients.claude_code.locations import config_folder
from amplihack_compaction.compactor.transcripts.expand import (
    find_copy,
    list_copies,
    recall,
    take_back,
)
from amplihack_compaction.compactor.transcripts.make_copy import (
    Copy,
    Preview,
    make_copy,
    preview_copy,
)
from amplihack_compaction.compactor.transcripts.manifest import find_manifests, read_parts
from amplihack_compaction.compactor.transcripts.parts import (
    ID,
    Inputs,
    Kind,
    Options,
    Original,
    Plan,
    Progress,
    Scope,
    tokens_of,
)
from amplihack_compaction.injection.lines import inert
from amplihack_compaction.text.strings import counted

_BAR_FROM_BYTES = 8 * 1024 * 1024
_WHAT_CHARS = 80
_PATH_CHARS = 4096
_NAMES = {
    Kind.TOOL_OUTPUT: "output of tools",
    Kind.SUPERSEDED_READ: "files read again later",
    Kind.DUPLICATE: "the same output again",
    Kind.IMAGE: "images",
    Kind.DOCUMENT: "documents",
    Kind.THINKING: "older thinking",
    Kind.WRITTEN: "texts that went into files",
}
_KEPT = {
    "recent": "of the newest turns",
    "error": "with errors",
    "ledger": "of the ledger",
    "decision": "of decisions",
}


def make_options(
    keep_turns: int, keep_tokens: int, over: int, inputs: str, scope: str, *, thinking: bool
) -> Options:
    """Return the options of a copy. Raises typer.BadParameter for a word that is none."""
    for option, word, known in (("inputs", inputs, Inputs), ("scope", scope, Scope)):
        if word not in list(known):
            raise typer.BadParameter(f"--{option} {word}: there are {', '.join(known)}")
    return Options(
        keep_turns=keep_turns, keep_tokens=keep_tokens, over_tokens=over,
        inputs=Inputs(inputs), scope=Scope(scope), thinking=thinking,
    )  # fmt: skip


def compact_transcript(
    named: str | None, options: Options, *, dry_run: bool, as_json: bool
) -> None:
    """Make a smaller copy of a session, or show what it would leave out.

    Raises TranscriptError and CopyError for what cannot be read or written.
    """
    session = find_session(named)
    with _progress(session.transcript, hidden=as_json) as progress:
        preview = preview_copy(_original(session), options, progress)
        copy = make_copy(preview, progress) if preview.saves and not dry_run else None
    plan = copy.plan if copy is not None else preview.plan
    if as_json:
        typer.echo(json.dumps(_to_json(preview, plan, copy), indent=2))
        return
    _print_plan(session, plan)
    if copy is not None:
        _print_copy(copy)
    elif not preview.saves:
        typer.echo("There is nothing to leave out, so that no copy is made.")


def show_copies(*, as_json: bool) -> None:
    """Print the copies that were made in this project, oldest first."""
    root = _root_of("")
    copies = list_copies(root)
    if as_json:
        heads = [
            {**asdict(head), "exists": Path(head.copy_path).exists()} for _, head in copies if head
        ]
        typer.echo(json.dumps({"copies": heads}, indent=2))
        return
    if not copies:
        typer.echo(f"No copies were made in {root} yet.")
    for path, head in copies:
        if head is None:
            typer.echo(f"{inert(path, _PATH_CHARS)} cannot be used")
            continue
        before, after = (*head.tokens.get("resumed", ()), 0, 0)[:2]
        gone = "" if Path(head.copy_path).exists() else "  (its file is gone)"
        typer.echo(
            f"{head.session_id}  {inert(head.created)}  of {inert(head.original_id[:8])}"
            f"  {before:,} -> {after:,} tokens{gone}"
        )


def revert_copy(named: str, *, force: bool) -> None:
    """Delete a copy. Raises CopyError when it is not ours, or was gone on with."""
    head = take_back(_root_of(named), named, force=force)
    typer.echo(
        f"Session {head.session_id} is deleted; go on with claude --resume {head.original_id}"
    )


def expand(placeholder: str | None, named: str, output: Path | None) -> None:
    """Print what stood where a placeholder stands, or list a copy's placeholders.

    Raises CopyError when there is no such part, or its line is no longer the same.
    """
    ids = ID.findall(placeholder or "")
    root = _root_of(named or (ids[-1][0] if ids else ""))
    if placeholder is None:
        if output is not None:
            raise typer.BadParameter("--output takes a placeholder's text: name its id")
        _list_parts(root, named)
        return
    recalled = recall(root, placeholder, named)
    text = recalled.text.encode("utf-8", "backslashreplace")
    to_stdout = output is not None and str(output) == STDOUT
    if output is not None and not to_stdout:
        _write_out(output, text if recalled.data is None else recalled.data)
    elif recalled.data is not None and sys.stdout.isatty() and not to_stdout:
        raise CopyError(f"this is {recalled.media_type or 'no text'}: name a file with --output")
    elif recalled.data is not None:
        typer.echo(recalled.data, nl=False)
    elif sys.stdout.isatty():
        typer.echo(_visible(recalled.text))
    else:
        typer.echo(text, nl=False)


def _original(session: Session) -> Original:
    """Return the session as it is copied; our files go where the user is if its project is gone."""
    root = session.root if Path(session.root).is_dir() else project_root()
    return Original(path=str(session.transcript.absolute()), session_id=session.id, root=root)


def _root_of(named: str) -> str:
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


def _list_parts(root: str, named: str) -> None:
    if not named:
        raise typer.BadParameter(
            "name a placeholder's id, or a copy with --session to list its ids"
        )
    path, head = find_copy(root, named)
    for part in read_parts(path):
        what = inert(part.what, _WHAT_CHARS)
        typer.echo(f"{head.session_id[:8]}.{part.n}  {part.kind}  {part.characters:,}  {what}")


def _write_out(output: Path, data: bytes) -> None:
    try:
        made = create_exclusively(str(output), data)
    except OSError as error:
        raise CompactionError(f"cannot write {output}: {reason_of(error)}") from error
    if not made:
        raise CompactionError(f"{output} exists: name another file")


def _visible(text: str) -> str:
    """Return a text whose control characters a terminal shows and does not obey."""
    return "".join(
        c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text.replace("\r\n", "\n")
    )


def _print_plan(session: Session, plan: Plan) -> None:
    typer.echo(f"Session {session.id} ({plan.end:,} bytes)\n  left out")
    for kind, (parts, before, after) in _kinds(plan).items():
        typer.echo(f"    {_NAMES[kind]:<28}{parts:>6,}  {before:>9,} -> {after:>7,} tokens")
    if plan.records:
        typer.echo(
            f"    {'records of API requests':<28}{plan.records:>6,}  {plan.record_bytes:>9,} bytes"
        )
    kept = ", ".join(f"{plan.kept[key]} {name}" for key, name in _KEPT.items() if plan.kept[key])
    if kept:
        typer.echo(f"  large parts that stay: {kept}")
    for name, amount in (("the whole file", plan.whole), ("what a resume sends", plan.resumed)):
        before, after = tokens_of(plan, amount)
        saved = f"{100 * amount.saved_ratio:.0f} % less"
        typer.echo(f"  {name:<30}{before:>17,} -> {after:>7,} tokens, {saved}")


def _print_copy(copy: Copy) -> None:
    typer.echo(f"  the ledger is the same: {counted(copy.items, 'item')} compared")
    folder = Path(copy.head.copy_path).parent
    if folder.parent != config_folder() / "projects":
        typer.echo(f"  {folder} is no folder of the client's: it resumes only what lies in its own")
    command = own_command()
    if copy.plan.parts and command != COMMAND_NAME:
        # Each placeholder with the whole path would cost the context what it is to save.
        typer.echo(
            f"  its placeholders name `{COMMAND_NAME} expand ID`, which the shell does not find:"
            f" it is {command}"
        )
    typer.echo(f"\nclaude --resume {copy.head.session_id}")


def _kinds(plan: Plan) -> dict[Kind, tuple[int, int, int]]:
    """Return of each kind the parts, and their tokens before and after."""
    found: dict[Kind, tuple[int, int, int]] = {}
    for part in plan.parts:
        parts, before, after = found.get(part.kind, (0, 0, 0))
        found[part.kind] = (parts + 1, before + part.characters, after + len(part.text))
    scale = tokens_of(plan, plan.whole)[0] / plan.whole_characters if plan.whole_characters else 0
    return {
        kind: (found[kind][0], round(scale * found[kind][1]), round(scale * found[kind][2]))
        for kind in _NAMES
        if kind in found
    }


def _to_json(preview: Preview, plan: Plan, copy: Copy | None) -> dict[str, Any]:
    def amounts(before: int, after: int) -> dict[str, float]:
        saved = round(100 * (1 - after / before), 1) if before else 0.0
        return {"before": before, "after": after, "saved_percent": saved}

    made = None
    if copy is not None:
        resume = f"claude --resume {copy.head.session_id}"
        made = {"resume": resume, "ledger_items": copy.items, **asdict(copy.head)}
    return {
        "session": preview.original.session_id,
        "transcript": preview.original.path,
        "bytes": plan.end,
        "from_last_compaction": preview.from_boundary,
        "tokens": {
            "whole": amounts(*tokens_of(plan, plan.whole)),
            "resumed": amounts(*tokens_of(plan, plan.resumed)),
        },
        "kinds": {
            kind.value: {"parts": parts, "tokens_before": before, "tokens_after": after}
            for kind, (parts, before, after) in _kinds(plan).items()
        },
        "records": {"lines": plan.records, "bytes": plan.record_bytes},
        "kept": dict(plan.kept),
        "copy": made,
    }


@contextmanager
def _progress(transcript: Path, *, hidden: bool) -> Iterator[Progress]:
    """Give what shows a bar on a terminal, for a transcript long enough to wait for."""
    if not shows_progress(quiet=hidden) or transcript.stat().st_size < _BAR_FROM_BYTES:
        yield lambda _doing, _done, _of: None
        return
    with progress_bar() as shown:
        task = shown.add_task("Reading")
        yield lambda what, done, of: shown.update(task, description=what, completed=done, total=of)

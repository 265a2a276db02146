"""`feature`: how far a feature is, its files made smaller and back, and going on with it."""

from collections.abc import Iterator
from shlex import quote
from typing import Literal

import typer

from amplihack_compaction.base.errors import CompactionError, FeatureError, SnapshotError
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli.commands.handoff import running_moment
from amplihack_compaction.cli.options import (
    AS_JSON,
    DRY_RUN,
    FORCE,
    KEEP,
    OVERWRITE,
    SESSION_OPTION,
    argument,
    command_group,
    complete_feature,
    filled,
    option,
    what_on_changed,
)
from amplihack_compaction.cli.terminal import coloured, exit_with_problems, show, showing_progress
from amplihack_compaction.compactor.backups.change_history import (
    ChangeStatus,
    CompactionHistoryEntry,
)
from amplihack_compaction.compactor.backups.folder import KEPT_FOLDER
from amplihack_compaction.compactor.features.compact_feature import (
    CompactionOptions,
    compact_feature,
)
from amplihack_compaction.compactor.features.feature import (
    CompactionResult,
    Feature,
    FeatureLevel,
    SummarizeResult,
    counting,
    need_active,
    open_feature,
    revert_command,
    revert_feature,
    status_of_tokens,
    unread_problems,
)
from amplihack_compaction.context.levels import API_MODEL
from amplihack_compaction.handoff.checkpoint import create_checkpoint, list_checkpoints
from amplihack_compaction.handoff.fresh_start import prepare_fresh_start
from amplihack_compaction.handoff.handoff_document import (
    build_handoff,
    continue_command,
    find_handoff,
    handoff_path,
)
from amplihack_compaction.text.words import counted, harmless_lines, inert

_FILES_SHOWN = 20
_SKIPPED_SHOWN = 5
_ITEMS_SHOWN = 30
_STYLES = {
    "tool_output": "cyan",
    "duplicate": "yellow",
    "verbose": "magenta",
    "old_content": "blue",
}


_FEATURE = argument(
    "NAME", "A feature's name, a checkpoint's id, or a session's.", autocompletion=complete_feature
)
_KEPT_AS = argument("NAME", "A feature's name, also a new one.", autocompletion=complete_feature)
_FOLDER = argument(
    "NAME",
    "A folder below `features_folder`. The default is the active feature.",
    "",
    autocompletion=complete_feature,
)
commands = command_group("feature", "Features: how far they are, and how to go on with one.")


@commands.command("status")
def feature_status(
    name: str = _FOLDER,
    tokens: bool = option("--tokens", "Count what its texts cost.", False),
    as_json: bool = AS_JSON,
) -> None:
    """Show a feature's state and progress, its texts, and how large they are.

    Exit code 1 when there is no such feature, or when a file of it cannot be read.
    """
    root = project_root()
    name = name or need_active(root)
    problems: list[str] = []
    kept = _handoff_or_checkpoint(root, name, problems)
    content: dict[str, object] = {"feature": name, "folder": None}
    rows = {"folder": "none"}
    left_alone: list[str] = []
    try:
        with open_feature(root, name) as feature:
            content, rows = _described(feature)
            if tokens:
                size, size_rows = _measured(feature)
                content |= size
                rows |= size_rows
            left_alone = _skipped_lines(feature.skipped)
            problems += unread_problems(feature.skipped, feature.unread)
    except FeatureError:
        if kept is None:
            raise
    if kept is not None:
        of = f"{kept['kind']} of session {kept['session'][:8]}, {kept['created']}"
        rows |= {"kept": inert(of), "to go on": inert(kept["command"])}
    told = [f"  {key:<11} {value}" for key, value in rows.items() if value]
    lines = [f"Feature {inert(str(content['feature']))}", *told, *left_alone]
    show({**content, "kept": kept}, lines, as_json=as_json)
    exit_with_problems(problems)


@commands.command("compact")
def feature_compact(
    name: str = _FOLDER,
    level: FeatureLevel = option(
        "--level compact|summarize",
        "`compact` shortens logs and repetitions; `summarize` leaves one short summary.",
        "compact",
    ),
    dry_run: bool = DRY_RUN,
    with_: Literal["claude"] | None = option(
        "--with claude", "Have your `claude -p` write the summary.", None
    ),
    timeout: float = option(
        "--timeout SECONDS", "How long it may take for that.", 120.0, min=1, max=3600
    ),
    revert: bool = option("--revert", "Take the last compaction back, byte for byte.", False),
    history_id: str | None = option(
        "--id ID", "Take this one back; see `history`.", None, show_default=False, parser=filled
    ),
    keep: bool = KEEP,
    overwrite: bool = OVERWRITE,
    force: bool = FORCE,
    as_json: bool = AS_JSON,
) -> None:
    """Make a feature's files smaller, with a backup; --revert gives them back byte for byte.

    Decisions, errors, checklists, headings, rules and code stay in their own words. Exit code 1
    when it cannot be done; then every file is as it was. Also when a file cannot be read: that one
    is left out, and named.
    """
    reverts = revert or history_id is not None
    on_changed = what_on_changed(reverts=reverts, keep=keep, overwrite=overwrite, force=force)
    root = project_root()
    if reverts:
        if dry_run:
            raise typer.BadParameter("--revert has no dry run")
        if level != "compact" or with_:
            raise typer.BadParameter("--level and --with do not belong to --revert")
        name = name or need_active(root)
        entry = revert_feature(root, name, history_id or "", on_changed=on_changed, force=force)
        show(entry.to_json(), reverted_lines(name, entry), as_json=as_json)
        return
    if with_ and level != "summarize":
        raise typer.BadParameter("--with claude writes summaries: add --level summarize")
    options = CompactionOptions(
        level=level, dry_run=dry_run, with_claude=with_ is not None, claude_seconds=timeout
    )
    with showing_progress(f"Compacting {inert(name, 60)}", quiet=as_json):
        result = compact_feature(root, name, options)
    show(result.to_json(), _result_lines(result), as_json=as_json)
    exit_with_problems(result.problems)


def reverted_lines(name: str, entry: CompactionHistoryEntry) -> Iterator[str]:
    """Yield what a revert gave back of a feature or of the memory, and what it left."""
    if entry.status is ChangeStatus.TAKEN_BACK:
        yield f"{entry.level} {entry.id} of {inert(name)} was cut off: taken back."
    else:
        given = [file for file in entry.files if file.path in entry.restored]
        back = counted(sum(file.old is not None for file in given), "file")
        made = [file.path for file in given if file.old is None and KEPT_FOLDER not in file.path]
        removed = f", {inert(', '.join(made))} removed" if made else ""
        yield f"Reverted {entry.level} {entry.id} of {inert(name)}: {back} restored{removed}."
    if own := [path for path in entry.kept if KEPT_FOLDER not in path]:
        left = f"Left as they are now: {inert(', '.join(own))}."
        yield f"{left} What they were is kept in {entry.folder}."


@commands.command("continue")
def feature_continue(name: str = _FEATURE, as_json: bool = AS_JSON) -> None:
    """Print what is needed to go on with a feature: its handoff and the state behind it.

    Exit code 1 when nothing was kept of it, when what may be newer cannot be read, or when the
    state behind the handoff cannot be used.
    """
    root = project_root()
    unread: list[str] = []
    found = find_handoff(root, name, unread)
    if found is None:
        known = list(dict.fromkeys(checkpoint.feature for checkpoint in list_checkpoints(root)))
        names = inert(", ".join(known[:5]), 400)
        hint = f"; features with one: {names}" if known else ", nor of any other feature"
        said = f"no handoff or checkpoint of {inert(name, 80)!r}{hint}"
        raise CompactionError("; ".join([said, *unread]))
    checkpoint, text = found
    problem, fresh = "", None
    try:
        fresh = prepare_fresh_start(checkpoint.snapshot, root)
    except SnapshotError as error:
        if not text:
            raise
        problem = f"The state behind it cannot be used: {inert(str(error), 300)}"
    state = fresh.prompt if fresh is not None else ""
    kept = fresh.compacted.state if fresh is not None and text else None
    document = build_handoff(kept, checkpoint).to_json() if kept is not None else None
    path = handoff_path(root, checkpoint) if text else None
    content = {"handoff": document, "path": path, "text": text, "prompt": state}
    told = filter(None, (text, state, problem))
    show({**content, "problem": problem}, told, as_json=as_json)
    exit_with_problems([*unread, problem] if problem else unread)


@commands.command("checkpoint")
def feature_checkpoint(
    name: str = _KEPT_AS,
    reason: str = option("--reason TEXT", "What it is kept for.", "manual"),
    session: str | None = SESSION_OPTION,
    quiet: bool = option("--quiet -q", "Print nothing.", False),
) -> None:
    """Keep this moment of a session under a feature's name."""
    moment = running_moment(session)
    checkpoint = create_checkpoint(moment, reason, name)
    if not quiet:
        typer.echo(f"Checkpoint {checkpoint.id} of {checkpoint.feature}: {checkpoint.reason}")


def _described(feature: Feature) -> tuple[dict[str, object], dict[str, str]]:
    """Return what a feature is, as JSON has it, and in rows."""
    percent, (done, every) = feature.progress_percent, feature.checked
    items = f" ({done} of {counted(every, 'item')} checked)" if every else ""
    texts = counted(len(feature.texts), "text")
    rows = {
        "folder": inert(feature.folder.path),
        "state": inert(feature.state),
        "progress": "" if percent is None else f"{percent} %{items}",
        "files": f"{texts}, {counted(feature.characters, 'character')}",
    }
    content: dict[str, object] = {
        "feature": feature.name,
        "folder": feature.folder.path,
        "state": feature.state,
        "progress": percent,
        "files": len(feature.texts),
        "characters": feature.characters,
        "skipped": feature.skipped,
    }
    return content, rows


def _measured(feature: Feature) -> tuple[dict[str, object], dict[str, str]]:
    """Return what a feature's texts cost, as JSON has it, and in rows."""
    with counting(feature.settings) as counter:
        results = {path: counter.count(text) for path, text in feature.texts.items()}
    counts = {path: result.count for path, result in results.items()}
    status = status_of_tokens(sum(counts.values()), feature.settings)
    made = {result.source == "offline" for path, result in results.items() if feature.texts[path]}
    by_api, estimated = f"counted by the API for {API_MODEL}", "estimated offline"
    source = " and ".join([*[by_api] * (False in made), *[estimated] * (made != {False})])
    precision = min((result.precision for result in results.values()), default=1.0)
    largest = sorted(counts, key=lambda path: -counts[path])[:_FILES_SHOWN]
    files = (f"\n    {counts[path]:>9,}  {inert(path)}" for path in largest)
    command = f"{own_command()} feature compact {quote(inert(feature.name))}"
    rows = {
        "tokens": f"{status.current_tokens:,} of {status.max_tokens:,}"
        f" ({status.usage_percentage:.0f} %, level {status.level}; half of the counts are"
        f" within {100 * (1 - precision):.0f} %)",
        "source": source,
        "advice": status.recommendation + "".join(files),
        "to shrink": command if status.level != "raw" else "",
    }
    content = {
        "tokens": status.current_tokens,
        **status.to_json(),
        "source": source,
        "precision": precision,
        "tokensByFile": counts,
    }
    return content, rows


def _handoff_or_checkpoint(root: str, name: str, problems: list[str]) -> dict[str, str] | None:
    """Return what a handoff or a checkpoint kept of a feature; None without one."""
    found = find_handoff(root, name, problems)
    if found is None:
        return None
    checkpoint, text = found
    return {
        "kind": "handoff" if text else "checkpoint",
        "session": checkpoint.session_id,
        "created": checkpoint.created,
        "command": continue_command(checkpoint.feature),
    }


def _skipped_lines(skipped: dict[str, str]) -> list[str]:
    lines = [
        f"  left alone  {inert(path, 100)}: {inert(reason, 100)}"
        for path, reason in list(skipped.items())[:_SKIPPED_SHOWN]
    ]
    more = len(skipped) - _SKIPPED_SHOWN
    return [*lines, f"              and {more} more"] if more > 0 else lines


def _result_lines(result: CompactionResult) -> Iterator[str]:
    yield from (f"Note: {inert(notice)}." for notice in result.notices)
    would = "would have" if result.dry_run else "has"
    name = inert(result.feature)
    if not result.files:
        yield f"Nothing to compact in {name}: {result.original_tokens:,} tokens."
    else:
        share = 100 * result.saved_tokens / max(1, result.original_tokens)
        yield (
            f"{name} {would} {result.compacted_tokens:,} tokens instead of"
            f" {result.original_tokens:,}: {coloured(f'{share:.0f} % less', 'green')}, in"
            f" {counted(len(result.files), 'file')}."
        )
        yield from _item_lines(result)
    if isinstance(result, SummarizeResult) and result.summary:
        yield "\n" + harmless_lines(result.summary).rstrip("\n") + "\n"
    yield from _skipped_lines(result.skipped)
    if result.history_id:
        yield f"Back again: {revert_command(result.feature)}"


def _item_lines(result: CompactionResult) -> Iterator[str]:
    largest = sorted(result.items, key=lambda i: i.compacted_tokens - i.original_tokens)
    if largest:
        yield "    tokens  what        where"
    for item in largest[:_ITEMS_SHOWN]:
        saved = item.original_tokens - item.compacted_tokens
        where = f"{inert(item.file, 60)}:{item.first_line}-{item.last_line}"
        kind = coloured(item.type, _STYLES[item.type], 11)
        yield f"  {saved:>8,}  {kind} {where}  {inert(item.what, 100)}"
    if len(largest) > _ITEMS_SHOWN:
        yield f"            and {len(largest) - _ITEMS_SHOWN} more"

"""The commands `feature status` and `feature compact`."""

import json
from dataclasses import dataclass
from shlex import quote
from typing import Literal, cast

import typer

from amplihack_compaction.base.errors import FeatureError
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli.terminal import coloured, exit_with_problems, showing_progress
from amplihack_compaction.compactor.backups.entries import ChangeStatus, CompactionHistoryEntry
from amplihack_compaction.compactor.backups.revert import OnChanged
from amplihack_compaction.compactor.features.compact_feature import (
    CompactionOptions,
    compact_feature,
)
from amplihack_compaction.compactor.features.feature import (
    Feature,
    count_each,
    counting,
    need_active,
    open_feature,
    precision_of,
    revert_feature,
    status_of_tokens,
)
from amplihack_compaction.compactor.features.results import (
    CompactedItem,
    CompactionResult,
    SummarizeResult,
    revert_command,
    unread_problems,
)
from amplihack_compaction.context.readings import ContextStatus
from amplihack_compaction.handoff.document import continue_command
from amplihack_compaction.handoff.handoff_files import find_handoff
from amplihack_compaction.injection.lines import inert
from amplihack_compaction.text.strings import counted, printable

_PATH_CHARS = 300
_FILES_SHOWN = 20
_SKIPPED_SHOWN = 5
_ITEMS_SHOWN = 30
_LEVELS = ("compact", "summarize")
_STYLES = {
    "tool_output": "cyan",
    "duplicate": "yellow",
    "verbose": "magenta",
    "old_content": "blue",
}


@dataclass(frozen=True, slots=True)
class _Size:
    """What a feature's texts cost."""

    status: ContextStatus
    by_file: dict[str, int]
    precision: float


def show_feature(name: str, *, with_tokens: bool, as_json: bool) -> None:
    """Print the state, progress and files of a feature and, when asked, what they cost.

    Also prints what was kept of its sessions. Raises FeatureError when there is no such feature;
    exits with 1 when a file could not be read.
    """
    root = project_root()
    name = name or need_active(root)
    problems: list[str] = []
    kept = _kept_of(root, name, problems)
    content: dict[str, object] = {"feature": name, "folder": None}
    lines = [f"Feature {inert(name)}", "  folder      none"]
    try:
        with open_feature(root, name) as feature:
            size = _measure(feature) if with_tokens else None
            content = _feature_to_json(feature, size)
            lines = _feature_lines(feature, size)
            problems += unread_problems(feature.skipped, feature.unread)
    except FeatureError:
        if kept is None:
            raise
    if as_json:
        typer.echo(json.dumps({**content, "kept": kept}, indent=2))
    else:
        typer.echo("\n".join([*lines, *_kept_lines(kept)]))
    exit_with_problems(problems)


def compact(
    name: str,
    *,
    level: str,
    with_: str,
    timeout_seconds: float,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Compact a feature and print what went.

    Raises BadParameter for a level or helper that does not exist, and CompactionError for whatever
    stops it; exits with 1 when a file could not be read, and was left out.
    """
    if level not in _LEVELS:
        raise typer.BadParameter(f"--level: there is no {level!r}, but compact and summarize")
    if with_ not in ("", "claude"):
        raise typer.BadParameter(f"--with {with_}: only `claude` can be asked for a summary")
    if with_ and level != "summarize":
        raise typer.BadParameter("--with claude writes summaries: add --level summarize")
    options = CompactionOptions(
        level=cast(Literal["compact", "summarize"], level),
        dry_run=dry_run,
        with_claude=bool(with_),
        claude_seconds=timeout_seconds,
    )
    with showing_progress(f"Compacting {inert(name, 60)}", quiet=as_json):
        result = compact_feature(project_root(), name, options)
    if as_json:
        typer.echo(json.dumps(result.to_json(), indent=2))
    else:
        _print_result(result)
    exit_with_problems(result.problems)


def revert(
    name: str, history_id: str, *, keep: bool, overwrite: bool, force: bool, as_json: bool
) -> None:
    """Take a compaction of a feature back and print what was restored.

    Raises BackupError, or ChangedError, when it cannot be taken back; nothing was changed then.
    """
    if keep and overwrite:
        raise typer.BadParameter("--keep and --overwrite exclude each other")
    on_changed: OnChanged = "keep" if keep else "overwrite" if overwrite else "refuse"
    root = project_root()
    name = name or need_active(root)
    entry = revert_feature(root, name, history_id, on_changed=on_changed, force=force)
    if as_json:
        typer.echo(json.dumps(entry.to_json(), indent=2))
        return
    if entry.status is ChangeStatus.TAKEN_BACK:
        done = f"{entry.level} {entry.id} of {inert(name)} was cut off: taken back."
    else:
        done = f"Reverted {entry.level} {entry.id} of {inert(name)}: {_taken_back(entry)}."
    typer.echo(done)
    if entry.kept:
        typer.echo(
            f"Left as they are now: {inert(', '.join(entry.kept))}."
            f" What they were is kept in {entry.folder}."
        )


def _measure(feature: Feature) -> _Size:
    with counting(feature.settings) as counter:
        counts = count_each(feature.texts, counter)
        status = status_of_tokens(sum(counts.values()), feature.settings)
        return _Size(status, counts, precision_of(feature.texts, counter))


def _feature_lines(feature: Feature, size: _Size | None) -> list[str]:
    lines = [
        f"Feature {inert(feature.name)}",
        f"  folder      {inert(feature.folder.path, _PATH_CHARS)}",
    ]
    if feature.state:
        lines.append(f"  state       {inert(feature.state)}")
    if feature.progress_percent is not None:
        done, every = feature.checked
        items = f" ({done} of {counted(every, 'item')} checked)" if every else ""
        lines.append(f"  progress    {feature.progress_percent} %{items}")
    texts = counted(len(feature.texts), "text")
    lines.append(f"  files       {texts}, {counted(feature.characters, 'character')}")
    if size is not None:
        status, counts = size.status, size.by_file
        lines.append(
            f"  tokens      {status.current_tokens:,} of {status.max_tokens:,}"
            f" ({status.usage_percentage:.0f} %, level {status.level}; half of the counts are"
            f" within {100 * (1 - size.precision):.0f} %)"
        )
        largest = sorted(counts, key=lambda path: -counts[path])
        lines += [f"    {counts[path]:>9,}  {inert(path)}" for path in largest[:_FILES_SHOWN]]
        if status.level != "raw":
            command = f"{own_command()} feature compact {quote(inert(feature.name))}"
            lines.append(f"  to shrink   {command}")
    return lines + _skipped_lines(feature.skipped)


def _kept_of(root: str, name: str, problems: list[str]) -> dict[str, str] | None:
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


def _kept_lines(kept: dict[str, str] | None) -> list[str]:
    if kept is None:
        return []
    of = f"{kept['kind']} of session {kept['session'][:8]}, {kept['created']}"
    return [f"  kept        {inert(of)}", f"  to go on    {inert(kept['command'])}"]


def _skipped_lines(skipped: dict[str, str]) -> list[str]:
    lines = [
        f"  left alone  {inert(path, 100)}: {inert(reason, 100)}"
        for path, reason in list(skipped.items())[:_SKIPPED_SHOWN]
    ]
    more = len(skipped) - _SKIPPED_SHOWN
    return [*lines, f"              and {more} more"] if more > 0 else lines


def _feature_to_json(feature: Feature, size: _Size | None) -> dict[str, object]:
    answer: dict[str, object] = {
        "feature": feature.name,
        "folder": feature.folder.path,
        "state": feature.state,
        "progress": feature.progress_percent,
        "files": len(feature.texts),
        "characters": feature.characters,
        "skipped": feature.skipped,
    }
    if size is not None:
        answer |= {
            "tokens": size.status.current_tokens,
            "precision": size.precision,
            "maxTokens": size.status.max_tokens,
            "level": size.status.level,
            "tokensByFile": size.by_file,
        }
    return answer


def _print_result(result: CompactionResult) -> None:
    lines = [f"Note: {inert(notice, _PATH_CHARS)}." for notice in result.notices]
    would = "would have" if result.dry_run else "has"
    name = inert(result.feature)
    if not result.files:
        lines.append(f"Nothing to compact in {name}: {result.original_tokens:,} tokens.")
    else:
        share = 100 * result.saved_tokens / max(1, result.original_tokens)
        lines.append(
            f"{name} {would} {result.compacted_tokens:,} tokens instead of"
            f" {result.original_tokens:,}: {coloured(f'{share:.0f} % less', 'green')}, in"
            f" {counted(len(result.files), 'file')}."
        )
        lines += _item_lines(result)
    if isinstance(result, SummarizeResult) and result.summary:
        lines += ["", printable(result.summary).rstrip("\n"), ""]
    lines += _skipped_lines(result.skipped)
    if result.history_id:
        lines.append(f"Back again: {revert_command(result.feature)}")
    typer.echo("\n".join(lines))


def _item_lines(result: CompactionResult) -> list[str]:
    largest = sorted(result.items, key=lambda i: i.compacted_tokens - i.original_tokens)
    lines = ["    tokens  what        where"] if largest else []
    lines += [_item_line(item) for item in largest[:_ITEMS_SHOWN]]
    more = len(result.items) - _ITEMS_SHOWN
    return [*lines, f"            and {more} more"] if more > 0 else lines


def _item_line(item: CompactedItem) -> str:
    saved = item.original_tokens - item.compacted_tokens
    where = f"{inert(item.file, 60)}:{item.first_line}-{item.last_line}"
    kind = coloured(item.type, _STYLES[item.type], 11)
    return f"  {saved:>8,}  {kind} {where}  {inert(item.what, 100)}"


def _taken_back(entry: CompactionHistoryEntry) -> str:
    """Say what a revert gave back, and which files it removed since they had not been there."""
    made = [file.path for file in entry.files if file.old is None and file.path in entry.restored]
    said = f"{counted(len(entry.restored) - len(made), 'file')} restored"
    return f"{said}, {inert(', '.join(made), _PATH_CHARS)} removed" if made else said

"""`context`: how full it is, and `prune`, which archives what is old and removes what expired."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import typer

from amplihack_compaction.base.errors import BackupError, CompactionError, StoreError
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli.commands.feature import reverted_lines
from amplihack_compaction.cli.commands.status import status
from amplihack_compaction.cli.options import (
    AS_JSON,
    DRY_RUN,
    FORCE,
    KEEP,
    OVERWRITE,
    command_group,
    filled,
    option,
    what_on_changed,
)
from amplihack_compaction.cli.terminal import exit_with_problems, show, showing_progress
from amplihack_compaction.compactor.archive.pruner import Expired, MemoryPruner, PruneResult
from amplihack_compaction.compactor.archive.store_archived import store_archived
from amplihack_compaction.compactor.backups.change_history import is_entry_id
from amplihack_compaction.compactor.features.feature import PROJECT_CONTEXT, feature_names
from amplihack_compaction.handoff.retention import SnapshotRetention, remove_old_snapshots
from amplihack_compaction.text.words import counted, inert

_MEGABYTE = 1024 * 1024
_DOCUMENTS_SHOWN = 10


@dataclass(slots=True)
class _Report:
    """What was done, and what could not be."""

    dry_run: bool
    pruned: list[PruneResult] = field(default_factory=list)
    expired: dict[str, Expired] = field(default_factory=dict)
    snapshots: SnapshotRetention = field(default_factory=SnapshotRetention)
    problems: list[str] = field(default_factory=list)


commands = command_group("context", "How full a session's context is.")
commands.command("status", help="Show how full a session's context is; the same as `status`.")(
    status
)


@commands.command("prune")
def context_prune(
    feature: str | None = option("--feature NAME", "Prune this feature only.", None),
    dry_run: bool = DRY_RUN,
    as_json: bool = AS_JSON,
    revert: str | None = option("--revert ID", "Give back what a prune took.", None, parser=filled),
    keep: bool = KEEP,
    overwrite: bool = OVERWRITE,
    force: bool = FORCE,
) -> None:
    """Archive what is old of the features and of the project's memory, and remove what expired.

    Exit code 1 when a part of it could not be done.
    """
    pruner, reverts = MemoryPruner(project_root()), revert is not None
    on_changed = what_on_changed(reverts=reverts, keep=keep, overwrite=overwrite, force=force)
    if revert is not None:
        if dry_run or as_json:
            raise typer.BadParameter("--revert has neither a dry run nor JSON")
        name = feature if feature is not None else _changed_by(pruner, revert)
        entry = pruner.revert(name, revert, on_changed=on_changed, force=force)
        typer.echo("\n".join(reverted_lines(name, entry)))
        return
    report = _prune(pruner, feature, dry_run=dry_run, quiet=as_json)
    show(_to_json(report), _lines(report, pruner.settings.features_folder), as_json=as_json)
    exit_with_problems(report.problems)


def _prune(pruner: MemoryPruner, feature: str | None, *, dry_run: bool, quiet: bool) -> _Report:
    """Prune a feature, or all of them with the project's memory and the sessions' snapshots."""
    root, report = pruner.root, _Report(dry_run)
    names = [feature] if feature is not None else feature_names(root, pruner.settings)
    if feature is None and Path(root, PROJECT_CONTEXT).parent.is_dir():
        names.append(PROJECT_CONTEXT)
    with showing_progress("Pruning", quiet=quiet, total=len(names)) as update:
        for name in names:
            update(advance=1, description=inert(name, 40))
            _prune_one(pruner, name, report, alone=feature is not None)
        if feature is None:
            report.snapshots = remove_old_snapshots(root, dry_run)
    if not dry_run:
        try:
            store_archived(root, report.problems)
        except StoreError as error:  # what was archived is on the disk all the same
            report.problems.append(f"recall does not find what was archived: {error}")
    return report


def _changed_by(pruner: MemoryPruner, history_id: str) -> str:
    """Return the feature, or the project's memory, that has a change of this id."""
    if is_entry_id(history_id):
        for name in (PROJECT_CONTEXT, *feature_names(pruner.root, pruner.settings)):
            if pruner.has_change(name, history_id):
                return name
    raise BackupError(f"there is no prune {history_id!r} in this project")


def _prune_one(pruner: MemoryPruner, name: str, report: _Report, *, alone: bool) -> None:
    """Prune one folder; one that cannot be does not keep the others from it."""
    try:
        if name == PROJECT_CONTEXT:
            report.pruned.append(pruner.prune_project_context(report.dry_run))
        else:
            report.pruned.append(pruner.prune_feature(name, report.dry_run))
        report.problems += [f"{name}: {problem}" for problem in report.pruned[-1].problems]
        expired = pruner.remove_expired(name, report.dry_run)
    except CompactionError as error:
        if alone and not report.pruned:
            raise
        report.problems.append(f"{name}: {error}")
    else:
        if expired.documents or expired.backups:
            report.expired[name] = expired


def _lines(report: _Report, features_folder: str) -> Iterator[str]:
    would = report.dry_run
    for result in report.pruned:
        if result.archived:
            memory = PROJECT_CONTEXT.rpartition("/")[0]
            is_memory = result.feature == PROJECT_CONTEXT
            folder = memory if is_memory else f"{features_folder}/{result.feature}"
            yield from _result_lines(result, folder)
        yield from (f"{inert(result.feature)}: {inert(notice, 300)}" for notice in result.notices)
    for name, expired in report.expired.items():
        documents = counted(len(expired.documents), "archived document")
        gone = f"{documents} and {counted(len(expired.backups), 'backup')}"
        yield f"{inert(name)}: {_would(would, 'removed')} {gone} beyond the settings' limits"
    for removal in report.snapshots.removed:
        freed = f"all that was kept, {removal.freed_bytes / _MEGABYTE:.1f} MiB"
        yield f"session {removal.session}: {_would(would, 'removed')} {freed}"
    yield from report.snapshots.notices
    if not (any(r.archived for r in report.pruned) or report.expired or report.snapshots.removed):
        yield "Nothing to prune."


def _result_lines(result: PruneResult, folder: str) -> Iterator[str]:
    sizes = f"{result.tokens_before:,} tokens before, {result.tokens_after:,} after"
    done = f"{_would(result.dry_run, 'archived')} {counted(len(result.archived), 'part')}"
    yield f"{inert(result.feature)}: {done}, {sizes}"
    for source, group in groupby(result.archived, key=lambda part: part.source):
        parts = list(group)
        lines, tokens = sum(p.lines for p in parts), sum(p.tokens for p in parts)
        whole = ", the whole file" if parts[0].whole else ""
        yield (
            f"  {inert(source)}: {counted(len(parts), 'part')},"
            f" {counted(lines, 'line')}, {tokens:,} tokens of {min(p.first for p in parts)}"
            f" to {max(p.last for p in parts)}{whole}"
        )
        documents = [part.document for part in parts if part.document]
        for document in documents[:_DOCUMENTS_SHOWN]:
            yield f"    {inert(folder)}/{document}"
        if len(documents) > _DOCUMENTS_SHOWN:
            yield f"    and {len(documents) - _DOCUMENTS_SHOWN} more beside them"
    if result.history_id:
        yield f"  to get it back: {own_command()} context prune --revert {result.history_id}"


def _to_json(report: _Report) -> dict[str, Any]:
    snapshots = report.snapshots
    return {
        "dryRun": report.dry_run,
        "pruned": [
            {
                "feature": result.feature,
                "archived": [
                    {**asdict(part), "first": str(part.first), "last": str(part.last)}
                    for part in result.archived
                ],
                "tokensBefore": result.tokens_before,
                "tokensAfter": result.tokens_after,
                "historyId": result.history_id,
                "notices": list(result.notices),
                "problems": list(result.problems),
            }
            for result in report.pruned
        ],
        "expired": {name: asdict(expired) for name, expired in report.expired.items()},
        "sessions": [
            {"session": each.session, "freedBytes": each.freed_bytes} for each in snapshots.removed
        ],
        "notices": snapshots.notices,
        "problems": report.problems,
    }


def _would(dry_run: bool, done: str) -> str:
    return f"would be {done}:" if dry_run else done

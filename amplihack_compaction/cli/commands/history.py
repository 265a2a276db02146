"""`history`: what was done to features and to the project's memory."""

from collections.abc import Iterator

from amplihack_compaction.base.paths import project_root
from amplihack_compaction.base.settings import load_settings
from amplihack_compaction.cli.options import AS_JSON, argument, complete_feature
from amplihack_compaction.cli.terminal import exit_with_problems, show
from amplihack_compaction.compactor.backups.change_history import CompactionHistoryEntry
from amplihack_compaction.compactor.features.feature import (
    PROJECT_CONTEXT,
    feature_history,
    feature_names,
)
from amplihack_compaction.text.words import counted, inert

_Histories = dict[str, tuple[list[CompactionHistoryEntry], list[str]]]


def history(
    name: str = argument(
        "NAME",
        "A folder below `features_folder`. The default is all, and the project's memory.",
        "",
        autocompletion=complete_feature,
    ),
    as_json: bool = AS_JSON,
) -> None:
    """Show what was compacted or pruned, of one feature or of all, and what was taken back.

    Exit code 1 when something of it cannot be read.
    """
    root = project_root()
    names = [name] if name else [*feature_names(root, load_settings(root)[0]), PROJECT_CONTEXT]
    found = {each: feature_history(root, each) for each in names}
    if not name and not any(found[PROJECT_CONTEXT]):
        del found[PROJECT_CONTEXT]
    content = {each: [e.to_json() for e in entries] for each, (entries, _) in found.items()}
    lines = [line for each in found if any(found[each]) or name for line in _lines(each, found)]
    nothing = f"Nothing was compacted or pruned in {root} yet."
    show(content, lines or [nothing], as_json=as_json)
    exit_with_problems([problem for _, problems in found.values() for problem in problems])


def _lines(name: str, found: _Histories) -> Iterator[str]:
    entries, problems = found[name]
    title = name if name == PROJECT_CONTEXT else f"Feature {inert(name)}"
    yield title + ("" if entries else ": nothing was done to it")
    yield from (f"  {_entry_line(entry)}" for entry in entries)
    yield from (f"  not readable: {inert(problem)}" for problem in problems)


def _entry_line(entry: CompactionHistoryEntry) -> str:
    state = entry.status.value.replace("_", " ")
    if entry.reverted_at:
        state += f" {entry.reverted_at}"
    if entry.backup_removed:
        state += ", backup removed"
    files = counted(len(entry.changed_files), "file")
    tokens = f"{entry.tokens_before:>9,} -> {entry.tokens_after:>9,} tokens"
    return f"{entry.id}  {entry.level:<9}  {tokens}  {files}  {state}"

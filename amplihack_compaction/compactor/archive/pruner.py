"""Archive what is old of a feature's texts, and what the project's memory has too much of.

Everything is one change of the folder: the files with less in them, the archived documents, and
the backup of what was there. `revert` takes all of it back.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import BackupError, CompactionError
from amplihack_compaction.base.settings.settings import Settings, load_settings
from amplihack_compaction.compactor.archive.archive_folder import (
    PART_LIMIT_BYTES,
    ArchivedPart,
    document_of,
    document_path,
    remove_expired_documents,
    update_index,
)
from amplihack_compaction.compactor.archive.cutting import Count, Cut, cut_blocks, cut_whole
from amplihack_compaction.compactor.archive.dated_sections import newest_date, split_sections
from amplihack_compaction.compactor.archive.dates import LastChange, last_changes
from amplihack_compaction.compactor.archive.selection import (
    choose_all,
    choose_old,
    choose_overflow,
    is_document,
)
from amplihack_compaction.compactor.backups.apply_change import (
    Replacement,
    apply_change,
    new_change_id,
)
from amplihack_compaction.compactor.backups.change_history import (
    BACKUP_FOLDER,
    CompactionHistoryEntry,
    list_entries,
)
from amplihack_compaction.compactor.backups.folder import FileImage, Folder, backup_errors
from amplihack_compaction.compactor.backups.revert import (
    OnChanged,
    is_unfinished,
    recover_folder,
    revert_change,
)
from amplihack_compaction.compactor.features.feature import (
    SECOND_NAME,
    decoded_text,
    open_feature,
    open_feature_folder,
    remove_old_backups,
)
from amplihack_compaction.compactor.features.results import unread_problems
from amplihack_compaction.text.markdown import split_lines

PROJECT_CONTEXT = ".claude/memory/project-context.md"
"""The project's memory; it stands for a feature's name, which has no slash."""

_MEGABYTE = 1024 * 1024
_LEVEL = "prune"


@dataclass(slots=True)
class PrunePlan:
    """The files of one folder that are to be cut."""

    folder: Folder
    feature: str
    files: dict[str, FileImage]
    texts: dict[str, str]
    cuts: dict[str, Cut] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def parts(self) -> list[tuple[ArchivedPart, str]]:
        """The parts that go, with their contents, in the order of their files."""
        return [pair for each in self.cuts.values() for pair in each.parts]

    @property
    def documents(self) -> dict[str, FileImage]:
        """The files that are notes rather than code or data."""
        return {p: self.files[p] for p, text in self.texts.items() if is_document(p, text)}


def plan_old(
    plan: PrunePlan, path: str, changed: LastChange, prune_days: float, count: Count
) -> None:
    """Plan to cut what is old of one file."""
    today = date.today()
    before = today - timedelta(days=prune_days)
    text = plan.texts[path]
    sections = split_sections(text, today, rst=path.endswith(".rst"))
    if newest_date(sections) is not None:
        choice = choose_old(sections, path, before)
    elif changed.day < before:
        choice = choose_all(sections, path)
    else:
        return
    if choice.whole:
        found = cut_whole(path, text, changed, count)
    else:
        found = cut_blocks(path, sections, choice.firsts, changed, count)
    # The line that tells of the archive may cost more than a few words that would go.
    if found.parts and count(found.text or "") < count(text):
        _add(plan, path, found)


def plan_overflow(
    plan: PrunePlan, path: str, changed: LastChange, limit_lines: int, count: Count
) -> None:
    """Plan to bring one file down to so many lines."""
    text = plan.texts[path]
    lines = len(split_lines(text))
    if lines <= limit_lines:
        return
    sections = split_sections(text, date.today())
    choice = choose_overflow(sections, path, lines - limit_lines)
    found = cut_blocks(path, sections, choice.firsts, changed, count)
    _add(plan, path, found)
    left = len(split_lines(found.text or ""))
    if left > limit_lines:
        plan.notices.append(
            f"{path} has {left} lines, more than {limit_lines}, when all has gone that may:"
            " headings, open items, decisions and rules stay"
        )


def _add(plan: PrunePlan, path: str, found: Cut) -> None:
    if any(len(content.encode()) > PART_LIMIT_BYTES for _, content in found.parts):
        plan.notices.append(f"{path}: too large to be archived")
    elif found.parts:
        plan.cuts[path] = found


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneResult:
    """What was archived of a feature, or would be; tokens are of the files it changes.

    `archived` are the parts, in the order of their files; `history_id` names the change that
    `revert` takes back, empty where there is none. `notices` are sentences for the user, and so are
    `problems`: what could not be read, or written beside the change, and is left to the next prune.
    """

    feature: str
    dry_run: bool
    archived: tuple[ArchivedPart, ...] = ()
    tokens_before: int = 0
    tokens_after: int = 0
    history_id: str = ""
    notices: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Expired:
    """What was kept too long or took too much room: archived documents and ids of backups."""

    documents: list[str]
    backups: list[str]


class MemoryPruner:
    """Archives what is old of a project's features and memory; holds no file open."""

    def __init__(self, project: Path | str) -> None:
        self.root = os.path.abspath(project)  # noqa: PTH100 - no link is resolved
        self.settings: Settings = load_settings(self.root)[0]

    def prune_feature(self, feature: str, dry_run: bool = False) -> PruneResult:
        """Archive what is older than `prune_days` in a feature's texts.

        Sections and entries are as old as the dates that they bear; the newest of a file stays.
        A file without a date is as old as its last change, by git or its own time, and goes
        whole where nothing of it has to stay. Raises FeatureError without such a feature,
        BackupError when nothing could be changed.
        """
        with open_feature_folder(self.root, feature, self.settings) as folder:
            notices = _unfinished(folder, dry_run=dry_run)
        with open_feature(self.root, feature, to_change=True) as found:
            plan = PrunePlan(found.folder, feature, found.files, found.texts, notices=notices)
            plan.notices += [
                f"{path}: {why}"
                for path, why in found.skipped.items()
                if is_document(path, "") and path not in found.unread
            ]
            plan.problems += unread_problems(found.skipped, found.unread)
            changed = last_changes(found.folder.path, plan.documents)
            for path in changed:
                plan_old(plan, path, changed[path], self.settings.prune_days, _count)
            return self._carry_out(plan, dry_run=dry_run)

    def prune_project_context(self, dry_run: bool = False) -> PruneResult:
        """Archive so much of the project's memory that it has `project_context_lines`.

        Headings stay. Dated content goes first, the oldest before the newer, then undated
        sections: as few as possible, the opening of the text last. Raises BackupError.
        """
        above, _, name = PROJECT_CONTEXT.rpartition("/")
        if not os.path.lexists(f"{self.root}/{PROJECT_CONTEXT}"):
            return PruneResult(feature=PROJECT_CONTEXT, dry_run=dry_run)
        with Folder.below(self.root, above) as folder:
            notices = _unfinished(folder, dry_run=dry_run)
            with backup_errors(folder):
                image = folder.read(name)
            text = decoded_text(image.content)
            plan = PrunePlan(
                folder, PROJECT_CONTEXT, {name: image}, {name: text or ""}, {}, notices
            )
            if text is None:
                plan.notices.append(f"{name}: no UTF-8 text")
            elif image.status.st_nlink > 1:
                plan.notices.append(f"{name}: {SECOND_NAME}")
            else:
                changed = last_changes(folder.path, plan.files)[name]
                limit = self.settings.project_context_lines
                plan_overflow(plan, name, changed, limit, _count)
            return self._carry_out(plan, dry_run=dry_run)

    def revert(
        self,
        feature: str,
        history_id: str,
        *,
        on_changed: OnChanged = "refuse",
        force: bool = False,
    ) -> CompactionHistoryEntry:
        """Give back what a change of a feature or of PROJECT_CONTEXT took; see `revert_change`."""
        with self._open(feature) as folder:
            hours = self.settings.revert_hours
            try:
                return revert_change(
                    folder, history_id, on_changed=on_changed, within_hours=hours, force=force
                )
            finally:
                # Also where it is refused: one that was killed may have reverted it, and no more.
                update_index(folder)

    def history(self, feature: str) -> tuple[list[CompactionHistoryEntry], list[str]]:
        """Return the changes of a feature or of PROJECT_CONTEXT, and what cannot be read of them.

        Nothing where the memory has no folder. Raises BackupError when there is no looking into it.
        """
        if feature == PROJECT_CONTEXT and not Path(self.root, feature).parent.is_dir():
            return [], []
        with self._open(feature) as folder, backup_errors(folder):
            return list_entries(folder)

    def has_change(self, feature: str, history_id: str) -> bool:
        """Return whether the history of a feature or of PROJECT_CONTEXT has this change."""
        try:
            with self._open(feature) as folder, backup_errors(folder):
                return folder.stat(f"{BACKUP_FOLDER}/{history_id}") is not None
        except CompactionError:
            return False

    def remove_expired(self, feature: str, dry_run: bool = False) -> Expired:
        """Remove what is kept of a feature or of PROJECT_CONTEXT beyond the settings' limits.

        What can still be reverted stays, in the archive too. Raises BackupError.
        """
        settings, hours = self.settings, self.settings.revert_hours
        with self._open(feature) as folder:
            documents = remove_expired_documents(
                folder,
                settings.archive_days,
                settings.archive_megabytes * _MEGABYTE,
                safe_hours=hours,
                dry_run=dry_run,
            )
            # Nothing there is nothing to lock and to write for.
            nothing = not folder.names(BACKUP_FOLDER)
            backups = remove_old_backups(folder, settings, dry_run=dry_run or nothing)
        return Expired(documents, backups)

    @contextmanager
    def _open(self, feature: str) -> Iterator[Folder]:
        if feature == PROJECT_CONTEXT:
            folder = Folder.below(self.root, PROJECT_CONTEXT.rpartition("/")[0])
        else:
            folder = open_feature_folder(self.root, feature, self.settings)
        with folder:
            yield folder

    def _carry_out(self, plan: PrunePlan, *, dry_run: bool) -> PruneResult:
        parts = tuple(part for part, _ in plan.parts)
        result = PruneResult(
            feature=plan.feature,
            dry_run=dry_run,
            archived=parts,
            tokens_before=sum(_count(plan.texts[path]) for path in plan.cuts),
            tokens_after=sum(_count(each.text or "") for each in plan.cuts.values()),
            notices=tuple(plan.notices),
            problems=tuple(plan.problems),
        )
        if dry_run or not parts:
            return result
        return _apply(plan, result)


def _apply(plan: PrunePlan, result: PruneResult) -> PruneResult:
    """Archive the parts and replace the files, all together."""
    identifier = new_change_id(plan.folder)
    archived: list[ArchivedPart] = []
    documents: list[Replacement] = []
    for part, content in plan.parts:
        path = document_path(part, identifier, len(archived) + 1)
        data = document_of(part, content.encode(), identifier)
        documents.append(Replacement(path=path, old=None, new=data))
        archived.append(replace(part, document=path))
    files = [
        Replacement(
            path=path, old=plan.files[path], new=None if each.text is None else each.text.encode()
        )
        for path, each in plan.cuts.items()
    ]
    # Before a file has less in it, what it had is in the archive.
    applied = apply_change(
        plan.folder,
        [*documents, *files],
        level=_LEVEL,
        identifier=identifier,
        tokens=(result.tokens_before, result.tokens_after),
        items=tuple(_item(part) for part in archived),
    )
    problems = list(result.problems)
    try:
        update_index(plan.folder)
    except BackupError as error:
        problems.append(f"the archive's index is left to the next prune: {error}")
    return replace(
        result,
        archived=tuple(archived),
        history_id=identifier,
        notices=(*result.notices, *applied.found),
        problems=tuple(problems),
    )


def _item(part: ArchivedPart) -> dict[str, Any]:
    """Return a part as the history shows it."""
    return {
        "type": "old_content",
        "file": part.source,
        "heading": list(part.heading),
        "line": part.line,
        "lines": part.lines,
        "tokens": part.tokens,
        "date": str(part.first),
        "until": str(part.last),
        "document": part.document,
        "can_revert": True,
    }


def _unfinished(folder: Folder, *, dry_run: bool) -> list[str]:
    """End what was cut off in a folder before it is read; a dry run only tells of it."""
    if not dry_run:
        said = recover_folder(folder)
        update_index(folder)
        return said
    with backup_errors(folder):
        return ["a change was cut off here; it is put right first"] if is_unfinished(folder) else []


def _count(text: str) -> int:
    """Return a text's tokens, estimated; a cache would take longer than that for small parts."""
    from amplihack_compaction.context.tokens.estimate import estimate

    return round(estimate(text).tokens)

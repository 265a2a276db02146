"""Archive what is old of a feature's texts, and what the project's memory has too much of.

Everything is one change of the folder: the files with less in them, the archived documents, and
the backup of what was there. `revert` takes all of it back.
"""

import os
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.settings import Settings, load_settings
from amplihack_compaction.compactor.archive.archive_folder import (
    ArchivedPart,
    document_of,
    document_path,
    remove_expired_documents,
)
from amplihack_compaction.compactor.archive.selection import (
    Cut,
    DatedText,
    is_document,
    last_change,
)
from amplihack_compaction.compactor.backups.change_history import (
    BACKUP_FOLDER,
    CompactionHistoryEntry,
)
from amplihack_compaction.compactor.backups.changes import (
    OnChanged,
    Replacement,
    apply_change,
    new_change_id,
    recover_folder,
    remove_expired,
)
from amplihack_compaction.compactor.backups.folder import FileImage, Folder, backup_errors
from amplihack_compaction.compactor.features.feature import (
    PROJECT_CONTEXT,
    decoded_text,
    feature_history,
    open_changed_folder,
    open_feature,
    revert_feature,
    unread_problems,
    why_left_alone,
)
from amplihack_compaction.context.estimate import estimate
from amplihack_compaction.text.markdown import split_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneResult:
    """What was archived of a feature, or would be; tokens are of the files it changes.

    `archived` are the parts, in the order of their files; `history_id` names the change that
    `revert` takes back, empty where there is none. `notices` are sentences for the user, and so are
    `problems`: what could not be read, and is left to the next prune.
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
        A file without a date is as old as its time of change, and goes whole where nothing of it
        has to stay. Raises FeatureError without such a feature, BackupError when nothing could be
        changed.
        """
        before = date.today() - timedelta(days=self.settings.prune_days)
        with open_feature(self.root, feature, to_change=True, dry_run=dry_run) as found:
            notices = [
                f"{path}: {why}"
                for path, why in found.skipped.items()
                if is_document(path, "") and path not in found.unread
            ]
            cuts: list[_FileCut] = []
            for path, text in found.texts.items():
                if is_document(path, text):
                    image = found.files[path]
                    cut = DatedText(path, text, date.today()).cut_old(before, last_change(image))
                    # The line that tells of the archive may cost more than a few words would.
                    if cut.parts and _count(cut.text or "") < _count(text):
                        cuts.append((image, text, cut))
            result = _archive(found.folder, feature, cuts, found.notices + notices, dry_run=dry_run)
            return replace(result, problems=tuple(unread_problems(found.skipped, found.unread)))

    def prune_project_context(self, dry_run: bool = False) -> PruneResult:
        """Archive so much of the project's memory that it has `project_context_lines`.

        Headings stay. Dated content goes first, the oldest before the newer, then undated
        sections: as few as possible, the opening of the text last. Raises BackupError.
        """
        name, limit = PROJECT_CONTEXT.rpartition("/")[2], self.settings.project_context_lines
        if not os.path.lexists(f"{self.root}/{PROJECT_CONTEXT}"):
            return PruneResult(feature=PROJECT_CONTEXT, dry_run=dry_run)
        with open_changed_folder(self.root, PROJECT_CONTEXT, self.settings) as folder:
            notices = recover_folder(folder, dry_run=dry_run)
            cuts: list[_FileCut] = []
            with backup_errors(folder):
                image = folder.read(name)
            text = decoded_text(image.content)
            if text is None:
                notices.append(f"{name}: no UTF-8 text")
            elif why := why_left_alone(image):
                notices.append(f"{name}: {why}")
            elif (over := len(split_lines(text)) - limit) > 0:
                cut = DatedText(name, text, date.today()).cut_overflow(over, last_change(image))
                if cut.parts:
                    cuts.append((image, text, cut))
                if (left := len(split_lines(cut.text or ""))) > limit:
                    notices.append(
                        f"{name} has {left} lines, more than {limit}, when all has gone that may:"
                        " headings, open items, decisions and rules stay"
                    )
            return _archive(folder, PROJECT_CONTEXT, cuts, notices, dry_run=dry_run)

    def revert(
        self,
        feature: str,
        history_id: str,
        *,
        on_changed: OnChanged = "refuse",
        force: bool = False,
    ) -> CompactionHistoryEntry:
        """Give back what a change of a feature or of PROJECT_CONTEXT took; see `revert_change`."""
        return revert_feature(self.root, feature, history_id, on_changed=on_changed, force=force)

    def history(self, feature: str) -> tuple[list[CompactionHistoryEntry], list[str]]:
        """Return the changes of a feature or of PROJECT_CONTEXT, and what cannot be read of them.

        Nothing where the memory has no folder. Raises BackupError when there is no looking into it.
        """
        return feature_history(self.root, feature)

    def has_change(self, feature: str, history_id: str) -> bool:
        """Return whether the history of a feature or of PROJECT_CONTEXT has this change."""
        try:
            with (
                open_changed_folder(self.root, feature, self.settings) as folder,
                backup_errors(folder),
            ):
                return folder.stat(f"{BACKUP_FOLDER}/{history_id}") is not None
        except CompactionError:
            return False

    def remove_expired(self, feature: str, dry_run: bool = False) -> Expired:
        """Remove what is kept of a feature or of PROJECT_CONTEXT beyond the settings' limits.

        What can still be reverted stays, in the archive too. Raises BackupError.
        """
        settings = self.settings
        with open_changed_folder(self.root, feature, settings) as folder:
            documents = remove_expired_documents(folder, settings, dry_run=dry_run)
            backups = remove_expired(folder, settings, dry_run=dry_run)
        return Expired(documents, backups)


_FileCut = tuple[FileImage, str, Cut]
"""A file, its text, and what is to be cut of it."""


def _archive(
    folder: Folder, feature: str, cuts: list[_FileCut], notices: list[str], *, dry_run: bool
) -> PruneResult:
    """Archive what is cut and replace the files, all together; return what was done."""
    parts = [pair for _, _, cut in cuts for pair in cut.parts]
    result = PruneResult(
        feature=feature,
        dry_run=dry_run,
        archived=tuple(part for part, _ in parts),
        tokens_before=sum(_count(text) for _, text, _ in cuts),
        tokens_after=sum(_count(cut.text or "") for _, _, cut in cuts),
        notices=tuple(notices),
    )
    if dry_run or not parts:
        return result
    identifier = new_change_id(folder)
    archived: list[ArchivedPart] = []
    replacements: list[Replacement] = []
    # Before a file has less in it, what it had is in the archive.
    for number, (part, content) in enumerate(parts, 1):
        path = document_path(part, identifier, number)
        document = document_of(part, content.encode(), identifier)
        replacements.append(Replacement(path=path, old=None, new=document))
        archived.append(replace(part, document=path))
    for image, _, cut in cuts:
        new = None if cut.text is None else cut.text.encode()
        replacements.append(Replacement(path=image.path, old=image, new=new))
    found = apply_change(
        folder,
        replacements,
        level="prune",
        identifier=identifier,
        tokens=(result.tokens_before, result.tokens_after),
        items=tuple(map(_item, archived)),
    )
    notices = [*notices, *found]
    return replace(result, archived=tuple(archived), history_id=identifier, notices=tuple(notices))


def _item(part: ArchivedPart) -> dict[str, Any]:
    """Return a part as the history shows it."""
    stored = part.stored()
    file = stored.pop("source")
    return {"type": "old_content", "file": file, **stored, "document": part.document,
            "can_revert": True}  # fmt: skip


def _count(text: str) -> int:
    """Return a text's tokens, estimated; a cache would take longer than that for small parts."""
    return round(estimate(text).tokens)

"""A feature: a folder below the configured one, with the texts that a session is handed.

A feature's `state.json` may tell its state (`status`, `state` or `phase`) and its progress
(`progress`, in percent or as a ratio); else its checklists do.
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from amplihack_compaction.base.contained_files import list_inside
from amplihack_compaction.base.errors import BackupError, FeatureError
from amplihack_compaction.base.settings.settings import Settings, load_settings
from amplihack_compaction.compactor.backups.folder import FileImage, Folder
from amplihack_compaction.compactor.backups.recovery import recover_folder
from amplihack_compaction.compactor.backups.tree import read_tree
from amplihack_compaction.compactor.features.focus import FOCUS_FILE, active_feature
from amplihack_compaction.text.strings import one_line

SECOND_NAME = "a file with a second name (a hard link)"
_NAMES_SHOWN = 20
_STATE_CHARS = 60
_CHECK = re.compile(r"^[ \t]*(?:[-*+]|\d{1,4}[.)])[ \t]+\[([ xX])\](?:[ \t]|$)", re.MULTILINE)


@dataclass(frozen=True)
class Feature:
    """A feature as it was read; `skipped` says why other files were left alone.

    `unread` are the files and folders among those that the system did not let be read.
    """

    name: str
    folder: Folder
    files: dict[str, FileImage]
    texts: dict[str, str]
    skipped: dict[str, str]
    unread: tuple[str, ...]
    settings: Settings
    notices: list[str]

    @property
    def characters(self) -> int:
        """How many characters its texts have."""
        return sum(map(len, self.texts.values()))

    @property
    def state(self) -> str:
        """What its `state.json` calls its state, on one line; empty where nothing does."""
        content = _state_of(self.texts)
        named = (content.get(name) for name in ("status", "state", "phase"))
        found = next((each for each in named if isinstance(each, str) and each.strip()), "")
        return one_line(found, _STATE_CHARS)

    @property
    def checked(self) -> tuple[int, int]:
        """How many items of its checklists are done, and how many there are."""
        marks = [mark for text in self.texts.values() for mark in _CHECK.findall(text)]
        return sum(mark != " " for mark in marks), len(marks)

    @property
    def progress_percent(self) -> int | None:
        """How far it is; None where neither its state nor a checklist tells."""
        told = _state_of(self.texts).get("progress")
        if isinstance(told, int | float) and not isinstance(told, bool) and 0 <= told <= 100:
            return round(told * 100) if isinstance(told, float) and told <= 1 else round(told)
        done, all_items = self.checked
        return round(100 * done / all_items) if all_items else None


@contextmanager
def open_feature(
    root: str, name: str = "", *, repair: bool = False, to_change: bool = False
) -> Iterator[Feature]:
    """Read a feature, without a name the active one; its folder stays open in the `with`.

    With `repair`, a change that was cut off is ended first; `notices` say so. With `to_change`,
    files with a second name are left alone, since a new file in their place would part the two.
    Raises FeatureError when there is none of this name, or none is active, and BackupError when
    what was cut off cannot be ended.
    """
    settings, _ = load_settings(root)
    name = name or need_active(root)
    try:
        folder = open_feature_folder(root, name, settings)
    except BackupError as error:
        raise FeatureError(str(error)) from error
    with folder:
        notices = recover_folder(folder) if repair else []
        tree = read_tree(folder)
        texts, skipped = {}, dict(tree.skipped)
        for path, image in tree.files.items():
            text = text_of(image.content)
            if text is None:
                skipped[path] = "no UTF-8 text"
            elif to_change and image.links > 1:
                skipped[path] = SECOND_NAME
            else:
                texts[path] = text
        unread = tuple(tree.unread)
        yield Feature(name, folder, tree.files, texts, skipped, unread, settings, notices)


def need_active(root: str) -> str:
    """Return the active feature. Raises FeatureError when none is."""
    name = active_feature(root)
    if not name:
        raise FeatureError(
            f"no feature is active: name one, or write `feature: NAME` into {root}/{FOCUS_FILE}"
        )
    return name


def open_feature_folder(root: str, name: str, settings: Settings) -> Folder:
    """Open a feature's folder. Raises FeatureError without one, BackupError where a link leads."""
    within = _plain_folder(settings)
    above = f"{root}/{within}"
    if not is_feature_name(name) or not os.path.isdir(f"{above}/{name}"):  # noqa: PTH112
        known = feature_names(root, settings)
        has = f"; features here: {', '.join(known[:_NAMES_SHOWN])}" if known else ""
        raise FeatureError(f"there is no feature {name!r} in {above}{has}")
    return Folder.below(root, f"{within}/{name}" if within else name)


def feature_names(root: str, settings: Settings) -> list[str]:
    """Return the names of a project's features, sorted; those that are links are none."""
    within = _plain_folder(settings)
    above = f"{root}/{within}"
    return [
        name
        for name in list_inside(root, within)
        if is_feature_name(name)
        and os.path.isdir(f"{above}/{name}")  # noqa: PTH112
        and not os.path.islink(f"{above}/{name}")  # noqa: PTH114
    ]


def _plain_folder(settings: Settings) -> str:
    """Return where features stand below the project; empty for the project itself."""
    return "/".join(part for part in settings.features_folder.split("/") if part not in ("", "."))


def is_feature_name(name: str) -> bool:
    """Return whether a name can be that of a feature's folder; hidden ones are not."""
    return bool(name) and not name.startswith(".") and "/" not in name and "\0" not in name


def text_of(content: bytes) -> str | None:
    """Return the text that bytes hold, line ends as they are; None when they are no UTF-8 text."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _state_of(texts: dict[str, str]) -> dict[str, Any]:
    try:
        content = json.loads(texts.get("state.json", "{}"))
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}

"""A feature: a folder below the configured one, its texts, their size, and what was done to them.

The active one is named by `.claude/active-focus.md`: its `feature:` line, else its first words. A
feature's `state.json` may tell its state (`status`, `state` or `phase`) and its progress
(`progress`, in percent or as a ratio); else its checklists do.
"""

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from shlex import quote
from typing import TYPE_CHECKING, Any, Literal

from amplihack_compaction.base.errors import BackupError, FeatureError
from amplihack_compaction.base.folders import list_inside, read_inside
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.settings import Settings, load_settings
from amplihack_compaction.compactor.backups.change_history import (
    CompactionHistoryEntry,
    list_entries,
)
from amplihack_compaction.compactor.backups.changes import OnChanged, recover_folder, revert_change
from amplihack_compaction.compactor.backups.folder import (
    FileImage,
    Folder,
    Tree,
    backup_errors,
    read_tree,
)
from amplihack_compaction.compactor.condense.documents import CompactedItem
from amplihack_compaction.context.levels import API_MODEL, ContextStatus, status_at
from amplihack_compaction.text.markdown import list_item
from amplihack_compaction.text.words import inert, one_line
from amplihack_compaction.transcript.session import as_object

if TYPE_CHECKING:
    from amplihack_compaction.context.counter import TokenCounter

FeatureLevel = Literal["compact", "summarize"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionResult:
    """What a compaction of a feature did, or would do: tokens of all its texts before and after.

    `history_id` is None on a dry run and where nothing was to be done. `skipped` says why files
    were left alone, `unread` which of them the system did not let be read, `notices` what was found
    and put right before.
    """

    feature: str
    level: FeatureLevel = "compact"
    original_tokens: int
    compacted_tokens: int
    items: tuple[CompactedItem, ...] = ()
    files: tuple[str, ...] = ()
    history_id: str | None = None
    dry_run: bool = False
    skipped: dict[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def saved_tokens(self) -> int:
        """How many tokens less the feature has."""
        return self.original_tokens - self.compacted_tokens

    @property
    def problems(self) -> list[str]:
        """A sentence for each file or folder that could not be looked at."""
        return unread_problems(self.skipped, self.unread)

    @property
    def can_revert(self) -> bool:
        """Whether there is something to take back."""
        return self.history_id is not None

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain values, `saved_tokens` included."""
        return {**asdict(self), "saved_tokens": self.saved_tokens}


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarizeResult(CompactionResult):
    """What a summary of a feature did: `files` gave way to `summary`, in `SUMMARY.md`.

    `made_by` is "rules" for the deterministic one, "claude" for the user's own client.
    """

    summary: str = ""
    made_by: Literal["rules", "claude"] = "rules"
    summary_tokens: int = 0


def unread_problems(skipped: Mapping[str, str], unread: Iterable[str]) -> list[str]:
    """Return a sentence for each file or folder that could not be read."""
    return [f"{path} was left out: {skipped[path]}" for path in unread]


def revert_command(feature: str, program: str = "") -> str:
    """Return the command that takes the newest change of a feature back.

    It is what works here; with a `program`, as files that others read are to have it.
    """
    name = quote(inert(feature))
    options = f"--revert -- {name}" if name.startswith("-") else f"{name} --revert"
    return f"{program or own_command()} feature compact {options}"


FOCUS_FILE = ".claude/active-focus.md"
_LIMIT_BYTES = 64 * 1024
_NAME_CHARS = 80
PROJECT_CONTEXT = ".claude/memory/project-context.md"
"""The project's memory; it stands for a feature's name, which has no slash."""

_MEMORY = PROJECT_CONTEXT.rpartition("/")[0]
_NAMES_SHOWN = 20
_STATE_CHARS = 60


def active_feature(root: str) -> str:
    """Return the feature that `.claude/active-focus.md` names; empty without one."""
    data = read_inside(root, FOCUS_FILE, _LIMIT_BYTES) or b""
    lines = [
        line.strip().strip("#*->` \t") for line in data.decode("utf-8", "replace").splitlines()
    ]
    for line in lines:
        head, _, name = line.partition(":")
        if head.strip("*` ").casefold() in ("feature", "active feature", "active") and name:
            return plain_name(name)
    return next(filter(None, map(plain_name, lines)), "")


def plain_name(name: str) -> str:
    """Return a name as one printable line without quotes around it."""
    line = one_line(name, _NAME_CHARS)
    return "".join(c for c in line if c.isprintable()).strip("*`'\" ")


def feature_context(root: str, name: str = "") -> ContextStatus:
    """Return how full a feature is, without a name the active one.

    Raises FeatureError when there is none.
    """
    with open_feature(root, name) as feature, counting(feature.settings) as counter:
        tokens = sum(count_each(feature.texts, counter).values())
        return status_of_tokens(tokens, feature.settings)


def status_of_tokens(tokens: int, settings: Settings) -> ContextStatus:
    """Return the status of a feature with so many tokens."""
    return status_at(
        tokens, settings.feature_tokens, settings, source="feature_tokens of the settings"
    )


@contextmanager
def counting(settings: Settings) -> Iterator["TokenCounter"]:
    """Make a token counter as the settings want it, and close it afterwards.

    One serves for all that is done to a feature: an API that does not answer is waited for once.
    """
    from amplihack_compaction.context.counter import TokenCounter

    model = API_MODEL if settings.token_api else ""
    with closing(TokenCounter(model=model, api=settings.token_api)) as counter:
        yield counter


def count_each(texts: Mapping[str, str], counter: "TokenCounter") -> dict[str, int]:
    """Return the tokens of each text."""
    return {path: counter.count(text).count for path, text in texts.items()}


def revert_feature(
    root: str,
    name: str,
    history_id: str = "",
    *,
    on_changed: OnChanged = "refuse",
    force: bool = False,
) -> CompactionHistoryEntry:
    """Take a change of a feature or of PROJECT_CONTEXT back; return its entry.

    Without an id it is the newest one in force or cut off, else one that is so in part. Raises
    FeatureError without such a feature, ChangedError when files were changed since, and BackupError
    when it cannot be taken back; then every file is as it was.
    """
    settings, _ = load_settings(root)
    with open_changed_folder(root, name, settings) as folder:
        if not history_id:
            with backup_errors(folder):
                entries, problems = list_entries(folder)
            able = [entry for entry in entries if entry.can_revert or entry.is_unfinished]
            able = able or [e for e in entries if e.to_revert and not e.backup_removed]
            if not able:
                nothing = f"nothing of {name} can be reverted; `history` says what was done"
                raise BackupError("; ".join([nothing, *problems]))
            history_id = able[-1].id
        hours = math.inf if force else settings.revert_hours
        return revert_change(folder, history_id, on_changed=on_changed, within_hours=hours)


def feature_history(root: str, name: str) -> tuple[list[CompactionHistoryEntry], list[str]]:
    """Return what was done to a feature or PROJECT_CONTEXT, oldest first, and what is not readable.

    Nothing where the memory has no folder. Raises FeatureError without such a feature, BackupError
    when there is no looking into it.
    """
    if name == PROJECT_CONTEXT and not os.path.isdir(f"{root}/{_MEMORY}"):  # noqa: PTH112
        return [], []
    settings, _ = load_settings(root)
    with open_changed_folder(root, name, settings) as folder, backup_errors(folder):
        return list_entries(folder)


def open_changed_folder(root: str, name: str, settings: Settings) -> Folder:
    """Open the folder of a feature or of PROJECT_CONTEXT; see `open_feature_folder`."""
    if name == PROJECT_CONTEXT:
        return Folder(root, _MEMORY)
    return open_feature_folder(root, name, settings)


@dataclass(frozen=True)
class Feature(Tree):
    """A feature as it was read."""

    name: str
    folder: Folder
    texts: dict[str, str]
    settings: Settings
    notices: list[str]

    @property
    def characters(self) -> int:
        """How many characters its texts have."""
        return sum(map(len, self.texts.values()))

    @property
    def state(self) -> str:
        """The state that its `state.json` names, on one line; empty where nothing does."""
        content = _state_of(self.texts)
        named = (content.get(name) for name in ("status", "state", "phase"))
        found = next((each for each in named if isinstance(each, str) and each.strip()), "")
        return one_line(found, _STATE_CHARS)

    @property
    def checked(self) -> tuple[int, int]:
        """How many items of its checklists are done, and how many there are."""
        lines = (line for text in self.texts.values() for line in text.splitlines())
        boxes = [item.box for line in lines if (item := list_item(line)) and item.box]
        boxes = [box for box in boxes if box in " xX"]
        return sum(box != " " for box in boxes), len(boxes)

    @property
    def progress_percent(self) -> int | None:
        """How far it is; None where neither its state nor a checklist tells."""
        told = _state_of(self.texts).get("progress")
        if isinstance(told, int | float) and not isinstance(told, bool) and 0 <= told <= 100:
            return round(told * 100) if isinstance(told, float) and told <= 1 else round(told)
        done, all_items = self.checked
        return round(100 * done / all_items) if all_items else None


def why_left_alone(image: FileImage) -> str:
    """Return why no other file may be put in the place of one; empty where one may."""
    if image.status.st_nlink > 1:
        return "a file with a second name (a hard link)"
    is_own = os.geteuid() in (0, image.status.st_uid)
    return "" if is_own else "another user's file, which would then be yours"


@contextmanager
def open_feature(
    root: str, name: str = "", *, to_change: bool = False, dry_run: bool = False
) -> Iterator[Feature]:
    """Read a feature, without a name the active one; its folder stays open in the `with`.

    With `to_change`, a change that was cut off is ended first, unless it is a `dry_run`, and
    `notices` say so; files with a second name or of another user are left alone, since a new one
    would not be the same. Raises FeatureError when there is none of this name, or none is active,
    and BackupError when what was cut off cannot be ended.
    """
    settings, _ = load_settings(root)
    name = name or need_active(root)
    try:
        folder = open_feature_folder(root, name, settings)
    except BackupError as error:
        raise FeatureError(str(error)) from error
    with folder:
        notices = recover_folder(folder, dry_run=dry_run) if to_change else []
        tree = read_tree(folder)
        feature = Feature(
            tree.files, tree.skipped, tree.unread, name, folder, {}, settings, notices
        )
        for path, image in feature.files.items():
            text = decoded_text(image.content)
            if text is None:
                feature.skipped[path] = "no UTF-8 text"
            elif to_change and (why := why_left_alone(image)):
                feature.skipped[path] = why
            else:
                feature.texts[path] = text
        yield feature


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
    return Folder(root, f"{within}/{name}" if within else name)


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


def decoded_text(content: bytes) -> str | None:
    """Return the text that bytes hold, line ends as they are; None when they are no UTF-8 text."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _state_of(texts: dict[str, str]) -> dict[str, Any]:
    try:
        return as_object(json.loads(texts.get("state.json", "{}")))
    except (ValueError, RecursionError):
        return {}

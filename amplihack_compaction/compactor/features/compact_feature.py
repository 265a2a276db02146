"""Compact a feature's files, reversibly: shorter texts in their place, or one summary of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TypeVar

from amplihack_compaction.base.errors import BackupError, ChangedError, FeatureError
from amplihack_compaction.base.installation import COMMAND_NAME
from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.base.settings.settings import Settings
from amplihack_compaction.compactor.backups.apply_change import (
    Replacement,
    apply_change,
    new_change_id,
)
from amplihack_compaction.compactor.backups.change_history import BACKUP_FOLDER
from amplihack_compaction.compactor.condense.condense import condense_texts
from amplihack_compaction.compactor.condense.documents import CompactedItem
from amplihack_compaction.compactor.features.feature import (
    Feature,
    active_feature,
    count_each,
    counting,
    open_feature,
    remove_old_backups,
)
from amplihack_compaction.compactor.features.results import (
    CompactionResult,
    FeatureLevel,
    SummarizeResult,
    revert_command,
    unread_problems,
)
from amplihack_compaction.compactor.features.summarizer import (
    CLAUDE_SECONDS,
    SUMMARY_TOKENS,
    prose_of,
    summary_path,
    write_summary,
)
from amplihack_compaction.context.tokens.estimate import estimate_part

_Result = TypeVar("_Result", bound=CompactionResult)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionOptions:
    """How a feature is compacted.

    `with_claude` has the user's own `claude -p` write a summary, for at most `claude_seconds`.
    """

    level: FeatureLevel = "compact"
    dry_run: bool = False
    with_claude: bool = False
    claude_seconds: float = CLAUDE_SECONDS


def compact_feature(
    root: str, name: str = "", options: CompactionOptions | None = None
) -> CompactionResult:
    """Shorten a feature's texts, with a backup of every file that changes.

    Without a name the active feature is meant. Raises FeatureError without one, and BackupError
    when it cannot be done, ChangedError when files keep changing meanwhile; then every file is as
    it was.
    """
    options = options or CompactionOptions()
    if options.level == "summarize":
        return summarize_feature(root, name, options)
    return _again_when_changed(lambda: _compact(root, name, options))


def _compact(root: str, name: str, options: CompactionOptions) -> CompactionResult:
    with (
        # A dry run leaves even what was cut off for later.
        open_feature(root, name, repair=not options.dry_run, to_change=True) as feature,
        counting(feature.settings) as counter,
    ):
        identifier = new_change_id(feature.folder)
        hint = f"`{revert_command(feature.name, program=COMMAND_NAME)}` brings it back"
        condensed = condense_texts(feature.texts, estimate_part, hint)
        changed = {p: text for p, text in condensed.texts.items() if text != feature.texts[p]}
        counts = count_each(feature.texts, counter)
        before = sum(counts.values())
        saved = sum(counts[path] for path in changed) - sum(count_each(changed, counter).values())
        result = CompactionResult(
            feature=feature.name,
            original_tokens=before,
            compacted_tokens=before - saved,
            items=_kept(condensed.items, list(changed), "" if options.dry_run else identifier),
            files=tuple(changed),
            dry_run=options.dry_run,
            skipped=feature.skipped,
            unread=feature.unread,
            notices=tuple(feature.notices),
        )
        contents: dict[str, bytes | None] = {p: text.encode() for p, text in changed.items()}
        return _carry_out(feature, contents, result, identifier)


def summarize_feature(
    root: str, name: str = "", options: CompactionOptions | None = None
) -> SummarizeResult:
    """Put one summary of under 500 tokens in the place of a feature's prose. Lossy, reversible.

    Data and code stay as they are, and so does prose that is shorter than a summary. Raises
    FeatureError without such a feature, without prose, or where a file of it cannot be read, since
    one summary stands for all; BackupError when it cannot be done. Then every file is as it was.
    """
    options = options or CompactionOptions(level="summarize")
    return _again_when_changed(lambda: _summarize(root, name, options))


def _summarize(root: str, name: str, options: CompactionOptions) -> SummarizeResult:
    with (
        open_feature(root, name, repair=not options.dry_run, to_change=True) as feature,
        counting(feature.settings) as counter,
    ):
        if feature.unread:
            problems = "; ".join(unread_problems(feature.skipped, feature.unread))
            raise FeatureError(f"no summary of {feature.name} can be made: {problems}")
        prose = prose_of(feature)
        if not prose:
            raise FeatureError(f"{feature.name} has no prose that could be summarised")
        counts = count_each(feature.texts, counter)
        before, gone = sum(counts.values()), sum(counts[path] for path in prose)
        result = SummarizeResult(
            feature=feature.name,
            level="summarize",
            original_tokens=before,
            compacted_tokens=before,
            dry_run=options.dry_run,
            skipped=feature.skipped,
            notices=tuple(feature.notices),
        )
        if gone <= SUMMARY_TOKENS:
            short = f"its prose has {gone} tokens: no more than a summary would have"
            return replace(result, notices=(*result.notices, short))
        identifier = new_change_id(feature.folder)
        seconds = options.claude_seconds if options.with_claude else 0.0
        written = write_summary(feature, prose, gone, identifier, seconds)
        tokens = counter.count(written.text).count
        result = replace(
            result,
            compacted_tokens=before - gone + tokens,
            files=tuple(prose),
            summary=written.text,
            summary_tokens=tokens,
            made_by=written.made_by,
            notices=(*result.notices, *written.notices),
        )
        contents: dict[str, bytes | None] = dict.fromkeys(prose)
        contents[summary_path(feature, prose)] = written.text.encode()
        return _carry_out(feature, contents, result, identifier)


def _again_when_changed(work: Callable[[], _Result]) -> _Result:
    """Read and do it anew when another process was quicker, or a file was just written to."""
    try:
        return work()
    except ChangedError:
        return work()


def _carry_out(
    feature: Feature, contents: Mapping[str, bytes | None], result: _Result, identifier: str
) -> _Result:
    """Make the change that a result describes, and drop backups that have become too old."""
    if result.dry_run or not contents:
        return result
    replacements = [
        Replacement(path=path, old=feature.files.get(path), new=content)
        for path, content in contents.items()
    ]
    found = apply_change(
        feature.folder,
        replacements,
        level=result.level,
        identifier=identifier,
        tokens=(result.original_tokens, result.compacted_tokens),
        items=tuple(asdict(item) for item in result.items),
    ).found
    try:
        remove_old_backups(feature.folder, feature.settings)
    except BackupError as error:  # the change itself stands
        found.append(f"old backups could not be removed: {error}")
    return replace(result, history_id=identifier, notices=(*result.notices, *found))


def _kept(
    condensed: Sequence[CompactedItem], changed: list[str], identifier: str
) -> tuple[CompactedItem, ...]:
    """Return what was cut, with where it is kept; `identifier` is empty on a dry run."""
    kept = {
        path: f"{BACKUP_FOLDER}/{identifier}/{number}.old" for number, path in enumerate(changed, 1)
    }
    return tuple(
        replace(
            each,
            what=redact(each.what),
            can_revert=bool(identifier),
            revert_path=kept[each.file] if identifier else "",
        )
        for each in condensed
    )


def compact_active_feature(
    root: str, level: FeatureLevel, settings: Settings, feature: str = ""
) -> CompactionResult | None:
    """Compact a feature, without a name the active one, at a level.

    None where `auto` is off or no feature is active. Raises FeatureError when there is no such
    feature, and BackupError when it cannot be done; then every file is as it was.
    """
    name = feature or active_feature(root)
    if not settings.auto or not name:
        return None
    return compact_feature(root, name, CompactionOptions(level=level))


def describe(result: CompactionResult) -> str:
    """Return what a compaction did and how it is undone, in a few words; empty for nothing."""
    if result.history_id is None:
        return ""
    done = "compacted" if result.level == "compact" else "summarised"
    return (
        f"feature {result.feature} {done} from {result.original_tokens:,} to"
        f" {result.compacted_tokens:,} tokens (undo: {revert_command(result.feature)})"
    )

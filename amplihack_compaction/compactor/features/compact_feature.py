"""Compact a feature's files, reversibly: shorter texts in their place, or one summary of them.

The summary is written by rules, or by the user's client, which is asked as `claude -p`, with the
user's own settings and account but without tools, hooks and a transcript; whatever goes wrong with
it, the rules write the summary.
"""

import os
import shutil
import subprocess
import tempfile
from bisect import bisect_right
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Literal

from amplihack_compaction.base.errors import BackupError, ChangedError, FeatureError
from amplihack_compaction.base.installation import COMMAND_NAME
from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.base.size_limits import DISABLE_VARIABLE
from amplihack_compaction.compactor.backups.change_history import BACKUP_FOLDER
from amplihack_compaction.compactor.backups.changes import (
    Replacement,
    apply_change,
    new_change_id,
    remove_expired,
)
from amplihack_compaction.compactor.condense.condense import condense_texts
from amplihack_compaction.compactor.condense.documents import sort_of
from amplihack_compaction.compactor.condense.summary import summarize_texts
from amplihack_compaction.compactor.features.feature import (
    CompactionResult,
    Feature,
    FeatureLevel,
    SummarizeResult,
    count_each,
    counting,
    open_feature,
    revert_command,
)
from amplihack_compaction.context.estimate import estimate, estimate_part
from amplihack_compaction.text.words import counted

SUMMARY_FILE = "SUMMARY.md"
SUMMARY_TOKENS = 500
CLAUDE_SECONDS = 120.0
# About 100,000 tokens: what every model's window takes beside the client's own texts.
_PROMPT_LIMIT_CHARS = 400_000
_ANSWER_LIMIT_CHARS = 20_000
# A client within a session says so to the processes that it starts.
_SESSION_VARIABLES = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT")
_INSTRUCTIONS = (
    "You summarise the notes of a software feature for the engineer who goes on with it. Answer"
    " with Markdown alone, under 400 tokens, with these headings where there is something to say:"
    " Decisions, Files modified, Next steps, Open todos, Rules. Keep names, paths, numbers and"
    " commands exactly as they are written. Say nothing that the notes do not say."
)


def summary_path(feature: Feature, prose: Mapping[str, str]) -> str:
    """Return where a summary goes: in the place of the last one, never of what is left alone.

    Names that differ in case are one, as they are on some file systems.
    """
    there = (*feature.files, *feature.skipped)
    name, number = SUMMARY_FILE, 1
    while True:
        taken = [path for path in there if path.casefold() == name.casefold()]
        if all(path in prose for path in taken):
            return taken[0] if taken else name
        number += 1
        name = SUMMARY_FILE.replace(".", f"-{number}.")


def write_summary(
    feature: Feature, prose: Mapping[str, str], tokens: int, identifier: str, seconds: float
) -> tuple[str, Literal["rules", "claude"], list[str]]:
    """Summarise prose of so many tokens in less than 500, without its secrets.

    Returned are the summary in Markdown, who made it, and what has to be said about that.
    `identifier` is that of the change to come. Where there are `seconds` the user's client is asked
    first, for so long at most.
    """
    note = (
        f"What they said is whole in `{BACKUP_FOLDER}/{identifier}`;"
        f" `{revert_command(feature.name, COMMAND_NAME)}` brings it back."
    )
    # So many that it costs less than its limit.
    limit = SUMMARY_TOKENS - round(estimate(".").wrapping) - 1
    notices: list[str] = []
    prose = {path: redact(text) for path, text in prose.items()}
    if seconds > 0:
        answer, problem = ask_claude(prose, seconds)
        if answer:
            dropped = f"{counted(len(prose), 'file')} with {counted(tokens, 'token')} became this"
            head = f"Summary. Information was dropped: {dropped}. {note}"
            return _fit(f"{head}\n\n{redact(answer)}\n", limit), "claude", notices
        notices.append(f"the summary was made by rules: {problem}")
    return summarize_texts(prose, estimate_part, limit, note=note), "rules", notices


def ask_claude(prose: Mapping[str, str], seconds: float) -> tuple[str, str]:
    """Have the user's own client summarise texts; return its answer, or "" and why there is none.

    The texts are shortened as level `compact` does it, and cut where they are too long.
    """
    program = shutil.which("claude")
    if program is None:
        return "", "there is no `claude` on the PATH"
    command = [
        program, "-p", "--no-session-persistence", "--tools", "", "--strict-mcp-config",
        "--system-prompt", _INSTRUCTIONS,
    ]  # fmt: skip
    condensed = condense_texts(prose, estimate_part).texts
    share = _PROMPT_LIMIT_CHARS // max(1, len(condensed))
    given = "\n\n".join(f"=== {path} ===\n{text[:share]}" for path, text in condensed.items())
    environment = {k: v for k, v in os.environ.items() if k not in _SESSION_VARIABLES}
    environment[DISABLE_VARIABLE] = "1"
    with tempfile.TemporaryDirectory() as empty:
        try:
            done = subprocess.run(  # noqa: S603 - the user's own program, without a shell
                command,
                input=given.encode("utf-8", "replace"),
                capture_output=True,
                timeout=seconds,
                cwd=empty,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "", f"`claude -p` did not answer within {seconds:g} s"
        except OSError as error:
            return "", f"`claude -p` could not be started: {error}"
    answer = done.stdout.decode("utf-8", "replace").strip()[:_ANSWER_LIMIT_CHARS]
    if done.returncode or not answer:
        said = done.stderr.decode("utf-8", "replace").strip() or answer
        return "", f"`claude -p` failed with {done.returncode}: {said[:200]!r}"
    return answer, ""


def _fit(text: str, limit_tokens: int) -> str:
    """Return the text without the last lines that are too many for a summary."""
    lines = text.splitlines(keepends=True)
    counts = range(1, len(lines) + 1)
    fitting = bisect_right(counts, limit_tokens, key=lambda n: estimate_part("".join(lines[:n])))
    return "".join(lines[: max(1, fitting)])


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

    Without a name the active feature is meant. Level `summarize` puts one summary of under 500
    tokens in the place of its prose: lossy, reversible. Data and code stay as they are, and so does
    prose that is shorter than a summary. Raises FeatureError without such a feature, and, for a
    summary, without prose or where a file of it cannot be read, since one summary stands for all;
    BackupError when it cannot be done, ChangedError when a file is changed meanwhile, also while it
    was tried again: another process may do the same. Then every file is as it was. Backups that
    have become too old are dropped.
    """
    options = options or CompactionOptions()
    if not options.with_claude:  # whose answer costs minutes
        with suppress(ChangedError):
            return _compact(root, name, options)
    return _compact(root, name, options)


def _compact(root: str, name: str, options: CompactionOptions) -> CompactionResult:
    is_summary = options.level == "summarize"
    with (
        open_feature(root, name, to_change=True, dry_run=options.dry_run) as feature,
        counting(feature.settings) as counter,
    ):
        counts = count_each(feature.texts, counter)
        tokens = sum(counts.values())
        result = (SummarizeResult if is_summary else CompactionResult)(
            feature=feature.name,
            level=options.level,
            original_tokens=tokens,
            compacted_tokens=tokens,
            dry_run=options.dry_run,
            skipped=feature.skipped,
            unread=tuple(feature.unread),
            notices=tuple(feature.notices),
        )
        identifier = new_change_id(feature.folder)
        if isinstance(result, SummarizeResult):
            result, texts = _summarized(feature, counts, result, options, identifier)
        else:
            result, texts = _condensed(feature, result, identifier)
        new = {path: text for path, text in texts.items() if text is not None}
        left = sum(count_each(new, counter).values())
        tokens += left - sum(counts.get(path, 0) for path in texts)
        files = tuple(path for path in texts if path in counts)
        result = replace(result, compacted_tokens=tokens, files=files)
        if isinstance(result, SummarizeResult):
            result = replace(result, summary_tokens=left)
        if options.dry_run or not texts:
            return result
        found = apply_change(
            feature.folder,
            [
                Replacement(
                    path=path,
                    old=feature.files.get(path),
                    new=None if text is None else text.encode(),
                )
                for path, text in texts.items()
            ],
            level=options.level,
            identifier=identifier,
            tokens=(result.original_tokens, result.compacted_tokens),
            items=tuple(asdict(item) for item in result.items),
        )
        try:
            remove_expired(feature.folder, feature.settings)
        except BackupError as error:  # the change itself stands
            found.append(f"old backups could not be removed: {error}")
        return replace(result, history_id=identifier, notices=(*result.notices, *found))


_Texts = Mapping[str, str | None]
"""What becomes of files, by their paths; None removes one."""


def _condensed(
    feature: Feature, result: CompactionResult, identifier: str
) -> tuple[CompactionResult, _Texts]:
    """Return what was cut of texts, and what is left of those."""
    hint = f"`{revert_command(feature.name, COMMAND_NAME)}` brings it back"
    condensed = condense_texts(feature.texts, estimate_part, hint)
    changed = {p: text for p, text in condensed.texts.items() if text != feature.texts[p]}
    # On a dry run nothing is kept anywhere.
    kept = {} if result.dry_run else {
        path: f"{BACKUP_FOLDER}/{identifier}/{number}.old" for number, path in enumerate(changed, 1)
    }  # fmt: skip
    items = tuple(
        replace(
            each, what=redact(each.what), can_revert=bool(kept), revert_path=kept.get(each.file, "")
        )
        for each in condensed.items
    )
    return replace(result, items=items), changed


def _summarized(
    feature: Feature,
    counts: Mapping[str, int],
    result: SummarizeResult,
    options: CompactionOptions,
    identifier: str,
) -> tuple[SummarizeResult, _Texts]:
    """Return a summary, and it in the place of all texts for people."""
    if feature.unread:
        raise FeatureError(
            f"no summary of {feature.name} can be made: {'; '.join(result.problems)}"
        )
    # Texts that are written for people: no data, code or ADR.
    prose = {path: text for path, text in feature.texts.items() if sort_of(path, text) != "whole"}
    if not prose:
        raise FeatureError(f"{feature.name} has no prose that could be summarised")
    gone = sum(counts[path] for path in prose)
    if gone <= SUMMARY_TOKENS:
        short = f"its prose has {gone} tokens: no more than a summary would have"
        return replace(result, notices=(*result.notices, short)), {}
    seconds = options.claude_seconds if options.with_claude else 0.0
    text, made_by, notices = write_summary(feature, prose, gone, identifier, seconds)
    notices = [*result.notices, *notices]
    result = replace(result, summary=text, made_by=made_by, notices=tuple(notices))
    return result, {**dict.fromkeys(prose), summary_path(feature, prose): text}


def describe(result: CompactionResult) -> str:
    """Return what a compaction did and how it is undone, in a few words; empty for nothing."""
    if result.history_id is None:
        return ""
    done = "compacted" if result.level == "compact" else "summarised"
    return (
        f"feature {result.feature} {done} from {result.original_tokens:,} to"
        f" {result.compacted_tokens:,} tokens (undo: {revert_command(result.feature)})"
    )

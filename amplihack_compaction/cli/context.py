"""The commands `status`, `context status` and `feature status`: how full, and how large."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from amplihack_compaction.cli.sessions import Session, find_session
from amplihack_compaction.context.levels import description
from amplihack_compaction.context.meter import read_status
from amplihack_compaction.context.model import ContextStatus
from amplihack_compaction.continuity.handoff import continue_command
from amplihack_compaction.continuity.handoff_files import find_handoff
from amplihack_compaction.errors import CompactionError, TranscriptError
from amplihack_compaction.ledger.sections import inert
from amplihack_compaction.paths import project_root
from amplihack_compaction.settings import load_settings

if TYPE_CHECKING:
    from amplihack_compaction.tokens.counter import TokenCountResult

_BAR_CHARS = 40
_FILES_SHOWN = 20
_FILES_LIMIT = 5_000
_FILE_LIMIT_BYTES = 4 * 1024 * 1024
_STYLES = {"raw": "green", "compact": "yellow", "summarize": "magenta", "handoff": "red"}


@dataclass(frozen=True, slots=True)
class Feature:
    """The text files of a feature's folder; what was not counted is named in `skipped`.

    `folder` is None where there is none; `kept` says what was kept of the feature's sessions.
    """

    name: str
    folder: Path | None
    texts: dict[str, str]
    skipped: list[str]
    kept: dict[str, str] | None = None


def show_status(named: str | None, *, as_json: bool) -> None:
    """Print how full a session's context is.

    Raises TranscriptError when there is no session, or none of its responses told its numbers.
    """
    session = find_session(named)
    status = _status_of(session)
    if as_json:
        typer.echo(json.dumps({"session": session.id, **status.to_json()}, indent=2))
    else:
        _print_status(session, status)


def show_feature(name: str, *, with_tokens: bool, as_json: bool) -> None:
    """Print the files of a feature and, when asked, what they cost in tokens.

    Raises CompactionError when there is no such feature.
    """
    feature = _read_feature(name)
    counts = _count(feature.texts) if with_tokens else None
    if as_json:
        typer.echo(json.dumps(_feature_to_json(feature, counts), indent=2))
        return
    characters = sum(map(len, feature.texts.values()))
    typer.echo(f"Feature {inert(name)}\n  folder      {feature.folder or 'none'}")
    if feature.folder is not None:
        typer.echo(f"  files       {len(feature.texts)} texts, {characters:,} characters")
    if counts is not None:
        total, precision = sum(each.count for each in counts.values()), _precision(counts)
        typer.echo(f"  tokens      {total:,} (precision {precision:.2f})")
        for path in sorted(counts, key=lambda each: -counts[each].count)[:_FILES_SHOWN]:
            typer.echo(f"    {counts[path].count:>9,}  {inert(path)}")
    if feature.skipped:
        typer.echo(f"  not counted {len(feature.skipped)}: {inert(', '.join(feature.skipped[:5]))}")
    if feature.kept is not None:
        kept = feature.kept
        of = f"{kept['kind']} of session {kept['session'][:8]}, {kept['created']}"
        typer.echo(f"  kept        {inert(of)}\n  to go on    {inert(kept['command'])}")


def _status_of(session: Session) -> ContextStatus:
    try:
        status = read_status(session.root, session.id, str(session.transcript))
    except OSError as error:
        raise TranscriptError(f"cannot read {session.transcript}: {error}") from error
    if status is None:
        raise TranscriptError(f"no response of session {session.id} told its token numbers yet")
    return status


def _print_status(session: Session, status: ContextStatus) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    level = f"level {status.level}: {description(status.level)}"
    filled = min(_BAR_CHARS, round(_BAR_CHARS * status.usage_percentage / 100))
    style = _STYLES[status.level]
    bar = Text("█" * filled, style).append("░" * (_BAR_CHARS - filled), "dim")
    console.print(Text(f"Session {session.id}"))
    console.print(
        Text("  ").append(bar).append(f" {status.usage_percentage:.1f} %  {level}", style)
    )
    window = f"{status.window_tokens:,} tokens" if status.window_tokens else "unknown"
    following = status.next_threshold
    error = status.precision
    precise = f"±{100 * error:.2f} %" if error is not None else "not measured"
    for name, value in (
        ("tokens", f"{status.current_tokens:,} of {status.max_tokens:,} ({precise})"),
        ("limit", f"from {status.source}"),
        ("window", window),
        ("model", status.model or "unknown"),
        (
            "next level",
            f"at {following:g} %" if following is not None else "none, this is the last",
        ),
        ("advice", status.recommendation),
    ):
        console.print(Text(f"  {name:<11} {value}"))


def _read_feature(name: str) -> Feature:
    root = project_root()
    above = Path(root, load_settings(root)[0].features_folder)
    folder = above / name
    kept = _kept_of(root, name)
    if name in ("", ".", "..") or "/" in name or "\0" in name or not folder.is_dir():
        if kept is not None:
            return Feature(name, None, {}, [], kept)
        known = sorted(each.name for each in above.glob("*/")) if above.is_dir() else []
        has = f"; features here: {inert(', '.join(known[:_FILES_SHOWN]))}" if known else ""
        raise CompactionError(f"there is no feature {name!r} in {above}{has}")
    texts: dict[str, str] = {}
    skipped: list[str] = []
    for path in sorted(folder.rglob("*"))[:_FILES_LIMIT]:
        if path.is_dir():
            continue
        relative = str(path.relative_to(folder))
        text = _read_text(path)
        if text is None:
            skipped.append(relative)
        else:
            texts[relative] = text
    return Feature(name, folder, texts, skipped, kept)


def _kept_of(root: str, name: str) -> dict[str, str] | None:
    """Return what a handoff or a checkpoint kept of a feature; None without one."""
    found = find_handoff(root, name)
    if found is None:
        return None
    checkpoint, text = found
    return {
        "kind": "handoff" if text else "checkpoint",
        "session": checkpoint.session_id,
        "created": checkpoint.created,
        "command": continue_command(checkpoint.feature),
    }


def _read_text(path: Path) -> str | None:
    """Return a file's text; None for links, for what is no text, and for what is too large."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > _FILE_LIMIT_BYTES:
        return None
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return None if "\0" in text else text


def _count(texts: dict[str, str]) -> "dict[str, TokenCountResult]":
    from amplihack_compaction.tokens.counter import TokenCounter

    counter = TokenCounter(api=load_settings(project_root())[0].token_api)
    try:
        return {name: counter.count(text) for name, text in texts.items()}
    finally:
        counter.close()


def _precision(counts: "dict[str, TokenCountResult]") -> float:
    """Return the lowest precision among the counts; 1 where nothing was counted."""
    return min((each.precision for each in counts.values()), default=1.0)


def _feature_to_json(
    feature: Feature, counts: "dict[str, TokenCountResult] | None"
) -> dict[str, object]:
    answer: dict[str, object] = {
        "feature": feature.name,
        "folder": str(feature.folder) if feature.folder is not None else None,
        "kept": feature.kept,
        "files": len(feature.texts),
        "characters": sum(map(len, feature.texts.values())),
        "skipped": feature.skipped,
    }
    if counts is not None:
        answer["tokens"] = sum(each.count for each in counts.values())
        answer["precision"] = _precision(counts)
        answer["tokensByFile"] = {path: each.count for path, each in counts.items()}
    return answer

"""Sessions read, whichever client wrote them: the one way from a file into the session model.

All rooms read *session lines*: JSON objects in the shape of Claude Code's own. What another client
writes is translated line by line, in that client's folder; an offset is always that of the raw
line. Who needs a session as it was said reads windows. The few that look into entries themselves
take them apart with `session_lines` and `speakers`. Another client's modules are loaded only
where a session of its is read, or looked for.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.clients import is_rollout
from amplihack_compaction.clients.claude_code import session_files as claude_code
from amplihack_compaction.clients.claude_code.session_files import (
    newest_first,
    read_task_files,
    transcript_folders,
)
from amplihack_compaction.clients.claude_code.tail import (
    IMAGE_CHARACTERS,
    Usage,
    content_characters,
    text_characters,
    usage_of,
)
from amplihack_compaction.clients.session_lines import (
    PromptQueue,
    is_internal_line,
    lines_between,
    make_node,
    parse_line,
)
from amplihack_compaction.transcript.session import (
    Entry,
    JsonObject,
    Node,
    ReadReport,
    Window,
    group_windows,
)

__all__ = [
    "IMAGE_CHARACTERS", "OTHER_CLIENTS", "Client", "Usage", "all_transcripts", "calls_of",
    "content_characters", "is_resumable", "iterate_entries", "iterate_lines", "mirror_of",
    "newest_first", "other_parser", "project_transcripts", "read_task_files", "read_windows",
    "session_id_of", "session_transcript", "text_characters", "told_limit", "transcript_folders",
    "usage_of", "windows_of", "wiring_of",
]  # fmt: skip

Client = Literal["claude-code", "codex", "opencode"]
"""What `--client` takes."""
OTHER_CLIENTS = get_args(Client)[1:]
"""The clients beside Claude Code, each with a `wiring.py` in its folder."""
# Clients that keep no transcripts; a payload of theirs says so.
_MIRRORED = ("opencode",)


def _session_files() -> Iterator[Any]:
    """Yield where each client's sessions lie. Claude Code's come first: most are."""
    yield claude_code
    yield from map(_files_of, OTHER_CLIENTS)


def _files_of(client: str) -> Any:
    return import_module(f"amplihack_compaction.clients.{client}.session_files")


def wiring_of(client: str) -> Any:
    """Return what has the hooks of a client other than Claude Code registered."""
    return import_module(f"amplihack_compaction.clients.{client}.wiring")


def mirror_of(client: object) -> ModuleType | None:
    """Return what writes the sessions of a client that keeps no transcripts; None for others."""
    return _files_of(str(client)) if client in _MIRRORED else None


def told_limit(path: str) -> tuple[int, int, str] | None:
    """Return the tokens at which a session compacts, its window, and who said so.

    None where its client's transcripts do not tell. Raises OSError when it cannot be read.
    """
    if not is_rollout(path):
        return None
    from amplihack_compaction.clients.codex.session_files import read_limit

    return read_limit(path)


def calls_of(path: str, tool: str, given: JsonObject, folder: str) -> list[tuple[str, JsonObject]]:
    """Return a call of a client's tool as the calls that it amounts to, made in a folder."""
    if tool == "apply_patch" and is_rollout(path):
        from amplihack_compaction.clients.codex.transcripts import patched_files

        return patched_files(str(given.get("command")), folder)
    return [(tool, given)]


def is_resumable(path: str) -> bool:
    """Return whether a transcript's client goes on in a copy of it."""
    return not is_rollout(path) and Path(path).parent != _files_of("opencode").sessions_folder()


def project_transcripts(root: str, problems: list[str] | None = None) -> list[Path]:
    """Return the transcripts of a project's sessions, of every client, newest first.

    `problems` gets a sentence for each that cannot be looked at, and for each folder of them.
    """
    said = problems if problems is not None else []
    found = (client.project_transcripts(root, said) for client in _session_files())
    return newest_first((path for paths in found for path in paths), [])


def all_transcripts(root: str) -> list[Path]:
    """Return the transcripts of a project's sessions, newest first, for who goes by the newest.

    Raises TranscriptError when one cannot be looked at: it may be the newest.
    """
    problems: list[str] = []
    found = project_transcripts(root, problems)
    if problems:
        raise TranscriptError(f"{problems[0]}; run it again, or name the session")
    return found


def session_transcript(root: str, session_id: str) -> Path | None:
    """Return the transcript of a project's session; None without one."""
    found = (client.session_transcript(root, session_id) for client in _session_files())
    return next((path for path in found if path is not None), None)


def session_id_of(path: Path) -> str:
    """Return the id of the session that a transcript is of, by its name."""
    return _files_of("codex").rollout_id(path) if is_rollout(path) else path.stem


def other_parser(path: Path | str) -> Callable[[bytes, ReadReport], list[JsonObject]] | None:
    """Return what makes session lines of another client's raw line; None for session lines."""
    if not is_rollout(path):
        return None
    from amplihack_compaction.clients.codex.transcripts import parse_line as parse_rollout_line

    return parse_rollout_line


def iterate_lines(
    path: Path | str, start: int, end: int | None, report: ReadReport
) -> Iterator[tuple[int, bytes]]:
    """Yield `(offset, line)` for each session line whose raw line starts in `[start, end)`.

    Raises TranscriptError when the file cannot be read.
    """
    raw, parse = lines_between(path, start, end, report), other_parser(path)
    if parse is None:
        return raw
    return (
        (offset, json.dumps(entry).encode() + b"\n")
        for offset, line in raw
        for entry in parse(line, report)
    )


def iterate_entries(
    path: Path | str, start: int = 0, end: int | None = None, report: ReadReport | None = None
) -> Iterator[Entry]:
    """Yield the conversation's entries whose lines start in `[start, end)`, in file order.

    Raises TranscriptError when the file cannot be read.
    """
    report = report if report is not None else ReadReport()
    parse = other_parser(path) or parse_line
    for offset, line in lines_between(path, start, end, report):
        if not line.isspace() and not is_internal_line(line):
            for data in parse(line, report):
                yield Entry(offset, data)


def read_windows(
    path: Path | str,
    start: int = 0,
    index: int = 0,
    report: ReadReport | None = None,
    on_entry: Callable[[Entry], None] | None = None,
) -> Iterator[Window]:
    """Yield the transcript's windows from `start` on, the last one still open.

    `start` is 0 or the offset of a boundary, `index` the number of the window that starts
    there. `on_entry` is called with every entry, for who looks at more than windows do, before the
    window it lies in is yielded. Raises TranscriptError when the file cannot be read.
    """
    report = report if report is not None else ReadReport()
    return windows_of(iterate_entries(path, start, None, report), start, index, report, on_entry)


def windows_of(
    entries: Iterable[Entry],
    start: int,
    index: int,
    report: ReadReport,
    on_entry: Callable[[Entry], None] | None = None,
) -> Iterator[Window]:
    """Yield the windows that entries make up, for whoever reads the lines: see `read_windows`."""
    return group_windows(_nodes_of(entries, on_entry), start, index, report)


def _nodes_of(
    entries: Iterable[Entry], on_entry: Callable[[Entry], None] | None
) -> Iterator[tuple[int, Node | None]]:
    calls: dict[str, str] = {}
    queue = PromptQueue()
    for entry in entries:
        if on_entry is not None:
            on_entry(entry)
        queue.pass_by(entry.data)
        node = make_node(entry, calls)
        if node is not None:
            calls.update((tool.id, tool.name) for tool in node.tools)
            for call, _ in node.results:
                calls.pop(call, None)
        yield entry.offset, node

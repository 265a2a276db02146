"""The manifest of a copy: which line of the original each left out part comes from.

`<runtime>/sessions/<new session>/copy.jsonl`, one JSON object a line. The first is the head:

    {"version": 1, "session_id": NEW, "original_id", "original_path", "original_bytes",
     "copy_path", "copy_bytes", "copy_hash", "created": ISO 8601, "tasks": [names],
     "tokens": {"whole": [before, after], "resumed": [before, after]}, "kinds": {KIND: parts}}

and each further one is a part that was left out, in the order of the file:

    {"n": 17, "kind", "what", "characters", "offset", "length", "line", "hash", "pointer"}

`offset` and `length` are bytes in the original, `line` its number from 0, `pointer` the keys and
indices that lead to the value in the parsed line. `hash` is the BLAKE2b-96 of that line,
`copy_hash` the BLAKE2b-128 of the copy, both in hexadecimal. The id of a part is `NEW[:8].n`.
Unknown keys are ignored; another version is left alone.
"""

import hashlib
import json
import posix
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import CopyError, reason_of
from amplihack_compaction.base.files import is_folder, is_regular, list_names, parse_object
from amplihack_compaction.base.paths import linked_folder, runtime_folder, session_folder
from amplihack_compaction.base.records import read_record
from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.base.signature import own_part, signed

Pointer = tuple[str | int, ...]

MANIFEST_VERSION = 1
_NAME = "copy.jsonl"
_LINE_LIMIT_BYTES = 256 * 1024
_HASH_BYTES = 16
_UNTOLD = ("resumed", "text")


class LeftOutKind(StrEnum):
    """Why something is left out of a copy."""

    TOOL_OUTPUT = "tool_output"
    SUPERSEDED_READ = "superseded_read"
    DUPLICATE = "duplicate"
    IMAGE = "image"
    DOCUMENT = "document"
    THINKING = "thinking"
    WRITTEN = "written"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutPart:
    """One thing that is left out; the module says how it is stored.

    `what` is the text that names it in a placeholder, and `text` the placeholder without its
    number; thinking has none. `resumed` says that the client would send it when the session is
    resumed (thinking only where its model is the same). Neither of the last two is stored.
    """

    n: int = 0
    kind: LeftOutKind
    what: str
    characters: int
    offset: int
    length: int = 0
    line: int
    hash: str = ""
    pointer: Pointer
    resumed: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What a copy is of; see the module for the keys."""

    session_id: str
    original_id: str
    original_path: str
    original_bytes: int
    copy_path: str
    copy_bytes: int
    copy_hash: str
    created: str
    tasks: list[str] = field(default_factory=list)
    tokens: dict[str, list[int]] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    version: int = MANIFEST_VERSION


def manifest_path(root: str, session_id: str) -> str:
    """Return where the manifest of a copy lies."""
    return f"{session_folder(root, session_id)}/{_NAME}"


def manifest_lines(path: str, head: Head, left_out: Iterable[LeftOutPart]) -> Iterator[bytes]:
    """Yield the lines of the manifest that lies at a path."""
    yield signed(_line(asdict(head)), path) + b"\n"
    for part in left_out:
        told = {name: value for name, value in asdict(part).items() if name not in _UNTOLD}
        yield _line({**told, "what": redact(part.what)}) + b"\n"


def file_hash(path: str) -> tuple[int, str]:
    """Return a file's size and the hash of its content. Raises OSError."""
    with Path(path).open("rb") as stream:
        digest = hashlib.file_digest(stream, lambda: blake2b(digest_size=_HASH_BYTES))
        return stream.tell(), digest.hexdigest()


def remove_manifest(path: str) -> None:
    """Remove a manifest and what else was made for its copy. Raises OSError."""
    folder = path.rpartition("/")[0]
    with suppress(FileNotFoundError):
        posix.unlink(path)
    with suppress(FileNotFoundError):
        posix.unlink(f"{folder}/continues.json")
    with suppress(OSError):  # hooks that ran in the copy left files of their own there
        posix.rmdir(folder)


def find_manifests(root: str, named: str) -> list[str]:
    """Return the manifests of copies whose session id begins with `named`; all for "".

    Raises CopyError when a folder on the way is a link.
    """
    link = linked_folder(root)
    if link:
        raise CopyError(f"{link} is a link; nothing is read through it")
    sessions = f"{runtime_folder(root)}/sessions"
    folders = (f"{sessions}/{name}" for name in list_names(sessions) if name.startswith(named))
    paths = (f"{folder}/{_NAME}" for folder in folders if is_folder(folder))
    return [path for path in paths if is_regular(path)]


def is_unused_copy(root: str, transcript: Path) -> bool:
    """Return whether a transcript is a copy that nobody has gone on in since it was made."""
    manifest = manifest_path(root, transcript.stem)
    if linked_folder(root) or not is_regular(manifest):
        return False
    try:
        return transcript.stat().st_size == read_head(manifest).copy_bytes
    except (OSError, CopyError):
        return False


def without_unused_copies(root: str, transcripts: list[Path]) -> list[Path]:
    """Return the transcripts that are sessions of their own: a copy is once it is gone on in."""
    return [path for path in transcripts if not is_unused_copy(root, path)]


def newest_session(root: str, transcripts: list[Path]) -> Path | None:
    """Return the first transcript, of some newest first, that is no copy just made.

    Where all are such copies, it is the first; None when there are none.
    """
    return next(iter(without_unused_copies(root, transcripts) or transcripts), None)


def read_head(path: str) -> Head:
    """Return what a manifest is of. Raises CopyError when it cannot be used."""
    try:
        with Path(path).open("rb") as stream:
            line = stream.readline(_LINE_LIMIT_BYTES)
    except OSError as error:
        raise CopyError(f"cannot read the manifest {path}: {reason_of(error)}") from error
    values = parse_object(own_part(line.rstrip(), path) or b"") or {}
    version = values.get("version")
    if isinstance(version, int) and version > MANIFEST_VERSION:
        raise CopyError(f"{path} has version {version}; update amplihack-compaction")
    try:
        return read_record(Head, values)
    except ValueError:
        raise CopyError(f"{path} is no manifest of a copy, is torn, or somebody else's") from None


def read_parts(path: str) -> Iterator[LeftOutPart]:
    """Yield the parts of a manifest whose head can be read; lines that are none are left out.

    Raises OSError when it is gone since.
    """
    with Path(path).open("rb") as stream:
        stream.readline(_LINE_LIMIT_BYTES)
        while line := stream.readline(_LINE_LIMIT_BYTES):
            with suppress(ValueError):
                yield read_record(LeftOutPart, parse_object(line))


def _line(values: dict[str, Any]) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode()

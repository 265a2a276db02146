"""Bring back what a copy left out, and take copies back."""

import base64
import os
import posix
import time
from contextlib import suppress
from dataclasses import dataclass

from amplihack_compaction.base.errors import CopyError
from amplihack_compaction.base.files import is_regular, parse_object, read_range
from amplihack_compaction.base.folders import opened
from amplihack_compaction.base.size_limits import LINE_LIMIT_BYTES
from amplihack_compaction.clients.claude_code.session_files import drop_tasks
from amplihack_compaction.clients.speakers import message_text
from amplihack_compaction.compactor.transcripts.copied_lines import ID, follow, line_hash
from amplihack_compaction.compactor.transcripts.manifest import (
    Head,
    LeftOutPart,
    file_hash,
    find_manifests,
    read_head,
    read_parts,
    remove_manifest,
)

STALE_SECONDS = 3600
"""No copy takes so long to make: what is older was left by a run that was killed."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """What stood in the original: a text, or an image's or document's bytes and their type."""

    text: str
    data: bytes | None = None
    media_type: str = ""


def find_copy(root: str, named: str) -> tuple[str, Head]:
    """Return the manifest of a copy and what it says, by the copy's session id or its beginning.

    Raises CopyError when there is none, or several begin so.
    """
    found = find_manifests(root, named) if named and "/" not in named else []
    if not found:
        raise CopyError(f"{root} has no copy whose session id begins with {named}")
    if len(found) > 1:
        raise CopyError(f"several copies begin with {named}: name the whole session id")
    return found[0], read_head(found[0])


def list_copies(root: str) -> list[tuple[str, Head | None]]:
    """Return every manifest of a project with what it says, None for one that cannot be used."""
    copies: list[tuple[str, Head | None]] = []
    for path in find_manifests(root, ""):
        try:
            copies.append((path, read_head(path)))
        except CopyError:
            copies.append((path, None))
    return sorted(copies, key=lambda copy: copy[1].created if copy[1] else "")


def recall_part(root: str, placeholder: str, session: str = "") -> Recalled:
    """Return what stood where a placeholder stands now.

    `placeholder` is an id, or a text with one in it. Raises CopyError when there is no such part,
    and when the original is gone or its line is no longer the same.
    """
    found = ID.findall(placeholder)
    if not found:
        raise CopyError(f"{placeholder[:80]} is no placeholder's id: they look like 1f2e3d4c.17")
    beginning, number = found[-1]  # what it names comes first, and may look like an id
    identifier = f"{beginning}.{number}"
    path, head = find_copy(root, session or beginning)
    if not head.session_id.startswith(beginning):
        raise CopyError(f"{identifier} is no placeholder of session {head.session_id}")
    part = next((part for part in read_parts(path) if part.n == int(number)), None)
    if part is None:
        raise CopyError(f"session {head.session_id} has no placeholder {identifier}")
    return _recalled(part, _original_line(head, part))


def delete_copy(root: str, named: str, *, force: bool = False) -> Head:
    """Delete a copy and what was made with it; the original stays.

    Raises CopyError when it is no copy of ours, and, without `force`, when somebody went on in
    it, another copy was made of it, or the original is gone; OSError when something cannot be
    deleted.
    """
    manifest, head = find_copy(root, named)
    if is_regular(head.copy_path):
        if not force:
            _refuse_what_was_used(root, head)
        posix.unlink(head.copy_path)
    elif os.path.lexists(head.copy_path):
        raise CopyError(f"{head.copy_path} is no regular file, so that it stays")
    # The manifest last: while it is there, what is left can be deleted by the same call.
    drop_tasks(head.copy_path, head.session_id, head.tasks)
    remove_manifest(manifest)
    return head


def forget_lost(root: str) -> None:
    """Remove what belongs to copies that never got their file, or whose file was deleted.

    A run that was killed leaves such. Younger ones than an hour may be another run's.
    """
    for manifest, head in list_copies(root):
        if head is None or not is_regular(head.original_path) or os.path.lexists(head.copy_path):
            continue
        with suppress(OSError):
            if time.time() - posix.stat(manifest).st_mtime > STALE_SECONDS:
                drop_tasks(head.copy_path, head.session_id, head.tasks)
                remove_manifest(manifest)


def _refuse_what_was_used(root: str, head: Head) -> None:
    if not is_regular(head.original_path):
        raise CopyError(
            f"the original {head.original_path} is gone, and this copy is all that is left of it:"
            " to delete it all the same, use --force"
        )
    if file_hash(head.copy_path) != (head.copy_bytes, head.copy_hash):
        raise CopyError(
            f"session {head.session_id} went on after it was made, or was changed:"
            " to delete it all the same, use --force"
        )
    for _, other in list_copies(root):
        if other is not None and other.original_path == head.copy_path:
            raise CopyError(
                f"session {other.session_id} is a copy of this copy and is expanded from it:"
                " take that one back first, or use --force"
            )


def _original_line(head: Head, part: LeftOutPart) -> bytes:
    try:
        with opened(head.original_path) as descriptor:
            line = read_range(descriptor, part.offset, min(part.length, LINE_LIMIT_BYTES))
    except (OSError, ValueError, OverflowError) as error:
        raise CopyError(f"the original {head.original_path} cannot be read: {error}") from error
    if line_hash(line) != part.hash:
        raise CopyError(
            f"line {part.line + 1} of {head.original_path} is not what it was when it was copied"
        )
    return line


def _recalled(part: LeftOutPart, line: bytes) -> Recalled:
    try:
        value = follow(parse_object(line), part.pointer)
        if not isinstance(value, str | list | dict):
            raise TypeError
    except (LookupError, TypeError) as error:
        raise CopyError(f"line {part.line + 1} of the original has no such part") from error
    if not isinstance(value, dict):
        return Recalled(value if isinstance(value, str) else message_text(value))
    source = value.get("source")
    if not isinstance(source, dict):
        return Recalled(str(value.get("thinking") or value.get("text") or ""))
    media_type, content = str(source.get("media_type") or ""), source.get("data")
    if source.get("type") != "base64" or not isinstance(content, str):
        return Recalled(str(content or source.get("url") or ""), media_type=media_type)
    try:
        return Recalled("", base64.b64decode(content, validate=True), media_type)
    except ValueError:
        return Recalled(content, media_type=media_type)

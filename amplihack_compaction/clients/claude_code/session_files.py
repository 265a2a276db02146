"""Where the client keeps a session: `<config>/projects/<project>/<session>.jsonl`, and its tasks.

A session's tasks lie in `<config>/tasks/<session>/<n>.json`, and the client reads them by the
session's id: without them, a resumed copy has no tasks.
"""

import os
import posix
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path

from amplihack_compaction.base.errors import reason_of
from amplihack_compaction.base.files import (
    create_exclusively,
    is_folder,
    list_names,
    names_in,
    parse_object,
    read_bytes,
    read_range,
)
from amplihack_compaction.base.folders import opened
from amplihack_compaction.base.settings import config_path
from amplihack_compaction.transcript.session import JsonObject, text_in

_NOT_PLAIN = re.compile(r"[^a-zA-Z0-9]")
_NAME_CHARACTERS = 200
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_FIRST_BYTES = 64 * 1024


def config_folder() -> Path:
    """Return the client's own folder."""
    return Path(config_path() or "/")


def transcript_folder(project: str) -> Path:
    """Return where the client keeps the transcripts of a project."""
    return config_folder() / "projects" / _folder_name(project)


def _folder_name(project: str) -> str:
    """Return the client's name for a project; a long one is cut, and ends with a hash.

    The client counts in UTF-16: an emoji is two characters.
    """
    data = project.encode("utf-16-le", "surrogatepass")
    codes = [low | high << 8 for low, high in zip(data[::2], data[1::2], strict=True)]
    name = _NOT_PLAIN.sub("-", "".join(map(chr, codes)))
    if len(name) <= _NAME_CHARACTERS:
        return name
    number, digits = 0, ""
    for code in codes:
        number = (31 * number + code) % 2**32
    number = min(number, 2**32 - number)  # the amount of a signed one
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return f"{name[:_NAME_CHARACTERS]}-{digits}"


def transcript_folders(root: str) -> list[Path]:
    """Return the folders of a project named as it is, and with its links resolved."""
    spellings = dict.fromkeys([root, os.path.realpath(root)])
    return [transcript_folder(spelling) for spelling in spellings]


def project_transcripts(root: str, problems: list[str]) -> list[Path]:
    """Return the transcripts of a project's sessions, newest first.

    `problems` gets a sentence for each that cannot be looked at, and for each folder of them.
    """
    folders = transcript_folders(root)
    paths = (Path(folder, name) for folder in folders for name in names_in(str(folder), problems))
    transcripts = (path for path in paths if path.suffix == ".jsonl")
    return newest_first(transcripts, problems, lambda path: _is_of(path, root))


def _is_of(path: Path, root: str) -> bool:
    """Return whether a transcript is not surely of another project whose folder has the same name.

    `my_app` and `my-app` have, and any two words of as many Cyrillic or Chinese letters.
    """
    begun_in = _begun_in(path, min(path.stat().st_size, _FIRST_BYTES))
    if begun_in in ("", root) or transcript_folder(begun_in) != path.parent:
        return True
    other = os.path.realpath(begun_in) if is_folder(begun_in) else ""
    return not other or Path(other).is_relative_to(os.path.realpath(root))


@cache
def _begun_in(path: Path, length_bytes: int) -> str:
    """Return the first folder that a transcript's beginning names; empty where it names none.

    Asked once, since who watches a project looks every half second, and transcripts only grow.
    """
    try:
        with opened(str(path)) as descriptor:
            head = read_range(descriptor, 0, length_bytes)
    except (OSError, ValueError):
        return ""  # what is wrong with it is told when it is read
    entries = (parse_object(line) or {} for line in BytesIO(head) if b'"cwd"' in line)
    return next((cwd for entry in entries if (cwd := text_in(entry, "cwd"))), "")


def newest_first(
    paths: Iterable[Path], problems: list[str], is_wanted: Callable[[Path], bool] = bool
) -> list[Path]:
    """Return the wanted files of these, newest first.

    `problems` gets a sentence for each that cannot be looked at.
    """
    found = []
    for path in paths:
        try:
            if is_wanted(path):
                found.append((path.stat().st_mtime_ns, path))
        except FileNotFoundError:
            continue  # gone since it was listed
        except OSError as error:
            problems.append(f"{path} cannot be looked at: {reason_of(error)}")
    return [path for _, path in sorted(found, reverse=True)]


def session_transcript(root: str, session_id: str) -> Path | None:
    """Return the transcript of a project's session; None without one."""
    if not session_id or "/" in session_id or "\0" in session_id:
        return None
    paths = (folder / f"{session_id}.jsonl" for folder in transcript_folders(root))
    there = (path for path in paths if os.path.isfile(path))  # noqa: PTH113 - any name
    with suppress(OSError):  # gone meanwhile
        return next((path for path in there if _is_of(path, root)), None)
    return None


_NAME = re.compile(r"[\w-]{1,80}\.json")
_MOST_FILES = 500
_LIMIT_BYTES = 256 * 1024


def read_task_files(transcript_path: str, session_id: str) -> list[JsonObject]:
    """Return the task files of a session, as JSON; none where it has no such folder."""
    folder = _folder(transcript_path, session_id)
    names = [name for name in list_names(folder) if name.endswith(".json")] if folder else []
    contents = (read_bytes(f"{folder}/{name}", _LIMIT_BYTES) for name in names[:_MOST_FILES])
    return [task for content in contents if content and (task := parse_object(content))]


def carry_tasks(transcript_path: str, old_id: str, new_id: str) -> list[str]:
    """Copy a session's task files to another id; return their names. Raises OSError."""
    source, target = _folder(transcript_path, old_id), _folder(transcript_path, new_id)
    if source is None or target is None or not is_folder(source):
        return []
    names = [name for name in list_names(source) if _NAME.fullmatch(name)][:_MOST_FILES]
    carried: list[str] = []
    try:
        for name in names:
            data = read_bytes(f"{source}/{name}", _LIMIT_BYTES)
            if data is not None and create_exclusively(f"{target}/{name}", data):
                carried.append(name)
    except BaseException:
        with suppress(OSError):
            drop_tasks(transcript_path, new_id, carried)
        raise
    return carried


def drop_tasks(transcript_path: str, session_id: str, names: list[str]) -> None:
    """Remove task files that were carried over, and their folder when nothing else is in it.

    Raises OSError when one of them cannot be removed.
    """
    folder = _folder(transcript_path, session_id)
    if folder is None or not names or not is_folder(folder):
        return
    for name in names:
        if _NAME.fullmatch(name):
            with suppress(FileNotFoundError):
                posix.unlink(f"{folder}/{name}")
    with suppress(OSError):  # not empty
        posix.rmdir(folder)


def _folder(transcript_path: str, session_id: str) -> str | None:
    """Return the folder of a session's tasks, as it lies beside that of the transcripts.

    None for a transcript that does not lie where the client keeps them.
    """
    path = os.path.abspath(transcript_path)  # noqa: PTH100 - its text is wanted
    config, _, below = path.rpartition("/projects/")
    if below.count("/") != 1 or "/" in session_id or session_id.startswith("."):
        return None
    return f"{config}/tasks/{session_id}"

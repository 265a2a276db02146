"""The log of the hooks: `<runtime>/hooks.log`, one line per problem, bounded in size.

    2026-11-21T21:04:53Z PreCompact pid=4711 message

At 256 kB it becomes `hooks.log.1`. A log that cannot be written is given up silently: a hook has
nowhere else to complain to, and the session goes on.
"""

import posix
from collections.abc import Callable
from typing import TypeVar

from amplihack_compaction.base.files import append_line, read_bytes
from amplihack_compaction.base.paths import prepare_runtime, project_root, runtime_folder
from amplihack_compaction.base.size_limits import LOG_LIMIT_BYTES
from amplihack_compaction.base.timestamps import utc_text

NOT_AWAITED = "nobody took the answer: the client no longer waited for it"
"""What is logged where a hook missed its time limit, on a machine that stalled."""
_MESSAGE_LIMIT_CHARS = 1000

T = TypeVar("T")


def log_line(root: str, event: str, message: str) -> None:
    """Append one line, redacted; line breaks and control characters in it become spaces."""
    if not root:
        return
    from amplihack_compaction.base.redaction.redact import redact

    clean = redact(message)[:_MESSAGE_LIMIT_CHARS]
    clean = "".join(c if c.isprintable() else " " for c in clean)
    stamp = utc_text()
    line = f"{stamp} {event} pid={posix.getpid()} {clean}\n".encode("utf-8", "replace")
    runtime = runtime_folder(root)
    try:
        prepare_runtime(root)
        append_line(f"{runtime}/hooks.log", line, LOG_LIMIT_BYTES)
    except OSError:
        return


def read_log(root: str) -> list[str]:
    """Return the lines of the log, oldest first; none where it is no file of its own, or too large.

    Whoever wrote it: it may have come with the repository.
    """
    data = read_bytes(f"{runtime_folder(root)}/hooks.log", 2 * LOG_LIMIT_BYTES) or b""
    return data.decode("utf-8", "replace").splitlines()


def log_error(root: str, event: str, error: Exception) -> None:
    """Append one line that says where an unexpected error came from."""
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)[-3:]
    where = " < ".join(
        f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(frames)
    )
    log_line(root, event, f"{type(error).__name__}: {error} at {where}")


def logger(root: str, event: str) -> Callable[[str], None]:
    """Return a function that logs for one event."""
    return lambda message: log_line(root, event, message)


def is_strict() -> bool:
    """Return whether errors are to be raised that are else logged, as tests want it."""
    return posix.environ.get(b"AMPLIHACK_COMPACTION_STRICT") == b"1"


def attempted(part: str, make: Callable[[], T], instead: T) -> T:
    """Return what is made, or where that fails, what stands `instead`, with a line in the log.

    One odd sentence then costs a part of what a hook tells and not all of it.
    """
    try:
        return make()
    except Exception as error:  # whatever fails, the user's rules are still told
        if is_strict():
            raise
        log_error(project_root(), f"({part})", error)
        return instead

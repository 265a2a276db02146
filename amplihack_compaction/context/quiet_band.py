"""Watch the context's fill between two marks, and do nothing else (hot).

`<session>/limits` holds, each on a line of its own:

    1 BOUNDARY LOW HIGH BASE PER_1000     numbers; see `Band`
    what the numbers were made from       settings of the environment, ages of files
    the model
    {...}                                 for cold readers: the limit, its window and source

As long as the tokens stay between LOW and HIGH, and neither the model nor what the numbers were
made from changes, no level is crossed. Cold code writes the file anew.
"""

import posix

from amplihack_compaction.base.files import open_regular, read_bytes, replace_atomically
from amplihack_compaction.base.paths import runtime_folder
from amplihack_compaction.base.size_limits import HOT_SCAN_BYTES
from amplihack_compaction.clients import tail_of

_VERSION = 1
_LIMIT_BYTES = 64 * 1024
_VARIABLES = (
    b"CLAUDE_CODE_AUTO_COMPACT_WINDOW",
    b"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",
    b"CLAUDE_CODE_MAX_OUTPUT_TOKENS",
    b"CLAUDE_CODE_MAX_CONTEXT_TOKENS",
    b"DISABLE_AUTO_COMPACT",
    b"DISABLE_COMPACT",
    b"AMPLIHACK_COMPACTION_COMPACT_RATIO",
    b"AMPLIHACK_COMPACTION_SNAPSHOT_RATIO",
    b"AMPLIHACK_COMPACTION_SUMMARIZE_RATIO",
    b"AMPLIHACK_COMPACTION_CHECKPOINT_RATIO",
    b"AMPLIHACK_COMPACTION_HANDOFF_RATIO",
    b"AMPLIHACK_COMPACTION_CONTEXT_LIMIT_TOKENS",
)


class Band:
    """The tokens between which nothing is to be done, in the window that began at `boundary`.

    `base` and `per_1000` are the model's line on characters.
    """

    __slots__ = ("base", "boundary", "details", "high", "low", "made_from", "model", "per_1000")

    def __init__(
        self, numbers: "list[int]", made_from: bytes, model: bytes, details: bytes
    ) -> None:
        self.boundary, self.low, self.high, self.base, self.per_1000 = numbers
        self.made_from = made_from
        self.model = model
        self.details = details


def is_due(root: str, folder: str, transcript_path: str, boundary: int) -> bool:
    """Return whether cold code has to look: a level may be crossed, or the band is not known.

    `boundary` is the offset of the newest compaction, -1 for none. Until the model has answered
    after it, nothing is due.
    """
    try:
        descriptor = open_regular(transcript_path)
    except (OSError, ValueError):
        return False
    tail = tail_of(transcript_path)
    try:
        size = posix.fstat(descriptor).st_size
        usage = tail.newest_usage(descriptor, size, HOT_SCAN_BYTES)
        if usage is None or usage.offset < boundary:
            return False
        band = read_band(folder)
        if (
            band is None
            or band.boundary != boundary
            or band.model != without_breaks(usage.model)
            or band.made_from != made_from(root, folder)
        ):
            return True
        # No text has more characters than bytes: mostly that is enough to know.
        most = usage.tokens + band.base + (size - usage.start) * band.per_1000 // 1000
        if band.low <= usage.input_tokens and most < band.high:
            return False
        tokens = tail.estimate_tokens(descriptor, usage, size, band.base, band.per_1000)
        return not band.low <= tokens < band.high
    finally:
        posix.close(descriptor)


def read_band(folder: str) -> Band | None:
    """Return the session's band, or None when there is none that can be understood."""
    lines = (read_bytes(f"{folder}/limits", _LIMIT_BYTES) or b"").split(b"\n")
    try:
        version, *numbers = [int(word) for word in lines[0].split()]
    except ValueError:
        return None
    if version != _VERSION or len(numbers) != 5 or len(lines) < 4:
        return None
    return Band(numbers, lines[1], lines[2], lines[3])


def write_band(folder: str, band: Band) -> None:
    """Store the session's band."""
    numbers = (_VERSION, band.boundary, band.low, band.high, band.base, band.per_1000)
    first = " ".join(str(number) for number in numbers).encode()
    lines = (first, band.made_from, band.model, band.details, b"")
    replace_atomically(f"{folder}/limits", b"\n".join(lines))


def made_from(root: str, folder: str) -> bytes:
    """Return what a session's limit depends on, in one line: when it changes, the limit may."""
    environ = posix.environ
    parts = [environ.get(name, b"") for name in _VARIABLES]
    config = environ.get(b"CLAUDE_CONFIG_DIR") or environ.get(b"HOME", b"") + b"/.claude"
    for path in (
        f"{root}/.claude/compaction.json",
        f"{root}/.claude/settings.json",
        f"{root}/.claude/settings.local.json",
        f"{runtime_folder(root)}/context.json",
        f"{folder}/window.json",
        config + b"/settings.json",
        config + b"/compaction.json",
    ):
        try:
            parts.append(str(posix.stat(path).st_mtime_ns).encode())
        except (OSError, ValueError):
            parts.append(b"-")
    return without_breaks(b"|".join(parts))


def without_breaks(text: "str | bytes") -> bytes:
    """Return a text as bytes without line breaks."""
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    return data.replace(b"\n", b" ")

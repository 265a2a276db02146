"""Print what the terminal's encoding has no characters for: a command must not end by it."""

import codecs
import io
import sys

_HANDLER = "amplihack-compaction"
_STAND_INS = {
    "█": "#",
    "░": "-",
    "…": "...",
    "·": "-",
    "–": "-",
    "±": "+/-",
    "→": "->",
}
"""What is drawn for people; everything else is written as in a JSON text, `\\u2026`."""
_LARGEST_UNIT = 0xFFFF
_HIGH, _LOW, _TEN_BITS = 0xD800, 0xDC00, 10


def print_any_character() -> None:
    """Let standard output and error stand for what they cannot encode, instead of raising."""
    codecs.register_error(_HANDLER, _stand_in)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a test's may be another
            stream.reconfigure(errors=_HANDLER)


def needs_ascii() -> bool:
    """Return whether JSON is to be printed in ASCII: where a stand-in would change what it says."""
    encoding = getattr(sys.stdout, "encoding", None) or ""
    return not encoding.lower().replace("-", "").startswith("utf")


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unknown = error.object[error.start : error.end]
    return "".join(_STAND_INS.get(each) or _escaped(ord(each)) for each in unknown), error.end


def _escaped(point: int) -> str:
    if point <= _LARGEST_UNIT:
        return f"\\u{point:04x}"
    rest = point - _LARGEST_UNIT - 1
    return f"\\u{_HIGH + (rest >> _TEN_BITS):04x}\\u{_LOW + rest % (1 << _TEN_BITS):04x}"

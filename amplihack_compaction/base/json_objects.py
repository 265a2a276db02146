"""Parse one JSON object with the interpreter's own C scanner (hot).

`import json` costs 2.5 times a bare interpreter's start, mostly for `re`, which its decoder
needs. The C scanner under it does not; where an interpreter lacks it, `json` serves.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_WHITE = b" \t\n\r"


class _Strict:
    """The settings that the C scanner reads off its context; the same as `json.loads`."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: "dict[str, str]" = {}  # noqa: RUF012 - the scanner looks the name up on the class


def _c_scanner() -> "Callable[[str, int], tuple[Any, int]] | None":
    try:
        from _json import make_scanner
    except ImportError:
        return None
    return make_scanner(_Strict)  # type: ignore[arg-type] # it reads attributes only


_scan = _c_scanner()


def parse_object(data: bytes) -> "dict[str, Any] | None":
    """Return the one JSON object that `data` holds, or None when it is anything else.

    Anything else is: empty, another JSON value, text behind the object, truncated or malformed
    JSON, bytes that are not UTF-8, or nesting deeper than the interpreter's recursion limit.
    """
    stripped = data.strip(_WHITE)
    if not stripped.startswith(b"{"):
        return None
    try:
        text = stripped.decode("utf-8")
        if _scan is None:
            from json import loads

            value = loads(text)
        else:
            value, end = _scan(text, 0)
            if end != len(text):
                return None
    except (ValueError, StopIteration, RecursionError, SystemError):
        # SystemError: the C scanner takes its error class from the json package, which is not
        # imported here, and then fails without naming an error.
        return None
    return value if isinstance(value, dict) else None

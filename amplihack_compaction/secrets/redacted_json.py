"""Take secrets out of JSON, text by text, so that it stays JSON (light).

In raw JSON a key that begins a line of its text would follow the letter of an escape, and a pattern
of the user's own could take away what holds the texts together.
"""

import re

from amplihack_compaction.secrets.redaction import (
    ASSIGNED,
    has_own_patterns,
    may_name_secret,
    redact,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# By these the lines of a transcript hang together.
_ID_KEYS = frozenset({"uuid", "parentUuid", "logicalParentUuid", "leafUuid", "sessionId"})
_CLIENT_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_client_id(value: object) -> bool:
    """Tell whether a value looks like the ids that the client gives to lines and sessions."""
    return isinstance(value, str) and _CLIENT_ID.fullmatch(value) is not None


def redact_line(line: str) -> str:
    """Return a line of JSON without its secrets, still JSON; other text as `redact` does."""
    import json

    try:
        value = json.loads(line)
        clean = redact_value(value)
        if clean == value:
            return line
        return json.dumps(clean, separators=(",", ":")) + ("\n" if line.endswith("\n") else "")
    except (ValueError, RecursionError):
        return redact(line)


def redact_value(value: "Any") -> "Any":
    """Return a value of JSON without the secrets in its texts and keys."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return _redact_list(value)
    if isinstance(value, dict):
        return {redact(key): _redact_field(key, item) for key, item in value.items()}
    if isinstance(value, int | float) and not isinstance(value, bool) and has_own_patterns():
        text = str(value)  # an account's number may be written without quotes
        return value if redact(text) == text else redact(text)
    return value


def _redact_field(key: str, value: "Any") -> "Any":
    """Redact what stands under a key, which may say itself that it is a secret."""
    if key in _ID_KEYS and is_client_id(value):
        return value
    clean = redact_value(value)
    if clean and isinstance(value, str) and clean == value and may_name_secret(key):
        assigned = redact(f'"{key}": "{value}"')
        if value not in assigned:
            return ASSIGNED
    return clean


def _redact_list(values: "list[Any]") -> "list[Any]":
    """Redact a list; of a list of texts, also what spans several of them, as lines of a file do."""
    if len(values) > 1 and all(isinstance(value, str) for value in values):
        whole = "\n".join(values)
        clean = redact(whole)
        return values if clean == whole else clean.split("\n")
    return [redact_value(value) for value in values]

"""Take secrets out of JSON, text by text, so that it stays JSON (light).

In raw JSON a key that begins a line of its text would follow the letter of an escape, and a pattern
of the user's own could take away what holds the texts together.
"""

import re

from amplihack_compaction.base.redaction.redact import (
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
# Names of keys, tools and files come again on every line.
_SHORT_CHARS = 256
_MOST_TEXTS = 4096
_clean_texts: set[str] = set()
_harmless_names: set[str] = set()
_ID_CHARS = 36
_CLIENT_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_client_id(value: object) -> bool:
    """Return whether a value looks like the ids that the client gives to lines and sessions."""
    if not isinstance(value, str) or len(value) != _ID_CHARS:
        return False
    return _CLIENT_ID.fullmatch(value) is not None


def redact_line(line: str) -> str:
    """Return a line of JSON without its secrets, still JSON; other text as `redact` does."""
    import json

    try:
        hidden: list[Any] = []
        value = json.loads(line, object_pairs_hook=lambda pairs: _object(pairs, hidden))
        if not hidden and _is_clean(value):
            return line
        clean = redact_value(value)
        if not hidden and clean == value:
            return line
        return json.dumps(clean, separators=(",", ":")) + ("\n" if line.endswith("\n") else "")
    except (ValueError, RecursionError):
        return redact(line)


def _object(pairs: "list[tuple[str, Any]]", hidden: "list[Any]") -> "dict[str, Any]":
    """Return an object of JSON, and add to `hidden` where a key comes twice.

    The last one counts, and nobody would see what the line has before it.
    """
    made = dict(pairs)
    if len(made) < len(pairs):
        hidden.append(made)
    return made


def _is_clean(value: "Any") -> bool:
    """Return whether a value of JSON is for sure what `redact_value` makes of it.

    Most are, and this is seen in a third of the time: where all texts and keys are clean, and no
    key of a text says that it is a secret. An id of the client's holds no vendor's mark.
    """
    if has_own_patterns():
        return False
    texts: set[str] = set()
    names: set[str] = set()
    _gather(value, texts, names)
    new = [text for text in texts - _clean_texts if not is_client_id(text)]
    names -= _harmless_names
    if not all(redact(text) == text for text in new) or any(map(may_name_secret, names)):
        return False
    if len(_harmless_names) < _MOST_TEXTS:
        _harmless_names.update(name for name in names if len(name) <= _SHORT_CHARS)
    if len(_clean_texts) < _MOST_TEXTS:
        _clean_texts.update(text for text in new if len(text) <= _SHORT_CHARS)
    return True


def _gather(value: "Any", texts: set[str], names: set[str]) -> None:
    """Add all texts in a value, of which some are the `names` that texts stand under."""
    if isinstance(value, str):
        texts.add(value)
    elif isinstance(value, dict):
        texts.update(value)
        for key, item in value.items():
            if isinstance(item, str):
                texts.add(item)
                names.add(key)
            elif isinstance(item, (dict, list)):
                _gather(item, texts, names)
    elif isinstance(value, list):
        if len(value) > 1 and all(isinstance(item, str) for item in value):
            texts.add("\n".join(value))  # a secret may span several
        else:
            for item in value:
                _gather(item, texts, names)


def redact_value(value: "Any") -> "Any":
    """Return a value of JSON without the secrets in its texts and keys."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {redact(key): _redact_field(key, item) for key, item in value.items()}
    if isinstance(value, list):
        return _redact_list(value)
    if has_own_patterns() and isinstance(value, int | float) and not isinstance(value, bool):
        text = str(value)  # an account's number may be written without quotes
        return value if redact(text) == text else redact(text)
    return value


def _redact_field(key: str, value: "Any") -> "Any":
    """Redact what stands under a key, which may say itself that it is a secret."""
    if not isinstance(value, str):
        return redact_value(value)
    if key in _ID_KEYS and is_client_id(value):
        return value
    clean = redact(value)
    if clean and clean == value and may_name_secret(key):
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

"""Whose state it is: what this user's own processes wrote bears a mark of his key (cold).

A project's folder may have come with somebody else's repository, files of this package's in it:
offers, snapshots, a ledger with "the user's words". Who wrote a file cannot be told from where it
lies, so what is read back and can put words before a model is marked, as a keyed hash over its
place and bytes, with a key that lies outside of every project:

    ~/.local/share/amplihack-compaction/key     32 random bytes as hexadecimal digits, 0600

What bears no mark, or another key's, is not state: sessions are folded again from their
transcripts, which lie outside as well.
"""

from amplihack_compaction.base.files import create_exclusively, read_bytes

_KEY_BYTES = 32
_DIGITS = 40
_HEAD = b'{"mark": "'
_BEHIND = b'", '


def key_path() -> str:
    """Return the file of this user's key.

    Where the data lies by `XDG_DATA_HOME` does not matter: a client that was not started from a
    shell may not have it, and the same user would have two keys.
    """
    from os import environ
    from os.path import expanduser

    named = environ.get("AMPLIHACK_COMPACTION_HOME")
    own = expanduser("~/.local/share/amplihack-compaction")  # noqa: PTH111 - pathlib is slow
    return f"{named or own}/key"


def mark_of(data: bytes, path: str) -> str:
    """Return the mark of what this user's process writes; empty where he can have no key.

    A file of a session's is bound to its place in that session, so that a project can be moved;
    any other to where it lies, and what has a name alone to that.
    """
    key = _key() or _new_key()
    return _mark(key, data, path) if key else ""


def is_marked(data: bytes, path: str, mark: str) -> bool:
    """Return whether it was this user's process that wrote this, for this place."""
    key = _key()
    return bool(key) and len(mark) == _DIGITS and _mark(key, data, path) == mark


def signed(data: bytes, path: str) -> bytes:
    """Return a JSON object with its mark as its first value."""
    mark = mark_of(data, path)
    return b"".join((_HEAD, mark.encode(), _BEHIND, data[1:])) if mark else data


def own_part(data: bytes | None, path: str) -> bytes | None:
    """Return a JSON object as it was signed; None for what this user's process did not sign."""
    if data is None or not data.startswith(_HEAD):
        return None
    mark, rest = data[len(_HEAD) : len(_HEAD) + _DIGITS], data[len(_HEAD) + _DIGITS :]
    body = b"{" + rest[len(_BEHIND) :]
    return body if is_marked(body, path, mark.decode("ascii", "replace")) else None


def _mark(key: bytes, data: bytes, path: str) -> str:
    from _blake2 import blake2b

    _, is_session, place = path.rpartition("/sessions/")
    if not is_session and path.startswith("/"):
        from os.path import realpath

        place = realpath(path)
    named = place.encode("utf-8", "surrogateescape")
    return blake2b(named + b"\0" + data, digest_size=_DIGITS // 2, key=key).hexdigest()


def _key() -> bytes:
    path = key_path()
    if not path.startswith("/"):  # a user without a home; a key in the project is nobody's
        return b""
    try:
        key = bytes.fromhex((read_bytes(path, 1024) or b"").decode("ascii").strip())
    except ValueError:
        return b""
    return key if len(key) == _KEY_BYTES else b""


def _new_key() -> bytes:
    from posix import urandom

    if not key_path().startswith("/"):
        return b""
    try:
        create_exclusively(key_path(), urandom(_KEY_BYTES).hex().encode() + b"\n")
    except OSError:
        return b""
    return _key()

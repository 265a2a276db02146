"""Secrets in the shapes in which they stand in a session, and what only looks like one.

A shape's secret is drawn when it is asked for, so that no scanner takes the repository for a leak:
`«x32»` stands for 32 characters of kind x, `«=words»` for the words themselves, and both for what
nobody may see. Every second shape is of the half that the patterns were developed on; of the fresh
ones, written later and without a look at the patterns, a hash of the shape says which half.
"""

import hashlib
import random
import re
import string
from functools import cache
from pathlib import Path
from typing import NamedTuple

_LETTERS, _DIGITS = string.ascii_letters, string.digits
_KINDS = {
    "x": _LETTERS + _DIGITS, "h": "0123456789abcdef", "u": string.ascii_uppercase + _DIGITS,
    "d": _DIGITS, "b": _LETTERS + _DIGITS + "+/", "c": string.ascii_lowercase + _DIGITS,
    "z": _LETTERS + _DIGITS + "-_", "l": string.ascii_lowercase,
    "t": string.ascii_lowercase + "234567",
    "k": "".join(sign for sign in _LETTERS + _DIGITS if sign not in "0OIl"),
    "s": _LETTERS + _DIGITS + "!#%^*?.",
}  # fmt: skip
_SECRET = re.compile(r"«(?:=([^»]+)|([a-z])([0-9]+))»")
_SEEN_CHARS = 10


class Shape(NamedTuple):
    """A text, the secrets in it, and what it is an example of."""

    group: str
    text: str
    secrets: tuple[str, ...]
    hashed_half: int

    def leaks_in(self, clean: str) -> bool:
        """Return whether a part of a secret that is long enough to tell stands in a text."""
        return any(
            secret[start : start + _SEEN_CHARS] in clean
            for secret in self.secrets
            for start in range(max(1, len(secret) - _SEEN_CHARS + 1))
        )


def _drawn(kind: str, count: int, rng: random.Random) -> str:
    if kind == "w":
        word = "".join(rng.choice(string.ascii_lowercase) for _ in range(count - 3))
        return word.capitalize() + "".join(rng.choice(_DIGITS) for _ in range(3))
    some = [rng.choice(_KINDS[kind]) for _ in range(count)]
    if kind in "xz":  # it begins and ends as a word does
        some[0], some[-1] = rng.choice(_KINDS["x"]), rng.choice(_KINDS["x"])
    return "".join(some)


@cache
def _shapes(name: str) -> list[Shape]:
    shapes, group, rng = [], "", random.Random("shapes")
    table = Path(__file__).with_name(name).read_text(encoding="utf-8")
    for line in table.split("\n")[:-1]:
        if line.startswith("# "):
            group = line[2:]
            continue
        secrets: list[str] = []

        def draw(found: re.Match[str], secrets: list[str] = secrets) -> str:
            words, kind, count = found.groups()
            secrets.append(words or _drawn(kind, int(count), rng))
            return secrets[-1]

        text = re.sub(r"(?<!\\)\\n", "\n", _SECRET.sub(draw, line)).replace(r"\\n", r"\n")
        if group == "split":
            text = text.replace(r"\n", "\\\n") if "export" in text else text
        hashed_half = hashlib.sha256(line.encode()).digest()[0] % 2
        shapes.append(Shape(group, text, tuple(s for s in secrets if len(s) > 5), hashed_half))
    return shapes


def secret_shapes(half: int) -> list[Shape]:
    """Return the secrets of half 0, on which the patterns were developed, or 1."""
    return _shapes("secret_shapes.txt")[half::2]


def look_alikes(half: int) -> list[Shape]:
    """Return what is no secret, of half 0 or 1."""
    return _shapes("look_alikes.txt")[half::2]


def fresh_secret_shapes(half: int) -> list[Shape]:
    """Return the later secrets of half 0, whose leaks were looked at, or 1."""
    return [s for s in _shapes("secret_shapes_fresh.txt") if s.hashed_half == half]


def fresh_look_alikes(half: int) -> list[Shape]:
    """Return what is no secret of the later shapes, of half 0 or 1."""
    return [s for s in _shapes("look_alikes_fresh.txt") if s.hashed_half == half]


def common_secret_shapes(half: int) -> list[Shape]:
    """Return the commonest shapes of all, written last and before a look at the patterns."""
    return [s for s in _shapes("secret_shapes_common.txt") if s.hashed_half == half]


def common_look_alikes(half: int) -> list[Shape]:
    """Return what is no secret of the commonest shapes, of half 0 or 1."""
    return [s for s in _shapes("look_alikes_common.txt") if s.hashed_half == half]

"""One input of the fuzzer: files to write and steps to take, in their order.

    RS NAME LF CONTENT RS NAME LF CONTENT ...        RS is the byte 0x1E

A part named `>EVENT` is a hook's standard input, one named `$WORDS` a command line's; any other
is a file below the world's folder. `@W@` in a content or a command stands for that folder, and a
number behind `#` tells parts of the same name apart. Parts whose name is none of these are left
out, so that any bytes are a case. In a content RS is written as GS `1`, and GS (0x1D) as GS `0`.
"""

import re
from typing import NamedTuple

_MARK, _ESCAPE = b"\x1e", b"\x1d"
_NAME = re.compile(r"(?:>[A-Za-z]+|\$[\w@/.:=, -]+|[\w.-]+(?:/[\w.-]+)*)(?:#\d+)?")
_NAME_CHARS = 200
WORLD = b"@W@"


class Part(NamedTuple):
    """A step or a file; `content` is what the step reads or the file holds."""

    name: str
    content: bytes

    @property
    def is_step(self) -> bool:
        """Whether something is run."""
        return self.name[0] in ">$"

    @property
    def plain_name(self) -> str:
        """The name without the number behind it."""
        return self.name.partition("#")[0]


Case = tuple[Part, ...]


def encode(case: Case) -> bytes:
    """Return a case as bytes."""
    parts = (_MARK + part.name.encode() + b"\n" + _escaped(part.content) for part in case)
    return b"".join(parts)


def decode(data: bytes) -> Case:
    """Return the case that any bytes are; parts that cannot be are left out."""
    found = []
    for piece in data.split(_MARK)[1:]:
        name, _, content = piece.partition(b"\n")
        text = name.decode("utf-8", "replace")
        if len(text) <= _NAME_CHARS and _NAME.fullmatch(text) and ".." not in text.split("/"):
            found.append(Part(text, _plain(content)))
    return tuple(found)


def _escaped(content: bytes) -> bytes:
    return content.replace(_ESCAPE, _ESCAPE + b"0").replace(_MARK, _ESCAPE + b"1")


def _plain(content: bytes) -> bytes:
    return content.replace(_ESCAPE + b"1", _MARK).replace(_ESCAPE + b"0", _ESCAPE)

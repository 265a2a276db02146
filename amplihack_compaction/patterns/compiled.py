"""Compiled patterns that outlive a process, as compiled modules do (light).

To compile what one compaction needs is a sixth of its hook's time; to read it, some thousandths.
So what a pattern was compiled to is kept where the interpreter keeps modules, in `__pycache__`:

    compiled.cpython-311.patterns
        {"version": 1, "interpreter": its exact version, "sum": CRC-32 of all that follows}
        {"CRC-32 of a source-its flags": [where it lies from here on, where its program, its end]}
        for each: [source, flags in force, groups, {name: group}], and its program in 4-byte words

A program is made by `re`, which checks it before it takes it back. With another interpreter, or
where anything is not as expected, a pattern is compiled as ever. Only the package's own patterns
are kept, never a user's.
"""

import posix
import re
import sys
from contextlib import suppress
from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Program = tuple[int, int, dict[str, int], memoryview[int]]

PATH = f"{__file__.rpartition('/')[0]}/__pycache__/compiled.{sys.implementation.cache_tag}.patterns"
LIMIT_BYTES = 8 * 1024 * 1024
_OPEN = posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC
_VERSION = 1
_INTERPRETER = f"{sys.implementation.name} {sys.version} {sys.byteorder}"
# What a file of another make, or the inside of another interpreter, may lead to.
_FAULTS = (
    OSError, ValueError, TypeError, LookupError, AttributeError, ImportError, OverflowError,
    RuntimeError, MemoryError,
)  # fmt: skip


class Programs:
    """The programs in a file, which is read when the first is asked for.

    `new` has the patterns that were compiled because theirs was not among them.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.new: dict[tuple[str, int], re.Pattern[str]] = {}
        self._places: dict[str, list[int]] | None = None
        self._data = memoryview(b"")

    def compiled(self, source: str, flags: int) -> "re.Pattern[str]":
        """Return the pattern, made of its program where that is known."""
        if self._places is None:
            self._places = {}
            with suppress(*_FAULTS):
                self._places, self._data = _read(self.path)
        place = self._places.get(_key(source, flags))
        if place is not None:
            with suppress(*_FAULTS):
                return _assembled(source, _loaded(self._data, place, source))
        pattern = self.new[source, flags] = re.compile(source, flags)
        return pattern

    def to_be_kept(self) -> bytes:
        """Return the file's content with the new ones; empty where none of them can be kept.

        Of an interpreter that is other inside, the first one tells that. A file that grew beyond
        the limit is not read, and made anew.
        """
        places, parts, end = dict(self._places or {}), [self._data.tobytes()], len(self._data)
        with suppress(*_FAULTS):
            for (source, flags), pattern in self.new.items():
                program = _program_of(source, flags)
                if _assembled(source, program) == pattern:
                    named, words = _dumped(source, program)
                    parts += [named, words]
                    begin, middle, end = end, end + len(named), end + len(named) + len(words)
                    places[_key(source, flags)] = [begin, middle, end]
        return _whole(places, parts) if len(parts) > 1 else b""


def compiled(source: str, flags: int = 0) -> "re.Pattern[str]":
    """Return what `re.compile` does, for a pattern of the package's own."""
    return PROGRAMS.compiled(source, int(flags))


def _key(source: str, flags: int) -> str:
    return f"{crc32(source.encode())}-{flags}"


def _read(path: str) -> "tuple[dict[str, list[int]], memoryview]":
    """Return where each program lies, and them; none of a torn file, or another interpreter's."""
    import json

    with open(posix.open(path, _OPEN), "rb") as stream:  # noqa: PTH123 - a descriptor
        head, _, rest = stream.read(LIMIT_BYTES).partition(b"\n")
    if json.loads(head) != _head(rest):
        return {}, memoryview(b"")
    end = rest.index(b"\n") + 1
    return json.loads(rest[:end]), memoryview(rest)[end:]


def _whole(places: "dict[str, list[int]]", parts: list[bytes]) -> bytes:
    import json

    rest = json.dumps(places).encode() + b"\n" + b"".join(parts)
    return json.dumps(_head(rest)).encode() + b"\n" + rest


def _head(rest: bytes) -> "dict[str, Any]":
    return {"version": _VERSION, "interpreter": _INTERPRETER, "sum": crc32(rest)}


def _loaded(data: memoryview, place: "list[int]", source: str) -> "Program":
    """Return a program; raises LookupError where it is that of another pattern."""
    import json

    begin, middle, end = place
    known, flags, groups, names = json.loads(data[begin:middle].tobytes())
    if known != source:
        raise LookupError
    return flags, groups, names, data[middle:end].cast("I")


def _dumped(source: str, program: "Program") -> tuple[bytes, bytes]:
    import json

    flags, groups, names, words = program
    return json.dumps([source, flags, groups, names]).encode(), words.tobytes()


def _assembled(source: str, program: "Program") -> "re.Pattern[str]":
    import _sre  # type: ignore[import-not-found]

    flags, groups, names, words = program
    name_of: list[str | None] = [None] * (groups + 1)
    for name, group in names.items():
        name_of[group] = name
    made: re.Pattern[str] = _sre.compile(
        source, flags, words.tolist(), groups, names, tuple(name_of)
    )
    return made


def _program_of(source: str, flags: int) -> "Program":
    """Compile a pattern, and return what it was compiled to instead of what is made of that."""
    compiler: Any = re._compiler  # type: ignore[attr-defined]
    parser: Any = re._parser  # type: ignore[attr-defined]
    parsed = parser.parse(source, flags)
    code = compiler._code(parsed, flags)
    words = memoryview(bytearray(4 * len(code))).cast("I")
    for number, word in enumerate(code):
        words[number] = int(word)
    state = parsed.state
    return int(flags | state.flags), state.groups - 1, dict(state.groupdict), words


PROGRAMS = Programs(PATH)

"""The user's own patterns of what is a secret: the setting `redact_patterns` (light).

The environment, the project's file and the user's own each add to the others: a pattern that one
place could take away from another would be a leak. For the same reason a pattern that was in force
once in a process stays so. Those of the project that a process runs in are read when the first text
is looked at; who works on another one says so with `redaction.use_project`.
"""

from amplihack_compaction.raw_settings import read_own_file, read_project_file, read_variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

NAME = "redact_patterns"
KIND = "own-pattern"


class OwnPatterns:
    """The patterns in force, and whether the project that the process runs in has been asked.

    `clean_texts` is for the hashes of long texts in which nothing was found to take out.
    """

    __slots__ = ("_compiled", "_strings", "clean_texts", "has_asked")

    def __init__(self) -> None:
        self.has_asked = False
        self.clean_texts: set[int] = set()
        self._compiled: dict[str, re.Pattern[str]] = {}
        self._strings: dict[str, tuple[str, ...]] = {}

    @property
    def is_empty(self) -> bool:
        """Whether there are none."""
        return not self._compiled

    @property
    def count(self) -> int:
        """How many there are; it never falls."""
        return len(self._compiled)

    def add(self, sources: "Iterable[str]") -> None:
        """Put accepted patterns in force, beside those that are."""
        new = [source for source in sources if source not in self._compiled]
        if new:
            import re

            from amplihack_compaction.patterns.patterns import needed_strings

            strings = {source: needed_strings(source) for source in new}
            self._strings = {**self._strings, **strings}
            # Last, and replaced as a whole: another thread may be going through it.
            self._compiled = {**self._compiled, **{each: re.compile(each) for each in new}}
            self.clean_texts = set()  # another one: a thread that began before fills the old one

    def spans(self, text: str) -> "Iterator[tuple[int, int]]":
        """Yield where a text matches; a pattern is tried where a string stands that it needs."""
        for source, pattern in self._compiled.items():
            strings = self._strings[source]
            if not strings or any(string in text for string in strings):
                for found in pattern.finditer(text):
                    yield found.span()


def read_patterns(root: str) -> list[str]:
    """Return the accepted patterns of a project, of all places together."""
    text = read_variable(NAME)
    places = [read_own_file().get(NAME), read_project_file(root).get(NAME)] if root else []
    if not text and not any(places):
        return []
    from amplihack_compaction.patterns.limits import parse_patterns, usable_patterns

    if text:
        places.append(parse_patterns(text))
    found: list[str] = []
    for values in places:
        if isinstance(values, list):
            found += usable_patterns(values)[0]
    return list(dict.fromkeys(found))

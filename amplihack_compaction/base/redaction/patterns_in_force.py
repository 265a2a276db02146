"""The user's own patterns that are in force in this process (light).

A pattern that was in force once in a process stays so: to take it away again would be a leak. So
others are only ever added, by the settings when they are read, and when the first text is redacted.
"""

from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator


class OwnPatterns:
    """The patterns in force, and whether the project that the process runs in has been asked.

    `clean_texts` is for the hashes of long texts in which nothing was found to take out.
    """

    __slots__ = ("_adding", "_compiled", "clean_texts", "has_asked")

    def __init__(self) -> None:
        self.has_asked = False
        self._adding = allocate_lock()
        self.clean_texts: set[int] = set()
        self._compiled: dict[str, re.Pattern[str]] = {}

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
        wanted = list(sources)
        if all(source in self._compiled for source in wanted):
            return
        import re

        # One after the other: of two that add at once, one would put back what was before both.
        with self._adding:
            new = [source for source in wanted if source not in self._compiled]
            # Last, and replaced as a whole: another thread may be going through it.
            self._compiled = {**self._compiled, **{each: re.compile(each) for each in new}}
            self.clean_texts = set()  # another one: a thread that began before fills the old one

    def spans(self, text: str) -> "Iterator[tuple[int, int]]":
        """Yield where a text matches."""
        for pattern in self._compiled.values():
            for found in pattern.finditer(text):
                yield found.span()


IN_FORCE = OwnPatterns()


def use_patterns(sources: "Iterable[str]") -> None:
    """Put patterns in force that were found acceptable, see `accepted_patterns`."""
    IN_FORCE.add(sources)

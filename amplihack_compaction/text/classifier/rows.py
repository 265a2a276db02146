"""Find the rows of single features in a table, which has tens of thousands of them.

A table is a text file: a line on itself, with the size of its rows; a line with the features that
are a word or a sign; then the rows, in the order of their bytes: a feature, a tab, and a number for
each thing that sentences do, in hundredths. `python -m tests.publish_acts` makes them. A session
asks for some hundred rows: to take all of them apart would be a twentieth of a compaction.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from amplihack_compaction.base.files import read_bytes

_LIMIT_BYTES = 8 * 1024 * 1024
_BLOCK_BYTES = 2048
_CACHED_FEATURES = 16_384


class Rows:
    """A table's rows; `words` are the features that are a word or a sign."""

    def __init__(self, words: str, text: bytes) -> None:
        """Take the rows as one text that has a line's end before each and behind the last."""
        self.words = frozenset(words.split(" "))
        self._text = text
        begins = (text.find(b"\n", at) for at in range(0, len(text), _BLOCK_BYTES))
        # Blocks of whole rows, from line's end to line's end, and the first feature of each.
        self._begins = sorted({*begins, len(text) - 1})
        self._firsts = [text[at + 1 : text.find(b"\t", at)] for at in self._begins[:-1]]
        self.numbers_of = lru_cache(_CACHED_FEATURES)(self._find)
        """Return a feature's numbers; none for one that has no row."""

    def _find(self, feature: str) -> Sequence[int]:
        name = feature.encode("utf-8", "surrogatepass")
        block = bisect_right(self._firsts, name) - 1
        if block < 0:
            return ()
        row = b"\n%b\t" % name
        at = self._text.find(row, self._begins[block], self._begins[block + 1])
        if at < 0:
            return ()
        at += len(row)
        return [int(number) for number in self._text[at : self._text.find(b"\n", at)].split()]


def read_rows(path: str) -> Rows | None:
    """Return the rows in a file, or None when it is missing or torn."""
    head, _, rest = (read_bytes(path, _LIMIT_BYTES, follow=True) or b"").partition(b"\n")
    words, end, rows = rest.partition(b"\n")
    if b" %d bytes" % len(rows) not in head:
        return None
    return Rows(words.decode("utf-8", "replace"), end + rows)

"""What a sentence does, by weights that were learnt from thousands of sentences.

Patterns know the common wordings; of the others this says how likely it is that a sentence of the
user's states a rule, makes a choice, sets the work or takes something back, and that one of the
model's tells of something unsolved or given up.

A sentence counts by its words in their order, names left out: words, pairs, triples and pairs with
one word between; the beginnings of long words, for their endings vary; the places at the front;
the length. Code, paths and numbers all count as one word, a Chinese, Japanese or Korean sign as a
word of its own.

A table of weights is a file of numbers: a line on itself; then, of each feature in the order of
their checksums, the step to its checksum from the one before, all lowest bytes first; then, for
each thing that sentences do, a number for each feature, in 6ths. So it packs well.
`python -m tests.publish_acts` makes them.
"""

import re
import sys
from array import array
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cache, cached_property, lru_cache
from itertools import accumulate, pairwise
from math import exp
from typing import NamedTuple
from zlib import crc32

from amplihack_compaction.base.files import read_bytes
from amplihack_compaction.text.word_lists import data_lines
from amplihack_compaction.text.words import CJK_RUN, has_cjk

_MOST_WORDS = 60
# Of more words that are not known, most are names.
_MOST_TYPOS = 8
_WORDS_A_LENGTH = 4
_LONGEST = 24
_STEM_CHARS = 4
_SHORT_WORD = 5
_EDGES = ".,;:!?()[]{}\"'“”«»…。，、；：！？-–—*"
_NAME = "0"
_LETTERS = "etaoinsrhldcumfpgwybvkxjqz"
_FOLDER = f"{__file__.rpartition('/')[0]}/data"
_CODE = re.compile(r".*\w[./_@:\\]+\w.*|.*\d.*|.*[a-z][A-Z].*|[A-Z]{2,}\w*|[~/].*|--?\w.*")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\w\s]|_")


def features_of(sentence: str, known: Container[str] = ()) -> set[str]:
    """Return a sentence's features.

    With words that are `known`, those that are not are taken for the one they are mistyped from.
    """
    words = counted_words(sentence)[:_MOST_WORDS]
    if known:
        strange = [word for word in words if word not in known][:_MOST_TYPOS]
        right = {word: _put_right(word, known) for word in strange}
        words = [right.get(word, word) for word in words]
    found = {f"n:{min(len(words), _LONGEST) // _WORDS_A_LENGTH}", *words}
    line = ["^", *words, "$"]
    found.update(f"{one} {two}" for one, two in pairwise(line))
    for one, two, three in zip(line, line[1:], line[2:], strict=False):
        found.add(f"{one} {two} {three}")
        found.add(f"{one} _ {three}")
    found.update(f"{place}:{word}" for place, word in enumerate(words[1:3], 2))
    found.update(
        f"{word[:_STEM_CHARS]}-" for word in words if len(word) > _SHORT_WORD and word.isalpha()
    )
    return found


def counted_words(sentence: str) -> list[str]:
    """Return a sentence's words as they count: of names one, of Chinese each sign."""
    words: list[str] = []
    for piece in sentence.translate(_plain_signs()).split():
        core = piece.strip(_EDGES)
        if core and not has_cjk(core) and _CODE.fullmatch(core):
            before, _, after = piece.partition(core)
            words += [*before, _NAME, *after]
        else:
            words += _WORD.findall(piece.casefold())
    runs = (run for word in words for run in (CJK_RUN.findall(word) if has_cjk(word) else (word,)))
    return [part for run in runs for part in (run if has_cjk(run) else (run,))]


def _put_right(word: str, known: Container[str]) -> str:
    """Return the known word of which two letters are swapped, or one is missing or too many.

    The first letter is taken for right, and what is missing is sought among `a` to `z`.
    """
    if len(word) < _SHORT_WORD or not word.isalpha():
        return word
    return next((other for other in _nearly(word) if other in known), word)


def _nearly(word: str) -> Iterator[str]:
    for at in range(1, len(word) + 1):
        left, right = word[:at], word[at:]
        if len(right) > 1:
            yield left + right[1] + right[0] + right[2:]
        if right:
            yield left + right[1:]
        if word.isascii():
            yield from (left + letter + right for letter in _LETTERS)


@cache
def _plain_signs() -> dict[int, int]:
    """Return what signs count as: quotes as plain ones, traditional Chinese as simplified.

    Most sentences in Chinese that the weights were learnt from are written in simplified signs.
    """
    traditional, simplified = data_lines("traditional.txt")
    return str.maketrans(f"’‘`{traditional}", f"'' {simplified}")


BIAS = "(bias)"
PARTS = 6
"""Of one weight, as tables have them."""
# Each bit takes 6 kB of the package. Words are numbered apart: some hundred are tried in place of
# one that is not known, and with 26 bits one in fifteen is like a known one by chance.
_KEY_BITS = 26
SHAPE = f"{_KEY_BITS} bits, 1/{PARTS}"
"""How a table's keys and numbers are to be read; one of another shape is not."""
_HEAD = re.compile(rb"# \d+, (?P<rows>\d+) rows of (?P<columns>\d+), %b: [^\n]*\n" % SHAPE.encode())
_KEY_BYTES = 4
_LIMIT_BYTES = 8 * 1024 * 1024


def key_of(feature: str) -> int:
    """Return the number by which a table knows a feature."""
    checksum = crc32(feature.encode("utf-8", "surrogatepass")) >> (33 - _KEY_BITS)
    return checksum + (feature.isalpha() << (_KEY_BITS - 1))


class Rows:
    """A table's rows, by their features."""

    def __init__(self, keys: Iterable[int], columns: "Sequence[array[int]]") -> None:
        self._columns = columns
        self._places = {key: place for place, key in enumerate(keys)}

    def __contains__(self, feature: object) -> bool:
        """Return whether a feature has a row."""
        return key_of(str(feature)) in self._places

    def numbers_of(self, feature: str) -> Sequence[int]:
        """Return a feature's numbers; none for one that has no row."""
        place = self._places.get(key_of(feature))
        return () if place is None else [column[place] for column in self._columns]


def read_rows(path: str) -> Rows | None:
    """Return the rows in a file, or None when it is missing or torn."""
    content = read_bytes(path, _LIMIT_BYTES, follow=True) or b""
    head = _HEAD.match(content)
    if head is None:
        return None
    rows, columns = int(head["rows"]), int(head["columns"])
    bytes_of = [content[at : at + rows] for at in range(head.end(), len(content), rows or 1)]
    if len(bytes_of) != _KEY_BYTES + columns or len(bytes_of[-1]) != rows:
        return None
    packed = bytearray(rows * _KEY_BYTES)
    for place in range(_KEY_BYTES):
        packed[place::_KEY_BYTES] = bytes_of[place]
    steps = array("I", bytes(packed))
    if sys.byteorder == "big":
        steps.byteswap()
    return Rows(accumulate(steps), [array("b", column) for column in bytes_of[_KEY_BYTES:]])


# What is longer is no sentence; its first words say enough.
_LONGEST_CHARS = 600
_FARTHEST = 50.0


@dataclass
class Table:
    """The weights in a file, read when a sentence is first asked about; `neutral` without them.

    What people type is `mistyped` at times: a word that is not known counts as the one it is like.
    Of a sentence of which less than `known_share` of the words are known, as in a language that
    nothing was learnt from, nothing is told.
    """

    name: str
    neutral: Sequence[float]
    _: KW_ONLY
    mistyped: bool
    known_share: float

    @cached_property
    def path(self) -> str:
        """The file."""
        return f"{_FOLDER}/{self.name}"

    @cached_property
    def rows(self) -> Rows | None:
        """The file's rows; None where it is missing or torn: the patterns then judge alone."""
        return read_rows(self.path)

    def chances_of(self, sentence: str) -> list[float]:
        """Return how likely a sentence does each of the table's things, from 0 to 1."""
        rows = self.rows
        if rows is None:
            return list(self.neutral)
        features = features_of(sentence[:_LONGEST_CHARS], rows if self.mistyped else ())
        words = [feature for feature in features if feature.isalpha()]
        if sum(word in rows for word in words) < self.known_share * len(words):
            return list(self.neutral)
        found = filter(None, map(rows.numbers_of, (BIAS, *features)))
        return [logistic(sum(column) / PARTS) for column in zip(*found, strict=True)]

    def sum_of(self, features: Iterable[str]) -> float:
        """Return the sum of what features weigh for the table's first thing; 0 without a table."""
        found = filter(None, map(self.rows.numbers_of, features)) if self.rows else ()
        return sum(numbers[0] for numbers in found) / PARTS


def logistic(weight: float) -> float:
    """Return the chance that a sum of weights stands for, from 0 to 1, however large the sum is."""
    return 1 / (1 + exp(-max(-_FARTHEST, min(_FARTHEST, weight))))


# What nothing is known of may ask for work, and is no rule.
_NEUTRAL = (0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.4)
USER_TABLE = Table("typed.weights", _NEUTRAL, mistyped=True, known_share=0.4)
EAST_TABLE = Table("typed_east.weights", _NEUTRAL, mistyped=True, known_share=0.4)
"""Of sentences with Chinese, Japanese or Korean signs, which share few features with others."""
_CACHED_SENTENCES = 4096


class UserChances(NamedTuple):
    """How likely a sentence of the user's does each of these, from 0 to 1; it may do several.

    `kept` says that it must not be lost: it is a rule, a choice, or takes one back. `forbids` says
    of a rule that it is a prohibition. A `fragment` is not the user's: a line of an output, a
    heading, a quotation. `work` says that it asks for some.
    """

    kept: float
    rule: float
    forbids: float
    fragment: float
    decision: float
    objective: float
    lift: float
    work: float


# "And never ...", "ok, never ...": what only leads on to an order says nothing of it, and most of
# what was learnt from begins without.
_LEADS_ON = re.compile(
    r"\W{0,3}(?:(?:and|so|also|but|plus|then|oh|ok|okay|btw|wait|hey|seriously|again|und|aber|also|dann"
    r"|y|pero|et|mais|e|mas|и|а|но|ещё|еще)\b[,:]?\s+){1,3}"
    r"(?=(?:please |bitte )?(?!never (?:mind|had|was|were|been|got|there|\w{2,}(?<![su])s)\b)"
    r"(?!(?:don['’]?t|do not) (?:know|think|worry|hesitate|see|understand|remember|get|need|have)"
    r"\b)"
    r"(?:never|always|don['’]?t|do not|niemals|nie|immer|nunca|siempre|jamais|toujours"
    r"|sempre|никогда|всегда)\s)"
    r"|(?:还有|另外|而且|对了)[，,]?(?=(?:以后)?(?:请)?(?:不要|别|永远|必须))",
    re.IGNORECASE,
)


@lru_cache(maxsize=_CACHED_SENTENCES)
def user_chances(sentence: str) -> UserChances:
    """Return how likely a typed sentence does what."""
    if (leads_on := _LEADS_ON.match(sentence)) is not None:
        begun = sentence[leads_on.end() :]
        sentence = begun[:1].upper() + begun[1:]
    table = EAST_TABLE if has_cjk(sentence) else USER_TABLE
    return UserChances(*table.chances_of(sentence))

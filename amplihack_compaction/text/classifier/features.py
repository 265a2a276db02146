"""What of a sentence says how it is meant: its words in their order, names left out.

Words, pairs, triples and pairs with one word between; the beginnings of long words, for their
endings vary; the places at the front; the length. Code, paths and numbers all count as one word,
a Chinese, Japanese or Korean sign as a word of its own.
"""

import re
from collections.abc import Container, Iterator
from itertools import groupby, pairwise

from amplihack_compaction.text.strings import has_cjk

_MOST_WORDS = 60
# Of more words that are not known, most are names.
_MOST_SLIPS = 8
_WORDS_A_LENGTH = 4
_LONGEST = 24
_STEM_CHARS = 4
_SHORT_WORD = 5
_EDGES = ".,;:!?()[]{}\"'“”«»…。，、；：！？-–—*"
_NAME = "0"
_LETTERS = "etaoinsrhldcumfpgwybvkxjqz"
_QUOTES = str.maketrans({"’": "'", "‘": "'", "`": " "})
_CODE = re.compile(r".*\w[./_@:\\]+\w.*|.*\d.*|.*[a-z][A-Z].*|[A-Z]{2,}\w*|[~/].*|--?\w.*")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\w\s]|_")


def features_of(sentence: str, known: Container[str] = ()) -> set[str]:
    """Return a sentence's features.

    With words that are `known`, those that are not are taken for the one they are mistyped from.
    """
    words = _words(sentence)[:_MOST_WORDS]
    if known:
        strange = [word for word in words if word not in known][:_MOST_SLIPS]
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


def _words(sentence: str) -> list[str]:
    words: list[str] = []
    for piece in sentence.translate(_QUOTES).split():
        core = piece.strip(_EDGES)
        if core and not has_cjk(core) and _CODE.fullmatch(core):
            before, _, after = piece.partition(core)
            words += [*before, _NAME, *after]
        else:
            words += _WORD.findall(piece.casefold())
    return [part for word in words for part in (_signs(word) if has_cjk(word) else (word,))]


def _signs(word: str) -> Iterator[str]:
    """Yield the signs of a word that has Chinese, Japanese or Korean ones, other letters whole.

    Sign by sign: a pattern with these ranges takes milliseconds to compile.
    """
    for wide, several in groupby(word, has_cjk):
        signs = list(several)
        yield from signs if wide else ["".join(signs)]


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

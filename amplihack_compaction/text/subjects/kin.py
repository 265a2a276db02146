"""Which words are akin: they differ in their endings only, or by a slip of the keyboard."""

from collections.abc import Iterable, Mapping

from amplihack_compaction.text.strings import has_cjk

_ENDING_CHARS = 3
# In shorter words one letter makes another word too often.
_LONG_WORD = 6
_ENDINGS = frozenset(
    ("", *"s es e ed d en n er r em am ar ir ez as os a o is i y t te an at on al ly in ne".split())
)
# Each word's kin: words that differ from it in their endings or in one slip.
Kin = Mapping[str, frozenset[str]]


def kin_among(words: Iterable[str]) -> Kin:
    """Return each word's kin among the others; words without any are left out.

    Only words that share a key are compared: pairwise, a few hundred long rules take minutes.
    """
    named: dict[str, list[str]] = {}
    keys = {word: _keys(word) for word in words}
    for word, own in keys.items():
        for key in own:
            named.setdefault(key, []).append(word)
    kin: dict[str, frozenset[str]] = {}
    for word, own in keys.items():
        near = {other for key in own for other in named[key]} - {word}
        akin = frozenset(other for other in near if _akin(word, other))
        if akin:
            kin[word] = akin
    return kin


def _keys(word: str) -> set[str]:
    """Return keys of which two words that are akin have one in common."""
    keys = {f"{word[:at]}-" for at in range(max(3, len(word) - _ENDING_CHARS), len(word) + 1)}
    if len(word) >= _LONG_WORD:
        # One letter too few, or two swapped, leave a word that has lost one letter the same.
        keys.update(word[:at] + word[at + 1 :] for at in range(len(word)))
        keys.add(word)
    return keys


def _akin(left: str, right: str) -> bool:
    """Return whether two words differ in their endings only."""
    least = 4 if left.isascii() else 3
    size = min(len(left), len(right))
    if size < least or has_cjk(left) or left[0].isdigit():
        return False
    if _mistyped(left, right):
        return True
    common = 0
    while common < size and left[common] == right[common]:
        common += 1
    if common < least:
        return False
    if left.isascii():
        return left[common:] in _ENDINGS and right[common:] in _ENDINGS
    return max(len(left), len(right)) - common <= _ENDING_CHARS


def _mistyped(left: str, right: str) -> bool:
    """Say whether one of two longer words is the other with one letter too few or two swapped."""
    short, long = sorted((left, right), key=len)
    if len(short) < _LONG_WORD or len(long) - len(short) > 1:
        return False
    place = 0
    while place < len(short) and short[place] == long[place]:
        place += 1
    if len(short) < len(long):
        return short[place:] == long[place + 1 :]
    swapped = long[place : place + 2][::-1]
    return short[place : place + 2] == swapped and short[place + 2 :] == long[place + 2 :]

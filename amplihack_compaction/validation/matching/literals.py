"""Find what must stand to the letter: identifiers, values, numbers with their units."""

import re
from collections.abc import Iterable

from amplihack_compaction.text.words import (
    STOPWORDS,
    canonical,
    fold,
    number_form,
    raw_words,
)

_VALUE_EDGES = " \t\n`'\"“”‘’«»「」.,;:()[]<>"
_SPACES = re.compile(r"\s+")
_LEAST_NAME_CHARS = 3
_UNITS = {"s": "second", "m": "minute", "h": "hour", "d": "day"}
_QUANTITIES = re.compile(r"(?<![\w.])(\d[\d.,]*)[ -]?([a-zµ%]{1,12})(?!\w)")
_QUANTITY = re.compile(r"(\d[\d.,]*)\s*([a-zµ%]{1,12})\Z")


def has_anchor(anchor: str, folded: str, words: frozenset[str]) -> bool:
    """Return whether folded text, with these canonical words, has an item's identifier or number.

    Of a path its last part is enough, of a number its value.
    """
    if has_literal(anchor, folded):
        return True
    if "/" in anchor:
        name = anchor.rstrip("/").rpartition("/")[2]
        return len(name) >= _LEAST_NAME_CHARS and has_literal(name, folded)
    number = number_form(anchor)
    if number[:1].isdigit():
        return number in words
    parts = [canonical(word) for word in raw_words(anchor) if word not in STOPWORDS]
    return bool(parts) and not anchor[:1].isdigit() and all(part in words for part in parts)


def has_literal(literal: str, folded: str) -> bool:
    """Return whether the text has the literal, not as part of a longer word or number."""
    at = folded.find(literal)
    while at >= 0:
        end = at + len(literal)
        before = folded[at - 1] if at else " "
        after, beyond = folded[end : end + 1], folded[end + 1 : end + 2]
        inside = (before.isalnum() and literal[0].isalnum()) or (
            after.isalnum() and literal[-1].isalnum()
        )
        decimal = after in (".", ",") and beyond.isdigit() and literal[-1].isdigit()
        if not inside and not decimal:
            return True
        at = folded.find(literal, at + 1)
    return False


def literal_form(text: str) -> str:
    """Return a value folded, without quotes and punctuation around it."""
    return _SPACES.sub(" ", fold(text).strip(_VALUE_EDGES))


def literal_part(wanted: str, is_command: bool) -> str:
    """Return what still points to a literal: a path's last part, a command's first two words."""
    if is_command:
        words = wanted.split(" ")
        return " ".join(words[:2]) if len(words) > 2 else ""
    name = wanted.rstrip("/").rpartition("/")[2]
    return name if "/" in wanted and len(name) > _LEAST_NAME_CHARS else ""


def quantity_of(wanted: str) -> tuple[str, str]:
    """Return a quantity's number and unit, both in one spelling; empty when it is none."""
    found = _QUANTITY.match(wanted)
    return (number_form(found.group(1)), _unit(found.group(2))) if found else ("", "")


def has_quantity(quantity: tuple[str, str], texts: Iterable[str]) -> bool:
    """Return whether a folded text has the quantity in any spelling: `30s`, `30 seconds`."""
    return any(
        (number_form(found.group(1)), _unit(found.group(2))) == quantity
        for text in texts
        for found in _QUANTITIES.finditer(text)
    )


def _unit(word: str) -> str:
    return canonical(_UNITS.get(word, word))

"""Texts made comparable and fit to show: normal forms, words, identifiers, pattern lists."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_MARKUP = re.compile(r"[`*_~#>\"'“”‘’«»„「」『』()\[\]{}|]+")
_SPACE = re.compile(r"\s+")
# How much of a text another one has that says nearly all of it.
_MOST_OF = 0.85
_EDGES = " \t\n.,;:!?…。，、；：！？-–—•·"
_ANCHOR = re.compile(
    r"https?://[^\s<>()\"'`]+"
    r"|(?:[~.]{0,2}/)?(?:[\w.@-]{1,255}/)+[\w.@*-]+"
    r"|\b[\w-]{0,255}\d[\w.-]*\b"
    r"|\b\w+(?:[_.]\w+)+\b"
    r"|\b[a-z]+[A-Z]\w*\b"
    r"|\b[A-Z]{2,}\w*\b"
)
TEXT_CHARS = 320
"""The most characters of a text in a line, where nobody says otherwise."""
_TAGS = re.compile(
    r"<(?=[/!?]?\s*(?:[-!]|system|persisted-output|command-|local-command|task-|tools-used"
    r"|antml|function|user-prompt|total_tokens|summary|analysis|budget))",
    re.IGNORECASE,
)
_FRAME = re.compile(r"(?<!-)-{2,}>|AMPLIHACK STATE", re.IGNORECASE)
# A state is told twice, whole for its file and in short for the model.
_KEPT_TEXTS = 4096


def normal_form(text: str) -> str:
    """Return the text folded for identity: case, width, markup, spacing and edges ignored."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", _MARKUP.sub(" ", folded)).strip(_EDGES)


def anchors_of(text: str) -> set[str]:
    """Return what identifies a text beyond its wording: identifiers, numbers, paths, urls."""
    return {found.group().rstrip(".,;:!?").casefold() for found in _ANCHOR.finditer(text)}


def has_cjk(text: str) -> bool:
    """Return whether the text has Chinese, Japanese or Korean characters."""
    return not text.isascii() and any(
        "\u3040" <= sign <= "\u30ff"
        or "\u3400" <= sign <= "\u4dbf"
        or "\u4e00" <= sign <= "\u9fff"
        or "\uac00" <= sign <= "\ud7af"
        for sign in text
    )


def printable(text: str) -> str:
    """Return the text without what a terminal would act on or cannot show; line ends stay."""
    return "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)


def one_line(text: str, limit: int) -> str:
    """Return the text on one line, cut at a word with an ellipsis when above `limit` characters."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    cut = line[: limit - 1]
    head = cut.rpartition(" ")[0]
    return (head if len(head) > limit // 2 else cut).rstrip(_EDGES) + "…"


@lru_cache(maxsize=_KEPT_TEXTS)
def inert(text: str, limit: int = TEXT_CHARS) -> str:
    """Return a text as one harmless line of at most `limit` characters.

    What was said in a transcript then cannot close the injection's frame, open a tag to which the
    client gives a meaning, or move a terminal's cursor.
    """
    line = one_line(text, limit)
    if not line.isprintable():
        line = "".join(character if character.isprintable() else " " for character in line)
    return _FRAME.sub(_spread, _TAGS.sub("‹", line))


def _spread(found: re.Match[str]) -> str:
    return "- >" if found.group().endswith(">") else "AMPLIHACK-STATE"


def counted(number: int, noun: str) -> str:
    """Return a number of things in words: `1 file`, `2,000 files`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def has_hint(text: str, hints: Iterable[str]) -> bool:
    """Return whether a text has any of the hints (in small letters) to what patterns look for."""
    low = text.lower()
    for hint in hints:  # noqa: SIM110 - a generator costs as much as the search
        if hint in low:
            return True
    return False


def is_quoted(text: str, others: Iterable[str]) -> bool:
    """Return whether a text stands in one of the others, all of it or all but a few words."""
    return any(
        other and (text in other or (other in text and len(other) > _MOST_OF * len(text)))
        for other in others
    )


def asks(sentence: str) -> bool:
    """Return whether a sentence ends as a question does."""
    return sentence.rstrip().endswith(("?", "？"))


def end_of_question(text: str) -> str:
    """Return a text that ends with a question mark, without marks behind that; else nothing."""
    plain = text.rstrip(" *_`\n")
    return plain if plain.endswith(("?", "？")) else ""


PatternList = tuple[re.Pattern[str], ...]


def compile_all(sources: Iterable[str], flags: int = 0) -> PatternList:
    """Return the patterns, compiled."""
    return tuple([re.compile(source, flags) for source in sources])


def search_any(patterns: PatternList, text: str) -> re.Match[str] | None:
    """Return the match of the first of the patterns that a text has anywhere."""
    return next(filter(None, (pattern.search(text) for pattern in patterns)), None)


def match_any(patterns: PatternList, text: str) -> re.Match[str] | None:
    """Return the match of the first of the patterns that a text begins with."""
    return next(filter(None, (pattern.match(text) for pattern in patterns)), None)

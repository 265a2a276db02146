"""Words of a text, as typed and as they count, and texts made comparable and fit to show.

First normal forms, identifiers and lists of patterns; then words without their accents; then what
words count as; then the language of a text, by its script or its function words.

`data/synonyms.txt` has a group of words in a line that mean the same, the first of which stands for
all. A line of `data/related_words.txt` is
looser: `reply` and `language` may stand in for each other when a summary says in its own words
what was asked, but sharing such a word is worth less than sharing the word. A word may stand in
several lines.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from amplihack_compaction.text.word_lists import (
    data_lines,
    lists_below,
    patterns,
    word_lists,
    words_of_all,
)

_PATTERNS = patterns("words")

_MARKUP = re.compile(r"[`*_~#>\"'“”‘’«»„「」『』()\[\]{}|]+")
_SPACE = re.compile(r"\s+")
# How much of a text another one has that says nearly all of it.
_MOST_OF = 0.85
_EDGES = " \t\n.,;:!?…。，、；：！？-–—•·"
_ANCHOR = re.compile(_PATTERNS["anchor"])
TEXT_CHARS = 320
"""The most characters of a text in a line, where nobody says otherwise."""
_TAGS = re.compile(_PATTERNS["tags"], re.IGNORECASE)
ANSI = re.compile(r"\x1b\[[?\d;]{0,9}[A-Za-z]")
"""What a terminal takes for a colour or a movement."""
# Signs that nothing is seen of count as printable; many in a row can spell out a text. One that
# chooses how the sign before it looks may stand alone.
_UNSEEN = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]"
    r"|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]"
)
_FRAME = re.compile(r"(?<!-)-{2,}>|AMPLIHACK STATE", re.IGNORECASE)
_SPEAKER = re.compile(r"(?:human|assistant|system|user)(?=\s{0,9}[:：])", re.IGNORECASE)
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
    if text.isprintable():
        return text
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
    return harmless(one_line(text, limit))


def harmless(line: str) -> str:
    """Return one line without what has a meaning to a client, a model or a terminal.

    It is as long as it was: what was found in it stays where it is.
    """
    line = _FRAME.sub(_spread, _TAGS.sub("‹", printable(_UNSEEN.sub(" ", line))))
    speaker = _SPEAKER.match(line)
    return line if speaker is None else line.replace(":", ";", 1).replace("：", ";", 1)


def printed(text: str, limit: int = TEXT_CHARS) -> str:
    """Return what a tool printed as such a line: in quotation marks it would seem the user's."""
    return inert(text, limit).replace('"', "'")


def code_span(text: str, limit: int = TEXT_CHARS) -> str:
    """Return a name or a command as code on such a line; its own backquotes do not end it."""
    code = inert(text, limit)
    if "`" not in code:
        return f"`{code}`"
    longest = max(map(len, re.findall("`+", code)))
    return f"{'`' * (longest + 1)} {code} {'`' * (longest + 1)}"


LATER = " - later: "
"""What parts words from later ones that stand in their place, or may."""


def later(words: str) -> str:
    """Return what ends a line that later words speak of: these; nothing where there are none."""
    return f'{LATER}"{inert(words)}"' if words else ""


def harmless_lines(text: str) -> str:
    """Return a text of several lines without what has such a meaning; tabs stay too."""
    parts = ("\t".join(map(harmless, line.split("\t"))) for line in text.split("\n"))
    return "\n".join(parts)


def _spread(found: re.Match[str]) -> str:
    line = found.group()
    return f"{'-' * (len(line) - 2)} >" if line.endswith(">") else "AMPLIHACK-STATE"


def counted(number: int, noun: str) -> str:
    """Return a number of things in words: `1 file`, `2,000 files`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def has_hint(text: str, hints: Iterable[str]) -> bool:
    """Return whether a text has any of the hints (in small letters) to what patterns look for."""
    low = text.lower()
    return any(hint in low for hint in hints)


def is_quoted(text: str, others: Iterable[str]) -> bool:
    """Return whether a text stands in one of the others, all of it or all but a few words.

    Where lines were joined, one has a full stop at the end of each and another none, or the marks
    of a list.
    """
    text = _without_stops(text)
    bare = (_without_stops(other) for other in others if other)
    return any(
        text in other or (other in text and len(other) > _MOST_OF * len(text)) for other in bare
    )


@lru_cache(maxsize=1024)
def _without_stops(text: str) -> str:
    return _STOP.sub("", text)


_STOP = re.compile(r"(?<!\S)(?:\d{1,2}[.)]|[-*•])\s+|[.](?=\s)|[.]\Z")


_ASKS_EAST = re.compile(_PATTERNS["asks east"])
# Also behind it a letter that slipped in: "can it be deleted?a".
_QUESTION_MARK = re.compile(r"[?？][a-z]?\Z")
_BEHIND_QUESTION = " \t\n\"'”’»)]*_」』）"


def asks(sentence: str) -> bool:
    """Return whether a sentence ends as a question does."""
    end = sentence.rstrip(_BEHIND_QUESTION)
    is_asked = _QUESTION_MARK.search(end[-2:]) is not None
    return is_asked or (has_cjk(end) and _ASKS_EAST.search(end) is not None)


_OPENS_QUESTION = re.compile(_PATTERNS["opens question"], re.IGNORECASE)


def opens_question(sentence: str) -> bool:
    """Return whether a sentence begins with a word that asks."""
    return _OPENS_QUESTION.match(sentence.replace("’", "'")) is not None


def end_of_question(text: str) -> str:
    """Return a text that ends with a question mark, without marks behind that; else nothing."""
    plain = text.rstrip(" *_`\n")
    return plain if plain.endswith(("?", "？")) else ""


def compile_all(sources: Iterable[str], flags: int = 0) -> list[re.Pattern[str]]:
    """Return the patterns, compiled."""
    return [re.compile(source, flags) for source in sources]


# What many leave out who type in a hurry, or on a keyboard without these letters.
_PLAIN_LETTERS = str.maketrans(
    dict(zip("áàâãéèêëíîïóôõúùûçñ", "aaaaeeeeiiiooouuucn", strict=True))
    | {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}
)


def without_accents(text: str) -> str:
    """Return a text, or a pattern, with its letters as many type them: "nao" for "não"."""
    return text if text.isascii() else text.translate(_PLAIN_LETTERS)


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NUMBER = re.compile(r"\d[\d.,]*")
_NUMBER_WITH_UNIT = re.compile(r"(\d[\d.,]*)([a-z%]{1,8})\Z")
_HIRAGANA = re.compile(r"[\u3040-\u309f]")
_DECIMALS = re.compile(r"\.0+\Z")

_SUFFIXES = (
    "izations", "ization", "isation", "ations", "ation", "ators", "ator", "ments", "ment", "nesses",
    "ness",
    "ably",
    "ible", "able", "ates", "ated", "ating", "ate", "ings", "ing", "ions", "ion", "ers", "als",
    "al", "ly", "ed", "er", "en", "em",
)  # fmt: skip
# Under another ending: `answered` has to become what `answer` does.
_INNER_SUFFIXES = ("er", "en", "em")
_LEAST_HEAD = {"al": 5, "als": 5, "ly": 4, "ness": 5, "nesses": 5}
_VOWELS = frozenset("aeiouyäöüéèáíóúãõ")
# Where a name ends and Chinese, Japanese or Korean begins, or the other way round: "Postgresで".
_SCRIPT_CHANGES = re.compile(
    r"(?<=[\x21-\x7e])(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"
    r"|(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])(?=[\x21-\x7e])"
)
_LISTS = word_lists("words")
_SHORT, _IRREGULAR = (
    {word: name for name, words in lists_below(_LISTS, kind).items() for word in words}
    for kind in ("short", "form")
)
STOPWORDS = words_of_all("stop")
"""Words that carry no content, in nine languages."""
GO_ON_WORDS = words_of_all("go on")
"""A prompt of nothing but these sets no objective."""
_SYNONYM_GROUPS = [row.split() for row in data_lines("synonyms.txt")]


def words_of(text: str) -> list[str]:
    """Return the text's words, folded; of CJK text, its characters in pairs."""
    words: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        if len(word) > 1 and has_cjk(word):
            words.extend(word[place : place + 2] for place in range(len(word) - 1))
        else:
            words.append(word)
    return words


def scripts_apart(text: str) -> str:
    """Return the text with a space wherever CJK signs and others touch: names stay whole words."""
    return _SCRIPT_CHANGES.sub(" ", text) if has_cjk(text) else text


def fold_case(text: str) -> str:
    """Return the text for comparison: width and case folded, quotes made plain."""
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the folded word without its common endings; never shorter than three letters."""
    word = _IRREGULAR.get(word, word)
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith(("ies", "sses", "xes", "ches", "shes")) and len(word) > 4:
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    word = _without_suffix(_without_suffix(word, _SUFFIXES), _INNER_SUFFIXES)
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if len(word) > 3 and word[-1] == "e":
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word[-1] == "y" else word


def _without_suffix(word: str, suffixes: tuple[str, ...]) -> str:
    for suffix in suffixes:
        head = word.removesuffix(suffix)
        is_long = len(head) >= _LEAST_HEAD.get(suffix, 3)
        if head != word and is_long and not _VOWELS.isdisjoint(head):
            return head
    return word


_SYNONYMS: dict[str, str] = {}
for _group in _SYNONYM_GROUPS:
    for _word in _group:
        _SYNONYMS.setdefault(stem(_word), stem(_group[0]))
LIGHT_STEMS = frozenset(map(stem, _LISTS["light"]))
_LIGHT = frozenset(_SYNONYMS.get(stem(word), stem(word)) for word in _LISTS["light"])


@lru_cache(maxsize=65536)
def canonical(word: str) -> str:
    """Return what the folded word counts as: its stem, or its group of synonyms."""
    if word[0].isdigit():
        return number_form(word)
    word = word.removesuffix("'s")
    short = stem(word)
    return _SYNONYMS.get(short, short)


BARE_VERBS = frozenset(map(canonical, ("use", "do", "make", "have", "get", "put")))
"""What sentences say beside their one telling word: `don't use sudo` is `no sudo`."""


def number_form(word: str) -> str:
    """Return a number without separators and unit: `10,000` and `10000ms` are both `10000`."""
    found = _NUMBER_WITH_UNIT.match(word)
    number = found.group(1) if found else word
    if not _NUMBER.fullmatch(number):
        return word
    plain = number.replace(",", "").rstrip(".")
    if plain.count(".") == 1:
        plain = _DECIMALS.sub("", plain)
    if found and found.group(2) == "k" and plain.isdigit():
        plain += "000"
    return plain


def is_light(word: str) -> bool:
    """Return whether a canonical word says little about which item is meant."""
    return word in _LIGHT


def content_words(text: str) -> list[str]:
    """Return the text's canonical words without those that carry no content, in order."""
    return [canonical(word) for word in raw_words(fold_case(text)) if not is_empty(word)]


def is_empty(word: str) -> bool:
    """Return whether a folded word carries no content; of Japanese, what holds hiragana."""
    return word in STOPWORDS or _HIRAGANA.search(word) is not None


def raw_words(folded: str) -> list[str]:
    """Return the words of folded text; of CJK runs, their characters in pairs."""
    found = _WORD.findall(folded)
    if not has_cjk(folded):
        return found
    words: list[str] = []
    for word in found:
        words.extend(_pairs(word) if has_cjk(word) else (word,))
    return words


_KNOWN_HAN = [w for group in _SYNONYM_GROUPS for w in group if has_cjk(w) and len(w) > 1]
_HAN_PARTS = re.compile(
    f"({'|'.join(sorted(_KNOWN_HAN, key=len, reverse=True))})"
    f"|{'|'.join(sorted(_LISTS['empty'], key=len, reverse=True))}"
)
"""Splits a run; every other part is a known word, or nothing."""
CJK_RUN = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
    r"|[^\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
)


def _pairs(word: str) -> list[str]:
    """Return a run's pairs of characters; known Chinese words are whole, empty ones part it."""
    parts: list[str] = []
    for run in CJK_RUN.findall(word):
        if not has_cjk(run):
            parts.append(run)
            continue
        for place, telling in enumerate(_HAN_PARTS.split(run)):
            is_known = place % 2 == 1
            if telling and (is_known or len(telling) == 1):
                parts.append(telling)
            elif telling:
                parts.extend(telling[at : at + 2] for at in range(len(telling) - 1))
    return parts


@lru_cache(maxsize=_KEPT_TEXTS)
def distinct_words(text: str) -> frozenset[str]:
    """Return the words that tell a task from others, plural and common short forms folded."""
    return frozenset(_singular(word) for word in words_of(text) if word not in _LISTS["common"])


def _singular(word: str) -> str:
    word = _SHORT.get(word, word)
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@cache
def _members() -> dict[str, frozenset[str]]:
    """Return by canonical word the words of all its groups."""
    found: dict[str, set[str]] = {}
    for row in data_lines("related_words.txt"):
        group = {canonical(word) for word in row.split()}
        for word in group:
            found.setdefault(word, set()).update(group)
    return {word: frozenset(group - {word}) for word, group in found.items()}


def related_to(word: str) -> frozenset[str]:
    """Return the canonical words that may stand in for a canonical word."""
    return _members().get(word, frozenset())


@cache
def meant_by(word: str) -> tuple[str, ...]:
    """Return the words, as the lists have them, that mean what a folded word does, or nearly."""
    rows = (*_SYNONYM_GROUPS, *(row.split() for row in data_lines("related_words.txt")))
    groups = (row for row in rows if stem(word) in map(stem, row))
    return tuple(dict.fromkeys(one for row in groups for one in row if not is_empty(one)))


def utf16_length(text: str) -> int:
    """Return the text's length in UTF-16 code units, which the client's limit counts."""
    if text.isascii():
        return len(text)
    return len(text) + sum(1 for character in text if character > "\uffff")


_LETTERS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_WORDS = {
    name: word_lists(name)["stop"] | word_lists(name)["typical"] | word_lists(name)["bare"]
    for name in ("en", "de", "fr", "es", "pt")
}
LATIN = "latin"
"""A language in Latin letters that is not English; which one cannot be told."""
_ACCENT = re.compile(r"[à-öø-ÿ]")
_LEAST_WORDS = 2
_MANY_WORDS = 12
"""From so many different function words on, a text has a language, whatever it quotes."""
# A sign of these says as much as so many letters.
_SCRIPTS = {
    "ja": (re.compile(r"[\u3040-\u30ff]"), 3),
    "ko": (re.compile(r"[\uac00-\ud7af]"), 3),
    "zh": (re.compile(r"[\u4e00-\u9fff]"), 2),
    "ru": (re.compile(r"[\u0400-\u04ff]"), 1),
}
_LATIN = re.compile(r"[a-zà-ÿ]")
_SAMPLE_CHARS = 20_000


def certain_language(text: str) -> str:
    """Return the text's language as a code, or an empty string when it cannot be told.

    Scripts decide first; Latin text is told by its function words, or is `latin` where accents
    say no more than that it is not English. Of a few words in two languages none is certain. Only
    the first 20,000 characters are looked at.
    """
    sample = fold_case(text[:_SAMPLE_CHARS])
    counts = {name: len(sign.findall(sample)) * worth for name, (sign, worth) in _SCRIPTS.items()}
    if counts["ja"]:
        counts["ja"] += counts.pop("zh")
    script, amount = max(counts.items(), key=lambda pair: pair[1])
    if amount and amount * 2 >= len(_LATIN.findall(sample)):
        return script
    votes = _votes(sample)
    (best, most), (_, second) = votes[:2]
    is_told = most > second and (most[0] >= _LEAST_WORDS or best == "en")
    if is_told and (most[0] >= _MANY_WORDS or not _is_mixed(best, sample)):
        return best
    is_foreign = _ACCENT.search(sample) is not None or most[0] >= _LEAST_WORDS
    return LATIN if is_foreign and dict(votes)["en"] == (0, 0) else ""


def _is_mixed(best: str, folded: str) -> bool:
    """Return whether another language has more than half as many words that are its own."""
    words = set(_LETTERS.findall(folded))
    known, others = words & _WORDS[best], (words & _WORDS[name] for name in _WORDS if name != best)
    return any(2 * len(other - known) > len(known - other) for other in others)


def _votes(folded: str) -> list[tuple[str, tuple[int, int]]]:
    """Return by language how many of its words a text has, and how often; most first."""
    words = _LETTERS.findall(folded)
    votes = [
        (name, (len(known.intersection(words)), sum(word in known for word in words)))
        for name, known in _WORDS.items()
    ]
    return sorted(votes, key=lambda vote: vote[1], reverse=True)


def differ(left: str, right: str) -> bool:
    """Return whether two texts are in different languages; False where one cannot be told."""
    return are_foreign(certain_language(left), certain_language(right))


def are_foreign(left: str, right: str) -> bool:
    """Return whether two codes are of languages that differ for certain."""
    if LATIN in (left, right):
        other = right if left == LATIN else left
        return other not in ("", LATIN, "de", "fr", "es", "pt")
    return bool(left) and bool(right) and left != right

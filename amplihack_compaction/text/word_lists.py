"""Word lists and patterns: plain files in `data/`, of words one for each language and for programs.

A line of such a file is a name, a colon and words, in which `+` stands for a space; a further line
of the same name goes on with the list. Lines with `#` at the front are comments. Of a language:

- `stop`: words that carry no content; `bare`: what rules are made of, whatever they are about; with
  those that are `typical`, they tell the language;
- `go on`: a prompt of nothing but these sets no objective;
- `everyday`: words that say little about which rule is meant; `measure`: those around an amount;
- `tongue`: names of languages; `opposites`: pairs of words.

A file of patterns has a name behind an `@`, and below it one pattern, in as many lines as it takes.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).with_name("data")
LANGUAGES = ("en", "de", "fr", "es", "pt", "ru", "zh", "ja", "ko")
WordLists = Mapping[str, frozenset[str]]


def data_lines(file: str) -> list[str]:
    """Return the lines of a file that are neither empty nor comments."""
    lines = (_FOLDER / file).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("# ")]


@cache
def patterns(file: str) -> dict[str, str]:
    """Return the patterns of a file by their names."""
    found: dict[str, str] = {}
    for line in data_lines(f"{file}.patterns"):
        if line.startswith("@"):
            found[name := line[1:]] = ""
        else:
            found[name] += line
    return found


@cache
def word_lists(file: str) -> WordLists:
    """Return the lists of a file by their names; one that is not there is empty."""
    found: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for line in data_lines(f"{file}.txt"):
        name, colon, words = line.partition(":")
        if colon:
            found[name] |= {word.replace("+", " ") for word in words.split()}
    return found


def lists_below(lists: WordLists, name: str) -> dict[str, frozenset[str]]:
    """Return the lists whose names begin with a word, by the rest of their names."""
    return {
        each.removeprefix(f"{name} "): words
        for each, words in lists.items()
        if each.startswith(f"{name} ")
    }


def words_of_all(name: str) -> frozenset[str]:
    """Return the words of all languages' lists of a name."""
    return frozenset[str]().union(*(word_lists(language)[name] for language in LANGUAGES))

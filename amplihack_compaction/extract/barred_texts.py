"""What a rule bars from being written: words in code, imports and packages, a commit's message.

A clause of a rule in, what it bars out. `says_more` tells whether a clause has more in it than was
understood; then it bars nothing.
"""

import re
from collections.abc import Iterable, Iterator

from amplihack_compaction.extract.barred_calls import Ban
from amplihack_compaction.extract.barred_clauses import CONDITION
from amplihack_compaction.extract.barred_names import COMMANDS, FILLERS, paths_in
from amplihack_compaction.text.rule_subjects import subject_of
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import canonical, has_cjk, words_of

_PATTERNS = patterns("barred_texts")

PACKAGE_MANAGERS = ("npm pnpm yarn bun", "pip pip3 poetry pdm pipenv conda uv")
_CODE = re.compile(_PATTERNS["code"])
# What is looked for where the word itself stands in prose, too.
_FORMS = {"any": (": any", "as any", "<any>"), ".skip": (".skip(",), ".only": (".only(",)}
_ADDS = re.compile(_PATTERNS["adds"], re.IGNORECASE)
_PACKAGE = r"[`'\"]?([a-z@][\w@/.-]*\w)[`'\"]?"
_IMPORTED = re.compile(
    rf"\b(?:import|depend on|bring in|pull in)\w*\s{_PACKAGE}(?=\W*$| any ?more| again)"
    rf"|^\W*{_PACKAGE}\s(?:is (?:banned|forbidden|verboten|not allowed here)"
    r"|must (?:not )?(?:ever )?come back(?: into .*)?)"
    rf"|\bwant\s{_PACKAGE}\s(?:in here|in this (?:project|repo)|back)(?: ever)?(?: again)?",
    re.IGNORECASE,
)
_IN_MESSAGES = re.compile(_PATTERNS["in messages"], re.IGNORECASE)
# "Getters" count as "get" does.
_FILLER_STEMS = FILLERS.union(map(canonical, FILLERS)) - {"get"}


def text_bans(clause: str) -> Iterator[Ban]:
    """Yield what bars words in what is written: in code, in imports, in a commit's message."""
    if texts := [next(filter(None, found)) for found in _CODE.findall(clause)]:
        below = paths_in(without(clause, texts))
        if not says_more(_ADDS.sub(" ", without(_CODE.sub(" ", clause), below))):
            what = [form for text in texts for form in _FORMS.get(text, (text,))]
            words = "|".join(map(re.escape, texts))
            yield Ban(kind="text", what=tuple(dict.fromkeys(what)), below=below, words=words)
            return
    if mentioned := _IN_MESSAGES.search(clause):
        word = mentioned[1].casefold()
        yield Ban(kind="command", what=(f"git commit ~~{word}",), words=re.escape(word))
    elif imported := _IMPORTED.search(clause):
        name = next(filter(None, imported.groups())).lower().removesuffix(".js")
        if name not in FILLERS | COMMANDS and not says_more(_IMPORTED.sub(" ", clause)):
            quoted = tuple(f"{mark}{name}{end}" for mark in "\"'" for end in (mark, "/"))
            yield Ban(kind="text", what=quoted, words=re.escape(name))
            yield from package_bans(name)


_CHANGES = ("add", "i", "install", "up", "update", "upgrade")


def package_bans(name: str) -> Iterator[Ban]:
    """Yield what bars installing one package, or changing its version."""
    managers = {each for names in (*PACKAGE_MANAGERS, "cargo gem brew") for each in names.split()}
    lines = (f"{m} {verb} ~{name}" for m in sorted(managers) for verb in _CHANGES)
    if name not in FILLERS:
        yield Ban(kind="command", what=tuple(lines), words=re.escape(name))


def without(text: str, parts: Iterable[str]) -> str:
    """Return a text without these parts, where they stand as whole words."""
    for part in sorted(parts, key=len, reverse=True):
        whole = rf"(?<![A-Za-z0-9_]){re.escape(part)}(?![A-Za-z0-9_])"
        text = re.sub(whole, " ", text, flags=re.IGNORECASE)
    return text


def says_more(text: str) -> bool:
    """Return whether words of content are left, beside what was understood of a rule."""
    return bool(words_left(text))


def words_left(text: str) -> tuple[str, ...]:
    """Return the words of content beside what was understood of a rule, as they are written."""
    text = CONDITION.split(text, maxsplit=1)[0]
    said = {canonical(word): word for word in words_of(text) if word not in FILLERS}
    words = (subject_of(text).words & said.keys()) - _FILLER_STEMS
    written = [said[word] for word in words if not has_cjk(said[word])]
    written += _EAST_ASIAN.findall(SAYS_NOTHING.sub(" ", text))
    return tuple(sorted(written, key=text.casefold().find))


_EAST_ASIAN = re.compile(r"[\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7af々]+")
SAYS_NOTHING = re.compile(_PATTERNS["says nothing"])

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
from amplihack_compaction.text.words import canonical, words_of

PACKAGE_MANAGERS = ("npm pnpm yarn bun", "pip pip3 poetry pdm pipenv conda uv")
# What stands in code so and nowhere else.
_CODE = re.compile(
    r"(?<![\w/`@])`?(@ts-[a-z-]+|eslint-disable[\w-]*|console\.\w+"
    r"|(?:x?it|test|describe)\.(?:skip|only)|type: ?ignore|noqa|!important"
    r"|dangerouslySetInnerHTML|innerHTML|debugger|\.(?:skip|only)\b)`?(?![\w/])"
    r"|`(@[\w.-]+|[a-z]\w*\.[a-z]\w*\(\)?|[a-z_]\w*\(\)?|as any|: any|any"
    r"|#\[\w{1,40}[^\]`]{0,60}\])`",
)
# What is looked for where the word itself stands in prose, too.
_FORMS = {"any": (": any", "as any", "<any>"), ".skip": (".skip(",), ".only": (".only(",)}
_ADDS = re.compile(
    r"\b(?:add|leav|writ|us|put|mark|insert|introduc|commit|allow|disabl|sprinkl|skip|hav)\w*\b"
    r"|\b(?:comments?|statements?|calls?|tests?|skipped|as|in|etc|lines?|debug|logs?|styles?|rules?"
    r"|annotations?|directives?|ignores?|with|to|of|or|and|css|production|source|typescript)\b",
    re.IGNORECASE,
)
_PACKAGE = r"[`'\"]?([a-z@][\w@/.-]*\w)[`'\"]?"
_IMPORTED = re.compile(
    rf"\b(?:import|depend on|bring in|pull in)\w*\s{_PACKAGE}(?=\W*$| any ?more| again)"
    rf"|^\W*{_PACKAGE}\s(?:is (?:banned|forbidden|verboten|not allowed here)"
    r"|must (?:not )?(?:ever )?come back(?: into .*)?)"
    rf"|\bwant\s{_PACKAGE}\s(?:in here|in this (?:project|repo)|back)(?: ever)?(?: again)?",
    re.IGNORECASE,
)
_IN_MESSAGES = re.compile(
    r"(?:\b(?:mention|put|writ|us|add|includ|say|nam)\w*\s|\bno\s)(?:the\s)?(?:words?\s)?"
    r"[`\"“']?(\w[\w.-]*)[`\"”']?"
    r"\s(?:in|into|to)\s(?:(?:any|an?|the|my|your|our)\s)*commit (?:messages?|titles?|subjects?)",
    re.IGNORECASE,
)
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


def package_bans(name: str) -> Iterator[Ban]:
    """Yield what bars installing one package, or changing its version."""
    managers = {each for names in (*PACKAGE_MANAGERS, "cargo gem brew") for each in names.split()}
    lines = (f"{m} {verb} ~{name}" for m in sorted(managers) for verb in ("add", "i", "install"))
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
    text = CONDITION.split(text, maxsplit=1)[0]
    said = {canonical(word) for word in words_of(text) if word not in FILLERS}
    words = (subject_of(text).words & said) - _FILLER_STEMS
    return not all(_is_east_asian(word) for word in words)


def _is_east_asian(word: str) -> bool:
    return any("\u3040" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7af" for sign in word)

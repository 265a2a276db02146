"""What a rule's words stand for in a command, whatever it speaks of and in whichever language.

A clause of a rule in; out, its English, and what bars a command that has all that the clause names,
each in some word for it. What is not known has to stand in the command itself: a rule that says
more than was understood bars less, and nothing falsely.

Also what a rule bars from being written: words in code, imports and packages, a commit's message.
And what is done with the tools of a trade: `barred_doings.toml` has the words and the commands.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from amplihack_compaction.extract.barred_calls import UNSURE, Ban
from amplihack_compaction.extract.barred_clauses import (
    COMMANDS,
    CONDITION,
    FILLERS,
    ODD_COMMANDS,
    branches_in,
    commands_in,
    paths_in,
)
from amplihack_compaction.text.polarity import subject_of
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import canonical, has_cjk, is_empty, words_of

_PATTERNS = patterns("barred_words")

PACKAGE_MANAGERS = ("npm pnpm yarn bun", "pip pip3 poetry pdm pipenv conda uv")
_CODE = re.compile(_PATTERNS["code"])
# What is looked for where the word itself stands in prose, too.
_FORMS = {
    "any": (": any", "as any", "<any>"), ".skip": (".skip(",), ".only": (".only(",),
    "TODO": ("TODO",), "print": (" print(", "\tprint(", "\nprint("),
    "wildcard import": ("import *",), "star import": ("import *",),
    "inline style": ("style={{", 'style="'),
}  # fmt: skip
_ADDS = re.compile(_PATTERNS["adds"], re.IGNORECASE)
_PACKAGE = r"[`'\"]?([a-z@][\w@/.-]*\w)[`'\"]?"
_IMPORTED = re.compile(
    rf"\b(?:import|depend on|bring in|pull in)\w*\s{_PACKAGE}(?=\W*$| any ?more| again)"
    rf"|^\W*{_PACKAGE}\s(?:is (?:banned|out|forbidden|verboten|not allowed here)"
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
            what = [form for text in texts for form in _FORMS.get(text.removesuffix("s"), (text,))]
            words = "|".join(map(re.escape, texts))
            yield Ban(kind="text", what=tuple(dict.fromkeys(what)), below=below, words=words)
            return
    if mentioned := _IN_MESSAGES.search(clause):
        word = mentioned[1].casefold()
        yield Ban(kind="command", what=(f"git commit text:{word}",), words=re.escape(word))
    elif imported := _IMPORTED.search(clause):
        name = next(filter(None, imported.groups())).lower().removesuffix(".js")
        if says_more(name) and name not in COMMANDS and not says_more(_IMPORTED.sub(" ", clause)):
            quoted = tuple(f"{mark}{name}{end}" for mark in "\"'" for end in (mark, "/"))
            yield Ban(kind="text", what=(*quoted, *_imports_of(name)), words=re.escape(name))
            yield from package_bans(name)


def _imports_of(name: str) -> Iterator[str]:
    """Yield how code begins to use a package, in Python, JavaScript and Rust."""
    yield from (f"import {name}{end}" for end in " .,;\n")
    yield from (f"from {name}{end}" for end in " .")
    yield f"use {name}::"
    for before in ("from ", "import ", "import(", "require("):
        yield from (f"{before}{mark}{name}{end}" for mark in "\"'" for end in (mark, "/"))


_CHANGES = ("add", "i", "install", "up", "update", "upgrade")


def package_bans(name: str) -> Iterator[Ban]:
    """Yield what bars installing one package, or changing its version."""
    managers = {each for names in (*PACKAGE_MANAGERS, "cargo gem brew") for each in names.split()}
    lines = (f"{m} {verb} named:{name}" for m in sorted(managers) for verb in _CHANGES)
    if says_more(name):
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
    return tuple(sorted(sorted(written), key=text.casefold().find))


_EAST_ASIAN = re.compile(r"[\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7af々]+")
SAYS_NOTHING = re.compile(_PATTERNS["says nothing"])


_WORDS_FILE = Path(__file__).with_name("barred_words.toml")
_TOP_LEVEL = re.compile(r"\|(?![^(]*\))")
# An address, and a word with a hyphen, as options and names have it.
_ODD = re.compile(
    r"\b[a-z0-9]{1,20}://[\w./-]*\w"
    r"|(?<![\w./-])(?=[a-z0-9]{1,30}[-_][a-z0-9])[a-z0-9_-]*[a-z0-9](?![\w./-])"
)
# What is said of all that one does says nothing of what it is.
_DOES = re.compile(
    r"\b(?:run|execut|call|us|invok|launch|mak|touch|chang|modif|do|perform|giv)"
    r"(?:e|es|ed|ing|y|s|ning)?\b",
    re.IGNORECASE,
)
_WORDS_OF_A_LINE = 3
# What is barred in these is barred there alone; they are nothing that is used for itself.
_PLACES = ("production", "staging")
# What is done with one word, whatever it is done to.
_TELLING = {*"seed undo approve cancel scale enable disable drain decode flash".split(), "roll out"}
# What bars a thing in these words bars whatever is done with it, by whichever command.
# Of these, not every command is meant: what `poetry run` starts is python, too.
_TOO_WIDE = frozenset(("pipeline", "python", "ruby", "java"))
_MEANS_ANY_USE = frozenset(("change", "reach", "open"))
_IS_NAME = re.compile(r"[a-z_-]\d|\d[a-z]|[a-z0-9][_-][a-z0-9]")
_ACTS_BY_SEEING = frozenset(("log", "decode", "pull", "backup", "reply"))
_ACTS_ON_STATE = frozenset(("change", "trigger", "create", "start"))


@dataclass(frozen=True, slots=True)
class Known:
    """What a rule may speak of, and the words of which a command then has one."""

    name: str
    words: re.Pattern[str]
    done: tuple[str, ...]


_ONLY_READ = re.compile(r"\b(?:read|select)[- ]only\b", re.IGNORECASE)
REFUSED = re.compile(
    r"^\W*(?:please |bitte )?(?:no|keine?n?|pas d[eu']|geen|nessun\w*)\s", re.IGNORECASE
)
"""Begins what is barred by "no" alone."""


@cache
def _tables() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(_WORDS_FILE.read_text(encoding="utf-8"))


@cache
def _known(section: str) -> tuple[Known, ...]:
    return tuple(
        Known(name, re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.I), tuple(done.split()))
        for name, (words, done) in _tables()[section].items()
    )


def thing_called(name: str) -> Known | None:
    """Return the thing that commands are for and a rule calls so; None for none."""
    return next((each for each in _known("things") if each.words.fullmatch(name)), None)


@cache
def acting_words() -> re.Pattern[str]:
    """Return what says of a command what it is not to do."""
    return re.compile("|".join(each.words.pattern for each in _known("verbs") if each.done), re.I)


def in_english(said: str) -> str:
    """Return a clause of another language in the English words that are known of it.

    What is done comes first, as it does in English.
    """
    first, rest = [], said
    for english, words in _spoken("done"):
        rest, number = words.subn(" ", rest)
        first += [english] * (number > 0)
    for english, words in _spoken("named"):
        rest = words.sub(f" {english} ", rest)
    if not first and rest.split() == said.split():
        return said
    rest = SAYS_NOTHING.sub(" ", rest)
    left = (word for word in rest.split() if has_cjk(word) or not is_empty(word.casefold()))
    return " ".join([*first, *left])


@cache
def _spoken(section: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    tables: dict[str, object] = dict(_tables()[section])
    return tuple(
        (english, re.compile(_stems(str(words), section), re.IGNORECASE))
        for english, words in tables.items()
    )


def _stems(words: str, section: str) -> str:
    if section == "named":
        return words
    return "|".join(
        each if has_cjk(each) else rf"\b{each}[a-zà-ÿа-яё]*"
        for each in sorted(_TOP_LEVEL.split(words), key=len, reverse=True)
    )


def branches_left(rest: str, known: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the branches that are named beside what is known."""
    is_branch = "branch" in rest.lower()
    names = (name for name in branches_in(rest) if is_branch or name not in ("dev", "staging"))
    return tuple(name for name in names if name.lower() not in FILLERS.union(known))


def place_of(said: str) -> str:
    """Return what a command must have to be of the environment that is named; empty for none."""
    places = (each for each in _known("things") if each.name in _PLACES)
    return "".join(f" part:{'|'.join(each.done)}" for each in places if each.words.search(said))


def also_has(rest: str) -> str:
    """Return what a command must have beside its own words, for what else a rule says."""
    also = " if:changes" if re.search(r"\b(?:alone|touch\w*)\b", rest) else ""
    rest = _DOES.sub(" ", rest)
    for each in (*_known("things"), *_known("verbs")):
        found = each.words.search(rest)
        rest = each.words.sub(" ", rest)
        if found and each.done and found.group() not in FILLERS:
            also += f" unknown:{'|'.join(each.done)}"
    return also + "".join(f" unknown:{word}|{word.removesuffix('s')}" for word in words_left(rest))


def bans_by_words(said: str) -> tuple[Ban, ...]:
    """Return what bars a command that has all that a clause names, each in some word for it."""
    if _ONLY_READ.search(said):
        return ()
    rest, things, verbs = said, list[Known](), list[Known]()
    for section, found in (("things", things), ("verbs", verbs)):
        for each in _known(section):
            rest, number = each.words.subn(" ", rest)
            rest = " ".join(rest.split())
            found += [each] * (number > 0)
    rest = _JAVASCRIPT.sub("", rest)
    is_unknown = not verbs and _LATIN_WORD.search(rest) and not REFUSED.match(said)
    odd = _ODD.findall(rest)
    left = [*odd, *words_left(_DOES.sub(" ", _ODD.sub(" ", rest)))]
    named = {line.split()[0] for line in commands_in(rest)} & COMMANDS
    known: list[tuple[str, ...]] = [(name,) for name in left if name in named]
    known += [each.done for each in things if each.name not in _PLACES]
    left = [name for name in left if name not in named]
    acts = tuple(dict.fromkeys(word for each in verbs for word in each.done))
    done = {each.name for each in verbs}
    if acts:
        is_told = bool(known or left or _TELLING & done)
        line = ["*", _one_of("verb", acts), *(_one_of("thing", each) for each in known)]
    elif known:
        is_told = True
        line = ["*", _one_of("first", known[0]), *(_one_of("thing", each) for each in known[1:])]
    else:
        is_told = 0 < len(left) <= _WORDS_OF_A_LINE
        line = ["*"]
    if not acts and _says_too_little(things, left, is_unknown=bool(is_unknown), odd=odd):
        return ()
    if not is_told:
        return ()
    changes = _ACTS_ON_STATE & done or (acts and not _ACTS_BY_SEEING & done)
    line += ["if:changes"] * bool(changes or (known and left and not done))
    line += [_one_of("part", each.done) for each in things if each.name in _PLACES]
    line += [f"part:{name}" for name in branches_left(rest)]
    # In a later prompt, what asks for it names the thing.
    asked = [each.words.pattern for each in things if each.name not in _PLACES]
    asked = asked or [re.escape(word) for word in left] or [each.words.pattern for each in verbs]
    if line == ["*"] and len(left) == 1:  # a program, or a subcommand, that nobody has heard of
        what = [f"{left[0]} if:changes", f"* {_one_of('word', _forms(left[0]))} if:changes"]
        what += [f"* --{left[0]}"] * ("-" in left[0])
        imports = tuple(_imports_of(left[0]))
        written = Ban(kind="text", what=imports, ways=("import",), words=asked[0])
        return (Ban(kind="command", what=tuple(what), words=asked[0]), written)
    line += [
        _one_of("unknown" if known or word in odd else "first-unknown", _forms(word))
        for word in left
    ]
    is_any_use = bool(done) and done <= _MEANS_ANY_USE and not place_of(said)
    what = [" ".join(line), *(_lines_of_any_use(left) if is_any_use else ())]
    return (Ban(kind="command", what=tuple(what), words="|".join(asked)),)


def _says_too_little(
    things: Sequence[Known], left: Sequence[str], *, is_unknown: bool, odd: Sequence[str]
) -> bool:
    """Return whether it is not known what is done, or every command of too many is meant."""
    if any(each.name in _TOO_WIDE for each in things):
        return True
    if not left:
        return is_unknown and bool(things)
    return not odd and not things and bool(ODD_COMMANDS.intersection(left))


def _lines_of_any_use(left: Sequence[str]) -> Iterator[str]:
    """Yield the lines of whatever is done with what is named."""
    if len(left) == 1 and "-" in left[0] and re.search(r"\d", left[0]):
        yield f"* text:{left[0]}"
    if left and all(map(_IS_NAME.search, left)):
        yield " ".join(("* if:changes", *(f"whole:{name}" for name in left)))


def _forms(word: str) -> tuple[str, ...]:
    """Return a word, and what a command may have of it: fuzz, of fuzzers."""
    found = [word, word.removesuffix("s")]
    found += [stem for stem in _FORM.findall(word) if len(stem) >= _SHORTEST_STEM]
    return tuple(dict.fromkeys(found))


# "moment.js" is imported as "moment".
_JAVASCRIPT = re.compile(r"(?<=\w)\.js\b", re.IGNORECASE)
_LATIN_WORD = re.compile(r"^[a-z]{3,}\b", re.IGNORECASE)
_FORM = re.compile(r"^(\w+?)(?:ings?|ers?|es|ed)$")
_SHORTEST_STEM = 4


def is_known_line(line: str, programs: frozenset[str]) -> bool:
    """Return whether what a command must have is known, of a line as `Ban.what` has it."""
    head = line.split()[0]
    is_program = head in COMMANDS | ODD_COMMANDS | programs or head in ("*", "ssh")
    is_known = is_program or head.startswith("does:")
    return is_known and UNSURE.search(line) is None


def _one_of(condition: str, words: Iterable[str]) -> str:
    return f"{condition}:{'|'.join(words)}"


_DOINGS_FILE = Path(__file__).with_name("barred_doings.toml")
_AGAIN = (
    r"re-?(?=build|train|flash|deploy|generat|format|encod|render|seed|migrat|compil|creat|sync"
    r"|upload|run|compress|convert|cod|publish|record|submit|tag|sign|index)"
)
# What ends a verb's stem.
_ENDS = (
    r"[a-z]?(?:e|es|ed|d|s|ing|ings|y|ies|ied|ion|ions|ation|ations|ment|ments|al|als|t|ts|en|ez"
    r"|ier(?:en|e|t))?(?!\w)"
)
WHOLE = re.compile(
    r"(?<!my )(?<![\w-])(?:whole|entire|full|complete)\b(?: of)?(?!-| (?:(?:re)?builds?|refresh))"
    r"|\ball (?=of|the)|\bkomplett\w*|\bganze[nrs]?\b"
    r"|整个?|全体|전체|\bвс(?:ю|ей|его)\b|\btoute? (?:le|la)\b|\btod[oa] (?:el|la|o|a)\b",
    re.IGNORECASE,
)
_LEFT_ALONE = re.compile(
    r"\b(?:hands off|alone|off[- ]limits|stay|keep|taboo|tabu|mess(?:ing)? (?:around )?with"
    r"|fiddl\w+|tamper\w*|play(?:ing)? with)\b",
    re.IGNORECASE,
)
_AWAY = re.compile(r"\b(?:stay|keep) (?:away|off|out)\b|\bhands off\b|\btab[uo]o?\b")
_NEW = re.compile(r"\bnew\b", re.IGNORECASE)
# What says only that something is begun, and one sign of Chinese or Japanese beside what is known.
_BEGUN = re.compile(
    r"\b(?:start|launch|trigger|kick|re-?run)(?:s|ing)?\b(?: off)?|\bdo\b|\b(?:mass|bulk|locally)\b"
    r"|\b(?:to|in|on|into|onto|from|of) (?:the |my |our |this )*(?:world|public|internet|org|repo"
    r"|machine|laptop|box|cli|terminal|command line|project)\b"
    r"|(?<![\u4e00-\u9fff])[^\W夜朝前後時週月a-z\d_](?=[^\u4e00-\u9fff]|$)(?<=[\u4e00-\u9fff])",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Doing:
    """What is done with the tools of a trade: see `barred_doings.toml`."""

    do: str
    by: tuple[str, ...]
    to: str = ""
    of: str = ""

    @cached_property
    def begins(self) -> tuple[str, ...]:
        """Return what one of its verbs begins with."""
        return tuple({found[1] for found in _BEGINS.finditer(self.do)})

    @cached_property
    def verbs(self) -> re.Pattern[str]:
        """Return its verbs, in any form."""
        return re.compile(rf"(?<![\w-])(?:{_AGAIN})?(?:{self.do}){_ENDS}", re.IGNORECASE)

    @cached_property
    def nouns(self) -> re.Pattern[str]:
        """Return what it is done to; nothing where that is never said."""
        nouns = self.to.removeprefix("?") or r"(?!)"
        return re.compile(rf"(?<![\w.-])(?:{nouns})(?:e?s)?(?![\w-])", re.IGNORECASE)

    @cached_property
    def others(self) -> re.Pattern[str]:
        """Return the words that say the same of it; nothing where there are none."""
        return re.compile(rf"(?<![\w-])(?:{self.of or '(?!)'})(?![\w-])", re.IGNORECASE)

    def is_said(self, said: str) -> bool:
        """Return whether a clause speaks of it."""
        if not any(each in said for each in self.begins) or not self.verbs.search(said):
            return False
        if not self.to or self.to[0] == "?" or self.nouns.search(said):
            return True
        return self.others.search(said) is not None


# What stands alone must change something.
_SAYS_HOW = re.compile(r" |^does:")
_BEGINS = re.compile(r"(?:^|\|)([a-z]+)")


@cache
def doings() -> tuple[Doing, ...]:
    """Return all that is known to be done."""
    known: dict[str, dict[str, str]] = tomllib.loads(_DOINGS_FILE.read_text(encoding="utf-8"))
    return tuple(
        Doing(
            do=each["do"],
            by=tuple(" ".join(line.split()) for line in each["by"].split(",")),
            to=each.get("to", ""),
            of=each.get("of", ""),
        )
        for each in known.values()
    )


@cache
def programs() -> frozenset[str]:
    """Return the programs of all that is known to be done."""
    return frozenset(line.split()[0] for doing in doings() for line in doing.by)


def bans_of_doings(said: str) -> Iterator[Ban]:
    """Yield what bars what is done with the tools of a trade, by a clause in English."""
    said, is_whole = WHOLE.subn(" ", said.casefold())
    said, is_new = _NEW.subn(" ", said)
    spoken = said + " use" * bool(REFUSED.match(said)) + " add create" * bool(is_new)
    spoken += " touch" * bool(_LEFT_ALONE.search(said)) + " use" * bool(_AWAY.search(said))
    found = {}
    for doing in doings():
        if doing.is_said(spoken):
            rest = doing.verbs.sub(" ", doing.nouns.sub(" ", said))
            rest = _BEGUN.sub(" ", _LEFT_ALONE.sub(" ", rest))
            if " or " in said:  # "uninstall or clear it": each is barred
                rest = acting_words().sub(" ", rest)
            found[doing] = also_has(rest) + " if:whole" * bool(is_whole)
    all_said = not all(" unknown:" in also for also in found.values())
    for doing, also in found.items():
        if all_said and " unknown:" in also:
            continue
        lines = (line for line in doing.by if not also or line[:4] != "mcp ")
        words = doing.nouns if doing.to and doing.nouns.search(said) else doing.verbs
        what = tuple(line + " if:changes" * (not _SAYS_HOW.search(line)) + also for line in lines)
        yield Ban(kind="command", what=what, words=words.pattern)

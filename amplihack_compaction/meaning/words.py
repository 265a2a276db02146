"""Reduce words to what they mean for comparison: folded, stemmed, synonyms made one."""

import re
import unicodedata
from functools import lru_cache

from amplihack_compaction.language.text import has_cjk

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NUMBER = re.compile(r"\d[\d.,]*")
_NUMBER_WITH_UNIT = re.compile(r"(\d[\d.,]*)([a-z%]{1,8})\Z")
_HIRAGANA = re.compile(r"[\u3040-\u309f]")
_DECIMALS = re.compile(r"\.0+\Z")

STOPWORDS = frozenset(
    """
    a an the this that these those it its he she they them their his her we us our you your
    i my me is are was were be been being am do does did done has have had having will would
    shall should can could may might must need needs needed ought to of in on at by for from
    with without into onto over under as and or but so if then than when while where which
    who whom whose what how why there here all any each every both some such no not nor only
    own same too very just also again please always never ever don't doesn't didn't won't
    can't cannot couldn't shouldn't wouldn't mustn't isn't aren't wasn't weren't haven't
    hasn't let's let i'm it's that's we're they're about after before until unless except
    between through during per via up down out off s t re ve ll d instead rather still now
    yet want wants wanted like make sure ensure ensures user users said says wish wishes
    explicitly currently strictly forbidden prohibited required mandatory avoid banned
    allowed permitted todo todos item items der die das den dem des ein eine einen einem
    einer eines und oder aber wenn dann als wie ist sind war waren wird werden wurde hat
    haben ich du er sie es wir ihr mich mir dich uns nicht kein keine keinen keiner nie
    niemals immer nur bitte muss müssen soll sollen darf dürfen kann können zu zum zur im
    auf aus bei mit nach von vor für über unter auch noch schon sehr stets verboten le la
    les un une de et ou mais si quand que qui ne pas jamais aucun aucune toujours seulement
    il elle nous vous ils elles je tu est sont être ont avoir dans en sur sous pour par avec
    sans au aux ce cette ces son sa ses s'il plaît doit doivent faut interdit tout tous
    toute toutes plus el los las una unos unas y o pero cuando nunca jamás siempre solo sólo
    del al fue ser está están yo tú él ella nosotros ellos se te lo su sus para por con sin
    sobre entre hay debe deben favor prohibido toda todas os um uma umas e mas quando não
    nao sempre somente apenas da dos ao à é são foi estão eu ele ela nós eles com sem em na
    nos nas deve devem proibido и или но если когда то не ни никогда всегда только нельзя
    запрещено в во на с со к ко по за из от до для о об у это этот эта эти он она они мы вы
    я ты быть был была были надо нужно должен должны пожалуйста все всё что как так же бы ли
    forget forgets forgetting remember decide decided decision
    不要 不能 不得 不可 禁止 绝不 总是 必须 永远 始终 一定 请勿 避免 没有 絶対 必要
    항상 절대 반드 드시 절대로
    """.split()
)

_SYNONYM_ROWS = """
write author draft compose
add introduce insert append include
create build generate construct make implement implementation develop
fix repair resolve correct debug solve patch
remove delete erase drop discard clear
update refresh revise change modify alter edit touch unchanged untouched altere alterar
run execute launch invoke
check verify validate confirm inspect ensure review
use employ adopt utilize utilise
commit commits
push publish
ask request consult
approval permission consent confirmation authorization sign-off
keep retain preserve maintain stay remain
rename relabel
move relocate migrate migration port
doc docs documentation
test tests testing spec specs
config configuration configure settings setup
auth authentication authenticate login
database db
repository repo repos
dependency dependencies deps package
environment env
directory dir folder
function func method
parameter param argument
error errors failure exception
message msg
production prod
development dev
large big huge
small tiny little short
quick fast rapid
start begin commence
finish complete finalize finalise
show display print
explain describe
reply respond answer response
english englisch
typescript ts
javascript js
python py
postgres postgresql
kubernetes k8s
javadoc docstring
file files
need require
directly straight
second seconds sec secs
minute minutes min mins
hour hours hr hrs
millisecond milliseconds ms
megabyte megabytes mb
kilobyte kilobytes kb
percent pct
character characters chars char
line lines
maximum max
minimum min
comment comments annotation
feature functionality
endpoint route
""".strip().splitlines()

_IRREGULAR = {
    "used": "use", "uses": "use", "using": "use",
    "written": "write", "wrote": "write", "ran": "run", "built": "build", "kept": "keep",
    "made": "make", "sent": "send", "chose": "choose", "chosen": "choose", "broken": "break",
    "broke": "break", "began": "begin", "begun": "begin", "found": "find", "left": "leave",
    "held": "hold", "shown": "show", "done": "do", "gone": "go", "went": "go", "taken": "take",
    "took": "take", "given": "give", "gave": "give", "spoken": "speak", "told": "tell",
    "unmodified": "modify", "alterado": "altere", "alterada": "altere", "preferred": "prefer",
    "preferring": "prefer", "thrown": "throw", "threw": "throw",
    "hidden": "hide", "understood": "understand",
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "twelve": "12", "hundred": "100",
}  # fmt: skip

# Words that say little about which item is meant.
LIGHT_WORDS = frozenset(
    """
    use do get go make thing stuff way code project work task step new good need want take put give
    update add create write run check
    """.split()
)
_SUFFIXES = (
    "izations", "ization", "isation", "ations", "ation", "ators", "ator", "ments", "ment", "ably",
    "ible", "able", "ates", "ated", "ating", "ate", "ings", "ing", "ions", "ion", "ers", "als",
    "al", "ly", "ed", "er", "en", "em",
)  # fmt: skip
_LEAST_HEAD = {"al": 5, "als": 5}
_VOWELS = frozenset("aeiouyäöüéèáíóúãõ")


def fold(text: str) -> str:
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
    for suffix in _SUFFIXES:
        head = word.removesuffix(suffix)
        if (
            head != word
            and len(head) >= _LEAST_HEAD.get(suffix, 3)
            and not _VOWELS.isdisjoint(head)
        ):
            word = head
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if len(word) > 3 and word[-1] == "e":
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word[-1] == "y" else word


def _synonyms() -> dict[str, str]:
    table: dict[str, str] = {}
    for row in _SYNONYM_ROWS:
        words = row.split()
        for word in words:
            table.setdefault(stem(word), stem(words[0]))
    return table


_SYNONYMS = _synonyms()
_LIGHT = frozenset(_SYNONYMS.get(stem(word), stem(word)) for word in LIGHT_WORDS)


@lru_cache(maxsize=65536)
def canonical(word: str) -> str:
    """Return what the folded word counts as: its stem, or its group of synonyms."""
    if word[0].isdigit():
        return number_form(word)
    word = word.removesuffix("'s")
    short = stem(word)
    return _SYNONYMS.get(short, short)


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
    """Tell whether a canonical word says little about which item is meant."""
    return word in _LIGHT


def content_words(text: str) -> list[str]:
    """Return the text's canonical words without those that carry no content, in order."""
    return [canonical(word) for word in raw_words(fold(text)) if not is_empty(word)]


def is_empty(word: str) -> bool:
    """Tell whether a folded word carries no content; of Japanese, what holds hiragana."""
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


_CJK_RUN = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
    r"|[^\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
)


def _pairs(word: str) -> list[str]:
    parts: list[str] = []
    for run in _CJK_RUN.findall(word):
        if has_cjk(run) and len(run) > 1:
            parts.extend(run[place : place + 2] for place in range(len(run) - 1))
        else:
            parts.append(run)
    return parts

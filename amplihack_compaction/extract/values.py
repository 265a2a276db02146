"""Extract the exact values that the user typed, and the addresses that the model's commands use.

A value must survive to the letter. What a command was sent to, the next one will be sent to again;
a summary that says "the dev server is running" lost it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter

from amplihack_compaction.extract.rules import is_like_no_rule
from amplihack_compaction.extract.statements import ExactValue, Item, SessionState, ValueKind
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.words import LATER, asks, has_cjk, one_line
from amplihack_compaction.transcript.session import TranscriptStep, bash_command

CONTEXT_CHARS = 160
VALUE_CHARS = 300
_SENTENCE_CHARS = 4000
# More than the ledger keeps of all windows together.
VALUES_LIMIT = 1_000
_CACHED_SENTENCES = 1024
_TRIVIAL = frozenset(
    "e.g i.e etc. and/or he/she either/or yes/no true/false on/off n/a w/o input/output "
    "read/write client/server".split()
)

_PROSE_SIGNS = " ,.'?!。，、？！"
# Of the values in such lines 4 of 60 were of use, of others one in seven (25 real compactions).
_ODD_SHARE = 0.25
_LONG_PROMPT_CHARS = 400
# What stands in a log line or an error message is no value that anybody told.
_FAILS = re.compile(r"\b(?:error|fail(?:s|ed|ure)?|exception|denied|not found)\b", re.IGNORECASE)
_ADDRESSES = (ValueKind.URL, ValueKind.PORT)
# The chance of asking for work below which a sentence tells something.
_TELLS_BELOW = 0.8
# A word in quotation marks is a value where its sentence hardly asks for anything.
_QUOTED_BELOW = 0.4
# Of eight others of such kinds in 77 real windows none was of use: "I feel like 120 seconds is not
# much".
_PASSING = (ValueKind.QUANTITY, ValueKind.QUOTED)
_KEPT_FROM = 0.5

_EAST = "\u3005\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
# Chinese is written right behind an address; in one it begins a part of it, or a file's suffix or
# another such part follows: ".../wiki/東京", ".../2024年.csv".
_URL = (
    r"(?:https?|ssh|git|ftp|file|wss?|postgres(?:ql)?|mysql|redis|mongodb(?:\+srv)?|s3|gs"
    rf"|amqp)://(?:[^\s<>\"'`，。、：；？！（）「」『』【】《》”{_EAST}]"
    rf"|(?<=[/=_.#&?@-])[{_EAST}]+"
    rf"|[{_EAST}]+(?=\.[A-Za-z][A-Za-z0-9]{{1,3}}(?![A-Za-z0-9./:])|/[{_EAST}]))+"
)
_MAIL = r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}"
_HOST = (
    r"(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|[a-z0-9-]{1,40}(?:\.[a-z0-9-]{1,40}){1,4}):\d{2,5}\b("
    r"?:/[\w./-]*)?|\b\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?\b"
)
_PATH = (
    r"(?<![\w.@/-])@?(?:~|\.{1,2}|[A-Za-z]:)?[\\/](?:[\w.@+~*{}\[\]-]+[\\/])*[\w.@+~*{}\[\]-]+["
    r"\\/]?"
    r"|(?<![\w@.+*/-])@?(?:[\w.@+*-]+/)+(?:[\w.@+*{}-]+/?|(?=[\s,;:.)]|$))"
    r"|(?<![\w./-])[\w-]+(?:\.[\w-]+)*\.(?:py|pyi|js|jsx|ts|tsx|mjs|cjs|json|jsonl|ya?ml|toml|ini"
    r"|cfg|conf|md|rst|txt|sh|bash|zsh|sql|go|rs|rb|php|java|kt|swift|c|h|cc|cpp|hpp|cs|html?|css"
    r"|scss|vue|svelte|xml|csv|tsv|env|lock|log|proto|tf|gradle|ipynb|pdf|png|jpe?g|svg|gif|zip|gz"
    r"|tar|db|sqlite3?|pem|key|dart|lua|ex|exs|erl|hs|ml|scala|pl|r|jl|ps1|bat|mk|cmake)\b"
    r"|(?<![\w./-])(?:Dockerfile|Makefile|Procfile|Jenkinsfile|\.(?:env|gitignore|dockerignore"
    r"|npmrc|bashrc|zshrc|editorconfig|eslintrc|prettierrc)(?:\.\w+)*)\b"
)
_VERSION = (
    r"(?<![\w.-])v\d+(?:\.\d+){0,3}(?:[-+][\w.]+)?(?![\w-])"
    r"|(?<![\w.:-])\d+\.\d+\.\d+(?:[-+.][\w.-]*\w)?(?![\w%])"
    r"|(?<=[a-z] )\d+\.\d+(?:\.[x*])?\+?(?![\w.%]|\s?(?:ms|s|m|h|kb|mb|gb|tb|%|sec|min|hours?"
    r"|euros?|dollars?|€|\$|px))"
    r"|[<>=^~!]=?\s?\d+(?:\.\d+)+"
)
_PORT = (
    r"(?<=port )\d{2,5}\b|(?<=port: )\d{2,5}\b|(?<=port=)\d{2,5}\b|(?<=ports )\d{2,5}\b"
    r"|(?<![\w.:]):\d{4,5}\b|(?<=端口)\s?\d{2,5}|(?<=ポート)\s?\d{2,5}|(?<=포트 )\d{2,5}"
    r"|(?<=端口[是为])\s?\d{2,5}|(?<=ポート[はが])\s?\d{2,5}|(?<=포트[는은가] )\d{2,5}"
    r"|(?<=puerto )\d{2,5}|(?<=porta )\d{2,5}|(?<=порт )\d{2,5}|(?<=порту )\d{2,5}"
)
_IDENTIFIER = (
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b|\b[A-Z][A-Z0-9]{1,9}-\d{1,7}(?:-[A-Z0-9]{1,9})*\b"
    r"|(?<![\w&])(?<!\[Image )#\d{1,7}\b"
    r"|\b(?=\w{3,80}\b)[A-Z][A-Z0-9]*_[A-Z0-9_]+\b(?:=[^\s,;'\"]+)?"
    r"|(?<!\w)\$[A-Z][A-Z0-9_]+\b|(?<![\w-])--[a-z][\w-]+(?:=[\w./:-]+)?"
    r"|\b(?=\w{3,80}\b)[a-z]\w*_\w*[a-z0-9]\b(?:\(\))?|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b(?:\(\))?"
    r"|\b(?:[A-Z][a-z0-9]+){2,}\b|\b\w{1,40}_\w{1,40}\.\w{1,40}\b"
    r"|(?<![\w.-])[\w-]+(?:\.[\w-]+)*\(\)|(?<=(?i:branch) )[\w./-]*[-/\d][\w./-]*\w"
    r"|\b[a-z]+-\d+(?:-\w+)*\b"
    r"|(?<![a-zA-Z\d_.,:/-])(?!(?:19|20)\d\d\b)\d{4,12}(?![a-zA-Z\d_.,:/%-]*[a-zA-Z\d_%])"
    r"|(?<=(?i:issue) )\d{1,7}\b|(?<=(?i:ticket) )\d{1,7}\b|(?<=(?i:pr) )\d{1,7}\b"
)
_UNITS = (
    r"ms|µs|us|ns|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?"
    r"|[kmgt]i?b|[kmgt]bps|bytes?|bits?|px|em|rem|pt|dpi|fps|hz|khz|mhz|ghz"
    r"|kg|g|mg|km|m|cm|mm|°c|°f|rpm|rps|qps|req/s|tokens?|lines?|chars?|characters?|columns?"
    r"|cols|rows?|items?|users?|retries|attempts?|times?|threads?|workers?|cores?"
    r"|connections?|requests?|records?|entries|pages?|files?|tests?|steps?|x|k|s|h|d|w|percent"
    r"|pct|dollars?|euros?|usd|eur|gbp|cents?|sekunden?|minuten?|stunden?|tage?n?"
    r"|zeilen|zeichen|secondes?|jours?|lignes?|segundos?|minutos?|horas?|días|dias|líneas|linhas"
    r"|секунд\w*|минут\w*|час\w*|дн\w+|строк\w*|мс|сек|мин|гб|мб|кб"
)
_QUANTITY = (
    r"(?<![\w.])[$€£¥₽₩]\s?\d[\d.,]*\d?(?:\s?(?:k|m|bn|million|billion)\b)?"
    r"|\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)?"
    r"|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m\b)?"
    r"|\b\d{1,2}\s?[ap]m\b"
    r"|\b(?:\d{1,2}(?:st|nd|rd|th)? (?:of )?)?(?:January|February|March|April|May|June|July"
    r"|August|September|October|November|December) \d{1,4}(?:st|nd|rd|th)?(?:,? \d{4})?\b"
    r"|(?<![\w.,])\d[\d.,_]*(?:\s?[-–]\s?\d[\d.,]*)?\s?%|(?<![\w.,])\d[\d.,_]*\s?(?:€|\$|£|¥|₽|₩"
    r"|°C|°F)"
    r"|(?<![\w.,])\d+(?:[.,_]\d+)*(?:\s?[-–]\s?\d+)?[\s-]?(?:(?i:" + _UNITS + r"))(?![\w-])"
    r"|(?<![\d.])\d+(?:\.\d+)?\s?(?:毫秒|秒|分钟|小时|天|个月|年|元|行|个|次|字|兆|字节|分|時間|日|円|件"
    r"|回|文字|人|초|분|시간|일|원|줄|개|번|자|명)"
    r"|\b\d{1,5}\s?[x×]\s?\d{1,5}\b"
)
_QUOTED = (
    r"`[^`\n]{1,200}`|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|„[^“”\n]{1,200}[“”]|«[^»\n]{1,200}»"
    r"|「[^」\n]{1,200}」|『[^』\n]{1,200}』|《[^》\n]{1,200}》"
    r"|(?<!\w)'[^'\n]{1,200}'(?!\w)|(?<!\w)‘[^’\n]{1,200}’(?!\w)|‹[^›\n]{1,200}›"
)
_KINDS = (
    (ValueKind.URL, re.compile(f"{_URL}|{_MAIL}|{_HOST}")),
    (ValueKind.QUOTED, re.compile(_QUOTED)),
    (ValueKind.PATH, re.compile(_PATH)),
    (ValueKind.PORT, re.compile(_PORT, re.IGNORECASE)),
    (ValueKind.QUANTITY, re.compile(_QUANTITY)),
    (ValueKind.VERSION, re.compile(_VERSION)),
    (ValueKind.IDENTIFIER, re.compile(_IDENTIFIER)),
)
# Grammar, which no path has: "設定はconf/db.yamlにある".
_HIRAGANA = re.compile(r"[\u3040-\u309f]+")
_MARKS_BEHIND = tuple(".,;:!?)]}>'\"")
_BRACKETS = {")": "(", "]": "[", "}": "{", ">": "<"}
_QUOTES = "`\"“”„«»「」『』《》'‘’‹›"


def extract_values(content: WindowContent) -> tuple[ExactValue, ...]:
    """Return the exact values of the window's prompts; of repeated ones the newest mention.

    A value that lies inside another is not listed for itself. In order of their last mention;
    of too many, the newest.
    """
    found: dict[str, ExactValue] = {}
    for said in content.prompts:
        for number, sentence in enumerate(said.sentences):
            for kind, text, start in values_in(sentence):
                found.pop(text, None)
                context = _context(sentence, start, len(text))
                place = said.place(number)
                found[text] = ExactValue(text=text, kind=kind, context=context, **place)
    return tuple(found.values())[-VALUES_LIMIT:]


@lru_cache(maxsize=_CACHED_SENTENCES)
def values_in(sentence: str) -> tuple[tuple[ValueKind, str, int], ...]:
    """Return kind, text and place of each exact value in a sentence."""
    sentence = sentence[:_SENTENCE_CHARS]
    taken: list[tuple[int, int]] = []
    hits: list[tuple[ValueKind, str, int]] = []
    for kind, pattern in _KINDS:
        for match in pattern.finditer(sentence):
            start, end = match.span()
            if any(start < b and a < end for a, b in taken):
                continue
            text = _trimmed(match.group(), kind)
            if not _counts(text, kind):
                continue
            start += max(0, match.group().find(text))
            taken.append((start, end))
            hits.append((_kind_inside(text) if kind is ValueKind.QUOTED else kind, text, start))
    return tuple(sorted(hits, key=itemgetter(2)))


def _trimmed(text: str, kind: ValueKind) -> str:
    if kind is ValueKind.QUOTED:
        return text.strip(_QUOTES).strip()
    if kind is ValueKind.PATH:
        parts = _HIRAGANA.split(text)
        text = next((part for part in parts if "/" in part or "." in part), text)
    text = _without_marks(text.strip()) if kind is not ValueKind.IDENTIFIER else text
    return text.lstrip(":") if kind is ValueKind.PORT else text


def _without_marks(text: str) -> str:
    """Return a value without the marks behind it; a bracket stays that closes one of its own."""
    while text.endswith(_MARKS_BEHIND):
        opening = _BRACKETS.get(text[-1])
        if opening and text.count(opening) == text.count(text[-1]):
            break
        text = text[:-1]
    return text


def _kind_inside(text: str) -> ValueKind:
    """Return the kind of a quoted value that is a url, a path or such as a whole."""
    for kind, pattern in _KINDS:
        if kind is not ValueKind.QUOTED and pattern.fullmatch(text):
            return kind
    return ValueKind.QUOTED


def _counts(text: str, kind: ValueKind) -> bool:
    """Return whether a value is no noise: fractions, everyday pairs of words, single signs."""
    if not text or len(text) > VALUE_CHARS or text.casefold() in _TRIVIAL:
        return False
    if kind is ValueKind.PATH:
        return _is_path(text)
    if kind is ValueKind.QUOTED:
        return any(sign.isalnum() for sign in text) or len(text) > 1
    if kind is ValueKind.QUANTITY:
        return not re.fullmatch(r"[01] ?(?:test|file|time|step|line|item|page|x)s?", text)
    return True


def _is_path(text: str) -> bool:
    if re.fullmatch(r"[\d./]+", text):
        return False
    bare = text.strip("@")
    # "and/or", "client/server": two plain words are a choice, not a place
    words = re.fullmatch(r"[a-zA-Z]+/[a-zA-Z]+", bare)
    if words is not None and not text.startswith("@"):
        return bare.split("/")[0] in _TOP_FOLDERS
    return len(bare) > 1


_TOP_FOLDERS = frozenset(
    "src lib test tests docs doc app apps bin cmd pkg internal scripts config packages feature "
    "fix bugfix hotfix release feat chore origin"
    " upstream api components pages public assets tools examples hooks build dist vendor usr "
    "etc var tmp home opt".split()
)


def _context(sentence: str, start: int, length: int) -> str:
    """Return the sentence on one line, cut around the value."""
    if len(sentence) <= CONTEXT_CHARS:
        return one_line(sentence, CONTEXT_CHARS)
    room = max(0, CONTEXT_CHARS - length - 2) // 2
    left, right = max(0, start - room), min(len(sentence), start + length + room)
    if left:
        left = sentence.find(" ", left, start) + 1 or left
    if right < len(sentence):
        cut = sentence.rfind(" ", start + length, right)
        right = cut if cut > 0 else right
    body = " ".join(sentence[left:right].split())
    return f"{'…' if left else ''}{body}{'…' if right < len(sentence) else ''}"


def telling_values(state: SessionState) -> Iterator[ExactValue]:
    """Yield the values that may still be needed; the others are idle.

    Idle is what rules, objective, decisions or the files say already, what stood in a log, in code
    or in a question, and what a request asked to be done.
    """
    objectives = (state.objective, *state.continues[:1]) if state.objective else ()
    rules = (rule for rule in state.active_rules if not is_like_no_rule(rule))  # or seldom told
    said = [item.text for item in (*rules, *objectives, *state.decisions)]
    over = [rule.text for rule in state.rules if not rule.active]
    root = f"{state.root}/" if state.root else ""
    edited = {file.path.removeprefix(root) for file in state.files if file.edits}
    for value in state.values:
        known = value.text in edited or any(value.text in other for other in said)
        if value.kind is ValueKind.QUANTITY:
            known = known or any(value.context in text or text in value.context for text in over)
        if not (known or is_machine_made(value.context)) and _tells(value, state):
            yield value


def _tells(value: ExactValue, state: SessionState) -> bool:
    """Return whether a value's sentence tells it; of a long prompt, only an address counts."""
    context = value.context.partition(LATER)[0]
    if _FAILS.search(context):
        return False
    if value.kind in _ADDRESSES:
        return True
    prompt_chars = next((len(p.text) for p in state.prompts if p.uuid == value.uuid), 0)
    if prompt_chars > _LONG_PROMPT_CHARS or asks(context):
        return False
    chances = user_chances(context)
    if value.kind in _PASSING and chances.kept < _KEPT_FROM:
        return False
    is_quoted = value.kind is ValueKind.QUOTED
    return chances.work < (_QUOTED_BELOW if is_quoted else _TELLS_BELOW)


_NUMBER = r"(?<![\d.,:])\d(?:[\d.,:]{0,14}\d)?"
_IN_PLACE = re.compile(
    rf"\b(?:instead of|rather than|not|statt|nicht|no|en (?:vez|lugar) de|au lieu de|pas|em vez de"
    rf"|вместо|не)\s(?:the |die |den |los |les )?({_NUMBER})|(?:而不是|不是)\s?({_NUMBER})"
    rf"|({_NUMBER})\s?[^\W\d]{{0,3}}(?:ではなく|じゃなくて|말고|대신)",
    re.IGNORECASE,
)


def with_corrections(values: tuple[ExactValue, ...]) -> tuple[ExactValue, ...]:
    """Return values as later ones were named in their place: "make it 48 hours instead of 72".

    The later sentence stands behind the first, which often says alone what the value is of.
    """
    instead: dict[str, ExactValue] = {}
    for value in values:
        for found in _IN_PLACE.finditer(value.context):
            number = next(filter(None, found.groups()))
            instead[re.sub(_NUMBER, number, value.text, count=1)] = value
    said: dict[str, ExactValue] = {
        old.context: new
        for old in values
        if (new := instead.get(old.text)) is not None
        and (old.offset, old.position) < (new.offset, new.position)
    }
    return tuple(
        _corrected(value, said[value.context], instead) if value.context in said else value
        for value in values
        if value not in said.values()
    )


def _corrected(value: ExactValue, new: ExactValue, instead: Mapping[str, ExactValue]) -> ExactValue:
    text = new.text if instead.get(value.text) is new else value.text
    return replace(value, text=text, context=f"{value.context}{LATER}{new.context}")


def is_machine_made(context: str) -> bool:
    """Return whether a value stood in a log, in code or in a line too long to have been typed."""
    if has_cjk(context):  # so short that a value in it would count for a log
        return False
    odd = sum(not (sign.isalpha() or sign in _PROSE_SIGNS) for sign in context)
    return context.startswith("…") or odd > _ODD_SHARE * len(context)


_ADDRESSES_LIMIT = 8
_IDS_LIMIT = 8
# What a command names once is of the moment, unless an output gave it.
_LEAST_USES_OF_ID = 2
_OUTPUT_CHARS = 2_000
# Ids of things that live elsewhere: of letters and digits (1920x1080 is a size), of a commit, of an
# issue. Of variables that commands name 3 in 28 were of use after real compactions.
_ID = re.compile(
    r"(?<![\w./\\-])(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[a-z])(?!\d{1,5}x\d{1,5}\b)"
    r"(?:[a-z0-9]{8,40}|[0-9a-f]{7}|[0-9a-f]{8}(?:-[0-9a-f]{4,12}){4})(?![\w/-]|\.[\w])"
    r"|\b[A-Z]{2,8}-\d{1,6}\b"
)
# As a command names it: `--app 6799644194`, `VERSION_ID=4f0c...`. Digits alone are one of a thing
# that has a number.
_NUMBERED = r"(?:account|app|build|id|issue|job|org|pipeline|project|run|team|user)"
_NAMED_ID = re.compile(
    rf"--(?:[a-z]{{1,20}}-){{0,3}}{_NUMBERED}[ =][\"']?\d{{6,20}}\b"
    rf"|(?:(?:--[a-z][\w-]{{1,30}}[ =]|\b[A-Za-z_]{{2,30}}=)[\"']?)?(?:{_ID.pattern})"
)
_GIT = re.compile(r"\bgit\s")
# What the model only speaks of counts where it is one of this machine, and spoken of twice.
_LEAST_USES = 2
_CALLED_URL = re.compile(
    r"(?<!credential\.)(?P<server>(?:https?|wss?)://(?:[\w-]{1,63}\.){0,6}[\w-]{1,63}(?::\d{2,5})?"
    r"|\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0):\d{2,5}\b)"
    r"(?P<path>(?:/[\w.~-]{1,80}){0,8})"
    r"|(?P<login>(?<![:/])\b[a-z][\w.-]{0,30}@(?:\d{1,3}(?:\.\d{1,3}){3}|(?:[\w-]{1,63}\.){1,5}[a-z]{2,12}))"
    r"(?=[\s:'\"]|$)"
)
_DATABASE = re.compile(r"\b(?:psql|pg_\w+|createdb|mysql\w*|redis-cli|mongosh?)\b")
_SCHEME_CHARS = 100
_OTHER_SCHEME = re.compile(r"\b(?P<scheme>[a-z][a-z0-9+]{1,20})://(?:[^\s@/]{0,60}@)?\Z")
_LOCAL = re.compile(
    r"\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|192\.168\.\d+\.\d+|10\.\d+\.\d+\.\d+)\b"
)
# Programs that log in to a host; an address behind others, such as an author's, is none.
_LOGS_IN = re.compile(r"\b(?:ssh|scp|rsync|sftp)\b")
# Pull requests: what their creation printed, and the number that a command names; runs of the CI.
_CREATES_PULL = re.compile(r"\b(?:gh pr|glab mr) create\b")
_PULL_URL = re.compile(
    r"https?://[\w.-]{1,80}(?:/[\w.-]{1,80}){1,6}/(?:pull|merge_requests)/\d{1,7}"
)
_PULL_NUMBER = re.compile(
    r"\b(?:gh pr|glab mr) (?:view|checks|diff|edit|merge|ready|comment|review|checkout|update)"
    r"\s+(?:-\S+\s+)*#?(?P<number>\d{1,7})\b(?!>)"
    r"|\bgh api\b[^|;&\n]{0,120}?\brepos/(?P<of>[\w.-]{1,80}/[\w.-]{1,80})/pulls/"
    r"(?P<asked>\d{1,7})\b"
)
_CI_RUN = re.compile(r"\bgh run (?:view|watch|rerun|download)\s+(?:-\S+\s+)*(?P<number>\d{5,12})\b")
_MESSAGE = re.compile(r"\bgit (?:\S+ ){0,12}?commit\b|\bgh (?:pr|issue) (?:create|comment|edit)\b")


def extract_addresses(content: WindowContent) -> tuple[Item, ...]:
    """Return the addresses that commands of the window used, and local ones the model told twice.

    In order of their last use, at most eight. Of a path only what looks like an id is kept. Pull
    requests and runs of the CI count as such: the next command names them again.
    """
    used: dict[str, Item] = {}
    told: Counter[str] = Counter()
    for step in content.steps:
        for address, counts in _addresses_of(step):
            told[address] += 1
            if counts or told[address] >= _LEAST_USES:
                used.pop(address, None)
                used[address] = Item(text=address, **step.place)
    ids = _ids_used(content)
    return (*tuple(ids)[-_IDS_LIMIT:], *tuple(used.values())[-_ADDRESSES_LIMIT:])


def _ids_used(content: WindowContent) -> list[Item]:
    """Return the ids that several commands named, or one after an output, the newest at the end."""
    uses: Counter[str] = Counter()
    last: dict[str, Item] = {}
    for step, tool in content.uses:
        command = bash_command(tool)
        if not command or _GIT.search(command):
            continue  # a commit that was looked at: the log has it
        for found in dict.fromkeys(_NAMED_ID.findall(command)):
            name = re.split(r"[ =\"']", found)[-1]
            before = last.pop(name, None)
            uses[name] += before is None or before.offset != step.offset
            text = before.text if before and name == found else re.sub(r"[\"']", "", found)
            last[name] = Item(text=text, **step.place)
        output = tool.result.text if tool.result else ""
        if len(output) <= _OUTPUT_CHARS:
            uses.update(name for name in set(_ID.findall(output)) if name not in uses)
    return [item for name, item in last.items() if uses[name] >= _LEAST_USES_OF_ID]


def _addresses_of(step: TranscriptStep) -> Iterator[tuple[str, bool]]:
    """Yield each address of a step once, and whether one use is enough."""
    if step.by_user:
        return
    command = bash_command(step.tool) if step.tool is not None else ""
    yield from ((named, True) for named in _numbered(step, command))
    if _MESSAGE.search(command):
        return  # what is written to others is no address that is used
    text = command if step.tool is not None else step.text
    for address in dict.fromkeys(_address(found, text) for found in _CALLED_URL.finditer(text)):
        if address and (command or _LOCAL.search(address)):
            yield address, bool(command)


def _numbered(step: TranscriptStep, command: str) -> Iterator[str]:
    """Yield the pull request and the CI's run that a command names or makes."""
    if named := _PULL_NUMBER.search(command):
        yield f"PR {named['of'] or ''}#{named['number'] or named['asked']}"
    if named := _CI_RUN.search(command):
        yield f"CI run {named['number']}"
    result = step.tool.result if step.tool is not None else None
    if result is not None and not result.is_error and _CREATES_PULL.search(command):
        yield from _PULL_URL.findall(result.text)[:1]


def _address(found: re.Match[str], text: str) -> str:
    login = found["login"]
    if login:  # every repository has `git@`
        return login if _LOGS_IN.search(text) and not login.startswith("git@") else ""
    server, parts = found["server"], found["path"].split("/")[1:]
    if other := _OTHER_SCHEME.search(text, max(0, found.start() - _SCHEME_CHARS), found.start()):
        return "/".join((f"{other['scheme']}://{server}", *parts[:1]))  # a database has a name
    is_web = text[found.start() - 1 : found.start()] != "@" and not _DATABASE.search(text)
    if "://" not in server and is_web:
        server = f"http://{server}"
    last = max(
        (n for n, part in enumerate(parts) if _is_id(part) or part in _TELLS_HEALTH), default=-1
    )
    if server.endswith(_CODE_HOSTS):  # a repository is of an owner, whose name may have digits
        last = max(last, 1)
    return server + "".join(f"/{part}" for part in parts[: last + 1])


_CODE_HOSTS = ("//github.com", "//gitlab.com", "//bitbucket.org", "//codeberg.org")
# Where a server says how it is: with it the next command can look again.
_TELLS_HEALTH = frozenset("health healthz livez ping ready readyz status".split())


def _is_id(part: str) -> bool:
    """Return whether a part of a path names one thing: it has digits beside letters."""
    return len(part) >= 8 and any(map(str.isdigit, part)) and any(map(str.isalpha, part))

"""Wordings by which a sentence rules out, lifts, weakens, limits, reports or takes back.

Turns of phrase are put into plain words first, so that `hands off X` is `don't change X`: only what
means the same in every sentence. A pattern is tried where the letters that stand before it occur,
so that most of them cost a look for a few letters.
"""

import re
from functools import cache

from amplihack_compaction.text.word_lists import data_lines, patterns

_PATTERNS = patterns("polarity")
LISTING = re.compile(r"(?<!\w)(?:or|and|nor|oder|und|ou|et|o|y|e|или|и)(?!\w)")
INCLUSIVE = re.compile(_PATTERNS["inclusive"])
# What a ban says of these, it says of what was named before.
PRONOUN = re.compile(r"(?<!\w)(?:it|them|these|those)(?!\w)")
PREPOSITION = re.compile(_PATTERNS["preposition"])
_NEGATORS = _PATTERNS["negators"]
NEGATION = re.compile(rf"(?<!\w)(?:{_NEGATORS})(?!\w)|(?<!\w)\w+n't(?!\w)")
NEGATION_CJK = re.compile(_PATTERNS["negation cjk"])
FLIP = re.compile(_PATTERNS["flip"])
LIFT = re.compile(_PATTERNS["lift"])
PERMISSION = re.compile(_PATTERNS["permission"])
WEAK = re.compile(_PATTERNS["weak"])
WISH = re.compile(_PATTERNS["wish"])
STRONG = re.compile(_PATTERNS["strong"])
EXCLUSIVE = re.compile(_PATTERNS["exclusive"])
ASIDE = re.compile(_PATTERNS["aside"])
PREFER = re.compile(_PATTERNS["prefer"])
OVER = re.compile(r"(?<!\w)(?:over|(?<=preferred )to)(?!\w)")
CONDITION = re.compile(_PATTERNS["condition"])
ONLY_IF = re.compile(
    r"(?<!\w)only(?: (?!in |on |for )\w+){0,4}? (?:if|when|after|with|once|upon|given)(?!\w)"
)
NEEDS = re.compile(_PATTERNS["needs"])
WITHOUT = re.compile(r"(?<!\w)(?:without|ohne|sin|sans|sem|без)(?!\w)")
LEADING_NO = re.compile(r"\A\W*(?:please |but |and )?no (?!longer|need|more than|fewer|less)(?=\w)")
BREAK = re.compile(_PATTERNS["break"])
BEFORE = re.compile(
    r"(?<!\w)(?:before|prior to|bevor|avant(?: de)?|antes de|прежде чем|перед)(?!\w)"
)
BOUND_UP = re.compile(_PATTERNS["bound up"])
BOUND_DOWN = re.compile(_PATTERNS["bound down"])
ORDER = re.compile(
    r"(?<!\w)(before|after|prior to|following|vor|nach|avant|après|antes|después)(?!\w)"
)
AFTER = frozenset({"after", "following", "nach", "après", "después"})
AUXILIARY = re.compile(_PATTERNS["auxiliary"])
_TURNS = [line.split("\t") for line in data_lines("turns_of_phrase.tsv")]
_MARKUP = re.compile(r"[*`\"“”«»]")


def plain_words(folded: str) -> str:
    """Return folded text without markup and with its turns of phrase put plainly."""
    text = f" {_MARKUP.sub('', folded)} "
    for words, trigger, pattern in _TURNS:
        if trigger in text:
            text = _idiom(pattern).sub(words, text)
    return text.strip()


@cache
def _idiom(pattern: str) -> re.Pattern[str]:
    """Return a pattern compiled when it is first needed: all of them would take 10 ms."""
    whole = re.sub("<([a-z]+)>", lambda part: _PATTERNS[part[1]], pattern)
    return re.compile(rf"(?<!\w)(?:{whole})(?!\w)")


_ASKED = re.compile(
    r"(?<!\w)(?:asked (?:about|why|how|what|where|when|whether)|wanted to know|talked about)(?!\w)"
)
_REPORT = re.compile(_PATTERNS["report"])
_DIRECTIVE = re.compile(_PATTERNS["directive"])
# The user's own change of mind, as a summary tells it.
_USER = re.compile(r"(?<!\w)(?:users?|user's|usuario|usuário|nutzer|benutzer)(?!\w)|用户")
_TAKEN_BACK = re.compile(_PATTERNS["taken back"])
_CHANGED = re.compile(_PATTERNS["changed"])


def only_reports(folded: str) -> bool:
    """Return whether folded text only tells what was or is, and asks for nothing."""
    if _ASKED.search(folded) is not None:
        return True
    return _REPORT.search(folded) is not None and _DIRECTIVE.search(folded) is None


def taken_back(folded: str) -> int:
    """Return 2 where folded text says that the user has changed their mind, 1 where it may."""
    if _USER.search(folded) is None:
        return 0
    return 2 if _TAKEN_BACK.search(folded) else int(_CHANGED.search(folded) is not None)

"""Tell what a sentence puts off for later, or asks to be reminded of."""

import re

from amplihack_compaction.patterns.patterns import lazily

# Without one of these no pattern matches; they take longer to compile than to look for these.
_HINTS = (
    "remind", "forget", "later", "todo", "to-do", "to do", "note to self", "follow", "backlog",
    "task list", "rappelle", "recu", "lembr", "erinner", "später", "plus tard", "提醒", "待办",
    "以后再", "depois", "después", "luego", "tomorrow", "next week",
    "напомн", "思い出させて", "リマインド", "상기시켜", "리마인드",
)  # fmt: skip
_SENTENCE_CHARS = 300
_LEAD = r"\W*(?:(?:and|also|oh|ok|okay|so|then|but|please|pls|btw|by the way)[, ]+){0,3}"
_REMIND = lazily(
    rf"{_LEAD}(?:(?:remind (?:me|us)|don'?t let (?:me|us) forget)(?: later| then| tomorrow)?"
    r"(?: to| about| of| that)?|rappelle[- ]moi(?: de| que)?|recu[ée]rdame(?: que| de)?"
    r"|(?:me lembr[ae]|lembr[ae][- ]me)(?: de| que)?|erinner[en]? mich(?: daran| an)?,?)\s"
    r"(?P<what>\S.+)|.{0,8}提醒我[，,]?(?P<east>.{3,})"
    r"|\W*(?:не забудь )?напомни(?:те)?(?: мне)?,? (?P<russian>.{3,})"
    r"|(?P<japanese>.{3,200}?)(?:の|こと)?(?:を)?(?:思い出させて|リマインドして)"
    r"|(?P<korean>.{3,200}?)(?:라고|(?:는|하는) (?:것|거)(?:을|를)?|를|을)? ?(?:상기시켜|리마인드)",
    re.IGNORECASE,
)
_LATER = lazily(
    rf"{_LEAD}(?:note to self|(?:todo|to-do|to do|reminder|something)? ?(?:for )?(?:later|tomorrow"
    r"|next week)|todo|to-do|to do|follow[- ]?ups?|backlog|für später|später|pour plus"
    r" tard|plus tard|para depois|para después|para luego|待办|以后再做)\s{0,3}(?:[:：]\s{0,3}"
    r"|[–—-]\s)(?P<what>\S.+)",
    re.IGNORECASE,
)
_LISTED = lazily(
    rf"{_LEAD}(?:put|add|write) (?P<what>.{{3,120}}?) (?:on|to|onto|in) (?:the|your|our|my)"
    r" (?:todos?|to-dos?|backlog|(?:task|todo|to-do) list)(?: (?:too|as well|please|for (?:later"
    r"|now|tomorrow)))?\s{0,3}(?:$|[,.;:!])",
    re.IGNORECASE,
)
# "Remind me what the port was" asks, and does not put anything off.
_ASKS = lazily(
    r"(?:not|what|how|why|where|who|which|when|whether|if|again|comment|pourquoi|où|qué|cómo"
    r"|por qué|dónde|o que|como|onde|was|wie|warum|wo)\b|.{0,300}[?？]\s*$|什么|怎么|哪",
    re.IGNORECASE,
)


def may_put_off(text: str) -> bool:
    """Tell at a glance whether a text may put something off."""
    low = text.casefold()
    return any(hint in low for hint in _HINTS)


def put_off(sentence: str) -> str:
    """Return what a sentence puts off for later; empty when it puts nothing off."""
    if len(sentence) > _SENTENCE_CHARS or not may_put_off(sentence):
        return ""
    words = sentence.replace("’", "'")
    found = _REMIND.match(words) or _LATER.match(words) or _LISTED.match(words)
    what = next(filter(None, found.groups()), "").strip(" .!。！") if found is not None else ""
    return "" if _ASKS.match(what) else what

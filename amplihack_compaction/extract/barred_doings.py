"""What is done with the tools of a trade, in a rule's words and by which commands.

A clause of a rule in English in; out, what bars the commands that do it. `barred_doings.txt` has
the doings: who knows another tool adds a line there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from amplihack_compaction.extract.barred_calls import Ban
from amplihack_compaction.extract.barred_words import REFUSED, acting_words, also_has

_DOINGS_FILE = Path(__file__).with_name("barred_doings.txt")
_AGAIN = (
    r"re-?(?=build|train|flash|deploy|generat|format|encod|render|seed|migrat|compil|creat|sync|upload"
    r"|run|compress|convert|cod|publish|record|submit|tag|sign|index)"
)
# What ends a verb's stem.
_ENDS = (
    r"[a-z]?(?:e|es|ed|d|s|ing|ings|y|ies|ied|ion|ions|ation|ations|ment|ments|al|als|t|ts|en|ez"
    r"|ier(?:en|e|t))?(?!\w)"
)
_WHOLE = re.compile(
    r"\b(?:whole|entire|full|complete)\b(?: of)?(?! (?:(?:re)?builds?|refresh))"
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
    """What is done with the tools of a trade: see `barred_doings.txt`."""

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

    def is_said(self, said: str) -> bool:
        """Return whether a clause speaks of it."""
        if not any(each in said for each in self.begins) or not self.verbs.search(said):
            return False
        if not self.to or self.to[0] == "?" or self.nouns.search(said):
            return True
        return (
            bool(self.of)
            and re.search(rf"(?<![\w-])(?:{self.of})(?![\w-])", said, re.I) is not None
        )


# What stands alone must change something.
_SAYS_HOW = re.compile(r" |^=")
_BEGINS = re.compile(r"(?:^|\|)([a-z]+)")


@cache
def doings() -> tuple[Doing, ...]:
    """Return all that is known to be done."""
    found: list[dict[str, str]] = []
    for line in _DOINGS_FILE.read_text(encoding="utf-8").splitlines():
        if line[:1] == "[":
            found.append({})
        elif line[:1] == " ":
            found[-1]["by"] += line[3:]
        elif line and line[0] != "#":
            name, _, found[-1][name] = line.partition(": ")
    return tuple(
        Doing(each["do"], tuple(each["by"].split(", ")), each.get("to", ""), each.get("of", ""))
        for each in found
    )


@cache
def programs() -> frozenset[str]:
    """Return the programs of all that is known to be done."""
    return frozenset(line.split()[0] for doing in doings() for line in doing.by)


def bans_of_doings(said: str) -> Iterator[Ban]:
    """Yield what bars what is done with the tools of a trade, by a clause in English."""
    said, is_whole = _WHOLE.subn(" ", said.casefold())
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
            found[doing] = also_has(rest) + " [" * bool(is_whole)
    all_said = not all(" ^" in also for also in found.values())
    for doing, also in found.items():
        if all_said and " ^" in also:
            continue
        lines = (line for line in doing.by if not also or line[:4] != "mcp ")
        words = doing.nouns if doing.to and doing.nouns.search(said) else doing.verbs
        yield Ban(
            kind="command",
            what=tuple(
                f"{line}{also}" if _SAYS_HOW.search(line) else f"{line} ?{also}" for line in lines
            ),
            words=words.pattern,
        )

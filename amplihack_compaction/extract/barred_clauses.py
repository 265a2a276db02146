"""Which clauses of a rule's sentence bar something, and which only at times.

What stands in place of something else, what a list goes on with, and what a negation is said of are
told apart here; what a clause names is read in `barred_names`.
"""

import re
from collections.abc import Iterator

from amplihack_compaction.extract.barred_names import BRANCH, COMMANDS, FILE, SPAN
from amplihack_compaction.text.word_lists import patterns

_PATTERNS = patterns("barred_clauses")

_LONGEST_CHARS = 600
# What is left as it is, is not changed.
LEAVES = (
    r"\b(?:leave|keep|stays?|remains?|lass\w*|bleib\w*|laiss\w*|gard\w*|dej[ae]\w*|deix[ae]\w*"
    r"|остав\w*)"
)
LEFT_SO = (
    r"\b(?:as (?:it |they )?(?:is|are)|untouched|wie (?:sie|es|er) (?:ist|sind)|in ruhe|unverändert"
    r"|tel(?:le)?s? quel(?:le)?s?|tranquilles?|intacte?s?|como est(?:á|a|ão|án)|tal cual|en paz"
    r"|em paz|intact[oa]s?|как есть|в покое|без изменений)\b"
    r"|そのまま|保持原样|保持不变|保持不動|原封不动|그대로 [두둬놔]\w*"
)
LEAVES_SO = rf"{LEAVES} .{{0,80}}(?:{LEFT_SO})|(?:in ruhe|unverändert) lassen"
NEGATED = re.compile(
    r"(?<!-)\b(?:not|never|don't|dont|no(?!-)|avoid|refrain|abstain|stop|dead to me"
    r"|off the table|mustn't|shouldn't|can't"
    r"|cannot|nicht|nie|niemals"
    r"|kein\w*|nichts|non(?!-)|mai|niente|nessun\w*|niet|nooit|geen|pas|jamais|aucun|ne|n'|nunca|jamás|ningún|ninguna|não|nao|nenhum"
    r"|hipótese|не|ни|никогда|нельзя|instead of|rather than|(?:use|prefer) \S+ over|statt"
    r"|au lieu de?|en (?:vez|lugar) de|em vez de|ao invés de|вместо|plutôt que|anstatt|anstelle von"
    r"|invece d[ei]l?|al posto d[ei]l?|in plaats van"
    r"|nothing|none|nobody|untouched|no[- ]go|rather not|in ruhe|private|forbidden|banned"
    rf"|prohibited|off[- ]limits|hands off|(?:leave|keep) .{{1,80}} (?:alone|be)|{LEAVES_SO}"
    r"|read[- ]only(?: (?:on|access|to) |(?: (?:for|to) you| please)?\W*$)|select only"
    r"|frozen|skip|bypass|(?:stay|keep) (?:out|away|off|on)|verboten|tabu"
    r"|finger (?:weg|von)|interdite?s?"
    r"|prohibid[oa]s?|proibid[oa]s?|запрещ\w*|никак\w*|interdiction)\b"
    r"|n't\b|대신|代わりに|代替|取代"
    r"|不要|别|禁止|不|勿|ないで|禁止|지 ?마|말고|금지|ません|않|ではなく|じゃなく|아니라"
    r"|そのまま|保持原样|保持不变|保持不動|原封不动|그대로 [두둬놔]",
    re.IGNORECASE,
)
_PREFERS = re.compile(_PATTERNS["prefers"], re.IGNORECASE)
_IN_PLACE_OF = re.compile(_PATTERNS["in place of"], re.IGNORECASE)
# What stands before these is barred, what stands behind them is not.
_BEHIND = re.compile(r"ではなく|じゃなく|말고|이 아니라|가 아니라|대신|の?代わりに")
# What stands before "말고" of a noun is only another thing where what stands behind is refused.
_OF_A_VERB = re.compile(r"지 ?$")
# "Instead of npm use pnpm": what is to be used is not barred.
_TO_BE_USED = re.compile(
    r"\b(?:use|prefer|nimm|nutz|benutz|verwend|utilis|prends|us[ae]|использ|gebruik|lieber|bitte)"
)
_CLAUSE = re.compile(_PATTERNS["clause"])
_ASIDE = re.compile(r"\s\((?![^()]*(?:--|[./`]|\bno\b|\bnot\b|\bnever\b))[^()]*\)", re.IGNORECASE)
_SLASHED = re.compile(r"(?<![\w/.`-])\w[\w.-]*(?:/\w[\w.-]*)*/\w[\w.-]*\b(?![\w/`-])")
# What a list goes on with, and how it ends.
_ITEM = re.compile(
    r"(?:\S+ ){0,2}(?:`[^`]+`|\S+)(?:\s(?:or|nor)\s(?:`[^`]+`|[^,]{1,80}))?|(?:or|nor) .*"
)
_ABOUT = re.compile(_PATTERNS["about"], re.DOTALL | re.IGNORECASE)
_REFUSES = re.compile(r"\s*(?:no|never|don'?t|do not|kein|nie|pas de|nunca|não)\b", re.IGNORECASE)
_ENDS_LIST = re.compile(r"^\s*(?:or|nor|oder|ou|или)\s")
_OR = re.compile(r"\s(?:or|nor|oder|noch|ou|ni|или|и|或者?|や|또는)\s(?=(?:[^`]*`[^`]*`)*[^`]*$)")
_LEAD = re.compile(_PATTERNS["lead"], re.IGNORECASE)
_QUALIFIES = re.compile(
    r"\b(?:in|on|for|with|at|from|of|inside|within|during|via|against|as|than|once|twice)\b"
)
ONLY = re.compile(_PATTERNS["only"], re.IGNORECASE)
CONDITION = re.compile(_PATTERNS["condition"], re.IGNORECASE)
_WHILE_DOING = re.compile(_PATTERNS["while doing"], re.IGNORECASE)
_AT_TIMES = re.compile(_PATTERNS["at times"], re.IGNORECASE)
_LEAVE = re.compile(_PATTERNS["leave"], re.IGNORECASE)


def _apart(found: "re.Match[str]") -> str:
    """Return `npm/yarn` as `npm or yarn`, which is no path."""
    names = found.group().split("/")
    are_known = all(name in COMMANDS or BRANCH.fullmatch(name) for name in names)
    are_files = all("." in name and FILE.fullmatch(name) for name in names)
    return " or ".join(names) if are_known or are_files else found.group()


def clauses_of(sentence: str) -> list[str]:
    """Return the parts of a sentence; what a list in it names stays with what stands before it.

    Asides are no part, and `npm/yarn` are two things. Of a longer sentence than 600 characters the
    rest is left out.
    """
    text = _ASIDE.sub("", sentence[:_LONGEST_CHARS]).replace("`/`", "` or `")
    if about := _ABOUT.match(text):
        text = ", ".join(f"{part.rstrip('.!')} {about[1]}" for part in about[2].split(", "))
    text = _SLASHED.sub(_apart, text).replace("’", "'").replace(", ever ", " ever ")
    kept, joints = [""], [""]
    at = 0
    # Of what stands in backquotes nothing ends a clause.
    spans = [found.span() for found in SPAN.finditer(text)]
    for joint in _CLAUSE.finditer(text):
        if any(start < joint.start() < end for start, end in spans):
            continue
        kept[-1] += text[at : joint.start()]
        kept.append("")
        joints.append(joint.group())
        at = joint.end()
    kept[-1] += text[at:]
    clauses: list[str] = []
    listed = 0
    for number, clause in enumerate(kept):
        is_item = joints[number] == "," and _ITEM.fullmatch(clause.strip()) is not None
        if not is_item or not clauses or _PREFERS.match(clause) or _REFUSES.match(clause):
            listed = 0
        elif (
            _ENDS_LIST.match(clause)  # "a, b, or c"
            or _OR.search(clause)
            or clause.split()[0] in COMMANDS & {*clauses[-1 - listed].split()}  # "git a, git b"
        ):
            clauses[-1 - listed :] = [
                " or ".join([*clauses[-1 - listed :], _ENDS_LIST.sub("", clause).strip()])
            ]
            listed = 0
            continue
        else:
            listed += 1
        if clause.strip():
            # A condition behind a full stop is not that of what stands before it.
            clauses += [clause.strip()] if joints[number] in ("", ",") else ["", clause.strip()]
    return clauses


def barred_clauses(clauses: list[str], *, is_prohibition: bool) -> list[str]:
    """Return the clauses that bar something: those with a negation, or all."""
    barred: list[str] = []
    for number, clause in enumerate(clauses):
        if NEGATED.search(clause) is None:
            continue
        instead = _IN_PLACE_OF.search(clause)
        refused = NEGATED.search(clause) if _PREFERS.match(clause) else None
        behind = _BEHIND.search(clause)
        if behind is not None:
            before, rest = clause[: behind.start()], clause[behind.end() :]
            refuses = NEGATED.search(rest) is not None
            if refuses and _OF_A_VERB.search(before):
                barred.append(before)
            clause = rest if refuses else before
            # "main 말고 dev에 푸시해": what is done is said last.
            if not refuses and len(rest.split()) > 1:
                barred.append(f"{before} {rest.split()[-1]}")
        elif instead is not None:
            clause = _TO_BE_USED.split(clause[instead.end() :])[0]
        elif refused is not None:  # "use 127.0.0.1, not localhost", without the comma
            clause = clause[refused.start() :]
        # "push without asking, or until I say so": a condition behind the comma belongs to it.
        after = clauses[number + 1] if number + 1 < len(clauses) else ""
        if CONDITION.match(after):
            clause = f"{clause} {after}"
        barred += [clause, *_alternatives(clause)]
    if barred or not is_prohibition:
        return barred
    return [c for c in clauses if c and not _PREFERS.match(c) and ONLY.search(c) is None]


def _alternatives(clause: str) -> Iterator[str]:
    """Yield each of the things that a clause bars with "or", as a clause of its own."""
    first, *others = _OR.split(clause)
    lead = _LEAD.match(first)
    # "Don't run the tests or the linter in watch mode": that is said of both.
    is_shared = _QUALIFIES.search(others[-1] if others else "") and others[-1][:3] != "any"
    if not others or lead is None or (is_shared and SPAN.search(first) is None):
        return
    if not first[lead.end() :].strip():  # "never amend or rewrite commits"
        first = f"{first} {others[-1].partition(' ')[2]}"
    yield first
    for other in others:
        yield from (other, f"{lead.group()} {other}")
        if " " not in other:  # "terraform apply or destroy"
            yield f"{first.rpartition(' ')[0]} {other}"


def is_conditional(clause: str) -> bool:
    """Return whether a clause bars something only at times, but for want of the user's leave."""
    if _AT_TIMES.match(clause):
        return True
    found = CONDITION.search(_WHILE_DOING.sub(" ", SPAN.sub(" ", clause)))
    return found is not None and _LEAVE.search(clause[max(0, found.start() - 1) :]) is None

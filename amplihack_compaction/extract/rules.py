"""Extract the standing rules that the user typed, in his own words."""

import re
from collections import deque
from collections.abc import Iterable, Iterator

from amplihack_compaction.extract.model import Rule, RuleKind
from amplihack_compaction.extract.norms import kind_of_rule
from amplihack_compaction.extract.retractions import target_of
from amplihack_compaction.extract.statements import Said, prompts_said
from amplihack_compaction.text.phrasings.conversation import put_off
from amplihack_compaction.text.phrasings.lifting import RELEASES
from amplihack_compaction.text.phrasings.markers import language_of
from amplihack_compaction.text.sentences import listed_under
from amplihack_compaction.text.strings import asks
from amplihack_compaction.transcript.windows import Window

# A sentence beyond this is a paragraph without full stops, of which no rule can be told.
RULE_LIMIT_CHARS = 600
# As many as the ledger keeps; every rule is compared with all before it.
RULES_LIMIT = 400
_SHORTEST_CHARS = 4
_RULES_LEAD = re.compile(
    r"\b(?:rules?|constraints?|conventions?|guidelines?|keep in mind|always|at all times"
    r"|from now on|regeln?|vorgaben|reglas"
    r"|siempre|regras|sempre|règles|contraintes|toujours|правила|всегда)\b|规则|规范|约定|ルール"
    r"|規則|規約|규칙",
    re.IGNORECASE,
)
_BARRING_LEAD = re.compile(
    r"\W*(?:please )?(?:never|do not|don'?t|avoid|no|nie(?:mals)?|nunca|jamais|никогда|не|不要"
    r"|禁止|絶対に)\b[^.?!]{0,40}[:：]",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:，；：]\s*|\s[-–—]\s|\s(?:and|but|und|y|e|et|и|а)\s")
_CORRECTING = re.compile(
    r"\b(?:we (?:use|write|call|name|run|do)|instead|rather|should(?:n't)?|use|must|only|without"
    r"|don't|do not|not|keep|leave|put|run|never)\b",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\W*(?:no|nope|wrong|that'?s (?:wrong|incorrect|not right|not (?:what|how) .{1,40})"
    r"|not like (?:that|this)|nein|falsch|non|c'est faux"
    r"|está mal|está errado|нет|неправильно|неверно|不对|错了|違います|違う|아니요?"
    r"|틀렸어요?)[.!。！]+$",
    re.IGNORECASE,
)
_ONLY_STOPS = re.compile(
    r"\W*(?:wait|stop|hold on|not (?:now|yet)|later|let me|i'll|i will|hm+|cancel|never ?mind"
    r"|why|what"
    r"|how|is|are|does|did|before that|first\b.{0,20}\?|no\W*$)",
    re.IGNORECASE,
)


def extract_rules(window: Window) -> tuple[Rule, ...]:
    """Return the newest rules of the window's prompts, oldest first, repetitions included.

    What is said with a refusal counts as a correction. `retire` unites repetitions, since it
    knows what was lifted in between.
    """
    stated = (rule for said in prompts_said(window) for rule in each_once(_rules_of(said)))
    return tuple(deque(stated, maxlen=RULES_LIMIT))


def each_once(stated: Iterable[Rule]) -> Iterator[Rule]:
    """Yield what a prompt states but for what the next quotes with itself, for it leans on that."""
    before: Rule | None = None
    for rule in stated:
        if before is not None and before.text not in rule.text:
            yield before
        before = rule
    if before is not None:
        yield before


def _rules_of(said: Said) -> Iterator[Rule]:
    around = language_of(said.typed.typed[:RULE_LIMIT_CHARS])
    leads = listed_under(said.typed.typed)
    barring = {lead for lead in leads.values() if _BARRING_LEAD.match(lead)}
    above = ""
    for number, sentence in enumerate(said.sentences):
        before, above = above, sentence
        if not _SHORTEST_CHARS <= len(sentence) <= RULE_LIMIT_CHARS or sentence in barring:
            continue
        kind, language = kind_of_rule(sentence, around)
        text, kind = _completed(sentence, kind, leads.get(sentence, ""))
        if kind and (takes_back_only(sentence) or put_off(sentence)):
            continue
        refused = said.origin == "rejection" or _REFUSAL.match(before) is not None
        if refused and (kind or _corrects(sentence)):
            kind = RuleKind.CORRECTION
        if kind:
            yield Rule(
                text=said.quoted(number) if text == sentence else text,
                **said.place(number),
                kind=RuleKind(kind),
                language=language,
                after=said.after(number),
            )


def _completed(sentence: str, kind: str, lead: str) -> tuple[str, str]:
    """Return a list item as the rule that the line above its list makes of it."""
    if _BARRING_LEAD.match(lead):
        return f"{lead} {sentence}", RuleKind.PROHIBITION
    if kind or not _RULES_LEAD.search(lead):
        return sentence, kind
    return sentence, RuleKind.OBLIGATION


def takes_back_only(sentence: str) -> bool:
    """Return whether a sentence lifts a rule without stating another in its place."""
    if target_of(sentence) is None:
        return False
    clauses = [clause for clause in _CLAUSE.split(sentence)[1:] if not RELEASES.match(clause)]
    return not any(kind_of_rule(clause)[0] and target_of(clause) is None for clause in clauses)


def _corrects(sentence: str) -> bool:
    """Return whether a sentence given with a refusal says how it is to be done instead."""
    if asks(sentence) or _ONLY_STOPS.match(sentence):
        return False
    return _CORRECTING.search(sentence) is not None

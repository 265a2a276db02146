"""Extract the standing rules that the user typed, in his own words, and what he lifts of them."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from amplihack_compaction.extract.model import Retraction, Rule, RuleKind
from amplihack_compaction.extract.rule_wording import (
    GO,
    fold_sentence,
    is_question,
    kind_of_rule,
    offered_by,
    target_of,
)
from amplihack_compaction.extract.window_content import UserPrompt, WindowContent
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.phrasings.conversation import corrects_itself, put_off_in
from amplihack_compaction.text.phrasings.lifting import LIMITED, RELEASES
from amplihack_compaction.text.phrasings.markers import language_of, markers_for
from amplihack_compaction.text.sentences import listed_under, with_following
from amplihack_compaction.text.strings import asks

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
_RULE_CLAUSE = re.compile(r"[,;:，；：]\s*|\s[-–—]\s|\s(?:and|but|und|y|e|et|и|а)\s")
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


def extract_rules(content: WindowContent) -> tuple[Rule, ...]:
    """Return the newest rules of the window's prompts, oldest first, repetitions included.

    What is said with a refusal counts as a correction. `retire` unites repetitions, since it
    knows what was lifted in between.
    """
    stated = (rule for said in content.prompts for rule in each_once(_rules_of(said)))
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


def _rules_of(said: UserPrompt) -> Iterator[Rule]:
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
        if kind and (takes_back_only(sentence) or put_off_in(sentence)):
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
    clauses = [clause for clause in _RULE_CLAUSE.split(sentence)[1:] if not RELEASES.match(clause)]
    return not any(kind_of_rule(clause)[0] and target_of(clause) is None for clause in clauses)


def _corrects(sentence: str) -> bool:
    """Return whether a sentence given with a refusal says how it is to be done instead."""
    if asks(sentence) or _ONLY_STOPS.match(sentence):
        return False
    return _CORRECTING.search(sentence) is not None


_LIFTING_CHARS = 400
# As many as the ledger keeps rules; every one is compared with all rules before it.
RETRACTIONS_LIMIT = 400
# "Just this once, please." says nothing else; a longer sentence does.
_BOUND_CHARS = 40
# The chance from which a sentence that speaks of a rule's subject puts the rule in question.
_MAY_LIFT = 0.035
_AFTER_ALL = re.compile(r"\bafter all\b", re.IGNORECASE)
_SAYS_AGAIN = re.compile(
    r"\b(?:like|as) (?:i(?:'ve)? (?:said|told|wrote|asked)|before|always|agreed)\b|\b(?:as|same)"
    r" (?:with|as|for) the\b",
    re.IGNORECASE,
)
_GO = re.compile(
    r"\W*(?:(?:ok|okay|yes|yep|alright|all right|great|good|perfect|nice|fine|lgtm|now)[\s,.!]+)"
    r"{0,2}(?:go(?: ahead| for it)?|(?:you (?:can|may) |let'?s )?(?:start|begin|go)(?: now| coding"
    r"| implementing| with it)?|green light)\W*$",
    re.IGNORECASE,
)


def extract_retractions(content: WindowContent) -> tuple[Retraction, ...]:
    """Return what the window's prompts take back, oldest first; of too many, the newest.

    `target` is what a retraction speaks of: empty for all rules, `that` for the one stated last.
    """
    lifting = (found for said in content.prompts for found in _retractions_of(said))
    return tuple(deque(lifting, maxlen=RETRACTIONS_LIMIT))


def _retractions_of(said: UserPrompt) -> Iterator[Retraction]:
    if said.sentences and _GO.match(said.sentences[0]):
        yield Retraction(text=said.sentences[0], **said.place(), target=GO, guess=True)
    for number, sentence in enumerate(said.sentences):
        if len(sentence) > _LIFTING_CHARS:
            continue
        target = target_of(sentence)
        offered = "" if target is not None else offered_by(sentence)
        guessed = target is None and _may_lift(sentence)
        if target is not None or offered or guessed:
            text, bound = said.quoted(number), _bound_of(said.sentences[number + 1 : number + 2])
            yield Retraction(
                text=with_following(text, bound) if bound else text,
                **said.place(number),
                target=offered or sentence if target is None else target,
                offer=bool(offered),
                guess=guessed,
                limited=bool(bound or LIMITED.search(sentence)),
            )


def _bound_of(following: Sequence[str]) -> str:
    """Return the sentence behind a leave that only says how far it goes: "Just this once."."""
    bound = "".join(following)
    found = LIMITED.search(bound) if len(bound) <= _BOUND_CHARS else None
    return bound if found and target_of(bound) is None and not offered_by(bound) else ""


def _may_lift(sentence: str) -> bool:
    """Return whether a sentence may take something back, by what such sentences are like.

    A value that is corrected may stand in a rule. What is said again stands.
    """
    if _SAYS_AGAIN.search(sentence.replace("’", "'")):
        return False
    turns = corrects_itself(sentence) or _AFTER_ALL.search(sentence) is not None
    if not turns and user_chances(sentence).lift < _MAY_LIFT:
        return False
    markers = markers_for(language_of(sentence))
    return not is_question(fold_sentence(sentence, markers), markers)

"""Extract the standing rules that the user typed, in his own words, and what he lifts of them.

First how a sentence is told to state how things are to be done from here on, or to lift that; then
what a window's prompts say by it.
"""

import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from amplihack_compaction.extract.statements import Retraction, Rule, RuleKind
from amplihack_compaction.extract.window_content import UserPrompt, WindowContent
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.phrasings.conversation import corrects_itself, put_off_in
from amplihack_compaction.text.phrasings.lifting import (
    EVERYTHING,
    LIMITED,
    NEWS,
    PERMISSIONS,
    POINTING_BACK,
    RELEASES,
    TARGET_HEAD,
    TARGET_TAIL,
    WITHDRAWALS,
)
from amplihack_compaction.text.phrasings.markers import (
    Markers,
    Patterns,
    language_of,
    languages_of,
    markers_for,
)
from amplihack_compaction.text.rule_subjects import subject_of
from amplihack_compaction.text.sentences import listed_under, with_following
from amplihack_compaction.text.words import (
    asks,
    compile_all,
    correct_typos,
    has_cjk,
    match_any,
    replace_typos,
    search_any,
    words_of,
)

# Rules are short; what stands further back in a run-on sentence is not looked at.
_SENTENCE_CHARS = 600
_OPENERS_AT_MOST = 5
# What is worded like a rule and otherwise unlike any is a task for this moment.
_LEAST_CHANCE = 0.1
_LEAST_OF_ABSOLUTE = 0.01
_SURELY_A_RULE = 0.85
_ABSOLUTE = re.compile(
    r"\b(?:never|always|must|nie|niemals|immer|muss|jamais|toujours|doit|nunca|siempre|debe|sempre"
    r"|deve|никогда|всегда|долж(?:ен|на|но))\b|从不|永远|绝不|一律|必须|決して|必ず|절대|항상",
    re.IGNORECASE,
)
# Several extractors look at the same sentences.
_CACHED_SENTENCES = 2048
_CLAUSE = re.compile(
    r"(?:[,;:(][ \t]+|[，；：、（]\s*|\s[-–—]+\s|\s(?:and|but|so|then|und|aber|et|mais|y|pero|e"
    r"|mas|и|но|а)\s)"
)
_QUOTED = re.compile(
    r"\"[^\"\n]{2,400}\"|“[^”\n]{2,400}”|„[^“”\n]{2,400}[“”]|«[^»\n]{2,400}»|「[^」\n]{2,400}」"
    r"|『[^』\n]{2,400}』|(?<!\w)'[^'\n]{2,400}'(?!\w)|(?<!\w)‘[^’\n]{2,400}’(?!\w)"
    r"|`[^`\n]*\s[^`\n]*`"
)
_ASKS = re.compile(
    r"(?:[?？]|吗|呢|干嘛的?|干什么(?:用)?的?|是什么|怎么回事|怎么样|为什么|为啥|在哪里?|是谁|多少"
    r"|ますか|ですか|でしょうか|べきか|だっけ|かな|って何|なんだろう?"
    r"|나요|까요|는지|을까|할까|뭐(?:하는 ?거)?(?:야|지|임|예요|에요|니)|왜(?: ?이래| ?그래|지)"
    r"|어때|어디(?:야|지|에 ?있어)|누구(?:야|지)|언제(?:야|지)|맞지)[\"'”)）。.!！\s]*$"
)
_NEVER = re.compile(r"(?:never|nie|niemals|jamais|nunca|никогда)", re.IGNORECASE)
# What `sentences` left together names its subject first: "new endpoint? always with a test".
_TOPIC_END = re.compile(r"(?<=\w)\s?[?？]+(?=\s+\w)\s*")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "´": "'", "`": ""})
_BARE_NOT = re.compile(
    r"\b(do|does|should|must|is|are|ca|wo|would|could|did|was|were|have|has)(n)'?(t)\b'?(?!\w)"
)
_QUOTE_LEAD = re.compile(r"^[\W_]*quoted[\W_]*$")


@lru_cache(maxsize=_CACHED_SENTENCES)
def kind_of_rule(sentence: str, fallback: str = "en") -> tuple[str, str]:
    """Return the kind of rule that a typed sentence states, and its language.

    The kind is one of correction, prohibition, preference and obligation, or empty when the
    sentence states none: a question, a report of others, a fact, a task for this moment.
    `fallback` is the language of the text around it.
    """
    languages = languages_of(sentence, fallback)
    for language in languages:
        kind = _kind_in(sentence, markers_for(language))
        if kind and user_chances(sentence).rule > _least_chance(sentence):
            return kind, language
    return _surely_stated(sentence, languages[0]), languages[0]


def _surely_stated(sentence: str, language: str) -> str:
    """Return the kind of a rule whose order of words no pattern has: "commit sempre em inglês"."""
    if user_chances(sentence).rule < _SURELY_A_RULE or not _ABSOLUTE.search(sentence):
        return ""
    markers = markers_for(language)
    text = _what_counts(fold_sentence(sentence, markers), markers)
    absolute = _ABSOLUTE.search(text)
    if absolute is None or markers.narrative.search(text):
        return ""
    return "prohibition" if _NEVER.match(absolute.group()) else "obligation"


def _least_chance(sentence: str) -> float:
    """Return above which chance a sentence is the rule that it is worded as."""
    return _LEAST_OF_ABSOLUTE if _ABSOLUTE.search(sentence) else _LEAST_CHANCE


def fold_sentence(sentence: str, markers: Markers) -> str:
    """Return the sentence in the form that patterns see: folded, without quotations and slips."""
    text = unicodedata.normalize("NFC", sentence[:_SENTENCE_CHARS]).strip()
    text = _QUOTED.sub(" quoted ", text).translate(_APOSTROPHES).casefold()
    text = _TOPIC_END.sub(", ", text)
    text = re.sub(r"[*_]{2,}|(?<!\w)[*_]+|[*_]+(?!\w)", "", text)
    text = replace_typos(text, markers.typos)
    if markers.language == "en":
        text = _BARE_NOT.sub(r"\1\2'\3", text.replace("ca n't", "can't"))
    return " ".join(text.split())


def is_question(text: str, markers: Markers) -> bool:
    """Return whether folded text asks something."""
    if _ASKS.search(text):
        return True
    if markers.language in ("zh", "ja", "ko"):
        return False
    return markers.question.match(_skip_openers(text, markers)) is not None


def _kind_in(sentence: str, markers: Markers) -> str:
    text = fold_sentence(sentence, markers)
    if _QUOTE_LEAD.match(text):
        return ""
    text = _what_counts(text, markers)
    kind = (
        _first_kind(markers.whole, _skip_openers(text, markers))
        or _kind_by_clause(text, markers, narrative=False)
        or _kind_anywhere(text, markers)
    )
    # Most sentences state none: what speaks against a rule is looked for last.
    if not kind or markers.standing.search(text):
        return kind
    if markers.once.match(_skip_openers(text, markers)):
        return ""
    if markers.narrative.search(text):
        return _kind_by_clause(text, markers, narrative=True)
    return kind


def _what_counts(text: str, markers: Markers) -> str:
    """Return the part that can state a rule; nothing for questions, reports and conditions."""
    tail = markers.tag.search(text.rstrip("?？ "))
    asked = text[: tail.start()] if tail and text.endswith(("?", "？")) else text
    polite = markers.polite.match(asked) or markers.polite.match(_skip_openers(asked, markers))
    if is_question(asked, markers) and not polite:
        return ""
    report = markers.report.search(asked)
    if report is not None:
        if markers.language in ("ja", "ko"):
            return ""
        asked = asked[: report.start()]
    bare = _skip_openers(asked, markers)
    if markers.condition.match(bare):
        if _first_kind(markers.opening, bare):
            return bare
        comma = re.search(r"[,，、]", bare)
        return bare[comma.end() :].strip() if comma else ""
    return asked.strip()


def _skip_openers(text: str, markers: Markers) -> str:
    text = text.lstrip("-*•>#[]() ")
    for _ in range(_OPENERS_AT_MOST):
        found = markers.openers.match(text)
        if found is None or found.end() >= len(text):
            break
        text = text[found.end() :].lstrip()
    return text


def _kind_by_clause(text: str, markers: Markers, *, narrative: bool) -> str:
    starts = [0, *(found.end() for found in _CLAUSE.finditer(text))]
    for start in starts:
        clause = text[start:].strip()
        for candidate in dict.fromkeys((clause, _skip_openers(clause, markers))):
            kind = _first_kind(markers.opening, candidate)
            # "don't retry when it fails" tells of failing and is a rule all the same
            if kind and (not narrative or (kind == "prohibition" and markers.language == "en")):
                return kind
    return ""


def _kind_anywhere(text: str, markers: Markers) -> str:
    return next((kind for kind, pattern in markers.anywhere if search_any(pattern, text)), "")


def _first_kind(patterns: Patterns, text: str) -> str:
    return next((kind for kind, pattern in patterns if match_any(pattern, text)), "")


# The patterns' time grows with the square of a sentence; nobody takes a rule back at such length.
_LONGEST_CHARS = 600
_TARGET_CHARS = 160
_PERMISSIONS = compile_all(PERMISSIONS, re.IGNORECASE)
_WITHDRAWALS = compile_all(WITHDRAWALS, re.IGNORECASE)
_NEWS = re.compile(NEWS, re.IGNORECASE)
BACK = "that"
"""The target of a retraction that points back at the rule stated last."""
GO = "go"
"""The target of words that only say to begin: what waited for the user's word has it."""
UNNAMED = ("", BACK, GO)
"""The targets of retractions that name no rule: of all, of the one stated last, of what waits."""
_CLAUSE_END = re.compile(
    r"[;,，；、:：](?:\s|(?<=[，；、：]))|\s[-–—]\s|[.!?。！？](?:\s|$)|\s(?:but|because|since"
    r"|so)\s"
)
_CJK_LEAVE = re.compile(r"现在|已经|可以|允许|能够|再|不用|不需要|不必|无需")
# "You may not ... from now on" permits nothing.
_DENYING = r"^\W*(?:\w+\W+){0,2}(?:not|never|nicht|kein\w*|nie|pas|nunca|não|не|only|nur|nothing"
_DENIES = re.compile(rf"{_DENYING}|no)\b", re.IGNORECASE)
# In Portuguese "no" is "in the".
_DENIES_PORTUGUESE = re.compile(rf"{_DENYING})\b", re.IGNORECASE)


@lru_cache(maxsize=_CACHED_SENTENCES)
def target_of(sentence: str) -> str | None:
    """Return what a sentence takes back; None when it takes nothing back."""
    if len(sentence) > _LONGEST_CHARS:
        return None
    markers = markers_for(language_of(sentence))
    if is_question(fold_sentence(sentence, markers), markers):
        return None
    text = correct_typos(sentence.replace("’", "'").strip())
    found = search_any(_WITHDRAWALS, text)
    if found is not None:
        target = _clean(found["t"])
        return None if target == BACK and _goes_on_to_work(text) else target
    if _NEWS.search(text) is None:
        return None
    permitted = _permitted(text, markers.language)
    return _clean(permitted) if permitted else None


def withdraws(text: str) -> bool:
    """Return whether a sentence without slips takes a rule back, rather than permits something."""
    return search_any(_WITHDRAWALS, text) is not None


def offered_by(sentence: str) -> str:
    """Return what a sentence permits without a word of that being new; mostly it only offers."""
    markers = markers_for(language_of(sentence))
    if len(sentence) > _LONGEST_CHARS or is_question(fold_sentence(sentence, markers), markers):
        return ""
    permitted = _permitted(correct_typos(sentence.replace("’", "'").strip()), markers.language)
    return _clean(permitted) if permitted else ""


def _permitted(text: str, language: str) -> str:
    denies = _DENIES_PORTUGUESE if language == "pt" else _DENIES
    for pattern in _PERMISSIONS:
        found = pattern.search(text)
        permitted = next(filter(None, found.groups()), "") if found is not None else ""
        if permitted and not denies.match(permitted):
            return permitted
    return ""


def _goes_on_to_work(text: str) -> bool:
    """Return whether "forget that" is followed by what is to be done instead, and no rule."""
    rest = _CLAUSE_END.split(text, maxsplit=1)[1:]
    return bool(rest) and len(words_of(rest[0])) > 2 and not kind_of_rule(rest[0])[0]


def _clean(target: str) -> str:
    end = _CLAUSE_END.search(target)
    target = (target[: end.start()] if end and end.start() else target)[:_TARGET_CHARS]
    if EVERYTHING.match(target.strip(" .!,")):
        return ""
    target = target.strip(" .,;:!?。！？\"'“”")
    if target.casefold() in POINTING_BACK:
        return BACK
    if has_cjk(target):
        target = _CJK_LEAVE.sub("", target)
    bare = TARGET_TAIL.sub("", TARGET_HEAD.sub("", target)).strip(" .,;:!?。！？\"'“”")
    if bare and bare.casefold() not in POINTING_BACK:
        return bare
    return target if subject_of(target).words else BACK


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

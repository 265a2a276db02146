"""Extract the standing rules that the user typed, in his own words, and what he lifts of them.

First how a sentence is told to state how things are to be done from here on, or to lift that; then
what a window's prompts say by it.
"""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial, reduce
from itertools import compress

from amplihack_compaction.base.hook_log import attempted
from amplihack_compaction.extract.barred_clauses import NEGATED
from amplihack_compaction.extract.prohibitions import asks_for_something, surely_bars
from amplihack_compaction.extract.statements import Retraction, Rule, RuleKind
from amplihack_compaction.extract.window_content import UserPrompt, WindowContent
from amplihack_compaction.text.classifier import UserChances, user_chances
from amplihack_compaction.text.sentences import (
    is_list_item,
    listed_under,
    sentences,
    with_following,
)
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import asks, normal_form

_PATTERNS = patterns("rules")

# Rules are short; what stands further back in a run-on sentence is not looked at.
_SENTENCE_CHARS = 600
# The chance from which a sentence is held to be a rule; one that is worded like one, or is said
# with a refusal; one so worded that likely matters; one among lines of an output, or of a list that
# tells something. Of 836 sentences of real sessions those so worded above these chances are rules.
_IS_RULE = 0.55
_WORDED_AS_RULE = 0.22
_WORDED_AND_KEPT = 0.08
_LIKELY_KEPT = 0.4
_SURELY_A_RULE = 0.85
_FORBIDS = 0.5
_SURELY_FORBIDS = 0.8
# What is longer tells and explains: of two such in 7,849 calls' sessions none barred anything.
_PLAIN_CHARS = 200
_AMONG_FRAGMENTS = 0.5
_SURELY_A_PIECE = 0.98
"""So surely a piece of an output or of code that what it names bars nothing."""
# Several extractors look at the same sentences.
_CACHED_SENTENCES = 2048
_QUOTED = re.compile(_PATTERNS["quoted"])
_TAG = re.compile(_PATTERNS["tag"], re.IGNORECASE)
_WORDING = re.compile(_PATTERNS["wording"], re.IGNORECASE)
# Nearly no sentence that was labelled shouts.
_SHOUTED = re.compile(r"\b(?:NEVER|ALWAYS|MUST|DO NOT|DON'?T|NOT|NO|ONLY|NONE|ANY|ALL)\b")
_REMINDS = re.compile(_PATTERNS["reminds"], re.IGNORECASE)
_MEANING = re.compile(_PATTERNS["meaning"], re.IGNORECASE)
_ASKED_BEHIND = 2
_SURELY_BARS = re.compile(_PATTERNS["surely bars"], re.IGNORECASE)
_PARTS = re.compile(r"[,;:.]\s+|\s[-–—]\s|[，；。、]")
# What is refused so, and names what a call can be held against, is a rule: shorter than what the
# weights can tell.
_REFUSES = re.compile(
    r"\W{0,3}(?:(?:please|pls|plz|bitte|and|also|so|but|just|[\w-]{1,20}:) ){0,3}"
    r"(?:(?:don'?t|do not|never|(?:stop|quit) [\w-]+ing|hör auf|deja de|par[ea] de"
    r"|перестань|no (?:[\w-]+ )?(?!(?:was|is|has|this|does)\b)"
    r"[\w-]+s(?! (?:was|were|is|are|have|has|found|left)\b)"
    r"|nichts?|nie(?:mals)?|keine?n?|lass|(?:mach|starte|geh|nutze?|verwende|benutze?|installiere?"
    r"|committe|pushe?|lösche|ändere)\b.*\b(?:nicht|nie|keine?n?)|non|niet|geen|не)\b|n'"
    r"|(?:the )?[a-z][\w.-]+(?: [a-z-]+)? (?:is|are) out(?:\W*$| (?:as|for good|here)\b)"
    r"|.{1,60}(?:ないで|지 ?마|금지|しないこと|지 ?말고|(?:대신|말고|만) .*(?:써|사용)"
    r"|(?:代わりに|だけ|じゃなくて|ではなく).*使|而不是|\bnicht(?: \w+){0,3}\W*$))",
    re.IGNORECASE,
)
# "but he had no changes" bars nothing.
_OF_OTHERS = re.compile(r"\W{0,3}(?:(?:but|and|so|because) )?(?:s?he|they) ", re.IGNORECASE)
_NOTHING_BUT_NO = re.compile(_PATTERNS["nothing but no"], re.IGNORECASE)


def _with_quotes_named(sentence: str) -> str:
    """Return a sentence with a name in the place of what stands in quotation marks."""
    return _QUOTED.sub(" `x1` ", sentence)


# The chance from which a sentence has a request in it, and what parts that from a rule behind it.
# In 892 prompts of real sessions no other clause begins so.
_REQUESTS = 0.25
_LASTING_CLAUSE = re.compile(_PATTERNS["lasting clause"], re.IGNORECASE)


@lru_cache(maxsize=_CACHED_SENTENCES)
def kind_of_rule(sentence: str, least: float = _IS_RULE) -> str:
    """Return the kind of rule that a typed sentence states, prohibition or obligation.

    It is empty when the sentence likely states none: a question, a report of others, a fact, a task
    for this moment.
    """
    text = _with_quotes_named(sentence[:_SENTENCE_CHARS]).replace("’", "'")
    text = _TAG.sub(r"\1", text)
    if text.isupper() and " " in text:
        text = text.capitalize()
    text = _SHOUTED.sub(lambda word: word.group().capitalize(), text)
    if _ONLY_TELLS.match(text):
        return ""
    chances = user_chances(text)
    if asks(text):
        least = max(least, _SURELY_A_RULE)
    elif (
        least <= _IS_RULE
        and max(chances.lift, chances.decision) < chances.rule
        and _WORDING.search(text)
    ):
        least = _WORDED_AND_KEPT if chances.kept >= _LIKELY_KEPT else _WORDED_AS_RULE
    if chances.rule >= least:
        return RuleKind.PROHIBITION if chances.forbids >= _FORBIDS else RuleKind.OBLIGATION
    if _SURELY_BARS.match(text) and not asks(text):
        return RuleKind.PROHIBITION
    if least <= _IS_RULE:  # it asks nothing
        if chances.fragment < _SURELY_A_PIECE and _names_what_it_bars(text, chances):
            return RuleKind.PROHIBITION
        if asks_for_something(text):
            return RuleKind.OBLIGATION
    lasting = _LASTING_CLAUSE.split(text)[1:] if chances.work >= _REQUESTS else []
    return next(filter(None, map(kind_of_rule, lasting)), "")


_ONLY_TELLS = re.compile(_PATTERNS["only tells"], re.IGNORECASE)


def _names_what_it_bars(text: str, chances: UserChances) -> bool:
    """Return whether a sentence forbids or refuses what a call can be held against."""
    forbids = chances.forbids >= max(_SURELY_FORBIDS, chances.work)
    forbids = forbids and len(text) < _PLAIN_CHARS and not _OF_OTHERS.match(text)
    if forbids and surely_bars(text):
        return True
    parts = _PARTS.split(text)
    refused = [p for p in parts if _REFUSES.match(p) or _NOTHING_BUT_NO.match(p)]
    return any(map(surely_bars, [*refused, text] if refused else ()))


# Of 50 sentences of real sessions held to be rules 17 were; of those above this, or worded so, 9 of
# 12.
_SURELY_HOLDS = 0.96
# From it on "always" says that a rule lasts, wherever it stands in a sentence.
_RATHER_HOLDS = 0.9


def surely_holds(rule: Rule) -> bool:
    """Return whether a rule holds on: it says so, or corrects; others may have been meant once.

    So may one that was said with a request: of 239 such, in 908 prompts of 74 projects, 32 hold on
    by both of two readers.
    """
    if rule.noted or _LASTS.search(rule.text):
        return True
    if rule.kind is RuleKind.CORRECTION:
        return _OWN_DOING.search(rule.text) is None
    chances = [user_chances(part) for part in sentences(rule.text)]
    likeliest = max((each.rule for each in chances), default=0.0)
    if likeliest >= _RATHER_HOLDS and _ALWAYS.search(rule.text):
        return True
    # What is added to an order is meant for that work.
    if (
        rule.asked_with
        or _BOUND.search(rule.text)
        or any(each.work >= _SURELY_WORK for each in chances)
    ):
        return False
    least = _IS_RULE if _WORDING.search(rule.text) else _SURELY_HOLDS
    return likeliest >= least


_LASTS = re.compile(_PATTERNS["lasts"], re.IGNORECASE)
_ALWAYS = re.compile(_PATTERNS["always"], re.IGNORECASE)
_BOUND = re.compile(_PATTERNS["bound"], re.IGNORECASE)
_OWN_DOING = re.compile(r"\bI(?:['’]?ll| will)\b", re.IGNORECASE)
_SURELY_WORK = 0.9


_FEWEST_LISTED = 3
_SHARE_OF_SURE = 0.3


def parted_by_hold(rules: Sequence[Rule]) -> tuple[list[Rule], list[Rule]]:
    """Return the rules that surely hold on, and those that may have been meant once.

    What is stated in a list holds on as the rules beside it do, where its prompt asks for nothing
    else.
    """
    stated = Counter(rule.uuid for rule in rules)
    is_sure = [surely_holds(rule) for rule in rules]
    sure = Counter(rule.uuid for rule in compress(rules, is_sure))
    parted: tuple[list[Rule], list[Rule]] = [], []
    for rule, is_one in zip(rules, is_sure, strict=True):
        count = stated[rule.uuid]
        listed = count >= _FEWEST_LISTED and sure[rule.uuid] >= _SHARE_OF_SURE * count
        listed = listed and not rule.asked_with and not _BOUND.search(rule.text)
        parted[0 if is_one or listed else 1].append(rule)
    return parted


IMAGE = re.compile(r"\[Image #\d")
_UNLIKE_RULE_CHANCE = 0.05


def is_like_no_rule(rule: Rule) -> bool:
    """Return whether words alone made a rule of what is like none, in a language that is known.

    What is said of an image tells what it shows.
    """
    if IMAGE.match(rule.text):
        return True
    parts = sentences(rule.text)
    if any(map(_kind_reminded_of, parts)):
        return False
    # "Don't edit the lockfile any more": what is barred from here on reads like a lifting.
    bars = rule.kind is RuleKind.PROHIBITION
    chances = map(user_chances, parts)
    likeliest = max((max(c.rule, c.lift if bars else 0.0) for c in chances), default=0.0)
    return 0 < likeliest < _UNLIKE_RULE_CHANCE


_LIFTS_CHANCE = 0.4
"""Later words likely take a rule back; below it they only stand beside it."""


def is_likely_lifted(rule: Rule) -> bool:
    """Return whether a rule's later words likely take it back; a mention only stands beside it."""
    return bool(rule.questioned_by) and user_chances(rule.questioned_by).lift >= _LIFTS_CHANCE


NEED_NOT = re.compile(_PATTERNS["need not"], re.IGNORECASE)
WHO_MAY = re.compile(_PATTERNS["who may"], re.IGNORECASE)
WHAT_MAY = re.compile(_PATTERNS["what may"], re.IGNORECASE)
UNTIL_PLANNED = re.compile(_PATTERNS["until planned"], re.IGNORECASE)
PERMITS = re.compile(
    r"\b(?:can|may|allowed|darfst|dürfen|kannst|peux|pouvez|puedes|pode|можно|можешь)\b"
    r"|可以|もいい|도 ?돼",
    re.IGNORECASE,
)
_FINE = re.compile(
    r"\b(?:it(?:'s| is)|is|are) (?:now |totally |perfectly )?(?:fine|ok|okay)\b|\bfeel free\b", re.I
)
_BUT = re.compile(
    r"\b(?:only|just|until|unless|except|but|if|when|after|before|nur|erst|wenn|seulement|que si"
    r"|sólo|solo|somente|apenas|только|если)\b|只|才|だけ|なら|만",
    re.IGNORECASE,
)


_PERMITS_LIKELY = 0.3
"""The chance of taking back from which "may" allows something: "as small as can be" does not."""


def permits(sentence: str) -> bool:
    """Return whether a sentence says that something may be done, without a condition."""
    allowed = PERMITS.search(sentence) or _FINE.search(sentence)
    if not allowed or NEGATED.search(sentence) or _BUT.search(sentence):
        return False
    return user_chances(sentence).lift >= _PERMITS_LIKELY


_LONGEST_CHARS = 600
# The chance from which a sentence takes back what was said, and does not only put it in question.
_LIFTS_SURELY = 0.5
BACK = "that"
"""The target of a retraction that points back at the rule stated last."""
GO = "go"
"""The target of words that only say to begin: what waited for the user's word has it."""
UNNAMED = ("", BACK, GO)
"""The targets of retractions that name no rule: of all, of the one stated last, of what waits."""
_NAMELESS = re.compile(_PATTERNS["nameless"], re.IGNORECASE)
LIMITED = re.compile(_PATTERNS["limited"], re.IGNORECASE)
PLACE = re.compile(_PATTERNS["place"], re.IGNORECASE)
# "If CI is green you can push"; who may if he wants to just may.
_CONDITION = re.compile(
    r"\b(?<!even )(?<!matter )(?<!know )(?:if|when(?:ever)?|once|as (?:soon|long) as|unless"
    r"|assuming|provided(?: that)?|after(?! all| \w{2,20}ing\b)|wenn|falls|sobald|nachdem|si|quand"
    r"|d[eè]s que|apr[eè]s que|cuando|despu[eé]s de que|se|quando|assim que|depois que|если|когда"
    r"|после того) (?!(?:you(?:'re| are)? (?:like|want|wish|prefer|need|must|think|feel|done|ready"
    r"|finished)|it (?:helps|makes|suits)|(?:that|it)'?s? (?:easier|simpler|better)"
    r"|du (?:willst|magst|möchtest)|tu veux|vous voulez|quieres|quieras|quiser|хочешь|besoin|нужно"
    r"|n[oö]tig|ready|done|finished|needed|necessary|required|possible|useful)\b)"
    r"|\bwith my (?:ok|okay|approval)\b|如果(?!你愿意)|等.{1,20}后|たら|れば|なら|(?:으|이)?면 ",
    re.IGNORECASE,
)


@lru_cache(maxsize=_CACHED_SENTENCES)
def target_of(sentence: str) -> str | None:
    """Return what a sentence takes back, itself where it names that; None where it takes nothing.

    It is empty where all rules are meant.
    """
    if len(sentence) > _LONGEST_CHARS or asks(sentence):
        return None
    if nameless := _NAMELESS.fullmatch(sentence):
        return "" if nameless["all"] else BACK
    chances = user_chances(sentence)
    lifts = chances.lift >= max(_LIFTS_SURELY, chances.rule, chances.objective)
    return sentence if lifts else None


# A sentence beyond this is a paragraph without full stops, of which no rule can be told.
RULE_LIMIT_CHARS = 600
# As many as the ledger keeps; every rule is compared with all before it.
RULES_LIMIT = 400
_SHORTEST_CHARS = 4
# From it on a sentence beside a rule asks for something that the rule may be meant for.
_ASKS_FOR_WORK = 0.5
_TELLING_WORDS = 3
_COPIED_WORDS = 5
_RULES_LEAD = re.compile(_PATTERNS["rules lead"], re.IGNORECASE)
_BARRING_LEAD = re.compile(_PATTERNS["barring lead"], re.IGNORECASE)
_RULE_CLAUSE = re.compile(r"[,;:，；：]\s*|\s[-–—]\s|\s(?:and|but|und|y|e|et|и|а)\s")


def extract_rules(content: WindowContent) -> tuple[Rule, ...]:
    """Return the newest rules of the window's prompts, oldest first, repetitions included.

    What is said with a refusal counts as a correction. `retire` unites repetitions, since it
    knows what was lifted in between.
    """
    items = cache(lambda: list(_items_told(content)))
    stated: deque[Rule] = deque(maxlen=RULES_LIMIT)
    for said in content.prompts:
        stated += attempted("rules of a prompt", partial(_with_request, said, items), [])
    return tuple(stated)


def _with_request(said: UserPrompt, items: Callable[[], Sequence[tuple[int, str]]]) -> list[Rule]:
    """Return the rules of a prompt with what else it asks for."""
    rules = list(each_once(_rules_of(said, items)))
    words = [normal_form(rule.text) for rule in rules]
    parts = [s for s in said.sentences if rules and normal_form(s) not in words]
    asked = next((s for s in parts if _is_request(s, words)), "")
    if asked and len(asked.split()) < _TELLING_WORDS:  # "Next thing. We need a limit on the API."
        asked = reduce(with_following, parts[parts.index(asked) :][:2])
    return [replace(rule, asked_with=asked[:RULE_LIMIT_CHARS]) for rule in rules]


def _is_request(sentence: str, stated: Sequence[str]) -> bool:
    """Return whether a sentence asks for work, and neither states a rule nor stands in one."""
    words = normal_form(sentence)
    if any(rule in words or rule.startswith(words) or rule.endswith(words) for rule in stated):
        return False
    return user_chances(sentence).work >= _ASKS_FOR_WORK and not kind_of_rule(sentence)


def _items_told(content: WindowContent) -> Iterator[tuple[int, str]]:
    """Yield the items of the model's lists, each with its place."""
    for step in content.steps:
        if not step.by_user and step.tool is None:
            yield from (
                (step.offset, normal_form(line))
                for line in step.text.splitlines()
                if is_list_item(line)
            )


def _is_item(sentence: str, offset: int, items: Iterable[tuple[int, str]]) -> bool:
    """Return whether a sentence is copied from a list of the model's: that is to be done, or not.

    In 52 real sessions all 19 sentences that stand in what the model said before were copied.
    """
    words = normal_form(sentence)
    if len(words.split()) < _COPIED_WORDS:
        return False
    return any(place < offset and words in item for place, item in items)


def each_once(stated: Iterable[Rule]) -> Iterator[Rule]:
    """Yield what a prompt states but for what the next quotes with itself, for it leans on that."""
    before: Rule | None = None
    for rule in stated:
        if before is not None and before.text not in rule.text:
            yield before
        before = rule
    if before is not None:
        yield before


def _rules_of(said: UserPrompt, items: Callable[[], Sequence[tuple[int, str]]]) -> Iterator[Rule]:
    leads = listed_under(said.typed.typed)
    barring = {lead for lead in leads.values() if _BARRING_LEAD.match(lead)}
    for number, sentence in enumerate(said.sentences):
        if not _SHORTEST_CHARS <= len(sentence) <= RULE_LIMIT_CHARS or sentence in barring:
            continue
        refused = said.entry.origin == "rejection"
        kind = kind_of_rule(sentence, _least_chance(said.sentences, number, refused=refused))
        kind = kind or _kind_reminded_of(sentence)
        if kind and _is_item(sentence, said.entry.offset, items()):
            kind = kind_of_rule(sentence, _SURELY_A_RULE)
        text, kind = _completed(sentence, kind, leads.get(sentence, ""))
        behind = said.sentences[number + 1 : number + 1 + _ASKED_BEHIND]
        if kind and not takes_back_only(sentence) and not any(map(_MEANING.fullmatch, behind)):
            yield Rule(
                text=said.quoted(number) if text == sentence else text,
                **said.place(number),
                kind=RuleKind.CORRECTION if refused else RuleKind(kind),
                after=said.after(number),
                unsure_author=said.may_be_anothers(number),
            )


def _least_chance(parts: Sequence[str], number: int, *, refused: bool) -> float:
    """Return the chance from which a prompt's sentence is held to be a rule."""
    around = [*parts[max(0, number - 1) : number], *parts[number + 1 : number + 2]]
    # What announces a paste is typed: "this happens:".
    around = [part for part in around if not part.endswith((":", "："))]
    pasted = [user_chances(part).fragment for part in around]
    if pasted and sum(pasted) > _AMONG_FRAGMENTS * len(pasted):
        return _SURELY_A_RULE
    return _WORDED_AS_RULE if refused else _IS_RULE


def _kind_reminded_of(sentence: str) -> str:
    """Return the kind of rule that is said again: "Remember, keep it short:"."""
    told = sentence.rstrip(" :：")  # the weights hold what announces a list for its heading
    is_told = _REMINDS.match(told) and not asks(told) and user_chances(told).kept >= _LIKELY_KEPT
    return RuleKind.OBLIGATION if is_told else ""


def _completed(sentence: str, kind: str, lead: str) -> tuple[str, str]:
    """Return a list item as the rule that the line above its list makes of it."""
    if _BARRING_LEAD.match(lead):
        return f"{lead} {sentence}", RuleKind.PROHIBITION
    if kind or not _RULES_LEAD.search(lead):
        return sentence, kind
    return sentence, RuleKind.OBLIGATION


_BARS_AGAIN = re.compile(_PATTERNS["bars again"], re.IGNORECASE)


def takes_back_only(sentence: str) -> bool:
    """Return whether a sentence lifts a rule without stating another in its place."""
    if target_of(sentence) is None:
        return False
    if _BARS_AGAIN.match(sentence) and kind_of_rule(sentence) == RuleKind.PROHIBITION:
        return False
    clauses = _RULE_CLAUSE.split(sentence)[1:]
    return not any(kind_of_rule(clause) and target_of(clause) is None for clause in clauses)


_LIFTING_CHARS = 400
# As many as the ledger keeps rules; every one is compared with all rules before it.
RETRACTIONS_LIMIT = 400
# "Just this once, please." says nothing else; a longer sentence does.
_BOUND_CHARS = 40
# The chance from which a sentence that speaks of a rule's subject puts it in question. From 0.02 on
# 30 stood beside a rule in 1,073 prompts of 92 projects, hardly one about it; from this on 10. In
# eight lists of planted rules 3.0 in 100 that were lifted are still shown then, and 2.3 before.
_MAY_LIFT = 0.05
_GO = re.compile(_PATTERNS["go"], re.IGNORECASE)
# What is said of the model's own words, ways or doings takes nothing back: "You pushed to main!"
_YOURS = re.compile(r"\W*(?:and |but )?your\b", re.IGNORECASE)
_COMPLAINS = re.compile(
    r"\W*(?:(?:and|but|hey|no|oh|why|now|so|damn|wow|ugh|wait|look|great)\b\W*){0,2}"
    r"(?:you (?:keep|still)\b(?! the)"
    r"|you (?!can\b|may\b|need|don)\w{2,20} .{1,60}\b(?:all the|every) time\W*$"
    r"|du \w{2,20}t (?:schon wieder|immer noch|ständig)\b"
    r"|you(?:['’]ve| have| had| just| again| already| also| actually| even| then){0,3}"
    r" (?:(?!(?:need|seed|feed|speed|embed|proceed|exceed)\b)\w{2,20}ed"
    r"|ran|did|made|wrote|broke|forgot|went|sent|built|left|didn[’']?t)\b"
    r"|you(?:['’]re| are| were) (?!going\b)\w{2,20}ing\b"
    r"|(?:du hast|ihr habt|tu as|vous avez)\b(?!.{0,80}\b(?:erlaubnis|droit|permission)\b)"
    r"|has \w{2,20}[ai]do\b|voc[eê] \w{2,20}(?:ou|eu|iu)\b|ты (?:\w{1,20} )?\w{2,20}л[аи]?\b)",
    re.IGNORECASE,
)
_BEHIND_COMPLAINT = re.compile(r"[,;:]\s|\s(?:but|so)\s")


def complains(text: str) -> bool:
    """Return whether a text only tells what the model did, and bars or allows nothing behind it."""
    if (told := _COMPLAINS.match(text)) is None:
        return False
    behind = _BEHIND_COMPLAINT.split(text[told.end() :])[1:]
    return not any(kind_of_rule(part) or allows(part) or target_of(part) for part in behind)


def allows(text: str) -> bool:
    """Return whether a text says that something may be done."""
    return bool(PERMITS.search(text) or _FINE.search(text))


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
        quoted = said.quoted(number)
        if len(sentence) > _LIFTING_CHARS or complains(quoted):
            continue
        target = target_of(sentence)
        guessed = target is None and _may_lift(sentence) and not _YOURS.match(quoted)
        if target is not None or guessed:
            text, bound = said.quoted(number), _bound_of(said.sentences[number + 1 : number + 2])
            yield Retraction(
                text=with_following(text, bound) if bound else text,
                **said.place(number),
                target=sentence if target is None else target,
                guess=guessed,
                limited=bool(bound or LIMITED.search(sentence) or _is_conditional(sentence)),
                unsure_author=said.may_be_anothers(number) or _is_reported(sentence),
            )


def _is_conditional(sentence: str) -> bool:
    """Return whether something may be done on a condition, which may not be met yet."""
    return bool(PERMITS.search(sentence) and _CONDITION.search(sentence))


def _is_reported(sentence: str) -> bool:
    """Return whether a leave stands in quotation marks alone: Bob says "push to main"."""
    spoken = _with_quotes_named(sentence)
    return spoken != sentence and target_of(spoken) is None


def _bound_of(following: Sequence[str]) -> str:
    """Return the sentence behind a leave that only says how far it goes: "Just this once."."""
    bound = "".join(following)
    found = LIMITED.search(bound) if len(bound) <= _BOUND_CHARS else None
    return bound if found and target_of(bound) is None else ""


def _may_lift(sentence: str) -> bool:
    """Return whether a sentence may take something back, by what such sentences are like."""
    return user_chances(sentence).lift >= _MAY_LIFT and not asks(sentence)

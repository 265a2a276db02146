"""Find what the user's later words say of what the ledger has: values, choices and todos.

Nothing is removed by it: the words stand beside what they correct, replace or set aside. Who says
"the export can wait" may have another export in mind.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from amplihack_compaction.extract.statements import (
    Decision,
    ExactValue,
    Item,
    Rule,
    SessionState,
    Todo,
    TodoStatus,
    ValueKind,
)
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.phrasings.conversation import opens_correction
from amplihack_compaction.text.rule_subjects import subject_of, subject_stem
from amplihack_compaction.text.sentences import reason_given, sentences
from amplihack_compaction.text.words import (
    asks,
    compile_all,
    distinct_words,
    scripts_apart,
    search_any,
    words_of,
)

# What stands before, and behind, a value that is refused.
_REFUSING = re.compile(
    r"(?:\b(?:not|isn't|instead of|rather than|no longer|replac(?:es?|ing)|statt|anstatt"
    r"|anstelle von|nicht|kein\w*|pas|au lieu d[eu]|plutôt que|en vez de|en lugar de|ya no"
    r"|em vez d[eo]|não|вместо|не)|,\s?no)\W{1,3}(?:[^\W\d]+\W{1,2}){0,2}$"
    r"|(?:不是|不再是|而非)\W{0,2}$",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"^['\"`)]*(?:\s?(?:->|→|=>)|\s(?:is|was|are)(?:n't| not| too| wrong| old| outdated| gone"
    r"| unreliable| broken| deprecated| dead| obsolete| retired| being retired| overkill)"
    r"|(?:じゃ|では)な[くい]|\s?(?:이|가)? ?아니(?:라|고))",
    re.IGNORECASE,
)
# "from 8080 to 8081": what stands before the old value, and behind it.
_FROM = re.compile(r"\bfrom (?:[^\W\d]+ )?$", re.IGNORECASE)
_TO = re.compile(r"^['\"`)]*\s(?:in|on)?to\b", re.IGNORECASE)
# What is told to hold from here on takes the place of what was told of the same.
_FROM_HERE = re.compile(r"\bfrom (?:now|here|today) on\b", re.IGNORECASE)
# "5000 locks for too long, take 1000": what is too much or too little is refused, an amount too.
_TOO = re.compile(
    r"^['\"`)]{0,2}(?:\s[^\W\d]+){0,4}?\s(?:too \w+|zu \w+|reich(?:t|en) nicht|trop\b|no alcanza"
    r"|es poco|es mucho|(?:es|sale|son|está) (?:muy|demasiado)\b|demasiado\b|(?:é|são|ficou|está"
    r"|tá) muito\b"
    r"|ficou \w+|não basta|não chega|мало|много|слишком)|^[^，。,\d]{0,10}(?:太|不够|被.{0,6}占)"
    r"|^(?:は|だと|では)?.{0,6}(?:すぎ"
    r"|過ぎ|足りな)|^(?:은|는|이면)? ?(?:너무|부족)",
    re.IGNORECASE,
)
# What is told to be elsewhere, or other, from now on.
CHANGES = (
    r"\b(?:(?:moved|changed|switched|renamed|bumped|migrated) to|has (?:moved|changed)"
    r"|[^\W\d]+ moved:|(?:got|gets|has|have) a new [^\W\d]+"
    r"|the new [^\W\d]+ (?:is|has|are)"
    r"|umgezogen|geändert auf|a déménagé|se mudó|mudou para|переехал\w*)",
)
_CHANGES = compile_all(CHANGES, re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_NOT_UNIT = re.compile(r"[\d.,_\s-]+")
_NUMBER = "number"
# So many words are shared by what is told of the same: "8 threads per job".
_OF_THE_SAME = 2
# Letters of scripts that are written with spaces: "は30秒で" has the value whole.
_LETTER = r"0-9A-Za-z_\u00c0-\u024f\u0400-\u04ff"
_WORD_ENDS = rf"(?<![{_LETTER}.-])", rf"(?![{_LETTER}-]|\.[{_LETTER}])"


@dataclass(frozen=True, slots=True)
class _Correction:
    """The value that is over, by which words, and the one sentence that had it; "" for all."""

    value: str
    by: str
    said: str


class ValueCorrections:
    """What later words correct of the values in a text."""

    def __init__(self, values: Iterable[ExactValue]) -> None:
        named = (value for value in values if value.text)
        told = sorted(named, key=lambda value: (value.offset, value.position))
        self._made = [*_refusals(told), *_replacements(told)]

    def of(self, text: str) -> str:
        """Return the newest words that correct a value in a text; empty where none do."""
        return next((made.by for made in reversed(self._made) if _meets(made, text)), "")


def _meets(made: _Correction, text: str) -> bool:
    # Nearly all texts lack the value: nothing else is looked at for them.
    if made.value not in text or made.by in text or text in made.by:
        return False
    here = not made.said or made.said in text or text in made.said
    before, after = _WORD_ENDS
    return here and re.search(f"{before}{re.escape(made.value)}{after}", text) is not None


def _refusals(told: list[ExactValue]) -> list[_Correction]:
    """Return what the last mention of a value refuses: "8081, not 8080"."""
    named = (v for v in told if _is_too_much(v) or _is_refused(v))
    return [_Correction(value.text, value.context, "") for value in named]


def _is_too_much(value: ExactValue) -> bool:
    _, found, after = value.context.partition(value.text)
    return bool(found) and _TOO.search(after) is not None


def _is_refused(value: ExactValue) -> bool:
    if value.kind is ValueKind.QUANTITY:
        return False
    before, found, after = value.context.partition(value.text)
    if not found:
        return False
    before = before.rstrip("`\"'")
    moved = _FROM.search(before) and _TO.search(after)
    return bool(moved or _REFUSING.search(before) or _REFUSED.search(after))


def _replacements(told: list[ExactValue]) -> list[_Correction]:
    """Return what was told, the like of which a later sentence puts right: "sorry, 8081"."""
    newest: dict[str, ExactValue] = {}
    made = []
    for value in told:
        shape = _shape(value)
        if not shape:
            continue
        before = newest.get(shape, value)
        if before.context != value.context and _corrects(value.context, before.context):
            made.append(_Correction(before.text, value.context, before.context))
        newest[shape] = value
    return made


def _corrects(sentence: str, told: str) -> bool:
    if opens_correction(sentence) or search_any(_CHANGES, sentence) is not None:
        return True
    named = {word for word in distinct_words(sentence) & distinct_words(told) if word.isalpha()}
    return len(named) >= _OF_THE_SAME and _FROM_HERE.search(sentence) is not None


def _shape(value: ExactValue) -> str:
    """Return what values that can stand for each other share; empty for those without a like."""
    text = value.text
    if text.isdigit():
        return _NUMBER
    if value.kind in (ValueKind.URL, ValueKind.VERSION):
        return value.kind
    if value.kind is ValueKind.QUANTITY:
        return f"{value.kind} {_NOT_UNIT.sub('', text).casefold()}"
    if value.kind is ValueKind.IDENTIFIER and _DIGITS.search(text):
        return _DIGITS.sub("0", text)
    return ""


# What tells that a choice is taken back and not only spoken of.
_TURNS = re.compile(
    r"\b(?:no|not|nope|nah|instead|rather|actually|overkill|too|drop\w*|replac\w+|forget|scrap"
    r"|discontinued|deprecated|retired|unmaintained|then"
    r"|switch\w*|chang\w+|back to|after all|in the end|won|wins|nicht|doch|lieber|statt|kein\w*"
    r"|raus|weg|wechseln|umsteigen|zu (?=(?:langsam|teuer|groß|schwer|kompliziert))"
    r"|finalement|plutôt|laisse(?:z)? tomber|abandonn\w+|remplac\w+|trop|pas|mejor|en vez|al final"
    r"|cambia\w*|cambiamos|dejamos|ni|demasiado|melhor|em vez|no fim|troc\w+|mud\w+ pr?a|larga\w*"
    r"|não|лучше|не|вс[её][- ]таки|вместо|выкинь|выкин\w+|убери|меняем|замен\w+|переход\w+"
    r"|car[oa]s?|teuer|chère?s?|дорого|vamos de"
    r"|возвраща\w+|слишком)\b|n't\b|不|别|还是|改|换|算了|放弃|太|やっぱ|やめ|じゃな|戻[すし]|変え"
    r"|말고|과해|바꾸|바꿔|대신|빼자|안 쓰",
    re.IGNORECASE,
)
# "ok but the figures first", said of a plan.
_YES_BUT = re.compile(
    r"\W*(?:ok(?:ay)?|yes|yeah|sure|fine|good|great|looks good|lgtm|ja|gut|passt|klingt gut|super"
    r"|oui|d'accord|ça (?:me )?va|bien|sí|si|vale|de acuerdo|perfecto|sim|tá|beleza|certo|да"
    r"|хорошо|ладно|好的?|可以|行|はい|いいね|了解|네|응|좋아)[\s,.:;!、，。…–—-]{0,3}"
    r"(?:but|except|only|just|aber|nur|außer|mais|sauf|juste|pero|salvo|solo|sólo|mas|só|exceto|но"
    r"|только|кроме|但|不过|只是|就是|でも|ただし?|けど|근데|하지만|단)(?![a-zà-ÿа-яё])",
    re.IGNORECASE,
)
# The chance from which a text surely makes a choice.
_CHOOSES = 0.3
# The chance with words that surely turn from a choice.
_MAY_CHOOSE = 0.08
_AFTER_ALL = re.compile(r"\b(?:after all|instead|in the end|changed (?:my|our) minds?|back to)\b")
# A choice of so few words, such as "yes", is named by its question.
_BARE_WORDS = 2
_CACHED_CHOICES = 1024
_ANSWER, PLAN = "answer", "plan"
# Which share of what a choice names is named by who turns from it.
_MOST = 0.5
_NEWEST_SAID = 200
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_OTHER_SCRIPT = re.compile(r"[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
# Words of choosing and giving reasons: two choices that share only these are not of one thing.
_NO_NAMES = frozenset(
    map(
        subject_stem,
        "because since weil denn porque parce puisque car pois потому поскольку"
        " take takes took taking pick picks picked picking choose chose chosen choosing choice"
        " settle settled settling decide decided decision stick sticking stay staying keep keeping"
        " go goes going call prefer rather instead switch switching back"
        " nehmen nimm nehme wähle wählen bleiben bleibt bleib machen entscheide entschieden"
        " prend prends prenons prendre garde gardons garder reste restons choisis choisir passe"
        " tomo tomamos tomar usa usamos usar uso vamos voy queda quedamos quedémonos elijo"
        " fica ficamos ficar fico usem pega pegar escolho"
        " берём берем возьмём оставим остаёмся выбираем".split(),
    )
)


def later_choices(state: SessionState) -> list[tuple[Decision, str]]:
    """Return the decisions that hold, newest first, each with what was later chosen instead.

    A sentence that stands as a rule already is no decision beside it, unless it was changed.
    """
    ruled = {rule.text for rule in state.active_rules}
    holding = [made for made in reversed(state.decisions) if not made.superseded]
    said = [*state.remarks, *state.active_rules]
    choices = [(made, later_choice(made, said)) for made in holding]
    return [
        (made, changed)
        for made, changed in choices
        if changed or made.question or made.text not in ruled
    ]


def later_choice(decision: Decision, said: Iterable[Rule]) -> str:
    """Return the newest remark or rule that likely chooses otherwise: it turns from a decision.

    Of what was chosen among options, to name it and turn from it is enough; of a plan, to approve
    it with a "but".
    """
    bare = len(decision.text.split()) <= _BARE_WORDS  # "yes"
    answered = decision.source == _ANSWER  # a question of the client's names the other ways
    asked = f"{decision.question} " if bare or answered else ""
    chosen = _named_by(f"{asked}{decision.text}")
    answer = _named_by(decision.text) if answered else frozenset()
    is_plan = decision.source == PLAN
    place = (decision.offset, decision.position)
    return next(
        (
            newer.text
            for newer in sorted(said, key=lambda newer: -newer.offset)
            if (newer.offset, newer.position) > place
            and (
                _turns_from(newer.text, chosen, answer) or (is_plan and _YES_BUT.match(newer.text))
            )
        ),
        "",
    )


def _chooses(text: str) -> bool:
    least = _MAY_CHOOSE if _AFTER_ALL.search(text) else _CHOOSES
    return user_chances(text).decision >= least


def _turns_from(text: str, chosen: frozenset[str], answer: frozenset[str]) -> bool:
    named = _named_by(text)
    if not chosen & named or not _TURNS.search(text):
        return False
    return _chooses(text) or _has_most_of(named, answer)


def changed_choices(remarks: Iterable[Item], others: Iterable[Item] = ()) -> dict[str, str]:
    """Map each remark that may be a choice to the newest words that likely turn from it.

    These are one of the remarks, or of `others`; of very many the newest are looked at.
    """
    remarks = tuple(remarks)
    said = sorted((*remarks, *others), key=lambda item: (item.offset, item.position), reverse=True)
    newest = filter(_turns, said[:_NEWEST_SAID])
    turning = [(item, _names_in(item.text), _named_by(item.text)) for item in newest]
    changed: dict[str, str] = {}
    for remark in remarks if turning else ():
        place, named = (remark.offset, remark.position), _named_by(remark.text)
        names = _names_in(remark.text)
        for newer, new_names, new_named in turning:
            if (newer.offset, newer.position) <= place or newer.uuid == remark.uuid:
                break
            same = not names.isdisjoint(new_names) or _has_most_of(new_named, named)
            if same and newer.text != remark.text:
                changed[remark.text] = newer.text
                break
    return changed


def _turns(said: Item) -> bool:
    """Return whether a statement chooses something in the place of something else."""
    if _TURNS.search(said.text) is None:
        return False
    return isinstance(said, Decision) or _chooses(said.text)


@lru_cache(maxsize=_CACHED_CHOICES)
def _names_in(text: str) -> frozenset[str]:
    """Return the names in a text: capitals in them, or letters of another script, tell them."""
    foreign = not text.isascii() and _OTHER_SCRIPT.search(text) is not None
    found = (name for name in _NAME.findall(text) if foreign or not name.islower())
    return _named_by(text) & {subject_stem(name.casefold()) for name in found}


def _has_most_of(named: frozenset[str], chosen: frozenset[str]) -> bool:
    return bool(chosen) and len(named & chosen) >= _MOST * len(chosen)


@lru_cache(maxsize=_CACHED_CHOICES)
def _named_by(text: str) -> frozenset[str]:
    """Return what a choice names, without the reason for it."""
    reason = reason_given(text)
    words = subject_of(text.replace(reason, " ") if reason else text).words - _NO_NAMES
    # "c'est" and "it's" are no names, though subjects keep them.
    return frozenset(word for word in words if "'" not in word)


_NEXT = r"(?:version|release|sprint|week|woche|semaine|semana|versión|versão|fois|vez)"
_SETS_ASIDE = re.compile(
    r"\b(?:skip|drop|scrap|off the table|not now|for later|can wait|no longer|not needed"
    r"|(?:don'?t|won'?t|do not) need|already (?:did|done|wrote|fixed|have)|takes? (?:care of|over)"
    rf"|next {_NEXT}|(?:is|are) (?:doing|writing|on) it"
    r"|streich\w*|weglassen|brauch\w*\b.{0,30}\bnicht|nicht (?:mehr )?nötig|unnötig|entfällt"
    rf"|fällt weg|verschieb\w+|nächste[ns]? {_NEXT}|(?:macht|schreibt|übernimmt|liefert|erledigt)"
    r" (?:der|die|das|[^\W\d_]\w+)|(?:plus|pas) besoin|inutile|annul\w+|abandonn\w+|laisse\w*"
    rf"|plus tard|prochaine {_NEXT}|(?:le|la|les) (?:fait|font|fera)|s'en (?:occupe|charge)"
    r"|déjà fait\w*|ya no|no (?:hace falta|hagas)"
    rf"|descart\w+|olvíd\w+|quítal\w+|próxima {_NEXT}|se encarga\w*"
    r"|l[oa]s? (?:hace|hacen|manda|mandan|escribe|lleva|hizo|reescribió|arregló)|ignór\w+"
    r"|deixa pra lá|não (?:precisa|vamos)|(?:fica|deix\w+) (?:pr[ao]|para)|quem (?:faz|cuida)"
    r"|depois a gente|(?:vai|vão) (?:fazer"
    r"|cuidar)"
    r"|já (?:fez|foi|fizeram)|не (?:нужн\w+|надо)|вычеркн\w+|отмен\w+|отлож\w+|потом|позже"
    r"|следующ\w+|(?:напиш|сдела|возьм|займ)[её]\w+|уже (?:сдела|напис)\w+)\b"
    r"|不(?:用|做|需要)|先不|取消|算了|以后再|下个?版本|留到|(?:来做|负责|在做)|やめ|要らない"
    r"|いらない|不要"
    r"|来週|後で|あとで|次の(?:版|バージョン|リリース)|に任せ|担当|빼자|빼줘|필요 ?없|안 해도"
    r"|취소|나중에"
    r"|다음 ?(?:버전|주|스프린트)|(?:한대|맡아|맡기)",
    re.IGNORECASE,
)
_SENTENCE_CHARS = 240
# Which share of a todo's words is named by who speaks of it, and how words are compared.
_STEM_CHARS = 6
_LEAST_CHARS = 3
# A todo of more words is no compound.
_FEW = 12
_NEWEST_TODOS = 40
_NEWEST_PROMPTS = 200


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A todo by its words' stems, and these two by two: "Soaktest" names the "soak test"."""

    text: str
    offset: int
    stems: frozenset[str]
    joined: frozenset[str]


def todos_set_aside(state: SessionState) -> dict[str, str]:
    """Map the text of each open todo that later words of the user set aside to these words.

    What is in progress was taken up whatever was said of it before. Of very many todos and
    prompts, the newest are looked at.
    """
    pending = [todo for todo in state.open_todos if todo.status is TodoStatus.PENDING]
    waiting = pending[-_NEWEST_TODOS:]
    # As typed, for "docs" and "documentation" are one word.
    words = (word for todo in waiting for word in words_of(todo.text))
    named = {word.rstrip("s")[:_STEM_CHARS] for word in words if len(word) >= _LEAST_CHARS}
    wanted = [_wanted(todo) for todo in waiting]
    found: dict[str, str] = {}
    for prompt in state.prompts[-_NEWEST_PROMPTS:] if waiting else ():
        text = prompt.text.casefold()
        if any(subject_stem in text for subject_stem in named) and _SETS_ASIDE.search(text):
            before = [todo for todo in wanted if todo.offset < prompt.offset]
            for sentence in filter(_sets_aside, sentences(prompt.text)):
                found.update((text, sentence) for text in _meant(sentence, before))
    return found


def _sets_aside(sentence: str) -> bool:
    short = len(sentence) <= _SENTENCE_CHARS
    return short and _SETS_ASIDE.search(sentence) is not None and not asks(sentence)


def _wanted(todo: Todo) -> _Wanted:
    stems = _stems(todo.text)
    joined = {f"{one}{other}" for one in stems for other in stems} if len(stems) < _FEW else set()
    return _Wanted(todo.text, todo.offset, stems, frozenset(joined))


def _meant(sentence: str, todos: Iterable[_Wanted]) -> list[str]:
    """Return the todos of which a sentence names the most, if it names most of any."""
    apart = scripts_apart(sentence)  # "coupon은"
    words, stems = distinct_words(apart), _stems(apart)
    shares = [(_share_named(todo, words, stems), todo.text) for todo in todos]
    best = max((share for share, _ in shares), default=0.0)
    return [text for share, text in shares if best and share == best]


def _share_named(todo: _Wanted, words: frozenset[str], stems: frozenset[str]) -> float:
    """Return which share of a todo's words is named; 0 for less than most of them."""
    if not todo.joined.isdisjoint(words):
        return 1.0
    share = len(todo.stems & stems) / len(todo.stems) if todo.stems else 0.0
    return share if share >= _MOST else 0.0


def _stems(text: str) -> frozenset[str]:
    words = (word for word in distinct_words(text) if len(word) >= _LEAST_CHARS)
    return frozenset(word[:_STEM_CHARS] for word in words)

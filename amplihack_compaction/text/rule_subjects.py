"""What rules are about, and how two of them compare: covered, repeated, the same, contradicted."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from amplihack_compaction.text.words import STOPWORDS, anchors_of, has_cjk, scripts_apart, words_of

# What rules are made of, whatever they are about, beside the words without content; "als" limits an
# amount ("nie mehr als 5").
_EMPTY = STOPWORDS.union(
    (
        "agora ahora aos até aussi avons beim benutze bis bleibt brauche brauchen brauchst"
        " braucht cela cet comme como dabei dafür damit darfst dass davon deixa deixar deja"
        " dejar denn desde dies diese dieser dieses doch don donc donde durch déjà encore"
        " erst esa ese eso essa esse esta estar estas este esto estos even fazer faça fica"
        " ficar fine get gibt go going habe hace han hasta ins isso isto jetzt já kannst"
        " keep laisse laisser lass lassen lasst leur leurs limits longer ma maintenant mal"
        " man mehr mes meu mi minha mis mon more muito muy nada nadie nem nenhum nenhuma ni"
        " nichts niemand ninguna ninguno notre num numa nutze onde pela pelo peux pode"
        " porque pra prefer puedes put quoi rien rule rules seu sich sonst start stop sua só"
        " también também tem thing things trop très unser unsere usa usado usar use used"
        " uses using utilise utiliser verwende verwenden você vom vos votre weil wieder wo"
        " ya às ça était а без больше было его есть еще ещё её использовать используй их"
        " между меня мне можно над нам нас никто ничего оставь под при про там теперь тут"
        " уже чтобы 不 了 以 以后 使用 可 可以 现在 用 的 要 请"
    ).split()
) - {"als"}
_NEGATION = re.compile(
    r"\b(?:not|never|don't|do not|dont|no|instead of|rather than|avoid|stop|without|mustn't"
    r"|shouldn't|can't|cannot|nicht|nie|niemals"
    r"|kein\w*|statt|pas|jamais|au lieu de?|sans|évite\w*|nunca|jamás|en (?:vez|lugar) de|sin"
    r"|evita|não|jamais|em vez de|ao invés de"
    r"|sem|evite|не|никогда|вместо|нельзя|без)\b|不要|别|禁止|不|而不是|ではなく|ないで|禁止"
    r"|지 ?마|말고|금지",
    re.IGNORECASE,
)
_JOINT = re.compile(r"[,;.]\s|\s(?:and|but|und|aber|et|mais|y|pero|e|mas|и|но|а)\s|，|；|、")
_BEHIND = re.compile(r"ではなく|말고|이 아니라|가 아니라")
_GRAMMAR_CJK = frozenset(
    "ない して てく くだ ださ さい をつ 使わ わな いで ませ ます すか セヨ 하지 지마 마세 세요 "
    "해줘 주세 すべ べて って ても もい いい いで です しな しま でく 不要 可以 现在 在可 了不 "
    "请不".split()
)
TONGUES = frozenset(
    "english german french spanish portuguese russian chinese japanese korean italian dutch "
    "deutsch englisch français anglais español"
    " inglés português inglês русском английском 中文 英文 日本 英語 한국 영어".split()
)
"""Languages, of which a rule names one as it names an amount."""
_SUFFIXES = ("ings", "ing", "edly", "ies", "ied", "ed", "es", "s", "en", "er", "ar", "ir", "e", "n")
_STEM_AT_LEAST = 3


@dataclass(frozen=True, slots=True)
class Subject:
    """What a statement is about; `asked` and `barred` are its words by polarity."""

    words: frozenset[str]
    asked: frozenset[str]
    barred: frozenset[str]
    anchors: frozenset[str]


def subject_of(text: str) -> Subject:
    """Return the subject of a rule or of what a retraction speaks of."""
    text = text.replace("’", "'")
    asked: set[str] = set()
    barred: set[str] = set()
    for clause in _JOINT.split(text):
        _sort_clause(clause, asked, barred)
    return Subject(
        frozenset(asked | barred),
        frozenset(asked - barred),
        frozenset(barred),
        frozenset(anchors_of(text)),
    )


def subject_stem(word: str) -> str:
    """Return a word without its ending; an amount, a version or a language as it is."""
    if word[:1].isdigit() or word in TONGUES:
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _STEM_AT_LEAST:
            bare = word[: -len(suffix)]
            return bare + "y" if suffix in ("ies", "ied") else _single(bare)
    return word


def _sort_clause(clause: str, asked: set[str], barred: set[str]) -> None:
    behind = _BEHIND.search(clause)
    if behind is not None:  # these stand behind what they rule out
        barred.update(_content(clause[: behind.start()]))
        asked.update(_content(clause[behind.end() :]))
        return
    found = _NEGATION.search(clause)
    if found is None:
        asked.update(_content(clause))
    elif has_cjk(clause):
        barred.update(_content(clause))
    else:
        asked.update(_content(clause[: found.start()]))
        barred.update(_content(clause[found.end() :]))


def _content(text: str) -> set[str]:
    words: set[str] = set()
    for word in words_of(scripts_apart(text)):
        if word in _EMPTY or word in _GRAMMAR_CJK:
            continue
        if has_cjk(word):
            if len(word) > 1 and not _is_grammar(word):
                words.add(word)
        elif len(word) > 1 or word.isdigit():
            words.add(subject_stem(word))
    return words - _EMPTY


def _is_grammar(pair: str) -> bool:
    """Return whether a pair of kana is inflection: what is named stands in kanji or katakana."""
    return all("\u3040" <= sign <= "\u309f" for sign in pair)


def _single(bare: str) -> str:
    return bare[:-1] if len(bare) > _STEM_AT_LEAST and bare[-1] == bare[-2] else bare


_ENDING_CHARS = 3
# In shorter words one letter makes another word too often.
_LONG_WORD = 6
_ENDINGS = frozenset(
    ("", *"s es e ed d en n er r em am ar ir ez as os a o is i y t te an at on al ly in ne".split())
)
# By word those that differ from it only in their endings, or by one slip of the keyboard.
WordForms = Mapping[str, frozenset[str]]


def word_forms_among(words: Iterable[str]) -> WordForms:
    """Return by word its other forms among these; words without other forms are left out.

    Only words that share a key are compared: pairwise, a few hundred long rules take minutes.
    """
    named: dict[str, list[str]] = {}
    keys = {word: _keys(word) for word in words}
    for word, own in keys.items():
        for key in own:
            named.setdefault(key, []).append(word)
    forms: dict[str, frozenset[str]] = {}
    for word, own in keys.items():
        near = {other for key in own for other in named[key]} - {word}
        alike = frozenset(other for other in near if _are_forms(word, other))
        if alike:
            forms[word] = alike
    return forms


def _keys(word: str) -> set[str]:
    """Return keys of which two words that are alike have one in common."""
    keys = {f"{word[:at]}-" for at in range(max(3, len(word) - _ENDING_CHARS), len(word) + 1)}
    if len(word) >= _LONG_WORD:
        # One letter too few, or two swapped, leave a word that has lost one letter the same.
        keys.update(word[:at] + word[at + 1 :] for at in range(len(word)))
        keys.add(word)
    return keys


def _are_forms(left: str, right: str) -> bool:
    """Return whether two words differ in their endings only."""
    least = 4 if left.isascii() else 3
    size = min(len(left), len(right))
    if size < least or has_cjk(left) or left[0].isdigit():
        return False
    if _mistyped(left, right):
        return True
    common = 0
    while common < size and left[common] == right[common]:
        common += 1
    if common < least:
        return False
    if left.isascii():
        return left[common:] in _ENDINGS and right[common:] in _ENDINGS
    return max(len(left), len(right)) - common <= _ENDING_CHARS


def _mistyped(left: str, right: str) -> bool:
    """Return whether of two longer words one lacks a letter, or has two swapped."""
    short, long = sorted((left, right), key=len)
    if len(short) < _LONG_WORD or len(long) - len(short) > 1:
        return False
    place = 0
    while place < len(short) and short[place] == long[place]:
        place += 1
    if len(short) < len(long):
        return short[place:] == long[place + 1 :]
    swapped = long[place : place + 2][::-1]
    return short[place : place + 2] == swapped and short[place + 2 :] == long[place + 2 :]


# Everyday verbs and nouns of the trade say little about which rule is meant.
_EVERYDAY = frozenset(
    "add new file files code change edit touch write run run do work set create remove delete "
    "modify update project repo thing part line"
    " lines function functions name names ask check tell wait hinzufügen ändern schreiben "
    "machen agregar cambiar escribir tocar mexer alterar adicionar toucher"
    " modifier ajouter écrire push commit"
    " what which like as said says say told first last too also just again same one two"
    " other als más".split()
)
_EVERYDAY_STEMS = frozenset(subject_stem(word) for word in _EVERYDAY) | _EVERYDAY
_EVERYDAY_WEIGHT = 0.5
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)*[a-z%]{0,3}")
_MEASURES = frozenset(
    subject_stem(word)
    for word in "than most least exceed longer shorter larger smaller higher lower limit maximum"
    " minimum max min mehr als más que menos plus moins больше чем".split()
)
# Shares of the words' weight; chosen on the phrases in the tests.
_TARGET_SHARE = 0.6
_RULE_SHARE = 0.75
_SAME_SHARE = 0.75
_SUPERSEDED_SHARE = 0.34


def covers(target: Subject, rule: Subject, forms: WordForms) -> bool:
    """Return whether what a retraction speaks of is what the rule is about."""
    if not target.words or not rule.words:
        return False
    named = target.anchors - {anchor for anchor in target.anchors if anchor.isalpha()}
    if (
        named
        and rule.anchors
        and not named & rule.anchors
        and _paths(named)
        and _paths(rule.anchors)
    ):
        return False
    shared = _shared(target.words, rule.words, forms)
    if not shared:
        return False
    weight = _weight(shared)
    if not shared - _EVERYDAY and target.words - _EVERYDAY and rule.words - _EVERYDAY:
        return False
    return weight >= _TARGET_SHARE * _weight(target.words) or weight >= _RULE_SHARE * _weight(
        rule.words
    )


def shared_weight(target: Subject, rule: Subject, forms: WordForms) -> float:
    """Return which share of a target's words a rule has.

    Nothing for everyday words alone, nor for a language: many rules say which one to write in.
    """
    shared = _shared(target.words, rule.words, forms)
    telling = shared - _EVERYDAY_STEMS - TONGUES
    return _weight(shared) / _weight(target.words) if telling else 0.0


def same_claim(old: Subject, new: Subject) -> bool:
    """Return whether two rules say the same, one perhaps more of it."""
    if not old.words or not new.words:
        return old.words == new.words and old.anchors == new.anchors
    if bool(old.barred) != bool(new.barred):
        return False
    less, more = (old, new) if len(old.words) <= len(new.words) else (new, old)
    if not (less.asked <= more.asked and less.barred <= more.barred):
        return False
    if _numbers(old) != _numbers(new):
        return False
    return _weight(less.words) >= _SAME_SHARE * _weight(more.words)


def contradicts(new: Subject, old: Subject, forms: WordForms) -> bool:
    """Return whether a newer rule takes the place of an older one on the same subject."""
    if _differ_by_value(new, old):
        return True
    replaced = _shared(new.barred, old.asked, forms)
    if replaced and new.asked and replaced == new.barred and not new.asked <= old.asked:
        return _weight(replaced) >= _SUPERSEDED_SHARE * _weight(old.asked)
    if replaced and not new.asked and not old.barred:
        return _are_alike(new.barred, old.asked, forms)
    allowed = _shared(new.asked, old.barred, forms)
    if not allowed or (new.barred and not replaced):
        return False
    return _are_alike(new.asked, old.barred, forms)


def _differ_by_value(new: Subject, old: Subject) -> bool:
    """Return whether two rules differ in nothing but one amount, version or language.

    A number in what is ruled out tells which thing is meant ("never touch migration 7"), unless
    the words around it make it an amount ("never more than 3 retries").
    """
    if len(new.words) != len(old.words):
        return False
    extra, missing = new.words - old.words, old.words - new.words
    if len(extra) != 1 or len(missing) != 1 or not new.words & old.words:
        return False
    (put,), (gone,) = extra, missing
    if put in TONGUES and gone in TONGUES:
        return bool(new.barred) == bool(old.barred)
    if not (_AMOUNT.fullmatch(put) and _AMOUNT.fullmatch(gone)):
        return False
    if put in new.barred and gone in old.barred:
        return bool(new.words & _MEASURES)
    return put in new.asked and gone in old.asked


def _shared(left: frozenset[str], right: frozenset[str], forms: WordForms) -> frozenset[str]:
    """Return the words of `left` that `right` has too, inflected otherwise perhaps."""
    same = left & right
    near = {word for word in (left - same) & forms.keys() if not forms[word].isdisjoint(right)}
    return same | near


def _weight(words: frozenset[str]) -> float:
    return sum(_EVERYDAY_WEIGHT if word in _EVERYDAY_STEMS else 1.0 for word in words)


def _are_alike(left: frozenset[str], right: frozenset[str], forms: WordForms) -> bool:
    shared = _weight(_shared(left, right, forms))
    return shared >= _TARGET_SHARE * max(_weight(left), _weight(right))


def _numbers(subject: Subject) -> set[str]:
    return {word for word in subject.words if word[:1].isdigit()}


def _paths(anchors: frozenset[str]) -> bool:
    return any("/" in anchor or "." in anchor for anchor in anchors)

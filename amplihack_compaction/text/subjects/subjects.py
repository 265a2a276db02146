"""What a rule is about: its words, what it asks for and what it rules out."""

import re
from dataclasses import dataclass

from amplihack_compaction.text.strings import anchors_of, has_cjk, scripts_apart, words_of

_EMPTY = frozenset(
    "a an the and or but of to in on at by for from with without as is are be been it its this "
    "that these those there here you your we"
    " our us i me my they them he she do does did don't don doesn't not no never ever always "
    "only must should shall may can could will"
    " would need needs have has had please pls use used using make sure keep avoid prefer "
    "instead rather than now again anymore more"
    " longer so if when whenever then also just still even any all every each some such under "
    "over before after until unless nothing"
    " everything one thing things rule rules off limits allowed ok okay fine let's want say "
    "said about into onto out up down t s ll re"
    " forget go going get put stop start bitte nie niemals immer nicht kein keine keinen keiner "
    "mehr auf der die das den dem des ein eine"
    " einen und oder zu im in mit für von du ich wir darfst kannst jetzt wieder nur soll muss "
    "wird werden verwenden verwende benutze nutze"
    " le la les un une des du de et ou à au aux ne pas jamais toujours plus que tu vous on est "
    "sont utilise utiliser peux maintenant en sur"
    " el los las unos una del y o no nunca siempre que se es son usa uses usar usado puedes "
    "ahora ya por favor con sin lo te me su"
    " o os as um uma do da dos das e não nunca sempre use usar pode agora você por com sem na "
    "no nas nos em para mais que faça fazer"
    " aber auch am an aus bei beim bis da damit dann dass dem denn doch durch er es sie ihr hat"
    " habe haben ins ist sind war waren wenn weil was wie wo um uns unser unsere unter vom vor nach"
    " über zum zur sich so schon noch sonst dies diese dieser dieses brauchen brauche brauchst"
    " braucht lass lassen lasst gibt bleibt dafür dabei davon erst mal man"
    " pour par dans avec sans ce cet cette ces son sa ses mon ma mes notre nos votre vos leur leurs"
    " il elle ils elles je nous qui quoi dont mais donc comme aussi encore déjà être avoir avons"
    " ont"
    " était faut ça cela trop très laisse laisser"
    " para pero como muy este esta estos estas ese esa eso esto al le les nos mi mis hay ser estar"
    " está están han fue también cuando donde porque entre hasta desde sobre ni hace deja dejar"
    " pra mas muito já esse essa isso isto ao aos à às pelo pela num numa meu minha seu sua foi tem"
    " também quando onde até nem só deixa deixar ficar fica"
    " я ты он она мы вы они но а же бы ли то так там тут этот эта эти если когда чтобы от до из за"
    " при об о без над под между уже ещё еще быть есть был была было были его её их нам нас меня"
    " мне"
    " оставь nichts niemand rien nada nadie ninguno ninguna nenhum nenhuma ничего никто"
    " не никогда всегда и или в во на с со по из к у для это теперь можно больше используй "
    "использовать пожалуйста что как нужно надо про"
    " 不要 不要 可以 现在 以后 必须 可 以 了 的 请 禁止 使用 用 不 要".split()
)
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


def stem(word: str) -> str:
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
            words.add(stem(word))
    return words - _EMPTY


def _is_grammar(pair: str) -> bool:
    """Return whether a pair of kana is inflection: what is named stands in kanji or katakana."""
    return all("\u3040" <= sign <= "\u309f" for sign in pair)


def _single(stem: str) -> str:
    return stem[:-1] if len(stem) > _STEM_AT_LEAST and stem[-1] == stem[-2] else stem

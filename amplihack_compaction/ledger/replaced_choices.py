"""Find what was later chosen instead of what was chosen before."""

import re
from collections.abc import Iterable
from functools import lru_cache

from amplihack_compaction.extract.model import Decision, Item, Rule, SessionState
from amplihack_compaction.text.classifier import chances_of
from amplihack_compaction.text.rule_subjects import stem, subject_of
from amplihack_compaction.text.sentences import reason_of

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
        stem,
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
    return chances_of(text).decision >= least


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
    return _named_by(text) & {stem(name.casefold()) for name in found}


def _has_most_of(named: frozenset[str], chosen: frozenset[str]) -> bool:
    return bool(chosen) and len(named & chosen) >= _MOST * len(chosen)


@lru_cache(maxsize=_CACHED_CHOICES)
def _named_by(text: str) -> frozenset[str]:
    """Return what a choice names, without the reason for it."""
    reason = reason_of(text)
    words = subject_of(text.replace(reason, " ") if reason else text).words - _NO_NAMES
    # "c'est" and "it's" are no names, though subjects keep them.
    return frozenset(word for word in words if "'" not in word)

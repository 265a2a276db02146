"""Whether the user's words ask for what a rule of his bars: an order, and no question or report."""

import re
from collections.abc import Sequence

from amplihack_compaction.extract.barred_calls import Ban
from amplihack_compaction.extract.rules import complains
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.pasted import pointing_paragraph
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.words import asks, opens_question

_ASKED_CHARS = 2000
# Before a word that names something, and orders nothing: "after every push", "what a push does".
_ASKS_ABOUT = r"who|which|what|when(?:ever)?|if|whether|how|why|while|before (?:you|we|i)"
_OF_A_THING = re.compile(
    rf"\b(?:{_ASKS_ABOUT}|an?|the|this|that|these|those|every|each|any|last|first|next|previous"
    r"|latest|your|his|her|their|on|after|before|of|about|from|since|by|eine?|eine[mnrs]|de[mnr]"
    r"|nach|beim|letzte\w{0,2}|jede\w|une?|le|la|du|el|del|los|um|uma|[oa]|il|un[oa]?|al)\s+$",
    re.IGNORECASE,
)
# A path is a thing whatever stands before it.
_ABOUT_A_PATH = re.compile(rf"\b(?:{_ASKS_ABOUT})\s+$|\bi(?:'ll| will)\s+$", re.IGNORECASE)
# "make a commit", "fais un commit": the verb orders, whatever article stands behind it.
_DO_ONE = re.compile(
    r"\b(?:do|make|create|run|start|open|perform|execute|approve|mach\w{0,2}|erstell\w{0,2}|öffne"
    r"|fai[st]?|crée|ouvre|haz|crea|abre|faça|crie|abra)\s+\w{1,5}\s+$",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"\W*(?:(?:ok(?:ay)?|yes|yep|sure|good|great|perfect|lgtm|alright|now|then|and|also|so|please|pls"
    r"|just|go ahead|let'?s|get this|i (?:want|need) (?:this|you to)|it'?s ok(?:ay)? to|finish by"
    r"|we need to|you (?:can|may|should)"
    r"|(?:can|could|would|will) (?:you|we)|do|run|execute|use|go with|bitte|jetzt|dann|und|verwende"
    r"|benutze|nimm|führe|utilise|usa|gebruik)\W+){0,6}$",
    re.IGNORECASE,
)
_ASKS_TO_DO = re.compile(
    r"\b(?:(?:can|could|would|will) (?:you|we)|mind|kannst du|(?:könnt|würd)est du|peux-tu"
    r"|pourrais-tu|puedes|podrías|pode|puoi|(?:kun|kan) je|можешь)\b|可以",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:]\s|[，；：]")
_ASKED_FROM = 0.1
_REFUSES = re.compile(
    r"\b(?:not|never|don't|no|without|avoid|stop|nobody|instead of|nicht|nie|kein\w*|pas|jamais"
    r"|nunca|não|non|niet|не|никогда)\b|n't\b|不要|别|禁止|ない|말",
    re.IGNORECASE,
)
# Where the verb comes first: "pushe nicht", "pushしないで".
_REFUSES_BEHIND = re.compile(
    r".{0,3}(?:ない|しない|するな|하?지 ?(?:마|말)|\s(?:마|말)|禁止|\b(?:nicht|nie|pas|niet)\b)",
    re.IGNORECASE,
)


def asks_for_breach(prompt: str, bans: Sequence[Ban]) -> bool:
    """Return whether the user's newest words ask for what is barred: on a branch, by its name."""
    said = (pointing_paragraph(prompt) or prompt)[:_ASKED_CHARS]
    wanted = (b for b in bans if b.words and (not b.branches or _names_any(said, b.branches)))
    words = dict.fromkeys((ban.words, ban.kind == "path") for ban in wanted)
    return any(
        _orders(sentence, *found.span(), is_path=is_path)
        for sentence in sentences(said)
        for each, is_path in words
        for found in re.finditer(each, sentence, re.IGNORECASE)
    )


def _orders(sentence: str, start: int, end: int, *, is_path: bool) -> bool:
    """Return whether a sentence asks for what is named there; no question or report of it does."""
    before, behind = _CLAUSE.split(sentence[:start])[-1], _CLAUSE.split(sentence[start:])[0]
    if not _ASKS_TO_DO.search(before) and (asks(sentence) or opens_question(before + behind)):
        return False
    refused = _REFUSES.search(before) or _REFUSES.search(sentence[start:end])
    if refused or _REFUSES_BEHIND.match(sentence[end:]) or complains(sentence):
        return False
    if _DO_ONE.search(before):
        return True
    if (_ABOUT_A_PATH if is_path else _OF_A_THING).search(before):
        return False
    if _LEADS.match(before) or _ASKS_TO_DO.search(before):
        return True
    chances = user_chances(before + behind)
    return max(chances.objective, chances.work, chances.lift, chances.rule) >= _ASKED_FROM


def _names_any(said: str, branches: tuple[str, ...]) -> bool:
    named = "|".join(re.escape(branch.rstrip("*/")) for branch in branches)
    return (
        re.search(rf"(?a:(?<![\w/-])(?:origin/)?(?:{named})(?![\w-]))", said, re.IGNORECASE)
        is not None
    )

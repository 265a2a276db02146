"""How sentences begin by which users put right what they said before."""

import re

from amplihack_compaction.text.strings import compile_all, match_any

_LEAD = (
    r"^\W{0,5}(?:(?:oh|ah|ach|ay|ai|hey|hm+|um+|uh+|no|nope|ok|okay|and|but|oui|ой|あ|아)"
    r"[\s,.!、。，]{1,3}){0,3}"
)
# Who says so was wrong.
SORRY = tuple(
    rf"{_LEAD}(?:{words})(?![a-zà-ÿа-яё])"
    for words in (
        r"sorry|oops|ups|oups|my (?:bad|mistake)|correction|scratch that|typo"
        r"|i (?:meant|mean|was wrong|mixed|swapped|got (?:that|it) wrong)",
        r"korrektur|entschuldig\w+|quatsch|mein fehler|tippfehler|ich meinte|ne(?:in)?,? doch"
        r"|pardon|erreur|je voulais dire|en fait non|perd[óo]n|me equivoqu[ée]|errata"
        r"|qu(?:ise|er[íi]a) decir|en realidad|errei|desculpa|corrigindo|quis dizer"
        r"|na (?:real|verdade)",
        r"ой|ошиб(?:ся|лась)|опечатка|поправка|точнее|исправление|нет,? вс[её][ -]?таки",
        r"我?[说写打]错了|更正|不对|错了|ごめん|すみません|訂正|間違え\w*|違う(?=[、。,])|違った"
        r"|じゃなくて?(?=[、,])|やっぱり?|いや(?=、)",
        r"미안|정정|잘못(?: 말했)?|아(?=,? ?\S{0,8}\d)|아니(?=,)|아니다|아냐",
    )
)
# Who says so may also go on to something else.
ACTUALLY = (
    rf"{_LEAD}(?:actually|wait|hold on|wrong)\b",
    rf"{_LEAD}(?:make|change) (?:that|it)\b",
    r"^[^.!?]{3,120}\bactually\W*$",
    rf"{_LEAD}en fait\b",
    rf"{_LEAD}(?:改成|改为|应该是)",
)
_SORRY = compile_all(SORRY, re.IGNORECASE)
_ACTUALLY = compile_all(ACTUALLY, re.IGNORECASE)
_VALUE = re.compile(r"\d")
_VALUE_WITHIN_CHARS = 80
_TELLING = re.compile(
    r"\d|\b(?:is|are|was|were|has|have|should|must|needs?|goes?|uses?|means?|not|isn't|aren't"
    r"|doesn't|don't)\b",
    re.IGNORECASE,
)
_TOLD_WITHIN_CHARS = 200


def corrects_itself(sentence: str) -> bool:
    """Return whether a sentence puts right a value that the user told: "perdón, el iva es 21"."""
    found = match_any(_SORRY, sentence)
    if found is None:
        return False
    return _VALUE.search(sentence, found.end(), found.end() + _VALUE_WITHIN_CHARS) is not None


def puts_right(sentence: str) -> bool:
    """Return whether a sentence tells something in the place of what was said: "wait, it is B"."""
    said = sentence.replace("’", "'")
    found = match_any(_SORRY, said) or match_any(_ACTUALLY, said)
    if found is None:
        return False
    return _TELLING.search(said, found.end(), found.end() + _TOLD_WITHIN_CHARS) is not None


def opens_correction(sentence: str) -> bool:
    """Return whether a sentence begins like one that puts something right."""
    return (match_any(_SORRY, sentence) or match_any(_ACTUALLY, sentence)) is not None

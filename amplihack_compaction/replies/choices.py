"""Tell which of the options that the model listed a sentence of the user's takes.

"B, it's less to explain" is a choice of nothing without the list that it chooses from.
"""

import re
from collections.abc import Iterator

from amplihack_compaction.language.text import one_line
from amplihack_compaction.patterns.patterns import lazily
from amplihack_compaction.replies.questions import MARKS, TEXT_CHARS, may_ask, question_in

_OPTION_CHARS = 120
_OPTIONS_CHARS = 300
_MOST_OPTIONS = 9
# Who chooses and explains why has said so by then.
_CHOICE_CHARS = 400

_KIND = (
    r"(?:option|variant|choice|plan|alternative|approach|number|version|opción|opcion|opção|opcao"
    r"|variante|вариант|方案|选项|方法|案)"
)
_OPTION = lazily(
    rf"^[ \t>*+•-]*(?:\*\*|__)?(?:{_KIND}[ ]?)?\(?(?P<label>[1-9]|[A-Ha-h]|[一二三四五])"
    r"(?:[.):：、]|\*\*|__)[)*_:：.]{0,4}[ \t]{0,4}[—–-]?[ \t]{0,4}(?P<text>\S[^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_INLINE = lazily(r"(?:^|\s)\(?(?P<label>[1-9a-hA-H])\)\s(?P<text>\S[^()\n]{2,120})")
_BULLET = lazily(r"^[ \t]*[-*+•][ \t]+(?P<text>\S[^\n]*)$", re.MULTILINE)
_ORDINALS = {
    "first": 1, "former": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "one": 1, "two": 2,
    "three": 3, "four": 4, "five": 5, "last": -1, "latter": -1, "erste": 1, "zweite": 2,
    "dritte": 3, "vierte": 4, "letzte": -1, "premier": 1, "première": 1, "premiere": 1,
    "deuxième": 2, "deuxieme": 2, "seconde": 2, "troisième": 3, "troisieme": 3,
    "dernier": -1, "dernière": -1, "primera": 1, "primero": 1, "primeira": 1, "primeiro": 1,
    "segunda": 2, "segundo": 2, "tercera": 3, "tercero": 3, "terceira": 3, "terceiro": 3,
    "última": -1, "ultima": -1, "último": -1, "ultimo": -1, "первый": 1, "второй": 2, "третий": 3,
    "последний": -1, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5,
    "첫": 1, "두": 2, "세": 3, "네": 4,
}  # fmt: skip
_COUNTED = "one|two|three|four|five"
# "The one with hooks" is not the first one.
_NAMES = "|".join(
    sorted((name for name in _ORDINALS if name not in _COUNTED.split("|")), key=len, reverse=True)
)
_TAKES = (
    r"(?:(?:ok|okay|yes|yeah|yep|no|nope|nein|non|não|hm+|fine|alright|right|then|so|well|please|pls"
    r"|i'd|i'll|i would|i will|let's|let us|i think|i|we|we'll|we go|go|do|take|taking|pick"
    r"|choose|prefer|use|try|make it|going|with|for|rather|definitely|clearly|my vote|vote|is"
    r"|ja|ich nehme|nimm|wir nehmen|dann|bitte|oui|prends|on prend|je prends|va pour|allons-y avec"
    r"|sí|si|vale|vamos con|toma|usa|mejor|prefiero|sim|vamos com|vai de|fico com|pega|usa"
    r"|да|нет|давай|тогда|возьм[иеё]м?|бер[иеё]м?|лучше)"
    r"(?:[ ,:]+|$)){0,5}"
)
_ENDS = (
    r"(?:\s(?:it is|then|please|pls|bitte|por favor|stp))?\s*(?:$|[,.;:!&+–—-]|\s(?:but|because"
    r"|since|as|with|without|and|minus|plus|though|weil|aber|mit|ohne|mais|car|avec|sans|pero|porque"
    r"|con|sin|mas|pois|com|sem)\b)"
)
_CHOOSES = lazily(
    rf"\W*{_TAKES}(?:(?:the |la |le |el |a |o |die |das |den |der )?(?:{_KIND}[ ]?)?"
    rf"\(?(?P<label>[1-9]|[a-h])\)?{_ENDS}"
    rf"|(?:the |la |le |el |a |o |die |das |den |der )(?P<named>{_NAMES})[nrs]?"
    rf"(?: (?:one|way|idea|proposal|suggestion|{_KIND}))?{_ENDS}"
    rf"|(?P<russian>первый|второй|третий|последний)(?: вариант)?{_ENDS}"
    rf"|{_KIND} (?P<counted>{_NAMES}|{_COUNTED}){_ENDS})",
    re.IGNORECASE,
)
_CHOOSES_EAST = lazily(
    r"(?:好|行|嗯|那|就)*[,，]?(?:我?(?:选|用|要|按|走|就))*(?:第(?P<named>[一二三四五])[个种项条]?"
    r"|(?:方案|选项|第)\s?(?P<label>[一二三四五1-9a-hA-H])(?:个|种|项)?|(?P<bare>[a-hA-H1-9]))"
    r"(?:方案|选项)?吧?\s*(?:$|[,，。.！!、]|因为|但)"
    r"|(?:はい|では|じゃあ|うん)?[,、，]?\s?(?:案|プラン|選択肢)?\s?(?P<japanese>[一二三四五1-9a-hA-H])"
    r"(?:番目?|つ目|案|の方)?(?:で|に|が|を|の方)"
    r"(?:$|[、。.！!\s]|お願い|いきま|行きま|いい|良い|しま|して)"
    r"|(?:네|예|응|그럼)?[, ]{0,2}(?:(?P<korean>[1-9a-hA-H])(?:번|안)?(?:째)?"
    r"|(?P<native>첫|두|세|네) ?번째(?: (?:것|거|방법|안))?)(?:으로|로|가|이|을|를|요)?"
    r"(?:$|[,.!]| (?:하자|해|할게|가자|좋|부탁|진행))"
)
# "1 and 3": more than one is taken.
_FURTHER = lazily(
    r"\)?\s*(?:[,、，&+]|,? ?\b(?:and|und|y|e|et|и)\b|と|和|跟)\s*\(?(?P<label>[1-9]|[a-h])\)?"
    r"(?=\s*(?:$|[,.;:!、，。&+]|and\b|und\b|please\b|[ye] |et\b|и\b|[と和]))",
    re.IGNORECASE,
)


def chosen_of(sentence: str, text: str) -> tuple[str, str]:
    """Return the option that a sentence chooses among those of the model's text, and the question.

    Of several options all are told. Both are empty where it chooses none: the label or the place
    must be one of a list's.
    """
    if len(sentence) > _CHOICE_CHARS or not may_ask(text):
        return "", ""
    words = sentence.replace("’", "'")
    found = _CHOOSES.match(words) or _CHOOSES_EAST.match(words)
    if found is None:
        return "", ""
    options = _options_in(text[-TEXT_CHARS:])
    if len(options) < 2:
        return "", ""
    wanted = next(filter(None, found.groups())).casefold()
    labels = [wanted, *_further(words, found)]
    taken = dict.fromkeys(_named(label, options) for label in labels)
    option = one_line("; ".join(filter(None, taken)), _OPTIONS_CHARS)
    return option, question_in(text) if option else ""


def _further(words: str, found: "re.Match[str]") -> Iterator[str]:
    """Yield the labels that follow the first one in a row of them."""
    end = max(found.end(group) for group in range(1, len(found.groups()) + 1))
    while another := _FURTHER.match(words, end):
        yield another["label"].casefold()
        end = another.end()


def _named(wanted: str, options: list[tuple[str, str]]) -> str:
    """Return the option of a label, or at a place of that name."""
    option = next((said for label, said in options if label == wanted), "")
    return option or _at_place(_ORDINALS.get(wanted, 0), [said for _, said in options])


def _at_place(place: int, options: list[str]) -> str:
    if place < 0:
        return options[-1]
    return options[place - 1] if 0 < place <= len(options) else ""


def _options_in(text: str) -> list[tuple[str, str]]:
    """Return the last list's options with their labels; of plain bullets the labels are empty."""
    for pattern in (_OPTION, _INLINE, _BULLET):
        options = list(_last_list(pattern, text))
        if len(options) > 1:
            return options
    return []


def _last_list(pattern: "re.Pattern[str]", text: str) -> Iterator[tuple[str, str]]:
    found = list(pattern.finditer(text))
    labels = [(each.groupdict().get("label") or "").casefold() for each in found]
    # A list begins anew where its first label stands again.
    start = max((at for at, label in enumerate(labels) if label == labels[0]), default=0)
    begins = start if labels and labels[0] else 0
    for each, label in list(zip(found, labels, strict=True))[begins : begins + _MOST_OPTIONS]:
        # Its own quotation marks would let it seem to be what the user said.
        said = MARKS.sub("", each["text"]).replace('"', "'").strip(" :;,.—–-")
        yield label, one_line(said, _OPTION_CHARS)

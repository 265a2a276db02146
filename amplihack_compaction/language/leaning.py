"""Tell which sentences say something only together: a topic, and what speaks of what stood before.

"Jquery? Over my dead body." "The schema is generated. Never edit it." Quoted alone, the second of
each is a rule about nothing.
"""

import re

from amplihack_compaction.language.text import has_cjk
from amplihack_compaction.patterns.patterns import lazily

# "jquery? over my dead body": what is only called by its name is no question, and what follows
# says nothing without it.
_ASKED = lazily(r"[?？][\"'”’»)\]*_」』）]*$")
_ASKS = lazily(
    r"\W*(?:(?:and|but|so|ok|okay|hm+|wait|also|well|oh|und|aber|y|pero|et|mais|e|mas)[, ]+)?(?:"
    r"what|why|how|where|when|who|which|whose|is|are|am|was|were|do|does|did|can|could|would"
    r"|should|shall|will|may|might|must|have|has|had|any(?:\w+)?|maybe|perhaps|[a-z]+n'?t|or"
    r"|was|wie|warum|wieso|weshalb|wo|wann|wer|wen|wem|welche\w*|ist|sind|hat|hast|haben|kann"
    r"|kannst"
    r"|k[öo]nn\w*|soll\w*|darf|d[üu]rfen|gibt|gibts|muss|m[üu]ssen|willst|wird|weißt"
    r"|qu[ée]|c[óo]mo|por qu[ée]|cu[áa]l\w*|cu[áa]ndo|d[óo]nde|qui[ée]n|hay|es|est[áa]n?|puedes?"
    r"|podr\w+|tiene\w*|quieres|sabes"
    r"|o que|como|onde|quando|quem|qual|quais|porqu[eê]|pode\w*|d[áa]|é|tem|t[êe]m|ser[áa]|deu|quer"
    r"|quoi|comment|pourquoi|o[ùu]|quand|qui|quel\w*|est-ce|qu'\w+|peux|peut|tu|vous|c'est|ça|y a"
    r"|combien|faut|on|что|как|почему|зачем|где|когда|кто|какой|какая|какие|можно|можешь|есть"
    r")(?![\w'])",
    re.IGNORECASE,
)
_ASKS_EAST = lazily(
    r"吗|呢|吧|么|嘛|什么|怎|为啥|谁|哪|几|多少|是否|是不是|要不要|能不能|可不可以|有没有|好不好"
    r"|对不"
    r"|か[?？]|ない[?？]|なぜ|どう|どこ|いつ|何|誰|까|나요|니[?？]|죠|지[?？]|왜|어떻|뭐|언제|어디"
    r"|누"
)
# What only asks whether the other follows, or answers with a question, names nothing.
_NAMES_NOTHING = lazily(
    r"\W*(?:(?:all )?(?:ok|okay|k|right|ready|done|really|sure|seriously|yes|yeah|no|huh|hm+|eh|so"
    r"|hello|hi|hey|got it|clear|understood|deal|agreed|see|you know|excuse me|sorry|pardon|well"
    r"|claro|verdad|vale|listo|certo|né|tá|sim|não|sí|oui|non|si|d'accord|hein|ja|nein|oder|klar"
    r"|gut|fertig|да|нет|ок|ладно|好|行|对|嗯|啊|はい|え|네|응)\W*)+$",
    re.IGNORECASE,
)
_TAG = lazily(r"[,，、][^,，、?？]{1,24}[?？]\W{0,8}$")
_TOPIC_WORDS = 10
TOPIC_CHARS = 80
# How far the front of a sentence goes, in which nothing can stand yet that a pronoun means.
_FRONT_WORDS = 6
_SHORT_WORDS = 9
# What names nothing is not longer than this.
_BARE_WORDS = 8
_FRONT_EAST_CHARS = 12
_LONGEST_CHARS = 400
_THING = (
    r"one|ones|files?|folders?|dir|directory|modules?|function|class|table|column|tests?|branch"
    r"|script|package|endpoint|part|thing|stuff|lines?|code|flag|keys?|server|service|component"
    r"|page|field|config|job|queue|schema|version|name|way|rule|list|step|value|number"
)
_GOES_ON = (
    r"\s*(?:$|[.,;:!?)—–-]|(?:alone|again|any ?more|either|too|first|anywhere|yourself|by"
    r"|in|on|for|from|until|till|without|with|as|is|was|are|stays?|goes|needs|has|must|should|can"
    r"|may|will|never|always|and|or|but|before|after|when|unless|if|every|at|to me)\b)"
)
_MEANS_ANOTHER = lazily(
    r"\b(?:(?<!as )it|them|they|he|she|him|itself|those|these)"
    r"(?!\w|'s (?:fine|ok|better|important|best))"
    rf"|\b(?:that|this)(?: (?:{_THING})\b|{_GOES_ON})"
    rf"|\b(?:those|these) (?:{_THING})\b"
    r"|(?<!is )(?<!are )\bthere(?!\w|'s|\s(?:is|are|was|were|has|have|should|must|can|will|may)\b)"
    r"|\b(?:ça|cela|celui-ci|celle-ci|ceux-ci|là-dedans|là-bas|dessus|dedans)\b|\bn'(?:y|en)\b"
    r"|\bne (?:le|la|les) \w|\w-(?:le|la|les|y|en)\b"
    r"|\b(?:eso|esto|ello|ellos|ellas|ahí|allí|aquello)\b|\bno (?:lo|la|los|las) \w"
    r"|\w(?:ar|er|ir)(?:lo|la|los|las)\b"
    r"|\b(?:isso|isto|aquilo|nele|nela|neles|nelas|nisso|disso|dele|dela|lá|ali)\b|\w-l[oa]s?\b"
    r"|\b(?:es|ihn|ihm|dort|davon|damit|daran|darin|dabei|dafür)\b|\bdas (?:ist|bleibt|darf|muss)\b"
    r"|\b(?:его|её|ее|их|это|туда|там|ним|ней)\b",
    re.IGNORECASE,
)
# A word of each of its branches.
_PRONOUNS = frozenset(
    "it them they he she him itself those these that this there ça cela celui celle ceux là dessus"
    " dedans n ne le la les y en eso esto ello ellos ellas ahí allí aquello lo los las isso isto"
    " aquilo nele nela neles nelas nisso disso dele dela lá ali es ihn ihm dort davon damit daran"
    " darin dabei dafür das его её ее их это туда там ним ней".split()
)
_ENCLITICS = ("rlo", "rla", "rlos", "rlas")
# In Spanish "es" is no pronoun.
_SPANISH = lazily(
    r"\b(?:el|la|los|las|una?|que|del|lo|su|mi|nuestr[oa]s?|est[eao]s?|para|con|siempre|nunca|no|y"
    r"|t[uú]"
    r"|il|en)\b",
    re.IGNORECASE,
)
_MEANS_ANOTHER_EAST = lazily(
    r"[它他她]|[这那](?:个|些|里|边|样|块|条|次|种)|それ|これ|あれ|そこ|ここ|その|この|あの"
    r"|그것|이것|그거|이거|거기|그건|이건"
)
_ONLY_LEANS = lazily(
    r"\W*(?:(?:and|but|so|also|then) )?(?:same (?:for|goes|rule|thing|here|with)|(?:but )?not"
    r" (?:in|on|for|with|at|from)\b|except\b|unless\b|only (?:in|on|for|when|with|after|if)\b"
    r"|otherwise\b|no exceptions?\b|without exceptions?\b|sauf\b|salvo\b|excepto\b|außer\b"
    r"|sonst\b|sinon\b|igual (?:para|con)\b|pareil (?:pour|avec)\b|gilt auch\b)",
    re.IGNORECASE,
)
# A rule of which all is said but what it is about.
_NO_SUBJECT = lazily(
    r"\W*(?:(?:so|please|pls|and|but|just|then|really|seriously|ok|alors|bitte|por favor) )*(?:"
    r"hands off|steer clear|(?:keep|stay) (?:out|away|off|clear)|(?:don't|do not|never|no) touch\w*"
    r"|not again|never(?: ever)?(?: again)?|always|ever|every (?:time|one|single (?:one|time))"
    r"|all of them|untouchable|off[- ]limits|taboo|frozen|read[- ]only|no (?:way|chance|touching)"
    r"|just don't|don't(?: even)?(?: bother| try| ask)?|let (?:be|lie)|leave alone|look don't touch"
    r"|(?:ask|ping|tell) (?:me )?first|ask (?:me )?before|always ask|by hand|tabu|finger weg"
    r"|pas touche|on (?:n'y )?touche pas|ni tocar|ni se te ocurra|nem pensar|nem tocar|jamais|nunca"
    r"|(?:nie(?:mals)?|nicht) anfassen|no tocar|não (?:tocar|mexer)|ne pas toucher|nie(?:mals)?"
    r"|siempre|sempre|toujours|immer|не трогать|никогда|всегда"
    r")(?:[ ,]+(?:please|pls|ok|okay|ever|again|bitte|thanks|thx))*\W*$",
    re.IGNORECASE,
)
_NO_SUBJECT_EAST = lazily(
    r"(?:请|一律|绝对|千万)?(?:别动|不要动|勿动|不许动|不能动|别碰|不要碰|先问我|必须"
    r"|禁止)[。！!]?$"
)
_NOT_MEANT = lazily(
    r"\b(?:it|es|il|это)(?:'s| is| ist| est)? (?:important|crucial|essential|fine|ok|okay|clear"
    r"|better|best|best to|wichtig|important)\b"
    r"|\b(?:is|make|made|got|get|take) it (?:clear|easy)\b",
    re.IGNORECASE,
)
_TOPIC_END = lazily(r"[?？](?:\s+(?=\w)|(?<=？)(?=\w))")
_WORD = lazily(r"\S+")


def is_topic(piece: str) -> bool:
    """Tell whether what ends with a question mark calls something by its name: "new endpoint?"."""
    if (
        len(piece) > TOPIC_CHARS
        or len(piece.split()) > _TOPIC_WORDS
        or not _ASKED.search(piece.rstrip())
    ):
        return False
    asks = _ASKS.match(piece) or _NAMES_NOTHING.match(piece) or _TAG.search(piece)
    return not asks and not (has_cjk(piece) and _ASKS_EAST.search(piece))


def without_topic(sentence: str) -> str:
    """Return what a sentence says of the topic that it begins with; all of it without one."""
    found = _TOPIC_END.search(sentence)
    return sentence[found.end() :] if found and is_topic(sentence[: found.end()]) else sentence


def leans(sentence: str) -> bool:
    """Tell whether a sentence says what it says only with the one before it: "Never edit it."."""
    if len(sentence) > _LONGEST_CHARS:
        return False
    if has_cjk(sentence):
        front = sentence[:_FRONT_EAST_CHARS]
        return bool(_MEANS_ANOTHER_EAST.search(front) or _NO_SUBJECT_EAST.match(sentence))
    plain = sentence.replace("’", "'")
    words = plain.split()
    if len(words) <= _BARE_WORDS and _NO_SUBJECT.match(plain):
        return True
    if _ONLY_LEANS.match(plain):
        return True
    found = _pronoun_in(plain) if _may_hold_pronoun(plain) else None
    if found is None or _NOT_MEANT.search(plain):
        return False
    words_before = sum(word.start() < found.start() for word in _WORD.finditer(plain))
    return words_before < _FRONT_WORDS or len(words) <= _SHORT_WORDS


def _pronoun_in(plain: str) -> "re.Match[str] | None":
    pronouns = list(_MEANS_ANOTHER.finditer(plain))
    if any(found.group().casefold() == "es" for found in pronouns) and _SPANISH.search(plain):
        pronouns = [found for found in pronouns if found.group().casefold() != "es"]
    return pronouns[0] if pronouns else None


def _may_hold_pronoun(plain: str) -> bool:
    """Tell at a glance whether a sentence may hold one; to compile the pattern takes longer."""
    words = "".join(sign if sign.isalnum() else " " for sign in plain.casefold()).split()
    return any(word in _PRONOUNS or word.endswith(_ENCLITICS) for word in words)

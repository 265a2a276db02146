"""What a sentence puts off for later, or asks to be reminded of."""

import re

from amplihack_compaction.text.strings import compile_all, match_any

_SENTENCE_CHARS = 300
_LEAD = (
    r"\W{0,5}(?:(?:and|also|oh|ok|okay|so|then|but|please|pls|btw|by the way|great|und|ach|gut"
    r"|super|top|bitte|danke|et|aussi|nickel|parfait|merci|stp|y|genial|vale|perfecto|gracias|porfa"
    r"|por favor|e|show|beleza|blz|valeu|и|а|ок|супер|ладно|спасибо)[, ]{1,5}){0,3}"
)
_LEAD_KOREAN = r"\W{0,5}(?:(?:ㅇㅋ|네|응|좋아|그리고|아)[, ]{1,5}){0,2}"
_REMIND = (
    rf"{_LEAD}(?:(?:remind (?:me|us)|don'?t let (?:me|us) forget)(?: later| then| tomorrow)?"
    r"(?: to| about| of| that)?"
    r"|(?:rappelle[- ]moi|faudra(?:it)? (?:penser|pas oublier))(?: [aà]| de| que)?"
    r"|(?:recu[ée]rda(?:me|nos)|(?:hay|habr[aá]) que acordarse)(?: que| de)?"
    r"|(?:me lembr[ae]|lembr[ae][- ]me|tem que lembrar)(?: de| que)?"
    r"|erinner[en]? (?:mich|uns)(?: bitte| mal| noch){0,2}(?: da?ran| an)?,?(?: dass)?)\s"
    r"(?P<what>\S.+)"
    r"|(?:[^，,。 ]{1,4}[，, ])?(?P<when>[^，,。 ]{1,12}[前后时])?.{0,8}?提醒我[，,]?"
    r"(?P<east>.{3,})"
    rf"|{_LEAD}(?:(?:не забудь )?напомни(?:те)?(?: мне)?|надо (?:будет )?не забыть),?"
    r" (?P<russian>.{3,})"
    r"|\W{0,5}(?:(?:おk|ok|はい|あと)[、。, ]?)?(?P<japanese>.{3,200}?)(?:の|こと)?(?:を)?"
    r"(?:思い出させて|リマインドして)"
    rf"|{_LEAD_KOREAN}(?P<korean>.{{3,200}}?)"
    r"(?:(?:하)?라고|(?:는|하는) (?:것|거)(?:을|를)?|를|을)? ?(?:상기시켜|리마인드)"
)
_LATER = (
    rf"{_LEAD}(?:(?:note to self|(?:todo|to-do|to do|reminder|something)? ?(?:for )?(?:later"
    r"|tomorrow|next week)|todo|to-do|to do|follow[- ]?ups?|backlog"
    r"|(?:(?:merk(?:en)?|notier(?:en|e)?|schreib)(?: dir| es dir)? )?(?:f[üu]e?r )?sp[äa]e?ter"
    r"|(?:note(?:r)? )?(?:pour )?plus tard|(?:(?:apunta|anota)(?:lo)? )?para (?:despu[ée]s|luego)"
    r"|(?:anota )?(?:para|pra) depois|на потом|потом|待办|以后再做)\s{0,3}(?:[:：]\s{0,3}"
    r"|[–—-]\s))(?P<what>\S.+)"
)
# "we'll see the export later": what is called by its name is put off, "that" goes on.
_PARKED = (
    rf"{_LEAD}(?P<german>[^,;:]{{3,80}}?) (?:(?:machen|bauen|klären|verschieben) wir"
    r" (?:dann |erst )?(?:auf )?|kommt (?:erst |dann )?)(?:sp[äa]e?ter|morgen|nächste woche)"
    r"\W{0,5}$"
    rf"|{_LEAD}on (?:verra|fera|reprendra|laisse) (?P<french>[^,;:]{{3,80}}?)"
    r" (?:pour )?(?:plus tard|demain|la semaine prochaine)\W{0,5}$"
    rf"|{_LEAD}(?:lo de )?(?P<spanish>[^,;:]{{3,80}}?) (?:l[oa]s? )?(?:dej[aeo]mos|hacemos|haremos"
    r"|vemos|veremos|quedan?) (?:para )?(?:luego|despu[ée]s|m[áa]s tarde|otro d[íi]a|mañana"
    r"|la semana que viene)\W{0,5}$"
    rf"|{_LEAD}(?P<portuguese>[^,;:]{{3,80}}?) (?:ficam?|deixamos|a gente (?:v[êe]|faz|deixa))"
    r" (?:para |pr[ao] )?(?:depois|mais tarde|amanh[ãa]|(?:a )?semana que vem|(?:o )?pr[óo]xim[ao]"
    r" (?:sprint|vers[ãa]o|release))\W{0,5}$"
    rf"|{_LEAD}(?:depois|amanh[ãa]|semana que vem) a gente (?:v[êe]|faz|mexe n[ao]|olha)"
    rf" (?P<gente>[^,;:]{{3,80}})$"
    rf"|{_LEAD}(?P<russian>[^,;:]{{3,80}}?) (?:потом|позже|попозже|завтра)"
    r"(?: (?:сделаем|сделаю|допилим|посмотрим|займ[её]мся|добавим))?\W{0,5}$"
    r"|\W{0,5}(?P<chinese>[^，,：:]{2,30}?)(?:我们)?(?:稍后|以后|之后|回头|下周|明天)再(?:做|弄"
    r"|搞|加"
    r"|处理|实现|说|改)吧?[，, ]{0,2}(?:先记着|记一下)?\W{0,5}$"
    r"|\W{0,5}(?P<japanese>[^、，,：:]{2,40}?)(?:は|を)?、?(?:後回し|(?:あとで|後で|来週"
    r"|明日)(?:に)?"
    r"(?:やる|やります|する|します|やろう|でいい|お願い))\S{0,3}$"
    rf"|{_LEAD_KOREAN}(?P<korean>[^,：:]{{2,40}}?)(?:은|는|을|를)? 나중에(?: ?(?:하자|할게|해"
    r"|만들자|처리|보자)\S{0,3})?\W{0,5}$"
)
_LISTED = (
    rf"{_LEAD}(?:put|add|write) (?P<what>.{{3,120}}?) (?:on|to|onto|in) (?:the|your|our|my)"
    r" (?:todos?|to-dos?|backlog|(?:task|todo|to-do) list)(?: (?:too|as well|please|for (?:later"
    r"|now|tomorrow)))?\s{0,3}(?:$|[,.;:!])"
)
_REMIND_AT_END = (
    rf"{_LEAD}(?P<what>.{{0,60}}\b(?:must|have to|has to|needs? to|should|gotta|got to)\b"
    r".{8,200}?)\s{0,3}[,;–—-]\s{0,3}(?:please |so |and )?(?:remind (?:me|us)"
    r"|don'?t let (?:me|us) forget)(?: (?:of|about) (?:it|that|this))?(?: (?:later|then|tonight"
    r"|tomorrow|please|again)){0,2}\W*$"
)
WAYS = tuple(rf"^(?:{way})" for way in (_REMIND, _LATER, _PARKED, _LISTED, _REMIND_AT_END))
_PUTS_OFF = compile_all(WAYS, re.IGNORECASE)
# "Remind me what the port was" asks, and does not put anything off.
_ASKS = re.compile(
    r"(?:not|what|how|why|where|who|which|when|whether|if|again|comment|pourquoi|où|qué|cómo"
    r"|por qué|dónde|o que|como|onde|was|wie|warum|wo)\b|.{0,300}[?？]\s*$|什么|怎么|哪",
    re.IGNORECASE,
)
# What names no work of its own, or is to hold from here on.
_NO_WORK = re.compile(
    r"(?:(?:das|dies|es|den rest|ça|cela|le reste|[ée]?so|esto|lo|isso|isto|o resto|это|остальное"
    r"|тогда|но|а|сначала|ok|okay|ок|好的?|这个?|那个?|其他|それ|これ|了解|はい|残り|그거|그건"
    r"|이건|나머지)\W*)+$"
    r"|.*(?:\b(?:always|never|every|each|immer|nie|niemals|jede\w*|toujours|jamais|chaque|siempre"
    r"|nunca|cada|sempre|всегда|никогда|кажд\w+)\b|每次|一律|毎回|必ず|항상|매번)",
    re.IGNORECASE,
)


def put_off(sentence: str) -> str:
    """Return what a sentence puts off for later; empty when it puts nothing off."""
    if len(sentence) > _SENTENCE_CHARS:
        return ""
    found = match_any(_PUTS_OFF, sentence.replace("’", "'"))
    if found is None:
        return ""
    groups = found.groupdict()
    when = groups.pop("when", None) or ""
    what = when + next(filter(None, groups.values()), "").strip(" .!。！")
    return "" if _ASKS.match(what) or _NO_WORK.match(what) else what

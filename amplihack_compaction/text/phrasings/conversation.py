"""Wordings beside the work, in nine languages: breaks, corrections, later, going on, turning.

To turn is to go from what was asked for to something else.
"""

import re

from amplihack_compaction.text.words import compile_all, match_any, without_accents

_BREAK_CHARS = 200
_BREAK_CLAUSES = re.compile(
    r"[,;:.!?()–—、。，！？；]+|\s-\s|\b(?:um+|uh+|hm+|and|so|then|but|ok|okay|well|right|alright"
    r"|sorry|thanks|hey"
    r"|hi|hello|please|pls|now|und|dann|also|danke|bitte|et|bon|alors|merci|y|bueno|pues|vale"
    r"|gracias"
    r"|e|bom|então|valeu|obrigad[oa]|и|ну|ладно|так|спасибо)\b",
    re.IGNORECASE,
)
_RESUMED_AT = (
    r"(?:tomorrow|later|tonight|(?:on |next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|next week"
    r"|after (?:lunch|the (?:break|meeting|weekend)))"
)
_BREAK_WORDS = tuple(
    rf"(?:{way})$"
    for way in (
        r"(?:i )?(?:gotta|got to|have to|need to|must) (?:go|run|leave|stop here|head out)",
        r"(?:(?:i'?m|we'?re) )?(?:heading|off) (?:out|home|to (?:bed|lunch|a meeting))"
        r"|(?:(?:i'?m|let'?s) )?call(?:ing)? it a (?:day|night)"
        r"|(?:that(?:'?s| is) (?:it|all|enough)|(?:(?:i'?m|we'?re) )?done|enough) for"
        r" (?:today|tonight|the day)",
        r"(?:(?:i|we)(?:'ll| will) |let'?s )?(?:continue|carry on|go on|pick (?:this|it) up"
        rf"|resume)(?: (?:this|it|that|here))?(?: again)? {_RESUMED_AT}",
        rf"(?:see|talk to) (?:you|ya)(?: {_RESUMED_AT})?",
        r"good ?(?:night|morning|afternoon|evening)|morning|bye|brb|afk|back in (?:a|an|\d+) \w+"
        r"|(?:(?:i'?m|i am) )?back(?: again)?(?: from \w+(?: \w+)?)?|(?:to)?day \d+",
        r"where (?:were|are|did) we(?: (?:stop|at|again|yesterday))?|what were we doing"
        r"|(?:write|note|jot) (?:it |that |this )?down where (?:you|we) (?:are|were|stand|stopped)"
        r"|save (?:your|the) (?:progress|state)",
        r"(?:das (?:war|wär)'?s (?:für|fuer) heute|(?:ich )?(?:mach(?:e)?|machen wir)"
        r" (?:jetzt )?(?:feierabend|schluss|pause)(?: für heute)?|feierabend|bis (?:morgen|später"
        r"|nachher|montag)|(?:es )?(?:ich mache |wir machen |geht )?(?:morgen|später|nachher"
        r"|montag)"
        r"(?: geht'?s| machen wir| mache ich)? weiter|(?:ich )?muss (?:jetzt )?(?:los|weg|gehen)"
        r"|gute nacht|guten morgen|(?:ich )?bin (?:wieder da|zurück|zurueck)|wo waren wir)",
        r"(?:c'est (?:tout|fini|bon) pour (?:aujourd'hui|ce soir)|on (?:s'arrête|arrête) là"
        r"(?: pour (?:aujourd'hui|ce soir))?|(?:on|je) (?:reprend|continue)s? (?:demain|lundi"
        r"|plus tard|après manger)|à (?:demain|lundi|plus(?: tard)?|tout à l'heure)"
        r"|je (?:dois y aller|file|reviens)|bonne nuit|bonjour|(?:je suis )?de retour"
        r"|on en était où)",
        r"(?:(?:eso es|es) todo por hoy|(?:lo )?dejamos (?:aquí|aqui)(?: por hoy)?|por hoy (?:basta"
        r"|ya está)|(?:seguimos|sigo|continuamos) (?:mañana|luego|el lunes|más tarde)"
        r"|(?:hasta|nos vemos) (?:mañana|luego|el lunes)|(?:me )?tengo que ir(?:me)?|me voy"
        r"(?: a (?:comer|dormir))?|buenas noches|buenos días|(?:ya )?(?:volví|he vuelto|estoy aquí)"
        r"|(?:en qué|dónde) (?:íbamos|estábamos))",
        r"(?:(?:é|por hoje é) (?:só|isso)(?: por hoje)?|por hoje (?:chega|é só|tá bom)"
        r"|(?:a gente )?(?:para|paramos) por aqui(?: hoje)?|(?:continuamos|continuo|a gente"
        r" continua"
        r"|seguimos) (?:amanhã|depois|na segunda|mais tarde)|até (?:amanhã|mais|segunda|depois)"
        r"|(?:eu )?(?:tenho que|preciso) (?:ir|sair)|boa noite|bom dia|voltei|onde (?:a gente"
        r" )?(?:parou|paramos|estávamos))",
        r"(?:на сегодня (?:вс[её]|хватит)|(?:вс[её]|хватит) на сегодня|(?:продолжим|продолжу)"
        r" (?:завтра|потом|позже|в понедельник)|до (?:завтра|понедельника|связи)|(?:мне )?(?:пора"
        r"|надо (?:идти|бежать))|я (?:уш[её]л|ушла|побежал[а]?|вернул(?:ся|ась))|спокойной ночи"
        r"|доброе утро|на ч[её]м (?:мы )?остановились)",
        r"(?:今天)?(?:就|先)?(?:到此为止|到这(?:里|儿)?)(?:吧|了)?|今天(?:就|先)(?:这样|到这(?:里"
        r"|儿)?)"
        r"(?:吧|了)?|明天(?:再)?继续(?:吧)?|(?:我)?(?:先)?(?:下班|吃饭去|睡觉去|开会去|走|撤)了"
        r"|回来再(?:说|弄|继续)|晚安|早上好|早|我?回来了|我们(?:做|说|弄)到哪(?:里|儿)?了",
        r"(?:今日|本日)は(?:ここまで|以上)(?:で|に(?:し(?:ます|よう)|する))?(?:す|お願いします)?"
        r"|(?:続きは|また)(?:明日|来週|あとで|後で|月曜)(?:に(?:します|する))?(?:やる|やります)?"
        r"|お(?:疲れ(?:さま|様)(?:でした|です)?|やすみ(?:なさい)?|はよう(?:ございます)?)"
        r"|休憩(?:します|する)"
        r"|ただいま|戻(?:った|りました)|どこまで(?:やった|でした|進んだ)(?:っけ)?",
        r"오늘은? ?(?:여기까지|이만)(?:만)?(?: ?(?:하자|할게|하죠|하겠습니다))?|내일(?: 다시)?"
        r" ?(?:이어서"
        r"|계속)(?: ?(?:하자|할게|해요|하죠))?|(?:나 )?(?:이제 )?(?:퇴근(?:할게|한다|합니다)?"
        r"|가야 ?(?:해|돼)|밥"
        r" 먹고 올게)|수고(?:했어|하셨습니다|요)|잘 자|좋은 아침|(?:나 )?(?:돌아왔어|다녀왔어)"
        r"|어디까지 했(?:지|더라)",
    )
)
_BREAK = compile_all(_BREAK_WORDS, re.IGNORECASE)


def only_breaks(sentence: str) -> bool:
    """Return whether a sentence only breaks off ("gotta go, continue tomorrow") or comes back."""
    if len(sentence) > _BREAK_CHARS:
        return False
    clauses = [clause.strip() for clause in _BREAK_CLAUSES.split(sentence.replace("’", "'"))]
    said = [clause for clause in clauses if clause]
    return bool(said) and all(match_any(_BREAK, clause) for clause in said)


_CORRECTION_LEAD = (
    r"^\W{0,5}(?:(?:oh|ah|ach|ay|ai|hey|hm+|um+|uh+|no|nope|ok|okay|and|but|oui|ой|あ|아)"
    r"[\s,.!、。，]{1,3}){0,3}"
)
# Who says so was wrong.
_SORRY_WORDS = tuple(
    rf"{_CORRECTION_LEAD}(?:{words})(?![a-zà-ÿа-яё])"
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
_ACTUALLY_WORDS = (
    rf"{_CORRECTION_LEAD}(?:actually|wait|hold on|wrong)\b",
    rf"{_CORRECTION_LEAD}(?:make|change) (?:that|it)\b",
    r"^[^.!?]{3,120}\bactually\W*$",
    rf"{_CORRECTION_LEAD}en fait\b",
    rf"{_CORRECTION_LEAD}(?:改成|改为|应该是)",
)
_SORRY = compile_all(_SORRY_WORDS, re.IGNORECASE)
_ACTUALLY = compile_all(_ACTUALLY_WORDS, re.IGNORECASE)
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


_REMINDER_CHARS = 300
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
_WAYS = tuple(rf"^(?:{way})" for way in (_REMIND, _LATER, _PARKED, _LISTED, _REMIND_AT_END))
_PUTS_OFF = compile_all(_WAYS, re.IGNORECASE)
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


def put_off_in(sentence: str) -> str:
    """Return what a sentence puts off for later; empty when it puts nothing off."""
    if len(sentence) > _REMINDER_CHARS:
        return ""
    found = match_any(_PUTS_OFF, sentence.replace("’", "'"))
    if found is None:
        return ""
    groups = found.groupdict()
    when = groups.pop("when", None) or ""
    what = when + next(filter(None, groups.values()), "").strip(" .!。！")
    return "" if _ASKS.match(what) or _NO_WORK.match(what) else what


# A prompt of nothing but these words sets no objective.
GO_ON_WORDS = frozenset(
    "yes yeah yep yup y ok okay k sure go on ahead continue proceed resume next please pls "
    "thanks thank thx ty you great good nice perfect"
    " cool fine right correct exactly do it that this these those now commit push merge pr open "
    "a an and the changes change again retry try"
    " more stop wait no nope not hm hmm undo revert looks lgtm works work done both all run "
    "them then also so too i we let's lets me my is"
    " are was to of in for with on keep going one two three first second third last option "
    "latter former either whatever ship send file"
    " everything still yet very much awesome love see sounds agreed agree approved approve "
    "confirm confirmed restart start finish test tests"
    " check git status same here there what how why up out off or but if just be can could "
    "would step steps rest part branch main message"
    " ja jo jap nein weiter mach mache bitte danke gut genau passt super klar jetzt alles das "
    "es und los nochmal auch noch den die der"
    " oui non continue continuez vas-y merci d'accord parfait bien c'est ça bon maintenant "
    "encore et le la les"
    " sí si no sigue continúa continua dale gracias vale bien perfecto claro adelante ahora "
    "otra vez hazlo eso el los y"
    " sim não continue segue prossiga obrigado obrigada beleza certo isso perfeito ótimo agora "
    "faça pode vai e o os"
    " да нет ок хорошо давай продолжай дальше спасибо отлично супер верно делай ладно угу ага "
    "готово пожалуйста и это"
    " 是 是的 好 好的 行 可以 继续 谢谢 不 不是 对 嗯 没问题 完美 提交 推送 请 请继续 好的继续 "
    "开始 开始吧"
    " はい いいえ うん ok 続けて 続けてください お願いします ありがとう ありがとうございます "
    "そうです 了解 次 進めて どうぞ コミットして"
    " 네 예 응 아니 아니요 계속 계속해 계속해줘 계속해주세요 고마워 감사합니다 좋아 좋아요 "
    "그래 진행해 진행해줘 커밋해줘".split()
)


# What turns from what was asked to something else.
_SWITCHES = (
    r"(?<!don't )(?<!not )(?<!never )\bforget (?:about )?(?!to\b|what i said|it\b)(?:the|that"
    r"|this|those|my|all|everything|\w+ing)\b",
    r"\bnew (?:task|topic|goal|objective|plan|job|assignment)\b",
    r"\b(?:switch|move on|pivot|turn|move over|jump)(?:ing)? (?:over )?to\b",
    r"\b(?:now|next),? (?:we(?:'ll)?|let'?s|i want(?: you)? to|i'?d like you to) (?:tackle|build"
    r"|begin|implement|write|create|develop|design|migrate|port|turn to|go for|do|take|start)\b",
    r"\bwhat (?:we|i) (?:really )?(?:need|want) (?:now|next|first) is\b",
    r"\b(?:park|shelv|paus|leav|dropp|scrapp|stopp|postpon|skipp)ing (?:that|this|it|all that)\b",
    r"\b(?:next up|up next)\b",
    r"\b(?:mov(?:e|ing)|go(?:ing)?) on(?:wards?)? to\b",
    r"\b(?:switch|shift|chang)(?:e|ing)? (?:gears|focus|topics?|tracks?|direction|course)\b",
    r"\b(?:goals?|objectives?|priorit(?:y|ies)|focus|plans?|aim)(?: for [\w ]{1,20}?)? (?:has"
    r"|have|is|are)(?: now)? (?:changed|shifted|different|now)\b",
    r"\b(?:priority|focus|goal) is .{2,60}\bnow\b",
    r"\b(?:leave|drop|stop|pause) (?:that|this|it|everything) and\b",
    r"\b(?:scratch|pause|postpone|shelve) (?:that|this|it)\b",
    r"\bon change (?:d'objectif|de (?:sujet|cap|plan))",
    r"\bahora toca\b",
    r"\bmud(?:a|amos|ando) de (?:planos?|assunto|foco|ideia)\b",
    r"接下来做",
    r"\bchange of (?:plans?|direction|topic)\b",
    r"\bstop (?:working on|with|the work on)\b",
    r"^[^\w\n]*(?:ok(?:ay)?,? )?stop (?:that|this|it)\b",
    r"\bchangement de (?:plan|programme|cap)\b",
    r"\bcambios? de planes?\b",
    r"\bmudanças? de planos?\b",
    r"\bplanänderung\b",
    r"\b(?:nouvel objectif|nuevo objetivo|novo objetivo|neues ziel)\b",
    r"\b(?:próxim[ao]|siguiente|seguinte) (?:tarea|tarefa|objetivo)\b",
    r"\b(?:prochaine|nächste) (?:tâche|aufgabe)\b",
    r"(?:下一个|下一项)(?:任务|工作|目标)",
    r"计划(?:有变|变了|改变)",
    r"先不做",
    r"\b(?:laisse|laissons) (?:ça|cela|tout) de côté\b",
    r"\bdejemos (?:eso|esto)\b",
    r"\b(?:scrap|abandon|park|shelve|ditch) (?:that|this|it|the|all)\b",
    r"\bdrop (?:that|this|it|all)\b",
    # "drop the batch endpoint" is work on it.
    r"\bdrop the [^.!?]{2,40}(?:\bfor (?:now|today|the moment)\b|\b(?:and|work|task|thing|idea|plan"
    r"|topic)\b|[,;] (?:let'?s|we|now|do|build|start|go|work|instead|fix|look)\b)",
    r"\bleave (?:that|this|it|the .{1,40}) (?:for now|for later|aside|be|behind)\b",
    r"\bput .{1,40} (?:aside|on hold|on ice)\b",
    r"^instead\b",
    r"\binstead[.!]?$",
    r"\b(?:start|begin|work|continue|go|carry) (?:on|with) [^?.!]{2,40} instead\b",
    r"\b(?:today|now) (?:we|i|you) (?:work on|do|tackle|start|build)\b",
    r"\blet'?s (?:now )?(?:tackle|turn to|start (?:on|with)|begin with)\b",
    r"\benough \w+ing\b",
    r"\b(?:leave it there|we(?:'re| are) done (?:here|with)|(?:this|that|it) can wait)\b",
    r"^[^\w\n]*(?:ok(?:ay)?,? |now,? |so,? )*on to \w",
    r"\b(?:task|scope|requirements?|assignment) (?:has|have) changed\b",
    r"\brather than (?:this|that)\b",
    r"\b(?:i|we)(?:'ve| have)? changed (?:my|our) minds?\b",
    r"\b(?:can|could) we do [^?]{2,40} first\b",
    r"\b(?:comes|goes) first\b",
    r"\bpause (?:here|that|this|it)\b",
    r"^(?:from the backlog|next (?:ticket|item|story)|próximo|siguiente|next)\b ?:",
    r"\bautre sujet\b",
    r"\bon passe à\b",
    r"现在开始做|下面(?:把|做|来)|(?:这个|都)做完了",
    r"\bsomething (?:else|different|completely|bigger)\b",
    r"\b(?:different|another|next) (?:task|topic|issue|subject|thing|matter)\b",
    r"\bnever ?mind (?:that|the|about)\b",
    r"\bvergiss (?!nicht)(?:das|die|den|alles)\b",
    r"\bneue aufgabe\b",
    r"\bstattdessen\b",
    r"\b(?:wechseln|gehen) wir\b",
    r"\blass (?:das|uns etwas)\b",
    r"\bhör auf (?:mit|an)\b",
    r"\betwas (?:anderes|ganz anderes)\b",
    r"\banderes thema\b",
    r"\bthemenwechsel\b",
    r"\b(?:oublie|laisse tomber|abandonne) (?!pas)(?:le|la|les|ça|tout|cette?|ce)\b",
    r"\bnouvelle tâche\b",
    r"\bpassons à\b",
    r"\bchangeons de\b",
    r"\bolvida (?:el|la|lo|los|las|eso|todo)\b",
    r"\bolvídate de\b",
    r"\bnueva tarea\b",
    r"\b(?:cambiemos|pasemos) (?:a|de)\b",
    r"\bdeja (?:eso|lo de)\b",
    r"\besque[cç]\w+ (?:o|a|os|as|isso|tudo)\b",
    r"\bnova tarefa\b",
    r"\bvamos (?:mudar|passar) (?:para|de)\b",
    r"\bdeix[ae] isso\b",
    r"(?<!не )\bзабудь (?:про|о|об|это|всё)\b",
    r"\bновая задача\b",
    r"\bпереключ(?:ись|имся|аемся|айся|айтесь|итесь|аюсь|усь) на\b",
    r"\bпереходим к\b",
    r"\bвместо этого\b",
    r"\bдавай (?:лучше|другое)\b",
    r"\bхватит (?:про|с)\b",
    r"\bброс(?:ь|ай)\b",
    r"\bдругая (?:задача|тема)\b",
    r"新任务",
    r"(?:^|[，。,！!；;])(?:\w{0,3})换一?个(?:任务|方向|话题|目标|事|活|吧|\W*$)",
    r"先不管",
    r"别管",
    r"(?:は|のこと(?:は|を)?|を)忘れて(?!い)",
    r"新しいタスク",
    r"代わりに、",
    r"に切り替え",
    r"に移(?:り|ろう|って)",
    r"はやめて、",
    r"は置いておいて",
    r"別の(?:タスク|作業|件)",
    r"(?:은|는|을|를) (?:잊|그만|접|놔두|중단)",
    r"새로운? (?:작업|과제|태스크)",
    r"대신에,",
    r"로 넘어|(?:작업|일|과제|태스크|쪽|기능|개발)(?:으)?로 (?:전환|바꿔)",
    r"다른 (?:작업|일|주제)",
)
SWITCHES = tuple(map(without_accents, _SWITCHES))
# What puts one thing aside: with nothing else to do it is no turn from the work, but a part less.
PARKS = re.compile(
    r"\b(?:leave|put|postpone|pause|park|shelve)\b.{1,60}\b(?:for now|for later|for another day"
    r"|aside"
    r"|be|behind|on hold|on ice)\b|\b(?:laisse|laissons|deja|dejemos|deix\w+)\b.{1,60}\bde"
    r" (?:côté|lado)\b"
    r"|\bброс(?:ь|ай)\b|先不(?:做|管)|先放下|は置いておいて|(?:은|는|을|를) 놔두",
    re.IGNORECASE,
)
# To forget a rule is to lift it, and no turn to other work.
RULE_TALK = re.compile(
    r"\b(?:rules?|restrictions?|constraints?|requirements?|conventions?|ban|regel\w*|règles?"
    r"|reglas?|regras?|правил\w*)\b|规则|规定|限制|ルール|規則|규칙",
    re.IGNORECASE,
)
# What goes back to work that was left.
RETURNS = re.compile(
    r"\b(?:back to|return(?:ing)? to|resum(?:e|ing)|(?:continue|carry on|go on|keep going) with"
    r"|pick(?:ing)? up|tak(?:e|ing) up|zurück zu[mr]?|weiter mit|reprend|reprends|reprenons"
    r"|revien(?:t|s) (?:à|au|aux)|revenons (?:à|au|aux)|retom\w+|volvamos|volvemos|vuelve a"
    r"|sigamos con|sigue con|seguimos con|voltamos|voltemos|volta (?:pro|para|ao|à)|continua com"
    r"|вернёмся к|вернемся к|возвращаемся к|возвращайся к|продолжай(?:те)?)\b"
    r"|回到|继续做?|接着做|(?:に|へ)(?:戻|もど)|の続き|を再開|(?:으?로) (?:돌아|복귀)"
    r"|다시 (?:이어|계속)",
    re.IGNORECASE,
)
# What turns to the next work, for the one before is done.
FOLLOWS = re.compile(
    r"\W{0,4}(?:(?:ok|okay|great|good|nice|perfect|thanks|thx|cool|super|fine|done|gut|danke"
    r"|merci|vale|gracias|bien|ótimo|obrigad[oa]|спасибо|отлично|хорошо|好的?|はい|네)[\s,.;:!，。]"
    r"{1,3}){0,3}(?:(?:next|up next|now|then|(?:(?:move|go|moving|going) )?on to"
    r"|let'?s (?:now|move on)|weiter|jetzt|nun|als nächstes|maintenant|ensuite|passons|on passe"
    r"|ahora|siguiente|luego|agora|próxim[oa]|depois|теперь|дальше|далее|следующ\w+|переходим)\b"
    r"|接下来|然后|现在|下一|次(?:は|に)|続いて|다음|이제)",
    re.IGNORECASE,
)
GIVES_UP = re.compile(
    r"\b(?:forget|drop|scrap|stop|instead|abandon|ditch|never ?mind|vergiss|stattdessen|oublie"
    r"|laisse tomber|plutôt|olvida|olvídate|en vez|esque[cç]\w+|em vez|забудь|вместо|брось)\b"
    r"|放弃|不做|别管|やめ|忘れ|대신|그만",
    re.IGNORECASE,
)

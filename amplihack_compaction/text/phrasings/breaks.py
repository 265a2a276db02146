"""Which sentences only break off the work for a while, or come back to it."""

import re

from amplihack_compaction.text.strings import compile_all, match_any

_SENTENCE_CHARS = 200
_CLAUSES = re.compile(
    r"[,;:.!?()–—、。，！？；]+|\s-\s|\b(?:um+|uh+|hm+|and|so|then|but|ok|okay|well|right|alright"
    r"|sorry|thanks|hey"
    r"|hi|hello|please|pls|now|und|dann|also|danke|bitte|et|bon|alors|merci|y|bueno|pues|vale"
    r"|gracias"
    r"|e|bom|então|valeu|obrigad[oa]|и|ну|ладно|так|спасибо)\b",
    re.IGNORECASE,
)
_LATER = (
    r"(?:tomorrow|later|tonight|(?:on |next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|next week"
    r"|after (?:lunch|the (?:break|meeting|weekend)))"
)
BREAKS = tuple(
    rf"(?:{way})$"
    for way in (
        r"(?:i )?(?:gotta|got to|have to|need to|must) (?:go|run|leave|stop here|head out)",
        r"(?:(?:i'?m|we'?re) )?(?:heading|off) (?:out|home|to (?:bed|lunch|a meeting))"
        r"|(?:(?:i'?m|let'?s) )?call(?:ing)? it a (?:day|night)"
        r"|(?:that(?:'?s| is) (?:it|all|enough)|(?:(?:i'?m|we'?re) )?done|enough) for"
        r" (?:today|tonight|the day)",
        r"(?:(?:i|we)(?:'ll| will) |let'?s )?(?:continue|carry on|go on|pick (?:this|it) up"
        rf"|resume)(?: (?:this|it|that|here))?(?: again)? {_LATER}",
        rf"(?:see|talk to) (?:you|ya)(?: {_LATER})?",
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
_BREAK = compile_all(BREAKS, re.IGNORECASE)


def only_breaks(sentence: str) -> bool:
    """Return whether a sentence only breaks off ("gotta go, continue tomorrow") or comes back."""
    if len(sentence) > _SENTENCE_CHARS:
        return False
    clauses = [clause.strip() for clause in _CLAUSES.split(sentence.replace("’", "'"))]
    said = [clause for clause in clauses if clause]
    return bool(said) and all(match_any(_BREAK, clause) for clause in said)

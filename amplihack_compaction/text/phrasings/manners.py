"""Which sentences only say how the model is to talk: such are rules, and no work."""

import re

_SENTENCE_CHARS = 200
_CLAUSES = re.compile(
    r"[,;:，；：、。]\s*|\s[-–—]\s|\s(?:and|but|und|aber|et|mais|y|pero|e|mas|и|но)\s"
)
_TALK = re.compile(
    r"\W{0,5}(?:(?:please|always|just|so|ok|from now on|bitte|ab jetzt|ab sofort|s'il te pla[iî]t"
    r"|désormais|por favor|porfa|desde ahora|a partir de ahora|a partir de agora|пожалуйста)[,"
    r" ]+){0,3}"
    r"(?:(?:answer|reply|respond|speak)\b(?! (?:to|the)\b)"
    r"|(?:stop|quit|no more|don't|do not|never) (?:summari[sz]\w*|apologi[sz]\w*|explain\w*"
    r"|repeat\w*"
    r"|re-?read\w*|asking (?:me|if|whether|for)|saying|pasting)|you(?:'re| are)? (?:keep|always)\b"
    r"|(?:your|the) (?:answers?|replies|messages) (?:are|should|must)"
    r"|antworte?t?\b|sprich (?:mit mir )?(?:deutsch|englisch)|entschuldige? dich|fass(?:e)?"
    r" (?:nicht|das nicht)"
    r"|frag (?:mich )?nicht|(?:hör|hoer)e? auf (?:zu|mit)|erklär\w* (?:mir )?(?:nicht|das nicht)"
    r"|du (?:liest|fragst|entschuldigst|wiederholst|fasst) (?:dich )?(?:ständig|immer|dauernd"
    r"|jedes mal)"
    r"|deine (?:antworten|nachrichten)"
    r"|réponds|arrête de (?:dire|répéter|t'excuser|me proposer|résumer|demander|t'excuser)"
    r"|ne (?:résume|répète|t'excuse|m'explique)|tu (?:dis|répètes|t'excuses) (?:toujours|tout le"
    r" temps)|tes réponses"
    r"|resp[oó]nde(?:me)?|cont[eé]sta(?:me)?|no me (?:expliques|copies|resumas|repitas|pegues)"
    r"|tus respuestas"
    r"|deja de (?:explicar|disculparte|resumir|repetir|pedir)"
    r"|responde|(?:para|pare) de (?:pedir|explicar|resumir|repetir)|não (?:me )?(?:resume|explica"
    r"|repete|explique|repita)"
    r"|você (?:fica|sempre) (?:pedindo|repete|pede|lê)|suas respostas"
    r"|отвечай\w*|не (?:извиняйся|повторяй|объясняй|вставляй|пересказывай)|хватит (?:извиняться"
    r"|объяснять|повторять)"
    r"|твои ответы)\b",
    re.IGNORECASE,
)
# What is told with a manner, and alone may mean the work.
_STOPS = re.compile(
    r"\W*(?:lass (?:das|es)|stop (?:it|that)|arrête ça|deja eso|para com isso|corta isso"
    r"|прекрати)\W*$",
    re.IGNORECASE,
)
_TALK_EAST = re.compile(
    r"(?:回答|回复|回我|答复).{0,8}(?:短|简|别|不要|用|就够|行)|别(?:再)?(?:总结|解释|道歉|重复"
    r"|贴)|你老是|你总是"
    r"|(?:返事|回答|返信|応答)(?:は|が|を|、)|(?:要約|謝罪|説明)(?:は|を)?(?:しないで|不要"
    r"|要らない|いらない)|(?:全部|毎回).{0,12}貼らないで"
    r"|差分だけ見せ|(?:대답|답변|답장|요약|설명|사과)(?:은|는|을|를)? ?(?:하지 ?마|짧게|그만"
    r"|길게)|말끝마다"
)


def clauses_beside(sentence: str) -> list[str] | None:
    """Return what a sentence says beside how the model is to talk; None if it says nothing of that.

    "Answer in two lines, I'm on my phone" says where the user is.
    """
    if len(sentence) > _SENTENCE_CHARS:
        return None
    clauses = [clause for clause in _CLAUSES.split(sentence.replace("’", "'")) if clause.strip()]
    beside = [part for part in clauses if not (_TALK.match(part) or _TALK_EAST.search(part))]
    if len(beside) == len(clauses):
        return None
    return [part for part in beside if not _STOPS.match(part)]

"""Tell the lines that announce pasted text: "here is the log:", "the README says:"."""

import re

_LEAD_CHARS = 160
_MACHINE_WORDS = (
    r"logs?|outputs?|errors?|exceptions?|trace(?:back)?s?|stack ?traces?|stdout|stderr|console"
    r"|warnings?|diff|patch|payload|response|json|yaml|xml|html|csv|sql|query|config|result|results"
    r"|snippet|code|stack|dump|crash|报错|日志|错误|输出|代码|エラー|ログ|出力|コード|로그|에러"
    r"|오류|코드"
    r"|лог|логи|ошибк\w+|вывод|код|Fehler\w*|Ausgabe|Protokoll|erreurs?|journal|sortie|erro|saída"
    r"|registro|salida|errores"
)
_DOCUMENT_WORDS = (
    r"readme|docs?|documentation|guide(?:line)?s?|specs?|specification|article|e-?mail|mail|ticket"
    r"|issue|comments?|review|report|plan|prompt|policy|post|thread|slack|chat|contributing"
    r"|claude\.md|agents\.md|changelog|message|text|contents?|wrote|writes|says|said|transcript"
    r"|description|quote|excerpt|handbook|template|rfc|page|file|文档|邮件|说明|原文|内容|消息|文章"
    r"|ドキュメント|メール|記事|本文|문서|메일|글|текст|письмо|документаци\w+|статья|сообщение"
    r"|Doku\w*|Anleitung|Nachricht|courriel|courrier|texte|correo|mensaje|texto|documento|msgs?"
    r"|mensagem|recado|письма|сообщения"
    r"|documentação|documentación"
)
_POINTING = re.compile(
    r"\b(?:here(?:'s| is| are)?|this|these|following|below|from|get|gets|got|getting|see|seeing"
    r"|says?"
    r"|said|wrote|writes|shows?|prints?|returns?|gives?|attached|paste[ds]?|quote[ds]?|the|aqui"
    r"|aquí"
    r"|esto|este|voici|hier|dies|folgende\w*|вот|vom|von|aus|schau|guck|du|regarde|del|mira|d[ao]s?"
    r"|olha|veja|от|из|смотри)\b|这|以下|下面|如下|これ|次の|以下の|다음|이것"
    r"|아래",
    re.IGNORECASE,
)
_MACHINE_LEAD = re.compile(rf"(?<!\w)(?:{_MACHINE_WORDS})(?!\w)", re.IGNORECASE)
_DOCUMENT_LEAD = re.compile(rf"(?<!\w)(?:{_DOCUMENT_WORDS})(?!\w)", re.IGNORECASE)
_MACHINE_LEAD_CJK = re.compile(r"报错|日志|错误信息|输出|エラー|ログ|出力|로그|에러|오류")
_DOCUMENT_LEAD_CJK = re.compile(
    r"文档|邮件|说明书|原文|消息|留言|聊天记录|工单|ドキュメント|メール|記事|本文|メッセージ|チケット|コメント"
    r"|문서|메일|본문|메시지|공지|티켓|댓글"
)
_OWN_LIST = re.compile(
    r"\b(?:rules?|requirements?|constraints?|conventions?|keep in mind|remember|steps?|todos?"
    r"|tasks?"
    r"|do the following|make sure|regeln?|reglas|regras|règles|правила)\b|规则|要求|规范|ルール"
    r"|規則|규칙",
    re.IGNORECASE,
)


def lead_kind(line: str) -> str:
    """Return "machine" or "document", what the line announces; nothing for any other line."""
    line = line.strip()
    if not line.endswith((":", "：")):
        return ""
    clause = re.split(r"[.!?。！？]\s*", line[-_LEAD_CHARS:-1])[-1]
    if _OWN_LIST.search(clause):
        return ""
    short = len(clause.split()) <= 3 and len(clause) <= 30
    if not short and not _POINTING.search(clause):
        return ""
    if _MACHINE_LEAD.search(clause) or _MACHINE_LEAD_CJK.search(clause):
        return "machine"
    if _DOCUMENT_LEAD.search(clause) or _DOCUMENT_LEAD_CJK.search(clause):
        return "document"
    return ""

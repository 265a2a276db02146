"""What of a prompt its user typed, and what he pasted: code, logs, quotations, documents."""

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from operator import and_

from amplihack_compaction.text.sentences import is_list_item, machine_lines
from amplihack_compaction.text.words import one_line
from amplihack_compaction.transcript.session import is_cut

_TITLE_CHARS = 120
_CACHED_PROMPTS = 1024

# Of what somebody else wrote, so much is kept.
_HANDED_CHARS = 500
_GAP = re.compile(r"\n{3,}")
_INLINE_LEAD = re.compile(
    r"(?:^|(?<=[.!?] ))(?P<lead>(?:error message|output|log|stderr|stdout|traceback"
    r"|[^.:!?\n]{0,60}\b(?:here(?:'s| is)|got|get|getting|gives|shows|prints|throws|with)\b"
    r"[^.:!?\n]{0,40}\b(?:log|error|output|message|trace|exception"
    r"|warning)\b[^.:!?\n]{0,20})):[ \t]+"
    r"(?P<pasted>[^\n]+?)(?=(?<=[.!?])\s+(?=[A-Za-z])|$)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class PromptParts:
    """A prompt's typed part; of the pasted part its size and its first heading or line.

    `handed` is what of it was written to be read, in one line: a mail, a ticket, a review.
    """

    typed: str
    pasted_chars: int = 0
    title: str = ""
    handed: str = ""


@lru_cache(maxsize=_CACHED_PROMPTS)
def split_typed(text: str) -> PromptParts:
    """Return what the user typed himself, without code, logs, quotations and documents.

    Lines keep their order; where something pasted stood, an empty line separates what was
    around it.
    """
    spoken, inline = _drop_inline_output(text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = _ON_A_TEXT.sub(r"\g<0>\n", spoken).split("\n")
    marks = [is_cut(line) for line in lines]
    mark_blocks(lines, marks)
    plain = [not mark for mark in marks]
    for number, machine in enumerate(machine_lines(lines)):
        plain[number] = plain[number] and (not machine or is_quotation(lines[number]))
        marks[number] = marks[number] or (machine and lines[number].strip() != "")
    begin = mark_after_leads(lines, marks)
    mark_document(lines, marks)
    typed = _assemble(lines, marks, inline)
    return replace(typed, handed=_handed(lines, [*map(and_, marks, plain)], begin))


def _handed(lines: list[str], pasted: list[bool], begin: int) -> str:
    """Return the lines that quote somebody, and those below a line that announces a document."""
    kept = (
        without_quotation_mark(line).strip().removeprefix("- ")
        for number, line in enumerate(lines)
        if pasted[number] and (number >= begin or is_quotation(line))
    )
    return one_line(" · ".join(filter(None, kept)), _HANDED_CHARS)


def _drop_inline_output(text: str) -> tuple[str, int]:
    """Cut what follows `error:` and its like on the same line, up to the end of the sentence."""
    dropped = 0

    def cut(found: re.Match[str]) -> str:
        nonlocal dropped
        dropped += len(found["pasted"])
        return f"{found['lead']}."

    return _INLINE_LEAD.sub(cut, text), dropped


def _assemble(lines: list[str], marks: list[bool], pasted_chars: int) -> PromptParts:
    kept: list[str] = []
    title = ""
    for line, pasted in zip(lines, marks, strict=True):
        if not pasted:
            kept.append(line.rstrip())
            continue
        pasted_chars += len(line) + 1
        is_title = not title or (is_heading(line) and not title.startswith("#"))
        if is_title and not is_cut(line):
            title = line.strip()[:_TITLE_CHARS]
        if kept and kept[-1]:
            kept.append("")
    if is_fence(title):
        title = ""
    return PromptParts(_GAP.sub("\n\n", "\n".join(kept)).strip(), pasted_chars, title)


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


# What is to be done to a text that stands behind it, also on the same line.
_ON_A_TEXT = re.compile(
    r"^(?:[^\n.!?]{0,40}[\s,])?(?:translate|summari[sz]e|sum up|tl;?dr|proofread|paraphrase|rewrite"
    r"|reword|shorten|explain|review|critique|analy[sz]e|(?:reply|respond|react) to|answer|fix the"
    r" (?:grammar|spelling|wording|typos)|übersetze|fasse|korrigiere|erkläre|traduis|résume|corrige"
    r"|explique|traduce|resume|corrige|explica|traduza|resuma|переведи|объясни|проверь)\b"
    r"[^\n.!?:]{0,60}\b(?:this|these|the following|below|dies(?:e[nmrs]?)?|folgenden?|cette|cet?"
    r"|ces|est[ae]s?|ess[ae]s?|эт[оуи]|следующ\w+)\b[^\n.!?:]{0,60}[ ]?:[ \t]*(?=\S|$)",
    re.IGNORECASE | re.MULTILINE,
)
_ON_A_TEXT_CJK = re.compile(
    r"(?:翻译|总结|概括|润色|解释|翻訳|要約|説明|번역|요약|설명)[^\n。！？]{0,20}(?:[:：]|して)?"
)
_ABOUT_A_TEXT = re.compile(
    r"\b(?:summari[sz]e|translate|explain|proofread|review|rewrite|what (?:does|is meant|do)\b)"
    r"[^\n]{0,60}\b(?:(?:text|article|page|paragraph|sentence|mail|message|comment)s? below"
    r"|following (?:text|article|page|paragraph|sentence|mail|message|comment)s?)\b"
    r"[^\n:]{0,20}[.?]?$",
    re.IGNORECASE,
)


def lead_kind(line: str) -> str:
    """Return "machine" or "document", what the line announces; nothing for any other line."""
    line = line.strip()
    if _ON_A_TEXT.fullmatch(line) or _ABOUT_A_TEXT.fullmatch(line):
        return "document"
    if not line.endswith((":", "：")):
        return ""
    if _ON_A_TEXT_CJK.search(line[-_LEAD_CHARS:]):
        return "document"
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


# Above this a prompt with headings is a document: prompts beyond it gave 27-40 % false rules.
DOCUMENT_CHARS = 1500
# A longer paragraph at its head or end belongs to it, but for its first or its last line.
_OWN_LINES = 6

_FENCE = re.compile(r"\s*(?:[-*>] )?(```|~~~|\"\"\"|''')")
_QUOTATION = re.compile(r"^\s{0,3}>(?:\s|$)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S")
# Comments, a commit as `git` shows it, what was said in a chat with its time or sender's mark, and
# a key with a list below it.
_COMMENT = re.compile(r"\s{0,8}/\*")
_COMMIT = re.compile(r"[*|/\\ ]{0,12}commit [0-9a-f]{7,64}\b")
_IN_A_COMMIT = re.compile(
    r"\s{0,4}(?:Author|AuthorDate|Date|Commit|CommitDate|Merge|Refs?):\s|\s{4}|\s*$|\s?\|",
    re.IGNORECASE,
)
_SAID_BY = re.compile(
    r"\s{0,3}(?:\[?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[AaPp][Mm])?\]?\s+(?:-\s)?<?@?"
    r"[\w .'-]{1,30}>?:\s"
    r"|<[\w.|-]{1,30}>\s+\S|(?=[0-9a-f]{0,11}\d)[0-9a-f]{7,12}\s+\S"
    r"|[\w .'-]{1,40}\s{2,}\d{1,2}:\d\d(?:\s?[AaPp][Mm])?\s*$)"
)
_KEY = re.compile(r"\s{0,8}[a-z_][\w-]{0,40}:\s*$")
_DEEPER_ITEM = re.compile(r"[ \t]{2,12}- \S")
_OPEN_TAG = re.compile(r"\s*<([a-zA-Z][\w:.-]*)(?:\s[^<>]*)?>")
_CLOSE_TAG = re.compile(r"</([a-zA-Z][\w:.-]*)>")
# A plan of more steps, or of longer ones, is a document.
_PLAN = re.compile(r"\bplan\b|计划|計画|план", re.IGNORECASE)
_STEPS_AT_MOST = 20
_STEP_CHARS = 200
_SPOKEN = re.compile(
    r"\b(?:I|I'm|I've|me|my|please|pls|plz|let's|claude|(?:can|could|would|will|do|did) you)\b"
    r"|^(?:implement|fix|add|write|review|summari[sz]e|refactor|update|make|create|build|check"
    r"|explain|translate|use|do|go|start|take|follow|apply|and|but|so|now|also|remember|important"
    r"|why|what|how|can|could|then|ok|okay|bitte|por favor|s'il)\b"
    r"|\b(?:je|moi|mon|ma|mes|ich|mich|mir|meine?[mnrs]?|yo|mí|mi|mis|eu|mim|meus?|minhas?|я|мне|меня"
    r"|мо[йюяи]|моего)\b|请|帮我|ください|お願い|해\s?줘|해주세요|пожалуйста|исправь|сделай"
    r"|\b(?:kannst|könntest|bau|mach|schreib|antworte|peux-tu|tu peux|réponds|fais|puedes|haz"
    r"|responde|pode|faz|você|напиши|ответь|можешь)\b"
    r"|[てで][。!！]?$|たい[。!！]?$|(?:줘|주세요|하자|할까)[.!]?$|[吧吗下][。！]?$",
    re.IGNORECASE,
)
_RULE_OPENING = re.compile(
    r"(?:never|always|don'?t|do not|only|no|avoid|nunca|siempre|sempre|jamais|toujours|nie|niemals"
    r"|immer|никогда|всегда|не)\b|不要|永远|别|必须|絶対|必ず|절대|항상",
    re.IGNORECASE,
)


def is_heading(line: str) -> bool:
    """Return whether a line is a heading of markdown."""
    return _HEADING.match(line) is not None


def is_fence(line: str) -> bool:
    """Return whether a line begins or ends a block of code."""
    return _FENCE.match(line) is not None


def is_quotation(line: str) -> bool:
    """Return whether a line is marked as a quotation."""
    return _QUOTATION.match(line) is not None


def without_quotation_mark(line: str) -> str:
    """Return a quotation's words."""
    return _QUOTATION.sub("", line)


def mark_blocks(lines: list[str], marks: list[bool]) -> None:
    """Mark fenced code, triple-quoted text and elements that span several lines."""
    closings: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        for found in _CLOSE_TAG.finditer(line):
            closings.setdefault(found.group(1), []).append(number)
    number = 0
    while number < len(lines):
        end = _block_end(lines, number, closings)
        for place in range(number, end):
            marks[place] = True
        number = max(end, number + 1)


def _block_end(lines: list[str], start: int, closings: dict[str, list[int]]) -> int:
    """Return the line behind the block that starts here; `start` when none does."""
    line = lines[start]
    other = _plain_block_end(lines, start)
    if other > start:
        return other
    fence = _FENCE.match(line)
    if fence is not None:
        mark = fence.group(1)
        if mark in line[fence.end() :]:
            return start + 1 if line.rstrip().endswith(mark) else start
        closing = (n for n in range(start + 1, len(lines)) if mark in lines[n])
        return next(closing, len(lines) - 1) + 1
    tag = _OPEN_TAG.match(line)
    ends = closings.get(tag.group(1), []) if tag is not None else []
    place = bisect_left(ends, start)
    return ends[place] + 1 if place < len(ends) else start


def _plain_block_end(lines: list[str], start: int) -> int:
    """Return the line behind a comment, a commit, a chat's line or a list below a key."""
    line, rest = lines[start], range(start + 1, len(lines))
    if _COMMENT.match(line):
        return next((n + 1 for n in range(start, len(lines)) if "*/" in lines[n]), start)
    if _SAID_BY.match(line):
        is_head = line.rstrip()[-1:].isdigit() or line.rstrip()[-1:] in "mM"
        return _paragraph_end(lines, start) if is_head else start + 1
    inside = None
    if _COMMIT.match(line):
        inside = _IN_A_COMMIT
    elif _KEY.match(line) and any(above.strip() for above in lines[:start]):
        inside = _DEEPER_ITEM
    if inside is None:
        return start
    end = next((n for n in rest if not inside.match(lines[n])), len(lines))
    return end if end > start + 1 else start


def mark_after_leads(lines: list[str], marks: list[bool]) -> int:
    """Mark what stands below lines like `here is the log:` and `the README says:`.

    Return the number of the line with which a document begins, that behind the last without one.
    """
    number = 0
    while number < len(lines):
        kind = "" if marks[number] else lead_kind(lines[number])
        if kind == "document" and (_is_own_plan(lines, number) or _is_quoted(lines, number)):
            kind = ""
        if kind == "machine":
            number = _mark_output(lines, marks, number + 1)
        elif kind == "document":
            _mark_to_the_end(lines, marks, number + 1)
            return number + 1
        else:
            number += 1
    return number


def _is_quoted(lines: list[str], number: int) -> bool:
    """Return whether what is below a line is marked as a quotation: it ends where the marks do."""
    below = (line.strip() for line in lines[number + 1 :])
    return next(filter(None, below), "").startswith(">")


def _is_own_plan(lines: list[str], number: int) -> bool:
    """Return whether a list of a few short steps is below a line that announces a plan."""
    if not _PLAN.search(lines[number]):
        return False
    below = [line for line in lines[number + 1 :] if line.strip()]
    steps = list(takewhile(is_list_item, below))
    short = all(len(step) <= _STEP_CHARS for step in steps)
    return 1 < len(steps) <= _STEPS_AT_MOST and short


def _mark_output(lines: list[str], marks: list[bool], start: int) -> int:
    """Mark the paragraph below a lead-in and those after it that look like output."""
    number = start
    while number < len(lines) and not lines[number].strip():
        number += 1
    first = True
    while number < len(lines):
        end = _paragraph_end(lines, number)
        if not first and not any(marks[number:end]):
            return number
        last = end - 1
        speech = not marks[last] and last > number and _SPOKEN.search(lines[last].strip())
        for place in range(number, last if speech else end):
            marks[place] = True
        number = end
        while number < len(lines) and not lines[number].strip():
            number += 1
        first = False
    return number


def _mark_to_the_end(lines: list[str], marks: list[bool], start: int) -> None:
    """Mark all that follows but for closing paragraphs that speak to the model."""
    end = len(lines)
    while start < end and not lines[start].strip():
        start += 1  # the first paragraph is what was announced
    while end > start:
        while end > start and not lines[end - 1].strip():
            end -= 1
        begin = end
        while begin > start and lines[begin - 1].strip():
            begin -= 1
        if end - begin > _OWN_LINES:
            begin = end - 1
        if begin <= start or not _speaks(lines, marks, begin, end):
            break
        end = begin
    if not any(lines[n].strip() for n in range(start, end)):
        return
    for place in range(start, end):
        marks[place] = marks[place] or lines[place].strip() != ""


def _speaks(lines: list[str], marks: list[bool], begin: int, end: int) -> bool:
    """Return whether a closing paragraph is the user's own: plain and addressed to somebody."""
    if any(marks[begin:end]) or any(is_heading(line) for line in lines[begin:end]):
        return False
    first = lines[begin].strip()
    above = next((n for n in range(begin - 1, -1, -1) if lines[n].strip()), -1)
    if above >= 0 and is_heading(lines[above]):
        return False
    if any(is_list_item(line) for line in lines[begin:end]):
        return False
    if _SPOKEN.search(first) or first[:1].islower():
        return True
    structured = above >= 0 and (marks[above] or is_list_item(lines[above]))
    return structured and _RULE_OPENING.match(first) is not None


def mark_document(lines: list[str], marks: list[bool]) -> None:
    """Mark a long text as somebody else's: from its first heading on, or behind its head.

    What leads into it is kept, and the closing paragraphs that speak to the model.
    """
    size = sum(len(line) for line, pasted in zip(lines, marks, strict=True) if not pasted)
    if size <= DOCUMENT_CHARS:
        return
    headings = [n for n, line in enumerate(lines) if not marks[n] and is_heading(line)]
    if len(headings) > 1:
        _mark_to_the_end(lines, marks, headings[0])
        return
    head = next((n for n, line in enumerate(lines) if line.strip() and not marks[n]), None)
    if head is None:
        return
    end = _paragraph_end(lines, head)
    _mark_to_the_end(lines, marks, end if end - head <= _OWN_LINES else head + 1)


def _paragraph_end(lines: list[str], start: int) -> int:
    end = start
    while end < len(lines) and lines[end].strip():
        end += 1
    return end

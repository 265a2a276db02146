"""Lines of a prompt that their form tells to be pasted: code, logs, quotations, chats, letters."""

import re
from bisect import bisect_left
from collections import Counter

from amplihack_compaction.text.sentences import is_list_item, machine_lines
from amplihack_compaction.text.words import has_cjk

_FENCE = re.compile(r"\s*(?:[-*>] )?(```|~~~|\"\"\"|''')")
_QUOTATION = re.compile(r"^\s{0,3}>(?:\s|$)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S")
_OPEN_TAG = re.compile(r"\s*<([a-zA-Z][\w:.-]*)(?:\s[^<>]*)?>")
_CLOSE_TAG = re.compile(r"</([a-zA-Z][\w:.-]*)>")
# Comments, a commit as `git` shows it, what was said in a chat with its time or sender's mark, and
# a key with a list or a text below it.
_COMMENT = re.compile(r"\s{0,8}/\*")
_COMMENT_END = "*/"
_COMMENT_LINE = re.compile(r"\s*(?P<mark>#|//|--|;+|%|REM\b|\*)\s*\w")
_COMMIT = re.compile(r"[*|/\\ ]{0,12}commit [0-9a-f]{7,64}\b")
_IN_A_COMMIT = re.compile(
    r"\s{0,4}(?:Author|AuthorDate|Date|Commit|CommitDate|Merge|Refs?):\s|\s{4}|\s*$|\s?\|",
    re.IGNORECASE,
)
_CLOCK = r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[AaPp][Mm])?"
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?"
_SAID_BY = re.compile(
    rf"\s{{0,3}}(?:\[?(?:{_DAY}\s)?{_CLOCK}\]?\s+(?:-\s)?<?@?[\w .,'-]{{1,40}}>?:\s"
    rf"|[\w .'-]{{1,30}}\s[\[(]{_CLOCK}[\])]:?(?:\s|$)"
    r"|<[\w.|-]{1,30}>\s+\S|(?=[0-9a-f]{0,11}\d)[0-9a-f]{7,12}\s+\S"
    rf"|[\w .'-]{{1,40}}\s{{2,}}{_CLOCK}\s*$)"
)
_A_CLOCK = re.compile(rf"\s*{_CLOCK}\s*$")
_SPEAKER = re.compile(r"\s{0,3}(?P<name>[\w@.'-]{1,20}(?: [\w.'-]{1,20})?):\s+\S")
_KEY = re.compile(r"\s{0,8}[a-z_][\w-]{0,40}:\s*$")
_DEEPER_ITEM = re.compile(r"[ \t]{2,12}- \S")
_TEXT_KEY = re.compile(r"(?P<indent>\s*)(?:- )?[\w.-]{1,40}:\s*[|>][-+]?\s*$")
_YAML_LINE = re.compile(r"\s*(?:- )?[a-z_][\w.-]{0,40}:(?:\s|$)")
_YAML_DEPTH = re.compile(
    r"\s+(?:- )?[a-z_][\w.-]{0,40}:(?:\s|$)|- [a-z_][\w.-]{0,40}:\s|[\w.-]+:\s*$"
)
_CELLS = re.compile(r"[^,\s][^,]{0,80}(?:,[^,\s][^,]{0,80}){2,}$")
_ROWS = 3
# Marks of a text's begin and end, the head of a page's source, and the fields of mails and tickets.
_BEGIN = re.compile(
    r"\W{0,8}(?:begin|start)(?: of)? (?P<what>\w[\w ]{0,30}?)\W{0,8}$", re.IGNORECASE
)
_END = re.compile(r"\W{0,8}end(?: of)? (?P<what>\w[\w ]{0,30}?)\W{0,8}$", re.IGNORECASE)
_CONFLICT, _CONFLICT_END = "<<<<<<< ", ">>>>>>> "
_RULE_OFF = re.compile(r"---\s*$")
_MOST_HEAD_LINES = 20
_FIELD = re.compile(
    r"\s{0,3}(?:\*\*)?(?:from|to|cc|subject|sent|reply-to|author|reporter|assignee|description|owner"
    r"|priority|status|due date|von|an|betreff|gesendet|beschreibung|autor|de|à|objet|envoyé"
    r"|auteur|para|asunto|assunto|enviado|descripción|descrição|отправитель|кому|от|тема|автор"
    r"|описание|исполнитель|发件人|收件人|主题|描述|作者|差出人|宛先|件名|説明|보낸 사람|받는 사람"
    r"|제목|설명|작성자)(?:\*\*)?\s?[:：]",
    re.IGNORECASE,
)
_FIELDS = 2
# A letter reaches from its greeting to the name below its last words.
_GREETING = re.compile(
    r"\s*(?:hi|hello|hey|dear|greetings|good (?:morning|day|afternoon)|hallo|liebe[rs]?"
    r"|sehr geehrte[rs]?|guten (?:tag|morgen)|bonjour|chère?s?|hola|estimad[oa]s?|buen[oa]s \w+"
    r"|olá|prezad[oa]s?|gentil[ei]|ciao|здравствуйте|уважаем\w+|добрый день|beste|尊敬的|您好"
    r"|大家好|各位|お疲れ様|お世話に|안녕하세요)(?![a-z])[^.!?\n]{0,60}[,!:，、。！]?\s*$",
    re.IGNORECASE,
)
_TO_THE_MODEL = re.compile(r"\b(?:claude|assistant|there)\b", re.IGNORECASE)
_SIGN_OFF = re.compile(
    r"(?:(?:kind|best|warm|many)\s)?(?:regards|best(?: wishes)?|cheers|sincerely"
    r"|yours (?:sincerely|faithfully|truly)"
    r"|thanks(?: a lot)?|thank you|mit freundlichen grüßen|(?:viele|beste|liebe) grüße|gruß|lg|mfg"
    r"|cordialement|bien à vous|saludos|atentamente|abraços|cordiali saluti|с уважением"
    r"|(?:vriendelijke )?groet(?:en)?|此致|よろしくお願い(?:します|いたします)?|감사합니다)\s{0,3}"
    r"(?P<name>[,.!]?\s{0,3}[A-ZА-Я][\w.'-]*(?: [A-ZА-Я][\w.'-]*){0,2})?[,.!]?$",
    re.IGNORECASE,
)
_NAME = re.compile(r"\s*[^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*){0,3}(?:, [^\W\d_][^.!?]{1,40})?\s*$")
_SIGNATURE_LINES = 4
# Beside a text that was copied out of a page stand its buttons and who wrote it when.
_PAGE_LINE = re.compile(
    r"\s*(?:skip to (?:main )?content|sign (?:in|up)|log in|share|reply|read more|copy link"
    r"|improve this \w+|was this \w+ helpful\??|yes no|table of contents|on this page"
    r"|(?:©|copyright\b|all rights reserved).{0,80}"
    r"|.{0,80}\b\d{1,3} (?:minutes?|hours?|days?|weeks?|months?|years?) ago\b.{0,60}"
    r"|(?:answered|asked|edited|posted|updated|modified|opened|commented) .{0,20}\d.{0,40}"
    r"|\d{1,2}/ \S.{0,300}|[—–-] ?@\w+|edited by .{1,40}"
    r"|\d{1,4} (?:comments?|replies|likes|views|answers?|votes?)|\d{1,2} min read)\s*$",
    re.IGNORECASE,
)
# Of what a project publishes, and of tickets, these lines stand beside a title.
_PUBLISHED = re.compile(
    r"\s*(?:#{1,4}\s*|\*\*)?(?:(?:describe the bug|to reproduce|beschreibung|akzeptanzkriterien"
    r"|contributing|contribution guidelines|code of conduct|license"
    r"|community guidelines|install(?:ation|ing)?|getting started|quick ?start|usage|change ?log"
    r"|acceptance criteria|definition of done|steps to reproduce|(?:expected|actual) (?:behaviou?r"
    r"|result)|affected versions?|environment)\b.{0,40}$|\[!\[|={4,}\s*$|MIT\b|Apache-2|BSD-\d|GPL"
    r"|licensed under\b|fork the repo|[A-Z][A-Z0-9]{1,9}-\d+\b|<!--|(?:type|priority|reporter"
    r"|assignee|severity|labels|status|milestone|priorität|fällig|bearbeiter)\s?:\s)"
    r"|.{0,80}\b(?:open(?:ing)? an? (?:pull request|issue)"
    r"|(?:npm|pip|cargo|brew|gem|apt) (?:i|install|add) \S)",
    re.IGNORECASE,
)
_PUBLISHED_LINES = 3
_BUTTON = re.compile(r"\s*[A-Z][\w'-]{1,20}(?: [\w'-]{1,20}){0,2}\s*$")
_BUTTONS = 3
_PAGE_LINES = 2
_SENTENCE_END = re.compile(r"[.!]\s+[A-ZÀ-Þ]|[.!。”]\s*$")


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


def paragraph_end(lines: list[str], start: int) -> int:
    """Return the line behind the paragraph that goes on at `start`."""
    end = start
    while end < len(lines) and lines[end].strip():
        end += 1
    return end


def with_gaps(lines: list[str]) -> list[str]:
    """Return the lines with an empty one between light words and a text written with care.

    Few leave a line empty between "lol look" and what they paste below it.
    """
    found: list[str] = []
    for number, line in enumerate(lines):
        if number and line.strip() and lines[number - 1].strip() and _changes(lines, number):
            found.append("")
        found.append(line)
    return found


def _changes(lines: list[str], number: int) -> bool:
    """Return whether the register changes before a line: at its paragraph's head, or its end."""
    before, line = lines[number - 1], lines[number]
    # A paragraph is walked once, from its head: each of its lines is asked for.
    if (number == 1 or not lines[number - 2].strip()) and _is_light(before):
        return _is_careful(lines[number : paragraph_end(lines, number)])
    is_last = number + 1 == len(lines) or not lines[number + 1].strip()
    return is_last and _is_light(line) and _is_careful([before])


def _is_light(line: str) -> bool:
    line = line.strip()
    small = (line[:1].islower() or has_cjk(line[:1])) and not _FIELD.match(line)
    return (
        small and not _PAGE_LINE.match(line) and not line.endswith((".", "!", "。", "！", ",", ";"))
    )


def _is_careful(part: list[str]) -> bool:
    first = part[0].strip()
    small = first[:1].islower() or is_list_item(first) or is_heading(first)
    return not small and any(_SENTENCE_END.search(line) for line in part)


def mark_shapes(lines: list[str], marks: list[bool]) -> list[bool]:
    """Mark what its form tells to be pasted; return which lines a person may have written."""
    _mark_blocks(lines, marks)
    by_person = [not mark for mark in marks]
    for number, is_machine in enumerate(machine_lines(lines)):
        by_person[number] &= not is_machine or is_quotation(lines[number])
        marks[number] |= is_machine and lines[number].strip() != ""
    for begin, end in paragraphs(lines):
        _mark_comments(lines, marks, begin, end)
        _mark_yaml(lines, marks, begin, end)
        _mark_fields(lines, marks, begin, end)
        _mark_rows(lines, marks, begin, end)
        _mark_speakers(lines, marks, begin, end)
    _mark_letters(lines, marks)
    _mark_pages(lines, marks)
    _mark_published(lines, marks)
    return by_person


def paragraphs(lines: list[str]) -> list[tuple[int, int]]:
    """Return where the paragraphs begin and end."""
    found, number = [], 0
    while number < len(lines):
        end = paragraph_end(lines, number)
        if end > number:
            found.append((number, end))
        number = max(end, number + 1)
    return found


def _mark(marks: list[bool], begin: int, end: int) -> None:
    marks[begin:end] = [True] * (end - begin)


def _mark_blocks(lines: list[str], marks: list[bool]) -> None:
    """Mark fenced code, triple-quoted text, elements over several lines, and blocks below keys."""
    closings = _closings(lines)
    number = 0
    while number < len(lines):
        end = _block_end(lines, number, closings)
        _mark(marks, number, end)
        number = max(end, number + 1)


def _closings(lines: list[str]) -> dict[str, list[int]]:
    """Return in which lines each element, comment and marked text may end, by what ends there.

    Looked up and not searched for: many that begin and never end would each be searched to the end.
    """
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        names = [tag.group(1) for tag in _CLOSE_TAG.finditer(line)]
        names += [mark for mark in (_COMMENT_END, _CONFLICT_END) if mark in line]
        if end := _END.match(line):
            names.append(_end_of(end))
        for name in names:
            found.setdefault(name, []).append(number)
    return found


def _end_of(mark: re.Match[str]) -> str:
    """Return what the marks of a text's begin and end stand under; no element is called so."""
    return f"end {mark['what'].casefold()}"


def _closed(closings: dict[str, list[int]], name: str, start: int) -> int:
    """Return the line behind the first end of a name from `start` on; `start` without one."""
    ends = closings.get(name, [])
    place = bisect_left(ends, start)
    return ends[place] + 1 if place < len(ends) else start


def _block_end(lines: list[str], start: int, closings: dict[str, list[int]]) -> int:
    """Return the line behind the block that starts here; `start` when none does."""
    line = lines[start]
    other = _plain_block_end(lines, start, closings)
    if other > start:
        return other
    fence = _FENCE.match(line)
    if fence is not None:
        mark = fence.group(1)
        if mark in line[fence.end() :]:
            return start + 1 if line.rstrip().endswith(mark) else start
        return _fence_end(lines, start, mark)
    tag = _OPEN_TAG.match(line)
    return _closed(closings, tag.group(1), start) if tag is not None else start


def _fence_end(lines: list[str], start: int, mark: str) -> int:
    """Return the line behind a fence's end; one that names a language begins another inside."""
    depth = 1
    for number in range(start + 1, len(lines)):
        line = lines[number].strip()
        if line.startswith(mark) and line[len(mark) :].isalnum():
            depth += 1
        elif mark in line:
            depth -= 1
        if not depth:
            return number + 1
    return len(lines)


def _plain_block_end(lines: list[str], start: int, closings: dict[str, list[int]]) -> int:
    """Return the line behind a comment, a commit, a chat's line or what is below a key."""
    line, rest = lines[start], range(start + 1, len(lines))
    begun = _BEGIN.match(line)
    if begun is not None:
        return _closed(closings, _end_of(begun), start)
    if line.startswith(_CONFLICT):
        return _closed(closings, _CONFLICT_END, start)
    if _RULE_OFF.match(line):
        return _page_source_end(lines, start)
    if _COMMENT.match(line):
        return _closed(closings, _COMMENT_END, start)
    if _SAID_BY.match(line):
        is_head = line.rstrip()[-1:].isdigit() or line.rstrip()[-1:] in "mM])"
        return paragraph_end(lines, start) if is_head else start + 1
    key = _TEXT_KEY.match(line)
    if key is not None:
        deeper = len(key["indent"]) + 1
        inside = (n for n in rest if lines[n].strip() and not lines[n][:deeper].isspace())
        return next(inside, len(lines))
    inner = None
    if _COMMIT.match(line):
        inner = _IN_A_COMMIT
    elif _KEY.match(line) and any(above.strip() for above in lines[:start]):
        inner = _DEEPER_ITEM
    if inner is None:
        return start
    end = next((n for n in rest if not inner.match(lines[n])), len(lines))
    return end if end > start + 1 else start


def _page_source_end(lines: list[str], start: int) -> int:
    """Return the line behind the paragraph below a page's head of keys; `start` without one."""
    for number in range(start + 1, min(start + _MOST_HEAD_LINES, len(lines))):
        if _RULE_OFF.match(lines[number]) and number > start + 1:
            below = next((n for n in range(number + 1, len(lines)) if lines[n].strip()), number)
            return paragraph_end(lines, below)
        if not _YAML_LINE.match(lines[number]):
            return start
    return start


def _mark_fields(lines: list[str], marks: list[bool], begin: int, end: int) -> None:
    """Mark a mail or a ticket: a paragraph with some of the fields that these have."""
    if sum(_FIELD.match(lines[number]) is not None for number in range(begin, end)) >= _FIELDS:
        _mark(marks, begin, end)


def _mark_comments(lines: list[str], marks: list[bool], begin: int, end: int) -> None:
    """Mark a program's comments: beside code, or in several lines with the same mark."""
    found = [_COMMENT_LINE.match(lines[number]) for number in range(begin, end)]
    beside_code = any(
        marks[number] and not is_quotation(lines[number]) for number in range(begin, end)
    )
    counts = Counter(match["mark"][0] for match in found if match)
    for number, match in enumerate(found, begin):
        mark = match["mark"] if match else "*"
        if mark != "*" and (beside_code or counts[mark[0]] > 1 or mark in ("//", ";;")):
            marks[number] = True


def _mark_yaml(lines: list[str], marks: list[bool], begin: int, end: int) -> None:
    """Mark keys with values where some lie deeper than others, or have a list below them."""
    keys = [number for number in range(begin, end) if _YAML_LINE.match(lines[number])]
    if len(keys) > 1 and any(_YAML_DEPTH.match(lines[number]) for number in keys):
        _mark(marks, keys[0], end)


def _mark_rows(lines: list[str], marks: list[bool], begin: int, end: int) -> None:
    """Mark rows of a table whose cells commas separate."""
    cells = [lines[n].count(",") if _CELLS.match(lines[n]) else 0 for n in range(begin, end)]
    for number, count in enumerate(cells, begin):
        if count and cells.count(count) >= _ROWS:
            marks[number] = True


def _mark_speakers(lines: list[str], marks: list[bool], begin: int, end: int) -> None:
    """Mark what is said in turns: two names or more before a colon, one of them again."""
    found = {n: match["name"] for n in range(begin, end) if (match := _SPEAKER.match(lines[n]))}
    names = Counter(found.values())
    if len(names) > 1 and max(names.values()) > 1:
        _mark(marks, min(found), max(found) + 1)
    if begin + 1 < end and _A_CLOCK.match(lines[begin + 1]) and _NAME.match(lines[begin]):
        _mark(marks, begin, end)


def _mark_letters(lines: list[str], marks: list[bool]) -> None:
    """Mark letters to somebody else, from the greeting to the name below the last words."""
    number = 0
    while number < len(lines):
        end = number
        if _GREETING.match(lines[number]) and not _TO_THE_MODEL.search(lines[number]):
            end = _letter_end(lines, number + 1)
            if not end:
                return  # no letter that begins below ends either
            _mark(marks, number, end)
        number = max(end, number + 1)


def _letter_end(lines: list[str], start: int) -> int:
    """Return the line behind a letter's signature, 0 where there is none."""
    for number in range(start, len(lines)):
        found = _SIGN_OFF.match(lines[number].strip())
        if found is None:
            continue
        below = next((n for n in range(number + 1, len(lines)) if lines[n].strip()), number)
        if below > number and _NAME.match(lines[below]) and lines[below].strip()[0].isupper():
            return min(paragraph_end(lines, below), below + _SIGNATURE_LINES)
        if found["name"]:
            return number + 1
    return 0


def _mark_pages(lines: list[str], marks: list[bool]) -> None:
    """Mark a copied page, from the first of its lines that nobody types to the last."""
    of_page = [n for n, line in enumerate(lines) if _PAGE_LINE.match(line)]
    run: list[int] = []
    for number, line in enumerate([*lines, ""]):
        if _BUTTON.match(line):
            run.append(number)
            continue
        of_page += run if len(run) >= _BUTTONS else []
        run = []
    if len(of_page) >= _PAGE_LINES:
        first, last = min(of_page), max(of_page)
        _mark(marks, first, paragraph_end(lines, last))


def _mark_published(lines: list[str], marks: list[bool]) -> None:
    """Mark a page that a project publishes, or a ticket, where a prompt is that alone."""
    of_it = [
        not is_list_item(line) and _PUBLISHED.match(line) is not None
        for line in lines
        if line.strip()
    ]
    if sum(of_it) >= _PUBLISHED_LINES and any(of_it[:2]):
        _mark(marks, 0, len(lines))

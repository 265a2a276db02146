"""How far a text reaches that a remark of the user's points at, or that is long as a document."""

import re
from itertools import takewhile

from amplihack_compaction.text.pasted.remarks import LIKELY, SURE, any_remark, last_remark
from amplihack_compaction.text.pasted.shapes import (
    is_heading,
    paragraph_end,
    paragraphs,
)
from amplihack_compaction.text.sentences import is_list_item

# Above this a prompt with headings is a document: prompts beyond it gave 27-40 % false rules.
DOCUMENT_CHARS = 1500
# A longer paragraph at its head or end belongs to it, but for its first or its last line.
_OWN_LINES = 6
# A plan of more steps, or of longer ones, is a document.
_PLAN = re.compile(r"\bplan\b|计划|計画|план", re.IGNORECASE)
_STEPS_AT_MOST = 20
_STEP_CHARS = 200
# Nobody indents a remark so far; what runs on below an item of a list is.
_INDENT = 4
# A lead without a colon is short.
_LEAD_CHARS = 100
# What is set apart from a remark by its looks needs less of one.
_SET_APART = 0.15
_BELOW = re.compile(
    r"\b(?:below|following|folgend\w*|suivante?|siguiente|seguinte|следующ\w+)\b|以下|下面|次の|다음",
    re.IGNORECASE,
)
# A sentence with its full stop announces little, and a list below is mostly the user's own.
_SELDOM_A_LEAD = 0.65
_SPOKEN = re.compile(
    r"\b(?:I|I'm|I've|me|my|please|pls|plz|let's|claude|(?:can|could|would|will|do|did) you)\b"
    r"|^(?:implement|fix|add|write|compare|review|summari[sz]e|refactor|update|make|create|build|check"
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
# Who types of himself, or to the model, without a thought of a reader.
_HIMSELF = re.compile(
    r"\b(?:I|I'm|I've|I'd|I'll|i|i'm|my|mine|me|claude|ich|mir|mich|mein\w*|je|j'\w+|moi|mon|yo|mi|eu"
    r"|meu|minha|io|mio|я|мне|мой)\b|我|私|나는|내가|제가"
)
# What light words beside a text point at it with, or ask of it.
_POINTS = re.compile(
    r"\b(?:this|that|these|those|it|they|what|who|which|should|das|dies\w*|sie|was|ça|ceci"
    r"|ce(?:s|tte)?|est[aeo]s?|quest[aeio]|qué|qual|isso|o que|это\w*|что)\b|\?$"
    r"|这|那|什么|이거|이 |뭐|これ|この|何",
    re.IGNORECASE,
)
_FEWEST_BELOW = 2
_OWN_TITLE = re.compile(
    r"rule|constraint|convention|requirement|note|regel|règle|regla", re.IGNORECASE
)
_OFFERS = re.compile(
    r"\b(?:would you like me to|let me know|(?:contact|ping|call|ask|tell|reach) me|i hope this"
    r" helps)\b",
    re.IGNORECASE,
)
_INLINE_LEAD = re.compile(r"(?P<lead>[^:：]{4,120}(?::(?=\s)|：))\s*(?P<text>[^\s\"“„«「`].*)")
# Further down only a paragraph's first line is looked at: a log has thousands of others.
_MOST_LINES_TYPED = 200
_MOST_LINES_LOOKED_AT = 40
_SENTENCE_END = re.compile(r"(?<=[.!?\"”])\s+|(?<=[。！？])")
_FEWEST_WORDS_QUOTED = 3
_QUOTED_SPAN = re.compile(r"[\"“„«「]([^\"”“»」\n]{12,400})[\"”“»」]")


def with_leads_apart(lines: list[str]) -> list[str]:
    """Return the lines, those in parts that go on behind a lead: `translate this: ...`.

    A sentence of himself behind it is the user's again.
    """
    found: list[str] = []
    for number, line in enumerate(lines):
        inside = number > _MOST_LINES_TYPED and lines[number - 1].strip()
        lead = None if inside else _INLINE_LEAD.match(line)
        if lead is None or last_remark(lead["lead"]).text < SURE:
            found.append(line)
            continue
        text = _SENTENCE_END.split(lead["text"])
        own = next((n for n, part in enumerate(text) if n and _HIMSELF.search(part)), len(text))
        found += [lead["lead"], " ".join(text[:own]), *([""] * (own < len(text)))]
        found += text[own:]
    return found


def mark_after_leads(lines: list[str], marks: list[bool]) -> int:
    """Mark what stands below lines like `here is the log:` and `the README says`.

    Return the number of the line with which a document begins, that behind the last without one.
    """
    number = 0
    while number < len(lines):
        kind = "" if marks[number] else _lead_kind(lines, marks, number)
        if kind == "text" and _is_own_plan(lines, number):
            kind = ""
        if kind == "output":
            number = _mark_output(lines, marks, number + 1)
        elif kind == "text":
            if not _shows_itself(lines, marks, number + 1):
                _mark_to_the_end(lines, marks, number + 1)
            return number + 1
        else:
            number += 1
    return number


def _lead_kind(lines: list[str], marks: list[bool], number: int) -> str:
    """Return "text" or "output", what a line announces below it; nothing for any other line."""
    line = lines[number].strip()
    if not line or _is_indented(lines[number]) or is_list_item(line) or is_heading(line):
        return ""
    below = next((n for n in range(number + 1, len(lines)) if lines[n].strip()), 0)
    has_colon = line.endswith((":", "："))
    stands_alone = below > number + 1 or (below and marks[below]) or _BELOW.search(line)
    if not below or not (has_colon or (stands_alone and len(line) <= _LEAD_CHARS)):
        return ""
    if not has_colon and _is_typed(_paragraph(lines, below)):
        return ""
    chances = last_remark(line) if has_colon else any_remark(line)
    enough = LIKELY
    if _is_set_apart(lines, number, below):
        # Below a colon, or what is asked with care, his own rules may stand.
        is_light = line[:1].islower() or line[-1:] not in ".:?!"
        titled = _is_titled(lines, below)
        points = titled or (is_light and _POINTS.search(line))
        enough = 0.0 if points and not has_colon else _SET_APART
    elif line.endswith((".", "!", "。")) or (is_list_item(lines[below]) and not _PLAN.search(line)):
        enough = _SELDOM_A_LEAD
    if max(chances) < enough:
        return ""
    return "text" if chances.text >= chances.output else "output"


def _paragraph(lines: list[str], begin: int) -> list[str]:
    """Return a paragraph, of a long one its head: it is looked at from each of its lines."""
    return list(takewhile(str.strip, lines[begin : begin + _MOST_LINES_LOOKED_AT]))


def _is_indented(line: str) -> bool:
    return line[:_INDENT].isspace() and len(line) > _INDENT


def _is_set_apart(lines: list[str], remark: int, begin: int) -> bool:
    """Return whether a paragraph is written with a care that a remark beside it is not."""
    told, first = lines[remark].strip(), lines[begin].strip()
    careless = _is_careless(told)
    text = " ".join(_paragraph(lines, begin))
    careful = first[:1].isupper() and len(re.findall(r"[.!](?:\s|$)", text)) > 1
    structured = is_heading(first) or re.match(r"v?\d+\.\d+|[•▪◦]", first) is not None
    return careless and (careful or structured) and not _is_of_himself(text)


def _is_titled(lines: list[str], begin: int) -> bool:
    """Return whether a paragraph has a title above its sentences; not one that calls for rules."""
    title, *rest = _paragraph(lines, begin)
    if not rest or any(map(is_list_item, rest)):
        return False
    is_title = title[:1].isupper() and title.rstrip()[-1:].isalnum() and len(title) <= _LEAD_CHARS
    is_own = len(rest) < _FEWEST_BELOW or _OWN_TITLE.search(title) is not None
    return is_title and (not is_own or (title.isupper() and " " in title.strip()))


def _is_careless(line: str) -> bool:
    return line[:1].islower() or (line[-1:] not in ".:" and not line.isupper())


def _is_own_plan(lines: list[str], number: int) -> bool:
    """Return whether a list of a few short steps is below a line that announces a plan."""
    if not _PLAN.search(lines[number]):
        return False
    below = [line for line in lines[number + 1 :] if line.strip()]
    steps = list(takewhile(is_list_item, below))
    short = all(len(step) <= _STEP_CHARS for step in steps)
    return 1 < len(steps) <= _STEPS_AT_MOST and short


def _shows_itself(lines: list[str], marks: list[bool], start: int) -> bool:
    """Return whether what is below a line has marks of its own, and ends where these do."""
    begin = next((n for n in range(start, len(lines)) if lines[n].strip()), len(lines))
    end = begin
    while end < len(lines) and (marks[end] or not lines[end].strip()):
        end += 1
    behind = [paragraph for paragraph in paragraphs(lines) if paragraph[1] > end]
    return begin < end and len(behind) <= 1


def _mark_output(lines: list[str], marks: list[bool], start: int) -> int:
    """Mark the paragraph below a lead-in and those after it that look like output."""
    number = start
    while number < len(lines) and not lines[number].strip():
        number += 1
    first = True
    while number < len(lines):
        end = paragraph_end(lines, number)
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
    top = end = len(lines)
    while start < end and not lines[start].strip():
        start += 1  # the first paragraph is what was announced
    while end > start:
        while end > start and not lines[end - 1].strip():
            end -= 1
        if end <= top:  # another paragraph: each is walked once, however many of its lines go
            top = end
            while top > start and lines[top - 1].strip():
                top -= 1
        begin = top if end - top <= _OWN_LINES else end - 1
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


def mark_before_remark(lines: list[str], marks: list[bool]) -> None:
    """Mark what a closing remark points back at, up to where the user types himself.

    A single line at the very beginning is his where something else is what the remark is about.
    """
    found = [(begin, end) for begin, end in paragraphs(lines) if not all(marks[begin:end])]
    if len(found) <= 1:
        return
    begin, end = found.pop()
    listed = any(is_list_item(line) for line in lines[begin:end])
    if end - begin > _OWN_LINES or listed or _is_indented(lines[begin]):
        return
    chances = any_remark("\n".join(lines[begin:end]))
    enough = LIKELY
    if any(_is_set_apart(lines, end - 1, first) for first, _ in found):
        is_light = lines[begin].strip()[:1].islower()
        enough = 0.0 if is_light and _POINTS.search(lines[end - 1]) else _SET_APART
    if max(chances) < enough:
        return
    for first, last in reversed(found):
        alone = last == first + 1 and any(marks) and not any(map(str.strip, lines[:first]))
        above = next((line for line in reversed(lines[:first]) if line.strip()), "")
        own = [lines[number] for number in range(first, last) if not marks[number]]
        of_document = is_heading(above) or is_heading(own[-1])
        if alone or (not of_document and _is_typed(own)):
            return
        for place in range(first, last):
            marks[place] = True


def _is_typed(paragraph: list[str]) -> bool:
    """Return whether a paragraph before a remark is typed: of its author, lightly, or a lead."""
    is_light = paragraph[0].strip()[:1].islower()
    last = paragraph[-1].rstrip()
    is_lead = not last.endswith((".", "!", "。")) and max(last_remark(last)) >= LIKELY
    return is_light or is_lead or any(map(_is_of_himself, paragraph))


def _is_of_himself(text: str) -> bool:
    """Return whether a text speaks of its author; letters and answers only offer to be asked."""
    return _HIMSELF.search(_OFFERS.sub("", text)) is not None


def mark_quoted_again(lines: list[str], marks: list[bool]) -> None:
    """Mark a text of which the user's own words quote a part: what it is a part of is not his."""
    found = paragraphs(lines)
    texts = ["\n".join(lines[begin:end]).casefold() for begin, end in found]
    for asking, (begin, end) in enumerate(found):
        if any(marks[begin:end]):
            continue
        for span in _QUOTED_SPAN.findall(texts[asking]):
            words = span.strip(" .!?")
            if len(words.split()) < _FEWEST_WORDS_QUOTED:
                continue
            for place, (first, last) in enumerate(found):
                if place != asking and words in texts[place]:
                    for number in range(first, last):
                        marks[number] = True


def mark_document(lines: list[str], marks: list[bool]) -> None:
    """Mark a long text with headings as somebody else's, from the first of them on.

    What leads into it is kept, and the closing paragraphs that speak to the model.
    """
    headings = [n for n, line in enumerate(lines) if not marks[n] and is_heading(line)]
    if lines[0].strip() == "---" and marks[0]:  # a file that begins with its keys
        _mark_to_the_end(lines, marks, 1)
    elif _is_long(lines, marks) and len(headings) > 1:
        _mark_to_the_end(lines, marks, headings[0])


def mark_long_text(lines: list[str], marks: list[bool]) -> None:
    """Mark a long text that nothing else told apart, but for its head and what closes it."""
    head = next((n for n, line in enumerate(lines) if line.strip() and not marks[n]), None)
    if head is not None and _is_long(lines, marks):
        end = paragraph_end(lines, head)
        _mark_to_the_end(lines, marks, end if end - head <= _OWN_LINES else head + 1)


def _is_long(lines: list[str], marks: list[bool]) -> bool:
    size = sum(len(line) for line, pasted in zip(lines, marks, strict=True) if not pasted)
    return size > DOCUMENT_CHARS

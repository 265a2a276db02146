"""Read a window once: its prompts as sentences with what the model said before them.

Also what of a prompt its user typed, and what he pasted: code, logs, quotations, documents.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress
from operator import and_

from amplihack_compaction.extract.replies import answers
from amplihack_compaction.text.pasted import (
    SURE,
    cut_pastes,
    is_fence,
    is_heading,
    is_of_himself,
    last_remark,
    mark_foreign,
    mark_rest_of_indented,
    mark_shapes,
    paragraphs,
    pointing_paragraph,
    without_quotation_mark,
)
from amplihack_compaction.text.sentences import (
    error_among,
    is_list_item,
    needs_sentence_before,
    sentences,
    with_following,
)
from amplihack_compaction.text.words import asks, end_of_question, has_cjk, one_line
from amplihack_compaction.transcript.session import (
    EntryPosition,
    Node,
    ToolUse,
    TranscriptStep,
    Turn,
    Window,
    WindowNotes,
    entry_position,
    is_cut,
    was_refused,
)

_TITLE_CHARS = 120
_CACHED_PROMPTS = 1024

# Of what somebody else wrote, so much is kept.
_HANDED_CHARS = 500
_FRONT_LINES = 3
_GAP = re.compile(r"\n{3,}")
_INLINE_LEAD = re.compile(
    r"(?:^|(?<=[.!?] ))(?P<lead>(?:error message|output|log|stderr|stdout|traceback"
    r"|[^.:!?\n]{0,60}\b(?:here(?:'s| is)|got|get|getting|gives|shows|prints|throws|with)\b"
    r"[^.:!?\n]{0,40}\b(?:log|error|output|message|trace|exception"
    r"|warning)\b[^.:!?\n]{0,20})):[ \t]+"
    r"(?P<pasted>[^\n]+?)(?=(?<=[.!?])\s+(?=[A-Za-z])|$)",
    re.IGNORECASE | re.MULTILINE,
)

_QUOTATION = re.compile(
    r"“[^“”]{1,4000}”|„[^„“”]{1,4000}[“”]|«[^«»]{1,4000}»|[「『][^「」『』]{1,4000}[」』]"
    r"|`[^`\n]{1,4000}`|(?<!\w)\"(?=\S)[^\"]{1,4000}(?<=\S)\"(?!\w)"
)
_SEVERAL_SENTENCES = re.compile(r"[.!?]\s+\S|[。！？].|\n")


@dataclass(frozen=True, slots=True)
class PromptParts:
    """A prompt's typed part; of the pasted part its size and its first heading or line.

    `handed` is what of it was written to be read, in one line: a mail, a ticket, a review; or else
    the line that tells of an error, or a document's first lines and headings.
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
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    typed, pastes = cut_pastes(text)
    parts = _split(typed)
    for paste in pastes:
        parts = _with_paste(parts, paste)
    return parts


def _with_paste(parts: PromptParts, paste: str) -> PromptParts:
    """Return a prompt's parts with what the client marked as pasted."""
    told = _split(paste)
    lines = paste.split("\n")
    handed = _handed(lines, [True] * len(lines)) if told.typed else told.handed
    return replace(
        parts,
        pasted_chars=parts.pasted_chars + len(paste),
        title=parts.title or told.title or paste.strip().partition("\n")[0][:_TITLE_CHARS],
        handed=parts.handed or handed,
    )


def _split(text: str) -> PromptParts:
    spoken, inline = _drop_inline_output(text)
    lines, marks, by_person = shaped_lines(spoken)
    _mark_long_text(lines, marks)
    mark_foreign(lines, marks)
    mark_rest_of_indented(lines, marks, by_person)
    if not any(marks):  # it is kept as it stands, without the gaps
        lines = spoken.split("\n")
        marks = [False] * len(lines)
    typed = _assemble(lines, marks, sum(map(len, inline)))
    handed = _handed(lines, [*map(and_, marks, by_person)])
    pasted = list(compress(lines, marks))
    if handed.endswith("…"):
        handed = _outline(typed.title, pasted) or handed
    return replace(typed, handed=handed or error_among([*inline, *pasted]))


def shaped_lines(spoken: str) -> tuple[list[str], list[bool], list[bool]]:
    """Return a prompt's lines, those that their form tells to be pasted, and those of a person."""
    lines = _with_leads_apart(spoken.split("\n"))
    marks = [is_cut(line) for line in lines]
    return lines, marks, mark_shapes(lines, marks)


def without_quoted_texts(typed: str) -> str:
    """Return what was typed without quotations of several sentences: they are somebody else's."""

    def cut(found: re.Match[str]) -> str:
        several = _SEVERAL_SENTENCES.search(found[0][1:-1])
        return f"{found[0][0]}…{found[0][-1]}" if several else found[0]

    return _QUOTATION.sub(cut, typed)


def _outline(title: str, pasted: list[str]) -> str:
    """Return how a pasted document begins, and its headings; empty for code, or without heading."""
    if not is_heading(title) or is_fence(pasted[0]):
        return ""
    lines = [line.strip() for line in pasted if line.strip()]
    front = lines[lines.index(title) :][:_FRONT_LINES] if title in lines else []
    return one_line(" · ".join([*front, *filter(is_heading, lines[_FRONT_LINES:])]), _HANDED_CHARS)


def _handed(lines: list[str], pasted: list[bool]) -> str:
    """Return the lines that another person wrote."""
    kept = (without_quotation_mark(line).strip() for line in compress(lines, pasted))
    return one_line(" · ".join(line.removeprefix("- ") for line in kept if line), _HANDED_CHARS)


def _drop_inline_output(text: str) -> tuple[str, list[str]]:
    """Cut what follows `error:` and its like on the same line, up to the end of the sentence."""
    dropped: list[str] = []

    def cut(found: re.Match[str]) -> str:
        dropped.append(found["pasted"])
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


# Above this a prompt with headings is a document: prompts beyond it gave 27-40 % false rules. One
# without is a text above twice as much.
_DOCUMENT_CHARS = 1500
_FEWEST_HEADINGS = 2
_FEWEST_PARAGRAPHS = 2
_OWN_LINES = 6

_ANNOUNCED = re.compile(r"(?P<lead>[^:：]{4,120}(?::(?=\s)|：))\s*(?P<text>[^\s\"“„«「`].*)")
# Further down only a paragraph's first line is looked at: a log has thousands of others.
_MOST_LINES_TYPED = 200
_SENTENCE_END = re.compile(r"(?<=[.!?\"”])\s+|(?<=[。！？])")


def _with_leads_apart(lines: list[str]) -> list[str]:
    """Return the lines, those in parts that go on behind a lead: `translate this: ...`.

    A sentence of himself behind it is the user's again.
    """
    found: list[str] = []
    for number, line in enumerate(lines):
        inside = number > _MOST_LINES_TYPED and lines[number - 1].strip()
        lead = None if inside else _ANNOUNCED.match(line)
        if lead is None or last_remark(lead["lead"]).text < SURE:
            found.append(line)
            continue
        text = _SENTENCE_END.split(lead["text"])
        own = next((n for n, part in enumerate(text) if n and is_of_himself(part)), len(text))
        found += [lead["lead"], " ".join(text[:own]), *([""] * (own < len(text)))]
        found += text[own:]
    return found


def _mark_long_text(lines: list[str], marks: list[bool]) -> None:
    """Mark a long text that nothing else told apart, but for what is above it and what closes it.

    It reaches from its first heading on; from the second paragraph on where it has none.
    """
    parts = [part for part in paragraphs(lines) if not all(marks[part[0] : part[1]])]
    headings = [n for n, line in enumerate(lines) if not marks[n] and is_heading(line)]
    size = sum(len(line) for line, pasted in zip(lines, marks, strict=True) if not pasted)
    structured = len(headings) >= _FEWEST_HEADINGS
    if size <= _DOCUMENT_CHARS * (1 if structured else 2) or len(parts) < _FEWEST_PARAGRAPHS:
        return
    (first, behind), (last, end) = parts[0], parts[-1]
    start = headings[0] if structured else behind if behind - first <= _OWN_LINES else first + 1
    closing = last if end - last <= _OWN_LINES else end - 1
    above = next((line for line in reversed(lines[:closing]) if line.strip()), "")
    if is_heading(above) or any(
        is_list_item(line) or is_heading(line) for line in lines[closing:end]
    ):
        closing = end
    for number in range(start, closing):
        marks[number] = marks[number] or lines[number].strip() != ""


# Of what the model wrote, the last sentence counts.
_TEXT_CHARS = 2_000
_DONE_CHARS = 100
# "Done." says nothing of what was done, and "Yes, with a flag." little of what was asked.
_NOD_CHARS = 12
_ANSWER_CHARS = 60
_SHORT_ANSWER_WORDS = 5
# Of 189 prompts of real sessions 28 were answered in words alone, none of these in fewer.
_NOTING_CHARS = 200


@dataclass(frozen=True, slots=True)
class PrecedingTurn:
    """What stood before a prompt: the model's last text, and the last tool used after it.

    `asked` is the prompt of the turn.
    """

    text: str = ""
    tool: ToolUse | None = None
    asked: str = ""

    @property
    def done(self) -> str:
        """The last that the model did or said, in short; a tool that the prompt refused as that.

        Where it answered shortly, what it was asked stands before that.
        """
        if self.tool is not None and self.tool.used_on:
            what = f"{self.tool.name} {_inside_quotes(self.tool.used_on)}"
            return f"refused: {what}" if was_refused(self.tool) else f"model: {what}"
        said = sentences(self.text[-_TEXT_CHARS:])
        last = said[-1] if said else ""
        asked_back = bool(end_of_question(last))
        if not asked_back and len(last) <= _NOD_CHARS:
            return ""
        model = f'model: "{_inside_quotes(_with_subject(said))}"'
        answers = asks(self.asked) and not asked_back and len(last) <= _ANSWER_CHARS
        return f'user: "{_inside_quotes(self.asked)}" - {model}' if answers else model


def _with_subject(said: Sequence[str]) -> str:
    """Return a text's last sentence; a short one with that before it: "I don't know why."."""
    both = " ".join(said[-2:])
    short = len(said[-1].split()) <= _SHORT_ANSWER_WORDS and not has_cjk(said[-1])
    return both if short and len(both) <= _DONE_CHARS else said[-1]


def _inside_quotes(text: str) -> str:
    """Return words in short; their own quotation marks would seem to end them."""
    return one_line(text, _DONE_CHARS).replace('"', "'")


# What one window can hold of what was typed: real ones have 20 to 100 prompts. Of more, the newest
# count, so that a hook's time is bounded whatever the transcript.
PROMPTS_LIMIT = 1_000
TYPED_LIMIT_CHARS = 300_000
# How much of what stood before a sentence is quoted with it: one sentence, and another where that
# is short and leans on it in turn.
_QUOTED_CHARS = 240
_QUOTED_SENTENCES = 2
_SHORT_CHARS = 16
_FEWEST_WORDS = 3
_FEWEST_CJK = 6
# What stands between "here is the log:" and the next sentence was not typed.
_SHOWS = re.compile(
    r"\b(?:here|below|following|attached|this|hier|voici|aqui|aquí)\b|以下|下面|如下", re.IGNORECASE
)
# Several refusals can hang on one entry; each prompt of an entry has this much room for its
# sentences' positions.
_POSITIONS_PER_PROMPT = 10_000


@dataclass(frozen=True, slots=True)
class UserPrompt:
    """One prompt: where it stands, what was typed, its sentences, and what was before it.

    `turn` is the turn that it began.
    """

    entry: TranscriptStep
    typed: PromptParts
    sentences: tuple[str, ...]
    before: PrecedingTurn
    turn: Turn

    @property
    def only_noted(self) -> bool:
        """Whether the model only took note of the prompt: it did nothing, and said little.

        Whoever is asked for work works, and whoever is asked something tells it at length. So
        "Understood." tells that what was said before it holds from then on, whatever its wording.
        """
        if self.turn.tools or not self.turn.texts:
            return False
        said = " ".join(speech.text for speech in self.turn.texts)
        return len(said) <= _NOTING_CHARS and not asks(said)

    def quoted(self, number: int) -> str:
        """Return a sentence with those before it without which it says nothing."""
        text = self.sentences[number]
        for before in reversed(self.sentences[self._first_of(number) : number]):
            text = with_following(_end_of(before), text)
        return text

    def after(self, number: int) -> str:
        """Return what the model did before the prompt, where a sentence speaks of that.

        "yes, but only for admins" does so too: it answers what the model asked.
        """
        if number == 0 and answers(self.sentences[0], self.before.text):
            return self.before.done
        first = self._first_of(number)
        head = self.sentences[0]
        alone = first == 0 and (needs_sentence_before(head) or _names_nothing(head))
        if not alone or not needs_sentence_before(self.sentences[number]):
            return ""
        return self.before.done

    def _first_of(self, number: int) -> int:
        """Return which sentence begins what one says: it may lean on those before it."""
        parts, first = self.sentences, number
        while first > max(0, number - _QUOTED_SENTENCES) and needs_sentence_before(parts[first]):
            if parts[first - 1].endswith((":", "：")) and _SHOWS.search(parts[first - 1]):
                break
            first -= 1
            if len(parts[first]) > _SHORT_CHARS:
                break
        return first

    def may_be_anothers(self, number: int) -> bool:
        """Return whether somebody else may have written a sentence: it is of no first paragraph.

        Who wrote which of several is weighed, and how a mail ends can read as typed. Nor is it sure
        in a first one that the last points at.
        """
        surely_typed = _surely_typed(self.typed.typed.strip(), self.entry.origin)
        return self.sentences[number] not in surely_typed

    def place(self, sentence: int = 0) -> EntryPosition:
        """Return where the prompt's sentence of that number was said."""
        number = self.entry.uuid.partition("#")[2]
        first = int(number) * _POSITIONS_PER_PROMPT if number.isdigit() else 0
        return entry_position(self.entry, first + sentence)


def has_fewer(sentence: str, words: int, signs: int) -> bool:
    """Return whether a sentence has fewer words, or one in Chinese or Japanese fewer signs."""
    return len(sentence) < signs if has_cjk(sentence) else len(sentence.split()) < words


def _names_nothing(sentence: str) -> bool:
    """Return whether a sentence is too short to say what the next one speaks of: "No!"."""
    return len(sentence) <= _SHORT_CHARS and has_fewer(sentence, _FEWEST_WORDS, _FEWEST_CJK)


def _end_of(sentence: str) -> str:
    """Return a sentence, of a long one the end, which the next most likely speaks of."""
    if len(sentence) <= _QUOTED_CHARS:
        return sentence
    end = sentence[-_QUOTED_CHARS:]
    return f"…{end.partition(' ')[2] or end}"


@dataclass(frozen=True, slots=True)
class WindowContent:
    """A window as the extractors take it: its newest prompts and its steps, each read once."""

    window: Window
    prompts: tuple[UserPrompt, ...]
    steps: list[TranscriptStep]

    @property
    def uses(self) -> Iterator[tuple[TranscriptStep, ToolUse]]:
        """The uses of tools, in order, each with its step."""
        return ((step, step.tool) for step in self.steps if step.tool is not None)

    @property
    def noted(self) -> Iterator[tuple[TranscriptStep, WindowNotes]]:
        """Yield what entries tell of the window, in order, each with a step in its place."""
        for node in self.window.chain:
            if node.noted is not None:
                yield step_at(node, self.window), node.noted


def step_at(node: Node, window: Window) -> TranscriptStep:
    """Return a step without words in the place of an entry."""
    return TranscriptStep(node.uuid, node.offset, node.timestamp, window.index)


def typed_or_said(step: TranscriptStep) -> str:
    """Return what the user typed of a text himself; all that the model said."""
    return split_typed(step.text).typed if step.by_user else step.text


def read_content(window: Window) -> WindowContent:
    """Return what was said and done in a window, in the order of the transcript."""
    return WindowContent(window, tuple(_prompts_of(window)), window.steps)


def _prompts_of(window: Window) -> Iterator[UserPrompt]:
    typed = _newest_typed(window)
    before = PrecedingTurn()
    for turn in window.turns:
        prompt = turn.prompt
        own = typed.get(prompt.uuid) if prompt is not None else None
        if prompt is not None and own is not None:
            said = _sentences_of(own.typed, prompt.origin)
            yield UserPrompt(prompt, own, said, before, turn)
        if turn.texts or turn.tools:
            before = _preceding(turn, own.typed if own is not None else "")


def _newest_typed(window: Window) -> dict[str, PromptParts]:
    """Return the typed parts of the newest prompts, by uuid, up to as many as can be read."""
    found: dict[str, PromptParts] = {}
    chars = 0
    for prompt in reversed(window.prompts[-PROMPTS_LIMIT:]):
        typed = split_typed(prompt.text)
        chars += len(typed.typed)
        if chars > TYPED_LIMIT_CHARS:
            break
        found[prompt.uuid] = typed
    return found


def _sentences_of(typed: str, origin: str) -> tuple[str, ...]:
    """Return the sentences of what was typed; a command's name is not one of them."""
    own = without_quoted_texts(typed)
    return tuple(sentences(own.partition(" ")[2] if origin == "command" else own))


@lru_cache(maxsize=_CACHED_PROMPTS)
def _surely_typed(typed: str, origin: str) -> frozenset[str]:
    """Return the sentences of the paragraph that is the user's beyond doubt."""
    own = pointing_paragraph(typed) or typed.partition("\n\n")[0]
    return frozenset(_sentences_of(own, origin))


def _preceding(turn: Turn, asked: str) -> PrecedingTurn:
    """Return how a turn ended; its last tool does where it was refused, or nothing was said."""
    text = turn.texts[-1].text if turn.texts else ""
    did = turn.tools[-1] if turn.tools else None
    tool = did if did is not None and (not text or was_refused(did)) else None
    return PrecedingTurn(text, tool, asked)

"""Lay out a window's prompts as sentences with the place each was said at."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from amplihack_compaction.extract.replies.before import NOTHING, Before, before_prompts
from amplihack_compaction.extract.replies.settling import answers
from amplihack_compaction.text.phrasings.conversation import corrects_itself
from amplihack_compaction.text.prompts import Typed, split_typed
from amplihack_compaction.text.sentences import leans, likens, sentences, with_following
from amplihack_compaction.text.strings import has_cjk
from amplihack_compaction.transcript.steps import Place
from amplihack_compaction.transcript.turns import Prompt
from amplihack_compaction.transcript.windows import Window

# What one window can hold of what was typed: real ones have 20 to 100 prompts. Of more, the newest
# count, so that a hook's time is bounded whatever the transcript.
PROMPTS_LIMIT = 1_000
TYPED_LIMIT_CHARS = 300_000
# How much of what stood before a sentence is quoted with it: one sentence, and another where that
# is short and leans on it in turn.
_QUOTED_CHARS = 240
_QUOTED_SENTENCES = 2
_SHORT_CHARS = 16
_SHORT_WORDS = 2
_SHORT_CJK_CHARS = 5
# What stands between "here is the log:" and the next sentence was not typed.
_SHOWS = re.compile(
    r"\b(?:here|below|following|attached|this|hier|voici|aqui|aquí)\b.*[:：]$|(?:以下|下面|如下).*[:：]$",
    re.IGNORECASE,
)
# Several refusals can hang on one entry; each prompt of an entry has this much room for its
# sentences' positions.
_POSITIONS_PER_PROMPT = 10_000


@dataclass(frozen=True, slots=True)
class Said:
    """One prompt with the place it was said at; `position` is that of its first sentence."""

    uuid: str
    offset: int
    at: str
    window: int
    origin: str
    typed: Typed
    position: int = 0
    before: Before = NOTHING

    @property
    def sentences(self) -> tuple[str, ...]:
        """The typed part's sentences; a command's name is not one of them."""
        text = self.typed.typed
        if self.origin == "command":
            text = text.partition(" ")[2]
        return _sentences(text)

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
        alone = first == 0 and (_leans(self.sentences[0]) or _names_nothing(self.sentences[0]))
        if not alone or not _leans(self.sentences[number]):
            return ""
        return self.before.like if likens(self.sentences[number]) else self.before.done

    def _first_of(self, number: int) -> int:
        """Return which sentence begins what one says: it may lean on those before it."""
        parts, first = self.sentences, number
        while first > max(0, number - _QUOTED_SENTENCES) and leans(parts[first]):
            if _SHOWS.search(parts[first - 1]):
                break
            first -= 1
            if len(parts[first]) > _SHORT_CHARS:
                break
        return first

    def place(self, sentence: int = 0) -> Place:
        """Return where the prompt's sentence of that number was said."""
        return {
            "uuid": self.uuid,
            "offset": self.offset,
            "position": self.position + sentence,
            "at": self.at,
            "window": self.window,
        }


def _leans(sentence: str) -> bool:
    """Return whether a sentence speaks of what stood before, or puts a value of that right."""
    return leans(sentence) or corrects_itself(sentence)


def _names_nothing(sentence: str) -> bool:
    """Return whether a sentence is too short to say what the next one speaks of: "No!"."""
    if has_cjk(sentence):
        return len(sentence) <= _SHORT_CJK_CHARS
    return len(sentence) <= _SHORT_CHARS and len(sentence.split()) <= _SHORT_WORDS


def _end_of(sentence: str) -> str:
    """Return a sentence, of a long one the end, which the next most likely speaks of."""
    if len(sentence) <= _QUOTED_CHARS:
        return sentence
    end = sentence[-_QUOTED_CHARS:]
    return f"…{end.partition(' ')[2] or end}"


@lru_cache(maxsize=PROMPTS_LIMIT)
def _sentences(text: str) -> tuple[str, ...]:
    """Cut a prompt once for all extractors of a window."""
    return tuple(sentences(text))


def prompts_said(window: Window) -> Iterator[Said]:
    """Yield the window's newest prompts in the order they were said."""
    places = {node.uuid: node.offset for node in window.chain}
    before = before_prompts(window)
    for prompt, typed in reversed(list(_newest_prompts(window))):
        entry, _, number = prompt.uuid.partition("#")
        yield Said(
            prompt.uuid,
            places.get(entry, window.start),
            prompt.timestamp,
            window.index,
            prompt.origin,
            typed,
            int(number) * _POSITIONS_PER_PROMPT if number.isdigit() else 0,
            before.get(prompt.uuid, NOTHING),
        )


def _newest_prompts(window: Window) -> Iterator[tuple[Prompt, Typed]]:
    """Yield prompts with their typed part, newest first, until there are too many."""
    chars = 0
    for prompt in reversed(window.prompts[-PROMPTS_LIMIT:]):
        typed = split_typed(prompt.text)
        chars += len(typed.typed)
        if chars > TYPED_LIMIT_CHARS:
            return
        yield prompt, typed

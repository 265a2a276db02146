"""What the user later said of an open todo: that it is not needed, waits, or is another's.

Nothing is closed by it: who says "the export can wait" may have another export in mind. The words
stand beside the todo instead.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from amplihack_compaction.extract.model import SessionState, Todo, TodoStatus
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.strings import asks, scripts_apart, words_of
from amplihack_compaction.text.telling_words import distinct_words

_NEXT = r"(?:version|release|sprint|week|woche|semaine|semana|versión|versão|fois|vez)"
_SETS_ASIDE = re.compile(
    r"\b(?:skip|drop|scrap|off the table|not now|for later|can wait|no longer|not needed"
    r"|(?:don'?t|won'?t|do not) need|already (?:did|done|wrote|fixed|have)|takes? (?:care of|over)"
    rf"|next {_NEXT}|(?:is|are) (?:doing|writing|on) it"
    r"|streich\w*|weglassen|brauch\w*\b.{0,30}\bnicht|nicht (?:mehr )?nötig|unnötig|entfällt"
    rf"|fällt weg|verschieb\w+|nächste[ns]? {_NEXT}|(?:macht|schreibt|übernimmt|liefert|erledigt)"
    r" (?:der|die|das|[^\W\d_]\w+)|(?:plus|pas) besoin|inutile|annul\w+|abandonn\w+|laisse\w*"
    rf"|plus tard|prochaine {_NEXT}|(?:le|la|les) (?:fait|font|fera)|s'en (?:occupe|charge)"
    r"|déjà fait\w*|ya no|no (?:hace falta|hagas)"
    rf"|descart\w+|olvíd\w+|quítal\w+|próxima {_NEXT}|se encarga\w*"
    r"|l[oa]s? (?:hace|hacen|manda|mandan|escribe|lleva|hizo|reescribió|arregló)|ignór\w+"
    r"|deixa pra lá|não (?:precisa|vamos)|(?:fica|deix\w+) (?:pr[ao]|para)|quem (?:faz|cuida)"
    r"|depois a gente|(?:vai|vão) (?:fazer"
    r"|cuidar)"
    r"|já (?:fez|foi|fizeram)|не (?:нужн\w+|надо)|вычеркн\w+|отмен\w+|отлож\w+|потом|позже"
    r"|следующ\w+|(?:напиш|сдела|возьм|займ)[её]\w+|уже (?:сдела|напис)\w+)\b"
    r"|不(?:用|做|需要)|先不|取消|算了|以后再|下个?版本|留到|(?:来做|负责|在做)|やめ|要らない"
    r"|いらない|不要"
    r"|来週|後で|あとで|次の(?:版|バージョン|リリース)|に任せ|担当|빼자|빼줘|필요 ?없|안 해도"
    r"|취소|나중에"
    r"|다음 ?(?:버전|주|스프린트)|(?:한대|맡아|맡기)",
    re.IGNORECASE,
)
_SENTENCE_CHARS = 240
# Which share of a todo's words is named by who speaks of it, and how words are compared.
_MOST = 0.5
_STEM_CHARS = 6
_LEAST_CHARS = 3
# A todo of more words is no compound.
_FEW = 12
_NEWEST_TODOS = 40
_NEWEST_PROMPTS = 200


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A todo by its words' stems, and these two by two: "Soaktest" names the "soak test"."""

    text: str
    offset: int
    stems: frozenset[str]
    joined: frozenset[str]


def set_aside(state: SessionState) -> dict[str, str]:
    """Map the text of each open todo that later words of the user set aside to these words.

    What is in progress was taken up whatever was said of it before. Of very many todos and
    prompts, the newest are looked at.
    """
    pending = [todo for todo in state.open_todos if todo.status is TodoStatus.PENDING]
    waiting = pending[-_NEWEST_TODOS:]
    # As typed, for "docs" and "documentation" are one word.
    words = (word for todo in waiting for word in words_of(todo.text))
    named = {word.rstrip("s")[:_STEM_CHARS] for word in words if len(word) >= _LEAST_CHARS}
    wanted = [_wanted(todo) for todo in waiting]
    found: dict[str, str] = {}
    for prompt in state.prompts[-_NEWEST_PROMPTS:] if waiting else ():
        text = prompt.text.casefold()
        if any(stem in text for stem in named) and _SETS_ASIDE.search(text):
            before = [todo for todo in wanted if todo.offset < prompt.offset]
            for sentence in filter(_sets_aside, sentences(prompt.text)):
                found.update((text, sentence) for text in _meant(sentence, before))
    return found


def _sets_aside(sentence: str) -> bool:
    short = len(sentence) <= _SENTENCE_CHARS
    return short and _SETS_ASIDE.search(sentence) is not None and not asks(sentence)


def _wanted(todo: Todo) -> _Wanted:
    stems = _stems(todo.text)
    joined = {f"{one}{other}" for one in stems for other in stems} if len(stems) < _FEW else set()
    return _Wanted(todo.text, todo.offset, stems, frozenset(joined))


def _meant(sentence: str, todos: Iterable[_Wanted]) -> list[str]:
    """Return the todos of which a sentence names the most, if it names most of any."""
    apart = scripts_apart(sentence)  # "coupon은"
    words, stems = distinct_words(apart), _stems(apart)
    shares = [(_share_named(todo, words, stems), todo.text) for todo in todos]
    best = max((share for share, _ in shares), default=0.0)
    return [text for share, text in shares if best and share == best]


def _share_named(todo: _Wanted, words: frozenset[str], stems: frozenset[str]) -> float:
    """Return which share of a todo's words is named; 0 for less than most of them."""
    if not todo.joined.isdisjoint(words):
        return 1.0
    share = len(todo.stems & stems) / len(todo.stems) if todo.stems else 0.0
    return share if share >= _MOST else 0.0


def _stems(text: str) -> frozenset[str]:
    words = (word for word in distinct_words(text) if len(word) >= _LEAST_CHARS)
    return frozenset(word[:_STEM_CHARS] for word in words)

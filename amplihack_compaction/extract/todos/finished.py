"""Read what is called done in words, and tell which todo that is: "the footer is done"."""

import re
from functools import lru_cache

from amplihack_compaction.text.phrasings.conversation import NODS
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.strings import has_hint
from amplihack_compaction.text.telling_words import distinct_words
from amplihack_compaction.transcript.steps import prose_lines

# What is longer tells of more than one piece of work.
_SENTENCE_CHARS = 120
_WORDS = 14
_HINTS = (
    "done", "finish", "complet", "ready", "ed ", "wrote", "built", "sent", "in place", "live",
    "fertig", "erledigt", "termin", "fait", "prêt", "list", "hech", "pront", "feit", "готов",
    "сделан", "好了", "完成", "搞定", "完了", "終わり", "완료", "끝",
)  # fmt: skip
_IS_DONE = re.compile(
    r"(?P<what>[^.,;:!?\n]{2,80}?)(?:\s(?:is|are|was|were|ist|sind|est|sont|está|están|é|são|estão)"
    r"|'s)(?: (?:all|now|also|both|jetzt|auch|maintenant|aussi|ya|también|já|também))?"
    r" (?:done|finished|completed?|ready|in place|implemented|shipped|published|live|sent|out"
    r"|fertig|erledigt|fait(?:e?s?)|terminée?s?|prête?s?|list[oa]s?|hech[oa]s?|terminad[oa]s?"
    r"|pront[oa]s?|feit[oa]s?)(?: (?:too|now|as well|again))?\W*$"
    r"|(?P<russian>[^.,;:!?\n]{2,80}?) (?:готов[аоы]?|сделан[аоы]?)\W*$"
    r"|(?P<chinese>[^。，,！!？?\n]{1,40}?)(?:也|都|已经|已)*(?:做好|完成|搞定|写好|改好)了?\W*$"
    r"|(?P<korean>[^.,!?\n]{1,40}?)(?:을|를|이|가|은|는|도)? ?(?:모두 )?(?:완료|끝)\S{0,6}\W*$"
    r"|(?P<japanese>[^。、！!？?\n]{1,40}?)(?:が|は|を|も)(?:完了|終わり|でき)\S{0,6}\W*$",
    re.IGNORECASE,
)
_DID = re.compile(
    r"(?:(?:ok|okay|yes|great|and|also)[, ]+){0,2}(?:(?:i|we)(?:'ve| have)? (?:just |also |now )?)?"
    r"(?P<what>(?!(?:embed|shed|shred|wed|\w*eed)\b)"
    r"(?:done with|(?:\w{2,20}ed|wrote|built|sent|made|set up|ran)\b)[^.;:!?\n]{2,80})",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"\b(?:not|never|no|almost|nearly|half|partly|once|until|if|when|unless|will|should|must|needs?"
    r"|next|before|after|except|tried|failed|started|stopped|skipped|nicht|noch|fast|pas|presque"
    r"|sin|casi|não|quase|не|почти)\b|n't\b|[?？]\s*$|没|未|还|まだ|아직",
    re.IGNORECASE,
)
# The past of what tells no todo from another (`language.distinct`).
_DID_SOMETHING = frozenset(
    "added updated wrote fixed created implemented made did ran used set finished completed done"
    " built checked removed ensured".split()
)
_JOINT = re.compile(r",\s|\s(?:and|und|et|y|e|и)\s|[、和与]")
# "revoke the token when we're done": when, is not what.
_WHEN = re.compile(
    r"\s(?:when|after|before|once|until|as soon as|by|wenn|nach|sobald|quand|cuando)\s"
)
# Endings differ between what is to do and what was done: "migrate", "migrated", "migration".
_STEM_CHARS = 5
_CLEAR_SHARE = 0.6
_CACHED_TEXTS = 1024


def read_finished(text: str) -> list[str]:
    """Return the names of what a text calls done, in the text's words."""
    if not has_hint(text, _HINTS):
        return []
    found: list[str] = []
    for sentence in sentences("\n".join(prose_lines(text))):
        words = sentence.replace("’", "'")
        is_short = len(words) <= _SENTENCE_CHARS and len(words.split()) <= _WORDS
        if not is_short or not has_hint(words, _HINTS):
            continue
        told = _IS_DONE.match(words) or _DID.match(words)
        if told is not None and not _NOT_DONE.search(words):
            found.append(next(filter(None, told.groups())))
    return found


def finishes(name: str, todo: str) -> bool:
    """Return whether what was called done clearly is this todo, as a whole."""
    wanted = _wanted_of(todo)
    return any(_is_clear(said, wanted) for said in _parts_of(name))


def _is_clear(said: frozenset[str], wanted: frozenset[str]) -> bool:
    if not said or not wanted:
        return False
    if wanted <= said:
        return len(said - wanted) <= len(wanted) // 2
    return said <= wanted and len(said) >= _CLEAR_SHARE * len(wanted)


@lru_cache(maxsize=_CACHED_TEXTS)
def _wanted_of(todo: str) -> frozenset[str]:
    return _stems(_WHEN.split(todo, maxsplit=1)[0])


@lru_cache(maxsize=_CACHED_TEXTS)
def _parts_of(name: str) -> tuple[frozenset[str], ...]:
    """Return what a name calls done: all of it, or one of several things."""
    return tuple(_stems(part) for part in (name, *_JOINT.split(name)))


def _stems(text: str) -> frozenset[str]:
    words = distinct_words(text) - NODS - _DID_SOMETHING
    return frozenset(word[:_STEM_CHARS] for word in words)

"""The words by which one task is told from others, whoever names it."""

from functools import lru_cache

from amplihack_compaction.text.strings import words_of

_CACHED_TEXTS = 4096
# Words that many tasks share, and so tell none from another.
_COMMON = frozenset(
    "the a an this that those these my our your of for to in on at with and or as it is be about"
    " task todo tasks todos item items step steps point ticket part one thing work to-do"
    " add update write fix create implement make do run use set up remove check ensure new also"
    " all some any".split()
)
_ALIASES = {
    "doc": "documentation", "docs": "documentation", "config": "configuration",
    "auth": "authentication", "db": "database", "deps": "dependency", "dependencies": "dependency",
    "repo": "repository", "env": "environment", "spec": "specification", "perf": "performance",
}  # fmt: skip


@lru_cache(maxsize=_CACHED_TEXTS)
def distinct_words(text: str) -> frozenset[str]:
    """Return the words that tell a task from others, plural and common short forms folded."""
    return frozenset(_stem(word) for word in words_of(text) if word not in _COMMON)


def _stem(word: str) -> str:
    word = _ALIASES.get(word, word)
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word

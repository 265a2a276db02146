"""What the model says it did away with: "I removed littlefs and wrote a ring"."""

import re

from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.strings import has_hint

# Of one answer, so many sentences are looked at.
_SENTENCES_AT_MOST = 40
_SENTENCE_CHARS = 300
_HINTS = ("remov", "replac", "dropp", "switch", "took out", "threw out", "got rid", "swapp")
_UNDID = re.compile(
    r"(?:^|[,;:] |\b(?:and|then|so) )\W*(?:(?:i|we)(?:'ve| have)?(?: now| also| therefore)? )?"
    r"(?:(?:removed|dropped|replaced|got rid of|took out|threw out|swapped(?: out)?)"
    r" (?P<what>[^.,;:]{3,80})|switched (?:\w+ ){0,2}from (?P<old>[^.,;:]{3,60}?) (?:back )?to\b)",
    re.IGNORECASE,
)
# What it was replaced by is not what went.
_REST = re.compile(
    r"\s(?:and|but|with|by|for|from|in favou?r|because|since|so|as|again|instead|which|that)\b.*",
    re.IGNORECASE,
)


def undone_in(text: str) -> list[str]:
    """Return what an English text of the model's says that it removed or replaced."""
    if not has_hint(text, _HINTS):
        return []
    found = (
        _UNDID.search(sentence)
        for sentence in sentences(text)[:_SENTENCES_AT_MOST]
        if len(sentence) <= _SENTENCE_CHARS and has_hint(sentence, _HINTS)
    )
    named = (match["what"] or match["old"] for match in found if match is not None)
    return [what for each in named if (what := _REST.sub("", each).strip())]

"""Find the reason that a text gives, in nine languages."""

import re

from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.strings import one_line

_REASON_CHARS = 300
_REASON = re.compile(
    r"\b(?:because(?: of)?|since|as it|due to|given that|reason being|so that|the reason (?:is"
    r"|being)|weil|da (?:es"
    r"|wir|sie|das)|denn|parce que|car"
    r"|puisque|porque|ya que|puesto que|pois|já que|потому что|так как"
    r"|поскольку)\b[:,]?\s*(?P<reason>\S.+)|因为(?P<zh>.+)",
    re.IGNORECASE,
)
# What marks the words before it, back to the last stop, as the reason.
_REASON_BEFORE = re.compile(r"(?P<ja>ので|から)[、,]|때문에|니까|므로")


def reason_of(text: str) -> str:
    """Return the reason that a text gives, up to the end of its sentence; empty without one."""
    found, behind = _REASON.search(text), _REASON_BEFORE.search(text)
    start = _clause_start(text, behind) if behind else len(text)
    if behind is not None and (found is None or start < found.start()):
        reason = text[start : behind.start() if behind["ja"] else behind.end()]
    elif found is not None:
        reason = next(part for part in found.groups() if part)
    else:
        return ""
    return one_line(next(iter(sentences(reason)), ""), _REASON_CHARS).rstrip(" .!。")


def _clause_start(text: str, marker: re.Match[str]) -> int:
    """Return where the clause begins that ends with a marker of reasons."""
    stops = "、。" if marker["ja"] else ",."
    return max(text.rfind(stop, 0, marker.start()) for stop in stops) + 1

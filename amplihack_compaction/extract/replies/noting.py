"""Which prompts the model only took note of: it did nothing, and said little.

Whoever is asked for work works, and whoever is asked something tells it at length. Of 189 prompts
of real sessions 28 were answered in words alone, none of these in fewer than 200 characters. So
"Understood." tells that what was said before it holds from then on, whatever its wording.
"""

from amplihack_compaction.text.strings import asks
from amplihack_compaction.transcript.turns import Turn
from amplihack_compaction.transcript.windows import Window

_NOTING_CHARS = 200


def noted_prompts(window: Window) -> frozenset[str]:
    """Return the uuids of the prompts that the model only took note of."""
    return frozenset(
        turn.prompt.uuid for turn in window.turns if turn.prompt is not None and _only_notes(turn)
    )


def _only_notes(turn: Turn) -> bool:
    if turn.tools or not turn.texts:
        return False
    said = " ".join(speech.text for speech in turn.texts)
    return len(said) <= _NOTING_CHARS and not asks(said)

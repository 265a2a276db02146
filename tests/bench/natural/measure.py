"""Score halves of the labelled compactions with the package of this checkout, in this process."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from unittest.mock import patch

from tests.bench.natural.labels import Compaction, unpacked
from tests.bench.natural.losses import count_losses
from tests.bench.natural.score import Injected, Score, injections

_NOTHING = Injected("", 0, "")


def measure(folder: Path, groups: Mapping[str, Iterable[list[Compaction]]]) -> dict[str, Score]:
    """Return the score of each group of sessions with transcripts in a folder.

    Neither the user's settings nor their sessions count.
    """
    scores = {name: Score() for name in groups}
    with unpacked(folder) as transcripts, patch.dict(os.environ, {"HOME": str(transcripts)}):
        os.environ.pop("CLAUDE_CONFIG_DIR", None)
        for name, score in scores.items():
            for compactions in groups[name]:
                path = transcripts / compactions[0].transcript
                injected = injections(path)
                score.losses += count_losses(path, compactions, injected)
                for compaction in compactions:
                    score.add(compaction, injected.get(compaction.number, _NOTHING))
    return scores

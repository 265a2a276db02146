"""Read what a test wrote through the builder as the windows that extractors get."""

from collections.abc import Callable
from pathlib import Path

import pytest

from amplihack_compaction.transcript.windows import Window, read_windows
from tests.support.transcripts import Transcript

Read = Callable[[Transcript], Window]


def started(text: str = "Go") -> Transcript:
    """Return a session whose user has said something."""
    transcript = Transcript()
    transcript.user(text)
    return transcript


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return a function that writes a transcript and reads its last window."""

    def last_window(transcript: Transcript) -> Window:
        return list(read_windows(transcript.write(tmp_path / "session.jsonl")))[-1]

    return last_window

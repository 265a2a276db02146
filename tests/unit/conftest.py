"""Read what a test wrote through the builder as the windows that extractors get."""

from collections.abc import Callable
from pathlib import Path

import pytest

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.extract.window_content import WindowContent, read_content
from tests.support.transcripts import Transcript

Read = Callable[[Transcript], WindowContent]


def started(text: str = "Go") -> Transcript:
    """Return a session whose user has said something."""
    transcript = Transcript()
    transcript.user(text)
    return transcript


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return a function that writes a transcript and reads its last window."""

    def last_window(transcript: Transcript) -> WindowContent:
        return read_content(list(read_windows(transcript.write(tmp_path / "session.jsonl")))[-1])

    return last_window

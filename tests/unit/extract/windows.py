"""Build windows for the extractors' tests out of transcripts in the client's own shapes."""

from pathlib import Path

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.extract.window_content import WindowContent, read_content
from tests.support.transcripts import Transcript


def window_of(transcript: Transcript, folder: Path) -> WindowContent:
    """Return the transcript's last window, read back from disk."""
    return read_content(list(read_windows(transcript.write(folder / "session.jsonl")))[-1])


def window_saying(folder: Path, *prompts: str) -> WindowContent:
    """Return the window of a session in which these prompts were typed."""
    transcript = Transcript()
    for prompt in prompts:
        transcript.user(prompt)
        transcript.assistant("Done.")
    return window_of(transcript, folder)

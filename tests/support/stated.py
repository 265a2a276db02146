"""What is kept of a prompt as the user's word, and texts as they are compared."""

import re
from pathlib import Path

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.extract.window import extract_window
from tests.support.transcripts import Transcript


def stated(prompt: str, folder: Path) -> tuple[str, str]:
    """Return the rules of a prompt, and all else that is kept as decided or wanted."""
    transcript = Transcript()
    transcript.user("Look at the parser.")
    transcript.assistant("I do.")
    transcript.user(prompt)
    (window,) = read_windows(transcript.write(folder / "t.jsonl"))
    found = extract_window(window)
    assert not isinstance(found, SessionState)
    rules = "\n".join(rule.text for rule in found.rules)
    return rules, "\n".join(made.text for made in found.decisions)


def plain(text: str) -> str:
    """Return a text without marks of quotation, full stops and case."""
    return re.sub(r"[\s\"“”.。'`]+", " ", text).strip().lower()

"""Sessions whose responses report how full their context is."""

from pathlib import Path
from typing import Any

from tests.sessions import Session
from tests.transcripts import Transcript

OLDER_MODEL = "claude-sonnet-4-5-20250929"
NEWER_MODEL = "claude-opus-5-5"
# Of an older model, whose limit is its effective window.
OLDER_LIMIT = 180_000


def usage_of_tokens(tokens: int, output: int = 10) -> dict[str, Any]:
    """Return a response's numbers for a context of that many tokens, its output included."""
    return {
        "input_tokens": 3,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": tokens - output - 3,
        "output_tokens": output,
    }


def respond(
    transcript: Transcript,
    tokens: int,
    model: str = OLDER_MODEL,
    text: str = "Yes.",
    tools: list[dict[str, Any]] | None = None,
    **changes: Any,
) -> None:
    """Add a response that reports a context of that many tokens; `changes` are of its lines."""
    count = len(transcript.assistant(text, tools))
    for line in transcript.lines[-count:]:
        line["message"]["usage"] = usage_of_tokens(tokens)
        line["message"]["model"] = model
        line.update(changes)


def filled(path: Path, tokens: int, model: str = OLDER_MODEL) -> Path:
    """Write a transcript whose only response reports that many tokens."""
    transcript = Transcript()
    transcript.user("Go.")
    respond(transcript, tokens, model)
    return transcript.write(path)


def fill(session: Session, share: float, model: str = OLDER_MODEL) -> None:
    """Let a session's next response report a share of the older models' limit."""
    respond(session.transcript, round(share * OLDER_LIMIT), model)

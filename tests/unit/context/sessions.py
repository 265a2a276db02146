"""Transcripts whose usage numbers grow by a known line on the text between two responses."""

from collections.abc import Callable

from amplihack_compaction.transcript.session import Entry
from tests.support.transcripts import Transcript

MODEL = "claude-opus-4-6"


def entries(transcript: Transcript) -> list[Entry]:
    """Return the transcript as its reader gives it."""
    return [Entry(n, line) for n, line in enumerate(transcript.lines)]


def session(
    count: int, tokens: Callable[[str], float], model: str = MODEL, start: int = 20_000
) -> Transcript:
    """Return a session of `count` responses, each read file growing the context by `tokens`."""
    transcript = Transcript()
    transcript.model = model
    transcript.user("Read them all.")
    context = start
    for n in range(count):
        result = f"line {n} of the file, as it was read\n" * (20 + n * 7 % 60)
        transcript.tool("Read", {"file_path": f"/src/module_{n}.py"}, result)
        response, answer = transcript.lines[-2:]
        response["message"]["usage"] = {
            "input_tokens": 3,
            "cache_creation_input_tokens": 200,
            "cache_read_input_tokens": context - 203,
            "output_tokens": 1,
        }
        call = response["message"]["content"][0]
        answered = answer["message"]["content"][0]["content"]
        context += round(tokens(f'{call["name"]}{{"file_path": "/src/module_{n}.py"}}\n{answered}'))
    return transcript

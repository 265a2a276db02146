"""Sessions to measure with: a quiet one, a full window, files of any size."""

from pathlib import Path

from tests.support.transcripts import Transcript

MEGABYTE = 1024 * 1024


def quiet_session() -> Transcript:
    """Return a window in which no hook finds anything to do."""
    transcript = Transcript()
    transcript.user("Go.")
    for number in range(40):
        transcript.tool("Read", {"file_path": f"/src/{number}.py"}, "x = 1\n" * 2000)
    return transcript


def working_session(rounds: int = 300) -> Transcript:
    """Return a window of about 200,000 tokens: prompts, tool rounds with real-sized results."""
    transcript = Transcript()
    _work(transcript, range(rounds))
    return transcript


def later_session(rounds: int = 300) -> Transcript:
    """Return a session of two such windows, the first of which was compacted."""
    transcript = working_session(rounds)
    transcript.compact("They talked.")
    _work(transcript, range(rounds, 2 * rounds))
    return transcript


def _work(transcript: Transcript, numbers: range) -> None:
    for number in numbers:
        if number % 15 == 0:
            transcript.user(
                f"Step {number}: never touch module {number}; use port {8000 + number}."
            )
        transcript.tool(
            "Read", {"file_path": f"/src/module_{number}.py"}, f"x = {number}  # a line\n" * 130
        )
        transcript.assistant(f"Module {number} looks fine.\n- [ ] Document module {number}")


def grown(path: Path, transcript: Transcript, megabytes: int) -> Path:
    """Write a session's lines again and again, as many windows, until the file has that size."""
    unit = transcript.write(path).read_bytes()
    closed = Transcript()
    closed.lines = list(transcript.lines)
    closed.leaf, closed.count = transcript.leaf, transcript.count
    closed.compact("They talked.")
    window = closed.write(path).read_bytes()
    with path.open("wb") as stream:
        while stream.tell() + len(unit) < megabytes * MEGABYTE:
            stream.write(window)
        stream.write(unit)
    return path

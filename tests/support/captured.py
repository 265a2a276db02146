"""Read what was captured from the real client (see `tests/captures/README.md`)."""

import json
from pathlib import Path
from typing import Any

CAPTURES = Path(__file__).parents[1] / "captures"


def payload(name: str, **changes: Any) -> dict[str, Any]:
    """Return the payload that a hook received, with fields replaced."""
    text = (CAPTURES / "hook_payloads" / f"{name}.json").read_text(encoding="utf-8")
    stdin: dict[str, Any] = json.loads(text)["stdin"]
    return {**stdin, **changes}


def session(name: str) -> Path:
    """Return the transcript of a captured session, the first by name where there are several."""
    return sorted((CAPTURES / "sessions" / name).glob("*.jsonl"))[0]

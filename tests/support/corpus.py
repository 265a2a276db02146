"""Real transcripts, from the folder that COMPACTION_CORPUS names; their words are replaced.

Longer texts were cut down, each with a mark that says how many characters are gone. What is
measured by size is measured with every cut text made as long as it was.
"""

import json
import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from amplihack_compaction.clients.reading import iterate_entries

CUT = re.compile(r"\[\.\.\. (\d{1,8}) \w+ \w+ \.\.\.\]")


def grown(value: Any) -> Any:
    """Return a value whose cut texts are as long as they were."""
    if isinstance(value, str):
        return CUT.sub(lambda cut: (value[:800] * int(cut[1]))[: int(cut[1])], value)
    if isinstance(value, list):
        return [grown(inner) for inner in value]
    if isinstance(value, dict):
        return {key: grown(inner) for key, inner in value.items()}
    return value


def grown_lines(data: bytes) -> Iterator[bytes]:
    """Yield a transcript's lines, every cut text as long as it was."""
    for line in data.splitlines(keepends=True):
        try:
            entry = json.loads(line)
        except ValueError:
            yield line
            continue
        text = json.dumps(grown(entry), ensure_ascii=False, separators=(",", ":"))
        yield text.encode("utf-8", "backslashreplace") + b"\n"


def corpus() -> list[Path]:
    """Return the transcripts; none where the variable is not set."""
    folder = os.environ.get("COMPACTION_CORPUS")
    return sorted(Path(folder).glob("*.jsonl")) if folder else []


def is_a_subagents(path: Path) -> bool:
    """Tell a subagent's transcript, which no client resumes."""
    return any(entry.data.get("isSidechain") for entry in islice(iterate_entries(path), 3))

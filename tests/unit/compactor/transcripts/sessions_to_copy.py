"""Sessions to copy, in the client's folder, and what the tests look at in the copies."""

import json
from pathlib import Path
from typing import Any

from amplihack_compaction.compactor.transcripts.copy_plan import Original, Plan
from amplihack_compaction.compactor.transcripts.make_copy import Copy, make_copy, preview_copy
from amplihack_compaction.compactor.transcripts.manifest import (
    LeftOutPart,
    manifest_path,
    read_parts,
)
from tests.support.transcripts import SESSION, Transcript

LONG = "".join(f"{number:05} some line of an output\n" for number in range(100))
RULE = "Never push to main."
SMALL = 1
"""The turns that copies keep here."""
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}


def session(project: Path) -> Transcript:
    """Return a session whose first turn has one of everything that can go."""
    transcript = Transcript()
    transcript.user(f"{RULE} Read the module, at https://example.com:8443/x.")
    think(transcript, "I think about it. " * 40)
    transcript.assistant("Looking.")
    transcript.tool("Read", {"file_path": "/app/main.py"}, LONG)
    transcript.tool("Bash", {"command": "cat log"}, LONG + "1")
    transcript.tool("Bash", {"command": "cat log again"}, LONG + "1")
    transcript.tool("Read", {"file_path": "/app/picture.png"}, [IMAGE])  # type: ignore[arg-type]
    transcript.tool("Bash", {"command": "false"}, LONG + "no", error=True)
    transcript.tool("Bash", {"command": "pytest -q"}, LONG + "2 failed, 3 passed")
    transcript.tool("Write", {"file_path": "/app/other.py", "content": LONG}, "written")
    transcript.tool("Write", {"file_path": "/app/other.py", "content": LONG + "2"}, "written")
    transcript.tool("Read", {"file_path": "/app/main.py"}, LONG + "3")
    transcript.assistant("I have looked.")
    transcript.user("Next.")
    transcript.tool("Bash", {"command": "seq 1 9"}, LONG + "4")
    transcript.assistant("Done.")
    return transcript


def think(transcript: Transcript, text: str, message: str = "") -> str:
    """Add a line of thinking, of the message that comes next or one of its own."""
    block = {"type": "thinking", "thinking": text, "signature": "c2lnbmVk"}
    message_id = message or f"msg_{transcript.messages + 1:06d}"
    return transcript.add(
        "assistant",
        message={"id": message_id, "role": "assistant", "model": "m", "content": [block]},
    )


def placed(project: Path, transcript: Transcript | None = None) -> Original:
    """Write a session where the client keeps it, and return it."""
    path = project.parent / "claude" / "projects" / "p" / f"{SESSION}.jsonl"
    (transcript or session(project)).write(path)
    return Original(path=str(path), session_id=SESSION, root=str(project))


def copied(original: Original, keep_turns: int = SMALL) -> Copy:
    return make_copy(preview_copy(original, keep_turns))


def planned(original: Original, keep_turns: int = SMALL) -> Plan:
    return preview_copy(original, keep_turns)


def kinds(plan: Plan) -> list[str]:
    return [part.kind.value for part in plan.parts]


def whats(plan: Plan, kind: str) -> list[str]:
    return [part.what for part in plan.parts if part.kind == kind]


def entries(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_bytes().splitlines()]


def left_out(original: Original, copy: Copy) -> list[LeftOutPart]:
    return list(read_parts(manifest_path(original.root, copy.head.session_id)))


def files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())

"""Copies of generated transcripts: paired, in order, of one ledger, and taken apart again."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.compactor.transcripts import copy_plan
from amplihack_compaction.compactor.transcripts.copied_lines import follow
from amplihack_compaction.compactor.transcripts.copy_plan import Original
from amplihack_compaction.compactor.transcripts.expand import delete_copy, recall_part
from amplihack_compaction.compactor.transcripts.ledger_evidence import leaves_of
from amplihack_compaction.compactor.transcripts.make_copy import make_copy, preview_copy
from amplihack_compaction.compactor.transcripts.manifest import manifest_path, read_parts
from amplihack_compaction.ledger.stored import fold_transcript
from tests.support.transcripts import SESSION, Transcript

NAMES = ("Read", "Bash", "Grep", "Write", "Edit", "TodoWrite", "Agent", "AskUserQuestion", "mcp__x")
PATHS = ("/app/a.py", "/app/plan.md", "/app/b.txt")
COMMANDS = ("pytest -q", "ls -la", "git checkout -b work", "git commit -m x && git push", "make")
SAYINGS = (
    "Never push to main.", "Use pnpm, not npm.", "- [ ] Write the docs\n- [x] Draw it",
    "I decided to use SQLite because it is there.", "Still failing: the login test.",
)  # fmt: skip
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}

texts = st.text(st.characters(), max_size=30)
words = st.one_of(texts, st.sampled_from(SAYINGS))
long = st.one_of(
    words,
    st.builds(
        lambda text, times: (text + "\n") * times,
        st.one_of(texts, st.sampled_from(("3 passed", "Switched to branch 'x'", "error: no"))),
        st.sampled_from((60, 200)),
    ),
)
contents = st.one_of(
    long,
    st.lists(
        st.one_of(st.builds(lambda t: {"type": "text", "text": t}, long), st.just(IMAGE)),
        max_size=3,
    ),
)
inputs = st.fixed_dictionaries(
    {"file_path": st.sampled_from(PATHS)},
    optional={
        "command": st.sampled_from(COMMANDS), "content": long, "new_string": long,
        "limit": st.just(3),
        "edits": st.lists(st.fixed_dictionaries({"old_string": long}), max_size=2),
    },
)  # fmt: skip
steps = st.one_of(
    st.tuples(st.just("user"), words),
    st.tuples(st.just("picture"), words),
    st.tuples(st.just("say"), words.filter(bool)),
    st.tuples(st.just("think"), long),
    st.tuples(st.just("tool"), st.sampled_from(NAMES), inputs, contents, st.booleans()),
    st.tuples(st.just("compact"), words),
    st.tuples(st.just("raw"), st.sampled_from((b"{", b'{"type":"x"}{"type":"y"}', b"\xff", b""))),
)


def build(played: list[Any], folder: Path) -> Original:
    """Write the session that the steps tell."""
    transcript = Transcript()
    raw: dict[int, list[bytes]] = {}
    for step in played:
        if step[0] == "user":
            transcript.user(step[1])
        elif step[0] == "picture":
            transcript.user([{"type": "text", "text": step[1]}, IMAGE])
        elif step[0] == "say":
            transcript.assistant(step[1])
        elif step[0] == "think":
            block = {"type": "thinking", "thinking": step[1], "signature": "c2ln"}
            message_id = f"msg_{transcript.messages + 1:06d}"
            message = {"id": message_id, "role": "assistant", "content": [block]}
            transcript.add("assistant", message=message)
        elif step[0] == "tool":
            transcript.tool(step[1], step[2], step[3], error=step[4])
        elif step[0] == "compact":
            transcript.compact(step[1])
        else:
            raw.setdefault(len(transcript.lines), []).append(step[1])
    lines = []
    for number, line in enumerate([*transcript.lines, None]):
        lines += raw.get(number, [])
        if line is not None:
            text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
            lines.append(text.encode("utf-8", "backslashreplace"))
    path = folder / "projects" / "p" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    (folder / "project").mkdir()
    return Original(path=str(path), session_id=SESSION, root=str(folder / "project"))


def parsed(path: str) -> list[dict[str, Any] | None]:
    found: list[dict[str, Any] | None] = []
    for line in Path(path).read_bytes().splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            found.append(None)
    return found


def blocks(lines: list[dict[str, Any] | None], kind: str) -> list[dict[str, Any]]:
    return [
        block
        for line in lines
        if line and isinstance(content := line.get("message", {}).get("content"), list)
        for block in content
        if block["type"] == kind
    ]


def ledger(path: str) -> list[tuple[str, Any]]:
    return list(leaves_of(replace(fold_transcript(path, "one").state, covered_bytes=0)))


@settings(max_examples=120)
@given(
    st.lists(steps, min_size=1, max_size=14), st.integers(0, 3), st.sampled_from((0, 500, 10_000))
)
def test_a_copy_is_paired_in_order_and_of_the_same_ledger(
    played: list[Any], keep_turns: int, tokens: int
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(copy_plan, "NEWEST_TOKENS", tokens)
        original = build(played, Path(folder))
        before = Path(original.path).read_bytes()
        try:
            seen = preview_copy(original, keep_turns)
        except CompactionError:
            return  # nothing in it is a conversation
        everything = preview_copy(original, 0).parts
        copy = make_copy(seen)
        assert Path(original.path).read_bytes() == before
        lines, others = parsed(original.path), parsed(copy.head.copy_path)
        assert len(lines) == len(others)
        for line, other in zip(lines, others, strict=True):
            assert (line is None) == (other is None)
            for key in ("uuid", "parentUuid", "type", "timestamp", "logicalParentUuid"):
                assert (line or {}).get(key) == (other or {}).get(key)
            assert (other or {}).get("sessionId", SESSION) != (line or {}).get("sessionId")
        for kind, key in (("tool_use", "id"), ("tool_result", "tool_use_id")):
            assert [b[key] for b in blocks(lines, kind)] == [b[key] for b in blocks(others, kind)]
        errors = [b for b in blocks(lines, "tool_result") if b.get("is_error")]
        assert errors == [b for b in blocks(others, "tool_result") if b.get("is_error")]
        said = [b["text"] for b in blocks(lines, "text")]
        kept = [b["text"] for b in blocks(others, "text")]
        assert [text for text in kept if "amplihack-compaction expand" not in text] == said
        assert ledger(original.path) == ledger(copy.head.copy_path)
        assert_taken_apart(original, copy.head.session_id, lines)
        again = Original(
            path=copy.head.copy_path, session_id=copy.head.session_id, root=original.root
        )
        # Placeholders are never left out again; at most what lies at the edge of the newest turns.
        more = preview_copy(again, keep_turns).parts
        assert not any("amplihack-compaction expand" in part.what for part in more)
        assert len(more) <= len(everything)
        delete_copy(original.root, copy.head.session_id)
        assert [p.name for p in Path(original.path).parent.iterdir()] == [f"{SESSION}.jsonl"]


def assert_taken_apart(original: Original, new_id: str, lines: list[dict[str, Any] | None]) -> None:
    """Check that every part that was left out comes back as it stood."""
    for part in read_parts(manifest_path(original.root, new_id)):
        recalled = recall_part(original.root, f"{new_id[:8]}.{part.n}")
        value = follow(lines[part.line], tuple(part.pointer))
        if isinstance(value, str):
            assert recalled.text == value
        elif isinstance(value, list):
            assert recalled.text == "\n".join(block["text"] for block in value)
        elif value["type"] == "image":
            assert recalled.data == b"hi"
        else:
            assert recalled.text == value["thinking"]


# What the client records of its requests is in no copy.
RECORDS = (b'{"type":"api-request', b'{"type": "api-request')


@given(
    st.lists(
        st.one_of(st.binary(max_size=60), st.sampled_from((b'{"type":"user","mess', *RECORDS))),
        max_size=6,
    )
)
def test_any_bytes_are_copied_as_they_are_or_refused(pieces: list[bytes]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{SESSION}.jsonl"
        path.write_bytes(b"\n".join(pieces))
        original = Original(path=str(path), session_id=SESSION, root=folder)
        try:
            copy = make_copy(preview_copy(original))
        except CompactionError:
            return
        copied = Path(copy.head.copy_path).read_bytes()
        lines = path.read_bytes().split(b"\n")
        others = b"\n".join(line for line in lines if not line.startswith(RECORDS))
        assert others.startswith(copied.removesuffix(b"\n"))

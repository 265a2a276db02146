"""A copy that `compact transcript` made is resumed by the real client: valid, smaller, complete."""

from __future__ import annotations

import json
import re
import struct
import zlib
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from amplihack_compaction.compactor.transcripts.copy_plan import Original
from amplihack_compaction.compactor.transcripts.make_copy import make_copy, preview_copy
from tests.support.corpus import corpus, grown_lines, is_a_subagents

from .client import Client
from .conftest import NewClient
from .installation import Installation, run
from .request import Json, Request, blocks
from .scenarios import AUTO_COMPACTS, TODO_MODEL, bash, edit, failing, read, task_create, write
from .script import Answer, Script, Step, Tool

RULE = "Never push to main."
NOTHING = "They talked about the project."
SOURCE = "".join(f"value_{number} = {number}\n" for number in range(900))
TURNS = [f"{RULE} Look at the module.", "Write the other one.", "Count.", "Count on.", "The end?"]


def picture() -> bytes:
    """Return a small PNG."""
    rows = b"".join(b"\0" + bytes(range(90)) for _ in range(30))
    header = struct.pack(">IIBBBBB", 30, 30, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def rounds() -> list[Answer]:
    """Return five turns: reading, thinking, writing twice, a picture, a failure, long outputs."""
    thought = "I think about the module and what to do next. " * 40
    return [
        Step("Looking.", thought, [read("module.py")]),
        Step("", thought, [bash("seq 1 900"), read("picture.png")]),
        Step("", "", [failing("no such module")]),
        "I have looked.",
        Step("", thought, [write("other.py", "x = 1\n" * 300)]),
        Step("", "", [write("other.py", "x = 2\n" * 10), read("module.py")]),
        "Both are written.",
        Step("", thought, [bash("seq 1000 1800")]),
        "Counted.",
        Step("", thought, [bash("seq 2000 2100")]),
        "Counted on.",
        Step("It is.", thought),
    ]


@pytest.fixture
def client(new_client: NewClient) -> Client:
    client = new_client(Script(main=rounds()), files={"module.py": SOURCE})
    (client.project / "picture.png").write_bytes(picture())
    return client


def command(installation: Installation, client: Client, *arguments: str) -> str:
    """Run the product's command as the user does in the project."""
    return run([installation.command, *arguments], client.home, CLAUDE_PROJECT_DIR=client.project)


def compacted(installation: Installation, client: Client, session: str, *more: str) -> Json:
    made: Json = json.loads(
        command(installation, client, "compact", "transcript", session, "--json", *more)
    )
    return made


def assert_valid(request: Request) -> None:
    """Check what the API would refuse: unpaired tools, empty messages, wrong order of roles."""
    conversation = [m for m in request.messages if m["role"] != "system"]
    assert conversation[0]["role"] == "user"
    for message, following in zip(conversation, [*conversation[1:], None], strict=True):
        assert message["content"]
        used = [block["id"] for block in blocks(message, "tool_use")]
        answered = [b["tool_use_id"] for b in blocks(following or {}, "tool_result")]
        assert sorted(used) == sorted(answered)
        assert following is None or following["role"] != message["role"]
        for block in message["content"] if isinstance(message["content"], list) else ():
            assert block["type"] != "text" or block["text"]


def characters(value: Any) -> int:
    """Return the characters of what the model reads: an image counts as the product counts it."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return sum(map(characters, value))
    if value["type"] == "text":
        return len(value["text"])
    if value["type"] == "thinking":
        return len(value["thinking"])
    if value["type"] == "tool_use":
        return len(str(value["input"]))
    return 4_000 if value["type"] == "image" else characters(value["content"])


def conversation_size(request: Request) -> int:
    return sum(characters(m["content"]) for m in request.messages if m["role"] != "system")


def test_a_copy_resumes_with_a_valid_request_smaller_by_what_was_said(
    client: Client, installation: Installation
) -> None:
    first = client.run(TURNS)
    original = first.transcript_path.read_bytes()
    made = compacted(installation, client, first.session_id)
    assert made["copy"]["resume"] == f"claude --resume {made['copy']['session_id']}"
    copied = client.run(["Go on."], resume=made["copy"]["session_id"])
    assert first.transcript_path.read_bytes() == original
    resumed = client.run(["Go on."], resume=first.session_id)
    assert copied.exit_code == 0
    assert copied.session_id == made["copy"]["session_id"]
    before, after = resumed.main_requests[0], copied.main_requests[0]
    assert_valid(after)
    for text in (*TURNS, "I have looked.", "Both are written.", "no such module", "Go on."):
        assert text in after.text()
    assert {"tool_output", "superseded_read", "written", "thinking", "image"} <= set(made["kinds"])
    assert after.system_text() == before.system_text()
    assert after.body["tools"] == before.body["tools"]
    assert [b["id"] for b in after.tool_uses()] == [b["id"] for b in before.tool_uses()]
    saved = 1 - conversation_size(after) / conversation_size(before)
    # The numbers are of the whole transcript, with the listings that the client keeps beside it.
    tokens = made["tokens"]["resumed"]
    listed = tokens["before"] / 0.44 - conversation_size(before)
    assert saved > 0.6
    promised = (tokens["before"] - tokens["after"]) / 0.44 / (tokens["before"] / 0.44 - listed)
    assert saved == pytest.approx(promised, abs=0.03)


def test_the_model_can_read_and_edit_again_and_expand_what_was_left_out(
    client: Client, installation: Installation
) -> None:
    first = client.run(TURNS)
    made = compacted(installation, client, first.session_id)
    client.api.script.main = [
        *client.api.script.main,
        Step("", "", [edit("module.py", "value_7 = 7\n", "")]),
        Step("", "", [read("module.py")]),
        "Read again.",
    ]
    copied = client.run(["Once more."], resume=made["copy"]["session_id"])
    placeholders = [
        block["content"]
        for block in copied.main_requests[0].tool_results()
        if "amplihack-compaction expand" in str(block["content"])
    ]
    assert placeholders
    last = copied.main_requests[-1]
    assert "value_8 = 8" in str(last.tool_results()[-1]["content"])
    assert "value_7 = 7" not in str(last.tool_results()[-1]["content"])
    output = next(text for text in placeholders if "seq 1 900" in text)
    identifier = output.rpartition("expand ")[2].removesuffix("]")
    told = command(installation, client, "expand", identifier)
    assert told.splitlines() == [str(number) for number in range(1, 901)]


def test_a_copy_is_resumed_in_the_terminal(client: Client, installation: Installation) -> None:
    first = client.run(TURNS)
    made = compacted(installation, client, first.session_id)
    copied = client.run(["Go on."], resume=made["copy"]["session_id"], interactive=True)
    assert copied.exit_code == 0
    assert_valid(copied.main_requests[0])
    assert "Both are written." in copied.main_requests[0].text()


def test_a_copy_of_a_compacted_session_goes_on_from_its_boundary_with_its_state(
    new_client: NewClient, installation: Installation
) -> None:
    main: list[Answer] = [
        Step("", "", [bash("seq 1 900")]), "One.",
        Step("", "", [bash("seq 1000 1800")]), "Two.",
        Step("", "", [bash("seq 3000 3900")]), "Three.",
        "Four.", "Five.", "Six.", "Seven.", "Eight.",
    ]  # fmt: skip
    script = Script(main=main, summaries=[NOTHING], latency_seconds=0.1)
    client = new_client(script, env=AUTO_COMPACTS, setup=installation.into)
    first = client.run([f"{RULE} Count.", "Go on.", "/compact", "Count again.", "Four?", "Five?"])
    made = compacted(installation, client, first.session_id, "--keep-turns", "1")
    resumed = client.run(["Six?"], resume=first.session_id)
    copied = client.run(["Six?", "/compact", "Seven?"], resume=made["copy"]["session_id"])
    request = copied.main_requests[0]
    assert_valid(request)
    assert request.summary_handed_over() == resumed.main_requests[0].summary_handed_over() != ""
    assert request.text().count("Three.") == 1
    assert "3500" not in request.text()
    # The hooks give the copy what its own ledger holds, also after a compaction of its own.
    last = copied.main_requests[-1].text()
    assert f'- "{RULE}"' in last


def test_a_copy_has_the_sessions_tasks(new_client: NewClient, installation: Installation) -> None:
    listing = Step("", "", [Tool("TaskList")])
    main: list[Answer] = [
        Step("", "", [task_create("Write the parser"), bash("seq 1 900")]), "Made.",
        "b", "c", "d", listing, "Listed.",
    ]  # fmt: skip
    client = new_client(Script(main=main), model=TODO_MODEL)
    first = client.run(["Make a task.", "b?", "c?", "d?"])
    made = compacted(installation, client, first.session_id)
    copied = client.run(["List them."], resume=made["copy"]["session_id"])
    assert "Write the parser" in str(copied.main_requests[-1].tool_results()[-1]["content"])


def test_a_copy_that_went_on_is_not_deleted_unasked(
    client: Client, installation: Installation
) -> None:
    first = client.run(TURNS)
    new_id = compacted(installation, client, first.session_id)["copy"]["session_id"]
    listed = json.loads(command(installation, client, "compact", "transcript", "--list", "--json"))
    assert [copy["session_id"] for copy in listed["copies"]] == [new_id]
    client.run(["Go on."], resume=new_id)
    with pytest.raises(AssertionError, match="went on after it was made"):
        command(installation, client, "compact", "transcript", "--revert", new_id)
    command(installation, client, "compact", "transcript", "--revert", new_id, "--force")
    assert not client.transcript_path(new_id).exists()
    assert first.transcript_path.exists()


def put(client: Client, source: Path) -> str:
    """Give the client a real transcript as a session of its project; return its id."""
    session = str(uuid4())
    client.transcript_folder.mkdir(parents=True, exist_ok=True)
    named = re.compile(rb'"sessionId":"[^"]*"')
    with client.transcript_path(session).open("wb") as stream:
        for line in grown_lines(source.read_bytes()):
            stream.write(named.sub(f'"sessionId":"{session}"'.encode(), line))
    return session


def model_of(source: Path) -> str:
    """Return the model that answered last in a transcript."""
    named = re.findall(r'"model": ?"(claude-[^"]+)"', source.read_text(encoding="utf-8"))
    return named[-1] if named else ""


def shape(request: Request) -> list[tuple[str, bool, list[str]]]:
    """Return of each message its role, whether it says anything, and the tools that it names."""
    return [
        (
            m["role"],
            bool(m["content"]),
            [str(b.get("id") or b.get("tool_use_id")) for b in of_tools(m)],
        )
        for m in request.messages
    ]


def of_tools(message: Json) -> list[Json]:
    return [*blocks(message, "tool_use"), *blocks(message, "tool_result")]


@pytest.mark.skipif(not corpus(), reason="COMPACTION_CORPUS names no folder of transcripts")
@pytest.mark.parametrize(
    "source", [path for path in corpus() if not is_a_subagents(path)], ids=lambda path: path.stem
)
def test_copies_of_real_sessions_resume_in_the_same_shape_and_smaller_by_what_was_said(
    new_client: NewClient, source: Path
) -> None:
    # Another model is sent none of a session's thinking.
    client = new_client(Script(), model=model_of(source))
    session = put(client, source)
    path = str(client.transcript_path(session))
    original = Original(path=path, session_id=session, root=str(client.project))
    copy = make_copy(preview_copy(original))
    resumed = client.run(["Go on."], resume=session).main_requests[0]
    copied = client.run(["Go on."], resume=copy.head.session_id).main_requests[0]
    assert shape(copied) == shape(resumed)
    characters_saved = conversation_size(resumed) - conversation_size(copied)
    before = copy.plan.resumed_characters
    promised = sum(p.characters - len(p.text) for p in copy.plan.parts if p.resumed)
    assert characters_saved == pytest.approx(promised, rel=0.05, abs=300)
    if before * 0.335 > 50_000:
        assert characters_saved / conversation_size(resumed) > 0.5

"""A terminal whose encoding lacks characters gets stand-ins for them, and no traceback."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.cli.terminal.encoding import needs_ascii, print_any_character
from tests.processes import CHECKOUT
from tests.transcripts import SESSION, Transcript


def test_what_is_drawn_has_stand_ins_and_the_rest_is_written_as_in_json(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="latin-1", write_through=True)
    monkeypatch.setattr(sys, "stdout", stream)
    print_any_character()
    sys.stdout.write("café █░ 14 → 15 … 数😀")
    assert written.getvalue() == b"caf\xe9 #- 14 -> 15 ... " + rb"\u6570\ud83d\ude00"


def test_a_stream_that_encodes_nothing_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    print_any_character()
    sys.stdout.write("→ 数")
    assert stream.getvalue() == "→ 数"


def test_what_cannot_be_read_still_is_an_error() -> None:
    print_any_character()
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("utf-8", errors="amplihack-compaction")


@given(st.text())
def test_every_text_can_be_printed_and_said_in_json(text: str) -> None:
    for encoding in ("ascii", "latin-1", "utf-8", "cp1252"):
        written = io.BytesIO()
        with pytest.MonkeyPatch.context() as patch:
            stream = io.TextIOWrapper(written, encoding=encoding, write_through=True, newline="")
            patch.setattr(sys, "stdout", stream)
            print_any_character()
            sys.stdout.write(text)
            start = len(written.getvalue())
            sys.stdout.write(json.dumps(text, ensure_ascii=needs_ascii()))
        assert json.loads(written.getvalue()[start:].decode(encoding)) == text


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
@pytest.mark.parametrize(
    "arguments", [["status"], ["watch"], ["diagnose"], ["recall", "数据库", "--json"]]
)
def test_a_command_ends_well_whatever_the_terminal_can_show(
    project: Path, encoding: str, arguments: list[str]
) -> None:
    transcript = Transcript()
    transcript.user("Never push to main … 数据库. Build it." + " and so on" * 90)
    transcript.assistant("Yes → done.")
    transcript.compact("They talked.")
    transcript.user("Go on.")
    transcript.assistant("So far.")
    config = project.parent / "claude"
    dashed = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(project.resolve()))
    transcript.write(config / "projects" / dashed / f"{SESSION}.jsonl")
    environment = {
        **os.environ,
        "PYTHONIOENCODING": encoding,
        "CLAUDE_PROJECT_DIR": str(project),
        "CLAUDE_CONFIG_DIR": str(config),
        "PYTHONPATH": str(CHECKOUT),
    }
    done = subprocess.run(
        [sys.executable, "-m", "amplihack_compaction", *arguments],
        capture_output=True,
        env=environment,
        cwd=project,
        check=False,
    )
    assert done.stderr == b""
    assert done.returncode == int("recall" in arguments)
    assert done.stdout

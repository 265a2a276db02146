"""What commands do with the terminal and with files to write.

A terminal whose encoding lacks characters gets escapes for them, and no traceback.
"""

import errno
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.cli.terminal import (
    coloured,
    print_any_character,
    show,
    showing_progress,
    write_output,
)
from tests.support.commands import run_command
from tests.support.transcripts import SESSION, Transcript

RED, RESET = "\x1b[31m", "\x1b[0m"


def test_what_cannot_be_encoded_is_written_as_an_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="latin-1", write_through=True)
    monkeypatch.setattr(sys, "stdout", stream)
    print_any_character()
    sys.stdout.write("café 14 → 15 数😀")
    assert written.getvalue() == b"caf\xe9 " + rb"14 \u2192 15 \u6570\U0001f600"


def test_a_stream_that_encodes_nothing_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    print_any_character()
    sys.stdout.write("→ 数")
    assert stream.getvalue() == "→ 数"


@given(st.text())
def test_every_text_can_be_printed(text: str) -> None:
    for encoding in ("ascii", "latin-1", "utf-8", "cp1252"):
        written = io.BytesIO()
        with pytest.MonkeyPatch.context() as patch:
            stream = io.TextIOWrapper(written, encoding=encoding, write_through=True, newline="")
            patch.setattr(sys, "stdout", stream)
            print_any_character()
            sys.stdout.write(text)
        assert written.getvalue() or not text


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
        "CLAUDE_PROJECT_DIR": str(project),
        "CLAUDE_CONFIG_DIR": str(config),
    }
    done = run_command(*arguments, env=environment, cwd=project, encoding=encoding)
    assert done.stderr == ""
    assert done.code == 0
    assert done.stdout


def test_colours_are_for_terminals_whose_users_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert coloured("saved", "green", 7) == "saved  "
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert coloured("saved", "green") == "\x1b[32msaved\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert coloured("saved", "green") == "saved"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert coloured("saved", "green") == "saved"


def test_work_is_shown_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with showing_progress("Compacting"):
        pass
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with showing_progress("Compacting"):
        pass
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Compacting" in shown.err
    with showing_progress("Compacting", quiet=True):
        pass
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.EIO, os.strerror(errno.EIO)), "Input/output error"),
        (OSError("not a regular file: /dev/x"), "not a regular file: /dev/x"),
    ],
)
def test_what_fails_half_way_is_named_and_leaves_the_file_as_it_was(
    tmp_path: Path, error: OSError, said: str
) -> None:
    path = tmp_path / "page.html"
    path.write_text("before")

    def parts() -> Iterator[bytes]:
        yield b"half"
        raise error

    with pytest.raises(CompactionError) as raised:
        write_output(path, parts())
    assert str(raised.value) == f"cannot write {path}: {said}"
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["page.html"]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("short  line", ["short  line"]),
        (
            "name      it is told below its column",
            ["name      it is told", "          below its", "          column"],
        ),
        ("it has no column and goes on", ["it has no column and", "goes on"]),
        ("a  /a/long/path/stays/whole", ["a  /a/long/path/stays/whole"]),
        (f"{RED}a{RESET}   red is not counted", [f"{RED}a{RESET}   red is not", "    counted"]),
    ],
)
def test_a_line_too_long_for_a_terminal_goes_on_below_its_last_column(
    line: str, shown: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "20")
    show({}, [line], as_json=False)
    assert capsys.readouterr().out.splitlines() == shown


def test_in_a_pipe_no_line_is_folded(capsys: pytest.CaptureFixture[str]) -> None:
    show({}, ["name      " + "words " * 40], as_json=False)
    assert capsys.readouterr().out.count("\n") == 1

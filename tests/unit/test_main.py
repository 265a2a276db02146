"""A last argument `-`: words from a slash command, with all that a shell would take apart."""

import io
import os
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from amplihack_compaction.cli import app
from tests.support.processes import CHECKOUT


def arguments(
    monkeypatch: pytest.MonkeyPatch, stdin: str | io.TextIOBase, *given: str
) -> list[str]:
    monkeypatch.setattr(sys, "argv", ["amplihack-compaction", *given])
    typed = io.StringIO(stdin) if isinstance(stdin, str) else stdin
    monkeypatch.setattr(sys, "stdin", typed)
    seen: list[str] = []
    monkeypatch.setattr(app, "run_command_line", lambda: seen.extend(sys.argv[1:]))
    runpy.run_module("amplihack_compaction", run_name="__main__")
    return seen


@pytest.mark.parametrize("words", ["plain", 'it\'s "x" $HOME `date`', "-1 below", "日本\nzwei"])
def test_words_on_standard_input_become_arguments_as_they_are(
    monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    given = arguments(monkeypatch, f" {words}\n", "recall", "-")
    assert given == ["recall", "--", *words.split()]


def test_words_that_are_no_characters_still_become_arguments(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"caf\xe9 port"), encoding="utf-8")
    assert arguments(monkeypatch, stdin, "recall", "-") == ["recall", "--", "caf\ufffd", "port"]


def test_ctrl_c_ends_it_with_a_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "argv", ["amplihack-compaction", "status"])
    monkeypatch.setattr(app, "run_command_line", interrupt)
    with pytest.raises(SystemExit) as left:
        runpy.run_module("amplihack_compaction", run_name="__main__")
    assert left.value.code == 130


@pytest.mark.parametrize("closed", ["<&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    ("command", "code"),
    [("watch", 0), ("statusline", 0), ("recall -", 2), ("recall x", 1), ("uninstall --purge", 1)],
)
def test_a_command_ends_well_where_its_streams_are_closed(
    project: Path, closed: str, command: str, code: int
) -> None:
    runtime = project / ".claude/runtime/power-steering"
    runtime.mkdir(parents=True)
    (runtime / "hooks.log").touch()
    line = f"{shlex.quote(sys.executable)} -m amplihack_compaction {command} {closed}"
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "CLAUDE_PROJECT_DIR": str(project)}
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=project,
        env=environment,
        check=False,
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (code, False)


def test_empty_input_becomes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert arguments(monkeypatch, " \n", "fresh-start", "-") == ["fresh-start"]


@pytest.mark.parametrize(
    "given",
    [
        [],
        ["status"],
        ["recall", "-", "x"],
        ["recall", "a-"],
        ["report", "--out", "-"],
        ["report", "-o", "-"],
        ["store", "export", "--output", "-"],
    ],
)
def test_otherwise_standard_input_is_not_read(
    monkeypatch: pytest.MonkeyPatch, given: list[str]
) -> None:
    assert arguments(monkeypatch, "words", *given) == given

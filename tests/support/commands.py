"""Run commands as processes that are forked from this one, where all is imported already.

What a command does with its streams, its environment and its exit code is a process's own; only
starting the interpreter, which takes ten times as long as most commands, is left out.
"""

import os
import pty
import sys
import tempfile
import traceback
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, NoReturn

from amplihack_compaction.cli.app import COMMANDS, load_command
from tests.support.processes import Answer


def run_command(
    *words: str, env: Mapping[str, str], cwd: Path, stdin: bytes = b"", encoding: str = "utf-8"
) -> Answer:
    """Run a command in a pipe and return what it printed, undecodable bytes replaced."""
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(stdin)
        given.seek(0)
        code = _wait(_fork(words, env, cwd, (given.fileno(), out.fileno(), err.fileno()), encoding))
        return Answer(_content(out), _content(err), code)


def run_on_terminal(*words: str, env: Mapping[str, str], cwd: Path) -> str:
    """Run a command on a terminal of its own and return everything that it wrote there."""
    ours, theirs = pty.openpty()
    child = _fork(words, env, cwd, (theirs, theirs, theirs), "utf-8")
    os.close(theirs)
    parts: list[bytes] = []
    try:
        while part := os.read(ours, 65536):
            parts.append(part)
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(ours)
    _wait(child)
    return b"".join(parts).decode()


@cache
def _import_all() -> None:
    """Import what commands import when they are called, for all of them at once."""
    for name in COMMANDS:
        load_command(name)
    for name in ("rich.progress", "rich.live", "amplihack_compaction.cli.diagnosis"):
        import_module(name)


def _content(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode(errors="replace")


def _wait(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _fork(
    words: tuple[str, ...],
    env: Mapping[str, str],
    cwd: Path,
    streams: tuple[int, int, int],
    encoding: str,
) -> int:
    _import_all()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            _become(words, env, cwd, streams, encoding)
        finally:
            os._exit(70)  # whatever it was that went wrong here
    return child


def _become(
    words: tuple[str, ...],
    env: Mapping[str, str],
    cwd: Path,
    streams: tuple[int, int, int],
    encoding: str,
) -> NoReturn:
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
    sys.stdin = open(0, encoding=encoding, closefd=False)  # noqa: SIM115 - until it ends
    sys.stdout = open(1, "w", encoding=encoding, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding=encoding, errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.argv = ["amplihack-compaction", *words]
    sys.modules["__main__"].__package__ = None  # by which typer tells the program's name
    from amplihack_compaction.__main__ import main  # here: the tests of it import it anew

    code: object = 0
    try:
        main()
    except SystemExit as left:
        code = left.code
    except BaseException:  # noqa: BLE001 - as an interpreter ends
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))

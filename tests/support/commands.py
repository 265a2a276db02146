"""Run commands and hooks as processes that are forked from this one, where all is imported already.

What one does with its streams, its environment and its exit code is a process's own; only starting
the interpreter, which takes ten times as long as most of them, is left out.
"""

import json
import os
import pty
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NoReturn

from amplihack_compaction.cli.app import COMMANDS, load_command
from amplihack_compaction.hook.run import run_hook
from tests.support.processes import Answer, environment

Streams = tuple[int, int, int]


def run_command(
    *words: str, env: Mapping[str, str], cwd: Path, stdin: bytes = b"", encoding: str = "utf-8"
) -> Answer:
    """Run a command in a pipe and return what it printed, undecodable bytes replaced."""
    return _answer(partial(_start_command, words, env, cwd, encoding), stdin)


def run_forked_hook(event: str, stdin: dict[str, Any], project: Path, **env: str) -> Answer:
    """Run the hook of an event on a payload, in a folder that is not the project's."""
    start = partial(_fork, partial(run_hook, event), environment(project, **env), project.parent)
    return _answer(start, json.dumps(stdin).encode())


def _answer(start: Callable[[Streams], int], stdin: bytes) -> Answer:
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(stdin)
        given.seek(0)
        code = _wait(start((given.fileno(), out.fileno(), err.fileno())))
        return Answer(_content(out), _content(err), code)


def run_on_terminal(*words: str, env: Mapping[str, str], cwd: Path) -> str:
    """Run a command on a terminal of its own and return everything that it wrote there."""
    ours, theirs = pty.openpty()
    child = _start_command(words, env, cwd, "utf-8", (theirs, theirs, theirs))
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


def _start_command(
    words: tuple[str, ...], env: Mapping[str, str], cwd: Path, encoding: str, streams: Streams
) -> int:
    _import_all()
    return _fork(partial(_become_command, words, encoding), env, cwd, streams)


def _fork(work: Callable[[], None], env: Mapping[str, str], cwd: Path, streams: Streams) -> int:
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            _become(work, env, cwd, streams)
        finally:
            os._exit(70)  # whatever it was that went wrong here
    return child


def _become(
    work: Callable[[], None], env: Mapping[str, str], cwd: Path, streams: Streams
) -> NoReturn:
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
    code: object = 0
    try:
        work()
    except SystemExit as left:
        code = left.code
    except BaseException:  # noqa: BLE001 - as an interpreter ends
        with open(2, "w", closefd=False) as errors:
            traceback.print_exc(file=errors)
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def _become_command(words: tuple[str, ...], encoding: str) -> None:
    sys.stdin = open(0, encoding=encoding, closefd=False)  # noqa: SIM115 - until it ends
    sys.stdout = open(1, "w", encoding=encoding, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding=encoding, errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.argv = ["amplihack-compaction", *words]
    sys.modules["__main__"].__package__ = None  # by which typer tells the program's name
    from amplihack_compaction.__main__ import main  # here: the tests of it import it anew

    main()

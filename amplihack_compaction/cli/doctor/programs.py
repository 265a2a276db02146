"""Rows on the programs: the interpreters that the hooks run in, this package and the client."""

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass

from amplihack_compaction import __version__
from amplihack_compaction.base.files import read_bytes
from amplihack_compaction.base.installation import own_python
from amplihack_compaction.cli.doctor.rows import Grade, Row, install_command
from amplihack_compaction.cli.doctor.subject import Subject, may_be_run, runner_of

GROUP = "programs"
CLIENT = "claude"
_PROBE = "import sys; print(*sys.version_info[:2]); print(sys.executable)"
_OLDEST = (3, 11)
_STARTS = 4
_START_SECONDS = 5.0
_CLIENT_SECONDS = 2.0
# Earlier clients write no boundary where they compact.
_OLDEST_CLIENT = 2
_FILE_LIMIT_BYTES = 64 * 1024
_VERSION_LINE = re.compile(rb'^__version__ = "([^"\n]{1,40})"', re.MULTILINE)
_LEADING_NUMBER = re.compile(r"(\d{1,6})\.")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter as it was run: `bare_ms` is its fastest start without anything to do.

    `real` is the program that it turns out to be, `real_ms` that one's own fastest start: the
    difference is what a version manager's shim costs. `problem` says why it could not be run.
    """

    path: str
    version: tuple[int, int] = (0, 0)
    bare_ms: float = 0.0
    real: str = ""
    real_ms: float = 0.0
    problem: str = ""

    @property
    def is_shim(self) -> bool:
        """Whether it only starts another program."""
        return bool(self.real) and os.path.realpath(self.real) != os.path.realpath(self.path)


def probe_interpreters(subject: Subject) -> dict[str, Interpreter]:
    """Run each interpreter of hooks that may be run, and return what it is, by its path."""
    paths = {
        runner.python: None
        for place, hook in subject.registered
        if (runner := runner_of(hook)) is not None
        and os.access(runner.python, os.X_OK)
        and may_be_run(subject, place, runner)
    }
    plugin = subject.plugin
    if plugin is not None and os.access(plugin.runner.python, os.X_OK):
        paths[plugin.runner.python] = None
    return {path: _probe(path) for path in paths}


def check_interpreters(interpreters: dict[str, Interpreter]) -> list[Row]:
    """Return a row for each interpreter that the hooks run in."""
    return [_interpreter_row(each) for each in interpreters.values()]


def check_versions(subject: Subject) -> list[Row]:
    """Return the rows on the package that runs here and the ones that the hooks belong to."""
    python = ".".join(map(str, sys.version_info[:3]))
    text = f"amplihack-compaction {__version__}, run by {own_python()} (Python {python})"
    rows = [Row(GROUP, Grade.PASS, text)]
    runners = {runner_of(hook) for _, hook in subject.registered}
    runners |= {subject.plugin.runner} if subject.plugin is not None else set()
    for folder in sorted({runner.folder for runner in runners if runner is not None}):
        found = _version_beside(folder)
        if found and found != __version__:
            text = f"the hooks in {folder} are of version {found}, this command of {__version__}"
            rows.append(
                Row(GROUP, Grade.WARNING, text, f"{install_command()} registers this one's")
            )
    return rows


def check_client() -> Row:
    """Return the row on the client that the shell finds."""
    path = shutil.which(CLIENT)
    if path is None or not path.startswith("/"):
        text = f"no `{CLIENT}` on the PATH; an editor may bring its own"
        return Row(GROUP, Grade.WARNING, text)
    said = _output([path, "--version"], _CLIENT_SECONDS)
    number = _LEADING_NUMBER.match(said)
    if number is None:
        text = f"{path} --version said nothing that is a version"
        return Row(GROUP, Grade.WARNING, text, f"run `{CLIENT} doctor`")
    version = said.split()[0]
    if int(number[1]) < _OLDEST_CLIENT:
        text = f"Claude Code {version} ({path}) does not mark its compactions"
        return Row(GROUP, Grade.WARNING, text, "update it: `claude update`")
    return Row(GROUP, Grade.PASS, f"Claude Code {version} ({path})")


def _interpreter_row(each: Interpreter) -> Row:
    if each.problem:
        text = f"{each.path} cannot be run: {each.problem}"
        return Row(GROUP, Grade.FAILURE, text, install_command())
    version = ".".join(map(str, each.version))
    if each.version < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        text = f"{each.path} is Python {version}; the hooks need {oldest} or later"
        return Row(GROUP, Grade.FAILURE, text, f"{install_command()}, run by a later one")
    if each.is_shim:
        cost = each.bare_ms - each.real_ms
        text = (
            f"{each.path} only starts {each.real}: that costs every hook {cost:.0f} ms"
            f" ({each.bare_ms:.0f} instead of {each.real_ms:.0f})"
        )
        return Row(
            GROUP, Grade.WARNING, text, f"{install_command()} writes the interpreter's own path"
        )
    return Row(GROUP, Grade.PASS, f"{each.path}: Python {version}, starts in {each.bare_ms:.0f} ms")


def _probe(path: str) -> Interpreter:
    said = _output([path, "-I", "-S", "-c", _PROBE], _START_SECONDS).splitlines()
    try:
        major, minor = (int(part) for part in said[0].split())
        real = said[1]
    except (IndexError, ValueError):
        return Interpreter(path, problem="it did not answer as a Python interpreter does")
    bare_ms = _fastest_start(path)
    probed = Interpreter(path, (major, minor), bare_ms, real, bare_ms)
    if not probed.is_shim:
        return probed
    return Interpreter(path, (major, minor), bare_ms, real, _fastest_start(real))


def _fastest_start(path: str) -> float:
    """Return the milliseconds of the fastest of a few starts: the others waited for something."""

    def start() -> float:
        began = time.perf_counter()
        _output([path, "-I", "-S", "-c", "pass"], _START_SECONDS)
        return 1000 * (time.perf_counter() - began)

    return min(start() for _ in range(_STARTS))


def _output(command: list[str], seconds: float) -> str:
    """Return what a program prints; empty when it fails, or takes too long."""
    try:
        done = subprocess.run(  # noqa: S603 - a program that the client or the shell would run
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""


def _version_beside(folder: str) -> str:
    """Return the version of the package that lies beside a folder of hook scripts."""
    beside = folder.rpartition("/")[0]
    source = read_bytes(f"{beside}/amplihack_compaction/__init__.py", _FILE_LIMIT_BYTES) or b""
    found = _VERSION_LINE.search(source)
    return found[1].decode("ascii", "replace") if found else ""

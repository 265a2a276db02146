"""The folders that a case lives in, and a guard over what the process does meanwhile.

    W/project            the session's project
    W/home/.claude       the client's folder; transcripts in `projects/-p`
    W/home/cache         the user's cache
    W/key/key            his key, the same in every world: files that lack his mark are not read

The guard is an audit hook of the interpreter. Opening a file elsewhere, writing outside the runtime
folders, a socket or another process end the case at that very call, as `Escaped`, which no
`except Exception` swallows.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

from amplihack_compaction.base.signature import mark_of, signed
from tests.fuzz.case import WORLD, Part

SESSION = "c5cbd2e7-2b3f-4f7e-9f32-86b2df72f481"
TRANSCRIPT = f"home/.claude/projects/-p/{SESSION}.jsonl"
RUNTIME = "project/.claude/runtime/power-steering"
OWN = f"{RUNTIME}/sessions/{SESSION}"
_PROGRAM_PLACES = (sys.prefix, sys.base_prefix, str(Path(__file__).parents[2]), "/usr/share")
_MARKED = (
    ("/ledger.json", "ledger"), ("/continues.json", "continues"), ("/snapshots/", "snapshot"),
    ("/checkpoints/", "checkpoint"), ("/offers/", "offer"), ("/prepared", "prepared"),
    ("/pending", "pending"),
)  # fmt: skip
_MARK_DIGITS = 40
_DEVICES = ("/dev/null", "/dev/urandom")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = frozenset({
    "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate",
    "os.chmod", "os.chown", "os.utime", "shutil.rmtree", "shutil.copyfile", "shutil.move",
})  # fmt: skip
_NEVER = (
    "socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.system", "os.spawn",
    "ctypes.dlopen", "webbrowser.", "urllib.Request",
)  # fmt: skip


class Escaped(BaseException):
    """The case reached for something outside of its world."""


class World:
    """A folder with a project and a home, emptied between cases."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._name = os.fsencode(self.folder)
        self.project = self.folder / "project"
        # The client names the folder by the project's path.
        name = re.sub(r"[^a-zA-Z0-9]", "-", str(self.project))
        self._transcripts = f"/projects/{name}/".encode()
        sys.dont_write_bytecode = True  # a module's first import would write beside it
        self.guard = _Guard(self.folder)
        sys.addaudithook(self.guard)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Give the process the environment and the working folder of a hook that runs here."""
        home = self.folder / "home"
        environment = {
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "AMPLIHACK_COMPACTION_HOME": str(self.folder / "key"),
            "CLAUDE_PROJECT_DIR": str(self.project),
            "AMPLIHACK_COMPACTION_STRICT": "1",
            "PATH": "/usr/bin:/bin",
        }
        before = os.getcwd()
        with patch.dict(os.environ, environment, clear=True):
            os.chdir(self.folder)
            try:
                yield
            finally:
                os.chdir(before)

    def empty(self) -> None:
        """Make the world as it is before a session."""
        for name in (b"/project", b"/home"):
            shutil.rmtree(self._name + name, ignore_errors=True)
            os.mkdir(self._name + name)
        (self.folder / "key").mkdir(exist_ok=True)
        (self.folder / "key/key").write_text("5a" * 32)

    def fill_in(self, content: bytes) -> bytes:
        """Return a content with this world's folder in its places."""
        if WORLD not in content and b"/projects/-p/" not in content:
            return content
        filled = content.replace(WORLD, self._name)
        return filled.replace(b"/projects/-p/", self._transcripts)

    def take_out(self, content: bytes) -> bytes:
        """Return a content in which places stand for this world's folder."""
        plain = content.replace(self._transcripts, b"/projects/-p/")
        return plain.replace(self._name, WORLD)

    def write(self, part: Part) -> None:
        """Write a file of the case; one whose name is a folder's, or below a file's, is not."""
        path = self._name + b"/" + self.fill_in(part.plain_name.encode())
        with suppress(OSError):
            os.makedirs(path.rpartition(b"/")[0], exist_ok=True)
            with open(path, "wb", buffering=0) as stream:
                stream.write(_marked(os.fsdecode(path), self.fill_in(part.content)))

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Have the guard look at what happens inside."""
        self.guard.active = True
        try:
            yield
        finally:
            self.guard.active = False


def _marked(name: str, content: bytes) -> bytes:
    """Return a changed file as the user's own process would have written it, with its mark."""
    if content.startswith(b'{"mark": "'):
        return signed(b"{" + content.partition(b", ")[2], name)
    if name.endswith("/edits.jsonl"):
        return b"\n".join(_marked("", line) for line in content.split(b"\n"))
    mark, end, rest = content.partition(b"\n")
    if name.endswith(("/prepared", "/pending")) and end and len(mark) == _MARK_DIGITS:
        return mark_of(rest, name).encode() + end + rest
    return content


class _Guard:
    """An audit hook; it stays for the process's life and looks only while it is active."""

    def __init__(self, folder: Path) -> None:
        self.active = False
        self._readable = (
            f"{folder}/",
            *(f"{place}/" for place in (*_PROGRAM_PLACES, *filter(None, sys.path))),
        )
        self._writable = (
            f"{folder}/{RUNTIME}",
            f"{folder}/project/.claude/compaction.json",
            f"{folder}/home/",
        )
        self._folder = str(folder)

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.active:
            return
        if event == "open":
            path, _, flags = arguments
            self._check(event, path, writes=isinstance(flags, int) and bool(flags & _WRITES))
        elif event == "sqlite3.connect" or event in _CHANGES:
            self._check(event, arguments[0], writes=True)
        elif event.startswith(_NEVER):
            self._stop(f"{event}{arguments!r:.200}")

    def _check(self, event: str, path: object, *, writes: bool) -> None:
        if not isinstance(path, (str, bytes)):
            return  # a descriptor, whose opening was looked at
        text = os.fsdecode(path)
        if text in _DEVICES or text == ":memory:" or "/" not in text:
            return  # a bare name is opened from a folder's descriptor, or the working folder
        if text.startswith("file:"):  # SQLite's; its options follow a question mark
            text = text.removeprefix("file:").partition("?")[0]
        plain = os.path.normpath(text)
        if not plain.startswith("/"):
            plain = os.path.normpath(f"{self._folder}/project/{plain}")
        allowed = self._writable if writes else self._readable
        # What a payload names with this ending is the transcript, wherever the client keeps it; a
        # repository is looked for in the folders above, as git does.
        named = not writes and plain.endswith((".jsonl", "/.git/HEAD"))
        parent = event == "os.mkdir" and f"{self._folder}/{RUNTIME}".startswith(plain)
        if not (plain.startswith(allowed) or named or parent):
            self._stop(f"{event} {'for writing ' * writes}{text!r:.300}")

    def _stop(self, what: str) -> None:
        self.active = False
        raise Escaped(what)

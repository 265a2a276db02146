"""A hostile project leads no hook out of it, onto the network or to files that others can read.

The hooks and commands run as processes under strace, which names every file that is really opened,
links resolved, and every socket: the kernel's word, not the interpreter's.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from amplihack_compaction.base.paths import runtime_folder
from amplihack_compaction.clients.claude_code.wiring.launchers import LAUNCHERS
from tests.support.captured import payload, session
from tests.support.processes import CHECKOUT, SAMPLES, environment, modes_below, script
from tests.support.transcripts import SESSION

STRACE = shutil.which("strace")
pytestmark = pytest.mark.skipif(STRACE is None, reason="strace is not installed")

CALLS = "trace=open,openat,openat2,socket,connect,bind"
# With -y, what a descriptor leads to stands behind it.
_OPENED = re.compile(r"^(?:\d+ +)?(open|openat|openat2)\(.*\) += \d+<(.*)>$")
_SOCKET = re.compile(r"^(?:\d+ +)?(?:socket|connect|bind)\(")
COMMANDS = (
    ["status"], ["diagnose"], ["validate"], ["state"], ["snapshot", "list"],
    ["snapshot", "show"], ["fresh-start"], ["feature", "status", "login"], ["expand"],
    ["compact", "transcript", "--dry-run"], ["recall", "pnpm"], ["store", "stats"],
    ["config", "check"], ["context", "prune", "--dry-run"], ["report"],
)  # fmt: skip


class Place:
    """A project, the client's folder beside it, and what must never be opened."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder / "project"
        self.secrets = folder / "secrets"
        self.home = folder
        self.strict = "1"
        name = re.sub(r"[^a-zA-Z0-9]", "-", str(self.project))
        self.transcript = folder / f".claude/projects/{name}/{SESSION}.jsonl"
        self.transcript.parent.mkdir(parents=True)
        self.project.mkdir()
        shutil.copy(session("auto_compact_x3"), self.transcript)
        self.secrets.mkdir()
        for secret in ("key", "x.jsonl", "compaction.json", "STATE.md", "notes.md", "store.db"):
            (self.secrets / secret).write_text('{"token": "secret"}\n')

    def opened(self, command: list[str], stdin: bytes = b"") -> Iterator[str]:
        """Run a process and yield what it opened, its own program left out."""
        log = self.folder / "strace.log"
        done = subprocess.run(
            [str(STRACE), "-f", "-y", "-s", "300", "-e", CALLS, "-o", str(log), *command],
            input=stdin,
            env=environment(
                self.project,
                PYTHONPATH=str(CHECKOUT),
                PYTHONDONTWRITEBYTECODE="1",
                AMPLIHACK_COMPACTION_STRICT=self.strict,
            ),
            cwd=self.project,
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert done.returncode in (0, 1, 2), done.stderr.decode()[-2000:]
        assert b"Traceback" not in done.stderr, done.stderr.decode()[-2000:]
        own = (
            "/usr/",
            "/lib",
            "/etc/",
            "/proc/",
            "/dev/null",
            "/dev/tty",
            "/dev/urandom",
            sys.prefix,
            str(Path(sys.prefix).resolve()),
            sys.base_prefix,
            str(CHECKOUT),
            str(script("Stop").parent),
        )
        for line in log.read_text(errors="replace").splitlines():
            assert not _SOCKET.match(line), f"{command}: {line}"
            found = _OPENED.match(line)
            if found is not None and not found[2].startswith(own):
                yield found[2]

    def check(self, command: list[str], stdin: bytes = b"") -> None:
        """Run a process; nothing may be opened but the project and the client's folder."""
        key = f"{self.home}/.local/share/amplihack-compaction"
        allowed = (str(self.project), f"{self.home}/.claude", f"{self.home}/.cache", key)
        for path in self.opened(command, stdin):
            is_named = path == str(self.home)  # a folder that is listed on the way
            assert path.startswith(allowed) or is_named, f"{command} opened {path}"

    def hook(self, event: str, **changes: object) -> None:
        stdin = payload(SAMPLES[event], session_id=SESSION, transcript_path=str(self.transcript))
        command = [sys.executable, "-I", "-S", str(script(event))]
        self.check(command, json.dumps({**stdin, **changes}).encode())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    found = Place(tmp_path)
    try:
        list(found.opened([sys.executable, "-c", "pass"]))
    except AssertionError:
        pytest.skip("strace may not trace here")
    return found


def test_the_check_sees_files_and_sockets(place: Place) -> None:
    reading = f"open({str(place.secrets / 'key')!r})"
    with pytest.raises(AssertionError, match="secrets/key"):
        place.check([sys.executable, "-c", reading])
    with pytest.raises(AssertionError, match="socket"):
        place.check([sys.executable, "-c", "import socket; socket.socket()"])


@pytest.mark.parametrize("event", LAUNCHERS)
def test_hostile_payloads_lead_no_hook_out(place: Place, event: str) -> None:
    (place.project / "link.jsonl").symlink_to(place.secrets / "x.jsonl")
    secrets = place.secrets
    for changes in (
        {},
        {"transcript_path": f"{secrets}/key"},
        {"transcript_path": f"{place.project}/../secrets/x.jsonl"},
        {"transcript_path": f"{place.project}/link.jsonl"},
        {"transcript_path": "/proc/self/environ"},
        {"session_id": "../../../../../secrets"},
        {"session_id": f"{secrets}/key"},
        {"session_id": ".."},
        {"cwd": str(secrets)},
    ):
        place.hook(event, **changes)


def test_what_a_repository_links_out_leads_no_hook_or_command_out(place: Place) -> None:
    claude, secrets = place.project / ".claude", place.secrets
    place.strict = "0"  # what cannot be stored there is a line in the log
    for link, target in (
        (claude / "compaction.json", secrets / "compaction.json"),
        (claude / "settings.json", secrets / "compaction.json"),
        (claude / "active-focus.md", secrets / "notes.md"),
        (claude / "tools/amplihack", secrets),
        (claude / "memory", secrets),
        (place.project / ".planning", secrets),
        (place.project / "features", secrets),
        (claude / "runtime/power-steering/store.db", secrets / "store.db"),
        (claude / "runtime/power-steering/offers", secrets),
    ):
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)
    before = {path: path.read_bytes() for path in secrets.iterdir()}
    for event in LAUNCHERS:
        place.hook(event)
    for words in COMMANDS:
        place.check([sys.executable, "-m", "amplihack_compaction", *words])
    assert {path: path.read_bytes() for path in secrets.iterdir()} == before


def test_stored_files_that_name_others_lead_nowhere(place: Place) -> None:
    for event in ("PreCompact", "SessionStart", "PostCompact", "Store"):
        place.hook(event)
    runtime = Path(runtime_folder(str(place.project)))
    secret = str(place.secrets / "x.jsonl")
    events = json.loads((runtime / "compaction_events.json").read_text())
    events[-1] |= {"pre_compaction_transcript_path": secret, "loss_report": f"{place.secrets}/key"}
    (runtime / "compaction_events.json").write_text(json.dumps(events))
    copy = "11111111-2222-4333-8444-555555555555"
    head = {"version": 1, "session_id": copy, "original_id": "x", "original_bytes": 1,
            "original_path": str(place.secrets / "key"), "copy_bytes": 1, "copy_hash": "",
            "copy_path": f"{place.secrets}/{copy}.jsonl", "created": ""}  # fmt: skip
    part = {"n": 1, "kind": "result", "what": "", "characters": 9, "offset": 0, "length": 20,
            "line": 0, "hash": "", "pointer": ["token"]}  # fmt: skip
    (runtime / f"sessions/{copy}").mkdir()
    manifest = runtime / f"sessions/{copy}/copy.jsonl"
    manifest.write_text(
        "".join(f"{json.dumps(each, separators=(',', ':'))}\n" for each in (head, part))
    )
    (runtime / "offers").mkdir(exist_ok=True)
    offer = {"version": 1, "session_id": "../../../../../secrets",
             "snapshot": "../../../../../../../secrets/key", "handoff": str(place.secrets / "key"),
             "transcript_path": secret, "at": 4e9}  # fmt: skip
    (runtime / "offers/clear.1.json").write_text(json.dumps(offer))
    for event in LAUNCHERS:
        place.hook(event)
    place.hook("SessionStart", source="startup", session_id="a-new-one")
    for words in (
        ["validate", "-s", SESSION], ["diagnose", "-s", SESSION], ["expand"],
        ["expand", "11111111.1"], ["compact", "transcript", "--list"], ["report"],
        ["snapshot", "show", "../../../../secrets/key"], ["fresh-start", "../../secrets/key"],
        ["feature", "status", "../../secrets"], ["feature", "continue", "../secrets"],
        ["snapshot", "restore", "../../secrets/key"], ["recall", "token"],
    ):  # fmt: skip
        place.check([sys.executable, "-m", "amplihack_compaction", *words])


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_everything_that_is_written_is_its_owners_alone(place: Place, umask: int) -> None:
    before = os.umask(umask)
    try:
        for event in LAUNCHERS:
            place.hook(event)
        for words in (*COMMANDS, ["handoff"], ["compact", "transcript"], ["snapshot", "restore"]):
            place.check([sys.executable, "-m", "amplihack_compaction", *words])
    finally:
        os.umask(before)
    modes = {**modes_below(place.project / ".claude"), **modes_below(place.home / ".cache")}
    copies = [path for path in place.transcript.parent.iterdir() if path != place.transcript]
    modes |= {str(path): path.stat().st_mode & 0o777 for path in copies}
    assert len(modes) > 20
    folders = {path for path in modes if os.path.isdir(path)}
    odd = {p: oct(m) for p, m in modes.items() if m & 0o077}
    assert not odd
    assert all(modes[path] & 0o700 == 0o700 & ~umask for path in folders)

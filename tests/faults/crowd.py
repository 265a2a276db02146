"""Many hooks of one session at once, while its transcript grows: nothing is lost or doubled."""

import json
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.base.size_limits import STATE_HEAD
from amplihack_compaction.ledger.stored import fold_transcript, load_ledger
from amplihack_compaction.validation.events import read_events
from tests.faults.records import faults_of, leftovers, normal, records_of
from tests.faults.steps import SUMMARY
from tests.faults.world import Done, World
from tests.support.transcripts import SESSION, Transcript

_ROTA = (
    ("PreToolUse", "PreToolUse.Bash"), ("PreToolUse", "PreToolUse.Bash"), ("Stop", "Stop"),
    ("Store", "Stop"), ("UserPromptSubmit", "UserPromptSubmit"), ("PreToolUse", "PreToolUse.Bash"),
    ("PreCompact", "PreCompact.auto"), ("PreToolUse", "PreToolUse.Bash"),
    ("SessionStart", "SessionStart.compact"), ("Store", "SessionStart.compact"),
    ("PreToolUse", "PreToolUse.Bash"), ("PostCompact", "PostCompact.auto"),
    ("UserPromptSubmit", "UserPromptSubmit"), ("SessionEnd", "SessionEnd.other"),
    ("PreToolUse", "PreToolUse.Bash"), ("Store", "SessionEnd.other"),
)  # fmt: skip
_TURNS_A_COMPACTION = 6
_TURN_SECONDS = 0.2
_LEAST_SECONDS = 5.0  # the transcript grows for so long, however few hooks are to run
# What a hook says of an injection that came late, and of one for a compaction that never came, as
# none does that SessionStart tells of in the middle of a window here: no trouble.
_SET_ASIDE = "its receipt was set aside"
_USUAL = ("had not arrived; given now", _SET_ASIDE)


@dataclass
class Crowd:
    """How many hooks ran, by event, and what is wrong afterwards."""

    hooks: Counter[str] = field(default_factory=Counter)
    compactions: int = 0
    problems: list[str] = field(default_factory=list)


class _Client:
    """Writes a session's transcript, line by line, from a thread of its own."""

    def __init__(self, world: World, until: float) -> None:
        self.world = world
        self.until = until
        self.transcript = Transcript()
        self.transcript.root = str(world.project)
        self.compactions = 0
        self._written = 0
        self._turns = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._write_on)

    def start(self) -> None:
        """Begin the session with a compaction, and go on with it."""
        for _ in range(_TURNS_A_COMPACTION + 1):
            self._turn()
        self._thread.start()

    def end(self) -> None:
        """Write no more."""
        self._ended.set()
        self._thread.join()

    def _write_on(self) -> None:
        while time.monotonic() < self.until and not self._ended.wait(_TURN_SECONDS):
            self._turn()

    def _turn(self) -> None:
        self._turns += 1
        number = self._turns
        self.transcript.user(f"Never touch module_{number}.py. Then go on with part {number}.")
        self.transcript.tool("Bash", {"command": f"pytest -q part_{number}"}, "2 passed")
        self.transcript.assistant(f"Part {number} is done.\n- [ ] Write part {number + 1}")
        if number % _TURNS_A_COMPACTION == 0:
            self.transcript.compact(f"Parts up to {number} are done.", preserved=0)
            self.compactions += 1
        with (self.world.transcript).open("a", encoding="utf-8") as stream:
            for line in self.transcript.lines[self._written :]:
                stream.write(json.dumps(line, separators=(",", ":")) + "\n")
        self._written = len(self.transcript.lines)


def run_crowd(world: World, sequential: World, at_once: int, seconds: float) -> Crowd:
    """Run so many hooks at once for so long, and compare with one after the other."""
    world.restore("empty")
    until = time.monotonic() + seconds
    client, crowd = _Client(world, until + _LEAST_SECONDS), Crowd()
    client.start()

    def work(number: int) -> list[tuple[str, Done]]:
        done: list[tuple[str, Done]] = []
        while not done or time.monotonic() < until:
            event, name = _ROTA[(number + len(done)) % len(_ROTA)]
            changes = {"compact_summary": SUMMARY} if "PostCompact" in name else {}
            done.append((event, world.hook(event, name, **changes)))
        return done

    try:
        with ThreadPoolExecutor(at_once) as pool:
            answers = [answer for done in pool.map(work, range(at_once)) for answer in done]
    finally:
        client.end()
    crowd.hooks.update(event for event, _ in answers)
    crowd.compactions = client.compactions
    crowd.problems += _misbehaved(answers)
    _finish(world)
    crowd.problems += _doubled(world, [done for _, done in answers])
    crowd.problems += _differences(world, sequential)
    return crowd


def _finish(world: World) -> None:
    """Run what ends a turn and a session once more, now that the transcript stands still."""
    for event, name in (("PreCompact", "PreCompact.manual"), ("Stop", "Stop"), ("Store", "Stop")):
        world.age()
        world.hook(event, name)


def _misbehaved(answers: list[tuple[str, Done]]) -> list[str]:
    wrong = [(event, done) for event, done in answers if done.code or done.stderr]
    return [f"{event}: {done.code} {done.stderr[-300:]}" for event, done in wrong[:5]]


def _doubled(world: World, answers: list[Done]) -> list[str]:
    """Say what was given or recorded twice, and what was left behind."""
    found = [*faults_of(world), *(f"left: {name}" for name in leftovers(world))]
    folder = Path(session_folder(str(world.project), SESSION))
    given = sum(STATE_HEAD in done.stdout for done in answers)
    receipts = [path for path in (folder / "receipts").iterdir() if path.suffix == ".json"]
    # Of one window's receipts that were set aside only the last file is there.
    set_aside = sum(line.endswith(_SET_ASIDE) for line in world.log.splitlines())
    if given != len(receipts) + set_aside:
        found.append(f"{given} injections, but {len(receipts)} receipts and {set_aside} set aside")
    events = Counter(e.extra.get("window_start") for e in read_events(str(world.project)).events)
    found += [f"window {start} is recorded {n} times" for start, n in events.items() if n > 1]
    troubles = [line for line in world.log.splitlines() if not line.endswith(_USUAL)]
    return found + [f"logged: {line}" for line in troubles[:5]]


def _differences(world: World, sequential: World) -> list[str]:
    """Say where ledger and store differ from those of hooks that ran one after the other."""
    folder = session_folder(str(world.project), SESSION)
    found = []
    with world.as_its_user():
        if load_ledger(folder) != fold_transcript(str(world.transcript), SESSION).base:
            found.append("the ledger is not that of the transcript")
    sequential.restore("empty")
    sequential.transcript.write_bytes(world.transcript.read_bytes())
    _finish(sequential)
    lost, added = _rows(sequential) - _rows(world), _rows(world) - _rows(sequential)
    found += [f"not in the store: {row[:200]}" for row in sorted(lost)[:3]]
    return found + [f"more in the store: {row[:200]}" for row in sorted(added)[:3]]


def _rows(world: World) -> set[str]:
    """Return what the store of a world holds, wherever the world lies."""
    records = normal(records_of(world))
    rows = (content for place, content in records if place.endswith("store.db"))
    return {row.replace(str(world.root), "") for row in rows}

"""The rows of the tables: every hook with nothing to do, a compaction, a level that is crossed."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from amplihack_compaction.base.paths import RUNTIME_FOLDER
from amplihack_compaction.base.settings import Guard
from amplihack_compaction.context.levels import STAGES
from amplihack_compaction.extract.statements import Rule, RuleKind, SessionState
from amplihack_compaction.ledger.guard import write_guard
from tests.bench.hot_path.costs import Command, Cost, bare, can_count, hook, instructions, measure
from tests.bench.hot_path.sessions import grown, later_session, quiet_session, working_session
from tests.support.sessions import OLDER_LIMIT, respond
from tests.support.transcripts import SESSION

# Script and captured payload of every hook in a turn in which nothing is to be done.
IDLE = {
    "PreToolUse": ("PreToolUse", "PreToolUse.Bash"),
    "UserPromptSubmit": ("UserPromptSubmit", "UserPromptSubmit"),
    "Stop": ("Stop", "Stop"),
    "the store's, at Stop": ("Store", "Stop"),
    "SessionStart, resumed": ("SessionStart", "SessionStart.resume"),
    "SessionEnd": ("SessionEnd", "SessionEnd.other"),
}
COMPACTING = {
    "PreCompact": ("PreCompact", "PreCompact.auto"),
    "SessionStart": ("SessionStart", "SessionStart.compact"),
    "PostCompact": ("PostCompact", "PostCompact.auto"),
}
GUARDED = "PreToolUse, beside ten rules"
_RULES = 10
# What a hook with nothing to do may cost, in a bare interpreter's instructions.
MOST = {"PreToolUse": 1.1, GUARDED: 1.15, "UserPromptSubmit": 1.15, "Stop": 1.15}
# Python hashes texts in another way each time, which moves a short run's count by some thousandths:
# where there is a bound, the median of so many counts is held to it.
COUNTS = 5
# What PreCompact may cost on a full window: 286 were 0.62 s of CPU, and 0.7 s are allowed.
MOST_COMPACTING = 320


@dataclass(frozen=True)
class Row:
    """One hook's costs; `instructions` is a ratio too, or None where it was not counted."""

    name: str
    ratio: float
    instructions: float | None
    cost: Cost

    def __str__(self) -> str:
        counted = f"{self.instructions:6.2f} x" if self.instructions is not None else "       –"
        return (
            f"{self.name:32} {self.ratio:6.2f} x bare {counted} instructions"
            f" {self.cost.cpu_seconds:6.2f} s CPU {self.cost.peak_megabytes:6.1f} MB"
        )


def idle(
    folder: Path,
    megabytes: int,
    rounds: int,
    counts: int = COUNTS,
    counted: Collection[str] | None = None,
) -> Iterator[Row]:
    """Yield every hook with nothing to do, beside a transcript of that size.

    Those with a bound are counted so many times; `counted` as for `_rows`. Each has run
    once before: the first of a session looks for the last boundary.
    """
    transcript = grown(folder / f"t{megabytes}.jsonl", quiet_session(), megabytes)
    named = {name: hook(folder, *what, transcript) for name, what in IDLE.items()}
    named[GUARDED] = hook(folder, "PreToolUse", "PreToolUse.Write", transcript)
    measure(list(named.values()), 1)
    _bar(named[GUARDED])
    yield from _rows(named, bare(folder), rounds, counted, counts)


def _bar(command: Command) -> None:
    """Leave rules in the session's folder that the call does not break."""
    project = Path(command.env["CLAUDE_PROJECT_DIR"])
    (session,) = (project / RUNTIME_FOLDER / "sessions").iterdir()
    state = SessionState(
        rules=tuple(
            Rule(text=f"Never push to the rel-{number} branch.", kind=RuleKind.PROHIBITION)
            for number in range(_RULES)
        )
    )
    assert write_guard(str(session), state, 0, Guard.TELL)


def compaction(folder: Path, rounds: int, counted: Collection[str] | None = None) -> Iterator[Row]:
    """Yield the hooks of a compaction of a window of 200,000 tokens; `counted` as for `_rows`."""
    transcript = working_session().write(folder / "full.jsonl")
    before, alone, after = (hook(folder, *what, transcript) for what in COMPACTING.values())
    # As in the client: the later ones in the project where PreCompact was a moment ago.
    handed_out = replace(alone, env=before.env)
    named = {
        # Else it is the second of one firing, which leaves all to the first.
        "PreCompact": _forgetting(before, "windows/0.snapshot", "firings/newest"),
        "SessionStart, prepared": _forgetting(handed_out, "receipts/0.json"),
        "PostCompact": replace(after, env=before.env),
        "SessionStart alone": _forgetting(alone, "receipts/0.json", "windows/0.snapshot"),
        "PreCompact, a later one": _later(folder),
    }
    yield from _rows(named, bare(folder), rounds, counted)


def _later(folder: Path) -> Command:
    """Return the PreCompact of a second window, with the ledger of the first one on disk."""
    transcript = later_session().write(folder / "later.jsonl")
    command = hook(folder, *COMPACTING["PreCompact"], transcript)
    measure([command], 1)
    project = Path(command.env["CLAUDE_PROJECT_DIR"])
    (snapshot,) = project.rglob("windows/*.snapshot")
    return _forgetting(command, f"windows/{snapshot.name}", "firings/newest")


def crossing(
    folder: Path, percent: int, rounds: int, counted: Collection[str] | None = None
) -> Iterator[Row]:
    """Yield the hook that finds the context at that many percent of its limit."""
    session = working_session()
    respond(session, OLDER_LIMIT * percent // 100)
    transcript = session.write(folder / f"at{percent}.jsonl")
    reached = hook(folder, *IDLE["PreToolUse"], transcript)
    marks = ("limits", *(f"levels/0.{stage}" for stage in STAGES))
    named = {f"at {percent} %": _forgetting(reached, *marks)}
    yield from _rows(named, bare(folder), rounds, counted)


def first_look(folder: Path, megabytes: int) -> Iterator[Row]:
    """Yield the hooks of a compaction that find a file of that size, and nothing stored of it."""
    transcript = grown(folder / f"first{megabytes}.jsonl", working_session(), megabytes)
    for name in ("PreCompact", "SessionStart"):
        what = COMPACTING[name]
        command = hook(folder, *what, transcript)
        base, cost = measure([bare(folder), command], 1)
        label = f"{name}, first look at {megabytes} MB"
        yield Row(label, cost.cpu_seconds / base.cpu_seconds, None, cost)


def _forgetting(command: Command, *names: str) -> Command:
    """Return the command with those files of its session deleted before every run."""
    session = f"{command.env['CLAUDE_PROJECT_DIR']}/{RUNTIME_FOLDER}/sessions/{SESSION}"
    return replace(command, before=[f"{session}/{name}" for name in names])


def _rows(
    named: dict[str, Command],
    nothing: Command,
    rounds: int,
    counted: Collection[str] | None = None,
    counts: int = 1,
) -> Iterator[Row]:
    """Measure commands against one that does nothing.

    Instructions are counted of all commands, or of those in `counted`, and of those with a bound
    `counts` times, for the median of it: one takes fifty runs' time.
    """
    base, *costs = measure([nothing, *named.values()], rounds)
    names = set(named if counted is None else counted) if can_count() else set()
    once = _counted(nothing, counts) if names else 1
    for (name, command), cost in zip(named.items(), costs, strict=True):
        times = counts if name in MOST else 1
        ratio = _counted(command, times) / once if name in names else None
        yield Row(name, cost.cpu_seconds / base.cpu_seconds, ratio, cost)


def _counted(command: Command, times: int) -> float:
    return median(instructions(command) for _ in range(times))

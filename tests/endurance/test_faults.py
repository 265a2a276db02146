"""A sample of the faults of `python -m tests.faults`, whose whole run stands in docs/faults.md."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from amplihack_compaction.cli.app import COMMANDS as NAMED
from amplihack_compaction.cli.app import load_command
from amplihack_compaction.clients.claude_code.wiring.launchers import LAUNCHERS
from tests.faults.conditions import CONDITIONS, namespace, run_conditions
from tests.faults.crowd import run_crowd
from tests.faults.harness import Amount, changes_of, run_trials
from tests.faults.moments import MOMENTS
from tests.faults.pressure import MOVES, try_memory, try_moving
from tests.faults.records import faults_of, records_of
from tests.faults.steps import COMMANDS, HOOKS, READING, Step
from tests.faults.tracing import can_trace, was_struck
from tests.faults.trials import Clean, look, run_again, run_clean
from tests.faults.world import World

STEPS = {step.name: step for step in (*HOOKS, *COMMANDS)}
SAMPLE = {
    "PreCompact.auto, full": Amount(kills=1, twice=1),
    "PreToolUse.Bash, missed": Amount(kills=1, errors=1),
    "store of Stop, fresh": Amount(kills=1, twice=1),
    "feature compact login": Amount(kills=1, errors=1),
    "store delete SESSION --yes": Amount(twice=1),
    "store export --output ROOT/all.jsonl, exported": Amount(kills=2),
}
AT_ONCE = 64


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the first world of all tests here lies: its moments take a while to play."""
    return tmp_path_factory.mktemp("faults")


@pytest.fixture
def world(base: Path) -> World:
    return World(base / "1", MOMENTS)


@pytest.fixture(scope="module")
def clean(base: Path) -> Clean:
    return run_clean(World(base / "1", MOMENTS), STEPS["PreCompact.auto, working"], count=False)


def leaves(command: object, *names: str) -> Iterator[str]:
    """Yield every command of the command line that is no mere group."""
    below = getattr(command, "commands", {})
    if not below:
        yield " ".join(names)
    for name, each in below.items():
        yield from leaves(each, *names, name)


def test_every_command_is_tried_as_one_that_writes_or_as_one_that_reads() -> None:
    writing, reading = ({step.leaf for step in steps} for steps in (COMMANDS, READING))
    known = (leaf for name in NAMED for leaf in leaves(load_command(name), name))
    assert writing | reading == set(known)
    assert not writing & reading


def test_every_hook_is_tried() -> None:
    assert {step.event for step in HOOKS} == set(LAUNCHERS)


@pytest.mark.skipif(not can_trace(), reason="strace is not here, or may not trace")
@pytest.mark.parametrize("name", SAMPLE)
def test_a_fault_at_a_call_loses_nothing(base: Path, name: str) -> None:
    trials = list(run_trials(base, [STEPS[name]], SAMPLE[name], 1, print))
    assert [trial for trial in trials if trial.problems] == []
    assert {trial.struck for trial in trials} == {True}


@pytest.mark.skipif(not namespace(), reason="nothing may be mounted here")
def test_disks_rights_and_clocks_lose_nothing(tmp_path: Path) -> None:
    names = ("feature compact billing --revert", "store of Stop, fresh")
    results = list(run_conditions(tmp_path, [STEPS[name] for name in names]))
    assert [result for result in results if result.problems] == []
    assert len(results) == len(names) * (len(CONDITIONS) + 1)


def test_a_hook_that_lacks_memory_is_silent_and_the_next_one_works(
    world: World, clean: Clean
) -> None:
    for megabytes in (8, 24, 64):
        assert try_memory(world, clean, megabytes) == []


def test_a_transcript_may_change_while_it_is_read(world: World, clean: Clean) -> None:
    for how in MOVES:
        assert try_moving(world, clean, how, 1) == []


def test_a_command_that_reads_changes_nothing(world: World) -> None:
    for leaf in ("diagnose", "store sessions"):
        (step,) = (step for step in READING if step.leaf == leaf)
        assert changes_of(world, step) == []
    assert changes_of(world, Step("x", "working", leaf="handoff")) != []


def test_what_is_torn_or_gone_is_found(world: World, clean: Clean) -> None:
    world.restore("working")
    session = next(world.runtime.glob("sessions/*/ledger.json")).parent
    snapshot = sorted((session / "snapshots").glob("*.json"))[0]
    store, events = world.runtime / "store.db", world.runtime / "compaction_events.json"
    settings = world.project / ".claude/settings.json"
    backup = next(world.project.glob("features/billing/.compaction/backup/*/1.old"))
    for path, content in (
        (session / "ledger.json", b'{"version": 1'), (snapshot, b"{}"), (settings, b"{"),
        (session / "position", b"3 1"), (store, store.read_bytes()[:40_000]), (backup, None),
        (events.with_name(f"{events.name}.corrupt-1"), b"x"), (world.runtime / "hooks.log", b"x"),
    ):  # fmt: skip
        world.restore("working")
        assert faults_of(world) == []
        path.unlink() if content is None else path.write_bytes(content)
        assert len(faults_of(world)) == 1, path
    for path, content in ((events, b"[]"), (snapshot, None), (settings, b"{}")):
        world.restore("working")
        kept = records_of(world)
        path.unlink() if content is None else path.write_bytes(content)
        assert kept - records_of(world), path
    assert look(world, clean).missing


def test_an_error_that_another_process_met_elsewhere_was_no_try(tmp_path: Path) -> None:
    record, root = tmp_path / "record", tmp_path / "root"
    ends = "= -1 EIO (Input/output error) (INJECTED)"
    for line, struck in (
        (f'7 newfstatat(AT_FDCWD</x>, "{root}/a", 0x7ffc, 0) {ends}', True),
        (f'7 newfstatat(3<{root}/a>, "", 0x7ffc, AT_EMPTY_PATH) {ends}', True),
        (f'7 read(3<{root}/a>, 0x7ffc, 10) {ends}', True),
        (f'7 write(1<pipe:[5]>, "x", 1) {ends}', True),
        (f'7 newfstatat(AT_FDCWD</x>, "/usr/lib/python3/collections", 0x7ffc, 0) {ends}', False),
        (f'7 <... newfstatat resumed>0x7ffc, 0) {ends}', True),
        ("7 +++ killed by SIGKILL +++", True),
        ("7 +++ exited with 0 +++", False),
    ):  # fmt: skip
        record.write_text(f"{line}\n")
        assert was_struck(record, root) is struck, line


def test_what_was_left_out_may_be_done_by_a_change_of_its_own(world: World) -> None:
    clean = run_clean(world, STEPS["feature compact login"], count=False)
    world.restore("working")
    left_out = world.project / "features/login/progress.md"
    whole = left_out.read_bytes()
    left_out.unlink()
    argv = clean.step.argv(world)
    assert world.run(argv, b"").code == 0
    left_out.write_bytes(whole)
    assert any("not done" in each for each in run_again(world, clean, argv, may_refuse=True))
    assert list(run_again(world, clean, argv, may_refuse=True, in_parts=True)) == []
    backups = world.project.glob("features/login/.compaction/backup/*/1.old")
    next(path for path in backups if path.read_bytes() == whole).unlink()
    problems = list(run_again(world, clean, argv, may_refuse=True, in_parts=True))
    assert any("not done" in each for each in problems)


def test_hooks_that_run_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    at_once, in_turn = (World(tmp_path / name, MOMENTS) for name in ("at-once", "in-turn"))
    crowd = run_crowd(at_once, in_turn, AT_ONCE, 0)
    assert crowd.problems == []
    assert sum(crowd.hooks.values()) == AT_ONCE

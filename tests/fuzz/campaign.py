"""Run one target's share of cases: with atheris, or by mutation alone; count and keep failures."""

import json
import pkgutil
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from contextlib import ExitStack
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

GUIDED_FILE, ALONE_FILE = "guided.json", "mutated.json"
"""Where a target's tallies lie: of the cases that coverage guided, and of those after them."""
_REGRESSIONS = Path(__file__).parent / "corpus"
_TALLY_STEP = 500
_CASE_LIMIT_BYTES = 512 * 1024
_MEMORY_MEGABYTES = 4096
_MEMORY_FILES = Path("/dev/shm")


def run_target(name: str, count: int, seed: int, work: Path, *, guided: bool) -> None:
    """Run `count` cases of a target; what they came to is a tally in `DIR/NAME`.

    Those that failed once, in `tests/fuzz/corpus`, are the first. Guided, what reaches new code is
    kept in `DIR/NAME/corpus`; otherwise the cases are mutations of what lies there.
    """
    folder = (work / name).absolute()
    (folder / "corpus").mkdir(parents=True, exist_ok=True)
    if guided:
        import atheris

        with atheris.instrument_imports(include=["amplihack_compaction"]):
            _import_all()
    from tests.fuzz.case import decode, encode
    from tests.fuzz.targets import TARGETS
    from tests.fuzz.world import World

    with ExitStack() as stack:
        memory = _MEMORY_FILES if _MEMORY_FILES.is_dir() else None
        at = stack.enter_context(tempfile.TemporaryDirectory(dir=memory))
        world = World(Path(at))
        stack.enter_context(world.entered())
        cases = [tuple(case) for case in TARGETS[name].seeds(world)]
        for case in cases:
            data = encode(case)
            (folder / "corpus" / blake2b(data, digest_size=10).hexdigest()).write_bytes(data)
        if not guided:
            kept = sorted((folder / "corpus").iterdir())
            cases += [case for case in (decode(path.read_bytes()) for path in kept) if case]
        campaign = Campaign(
            name, world, folder, cases, count, GUIDED_FILE if guided else ALONE_FILE
        )
        for path in sorted((_REGRESSIONS / name).glob("*")):
            campaign.run(path.read_bytes())
        if guided:
            campaign.run_guided(seed)
        else:
            campaign.run_alone(Random(seed))


def _import_all() -> None:
    import amplihack_compaction

    for module in pkgutil.walk_packages(amplihack_compaction.__path__, "amplihack_compaction."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    import_module("amplihack_compaction.__main__")


class Campaign:
    """Runs cases of a target in one world, and keeps its tally."""

    def __init__(
        self, name: str, world: Any, folder: Path, seeds: Sequence[Any], count: int, tally: str
    ) -> None:
        from tests.fuzz.targets import TARGETS

        self._target = TARGETS[name]
        self._world = world
        self._folder = folder
        self._seeds = seeds
        self._count = count
        self._tally = tally
        self._cases = 0
        self._slowest = 0.0
        self._failures: dict[str, str] = {}
        self._write_tally()

    def run_alone(self, random: Random) -> None:
        """Run mutations of the seeds; nothing is learnt on the way."""
        from tests.fuzz.mutate import mutate

        while self._cases < self._count:
            self.run_case(mutate(random.choice(self._seeds), random, self._seeds))

    def run_guided(self, seed: int) -> None:
        """Run under libFuzzer, which keeps what reaches new code and mutates it further."""
        import atheris

        arguments = [
            *(sys.argv[0], f"-runs={self._count - self._cases}", f"-seed={seed}"),
            f"-max_len={_CASE_LIMIT_BYTES}",
            *("-timeout=120", f"-rss_limit_mb={_MEMORY_MEGABYTES}", "-len_control=0"),
            *("-detect_leaks=0", "-print_final_stats=1", f"-artifact_prefix={self._folder}/end-"),
            str(self._folder / "corpus"),
        ]
        atheris.Setup(arguments, self.run, custom_mutator=self._mutated)
        atheris.Fuzz()

    def run(self, data: bytes) -> None:
        """Run the case that some bytes are."""
        from tests.fuzz.case import decode

        self.run_case(decode(data))

    def run_case(self, case: Any) -> None:
        """Run one case; a failure is kept, and does not end the campaign."""
        from tests.fuzz.targets import run_case

        started = time.process_time()
        try:
            run_case(self._world, self._target, case)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever comes out is what is looked for
            self._keep(case, error)
        self._slowest = max(self._slowest, time.process_time() - started)
        self._cases += 1
        # libFuzzer ends the process by itself, so that there is no later moment.
        if self._cases % _TALLY_STEP == 0 or self._cases >= self._count:
            self._write_tally()

    def _mutated(self, data: bytes, max_size: int, seed: int) -> bytes:
        from tests.fuzz.case import decode, encode
        from tests.fuzz.mutate import mutate

        random = Random(seed)
        case = decode(data) or random.choice(self._seeds)
        changed = encode(mutate(case, random, self._seeds))
        return changed if len(changed) <= max_size else data

    def _keep(self, case: Any, error: BaseException) -> None:
        from tests.fuzz.case import encode

        frames = traceback.extract_tb(error.__traceback__)
        inside = [frame for frame in frames if "/amplihack_compaction/" in frame.filename]
        at = (inside or frames)[-1]
        place = f"{type(error).__name__} at {at.filename.rpartition('/')[2]}:{at.lineno}"
        if place not in self._failures:
            self._failures[place] = f"{error}"[:500]
            name = "".join(c if c.isalnum() else "-" for c in place)
            (self._folder / f"failure-{name}").write_bytes(encode(case))
            text = "".join(traceback.format_exception(error))
            (self._folder / f"failure-{name}.txt").write_text(text, "utf-8", "backslashreplace")
            self._write_tally()

    def _write_tally(self) -> None:
        tally = {
            "target": self._target.name,
            "cases": self._cases,
            "kept": len(list((self._folder / "corpus").iterdir())),
            "slowest": round(self._slowest, 3),
            "failures": [f"{place}: {text}" for place, text in self._failures.items()],
        }
        (self._folder / self._tally).write_text(json.dumps(tally, indent=1))

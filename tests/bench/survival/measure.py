"""Play carriers with their plants, inject after each compaction, and tell the scores."""

import random
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from amplihack_compaction.injection.render import render_state
from amplihack_compaction.ledger.stored import states_at_boundaries
from tests.bench.survival.carriers import Generated, Real, carriers
from tests.bench.survival.plants import Planter
from tests.bench.survival.score import Tally
from tests.bench.survival.session import WINDOWS
from tests.bench.survival.stock import sent_without_hooks
from tests.bench.survival.summaries import summary
from tests.support.transcripts import SESSION

TEXT_FILE = ".claude/runtime/power-steering/sessions/c5cbd2e7/state.md"


@dataclass
class Sides:
    """The same chains with the package, and as the client alone leaves them."""

    ours: Tally = field(default_factory=Tally)
    stock: Tally = field(default_factory=Tally)


def measure(count: int, phrases: str, kind: str, folder: Path) -> Sides:
    """Return the tallies of all carriers, planted with the phrases of one file."""
    words = import_module(f"tests.bench.survival.phrases_{phrases}")
    sides = Sides()
    for number, carrier in enumerate(carriers(count, words.ORDINARY)):
        planter = Planter(carrier.session, words, number)
        path, without = play(carrier, planter, kind, folder / f"{number}.jsonl")
        states = states_at_boundaries(str(path), SESSION)
        for compaction, (_, state) in enumerate(states, 1):
            if compaction > WINDOWS:
                break
            known = [plant for plant in planter.plants if plant.window <= compaction]
            shown = render_state(state, full_state_file=TEXT_FILE)
            sides.ours.add(shown.text, shown.tokens, known, compaction, carrier.name)
            sides.stock.add_free(without[compaction - 1], known, compaction, carrier.name)
        path.unlink()
    return sides


def play(
    carrier: Generated | Real, planter: Planter, kind: str, path: Path
) -> tuple[Path, list[str]]:
    """Write a session of three windows, each ended by a compaction, with its plants.

    Return its path, and for each compaction what the client alone sends after it.
    """
    without: list[str] = []
    transcript = carrier.session.transcript
    rng = random.Random(planter.number)
    for window in range(1, WINDOWS + 1):
        steps = planter.window(window)
        slots = carrier.slots(window)
        for number, slot in enumerate(slots):
            slot()
            while steps and steps[0][0] <= (number + 1) / len(slots):
                steps.pop(0)[1]()
        told = summary(kind, planter.plants, window, rng)
        without.append(sent_without_hooks(transcript.lines, told))
        transcript.compact(told)
    transcript.user("Go on.")
    return transcript.write(path), without


def table(sides: Sides) -> list[str]:
    """Return the scores as lines of text; an empty plugin's are those of the client alone."""
    tally, stock = sides.ours, sides.stock
    rows = [
        f"{'retention, %':24} {'1st':>6} {'2nd':>6} {'3rd':>6} {'n at 3rd':>9} {'stock 3rd':>10}"
    ]
    for kind in sorted({kind for kind, _ in tally.kept}):
        counts = [tally.kept.get((kind, number), [0, 0]) for number in (1, 2, 3)]
        cells = " ".join(f"{_percent(*c):>6}" for c in counts)
        alone = _percent(*stock.kept.get((kind, 3), [0, 0]))
        rows.append(f"{kind:24} {cells} {counts[2][1]:9} {alone:>10}")
    for kind, (shown, cases) in sorted(tally.stale.items()):
        alone = _percent(*stock.stale.get(kind, [0, 0]))
        told = f"{'shown though over: ' + kind:36} {_percent(shown, cases):>6} % of {cases}"
        rows.append(f"{told}, stock {alone}")
    rows.append(
        f"{'shown as a rule, but said otherwise':36} "
        f"{_percent(tally.unstated, tally.rules_shown):>6} % of {tally.rules_shown}"
    )
    rows.append(
        f"{'standing, with later words beside it':36} {_percent(*tally.questioned):>6} % of"
        f" {tally.questioned[1]}"
    )
    tokens = sorted(tally.tokens)
    middle, high = tokens[len(tokens) // 2], tokens[int(len(tokens) * 0.95)]
    rows.append(f"tokens injected: median {middle}, p95 {high}, most {tokens[-1]}")
    return rows


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"

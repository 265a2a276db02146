"""Play carriers with their plants, inject after each compaction, and tell the scores."""

import random
from importlib import import_module
from pathlib import Path

from amplihack_compaction.ledger.fold import states_at_boundaries
from amplihack_compaction.ledger.render import render_state
from tests.bench.survival.carriers import Generated, Real, carriers
from tests.bench.survival.plants import Planter
from tests.bench.survival.score import Tally
from tests.bench.survival.session import WINDOWS
from tests.bench.survival.summaries import summary
from tests.transcripts import SESSION

TEXT_FILE = ".claude/runtime/power-steering/sessions/c5cbd2e7/state.md"


def measure(count: int, phrases: str, kind: str, folder: Path) -> Tally:
    """Return the tally of all carriers, planted with the phrases of one file."""
    words = import_module(f"tests.bench.survival.phrases_{phrases}")
    tally = Tally()
    for number, carrier in enumerate(carriers(count, words.ORDINARY)):
        planter = Planter(carrier.session, words, number)
        path = play(carrier, planter, kind, folder / f"{number}.jsonl")
        states = states_at_boundaries(str(path), SESSION)
        for compaction, (_, state) in enumerate(states, 1):
            if compaction > WINDOWS:
                break
            known = [plant for plant in planter.plants if plant.window <= compaction]
            shown = render_state(state, full_state_file=TEXT_FILE)
            tally.add(shown.text, shown.tokens, known, compaction, carrier.name)
        path.unlink()
    return tally


def play(carrier: Generated | Real, planter: Planter, kind: str, path: Path) -> Path:
    """Write a session of three windows, each ended by a compaction, with its plants."""
    transcript = carrier.session.transcript
    rng = random.Random(planter.number)
    for window in range(1, WINDOWS + 1):
        steps = planter.window(window)
        slots = carrier.slots(window)
        for number, slot in enumerate(slots):
            slot()
            while steps and steps[0][0] <= (number + 1) / len(slots):
                steps.pop(0)[1]()
        transcript.compact(summary(kind, planter.plants, window, rng))
    transcript.user("Go on.")
    return transcript.write(path)


def table(tally: Tally) -> list[str]:
    """Return the scores as lines of text."""
    rows = [f"{'retention, %':24} {'1st':>6} {'2nd':>6} {'3rd':>6} {'n at 3rd':>9}"]
    for kind in sorted({kind for kind, _ in tally.kept}):
        counts = [tally.kept.get((kind, number), [0, 0]) for number in (1, 2, 3)]
        if not counts[2][1]:
            counts[2] = [0, 0]
        cells = " ".join(f"{_percent(*c):>6}" for c in counts)
        rows.append(f"{kind:24} {cells} {counts[2][1]:9}")
    for kind, (shown, cases) in sorted(tally.stale.items()):
        rows.append(f"{'shown though over: ' + kind:36} {_percent(shown, cases):>6} % of {cases}")
    rows.append(
        f"{'shown as a rule, but said otherwise':36} "
        f"{_percent(tally.unstated, tally.rules_shown):>6} % of {tally.rules_shown}"
    )
    tokens = sorted(tally.tokens)
    middle, high = tokens[len(tokens) // 2], tokens[int(len(tokens) * 0.95)]
    rows.append(f"tokens injected: median {middle}, p95 {high}, most {tokens[-1]}")
    return rows


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"

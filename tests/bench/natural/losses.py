"""Whether what is reported as lost by real summaries was needed and is gone, as readers judged it.

An item that is reported is a real loss when it says something that a successor has to know and the
summary lacks, or was injected as a line that a reader found useful. What nobody labelled is none. A
compaction is falsely alarmed when nothing that is reported of it is a real loss.

Both is counted twice: by the client's summary alone, and as users are told, to whom nothing is lost
that the injection has.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from amplihack_compaction.cli.sessions import chosen_session, session_states
from amplihack_compaction.injection.render import seldom_needed
from amplihack_compaction.validation.before_and_after import Compacted, kept_texts, summary_of
from amplihack_compaction.validation.losses import WORTH_SAYING, LossReport
from amplihack_compaction.validation.validator import judge_compaction
from tests.bench.natural.labels import Compaction
from tests.bench.natural.score import Injected, plain, says

RECALLED = {"rule": "rule", "decision": "decision", "verify": "verify", "open": "todo"}
"""The labels whose losses have to be reported, with the kinds of items that they are."""
_SAME_CHARS = 60


TOLD = "told: "
"""Before the counts of what is lost to summary and injection."""


def count_losses(
    transcript: Path, compactions: Sequence[Compaction], injected: Mapping[int, Injected]
) -> Counter[str]:
    """Return the counts of a session's labelled compactions."""
    counts: Counter[str] = Counter()
    states = list(session_states(chosen_session(str(transcript))))
    for compaction in compactions:
        if compaction.number >= len(states) or not states[compaction.number][0].summary:
            continue
        window, state = states[compaction.number - 1]
        summary = summary_of(states[compaction.number][0].summary)
        kept = "\n".join(kept_texts(window))
        counts += _of_compaction(Compacted(state, window, summary, kept), compaction, summary)
        given = injected[compaction.number].text if compaction.number in injected else ""
        left_out = seldom_needed(state)
        sides = Compacted(state, window, summary, f"{kept}\n{given}", left_out=left_out)
        told = _of_compaction(sides, compaction, f"{summary}\n{given}")
        counts += Counter({f"{TOLD}{name}": count for name, count in told.items()})
    return counts


def _of_compaction(sides: Compacted, compaction: Compaction, given: str) -> Counter[str]:
    judged = judge_compaction(sides)
    has = plain(given)
    report = judged.losses or LossReport()
    counts = _of_report(report, compaction, has)
    warned = bool(judged.recent_warnings)
    reported = [fate for fate in report.missing if fate.kind in WORTH_SAYING]
    real = any(_is_real(fate.text, compaction, has) for fate in reported)
    counts["compactions"] += 1
    counts["alarmed"] += bool(reported) or warned
    counts["falsely alarmed"] += (bool(reported) or warned) and not real
    return counts


def _of_report(report: LossReport, compaction: Compaction, summary: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for fate in report.missing:
        if fate.kind in WORTH_SAYING:
            counts["reported"] += 1
            counts["real"] += _is_real(fate.text, compaction, summary)
    for item in compaction.items:
        if item.kind in RECALLED and not says(summary, item):
            known = [fate for fate in report.items if says(plain(fate.text), item)]
            counts["gone"] += 1
            counts["gone, and in the ledger"] += bool(known)
            counts["gone, and reported"] += any(fate.is_missing for fate in known)
    return counts


def _is_real(text: str, compaction: Compaction, summary: str) -> bool:
    said = [item for item in compaction.items if says(plain(text), item)]
    if said:
        return any(not says(summary, item) for item in said)
    start = text.strip()[:_SAME_CHARS]
    verdicts = [line.verdict for line in compaction.lines if start in line.text]
    return verdicts[:1] == ["useful"]


def loss_table(counts: Counter[str]) -> Iterator[str]:
    """Yield the rows that are printed."""
    yield from _rows(counts)
    told = {name.removeprefix(TOLD): n for name, n in counts.items() if name.startswith(TOLD)}
    yield from (f"as told, with the injection: {row}" for row in _rows(Counter(told)))


def _rows(counts: Counter[str]) -> Iterator[str]:
    yield (
        f"losses reported: {counts['reported']}, real {_share(counts['real'], counts['reported'])}"
    )
    known, gone = counts["gone, and in the ledger"], counts["gone"]
    found = counts["gone, and reported"]
    yield f"of {known} lost that the ledger has {_share(found, known)} reported, of all {gone}"
    yield (
        f"alarms: {counts['alarmed']} of {counts['compactions']} compactions,"
        f" {counts['falsely alarmed']} falsely"
    )


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / max(1, whole):.0f} %)"

"""A public kit's planted statements through the hooks: `python -m tests.bench.conformance`.

compaction-conformance-kit (MIT) plants rules, constraints, facts, goals and preferences in scripted
sessions, compacts five times over, and looks for each by its exact values. Here a compaction is the
client's part around PreCompact and SessionStart; the client's own summary says nothing.

To the kit a token is four characters, to the hooks as few as the newest models make of one: they
are asked with as many tokens and with as many characters.

Its two semantic corpora change eight statements each in other words. What was written for them was
written with both in sight, so they guard, and measure nothing that nobody had seen.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from compaction_kit.compacted import CompactedContext
from compaction_kit.compactors import (
    PinnedRulesCompactor,
    SummaryTailCompactor,
    UpdateAwareChecklistCompactor,
)
from compaction_kit.corpus import build_random_session
from compaction_kit.generated import build_generated_session
from compaction_kit.runner import RoundResult, run_conformance
from compaction_kit.semantic_corpus import build_semantic_heldout_session, build_semantic_session

from amplihack_compaction.context.estimate import NEWER_LINE
from tests.support.sessions import Session, write_own_settings
from tests.support.transcripts import Transcript

ROUNDS = 5
_CHARS_A_TOKEN = 4
BUDGETS = (2000, 600, 400)
AS_LONG = {tokens: round(_CHARS_A_TOKEN * tokens * NEWER_LINE.slope) for tokens in BUDGETS}
"""The hooks' `injection_tokens` that give as many characters as the kit's so many tokens."""
RIVALS = (SummaryTailCompactor, PinnedRulesCompactor, UpdateAwareChecklistCompactor)
_SURVIVAL: tuple[Callable[[int], Any], ...] = (build_random_session, build_generated_session)
_SEMANTIC: tuple[Callable[[int], Any], ...] = (
    build_semantic_session,
    build_semantic_heldout_session,
)


class HookedCompactor:
    """The kit's compactor: what the hooks inject after each compaction of one session."""

    name = "amplihack-compaction"

    def __init__(self, folder: Path, injection_tokens: int) -> None:
        project = folder / "project"
        project.mkdir(parents=True)
        write_own_settings(injection_tokens=injection_tokens)
        self._session = Session(project)
        self._session.transcript = Transcript()

    def compact(
        self, turns: Sequence[Any], round_num: int = 1, budget_chars: int | None = None
    ) -> CompactedContext:
        """Play one compaction; after the first the session only goes on."""
        transcript = self._session.transcript
        for turn in turns if round_num == 1 else ():
            if turn.role != "system":
                (transcript.user if turn.role == "user" else transcript.assistant)(turn.text)
        if round_num > 1:
            transcript.user("Go on.")
            transcript.assistant("Going on.")
        return CompactedContext(
            text=self._session.compact(), compactor_name=self.name, round_num=round_num
        )


def survival(
    injection_tokens: int, seeds: Sequence[int], rival: Callable[[], Any] | None = None
) -> dict[str, tuple[int, int]]:
    """Return how many of the planted statements are in the text after the last compaction."""
    found: dict[str, tuple[int, int]] = {}
    for build in _SURVIVAL:
        last = [_last(build(seed), injection_tokens, rival) for seed in seeds]
        held = [kept for each in last for kept in each.survived.values()]
        found[build.__name__.removeprefix("build_")] = sum(held), len(held)
    return found


def changed_statements(
    seeds: Sequence[int], injection_tokens: int = 2000, rival: Callable[[], Any] | None = None
) -> dict[str, int]:
    """Return counts: of changed statements, those resolved and those still there in their old form.

    `pairs` are of statements that look alike and are of two things, `both` has those kept both.
    """
    counts = dict.fromkeys(("changed", "resolved", "stale", "pairs", "both"), 0)
    for build in _SEMANTIC:
        for seed in seeds:
            built = build(seed)
            last = _last(built, injection_tokens, rival)
            text = last.context.text.lower()
            for canary in built[1]:
                if canary.id in built[2]["conflicts"]:
                    stale = any(token.lower() in text for token in canary.superseded_tokens)
                    latest = all(token.lower() in text for token in canary.required_tokens)
                    counts["changed"] += 1
                    counts["resolved"] += latest and not stale
                    counts["stale"] += stale
            for first, second in built[2]["distinct_pairs"]:
                counts["pairs"] += 1
                counts["both"] += bool(last.survived[first] and last.survived[second])
    return counts


def _last(built: Any, injection_tokens: int, rival: Callable[[], Any] | None = None) -> RoundResult:
    """Return the last round, of the hooks or of a compactor of the kit's with as much room."""
    session, canaries, *_ = built
    with TemporaryDirectory() as folder:
        hooked = HookedCompactor(Path(folder), injection_tokens)
        run = run_conformance(
            session, rival() if rival else hooked, rounds=ROUNDS, canaries=canaries,
            budget_chars=_CHARS_A_TOKEN * injection_tokens if rival else None,
        )  # fmt: skip
    return run.rounds[-1]


def rows(seeds: Sequence[int]) -> Iterator[str]:
    """Yield the rows that are printed."""
    for rival in (None, *RIVALS):
        yield rival.__name__ if rival else HookedCompactor.name
        for tokens in BUDGETS:
            yield from _row(f"at {tokens:5} tokens", survival(tokens, seeds, rival))
            if rival is None:
                named = f"in {_CHARS_A_TOKEN * tokens:5} characters"
                yield from _row(named, survival(AS_LONG[tokens], seeds))
        yield f"changed statements: {changed_statements(seeds, rival=rival)}"


def _row(named: str, found: dict[str, tuple[int, int]]) -> Iterator[str]:
    for corpus, (kept, planted) in found.items():
        yield f"{corpus:20} {named} {kept:4} of {planted} ({kept / planted:.1%})"


if __name__ == "__main__":
    sys.stdout.writelines(f"{row}\n" for row in rows(range(1, 5)))

"""Statements planted by a public kit: `python -m tests.bench.conformance`."""

from collections.abc import Callable

from tests.bench.conformance import AS_LONG, changed_statements, survival


def test_what_a_public_kit_plants_is_there_after_five_compactions(
    report: Callable[[str], None],
) -> None:
    for tokens, least in (
        (2000, 0.97), (600, 0.4), (400, 0.15), (AS_LONG[600], 0.85), (AS_LONG[400], 0.55),
    ):  # fmt: skip
        for corpus, (kept, planted) in survival(tokens, (1, 2)).items():
            report(f"conformance kit, {corpus}, {tokens} tokens: {kept} of {planted}")
            assert kept >= least * planted


def test_changed_statements_are_told_in_their_newest_form(report: Callable[[str], None]) -> None:
    counts = changed_statements((1, 2))
    report(f"conformance kit, changed statements: {counts}")
    assert counts["resolved"] >= 0.95 * counts["changed"]
    assert counts["stale"] <= 0.02 * counts["changed"]
    assert counts["both"] == counts["pairs"]

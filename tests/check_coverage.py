"""Fail when a module of the package is covered too little, by lines or by branches.

python tests/check_coverage.py COVERAGE.json        (written by `coverage json`)
"""

import json
import sys
from pathlib import Path
from typing import Any

LEAST_PERCENT = 80.0


def percent(covered: int, total: int) -> float:
    """Return the covered part; a module without lines or branches is covered."""
    return 100.0 * covered / total if total else 100.0


def shortfalls(report: dict[str, Any]) -> list[str]:
    """Return one sentence for each module and measure below the least."""
    found = []
    for name, module in sorted(report["files"].items()):
        summary = module["summary"]
        measures = {
            "lines": percent(summary["covered_lines"], summary["num_statements"]),
            "branches": percent(summary["covered_branches"], summary["num_branches"]),
        }
        found += [
            f"{name}: {measured:.0f} % of its {measure} are covered, {LEAST_PERCENT:.0f} are needed"
            for measure, measured in measures.items()
            if measured < LEAST_PERCENT
        ]
    return found


def main() -> int:
    """Say what falls short, and return 1 if anything does; say nothing otherwise."""
    report = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    found = shortfalls(report)
    if not report["files"]:
        found = ["nothing was measured"]
    sys.stdout.writelines(f"{sentence}\n" for sentence in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

"""Print what the benchmarks found, behind the tests' own output."""

from collections.abc import Callable

import pytest

ROWS: list[str] = []


@pytest.fixture
def report() -> Callable[[str], None]:
    """Return a function that adds a row to the table at the end."""
    return ROWS.append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    if ROWS:
        terminalreporter.section("ratios")
        for row in ROWS:
            terminalreporter.write_line(row)

"""Which check tells what another one would."""

import pytest

from amplihack_compaction.extract.covered_checks import covers


@pytest.mark.parametrize(
    ("wider", "narrower", "expected"),
    [
        ("pytest -q", "pytest tests/a -x", True),
        ("pytest tests", "pytest tests/a/test_b.py", True),
        ("pytest tests/a.py", "pytest tests/a.py::test_x", True),
        ("pytest tests/a", "pytest tests/ab", False),
        ("pytest tests/a", "pytest", False),
        ("pytest -k slow", "pytest tests/a", False),
        ("npm test", "npm test -- web/cart", True),
        ("npm test -- --project web", "npm test -- cart/x", False),
        ("npm test -- cart", "npm test", False),
        ("npx vitest run cart", "npm test -- mail", False),
        ("npx vitest run", "npm test -- mail", True),
        ("cargo test parser", "cargo test", False),
        ("npm test", "pytest tests/a", False),
        ("cargo test", "pytest -q", False),
        ("python -m unittest", "pytest tests/a", True),
        ("python -m pytest", "pytest tests/a", True),
        ("python -m pytest -m slow", "pytest tests/a", False),
        ("make test", "pytest tests/a", True),
        ("pytest -q", "make test", True),
        ("echo all tests && pytest tests/b", "pytest tests/a", False),
        ("cd web && npm test", "npx vitest run cart", True),
    ],
)
def test_a_check_covers_those_of_its_parts(wider: str, narrower: str, expected: bool) -> None:
    assert covers(wider, narrower) is expected

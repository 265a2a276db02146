"""The package as its syntax trees, parsed once for all tests that look at how it is written."""

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "amplihack_compaction"


@cache
def syntax_trees() -> dict[str, ast.Module]:
    """Return each module's tree by its path below the package."""
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }

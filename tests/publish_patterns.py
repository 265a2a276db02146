"""Write the strings that the package's patterns need, which take long to read off at every start.

python -m tests.publish_patterns
"""

from collections.abc import Iterator
from pathlib import Path

import amplihack_compaction.patterns.needed_strings
from amplihack_compaction.patterns.patterns import key_of, needed_strings
from amplihack_compaction.phrasings.lifting import PERMISSIONS, WITHDRAWALS
from amplihack_compaction.phrasings.markers import LANGUAGES, phrasing_of
from amplihack_compaction.phrasings.turning import SWITCHES

MODULE = Path(amplihack_compaction.patterns.needed_strings.__file__)
HEAD = '''"""What each pattern cannot match without, by the pattern's number (`patterns.key_of`).

Made by `python -m tests.publish_patterns`.
"""

# fmt: off
# ruff: noqa: E501
KNOWN: dict[int, tuple[str, ...]] = {
'''


def sources() -> Iterator[str]:
    """Yield every pattern that is tried only where a string that it needs stands."""
    for language in LANGUAGES:
        phrasing = phrasing_of(language)
        for table in (phrasing.opening, phrasing.whole, phrasing.anywhere):
            for patterns in table.values():
                yield from patterns
        yield phrasing.report
    yield from (*PERMISSIONS, *WITHDRAWALS, *SWITCHES)


def module_text() -> str:
    """Return the module that has them."""
    rows = {key_of(source): needed_strings(source) for source in sources()}
    lines = [f"    {key}: {strings!r},\n" for key, strings in sorted(rows.items())]
    return f"{HEAD}{''.join(lines)}}}\n"


def main() -> None:
    """Write the module."""
    MODULE.write_text(module_text(), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Write the strings that the package's patterns need, which take long to read off at every start.

python -m tests.publish_patterns
"""

import gc
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import amplihack_compaction.patterns.needed_strings
from amplihack_compaction.amending.corrections import CHANGES
from amplihack_compaction.asides.breaks import BREAKS
from amplihack_compaction.asides.correcting import ACTUALLY, SORRY
from amplihack_compaction.asides.putting_off import WAYS
from amplihack_compaction.language.leaning import PRONOUNS
from amplihack_compaction.patterns.patterns import (
    Lazy,
    also_needed_strings,
    key_of,
    needed_strings,
)
from amplihack_compaction.phrasings.lifting import PERMISSIONS, WITHDRAWALS
from amplihack_compaction.phrasings.markers import LANGUAGES, phrasing_of
from amplihack_compaction.phrasings.turning import SWITCHES

# Shorter ones are compiled in the time that a few looks take.
LONG_CHARS = 100
MODULE = Path(amplihack_compaction.patterns.needed_strings.__file__)
HEAD = '''"""What each pattern cannot match without, by the pattern's number (`patterns.key_of`).

Made by `python -m tests.publish_patterns`.
"""

# fmt: off
# ruff: noqa: E501
KNOWN: dict[int, tuple[str, ...]] = {
'''
BETWEEN = """# What else some of them cannot match without: a string of these too.
ALSO: dict[int, tuple[str, ...]] = {
"""


def sources() -> Iterator[str]:
    """Yield every pattern that is tried only where a string that it needs stands."""
    for language in LANGUAGES:
        phrasing = phrasing_of(language)
        for table in (phrasing.opening, phrasing.whole, phrasing.anywhere):
            for patterns in table.values():
                yield from patterns
        yield phrasing.report
    yield from (
        *PERMISSIONS,
        *WITHDRAWALS,
        *SWITCHES,
        *PRONOUNS,
        *WAYS,
        *SORRY,
        *ACTUALLY,
        *CHANGES,
        *BREAKS,
    )


def lazy_sources() -> Iterator[str]:
    """Yield every pattern that is compiled late, and long enough for that to be worth a look."""
    for found in walk_packages(amplihack_compaction.__path__, "amplihack_compaction."):
        if not found.name.endswith("__main__"):
            import_module(found.name)
    for value in gc.get_objects():
        if isinstance(value, Lazy) and len(value.given[0]) >= LONG_CHARS:
            yield value.given[0]


def module_text() -> str:
    """Return the module that has them."""
    rows = {key_of(source): needed_strings(source) for source in sources()}
    lazy = {key_of(source): needed_strings(source) for source in lazy_sources()}
    rows |= {key: strings for key, strings in lazy.items() if strings}
    also = {key_of(each): also_needed_strings(each) for each in (*sources(), *lazy_sources())}
    more = {key: strings for key, strings in also.items() if strings}
    return f"{HEAD}{_lines(rows)}}}\n{BETWEEN}{_lines(more)}}}\n"


def _lines(rows: dict[int, tuple[str, ...]]) -> str:
    return "".join(f"    {key}: {strings!r},\n" for key, strings in sorted(rows.items()))


def main() -> None:
    """Write the module."""
    MODULE.write_text(module_text(), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Every regular expression of the package takes time in proportion to the text, whatever it is.

Each is searched for in texts made from its own parse tree to be slow on (see
`tests/support/pumps.py`): in short ones, which tell what is exponential, then in ever longer ones,
up to 50,000 characters, as long as the time would be too much if it grew with the square of the
length. Where it grows with the length that takes a hundredth of a second, less than half a second
where a bounded repetition is tried at every place, and where it grows with its square eight seconds
and more: the two seconds of the processor that are allowed lie far from both. A pattern may be
slower only where its callers bound the text.
"""

import ast
import json
import math
import re
import subprocess
import sys
import time
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support.effort import Hung, watchdog
from tests.support.processes import CHECKOUT
from tests.support.pumps import has_long_repetition, pumped_texts

PACKAGE = CHECKOUT / "amplihack_compaction"
SHORT, MIDDLE, LONG = 600, 5_000, 50_000
_WORST = 4
_SECONDS = 2.0
_MATCHING = frozenset({"match", "fullmatch"})
BOUNDED = {
    "compactor:_CATEGORIES": 200,
    "extract:_AGAINST": 600,
    "extract:BRANCH": 600,
    "extract:FILE": 600,
    "extract:known_actions": 600,
    "extract:_FOLDER": 600,
    "extract:HOST": 600,
    "extract:_NAMED_FOLDER": 600,
    "extract:_PATTERNS": 600,
    "extract:_QUOTED": 600,
    "extract:_TOOL_WORDS": 600,
    "extract:PURPOSES": 600,
    "text:_MACHINE": 600,
    "text:_REDIRECTION": 500,
}
"""Patterns, by room and name, whose time grows with the square of a text, and the most characters
of the texts that they are given."""

COLLECT = """
import importlib, json, pkgutil, re, sys
found, compile_pattern = [], re.compile
def record(pattern, flags=0):
    made = compile_pattern(pattern, flags)
    caller = sys._getframe(1)
    while (caller.f_code.co_filename.endswith("/text/words.py")
           and caller.f_code.co_name != "<module>"):
        caller = caller.f_back
    if "/amplihack_compaction/" in caller.f_code.co_filename and isinstance(made.pattern, str):
        found.append([made.pattern, made.flags, caller.f_code.co_filename, caller.f_lineno])
    return made
re.compile = record
import amplihack_compaction
for module in pkgutil.walk_packages(amplihack_compaction.__path__, "amplihack_compaction."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
from amplihack_compaction.extract.prohibitions import known_actions
known_actions()
print(json.dumps(found))
"""


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern of the package, the place that compiles it, and how its name is used there."""

    pattern: str
    flags: int
    place: str
    only_matched: bool

    @property
    def name_in_room(self) -> str:
        """The pattern's name behind that of its room: what stays where a module is moved."""
        return f"{self.place.partition('/')[0]}:{self.place.rpartition(':')[2]}"


def collected() -> list[Found]:
    """Return the patterns that are compiled when the package is imported, or in a function."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", COLLECT],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    compiled: dict[tuple[str, int], Found] = {}
    for pattern, flags, file, line in json.loads(done.stdout):
        module = file.rpartition("/amplihack_compaction/")[2]
        name = _name_at(PACKAGE / module, line)
        compiled.setdefault(
            (pattern, flags),
            Found(pattern, flags, f"{module}:{name or line}", _only_matched(module, name)),
        )
    for path in PACKAGE.rglob("*.py"):
        for call in _calls_in_functions(path) if "import re\n" in path.read_text("utf-8") else ():
            place = f"{path.relative_to(PACKAGE)}:{call.lineno}"
            pattern = ast.literal_eval(call.args[0])
            only = isinstance(call.func, ast.Attribute) and call.func.attr in _MATCHING
            compiled.setdefault((pattern, 0), Found(pattern, 0, place, only))
    return list(compiled.values())


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _name_at(path: Path, line: int) -> str:
    """Return the name that a line's statement assigns to, or of its function; empty for none."""
    for node in _tree(path).body:
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
            return node.name
        if isinstance(node, ast.Assign) and node.lineno <= line <= (node.end_lineno or 0):
            target = node.targets[0]
            return target.id if isinstance(target, ast.Name) else ""
    return ""


def _only_matched(module: str, name: str) -> bool:
    """Tell whether a private name's pattern is only ever matched from where a text begins."""
    if not name.startswith("_"):
        return False
    uses = re.findall(rf"(?<!\w){name}\b(\.\w+)?", (PACKAGE / module).read_text(encoding="utf-8"))
    assigned, *others = sorted(uses)
    ways = {way.removeprefix(".") for way in others}
    return assigned == "" and bool(others) and ways <= _MATCHING


def _calls_in_functions(path: Path) -> Iterator[ast.Call]:
    for function in ast.walk(_tree(path)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                yield node


def seconds_of(search: Callable[[str], Any], text: str, most: float) -> float:
    """Return how long a search took; infinity where the processor needed more than `most`.

    By the wall's clock: the processor's may tick in steps of 4 ms, and short texts take less.
    """
    started = time.perf_counter()
    try:
        with watchdog(most):
            search(text)
    except Hung:
        return math.inf
    return time.perf_counter() - started


def slow_text(
    pattern: "re.Pattern[str]",
    length: int = LONG,
    seconds: float = _SECONDS,
    *,
    only_matched: bool = False,
) -> str:
    """Return how a text of a length begins that a search does not end on in time; "" for none.

    All are tried in short, and of those that could take too long, if the time grew with the square
    of the length, the worst at the next length.
    """
    search = pattern.match if only_matched else pattern.search
    due: Container[int] = range(sys.maxsize)
    for longer in sorted({min(length, SHORT), min(length, MIDDLE), length}):
        took: list[tuple[float, int]] = []
        for place, text in enumerate(pumped_texts(pattern, longer)):
            if place not in due:
                continue
            took.append((seconds_of(search, text, seconds), place))
            if took[-1][0] == math.inf:
                return text[:60]
        most = seconds * (longer / length) ** 2
        due = [place for needed, place in sorted(took)[-_WORST:] if needed > most]
    return ""


@pytest.mark.parametrize(
    ("source", "is_linear"),
    [
        (r"\w+", True),
        (r"(?<!\w)\w+@\w+", True),
        (r"[^\"]{0,20}\"", True),
        (r"\s+$", False),
        (r"(a+)+b", False),
        (r"(\w+\s?)*x", False),
        (r"\w+@", False),
        (r"a.*b.*c", False),
        (r"\d+\d+z", False),
    ],
)
def test_the_check_tells_slow_patterns(source: str, is_linear: bool) -> None:
    # A quarter of the length, which takes a square one a sixteenth of the time.
    assert (slow_text(re.compile(source), LONG // 4, _SECONDS / 16) == "") is is_linear


def test_every_pattern_is_linear() -> None:
    found = collected()
    assert len(found) > 300
    # A name that is gone here would have its pattern searched, for minutes, as if it had no bound.
    assert BOUNDED.keys() <= {each.name_in_room for each in found}
    slow: dict[str, str] = {}
    for each in found:
        pattern = re.compile(each.pattern, each.flags)
        if each.place in slow or not has_long_repetition(pattern):
            continue
        length = BOUNDED.get(each.name_in_room, LONG)
        text = slow_text(pattern, length, only_matched=each.only_matched)
        if text:
            slow[each.place] = f"{text!r}: {each.pattern[:100]}"
    assert not slow, "\n".join(f"{place} {why}" for place, why in slow.items())

"""Which check would have told what another one tells: of the same ground, and as wide."""

import re

from amplihack_compaction.text.shell.check_commands import command_kind
from amplihack_compaction.text.shell.commands import Command, split_commands
from amplihack_compaction.text.strings import normal_form

_ONE_FILE = re.compile(
    r"\S\.(?:py|[cm]?[jt]sx?|rb|go|rs|php|java|kt|swift|exs?|cs|scala|cc|cpp|c)\b|::|\s--?(?:k|t"
    r"|g|run"
    r"|grep|filter|tests?)[\s=]"
)
_FILTER = re.compile(
    r"\s--?(?:k|m|t|g|p|w|run|grep|filter|project|package|workspace|scope|match|only|module"
    r"|suite)[\s=]"
    # The names of cases, given without an option.
    r"|\s--\s+[\w-]+(?=\s|$)"
    r"|\b(?:vitest(?: run| watch)?|jest|mocha|ava|cargo (?:test|nextest run)|(?:deno|swift"
    r"|mix) test)\s+"
    r"(?!run\b|watch\b|-)[\w-]+(?=\s|$)"
)
_TARGET = re.compile(r"[\"']?\.{0,2}[\w@-]*[/.:][\w./:@*-]*[\"']?$|[\"']?tests[\"']?$")
_MODULE = re.compile(r"^\S*python[\d.]*\s+-m\s+")
# The programs that run one language's tests and builds: none of them tells of another language's.
_LANGUAGES = tuple(
    frozenset(names.split())
    for names in (
        "pytest py.test unittest nosetests nose2 behave python python3 hypothesis doctest",
        "npm pnpm yarn bun node deno vitest jest mocha ava karma jasmine cypress playwright wtr tsc"
        " testem tsup webpack rollup esbuild vite next react-scripts ng",
        "cargo nextest rustc",
        "go gotestsum",
        "mvn mvnw gradle gradlew javac sbt",
        "dotnet",
        "rspec rake bundle rails minitest cucumber",
        "phpunit pest paratest composer artisan",
        "swift xcodebuild",
        "mix",
        "flutter dart",
        "ctest ninja gcc g++ clang clang++",
    )
)


def is_narrow(text: str) -> bool:
    """Say whether a check is of single files or cases, and not of the whole or a folder of it."""
    return _ONE_FILE.search(text) is not None


def program_of(text: str) -> str:
    """Return the name of the program that a command checks with, as in `cd app && npm test`."""
    return next((each.phrase.partition(" ")[0] for each in _checking(text)), "")


def _checking(text: str) -> list[Command]:
    """Return the commands of a line that check something."""
    return [command for command in split_commands(text) if command_kind(command)]


def covers(wider: str, narrower: str) -> bool:
    """Return whether a check that passed says that another one would: it checks the same or more.

    A check covers another of its kind when it has no targets of its own, or has the other's, or
    the folder they lie in. What one language's program says tells nothing of another's.
    """
    if normal_form(wider) == normal_form(narrower):
        return True
    targets, others = _targets(wider), _targets(narrower)
    if any(_FILTER.search(words) for words in _words_of(wider)) or _is_of_another_language(
        program_of(wider), program_of(narrower)
    ):
        return False
    return not targets or (
        bool(others) and all(any(_lies_in(other, target) for target in targets) for other in others)
    )


def _words_of(text: str) -> list[str]:
    """Return the commands of a line that check, without what only runs them: `python -m`."""
    lines = (" ".join(command.words) for command in _checking(text))
    return [_MODULE.sub("", line) for line in lines] or [text]


def _is_of_another_language(program: str, other: str) -> bool:
    """Return whether two programs run the checks of two languages; `make` may run any."""
    mine = next((names for names in _LANGUAGES if program in names), None)
    others = next((names for names in _LANGUAGES if other in names), None)
    return mine is not None and others is not None and mine is not others


def _targets(text: str) -> set[str]:
    """Return the paths and names of cases that a check is run on."""
    words = [word for line in _words_of(text) for word in line.split()[1:]]
    return {
        word.strip("\"'").removeprefix("./").rstrip("/") for word in words if _TARGET.match(word)
    }


def _lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith((f"{folder}/", f"{folder}::"))

"""Every command that a shell line has run: in `$(...)`, too, by a shell, on another machine."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain, pairwise, takewhile

from amplihack_compaction.text.commands import Command, split_commands, without_heredocs
from amplihack_compaction.text.shell_files import with_folders, with_variables

_SHELLS = frozenset(("bash", "sh", "zsh"))
_IS_SCRIPT = re.compile(r"-\w*c$")
_RUN_ANY = frozenset("yarn pnpm bun".split())
# What of a container or a list of names is run in it, or on each.
_RUN_WITHIN = re.compile(
    r"(?:xargs|(?:docker|podman)(?:[- ]compose)? (?:exec|run)|kubectl exec(?= .* -- ))\b"
)
_VALUE_OPTIONS = frozenset(
    "-n -I -P -L -d -s -e -u -v -w -c -o -O --env --user --volume --workdir --name".split()
)
_FOR_EACH = frozenset(("-exec", "-execdir", "-ok"))
_UNKNOWN = re.compile(r"[$`~]")  # "cd $ROOT": nobody knows where that is
_SIGN = re.compile(r"\\.|[\"'`]|\$\((?!\()|[()]", re.DOTALL)
_NESTED = 3
_KEPT_LINES = 64


@lru_cache(maxsize=_KEPT_LINES)
def commands_run(line: str) -> tuple[tuple[Command, str], ...]:
    """Return the commands of a shell line, each with the folder that the line had gone to.

    Behind each stand those that it runs, and what it is in other words. Text that a script only
    writes or prints is no command.
    """
    return tuple(_run(with_variables(line), _NESTED))


def _run(line: str, depth: int) -> Iterator[tuple[Command, str]]:
    listed: tuple[str, ...] = ()
    for command, place, _ in with_folders(line):
        folder = "" if _UNKNOWN.search(place) else place
        if command.before != "|":
            listed = searched_by(command) if command.head == "find" else command.arguments
        every = (command, *(_meant_by(command, listed) if command.words else ()))
        yield from ((one, folder) for one in every)
        scripts = (*_substituted(without_heredocs(command.text)), *chain(*map(_scripts_of, every)))
        for inner in dict.fromkeys(scripts) if depth else ():
            yield from ((one, below or folder) for one, below in _run(inner, depth - 1))


def _meant_by(command: Command, listed: tuple[str, ...]) -> Iterator[Command]:
    """Yield the commands that one is in other words, or runs; of `xargs` on what was listed."""
    if (inner := _within(command)) is not None:
        yield replace(inner, words=inner.words + listed) if command.head == "xargs" else inner
    if command.head == "docker-compose":
        yield replace(command, words=("docker", "compose", *command.words[1:]))
    if command.head in _RUN_ANY and len(command.words) > 1:
        yield replace(command, words=command.words[1:])
    if command.head == "find":
        yield from _on_each(command)
    if command.head == "ssh":  # what is run on the other side, of which the line tells
        text = command.text.replace("'", " ").replace('"', " ")
        for one in split_commands(" ".join(command.arguments[1:])):
            yield replace(one, text=text)
    raw = tuple(command.text.split())
    # What only runs another program is a program, too: `sudo`, `npx`.
    own = raw.index(command.words[0]) if command.words[0] in raw else 0
    yield from (replace(command, words=raw[number:]) for number in range(own))


def _within(command: Command) -> Command | None:
    """Return the command that one runs in a container, or on each of what it reads."""
    runs = _RUN_WITHIN.match(" ".join(command.words))
    if runs is None:
        return None
    words = command.words[len(runs.group().split()) :]
    if "--" in words:
        return replace(command, words=words[words.index("--") + 1 :])
    while words and words[0][:1] == "-":
        words = words[2 if words[0] in _VALUE_OPTIONS else 1 :]
    inner = words if command.head == "xargs" else words[1:]
    return replace(command, words=inner) if inner else None


def searched_by(command: Command) -> tuple[str, ...]:
    """Return the folders that `find` looks through; what stands behind them are conditions."""
    return tuple(takewhile(lambda word: word[:1] not in ("-", "(", "!"), command.words[1:]))


def _on_each(command: Command) -> Iterator[Command]:
    """Yield what `find` runs, on the folder that it looks through."""
    where = (*searched_by(command), ".")[0]
    for number, word in enumerate(command.words):
        if word in _FOR_EACH:
            given = takewhile(lambda each: each not in (";", "+"), command.words[number + 1 :])
            words = tuple(where if each == "{}" else each for each in given)
            yield replace(command, words=words, text=" ".join(words))


def _scripts_of(command: Command) -> Iterator[str]:
    """Yield the shell lines that a command runs as a shell."""
    if command.head == "eval":
        yield " ".join(command.words[1:])
    if command.head in _SHELLS:
        behind = (script for option, script in pairwise(command.words) if _IS_SCRIPT.match(option))
        yield from (*behind, command.fed)
    if command.head == "ssh":
        yield from (" ".join(command.arguments[1:]), command.fed)


def _substituted(line: str) -> Iterator[str]:
    """Yield what a line has run in the place of a word: `$(...)` and backquotes."""
    opened = [("", 0)]
    for found in _SIGN.finditer(line):
        sign, (top, start) = found.group(), opened[-1]
        if top == "'":
            if sign[-1] == "'":  # a backslash is one in such quotes
                opened.pop()
        elif sign == top or (sign == ")" and top[-1:] == "("):
            opened.pop()
            if top in ("`", "$("):
                yield line[start : found.start()]
        elif sign in ('"', "`", "$(") or (sign in ("'", "(") and top != '"'):
            opened.append((sign, found.end()))

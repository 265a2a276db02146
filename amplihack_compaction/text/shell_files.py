"""Which files a shell line reads and writes.

Clients have their models read and edit through the shell as well as with tools of their own
(Claude Code 2.1.332 tells them so in its auto mode). Read is what is shown; written is what is
typed into a file, edited in place, or saved by a script. What a program writes for itself (a log, a
build) is not meant.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from posixpath import join, normpath

from amplihack_compaction.text.commands import Command, split_commands

_MAY_WRITE = re.compile(r">|\b(?:g?sed|perl|tee|open|write)")
_SHOWS = frozenset(("bat", "cat", "head", "less", "nl", "sed", "tail"))
_SAYS = frozenset(("cat", "echo", "printf"))
_IN_PLACE = re.compile(r"-\w*i(?:$|[.'\"=])|-i|-pi|--in-?place")
_TAKES_SCRIPT = re.compile(r"-\w*[ef]$|--(?:expression|file)$")
_RUNS_SCRIPT = re.compile(r"(?:python|pypy|node|bun|deno|ruby)[\d.]*$")
_GIVES_SCRIPT = ("-c", "-e", "--eval")
_PLAIN = r"[rbu]?[\"'][^\"'\n{}]{1,300}[\"']"
_STRING = r"[rbu]?[\"']([^\"'\n{}]{1,300})[\"']"
_NAME = r"[A-Za-z_]\w{0,60}"
_FILE = rf"\s{{0,20}}(?:{_STRING}|({_NAME}))\s{{0,20}}"
_SCRIPT_CHARS = 20_000
_NAMES_OR_SAVES = re.compile(
    rf"\b(?:(?P<name>{_NAME})\s{{0,20}}=\s{{0,20}}(?:(?:pathlib\.)?Path\(\s{{0,20}})?"
    rf"|for\s{{1,20}}(?P<each>{_NAME})\s{{1,20}}in\s{{1,20}}[\[(]\s{{0,20}})"
    rf"(?P<text>{_PLAIN}(?:,\s{{0,20}}{_PLAIN}){{0,50}})"
    rf"|\bopen\({_FILE},\s{{0,20}}(?:mode\s?=\s?)?[rb]?[\"'](?:[wax]|r\+)"
    rf"|\b(?:write(?:Text)?File(?:Sync)?|Bun\.write|File\.write)\({_FILE},"
    rf"|\b(?:Path\()?{_FILE}\)?\.write_(?:text|bytes)\("
)
# No file's name, or that of one which nobody goes on with.
_NO_FILE = re.compile(r".*[$`*?<>|\n]|/dev/|(?:/private)?(?:/var)?/tmp/|.*\.log$|&|-$", re.DOTALL)
_LONGEST_CHARS = 300


def read_files(line: str) -> tuple[str, ...]:
    """Return the files that a shell line shows, each once, below the folder that it went to."""
    return _paths((at, name) for command, at in _with_folders(line) for name in _read(command))


def written_files(line: str) -> tuple[str, ...]:
    """Return the files that a shell line writes, each once, below the folder that it went to."""
    return _paths(_all_written(line)) if _MAY_WRITE.search(line) else ()


def _with_folders(line: str) -> Iterator[tuple[Command, str]]:
    """Yield the commands of a line, each with the folder that the line went to before."""
    folder = ""
    for command in split_commands(line):
        if command.head in ("cd", "pushd"):
            folder = join(folder, (*command.arguments, "")[0])
        elif command.before != "||":  # or it may not have been run
            yield command, folder


def _paths(named: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    paths = (normpath(join(folder, name)) for folder, name in named if name)
    kept = (path for path in paths if len(path) <= _LONGEST_CHARS and not _NO_FILE.match(path))
    return tuple(dict.fromkeys(kept))


def _read(command: Command) -> Iterable[str]:
    if command.head not in _SHOWS or command.into or command.fed or command.before == "|":
        return ()
    if "/dev/null" in command.text:  # there may be no such file
        return ()
    if command.head == "sed":
        in_place = any(map(_IN_PLACE.match, command.words))
        return () if in_place else _behind_script(command)
    return (word for word in command.arguments if not word.isdigit())


def _all_written(line: str) -> Iterator[tuple[str, str]]:
    is_typed = False
    for command, folder in _with_folders(line):
        goes_on = is_typed and command.before == "|"
        is_typed = goes_on or command.head in _SAYS or command.fed != ""
        yield from ((folder, name) for name in _written(command, is_typed=is_typed))


def _written(command: Command, *, is_typed: bool) -> Iterable[str]:
    if command.head in _SAYS:
        return command.into
    if command.head == "tee" and is_typed:
        return command.arguments
    if command.head in ("sed", "gsed", "perl") and any(map(_IN_PLACE.match, command.words)):
        return _behind_script(command)
    if _RUNS_SCRIPT.match(command.head):
        given = (word for option, word in pairwise(command.words) if option in _GIVES_SCRIPT)
        return _saved_by(next(given, command.fed))
    return ()


def _behind_script(command: Command) -> list[str]:
    """Return the files behind the options, and behind the script where no option gives it."""
    names: list[str] = []
    is_given = takes_value = False
    for word in command.words[1:]:
        if takes_value:
            takes_value = False
        elif word.startswith("-"):
            takes_value = _TAKES_SCRIPT.match(word) is not None
            is_given = is_given or takes_value
        elif word:
            names.append(word)
    return names if is_given else names[1:]


def _saved_by(script: str) -> Iterator[str]:
    """Yield the files that a script writes: named there, or by a name that it was given before."""
    named: dict[str, list[str]] = {}
    for found in _NAMES_OR_SAVES.finditer(script[:_SCRIPT_CHARS]):
        if (name := found["name"] or found["each"]) is not None:
            named[name] = re.findall(_STRING, found["text"])
            continue
        # Each way has a string and a name.
        for path, known in zip(found.groups()[3::2], found.groups()[4::2], strict=True):
            yield from [path] if path else named.get(known or "", ())

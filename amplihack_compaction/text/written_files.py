"""Which files a shell line writes: what it types into them, edits in place, or a script saves.

Models edit files through the shell as well as with the client's own tools. What a program writes
for itself (a log, a build) is not meant.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from posixpath import join, normpath

from amplihack_compaction.text.commands import Command, split_commands

_MAY_WRITE = re.compile(r">|\b(?:g?sed|perl|tee|open|write)")
_SAYS = frozenset(("cat", "echo", "printf"))
_IN_PLACE = re.compile(r"-\w*i(?:$|[.'\"=])|-i|-pi|--in-?place")
_TAKES_SCRIPT = re.compile(r"-\w*[ef]$|--(?:expression|file)$")
_RUNS_SCRIPT = re.compile(r"(?:python|pypy|node|bun|deno|ruby)[\d.]*$")
_GIVES_SCRIPT = ("-c", "-e", "--eval")
_STRING = r"[rbu]?[\"']([^\"'\n{}]{1,300})[\"']"
_FILE = rf"\s{{0,20}}(?:{_STRING}|([A-Za-z_]\w{{0,60}}))\s{{0,20}}"
_SAVES = re.compile(
    rf"\bopen\({_FILE},\s{{0,20}}(?:mode\s?=\s?)?[rb]?[\"'](?:[wax]|r\+)"
    rf"|\b(?:write(?:Text)?File(?:Sync)?|Bun\.write|File\.write)\({_FILE},"
    rf"|\b(?:Path\()?{_FILE}\)?\.write_(?:text|bytes)\("
)
_ASSIGNED = rf"\s{{0,20}}=\s{{0,20}}(?:(?:pathlib\.)?Path\(\s{{0,20}})?{_STRING}"
_EACH_OF = r"\s{1,20}in\s{1,20}[\[(]([^\])]{1,2000})[\])]"
# No file's name, or that of one which nobody goes on with.
_NO_FILE = re.compile(r".*[$`*?<>|\n]|/dev/|(?:/private)?(?:/var)?/tmp/|.*\.log$|&|-$", re.DOTALL)
_LONGEST_CHARS = 300


def written_files(line: str) -> tuple[str, ...]:
    """Return the files that a shell line writes, each once, below the folder that it went to."""
    if not _MAY_WRITE.search(line):
        return ()
    folder, is_typed, found = "", False, dict[str, None]()
    for command in split_commands(line):
        if command.head in ("cd", "pushd"):
            folder = join(folder, (*command.arguments, "")[0])
            continue
        goes_on = is_typed and command.before == "|"
        is_typed = goes_on or command.head in _SAYS or command.fed != ""
        for name in _written(command, is_typed=is_typed):
            path = normpath(join(folder, name)) if name else ""
            if 0 < len(path) <= _LONGEST_CHARS and not _NO_FILE.match(path):
                found[path] = None
    return tuple(found)


def _written(command: Command, *, is_typed: bool) -> Iterator[str]:
    if command.head in _SAYS:
        yield from command.into
    elif command.head == "tee" and is_typed:
        yield from command.arguments
    elif command.head in ("sed", "gsed", "perl") and any(map(_IN_PLACE.match, command.words)):
        yield from _edited_in_place(command)
    elif _RUNS_SCRIPT.match(command.head):
        given = (word for option, word in pairwise(command.words) if option in _GIVES_SCRIPT)
        yield from _saved_by(next(given, command.fed))


def _edited_in_place(command: Command) -> Iterator[str]:
    """Yield the files behind the options, and behind the script where no option gives it."""
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
    yield from names if is_given else names[1:]


def _saved_by(script: str) -> Iterator[str]:
    """Yield the files that a script writes: named there, or by a name that it was given before."""
    for found in _SAVES.finditer(script):
        # Each way has a string and a name.
        path, name = ("".join(filter(None, found.groups()[part::2])) for part in (0, 1))
        if path:
            yield path
            continue
        before = script[: found.start()]
        yield from re.findall(rf"\b{name}{_ASSIGNED}", before)[-1:]
        each = re.search(rf"\bfor\s+{name}{_EACH_OF}", before)
        yield from re.findall(_STRING, each[1]) if each else ()

"""Which files a shell line shows, writes, removes and moves.

Clients have their models read and edit through the shell as well as with tools of their own
(Claude Code 2.1.332 tells them so in its auto mode). Written is what is typed into a file, edited
in place, or saved by a script; what a program writes for itself (a log, a build) is not meant.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache, partial
from itertools import pairwise
from posixpath import join, normpath
from typing import NamedTuple

from amplihack_compaction.text.commands import Command, command_kind, split_commands

READ, WRITTEN, SAVED, REMOVED, MOVED = "read", "written", "saved", "removed", "moved"
_MAY_TOUCH = re.compile(r">|\b(?:bat|cat|g?sed|head|less|mv|nl|open|perl|rm|tail|tee|write)")
_SHOWS = frozenset(("bat", "cat", "head", "less", "nl", "tail"))
_SAYS = frozenset(("cat", "echo", "printf"))
_IN_PLACE = re.compile(r"-\w*i(?:$|[.'\"=])|-i|-pi|--in-?place")
_TAKES_SCRIPT = re.compile(r"-\w*[ef]$|--(?:expression|file)$")
_RUNS_SCRIPT = re.compile(r"(?:python|pypy|node|bun|deno|ruby)[\d.]*$")
_GIVES_SCRIPT = ("-c", "-e", "--eval")
_TAKES_VALUE = re.compile(r"-[tS]|--(?:target|suffix)")
_FILE_NAME = re.compile(r"(?=[^+]).*[./]|[A-Z]")
_PLAIN = r"[rbu]?[\"'][^\"'\n{}]{1,300}[\"']"
_STRING = r"[rbu]?[\"']([^\"'\n{}]{1,300})[\"']"
_NAME = r"[A-Za-z_]\w{0,60}"
_FILE = rf"\s{{0,20}}(?:{_STRING}|({_NAME}))\s{{0,20}}"
_SCRIPT_CHARS = 20_000
# A text that a script writes, or says to who reads it, is not its own.
_NO_PYTHON = re.compile(r"'''.*?'''|\"\"\".*?\"\"\"|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE)
_NO_SCRIPT = re.compile(r"`[^`]*`|^[ \t]*(?://|#)[^\n]*", re.MULTILINE)
_NAMES_OR_SAVES = re.compile(
    rf"\b(?:(?P<name>{_NAME})\s{{0,20}}=\s{{0,20}}(?:(?:pathlib\.)?Path\(\s{{0,20}})?"
    rf"|for\s{{1,20}}(?P<each>{_NAME})\s{{1,20}}in\s{{1,20}}[\[(]\s{{0,20}})"
    rf"(?P<text>{_PLAIN}(?:,\s{{0,20}}{_PLAIN}){{0,50}})"
    rf"|\bopen\({_FILE},\s{{0,20}}(?:mode\s?=\s?)?[rb]?[\"'](?:[wax]|r\+)"
    rf"|\b(?:write(?:Text)?File(?:Sync)?|Bun\.write|File\.write)\({_FILE},"
    rf"|\b(?:Path\()?{_FILE}\)?\.write_(?:text|bytes)\("
)
# No file's name, or that of one which nobody goes on with.
# The client's folder for a session's scripts lies below `/tmp`, too.
_NO_FILE = re.compile(
    r".*[$`*?<>|\n]|/dev/|(?:/private)?(?:/var)?/tmp/(?!claude-\d{1,9}/.{1,300}/scratchpad/)"
    r"|.*\.log$|&|-$",
    re.DOTALL,
)
_NO_TARGET = re.compile(r"[$*?{~]|(?:^|/)\.\.")
_LONGEST_CHARS = 300
_ASSIGNED = re.compile(
    r"(?:^|[;&\n])[ \t]{0,9}(?:export )?([A-Za-z_]\w{0,60})="
    r"(\"[^\"$`\n]{1,300}\"|'[^'\n]{1,300}'|[^\s;&|\"'$`()<>]{1,300})(?=[ \t]{0,9}(?:$|[;&\n]))"
)
_FOR_ONE = re.compile(r"\bfor ([A-Za-z_]\w{0,60}) in ([^\s;&|$`]{1,300});")
# What sets a variable to more than plain words: a loop, a prompt, another command's output.
_MAY_ASSIGN = re.compile(
    r"\b(?:read(?: -\w{1,9}){0,3}|for(?! \w{1,60} in [^\s;&|$`]{1,300};)) ([A-Za-z_]\w{0,60})"
    r"|\b([A-Za-z_]\w{0,60})\+?=(?=[\"]?[$`])|\b(?:then|else|do) ([A-Za-z_]\w{0,60})="
)
_VARIABLE = re.compile(r"\$(?:\{(\w{1,60})\}|(\w{1,60}))")
_NESTED_VARIABLES = 2
_GOES = frozenset(("cd", "pushd", "popd"))
_KEPT_LINES = 256


class FileEvent(NamedTuple):
    """What a command did to a file: read, written, saved (by a script), removed, or moved.

    Paths are as they were typed, below the folder that the line had gone to; `target` is where it
    was moved to, empty where that is unknown. `is_sure`: it was run also where the line failed;
    `is_before_check`: also where a check of the line failed.
    """

    kind: str
    path: str
    target: str = ""
    is_sure: bool = False
    is_before_check: bool = False


@lru_cache(maxsize=_KEPT_LINES)
def file_events(line: str) -> tuple[FileEvent, ...]:
    """Return what a shell line did to files, in order."""
    return tuple(_events(line)) if _MAY_TOUCH.search(line) else ()


def written_files(line: str) -> tuple[str, ...]:
    """Return the files that a shell line writes, each once."""
    written = (each.path for each in file_events(line) if each.kind in (WRITTEN, SAVED))
    return tuple(dict.fromkeys(written))


def edits_in_place(command: Command) -> bool:
    """Return whether a command writes into the files that it is given: `sed -i`, `perl -pi`."""
    return command.head in ("sed", "gsed", "perl") and any(map(_IN_PLACE.match, command.words))


def _events(line: str) -> Iterator[FileEvent]:
    is_typed = False
    # What stands behind `||` may not have been run.
    placed = [
        each
        for each in with_folders(with_variables(line))
        if each[0].head not in _GOES and each[0].before != "||"
    ]
    last = max((n for n, each in enumerate(placed) if each[0].before != "|"), default=0)
    checked = max((n for n, each in enumerate(placed) if command_kind(each[0])), default=0)
    for number, (command, folder, is_sure) in enumerate(placed):
        goes_on = is_typed and command.before == "|"
        is_typed = goes_on or command.head in _SAYS or command.fed != ""
        for kind, name, target, *_ in (*_gone(command), *_touched(command, is_typed=is_typed)):
            path, to = (normpath(join(folder, each)) if each else "" for each in (name, target))
            is_file = 0 < len(path) <= _LONGEST_CHARS and not _NO_FILE.match(path)
            if kind == READ and (command.before, command.after) == ("&&", "||"):
                continue  # `[ -f FILE ] && cat FILE || echo none`
            to = "" if _NO_FILE.match(to) else to
            if path and (is_file or kind in (REMOVED, MOVED)):
                yield FileEvent(kind, path, to, is_sure and number < last, number < checked)


def with_variables(line: str) -> str:
    """Return a line with what it sets to plain words itself in the place of their names."""
    for _ in range(_NESTED_VARIABLES if "$" in line and ("=" in line or "for " in line) else 0):
        values: dict[str, set[str]] = {}
        for name, value in _ASSIGNED.findall(line):
            values.setdefault(name, set()).add(value.strip("\"'"))
        for name, value in _FOR_ONE.findall(line):
            values.setdefault(name, set()).add(value)
        for name in {"".join(found) for found in _MAY_ASSIGN.findall(line)}:
            if name in values:
                values[name].add("")
        told = _VARIABLE.sub(partial(_value_of, values), line)
        line = told if len(told) <= max(_SCRIPT_CHARS, len(line)) else line
    return line


def _value_of(values: Mapping[str, Set[str]], used: re.Match[str]) -> str:
    """Return the one value of a variable that is used; its name where there is none or several."""
    told = values.get(used[1] or used[2], frozenset())
    return next(iter(told)) if len(told) == 1 else used[0]


def with_folders(line: str) -> Iterator[tuple[Command, str, bool]]:
    """Yield the commands of a line, each with the folder that the line had gone to.

    And whether it was run also where the line failed: what stands behind `&&` may not have been,
    but for `cd` and `mkdir`.
    """
    folder, before = "", ""
    shells: list[str] = []
    pushed: list[str] = []
    is_sure = True
    for command in split_commands(line):
        if command.before == "(":
            shells.append(folder)
        is_sure = is_sure if command.before in ("&&", "|", "|&") else command.before != "||"
        yield command, folder, is_sure
        if command.head in ("cd", "pushd"):
            pushed += [folder] * (command.head == "pushd")
            back = command.words[1:2] == ("-",)
            to = before if back else join(folder, (*command.arguments, "~")[0])
            folder, before = to, folder
        elif command.head == "popd":
            folder, before = pushed.pop() if pushed else "", folder
        elif command.before != "||":
            is_sure = is_sure and (command.after in ("|", "|&") or command.head == "mkdir")
        if command.after == ")" and shells:
            folder = shells.pop()


def _gone(command: Command) -> Iterator[FileEvent]:
    """Yield what a command removed or moved."""
    verb, *words = command.words[command.head == "git" :] or ("",)
    if command.head == "git" and not {"-n", "--dry-run", "--cached"}.isdisjoint(words):
        return
    paths = [word for word in words if not word.startswith("-")]
    if verb == "rm" or (verb == "mv" and any(map(_TAKES_VALUE.match, words))):
        yield from (FileEvent(REMOVED, path) for path in paths)
    elif verb == "mv":
        yield from (FileEvent(MOVED, path, _target(path, paths)) for path in paths[:-1])


def _target(path: str, paths: list[str]) -> str:
    """Return where one of the paths of an `mv` goes: the last one, or below it; empty in doubt.

    A last one without a suffix may be a folder or a new name.
    """
    name, last = path.rpartition("/")[2], paths[-1]
    if not last or _NO_TARGET.search(last):
        return ""
    if len(paths) > 2 or last.endswith("/") or last == ".":
        return name if last in (".", "./") else f"{last.rstrip('/')}/{name}"
    return last if "." in last.rpartition("/")[2] or "." not in name else ""


def _touched(command: Command, *, is_typed: bool) -> Iterator[FileEvent]:
    yield from (FileEvent(READ, name) for name in _read(command))
    yield from (FileEvent(WRITTEN, name) for name in _written(command, is_typed=is_typed))
    if _RUNS_SCRIPT.match(command.head):
        given = (word for option, word in pairwise(command.words) if option in _GIVES_SCRIPT)
        script = next(given, command.fed).replace('\\"', '"')[:_SCRIPT_CHARS]
        foreign = _NO_PYTHON if command.head.startswith("py") else _NO_SCRIPT
        yield from (FileEvent(SAVED, name) for name in _saved_by(foreign.sub("''", script)))


def _read(command: Command) -> Iterable[str]:
    # With its errors thrown away there may be no such file.
    if command.into or command.fed or command.before == "|" or "/dev/null" in command.text:
        return ()
    if command.head == "sed":
        return () if edits_in_place(command) else behind_script(command)
    names = command.arguments if command.head in _SHOWS else ()
    return (name for name in names if _FILE_NAME.match(name))


def _written(command: Command, *, is_typed: bool) -> Iterable[str]:
    if command.head in _SAYS:
        return command.into
    if command.head == "tee" and is_typed:
        return command.arguments
    if edits_in_place(command):
        return behind_script(command)
    return ()


def behind_script(command: Command) -> list[str]:
    """Return the files behind the options, and behind the script where no option gives it."""
    names: list[str] = []
    is_given = takes_value = False
    for word in command.words[1:]:
        if takes_value:
            takes_value = False
        elif word.startswith("-"):
            takes_value = _TAKES_SCRIPT.match(word) is not None
            is_given = is_given or takes_value or word.startswith("--expression=")
        elif word:
            names.append(word)
    return names if is_given else names[1:]


def _saved_by(script: str) -> Iterator[str]:
    """Yield the files that a script writes: named there, or by a name that it was given before."""
    named: dict[str, list[str]] = {}
    for found in _NAMES_OR_SAVES.finditer(script):
        if (name := found["name"] or found["each"]) is not None:
            named[name] = re.findall(_STRING, found["text"])
            continue
        # Each way has a string and a name.
        for path, known in zip(found.groups()[3::2], found.groups()[4::2], strict=True):
            yield from [path] if path else named.get(known or "", ())

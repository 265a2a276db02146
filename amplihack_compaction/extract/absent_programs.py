"""Find programs that a shell did not know by their names, and what they were run as since."""

import re
from collections.abc import Collection, Iterator

from amplihack_compaction.extract.statements import FailedApproach
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.commands import Command, split_commands
from amplihack_compaction.text.words import one_line
from amplihack_compaction.transcript.session import TranscriptStep, bash_command

NOT_FOUND = ": command not found"
_NAME = r"[\w.+-]{2,40}"
_NOT_FOUND = re.compile(
    rf"command not found: ({_NAME})$|\b({_NAME}): (?:command )?not found$"
    rf"|'({_NAME})' is not recognized\b",
    re.MULTILINE,
)
# A longer output holds other programs' words.
_OUTPUT_CHARS = 3_000
_WAY_CHARS = 120
_IN_A_LOOP = re.compile(r"^(?:(?:do|then|else|if|while|until|!)\s+)+")
_ACTIVATES = re.compile(r"(?:source|\.) \S*activate\b")


def extract_absent(content: WindowContent, everywhere: Collection[str]) -> Iterator[FailedApproach]:
    """Yield the programs that were not found and run in another way since: by path, by a runner.

    One that runs by its name later was installed, and is none; nor is what is `everywhere`, which
    a line missed that broke its own PATH.
    """
    absent: dict[str, TranscriptStep] = {}
    ways: dict[str, tuple[str, TranscriptStep]] = {}
    for step, tool in content.uses:
        line, result = bash_command(tool), tool.result
        if result is None:
            continue
        for found in _NOT_FOUND.finditer(result.text[:_OUTPUT_CHARS]):
            name = next(filter(None, found.groups()))
            if name in line and name not in {*ways, *everywhere}:
                absent[name] = step
        tried = [name for name, at in absent.items() if at is not step and not result.is_error]
        for name in tried:
            way = _way_of(name, line)
            if way == name:
                del absent[name]
                ways.pop(name, None)
            elif way:
                ways[name] = way, step
    for name, (way, step) in ways.items():
        reason = f"ran since as `{one_line(way, _WAY_CHARS)}`"
        yield FailedApproach(text=f"`{name}`{NOT_FOUND}", **step.place, reason=reason)


def _way_of(name: str, line: str) -> str:
    """Return how a line runs a program, its name where it does so plainly; else empty."""
    for command in split_commands(line):
        if "/dev/null" in command.text:  # that only asks whether it is there
            continue
        if command.head in (name, f"{name}3", f"{name}.exe"):
            return _before_arguments(command, line)
        named = rf"[\\/]{re.escape(name)}(?:\.exe)?"
        path = re.search(
            rf"(?<=['\"])[^'\"&]*{named}(?=['\"])|[^\s'\"&]*{named}(?=\s|$)", command.text
        )
        if path:
            return path[0]
    return ""


def _before_arguments(command: Command, line: str) -> str:
    first = command.words[0]
    way = command.text[: command.text.find(first) + len(first)].strip("'\"")
    way = _IN_A_LOOP.sub("", way)
    activated = _ACTIVATES.search(line)
    return f"{activated[0]} && {way}" if activated and way == first else way

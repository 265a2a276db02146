"""Which lines a machine wrote (logs, traces, code, data, tables), and which are prose."""

import re

_LOG = (
    r"\W{0,3}\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d"
    r"|\W{0,3}\d\d:\d\d:\d\d\b"
    r"|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d"
    r"|\s*\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|SEVERE)\]?[\s:|]"
    r"|\s*\[(?:info|warn|warning|error|debug|notice|\d+/\d+|[\d.]+ms)\]"
    r"|\s*(?:npm (?:ERR!|WARN|notice)|error\[E\d+\]|(?:warning|error|fatal|remote|hint|note):\s\S)"
    r"|\S{1,200}\.\w{1,5}:\d+(?::\d+)?[:\s)]"
    r"|\S{1,200}\.\w{1,5}\(\d+(?:,\d+)?\):"
)
_TRACE = (
    r"\s*Traceback \(most"
    r"|\s*File \"[^\"]{1,300}\", line \d"
    r"|\s*at [\w$.<>/@-]{1,200} ?\("
    r"|\s+at \S"
    r"|\s*(?:Caused by:|\.\.\. \d+ more|panic:|goroutine \d|thread '|Stack trace:)"
    r"|\s*(?:Uncaught )?[\w.]{0,100}(?:Error|Exception|Warning)(?::|\s*$)"
)
_SHELL = (
    r"\s*\$ \S|>>> |PS [A-Z]:\\|[\w.-]{1,60}@[\w.-]{1,60}[: ~][^$#%]{0,100}[$#%] "
    r"|\s*[❯➜→] +(?:git|npm|pnpm|yarn|cargo|make|python3?|pip|ls|cd|cat|docker|go|node)\b"
    r"|total \d+$|[d-][rwx-]{9}[ @+.]"
)
_DIFF = r"diff --git |index [0-9a-f]{6,}\.\.|@@ -|\+\+\+ |--- (?:[ab]/|/)"
_DATA = (
    r"\s*[{\[]\s*(?:[\"'{\[]|$)|\s*[}\])]+[;,]*\s*$|\s*\"[^\"]{1,80}\"\s*:\s"
    r"|\s*</?[a-zA-Z!?][^>]{0,300}>.*>\s*$|\s*</?[a-zA-Z!?][^<>]{0,300}/?>\s*$"
)
_TABLE = r"\s*\|.*\|\s*$|\s*[-=+| :_*]{5,}$|\s*[│┃┌┐└┘├┤┬┴┼─━═║╔╗╚╝╠╣▏▕⎿⏺✻╭╰╮╯]"
_CODE = (
    r"\s*(?:import [\w.{*, }]{1,120}(?: as \w+| from .{1,120})?;?$|from [\w.]+ import "
    r"|(?:async )?def \w+\(|class \w+\s*[(:{]|(?:export )?(?:default )?(?:async )?function\b.{0,"
    r"80}\("
    r"|(?:export )?(?:const|let|var)\s+[\w{\[]|#include\b|#!|if \(.{1,200}\) ?\{|(?:for|while) \("
    r"|(?:public|private|protected|static|final|func|fn|impl|struct|enum|interface|type)\b"
    r"[^.!?]{0,160}[({;=]\s*(?://.*)?\S{0,60}$|@\w+\(|//\s|/\*|\*/|\* @|<!--"
    r"|return\b.{0,120};$|[\w.]{1,80}\([^()]{0,200}\);?$|[\w.\[\]\"']{1,80} ?[:+-]?= ?.{1,200};$"
    r"|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP) [A-Z*\w].{0,200};?$"
    r"|\d+\s{0,4}[→│|\t]|\d{1,5}\s{2,4}[-+ ]\s)"
)
_CHECKS = (
    r"\s*(?:[✓✔✗✘×√●○]\s|(?:PASS|FAIL|PASSED|FAILED|SKIPPED|XFAIL)\s|(?:not )?ok \d|=== "
    r"|--- (?:PASS|FAIL)|={3,} .{0,100}={3,}$|Tests?:\s+\d|collected \d|Ran \d+ tests?)"
)
_QUOTE = r"\s{0,3}>(?:\s|>|$)"
_MACHINE = re.compile(
    "|".join((_LOG, _TRACE, _SHELL, _DIFF, _DATA, _TABLE, _CODE, _CHECKS, _QUOTE))
)
_DIFF_START = re.compile(r"diff --git |@@ -")
_DIFF_BODY = re.compile(r"[-+ @]|index |diff |\\ No newline")
_SETTING = re.compile(
    r"\s*(?:[a-z_\"'][\w.\"'-]{0,40}|[A-Z][A-Z0-9_]+)\s*[:=]\s*\S{0,60}(?: \S{1,30}){0,2}$"
)
_LIST_ITEM = re.compile(
    r"\s*(?:[-*+•‣▪◦·–—]|\(?\d{1,3}[.)、]|\(?[a-hA-H]\)|[a-h]\.|\[[ xX]\])\s+\S"
)
# A machine line is judged by its head; prose longer than this on one line is prose.
_HEAD_CHARS = 600
_SETTINGS_IN_A_ROW = 3


def is_machine_line(line: str) -> bool:
    """Return whether one line looks written by a program or in a programming language."""
    return _MACHINE.match(line[:_HEAD_CHARS]) is not None


def is_list_item(line: str) -> bool:
    """Return whether a line is a bullet or a numbered item."""
    return _LIST_ITEM.match(line) is not None


def machine_lines(lines: list[str]) -> list[bool]:
    """Return for each line whether it is machine text, judged with its neighbours."""
    marks = [is_machine_line(line) for line in lines]
    _mark_diffs(lines, marks)
    _mark_indented(lines, marks)
    _mark_settings(lines, marks)
    _mark_between(lines, marks)
    return marks


def _mark_diffs(lines: list[str], marks: list[bool]) -> None:
    inside = False
    for number, line in enumerate(lines):
        if _DIFF_START.match(line):
            inside = True
        elif inside and _DIFF_BODY.match(line):
            marks[number] = True
        else:
            inside = False


def _mark_indented(lines: list[str], marks: list[bool]) -> None:
    """Mark deeply indented lines, two in a row or below code, that do not carry on a list."""
    run: list[int] = []
    above = ""
    for number, line in enumerate([*lines, ""]):
        indented = line.startswith(("    ", "\t")) and line.strip() != "" and not is_list_item(line)
        if indented and (run or not is_list_item(above)):
            run.append(number)
            continue
        if len(run) > 1 or (run and run[0] and marks[run[0] - 1]):
            for place in run:
                marks[place] = True
        run = []
        above = line if line.strip() and not indented else above


def _mark_settings(lines: list[str], marks: list[bool]) -> None:
    run: list[int] = []
    for number, line in enumerate([*lines, ""]):
        if line.strip() and _SETTING.match(line[:200]) and not is_list_item(line):
            run.append(number)
            continue
        if len(run) >= _SETTINGS_IN_A_ROW:
            for place in run:
                marks[place] = True
        run = []


def _mark_between(lines: list[str], marks: list[bool]) -> None:
    """Mark one or two lines of prose that stand, without a gap, between machine lines."""
    for number in range(1, len(lines) - 1):
        if marks[number] or not lines[number].strip() or not marks[number - 1]:
            continue
        after = marks[number + 1 : number + 3]
        blank = not lines[number + 1].strip()
        if not blank and any(after) and not is_list_item(lines[number]):
            marks[number] = True

"""How a check went: by its exit status where that is its own, else by what it wrote."""

import re
from functools import lru_cache

from amplihack_compaction.text.shell.commands import Command
from amplihack_compaction.transcript.nodes import ToolUse

_CACHED_OUTPUTS = 64

ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
"""A terminal's colours, in the output of a command."""
# A summary's counts decide before any single line does: "✗ Failed: 0" is a success.
_COUNT = re.compile(
    r"\b(\d{1,6})(?: [\w()/-]{1,20})? (?:failed|failures?|failing|errors?|problems?)\b"
    r"|\b(?:failed|failures|errors)[ \t]*[:=][ \t]*(\d{1,6})\b",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"^[ \t]*(?:(?:FAIL(?:ED|URE)?|ERROR|--- FAIL|✖|✗|✘|×|❌|not ok)[\s:!]|E {3}\S)"
    r"|\bFAILED\b|^[ \t]*(?:\w{1,40}\.){0,6}(?:error|fatal|panic|\w{0,40}Error)(?:\[\w+\])?:"
    r"|: error(?: \w{1,20})?:|\berror TS\d|npm (?:ERR!|error)|ELIFECYCLE|^make: \*\*\*"
    r"|^Traceback \(most|Command failed|exited with (?:code|status) [1-9]|Segmentation fault"
    r"|would reformat",
    re.MULTILINE,
)
_PASSED = re.compile(
    r"\b[1-9]\d* (?:tests? )?(?:passed|passing|ok|successes)\b|\bpassed[ \t]*[:=][ \t]*[1-9]"
    r"|^ok\s|^PASS\b|^OK\b|test result: ok|BUILD SUCCESS|Build succeeded|All checks passed"
    r"|no issues found|Success: no|compiled successfully|✓ built|built in \d|Finished `?\w+"
    r"|\ball [\w ]{0,30}tests? pass|All matched files use|would be left unchanged"
    r"|files? already formatted",
    re.MULTILINE | re.IGNORECASE,
)
_STATUS = re.compile(
    r"\b(?:exit(?:ed)?(?:[ _-]?(?:code|status))?|rc|ret|status)[ \t]*[:=][ \t]*(\d{1,3})\b", re.I
)
_NOT_RUN = re.compile(
    r"command not found|: not found$|No such file or directory|Exit code 12[67]\b"
    r"|Missing script|could not find|running in (?:the )?background with ID",
    re.MULTILINE,
)


@lru_cache(maxsize=_CACHED_OUTPUTS)
def _told(text: str) -> tuple[bool, str, bool, bool]:
    """Return whether an output says that nothing ran, its exit status, and its outcome.

    One command line can hold hundreds of checks with one output.
    """
    output = ANSI.sub("", text)
    failed, passed = read_outcome(output)
    not_run = _NOT_RUN.search(output) is not None and _PASSED.search(output) is None
    status = _STATUS.search(output)
    return not_run, status.group(1) if status else "", failed, passed


def outcome_of(tool: ToolUse, commands: tuple[Command, ...], place: int, kinds: int) -> bool | None:
    """Return whether the check at a place of a command line passed; None when nothing tells.

    The exit code tells where it is the check's own; `kinds` is how many checks the line has.
    """
    result = tool.result
    if result is None or tool.input.get("run_in_background") is True:
        return None
    not_run, status, failed, passed = _told(result.text)
    if not_run:
        return None
    after = [command.before for command in commands[place + 1 :]]
    if after and status and kinds == 1 and not result.is_error:
        return status == "0"
    if result.is_error:
        return _of_failed_line(after, kinds, failed, passed)
    if all(operator == "&&" for operator in after):
        return True
    if failed:
        return False
    return True if passed else None


def read_outcome(output: str) -> tuple[bool, bool]:
    """Return whether an output shows failures, and whether it shows success."""
    counts = [int(found.group(1) or found.group(2)) for found in _COUNT.finditer(output)]
    if counts:
        return any(counts), not any(counts)
    return _FAILED.search(output) is not None, _PASSED.search(output) is not None


def _of_failed_line(after: list[str], checks: int, failed: bool, passed: bool) -> bool | None:
    """Judge a check of a line that failed as a whole: a later command may be the one."""
    if checks > 1:
        return None
    if all(operator in ("|", "|&") for operator in after):
        return False
    return None if failed == passed else passed

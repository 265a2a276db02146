"""Which command a trouble was told of, so that the same command's success settles it.

Checks of tests, build and lint are known by what they cover (`work.verify`). Any other command,
such as a deployment, is known by its own words alone.
"""

import re
from functools import lru_cache

from amplihack_compaction.extract.model import Item
from amplihack_compaction.text.shell.check_commands import command_kind
from amplihack_compaction.text.shell.commands import Command, split_commands
from amplihack_compaction.text.strings import one_line
from amplihack_compaction.transcript.nodes import ToolUse
from amplihack_compaction.transcript.steps import bash_command, was_refused, window_steps
from amplihack_compaction.transcript.windows import Window

_COMMAND_CHARS = 160
_NEWEST_COMMANDS = 200
_CACHED_LINES = 2048
_TELLING = ("", "&&")
# Programs that only look, prepare or shorten an output: their failure is no trouble of its own.
_ASIDES = frozenset(
    "cd echo printf tail head grep rg egrep ls cat less find test [ [[ sleep export set source ."
    " tee wc sort uniq cut awk sed diff cmp which type true false pwd mkdir rm cp mv touch".split()
)
# What begins with such words was told beside the trouble that a command had.
_BESIDE = re.compile(
    r"\W*(?:also|separately|besides|apart from|in addition|another|the other|unrelated\w*|btw"
    r"|by the way|aside|independent\w*|meanwhile|außerdem|davon unabhängig|par ailleurs|en outre"
    r"|aparte|además|além disso|кроме того|另外|なお|また|그리고|또한)(?!\w)",
    re.IGNORECASE,
)


def run_by(tool: ToolUse) -> str:
    """Return the command that a tool use ran, in short; empty for a known check and for asides."""
    line = bash_command(tool)
    return "" if not line or was_refused(tool) else _in_short(line)


def succeeded_by(tool: ToolUse) -> str:
    """Return the command that a tool use ran with success, as far as its exit code tells."""
    ran = run_by(tool) if tool.succeeded else ""
    # A pipe, a semicolon and `|| true` hide how a command ended.
    told = ran and all(command.after in _TELLING for command in _main(bash_command(tool)))
    return ran if told else ""


@lru_cache(maxsize=_CACHED_LINES)
def _in_short(line: str) -> str:
    if any(command_kind(command) for command in split_commands(line)):
        return ""
    return one_line(" && ".join(" ".join(command.words) for command in _main(line)), _COMMAND_CHARS)


def _main(line: str) -> list[Command]:
    return [command for command in split_commands(line) if command.head not in _ASIDES]


def tells_beside(sentence: str) -> bool:
    """Return whether a sentence goes on to something else than the command that failed."""
    return _BESIDE.match(sentence) is not None


def extract_succeeded(window: Window) -> tuple[Item, ...]:
    """Return the newest commands of the window that succeeded and are no known checks.

    They are read off the calls: without an entry's id, for nothing rests on what these showed.
    """
    newest: dict[str, Item] = {}
    for step in window_steps(window):
        if step.tool is not None and (ran := succeeded_by(step.tool)):
            newest.pop(ran, None)
            newest[ran] = Item(text=ran, offset=step.offset, window=step.window)
    return tuple(newest.values())[-_NEWEST_COMMANDS:]

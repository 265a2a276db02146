"""Run the command line: `amplihack-compaction`, or `python -m amplihack_compaction`.

A last argument `-` stands for the words on standard input, if there are any: so a slash command
hands over what the user typed, with quotation marks and all that a shell would act on, unharmed.
After an option that names a file to write it is that option's own: standard output.
"""

import io
import os
import sys

_LIMIT_CHARS = 64 * 1024
_OPTIONS_WITH_A_DASH = ("--out", "--output", "-o")


_INTERRUPTED = 130
"""The exit code of what Ctrl-C ended, as the shell has it."""


def main() -> None:
    """Run the command line; Ctrl-C ends it at any time, also while it is loaded."""
    _fill_closed_streams()
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


def _fill_closed_streams() -> None:
    """Have nothing where standard input, output or error was closed.

    Else the next file that is opened takes its number, the store's perhaps, and what is printed by
    programs that are started goes there.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


def _run() -> None:
    """Run the command that was named; `statusline`, called all the time, loads no framework."""
    if sys.argv[1:2] == ["statusline"] and sys.argv[2:] and sys.argv[2].startswith("--beside="):
        sys.argv[2:3] = sys.argv[2].split("=", 1)
    given = sys.argv[1:]
    if given == ["statusline"] or (given[:2] == ["statusline", "--beside"] and len(given) > 2):
        from amplihack_compaction.cli.commands.statusline import print_status_line as run
    else:
        from amplihack_compaction.cli.app import run_command_line as run

        if sys.argv[-1:] == ["-"] and sys.argv[-2] not in _OPTIONS_WITH_A_DASH:
            sys.argv[-1:] = _words_from_stdin()
    run()


def _words_from_stdin() -> list[str]:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    words = sys.stdin.read(_LIMIT_CHARS).split()
    return ["--", *words] if words else []  # they may begin with a dash


if __name__ == "__main__":
    main()

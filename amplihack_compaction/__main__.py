"""Run the command line: `amplihack-compaction`, or `python -m amplihack_compaction`.

A last argument `-` stands for the words on standard input, if there are any: so a slash command
hands over what the user typed, with quotation marks and all that a shell would act on, unharmed.
After `--out` it is that option's own, and stands for standard output.
"""

import sys

_LIMIT_CHARS = 64 * 1024
_OPTIONS_WITH_A_DASH = ("--out", "-o")


def main() -> None:
    """Run the command that was named; `statusline`, called all the time, loads no framework."""
    if sys.argv[1:] == ["statusline"]:
        from amplihack_compaction.context_commands.statusline import main as run
    else:
        from amplihack_compaction.cli.app import main as run

        if sys.argv[-1:] == ["-"] and sys.argv[-2] not in _OPTIONS_WITH_A_DASH:
            sys.argv[-1:] = _words_from_stdin()
    run()


def _words_from_stdin() -> list[str]:
    words = sys.stdin.read(_LIMIT_CHARS).split()
    return ["--", *words] if words else []  # they may begin with a dash


if __name__ == "__main__":
    main()

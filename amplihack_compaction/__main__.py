"""Run the command line: `amplihack-compaction`, or `python -m amplihack_compaction`.

A last argument `-` stands for the text on standard input, as one argument, or for none where that
is empty: so a slash command hands over words that hold quotation marks, or nothing, unharmed.
"""

import sys

_LIMIT_CHARS = 64 * 1024


def main() -> None:
    """Run the command that was named; `statusline`, called all the time, loads no framework."""
    if sys.argv[1:] == ["statusline"]:
        from amplihack_compaction.session_commands.statusline import main as run
    else:
        from amplihack_compaction.cli.app import main as run

        if sys.argv[-1:] == ["-"]:
            sys.argv[-1:] = _argument_from_stdin()
    run()


def _argument_from_stdin() -> list[str]:
    text = sys.stdin.read(_LIMIT_CHARS).strip()
    return ["--", text] if text else []  # words may begin with a dash


if __name__ == "__main__":
    main()

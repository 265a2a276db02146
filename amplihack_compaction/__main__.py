"""Run the command line: `amplihack-compaction`, or `python -m amplihack_compaction`."""

import sys


def main() -> None:
    """Run the command that was named; `statusline`, called all the time, loads no framework."""
    if sys.argv[1:] == ["statusline"]:
        from amplihack_compaction.session_commands.statusline import main as run
    else:
        from amplihack_compaction.cli.app import main as run
    run()


if __name__ == "__main__":
    main()

"""Run the command line with `python -m amplihack_compaction`."""

from amplihack_compaction.cli.app import main

if __name__ == "__main__":
    main()

"""Print what an installation installed, from pip's report of it: versions, and hashes of files.

    python .ci/lock.py REPORT

The package itself is left out. A line is a requirement that pip takes with `--require-hashes`.
"""

import json
import sys
from pathlib import Path


def main() -> None:
    """Print one line for each distribution, by name."""
    report = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    lines = []
    for installed in report["install"]:
        name, version = installed["metadata"]["name"], installed["metadata"]["version"]
        if name == "amplihack-compaction":
            continue
        hashes = installed["download_info"]["archive_info"]["hashes"]
        lines.append(f"{name.lower()}=={version} --hash=sha256:{hashes['sha256']}")
    sys.stdout.write("\n".join(sorted(lines)) + "\n")


if __name__ == "__main__":
    main()

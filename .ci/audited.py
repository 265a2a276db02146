"""Tell whether an audit looked at everything that is locked, and whether it knows anything.

    python .ci/audited.py LOCK AUDIT

`pip-audit` counts what its database could not be asked about as skipped, and is content: here that
is no audit. Exit code 0 for nothing known, 1 for something, 2 where anything was not looked at.
"""

import json
import sys
from pathlib import Path


def main() -> int:
    """Compare the audit with the lock, and say what is missing or known."""
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    locked = {line.partition("==")[0] for line in lines if line}
    try:
        audit = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        audit = {"dependencies": []}
    looked_at = {each["name"] for each in audit["dependencies"] if "skip_reason" not in each}
    missing = sorted(locked - looked_at)
    if missing or not locked:
        names = ", ".join(missing[:5])
        sys.stderr.write(
            f"NOT AUDITED: the database was not asked about {len(missing)} of {len(locked)} parts"
            f" ({names}...); nothing is released\n"
        )
        return 2
    known = [each for each in audit["dependencies"] if each.get("vulns")]
    for each in known:
        ids = ", ".join(found["id"] for found in each["vulns"])
        sys.stderr.write(f"{each['name']} {each['version']}: {ids}\n")
    return int(bool(known))


if __name__ == "__main__":
    sys.exit(main())

"""Measure commands as processes, in turn, and print CPU seconds and peak memory of each run.

Runs as a small process of its own: a child's peak memory, as the kernel counts it, begins with
what its parent had when it forked. Standard input: JSON {"commands": [{"argv", "stdin", "env"}],
"rounds": n}. Standard output: JSON, per command a list of [CPU seconds, peak KiB].
"""

import json
import os
import sys
from typing import Any


def run_once(command: dict[str, Any]) -> tuple[float, int]:
    """Run one command to its end; raise when it fails or writes to stderr."""
    stdin = os.open(command["stdin"], os.O_RDONLY)
    out, err = os.memfd_create("out"), os.memfd_create("err")
    actions = [(os.POSIX_SPAWN_DUP2, stdin, 0), (os.POSIX_SPAWN_DUP2, out, 1),
               (os.POSIX_SPAWN_DUP2, err, 2)]  # fmt: skip
    argv = command["argv"]
    pid = os.posix_spawn(argv[0], argv, command["env"], file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    complaint = os.pread(err, 4000, 0)
    for descriptor in (stdin, out, err):
        os.close(descriptor)
    if status or complaint:
        raise SystemExit(f"{argv}: status {status}: {complaint.decode()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main() -> None:
    """Measure the commands that standard input names."""
    order = json.load(sys.stdin)
    commands = order["commands"]
    results: list[list[tuple[float, int]]] = [[] for _ in commands]
    for _ in range(order["rounds"]):
        for command, result in zip(commands, results, strict=True):
            for before in command.get("before", []):
                if os.path.exists(before):
                    os.unlink(before)
            result.append(run_once(command))
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()

"""Run the hook scripts of the checkout as the client runs them: as processes."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from amplihack_compaction.clients.claude_code.wiring.launchers import launcher_text
from amplihack_compaction.hook.run import run

CHECKOUT = Path(__file__).parents[2]
SAMPLES = {
    "PreToolUse": "PreToolUse.Bash",
    "UserPromptSubmit": "UserPromptSubmit",
    "PreCompact": "PreCompact.auto",
    "SessionStart": "SessionStart.compact",
    "PostCompact": "PostCompact.auto",
    "Stop": "Stop",
    "SessionEnd": "SessionEnd.other",
    "Store": "Stop",
}
"""The captured payload that each hook is tried with."""


@dataclass(frozen=True)
class Answer:
    """What a hook process did."""

    stdout: str
    stderr: str
    code: int

    @property
    def json(self) -> Any:
        """The answer as the client parses it."""
        return json.loads(self.stdout)

    @property
    def context(self) -> str:
        """The text for the model, empty without one."""
        if not self.stdout:
            return ""
        return str(self.json["hookSpecificOutput"]["additionalContext"])


@cache
def _launchers() -> Path:
    return Path(mkdtemp(prefix="launchers"))


@cache
def script(event: str) -> Path:
    """Return the launcher of an event, for the package of this checkout."""
    path = _launchers() / event
    path.write_text(launcher_text(event, sys.executable, str(CHECKOUT)), encoding="utf-8")
    path.chmod(0o755)
    return path


def environment(project: Path, **more: str) -> dict[str, str]:
    """Return the environment of a hook: no more than it needs."""
    base = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(project.parent),
        "CLAUDE_PROJECT_DIR": str(project),
        "AMPLIHACK_COMPACTION_STRICT": "1",
    }
    return {**base, **more}


def run_hook(
    event: str, stdin: bytes | dict[str, Any], project: Path, *flags: str, **env: str
) -> Answer:
    """Run the hook of an event on a payload, in a folder that is not the project's."""
    data = stdin if isinstance(stdin, bytes) else json.dumps(stdin).encode()
    done = subprocess.run(
        [sys.executable, "-I", "-S", *flags, str(script(event))],
        input=data,
        env=environment(project, **env),
        cwd=project.parent,
        capture_output=True,
        timeout=300,
        check=False,
    )
    return Answer(done.stdout.decode(), done.stderr.decode(errors="replace"), done.returncode)


def run_in_process(event: str, stdin: bytes | dict[str, Any], project: Path) -> Answer:
    """Run the hook of an event inside the test, as its process would after reading stdin."""
    data = stdin if isinstance(stdin, bytes) else json.dumps(stdin).encode()
    os.environ["CLAUDE_PROJECT_DIR"] = str(project)
    try:
        return Answer(run(event, data), "", 0)
    finally:
        del os.environ["CLAUDE_PROJECT_DIR"]


def log_of(project: Path) -> list[str]:
    """Return the lines of the project's hook log."""
    path = project / ".claude/runtime/power-steering/hooks.log"
    return path.read_text().splitlines() if path.exists() else []


def modes_below(folder: Path) -> dict[str, int]:
    """Return the permission bits of everything below a folder."""
    return {
        os.path.join(parent, name): os.stat(os.path.join(parent, name)).st_mode & 0o777
        for parent, folders, names in os.walk(folder)
        for name in (*folders, *names)
    }

"""What docs/hooks.md says to type, to try a hook by hand, is answered as it says there."""

import subprocess
import sys
from pathlib import Path

from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from tests.support.processes import environment, script
from tests.support.transcripts import SESSION, Transcript

CHECKOUT = Path(__file__).parents[2]
KINDS = ("sh", "json")


def test_the_documented_payload_is_answered_as_documented(project: Path) -> None:
    page = (CHECKOUT / "docs/hooks.md").read_text(encoding="utf-8")
    part = page.partition("### Try a hook by hand")[2]
    typed, answer = (part.partition(f"```{kind}\n")[2].partition("\n```")[0] for kind in KINDS)
    session, home = Transcript(), project.parent
    session.root = str(project)
    session.user("Build the login page.")
    session.assistant("Yes.")
    folder = transcript_folder(str(project)).name
    session.write(home / ".claude/projects" / folder / f"{SESSION}.jsonl")
    hook = home / ".local/share/amplihack-compaction/hooks/PreToolUse"
    hook.parent.mkdir(parents=True)
    hook.symlink_to(script("PreToolUse"))
    named = home / "bin/amplihack-compaction"
    named.parent.mkdir()
    named.write_text(f'#!/bin/sh\nexec {sys.executable} -m amplihack_compaction "$@"\n')
    named.chmod(0o755)
    told = {"PATH": f"{named.parent}:/usr/bin:/bin", "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(
        ["bash", "-c", typed], env=environment(project, **told), cwd=project,
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert (done.stdout.splitlines()[-1], done.stderr) == (answer, "")

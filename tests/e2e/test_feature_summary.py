"""The user's own client writes a feature's summary, without hooks, tools and a transcript."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .client import SEARCH_PATH, Client, Setup
from .conftest import NewClient
from .installation import REPOSITORY
from .process import Launch, running
from .script import ApiError, Script, Step

SUMMARY = "## Decisions\n- argon2 for passwords\n\n## Next steps\n- rate limit\n"
SECRET = "sk-ant-api03-" + "a1B2" * 20
SECONDS = 300
FEATURE = {
    "features/login/progress.md": "# Progress\n\n"
    + "Passwords are hashed with argon2, as bcrypt truncates them. " * 100
    + f"\n\nDecision: argon2, because bcrypt truncates.\nkey {SECRET}\n",
    "features/login/state.json": '{"status": "in progress"}',
}


def summarise(client: Client, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in the client's home and project, as a user would."""
    binaries = client.root / "bin"
    binaries.mkdir(exist_ok=True)
    (binaries / "claude").symlink_to(client.binary)
    command = [
        sys.executable, "-m", "amplihack_compaction", "feature", "compact", "login",
        "--level", "summarize", "--with", "claude", *arguments,
    ]  # fmt: skip
    environment = {
        **client.environment(),
        "PATH": f"{binaries}:{SEARCH_PATH}",
        "PYTHONPATH": str(REPOSITORY),
        "CLAUDECODE": "1",
    }
    launch = Launch(client.api, client.project, environment, client.root / "stderr.txt")
    pipe = subprocess.PIPE
    with running(command, launch, subprocess.DEVNULL, pipe, pipe) as process:
        out, err = process.communicate(timeout=SECONDS)
        return subprocess.CompletedProcess(command, process.returncode, out.decode(), err.decode())


def test_the_clients_summary_takes_the_place_of_the_notes(
    new_client: NewClient, installed: Setup
) -> None:
    script = Script(default=SUMMARY, aux=SUMMARY)
    client = new_client(script, setup=installed, files=FEATURE)
    done = summarise(client)
    assert (done.returncode, done.stderr) == (0, "")
    text = (client.project / "features/login/SUMMARY.md").read_text()
    assert "argon2 for passwords" in text
    assert "Information was dropped" in text
    sent = [request.text() for request in client.api.requests if "argon2" in request.text()]
    assert len(sent) == 1
    assert "bcrypt truncates" in sent[0]
    assert SECRET not in sent[0]
    assert not any(request.body.get("tools") for request in client.api.requests)
    assert not list(client.home.glob(".claude/projects/**/*.jsonl"))
    assert not (client.project / ".claude/runtime").exists()
    revert = [
        sys.executable,
        "-m",
        "amplihack_compaction",
        "feature",
        "compact",
        "login",
        "--revert",
    ]
    subprocess.run(
        revert,
        cwd=client.project,
        env={**client.environment(), "PYTHONPATH": str(REPOSITORY)},
        check=True,
        capture_output=True,
    )
    for name, content in FEATURE.items():
        assert (client.project / name).read_text() == content


@pytest.mark.parametrize(
    ("answer", "arguments"),
    [
        (Step(error=ApiError(400, "invalid_request_error", "no")), []),
        (Step(SUMMARY, delay_seconds=30), ["--timeout", "3"]),
    ],
    ids=["refused", "slow"],
)
def test_when_the_client_fails_the_rules_write_it(
    new_client: NewClient, tmp_path: Path, answer: Step, arguments: list[str]
) -> None:
    client = new_client(Script(default=answer, aux=answer), files=FEATURE)
    done = summarise(client, *arguments)
    assert done.returncode == 0
    assert "the summary was made by rules: `claude -p`" in done.stdout
    assert "argon2" in (client.project / "features/login/SUMMARY.md").read_text()

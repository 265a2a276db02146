"""Programs that were not found by their names, and what they were run as since."""

import pytest

from amplihack_compaction.extract.issues import extract_failed
from tests.unit.conftest import Read, started


def absent(read: Read, *runs: tuple[str, str]) -> list[tuple[str, str]]:
    transcript = started()
    for command, output in runs:
        is_error = output.startswith("Exit code")
        transcript.tool("Bash", {"command": command}, output, error=is_error)
    return [(one.text, one.reason) for one in extract_failed(read(transcript))]


@pytest.mark.parametrize(
    ("line", "told", "later", "way"),
    [
        ("docker ps", "bash: docker: command not found", "/opt/bin/docker ps", "/opt/bin/docker"),
        (
            "pytest -q 2>&1 | tail",
            "zsh:1: command not found: pytest",
            "cd api && uv run pytest -q",
            "uv run pytest",
        ),
        (
            "mypy .",
            "sh: 1: mypy: not found",
            "source .venv/bin/activate && mypy .",
            "source .venv/bin/activate && mypy",
        ),
        (
            "kubectl get pods",
            "kubectl: command not found",
            "for i in 1 2; do /opt/k8s/kubectl get pods; done",
            "/opt/k8s/kubectl",
        ),
        ("python a.py", "Exit code 127\npython: command not found", "python3 a.py", "python3"),
        (
            'powershell -Command "docker ps"',
            "'docker' is not recognized as the name of a cmdlet",
            "powershell -Command \"& 'C:\\Docker\\docker.exe' ps\"",
            "C:\\Docker\\docker.exe",
        ),
    ],
)
def test_how_an_absent_program_was_run_since_is_told(
    read: Read, line: str, told: str, later: str, way: str
) -> None:
    name = told.split("'")[1] if "'" in told else line.split()[0]
    expected = (f"`{name}`: command not found", f"ran since as `{way}`")
    assert absent(read, (line, told), (later, "ok"), (line + " b", "Exit code 1")) == [expected]


@pytest.mark.parametrize(
    "runs",
    [
        (("docker ps", "docker: command not found"),),
        (("docker ps", "docker: command not found"), ("/opt/docker ps", "Exit code 1")),
        (("docker ps", "docker: command not found"), ("/opt/docker ps", "ok"), ("docker ps", "ok")),
        (
            ("docker ps", "docker: command not found"),
            ("until /opt/docker info &>/dev/null; do sleep 1; done", "ok"),
        ),
        (("cat log", "docker: command not found"), ("/opt/docker ps", "ok")),
    ],
)
def test_nothing_is_told_of_what_was_not_run_since_or_runs_by_its_name(
    read: Read, runs: tuple[tuple[str, str], ...]
) -> None:
    assert absent(read, *runs) == []

"""The scripts that set up and run the tests, played with stand-ins for what they start."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
RUNNER = "RUN_COMPACTION_TESTS.sh"
CI = ".ci/run"


def script(path: Path, *lines: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines]) + "\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout whose environment is there: its Python notes how pytest is called."""
    for name in (RUNNER, CI, "pyproject.toml", "tests/check_coverage.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(REPOSITORY / name, tmp_path / name)
    script(tmp_path / "tests/e2e/fetch_client.sh", "echo fetched >> calls; echo /the/client")
    script(
        tmp_path / ".venv/bin/python",
        'echo "python $* CLAUDE_BIN=${CLAUDE_BIN:-} REQUIRED=${AMPLIHACK_E2E_REQUIRED:-}'
        ' TMPDIR=${TMPDIR:-} NO_BYTECODE=${PYTHONDONTWRITEBYTECODE:-}" >> calls',
        f'case "$1 $2" in "-m pytest") ;; *) exec {sys.executable} "$@" ;; esac',
        "case $* in *json:*) cp coverage.json .cache/coverage.json ;; esac",
        'echo "34 passed in 0.1s"',
        'exit "${PYTEST_CODE:-0}"',
    )
    for tool in ("ruff", "mypy"):
        script(tmp_path / f".venv/bin/{tool}", f'echo "{tool} $*" >> calls', 'exit "${LINT:-0}"')
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = project["dependencies"] + project["optional-dependencies"]["test"]
    (tmp_path / ".venv/installed-from").write_text("\n".join(needed) + "\n", encoding="utf-8")
    (tmp_path / "coverage.json").write_text(json.dumps(coverage(90)), encoding="utf-8")
    return tmp_path


def coverage(percent: int) -> dict[str, object]:
    summary = {
        "covered_lines": percent,
        "num_statements": 100,
        "covered_branches": 10,
        "num_branches": 10,
    }
    empty = dict.fromkeys(summary, 0)
    files = {"pkg/mod.py": {"summary": summary}, "pkg/empty.py": {"summary": empty}}
    return {"files": files, "totals": summary}


def run(
    checkout: Path, name: str, *arguments: str, env: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [checkout / name, *arguments],
        cwd="/",
        env={"PATH": os.environ.get("PATH", os.defpath), **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def pytest_calls(checkout: Path) -> list[str]:
    lines = (checkout / "calls").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("python -m pytest")]


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (
            "unit",
            f"--numprocesses {(os.cpu_count() or 1) + 1} --dist worksteal tests/unit tests/test_",
        ),
        ("property", "--numprocesses auto --dist worksteal tests/property "),
        ("integration", "--numprocesses auto --dist worksteal tests/integration "),
        ("endurance", "--numprocesses auto --dist worksteal tests/endurance "),
        ("guide", "--no-fold-skipped -m guide tests/test_"),
    ],
)
def test_one_kind_runs_alone_and_fetches_nothing(checkout: Path, kind: str, told: str) -> None:
    done = run(checkout, RUNNER, kind)
    assert (done.returncode, done.stdout) == (0, "34 passed in 0.1s\n")
    (call,) = pytest_calls(checkout)
    assert told in call
    assert "fetched" not in (checkout / "calls").read_text(encoding="utf-8")


def test_benchmarks_that_count_run_beside_those_that_are_timed(checkout: Path) -> None:
    assert run(checkout, RUNNER, "bench").returncode == 0
    counted, timed = sorted(pytest_calls(checkout), key=lambda call: "--ignore" in call)
    for name in ("hot_path", "natural", "conformance", "losses", "judgement"):
        file = f"tests/bench/test_bench_{name}.py"
        assert (REPOSITORY / file).exists()
        assert f" {file}" in counted
        assert f"--ignore={file}" in timed
    assert " tests/bench " in timed


@pytest.mark.parametrize("failing", ["test_bench_judgement.py CLAUDE", "--ignore"])
def test_a_benchmark_that_fails_fails_all_of_it(checkout: Path, failing: str) -> None:
    python = checkout / ".venv/bin/python"
    lines = python.read_text(encoding="utf-8").splitlines()
    lines.insert(-1, f'case "$* CLAUDE" in *"{failing}"*) exit 1 ;; esac')
    python.write_text("\n".join(lines), encoding="utf-8")
    done = run(checkout, RUNNER, "all")
    assert done.returncode == 1
    assert len(pytest_calls(checkout)) == 2


def test_all_kinds_run_with_coverage_and_the_benchmarks_first(checkout: Path) -> None:
    done = run(checkout, RUNNER)
    assert done.returncode == 0, done.stderr
    *benchmarks, second, last = pytest_calls(checkout)
    assert len(benchmarks) == 2
    assert "tests/unit tests/test_" in second
    assert "--cov-branch" in second
    assert "tests/property tests/integration tests/endurance tests/e2e CLAUDE_BIN" in last
    assert "CLAUDE_BIN=/the/client REQUIRED= " in last + " "
    assert done.stdout.splitlines()[-1] == "34 passed in 0.1s"


def test_benchmarks_are_on_a_disk_and_bytecode_is_kept(checkout: Path) -> None:
    run(checkout, RUNNER, env={"PYTHONDONTWRITEBYTECODE": "1"})
    *benchmarks, unit, other = pytest_calls(checkout)
    others = [unit, other]
    assert all(call.endswith("TMPDIR=/tmp NO_BYTECODE=") for call in benchmarks)
    assert all(call.endswith("TMPDIR= NO_BYTECODE=") for call in others)


def test_a_module_covered_too_little_fails_all_of_it(checkout: Path) -> None:
    (checkout / "coverage.json").write_text(json.dumps(coverage(79)), encoding="utf-8")
    done = run(checkout, RUNNER, "all")
    assert done.returncode == 1
    assert "pkg/mod.py: 79 % of its lines are covered, 80 are needed" in done.stdout
    assert len(pytest_calls(checkout)) == 3


def test_a_report_on_nothing_fails(checkout: Path) -> None:
    (checkout / "coverage.json").write_text(
        json.dumps({"files": {}, "totals": {}}), encoding="utf-8"
    )
    assert "nothing was measured" in run(checkout, RUNNER).stdout


def test_failing_tests_fail_the_script(checkout: Path) -> None:
    done = run(checkout, RUNNER, "unit", env={"PYTEST_CODE": "1"})
    assert done.returncode == 1
    assert run(checkout, RUNNER, "all", env={"PYTEST_CODE": "1"}).returncode == 1


def test_without_the_client_its_tests_are_said_not_to_run(checkout: Path) -> None:
    script(checkout / "tests/e2e/fetch_client.sh", "echo 'npm is needed' >&2; exit 3")
    done = run(checkout, RUNNER, "e2e")
    assert done.returncode == 0
    assert "the end-to-end tests are not run" in done.stdout
    assert "npm is needed" in done.stderr
    assert "CLAUDE_BIN= REQUIRED=" in pytest_calls(checkout)[0]
    run(checkout, RUNNER, "e2e", env={"CI": "true"})
    assert "REQUIRED=1" in pytest_calls(checkout)[1]


def test_a_client_that_is_named_is_not_fetched(checkout: Path) -> None:
    run(checkout, RUNNER, "e2e", env={"CLAUDE_BIN": "/my/client"})
    assert "CLAUDE_BIN=/my/client" in pytest_calls(checkout)[0]
    assert "fetched" not in (checkout / "calls").read_text(encoding="utf-8")


def test_an_unknown_kind_is_refused_and_the_help_explains_all(checkout: Path) -> None:
    done = run(checkout, RUNNER, "fast")
    assert done.returncode == 1
    assert "there is no kind fast" in done.stderr
    assert run(checkout, RUNNER, "unit", "e2e").returncode == 1
    said = run(checkout, RUNNER, "--help").stdout
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    markers = project["tool"]["pytest"]["ini_options"]["markers"]
    for kind in ("all", "setup", *(marker.partition(":")[0] for marker in markers)):
        assert f"  {kind} " in said
    assert "set -eu" not in said


def test_ci_checks_style_and_types_before_it_runs_all_tests(checkout: Path) -> None:
    done = run(checkout, CI)
    assert done.returncode == 0, done.stderr
    calls = (checkout / "calls").read_text(encoding="utf-8").splitlines()
    order = [line for line in calls if line.startswith(("ruff", "mypy", "python -m pytest"))]
    assert order[:3] == ["ruff check .", "ruff format --check .", "mypy --strict"]
    assert all("REQUIRED=1" in line for line in order[3:])
    assert done.stdout.splitlines()[-1] == "34 passed in 0.1s"
    assert run(checkout, CI, env={"PYTEST_CODE": "1"}).returncode != 0


def test_ci_fails_on_style_before_it_runs_a_test(checkout: Path) -> None:
    assert run(checkout, CI, env={"LINT": "1"}).returncode != 0
    assert pytest_calls(checkout) == []


@pytest.mark.parametrize("name", [RUNNER, CI, "install.sh", "tests/e2e/fetch_client.sh"])
def test_every_script_can_be_parsed_and_started(name: str) -> None:
    path = REPOSITORY / name
    shell = "bash" if "bash" in path.read_text(encoding="utf-8").splitlines()[0] else "sh"
    assert subprocess.run([shell, "-n", path], check=False).returncode == 0
    assert os.access(path, os.X_OK)

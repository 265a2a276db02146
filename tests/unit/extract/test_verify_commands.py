"""The last check of each kind, whether it passed, and which check tells what another one would."""

import pytest

from amplihack_compaction.extract.statements import VerifyCommand, VerifyKind
from amplihack_compaction.extract.verify_commands import check_covers, checks_of, extract_verify
from tests.support.transcripts import Transcript
from tests.unit.conftest import Read, started

TEST, BUILD, LINT = VerifyKind.TEST, VerifyKind.BUILD, VerifyKind.LINT


def bash(transcript: Transcript, line: str, output: str = "", error: bool = False) -> None:
    transcript.tool("Bash", {"command": line}, output, error)


def only(found: tuple[VerifyCommand, ...]) -> VerifyCommand:
    (command,) = found
    return command


def test_the_last_check_of_each_kind_is_kept(read: Read) -> None:
    transcript = started()
    bash(transcript, "pytest -q tests/a.py", "1 passed")
    bash(transcript, "ruff check .", "All checks passed!")
    bash(transcript, "npm run build", "built in 3s")
    bash(transcript, "cd web && CI=1 pytest -q | tail -3", "2 failed, 4 passed")
    found = {command.kind: command for command in extract_verify(read(transcript))}
    assert found[TEST].text == "cd web && CI=1 pytest -q | tail -3"
    assert (found[TEST].passed, found[BUILD].passed, found[LINT].passed) == (False, True, True)
    assert found[TEST].offset > found[BUILD].offset > 0


@pytest.mark.parametrize("takes_away", ["git checkout src/a.py", "git stash", "rm -rf build"])
def test_what_took_work_away_before_a_check_is_no_part_of_it(read: Read, takes_away: str) -> None:
    transcript = started()
    bash(transcript, f"{takes_away} && pytest -q tests", "128 passed")
    assert only(extract_verify(read(transcript))).text == "pytest -q tests"


def test_a_check_of_one_file_does_not_hide_the_one_that_passed_for_all(read: Read) -> None:
    transcript = started()
    bash(transcript, "make test", "128 passed")
    bash(transcript, "pytest -q tests/test_a.py", "2 passed")
    bash(transcript, "pytest -q tests/test_b.py", "1 failed", error=True)
    found = [(command.text, command.passed) for command in extract_verify(read(transcript))]
    assert found == [("make test", True), ("pytest -q tests/test_b.py", False)]
    bash(transcript, "make test", "130 passed")
    assert only(extract_verify(read(transcript))).text == "make test"


def test_what_passed_last_with_each_of_two_programs_is_kept(read: Read) -> None:
    transcript = started()
    for line in ("cargo test", "cd server && pytest -q", "npm run test:page", "pytest -q server"):
        bash(transcript, line, "12 passed")
    found = [command.text for command in extract_verify(read(transcript))]
    assert found == ["npm run test:page", "pytest -q server"]


def test_a_runners_test_takes_no_other_tasks_place(read: Read) -> None:
    transcript = started()
    for line in ("mise run test", "mise run test:integration", "mise run test"):
        bash(transcript, line, "ok")
    found = [command.text for command in extract_verify(read(transcript))]
    assert found == ["mise run test:integration", "mise run test"]


@pytest.mark.parametrize(
    ("line", "output", "error", "passed"),
    [
        ("pytest -q", "5 passed", False, True),
        ("pytest -q", "", False, True),
        ("pytest -q", "1 failed", True, False),
        ("pytest -q | tail -1", "1 failed, 3 passed in 2s", False, False),
        ("pytest -q | tail -1", "0 failed, 3 passed", False, True),
        ("pytest -q | tail -1", "=== short", False, None),
        ("node test.js | tail", "✗ Failed: 0\n✓ Passed: 7", False, True),
        ("node test.js | tail", "Passed: 7\nFailed: 2", False, False),
        ("npm test 2>&1 | tail -5", "npm ERR! Test failed.", False, False),
        ("tsc | head", "a.ts(3,1): error TS2304: Cannot find", False, False),
        ("make -j4 | tail", "main.c:3:5: error: expected ';'", False, False),
        ("go test ./... | tail", "--- FAIL: TestA (0.0s)", False, False),
        ("go test ./... | tail", "ok  \tgithub.com/a/b\t0.2s", False, True),
        ("cargo test | tail", "test result: ok. 3 passed; 0 failed", False, True),
        ("dotnet build | tail", "Oluşturma başarılı oldu.\n    0 Hata", False, True),
        ("dotnet build | tail", "    Ошибок: 2\n", False, False),
        ("npm test | tail", "✓ zeigt 404 Fehlerseite an\n Tests  12 passed (12)", False, True),
        ("mypy . ; echo done", "Found 3 errors in 1 file", False, False),
        ("pytest || true", "Traceback (most recent call last)", False, False),
        ("pytest && git push", "5 passed\nfatal: no remote", True, None),
        ("pytest && git push", "1 failed", True, False),
        ("pytest && git push", "", False, True),
        ("pytest", "/bin/sh: pytest: command not found", True, None),
        ("npm run test", "npm ERR! Missing script: test", True, None),
        ("pytest", "Command running in background with ID: b1", False, None),
        ("eslint . | tail", "✖ 3 problems (3 errors, 0 warnings)", False, False),
        ("eslint . | tail", "✖ 3 problems (0 errors, 3 warnings)", False, True),
        ("eslint . | tail", "\x1b[31m  1 error\x1b[0m", False, False),
        ("golangci-lint run | tail", "0 issues.", False, True),
        ("golangci-lint run | tail", "a.go:1:2: bad\n2 issues:", False, False),
        ("bash build-pkg.sh | tail", "[INFO] Build complete!", False, True),
        ("npm run build | tail", "FATAL ERROR: heap out of memory", False, False),
        ("go build ./... | head", "a/b.go:57:59: not enough arguments in call", False, False),
        ("go build ./... | head", "a/b.go:57:59: note: inlined", False, None),
        ("go build ./... 2>&1 | head -20", "", False, True),
        ("go build ./... 2>/dev/null | head -20", "", False, None),
        ("go build ./... | grep main", "", False, None),
        ("npm run build 2>&1 | grep -i error", "Exit code 1", True, None),
        ("pytest -q 2>&1 | rg FAILED", "Exit code 1\nFAILED tests/test_a.py::test_b", True, False),
        ("pytest -q | tail -1", "", False, None),
        ("pytest -q > out.txt 2>&1 &", "", False, None),
        ("go build ./app && ./app list | head", "two", False, True),
        ("go build ./app; ./app list | head", "two", False, None),
        ("pytest", "(eval):cd:1: no such directory: a", True, None),
        ("ls -d .venv 2>/dev/null && pytest -q | tail", "Exit code 1", True, None),
        ("pytest -q", "Exit code 1", True, False),
        ("cd app && npm test > /tmp/o.txt 2>&1", "Exit code 1", True, False),
        ("cd app && npx tsc --noEmit -q", "Exit code 1", True, False),
    ],
)
def test_an_exit_code_counts_only_where_it_is_the_checks_own(
    read: Read, line: str, output: str, error: bool, passed: bool | None
) -> None:
    transcript = started()
    bash(transcript, line, output, error)
    assert only(extract_verify(read(transcript))).passed is passed


def test_a_failed_line_is_told_as_failed_though_it_is_unknown_which_check_did(read: Read) -> None:
    transcript = started()
    bash(transcript, "npm run lint && npm test", "oops", error=True)
    window = read(transcript)
    (step,) = (step for step in window.steps if step.tool is not None)
    assert step.tool is not None
    assert [check.passed for check in checks_of(step.tool)] == [None, None]
    assert {c.kind: c.passed for c in extract_verify(window)} == {TEST: False, LINT: False}


def test_a_check_behind_what_the_shell_does_not_find_is_none(read: Read) -> None:
    transcript = started()
    bash(transcript, "timeout 900 pytest -q 2>&1 | tail", "(eval):1: command not found: timeout")
    bash(transcript, "gtimeout 9 pytest -q", "bash: gtimeout: command not found", error=True)
    assert extract_verify(read(transcript)) == ()
    bash(transcript, "make test | tail", "sh: 1: pytest: not found")
    assert only(extract_verify(read(transcript))).text == "make test | tail"


def test_a_linter_that_printed_nothing_passed(read: Read) -> None:
    transcript = started()
    bash(transcript, "npx tsc --noEmit | head -20", "(Bash completed with no output)")
    assert only(extract_verify(read(transcript))).passed is True


def test_a_check_without_a_result_is_unknown(read: Read) -> None:
    transcript = started()
    transcript.assistant(tools=[{"id": "t", "name": "Bash", "input": {"command": "pytest"}}])
    assert only(extract_verify(read(transcript))).passed is None
    background = started()
    background.tool("Bash", {"command": "pytest", "run_in_background": True}, "5 passed")
    assert only(extract_verify(read(background))).passed is None


def test_a_check_that_the_user_refused_was_not_run(read: Read) -> None:
    transcript = started()
    bash(transcript, "pytest", "The user doesn't want to proceed with this tool use.", error=True)
    assert extract_verify(read(transcript)) == ()


def test_of_a_long_script_the_line_that_checks_is_kept(read: Read) -> None:
    transcript = started()
    script = "\n".join(f"echo {n}" for n in range(9))
    bash(transcript, f"{script}\nCI=1 npm test -- --run > out.txt\nls", "ok")
    assert only(extract_verify(read(transcript))).text == "CI=1 npm test -- --run > out.txt"


@pytest.mark.parametrize(
    ("wider", "narrower", "expected"),
    [
        ("pytest -q", "pytest tests/a -x", True),
        ("pytest tests", "pytest tests/a/test_b.py", True),
        ("pytest tests/a.py", "pytest tests/a.py::test_x", True),
        ("pytest tests/a", "pytest tests/ab", False),
        ("pytest tests/a", "pytest", False),
        ("pytest -k slow", "pytest tests/a", False),
        ("npm test", "npm test -- web/cart", True),
        ("npm test -- --project web", "npm test -- cart/x", False),
        ("npm test -- cart", "npm test", False),
        ("npx vitest run cart", "npm test -- mail", False),
        ("npx vitest run", "npm test -- mail", True),
        ("cargo test parser", "cargo test", False),
        ("npm test", "pytest tests/a", False),
        ("cargo test", "pytest -q", False),
        ("python -m unittest", "pytest tests/a", True),
        ("python -m pytest", "pytest tests/a", True),
        ("python -m pytest -m slow", "pytest tests/a", False),
        ("make test", "pytest tests/a", True),
        ("pytest -q", "make test", True),
        ("echo all tests && pytest tests/b", "pytest tests/a", False),
        ("cd web && npm test", "npx vitest run cart", True),
        ("mise run test", "mise run test:integration", False),
        ("npm run test:all", "npm run test:unit", True),
        ("npm run lint -- --fix", "npm run lint", True),
        ("npm test -- --run", "npm test", True),
        ("npx eslint src/", "eslint src", True),
    ],
)
def test_a_check_covers_those_of_its_parts(wider: str, narrower: str, expected: bool) -> None:
    assert check_covers(wider, narrower) is expected


def test_a_line_of_two_checks_did_not_pass_where_one_of_them_shows_failures(read: Read) -> None:
    transcript = started()
    line = "mise run test && mise run lint 2>&1 | tail -20"
    bash(transcript, line, "[lint] ERROR task failed\n2 issues:")
    assert [(c.kind, c.passed) for c in extract_verify(read(transcript))] == [
        (TEST, False),
        (LINT, False),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "golangci-lint version --json",
        "which staticcheck || go install honnef.co/go/tools/cmd/staticcheck@latest",
    ],
)
def test_what_tells_a_version_or_installs_a_checker_checks_nothing(read: Read, line: str) -> None:
    transcript = started()
    bash(transcript, line, "v1.2")
    assert extract_verify(read(transcript)) == ()


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("python3 -m unittest -q tests/test_b.py", "-----\nRan 0 tests in 0.000s\n\nOK"),
        ("pytest -q tests | tail -3", "no tests ran in 0.01s"),
        ("pytest tests; echo done", "collected 0 items\n\ndone"),
        ("go test ./cmd", "?   \texample.org/cmd\t[no test files]"),
        ("npx mocha", "\n  0 passing (1ms)\n"),
        ("cargo test", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed"),
    ],
)
def test_a_check_that_found_nothing_to_test_has_no_result(
    read: Read, line: str, output: str
) -> None:
    transcript = started()
    bash(transcript, line, output)
    assert only(extract_verify(read(transcript))).passed is None


def test_a_check_that_found_nothing_in_one_place_and_passed_elsewhere_passed(read: Read) -> None:
    transcript = started()
    bash(transcript, "go test ./...", "?   \ta/cmd\t[no test files]\nok  \ta/core\t0.01s")
    assert only(extract_verify(read(transcript))).passed is True

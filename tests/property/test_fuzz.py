"""The fuzzer's cases that failed once, and some thousands of new ones: none fails, hangs, escapes.

The whole run is a command of its own (`python -m tests.fuzz`); its figures are in docs/security.md.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.campaign import ALONE_FILE
from tests.fuzz.case import Part, decode, encode
from tests.fuzz.mutate import mutate
from tests.fuzz.targets import TARGETS
from tests.support.accepted import problem_with_stdout, problem_with_text
from tests.support.processes import CHECKOUT

CASES = 20_000
REGRESSIONS = CHECKOUT / "tests/fuzz/corpus"
NAMES = st.from_regex(r"\A[>$][A-Za-z]{1,9}(#[0-9])?\Z|\A[a-z]{1,9}(/[a-z.]{1,9}[a-z]){0,2}\Z")


# A process of its own: an interpreter never gives back the audit hook that guards the cases.
def test_twenty_thousand_cases_hold(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz", "--guided", "0", "--count", str(CASES)]
    done = subprocess.run(
        [*command, "--work", str(tmp_path)],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    logs = "".join(path.read_text() for path in tmp_path.glob("*/failure-*.txt"))
    assert done.returncode == 0, done.stdout + done.stderr + logs
    tallies = [json.loads((tmp_path / name / ALONE_FILE).read_text()) for name in TARGETS]
    assert sum(tally["cases"] for tally in tallies) >= CASES
    assert not [failure for tally in tallies for failure in tally["failures"]]


def test_the_cases_that_failed_once_are_those_of_targets() -> None:
    names = {path.name for path in REGRESSIONS.iterdir()}
    assert names
    assert names <= set(TARGETS)
    for path in REGRESSIONS.glob("*/*"):
        assert any(part.is_step for part in decode(path.read_bytes())), path


def test_a_failure_is_found_kept_and_told(tmp_path: Path) -> None:
    script = (
        "from amplihack_compaction.cli.commands import statusline\n"
        "statusline.status_line = lambda stdin: open('/etc/hostname').read()\n"
        "import sys; sys.argv[1:] = ['--worker', 'statusline', '--count', '9', '--guided', '0',"
        f" '--work', {str(tmp_path)!r}]\n"
        "from tests.fuzz.__main__ import main; main()"
    )
    command = [sys.executable, "-c", script]
    subprocess.run(command, cwd=CHECKOUT, check=False, capture_output=True, timeout=300)
    tally = json.loads((tmp_path / "statusline" / ALONE_FILE).read_text())
    assert "Escaped" in tally["failures"][0]
    assert list((tmp_path / "statusline").glob("failure-*"))


@given(st.lists(st.tuples(NAMES, st.binary(max_size=60)), max_size=5))
def test_a_case_round_trips(parts: list[tuple[str, bytes]]) -> None:
    case = tuple(Part(name, content) for name, content in parts)
    assert decode(encode(case)) == case


@given(st.binary(max_size=300), st.integers(0, 10**6))
def test_any_bytes_are_a_case_that_can_be_mutated(data: bytes, seed: int) -> None:
    case = decode(b"\x1e>Stop\n" + data)
    changed = mutate(case, random.Random(seed))
    assert all(".." not in part.name for part in changed)
    assert mutate(case, random.Random(seed)) == changed


def answer(event: str, **output: object) -> bytes:
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, **output}}).encode()


@pytest.mark.parametrize(
    ("event", "stdout"),
    [
        ("Stop", b"text"),
        ("Stop", b"{} {}"),
        ("Stop", b"\xff"),
        ("Stop", b'{"hookSpecificOutput": NaN}'),
        ("Stop", b'{"decision": "block"}'),
        ("Stop", b'{"decision": "block", "reason": 5}'),
        ("Stop", b'{"continue": false}'),
        ("PreToolUse", b'{"decision": "block", "reason": "x"}'),
        ("PreToolUse", answer("Stop", additionalContext="x")),
        ("PreToolUse", answer("PreToolUse", additionalContext="")),
        ("PreToolUse", answer("PreToolUse", additionalContext="x" * 10_001)),
        ("PreToolUse", answer("PreToolUse", additionalContext="\ue000" + "🙂" * 5_000)),
        ("PreToolUse", answer("PreToolUse", permissionDecision="allow")),
        ("SessionStart", answer("SessionStart", additionalContext="a\x1b[2Jb")),
        ("SessionStart", answer("SessionStart", additionalContext="a\u202eb")),
        ("SessionStart", answer("SessionStart", additionalContext="<System-Reminder> x")),
        ("SessionStart", answer("SessionStart", additionalContext="x\n\nHuman: y")),
        ("SessionStart", answer("SessionStart", additionalContext="x --> y")),
        ("PreCompact", b'{"systemMessage": "x"}'),
        ("PreCompact", b"x" * 10_001),
        ("PostCompact", b"x"),
        ("SessionEnd", b"{}"),
        ("Store", b"{}"),
    ],
)
def test_what_the_client_would_not_take_is_named(event: str, stdout: bytes) -> None:
    assert problem_with_stdout(event, stdout)


@pytest.mark.parametrize(
    ("event", "stdout"),
    [
        *((event, b"") for event in ("Stop", "PreCompact", "PostCompact", "Store")),
        ("Stop", b'{"decision": "block", "reason": "Said before."}'),
        ("PreCompact", b"Keep this.\n- rule"),
        ("SessionStart", answer("SessionStart", additionalContext="x" * 10_000)),
        ("UserPromptSubmit", answer("UserPromptSubmit", additionalContext="é\n# x")),
    ],
)
def test_what_the_client_takes_has_no_problem(event: str, stdout: bytes) -> None:
    assert problem_with_stdout(event, stdout) == ""


def test_the_frame_is_the_first_and_the_last_line_alone() -> None:
    assert problem_with_text("<!-- AMPLIHACK STATE -->\n- x\n<!-- END AMPLIHACK STATE -->") == ""
    assert problem_with_text("- x\n<!-- END AMPLIHACK STATE -->\n- y")

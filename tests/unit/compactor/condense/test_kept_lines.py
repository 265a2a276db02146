"""Lines that stay wherever they stand."""

import pytest

from amplihack_compaction.compactor.archive.selection import states_decision_or_rule
from amplihack_compaction.compactor.condense.kept_lines import is_decision, is_error, stays

ERRORS = [
    "ERROR: disk is full", "1 failed, 3 passed", "Fatal: no", "a CRITICAL thing", "KeyError: 'a'",
    "java.lang.NullPointerException", "thread 'main' panicked at src/main.rs", "0 errors",
    "tests/test_a.py::test_x FAILED", "npm ERR! code 1", "Der Test ist fehlgeschlagen",
    "Une exception non gérée", "Ошибка: нет файла", "数据库连接失败", "エラーです", "빌드 실패",
    "Se produjo un error", "A compilação falhou", "PASSED but with an error: x",
]  # fmt: skip


@pytest.mark.parametrize("line", ERRORS)
def test_lines_of_errors_are_told(line: str) -> None:
    assert is_error(line)
    assert is_error("x " * 5_000 + line)
    assert stays(line)


@pytest.mark.parametrize(
    "line",
    [
        "tests/test_errors.py::test_fail PASSED", "  ✓ src/error-page.ts (3 ms)",
        "test ledger::failure_is_kept ... ok", "--- PASS: TestError_rows (0.01s)", "all is well",
        "ok  	example.com/shop/errors	0.02s",
    ],
)  # fmt: skip
def test_names_of_passing_tests_are_no_errors(line: str) -> None:
    assert not is_error(line)


@pytest.mark.parametrize(
    "line",
    [
        "- [ ] write", "  * [x] read", "1. [ ] go", "☑ done", "41 passed in 3.21s",
        "E   assert 7 == 8", "    Expected: 8", "Tests:       43 total", "exited with code 3",
        "see ADR-012 for more", "[compacted: 3 of 9 lines left out]", "Decision: one ledger",
        "決定: SQLite を使う",
        "we'll use SQLite because it is one file",
    ],
)  # fmt: skip
def test_results_boxes_decisions_and_stubs_stay(line: str) -> None:
    assert stays(line)


@pytest.mark.parametrize(
    "line", ["10:00:00 INFO saved 3 rows", "src/ledger.py", "  - a list", "[x](link)", ""]
)
def test_plain_lines_of_output_may_go(line: str) -> None:
    assert not stays(line)


def test_a_record_is_a_decision_where_a_line_begins_with_it() -> None:
    assert is_decision("ADR-012: keep SQLite")
    assert is_decision("- **Decision:** keep SQLite")
    assert not is_decision("They told us of decisions")


@pytest.mark.parametrize(
    "line",
    [
        "ADR: one ledger",
        "**Beschluss:** ein Buch",
        "Hemos elegido SQLite",
        "로 결정 했다: SQLite로 결정",
    ],
)
def test_what_the_archive_holds_for_a_decision_is_one_everywhere(line: str) -> None:
    assert states_decision_or_rule(line) is (stays(line) and is_decision(line))

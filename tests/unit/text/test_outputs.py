"""What programs print is recognised by its lines; what people write is not."""

import pytest

from amplihack_compaction.text.sentences import OUTPUT_NAMES, group_of, output_kind, output_runs
from tests.support.program_outputs import DIFF, PRINTED, PYTEST, Printed


@pytest.mark.parametrize("printed", PRINTED.values(), ids=PRINTED)
def test_an_output_is_called_by_what_printed_it(printed: Printed) -> None:
    look = output_kind(printed.text.split("\n"))
    assert look.is_log
    assert look.words == printed.called


LINES = {
    "apt": "Get:1 http://deb.example bookworm/main amd64 libc6 [2,750 kB]",
    "java": "[INFO] Scanning for projects...",
    "build": "gcc -O2 -c ledger.c -o ledger.o",
    "tests": "test_total (tests.test_ledger.Ledger.test_total) ... ok",
    "base64": "QmFzZTY0IGlzIGhlcmUgYW5kIGl0IGdvZXMgb24gYW5kIG9uIGFuZCBvbiBhbmQgb24=",
    "log": "192.168.0.7 - - [10/Mar/2025:10:00:00 +0100] GET /",
    "weak": "10:00:00 read 3 rows",
    "": "We moved the ledger at 10:00.",
}


@pytest.mark.parametrize(("group", "line"), LINES.items(), ids=lambda value: value[:12])
def test_a_line_tells_which_kind_of_output_it_is(group: str, line: str) -> None:
    assert group_of(line) == group
    assert group_of(line, strong=True) == ("" if group == "weak" else group)
    assert group in ("", "weak") or group in OUTPUT_NAMES


@pytest.mark.parametrize(
    "text",
    [
        "", "\n\n", "def total(rows):\n    return sum(rows)\n\ntotal([])", "- one\n- two",
        "a: 1\nb: 2\nc: 3", "├── src\n└── tests", "We said +1, then -1, then @home.",
    ],
)  # fmt: skip
def test_code_lists_and_prose_look_like_no_log(text: str) -> None:
    look = output_kind(text.split("\n"))
    assert (look.name, look.is_log, look.words) == ("", False, "output")


def runs(text: str) -> list[tuple[int, int]]:
    lines = text.split("\n")
    return output_runs(lines, 0, len(lines))


def test_a_run_ends_where_a_person_goes_on() -> None:
    rows = "\n".join(f"npm http fetch GET 200 https://npm.example/{n}" for n in range(9))
    below = {
        "- a list": 9,
        "> a quotation": 9,
        "# A heading": 9,
        "| a | table |": 9,
        "So it went.": 9,
    }
    for line, end in below.items():
        assert runs(f"{rows}\n{line}\nnpm notice") == [(0, end)]
    assert runs(f"We ran it.\n\n{rows}\n\nnpm notice done\n\n\n\nnpm notice late") == [(2, 13)]


def test_seven_lines_are_no_run() -> None:
    assert runs("\n".join("npm notice" for _ in range(7))) == []


def test_a_diff_is_followed_by_the_lengths_of_its_hunks() -> None:
    lines = DIFF.text.count("\n") + 1
    assert runs(f"{DIFF.text}\n- a list\n+ of the user") == [(0, lines)]
    assert runs(f"{DIFF.text}\n\\ No newline at end of file\n- a list") == [(0, lines + 1)]
    torn = "@@ -1,50 +1,50 @@\n" + "-a\n+b\n" * 5 + "\n- a list"
    assert runs(torn) == [(0, 11)]
    assert runs("@@ -1,50 +1,50 @@\n" + "-a\n+b\n" * 5 + "A text") == [(0, 11)]


def test_a_session_is_one_run_with_its_tracebacks() -> None:
    lines = PYTEST.text.count("\n") + 1
    assert runs(f"Look:\n{PYTEST.text}\nThat was it.") == [(1, 1 + lines)]
    start = PYTEST.text.split("\n")[:20]
    assert runs("\n".join([*start, "", "We stopped it."])) == [(0, 20)]
    assert runs("\n".join([*start, "# A heading", *PYTEST.text.split("\n")]))[1] == (21, 21 + lines)

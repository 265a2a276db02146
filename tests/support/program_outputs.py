"""What programs print, written out by hand, each with lines that must stay and one that may go."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Printed:
    """An output: its text, what it is called, lines that must stay, a line of its middle."""

    text: str
    called: str
    stays: tuple[str, ...]
    goes: str


def _rows(count: int, row: str) -> str:
    return "\n".join(row.format(n=n, m=n * 37 % 1000) for n in range(count))


PYTEST = Printed(
    f"""\
============================= test session starts ==============================
platform linux -- Python 3.12.4, pytest-8.3.3, pluggy-1.5.0
rootdir: /home/anna/shop
configfile: pyproject.toml
collected 42 items

{_rows(40, "tests/test_ledger.py::test_row_{n} PASSED          [ {n:>2}%]")}
tests/test_ledger.py::test_error_rows PASSED          [ 97%]
tests/test_ledger.py::test_total FAILED          [100%]

=================================== FAILURES ===================================
__________________________________ test_total __________________________________

    def test_total():
        book = open_book("shop.db")
        book.add(3)
        book.add(4)
>       assert book.total == 8
E       assert 7 == 8
E        +  where 7 = Book(rows=2).total

tests/test_ledger.py:61: AssertionError
=========================== short test summary info ============================
FAILED tests/test_ledger.py::test_total - assert 7 == 8
========================= 1 failed, 41 passed in 3.21s =========================""",
    "pytest log",
    (
        "tests/test_ledger.py::test_total FAILED          [100%]",
        ">       assert book.total == 8",
        "E       assert 7 == 8",
        "tests/test_ledger.py:61: AssertionError",
        "FAILED tests/test_ledger.py::test_total - assert 7 == 8",
        "========================= 1 failed, 41 passed in 3.21s =========================",
    ),
    "tests/test_ledger.py::test_row_20 PASSED          [ 20%]",
)
JEST = Printed(
    f"""\
PASS src/cart.test.ts
  cart
{_rows(30, "    ✓ adds the item {n} ({m} ms)")}
FAIL src/total.test.ts
  total
    ✕ sums the rows (5 ms)
{_rows(12, "    ✓ rounds the sum {n} ({m} ms)")}

  ● total › sums the rows

    expect(received).toBe(expected) // Object.is equality

    Expected: 8
    Received: 7

      at Object.<anonymous> (src/total.test.ts:14:22)

Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 failed, 42 passed, 43 total
Time:        2.41 s""",
    "JavaScript test log",
    (
        "FAIL src/total.test.ts",
        "    Expected: 8",
        "    Received: 7",
        "Test Suites: 1 failed, 1 passed, 2 total",
    ),
    "    ✓ adds the item 20 (740 ms)",
)
CARGO = Printed(
    f"""\
   Compiling proc-macro2 v1.0.86
{_rows(25, "   Compiling crate-{n} v0.{n}.1")}
   Compiling shop v0.1.0 (/home/anna/shop)
warning: unused variable: `rows`
  --> src/ledger.rs:14:9
    Finished `test` profile [unoptimized + debuginfo] target(s) in 21.30s
     Running unittests src/lib.rs (target/debug/deps/shop-1f2e3d)

running 22 tests
{_rows(21, "test ledger::row_{n} ... ok")}
test ledger::total ... FAILED

failures:

---- ledger::total stdout ----
thread 'ledger::total' panicked at src/ledger.rs:88:5:
assertion `left == right` failed
  left: 7
 right: 8

test result: FAILED. 21 passed; 1 failed; 0 ignored; 0 measured; finished in 0.02s""",
    "cargo log",
    (
        "test ledger::total ... FAILED",
        "thread 'ledger::total' panicked at src/ledger.rs:88:5:",
        "  left: 7",
        " right: 8",
        "test result: FAILED. 21 passed; 1 failed; 0 ignored; 0 measured; finished in 0.02s",
    ),
    "   Compiling crate-20 v0.20.1",
)
GO = Printed(
    f"""\
=== RUN   TestLedger
{_rows(20, "=== RUN   TestLedger/row_{n}" + chr(10) + "    --- PASS: TestLedger/row_{n} (0.0{n}s)")}
    --- FAIL: TestLedger/total (0.00s)
        ledger_test.go:31: total is 7, want 8
--- FAIL: TestLedger (0.02s)
{_rows(10, "ok  	example.com/shop/part{n}	0.{m}s")}
FAIL
FAIL	example.com/shop/ledger	0.024s""",
    "go test log",
    ("    --- FAIL: TestLedger/total (0.00s)", "FAIL	example.com/shop/ledger	0.024s"),
    "=== RUN   TestLedger/row_15",
)
NPM = Printed(
    f"""\
$ npm install
{_rows(40, "npm http fetch GET 200 https://npm.example/package-{n} {m}ms")}
npm warn deprecated inflight@1.0.6: This module is not supported
npm error code ERESOLVE
npm error ERESOLVE unable to resolve dependency tree
{_rows(8, "npm http fetch GET 200 https://npm.example/late-{n} {m}ms")}
added 48 packages, and audited 51 packages in 14s
found 0 vulnerabilities""",
    "npm log",
    ("npm error code ERESOLVE", "added 48 packages, and audited 51 packages in 14s"),
    "npm http fetch GET 200 https://npm.example/package-20 740ms",
)
PIP = Printed(
    f"""\
$ pip install -e .
{_rows(24, "Collecting package-{n}>=1.{n}" + chr(10) + "  Downloading package_{n}-1.{n}.whl")}
Installing collected packages: package-0, package-1
ERROR: pip's dependency resolver found a conflict
Successfully installed package-0-1.0 package-1-1.1""",
    "pip log",
    ("ERROR: pip's dependency resolver found a conflict",),
    "Collecting package-12>=1.12",
)
DIFF = Printed(
    "\n".join(
        f"""\
diff --git a/src/part{n}.py b/src/part{n}.py
index 1f2e3d4..5a6b7c8 100644
--- a/src/part{n}.py
+++ b/src/part{n}.py
@@ -10,21 +10,21 @@ def total(rows):
{_rows(20, "     kept_{n} = rows[{m}]")}
-    return sum(rows)
+    return sum(row.amount for row in rows)"""
        for n in range(3)
    ),
    "git diff",
    tuple(f"diff --git a/src/part{n}.py b/src/part{n}.py" for n in range(3)),
    "     kept_12 = rows[444]",
)
PYTHON_TRACE = Printed(
    "Traceback (most recent call last):\n"
    + _rows(
        18, '  File "/home/anna/shop/src/part{n}.py", line {m}, in step_{n}\n    return go({n})'
    )
    + "\nKeyError: 'total'",
    "Python stack trace",
    ("Traceback (most recent call last):", "    return go(17)", "KeyError: 'total'"),
    "    return go(9)",
)
JAVA_TRACE = Printed(
    'Exception in thread "main" com.shop.LedgerException: no total\n'
    + _rows(24, "	at com.shop.ledger.Part{n}.step(Part{n}.java:{m})")
    + "\nCaused by: java.lang.NullPointerException: rows\n"
    + _rows(10, "	at com.shop.rows.Row{n}.read(Row{n}.java:{m})")
    + "\n	... 12 more",
    "stack trace",
    (
        'Exception in thread "main" com.shop.LedgerException: no total',
        "Caused by: java.lang.NullPointerException: rows",
        "	at com.shop.rows.Row0.read(Row0.java:0)",
    ),
    "	at com.shop.ledger.Part15.step(Part15.java:555)",
)
JS_TRACE = Printed(
    "TypeError: Cannot read properties of undefined (reading 'total')\n"
    + _rows(30, "    at Part{n}.step (/home/anna/shop/src/part{n}.js:{m}:11)"),
    "stack trace",
    ("TypeError: Cannot read properties of undefined (reading 'total')",),
    "    at Part15.step (/home/anna/shop/src/part15.js:555:11)",
)
GO_TRACE = Printed(
    "panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\n"
    + _rows(20, "main.part{n}(0x{m:x})\n	/home/anna/shop/part{n}.go:{m} +0x1d"),
    "stack trace",
    ("panic: runtime error: index out of range [3] with length 3",),
    "main.part10(0x172)",
)
RUST_TRACE = Printed(
    "thread 'main' panicked at src/main.rs:9:5:\nno total\nstack backtrace:\n"
    + _rows(20, "  {n:>2}: shop::part{n}::step\n             at ./src/part{n}.rs:{m}:5"),
    "stack trace",
    ("thread 'main' panicked at src/main.rs:9:5:",),
    "  10: shop::part10::step",
)
SERVER = Printed(
    _rows(60, "2025-03-01 10:00:{n:02},123 INFO ledger: saved row {m}")
    + "\n2025-03-01 10:01:00,001 CRITICAL ledger: the disk is gone\n"
    + _rows(20, "2025-03-01 10:02:{n:02},123 DEBUG ledger: looked at {m}"),
    "log",
    ("2025-03-01 10:01:00,001 CRITICAL ledger: the disk is gone",),
    "2025-03-01 10:00:30,123 INFO ledger: saved row 110",
)
DOCKER = Printed(
    "#1 [internal] load build definition from Dockerfile\n"
    + _rows(40, "#7 {n}.{m} extracting layer {n}")
    + '\n#7 ERROR: process "/bin/sh -c make" did not complete\n#8 DONE 0.1s',
    "docker build log",
    ('#7 ERROR: process "/bin/sh -c make" did not complete',),
    "#7 20.740 extracting layer 20",
)

PRINTED = {
    "pytest": PYTEST, "jest": JEST, "cargo": CARGO, "go": GO, "npm": NPM, "pip": PIP,
    "diff": DIFF, "python trace": PYTHON_TRACE, "java trace": JAVA_TRACE, "js trace": JS_TRACE,
    "go trace": GO_TRACE, "rust trace": RUST_TRACE, "server": SERVER, "docker": DOCKER,
}  # fmt: skip

#!/bin/sh
# Sets up what the tests need, and runs them.
#
#   ./RUN_COMPACTION_TESTS.sh [KIND]
#
#   all          bench, then unit with coverage, then all others (the default)
#   unit         one module at a time, in the process
#   property     generated input
#   integration  the scripts as processes
#   endurance    faults at system calls, kills before each, crowds, hostile places, long sessions
#   e2e          the real client against a scripted API; install.sh and a release against the
#                package index; needs npm once, to fetch the client
#   bench        benchmarks: ratios, never an assertion on time
#   guide        the 34 tests of the original guide
#   setup        only the environment
#
# After every change: unit and integration, about a minute on two cores. Benchmarks run alone, the
# other kinds on all cores; what mostly waits, as the client does, in twice as many processes. What
# tests write lies in memory (/dev/shm) where that has room, but for the benchmarks; TMPDIR names
# another place. The environment is .venv and the client .cache/client, both in this folder. Run
# again, nothing is fetched. With CI=true, end-to-end tests that cannot run are failures. The session
# store's tests start a PostgreSQL of their own (Debian: apt install postgresql), the faults need
# strace and the right to mount, and the report's page Chromium and ChromeDriver (all runs
# tests/fetch_browser.sh); without these, the tests that need them are skipped, each by its name.
set -eu

say() { printf '%s\n' "$*"; }
fail() {
    printf 'RUN_COMPACTION_TESTS.sh: %s\n' "$*" >&2
    exit 1
}

cd -- "$(dirname -- "$0")"
kind=${1:-all}
case $kind in
all | unit | property | integration | endurance | e2e | bench | guide | setup) ;;
-h | --help)
    sed -n '2,24s/^# \{0,1\}//p' "$(basename -- "$0")"
    exit 0
    ;;
*) fail "there is no kind $kind (all, unit, property, integration, endurance, e2e, bench, guide or setup)" ;;
esac
[ $# -le 1 ] || fail "one kind at a time"

unset PYTHONHOME PYTHONPATH PYTHONSTARTUP PIP_TARGET PIP_PREFIX PIP_USER PIP_ROOT PIP_REQUIRE_VIRTUALENV
unset PYTHONDONTWRITEBYTECODE # or pytest takes each test's assertions apart anew, in every process
python=.venv/bin/python
stamp=.venv/installed-from

find_python() {
    set -- python3 python3.14 python3.13 python3.12 python3.11 python
    [ -z "${PYTHON:-}" ] || set -- "$PYTHON"
    for name in "$@"; do
        found=$(command -v "$name" 2>/dev/null) || continue
        "$found" -I -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' \
            >/dev/null 2>&1 || continue
        echo "$found"
        return
    done
    fail "Python 3.11 or later with its venv module is needed; $* is none"
}

# Prints the requirements of the package and its tests, one a line. The package itself is not
# installed: what is tested is the checkout.
requirements() {
    "$1" -I - <<'PYTHON'
import tomllib
with open("pyproject.toml", "rb") as stream:
    project = tomllib.load(stream)["project"]
print("\n".join(project["dependencies"] + project["optional-dependencies"]["test"]))
PYTHON
}

set_up() {
    if [ -f "$stamp" ] && requirements "$python" 2>/dev/null | cmp -s - "$stamp"; then
        return
    fi
    found=$(find_python) || exit 1
    say "Making the test environment .venv with $("$found" -I -V 2>&1)"
    rm -f "$stamp"
    "$found" -I -m venv --clear .venv || fail "no environment could be made"
    requirements "$python" >.venv/requirements.txt
    if ! "$python" -I -m pip install --no-input --disable-pip-version-check \
        -r .venv/requirements.txt >.venv/pip.log 2>&1; then
        grep -i error .venv/pip.log | tail -n 5 >&2
        fail "pip could not install what the tests need; is a package index reachable? See .venv/pip.log"
    fi
    mv .venv/requirements.txt "$stamp"
}

# Without the client its tests are skipped, each by name, and in CI they fail.
fetch_client() {
    [ "${CI:-}" != true ] || export AMPLIHACK_E2E_REQUIRED=1
    [ -z "${CLAUDE_BIN:-}" ] || return 0
    if CLAUDE_BIN=$(sh tests/e2e/fetch_client.sh); then
        export CLAUDE_BIN
    else
        unset CLAUDE_BIN
        say "The client is not here: the end-to-end tests are not run (npm fetches it)."
    fi
}

# Without Codex or OpenCode their tests are skipped, by name.
fetch_others() {
    [ -n "${CODEX_BIN:-}" ] || sh tests/e2e/fetch_codex.sh >/dev/null ||
        say "Codex is not here: its end-to-end tests are not run (npm fetches it)."
    [ -n "${OPENCODE_BIN:-}" ] || sh tests/e2e/fetch_opencode.sh >/dev/null ||
        say "OpenCode is not here: its end-to-end tests are not run (npm fetches it)."
}

# Without a browser the tests of the report in one are skipped, each by name.
fetch_browser() {
    sh tests/fetch_browser.sh || say "The tests of the report in a browser are not run: they need Chromium and ChromeDriver."
}

run() { "$python" -m pytest -q -rfEs --no-fold-skipped "$@" </dev/null; }
run_on_all_cores() { run --numprocesses auto --dist worksteal "$@"; }
# Some of these wait for a while: another process makes up for it.
run_units() { run --numprocesses "$(($(getconf _NPROCESSORS_ONLN) + 1))" --dist worksteal "$@"; }
run_what_waits() { run --numprocesses "$(($(getconf _NPROCESSORS_ONLN) * 2))" --dist worksteal "$@"; }
# On a disk, as hooks are. What is counted, and not timed, runs beside what is timed.
bench() {
    counted=$(printf 'tests/bench/test_bench_%s.py ' hot_path natural conformance losses judgement)
    export TMPDIR="${TMPDIR:-/tmp}"
    mkdir -p .cache
    # shellcheck disable=SC2086 # several files
    run $counted >.cache/counted.txt 2>&1 &
    failed=0
    # shellcheck disable=SC2046 # several options
    run tests/bench $(printf -- '--ignore=%s ' $counted) || failed=$?
    wait $! || failed=$?
    cat .cache/counted.txt
    return "$failed"
}

set_up
case $kind in
setup) ;;
all)
    fetch_client
    fetch_others
    fetch_browser
    (bench)
    # Coverage doubles what Python takes, and does not see into the processes of the other kinds.
    run_on_all_cores tests/unit tests/test_*.py \
        --cov --cov-branch --cov-report=json:.cache/coverage.json
    "$python" tests/check_coverage.py .cache/coverage.json
    run_what_waits tests/property tests/integration tests/endurance tests/e2e
    ;;
e2e)
    fetch_client
    fetch_others
    run_what_waits tests/e2e
    ;;
bench) bench ;;
unit) run_units tests/unit tests/test_*.py ;;
guide) run -m guide tests/test_*.py ;;
*) run_on_all_cores "tests/$kind" ;;
esac

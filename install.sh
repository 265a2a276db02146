#!/bin/sh
# Installs amplihack-compaction and registers its hooks in a project.
#
#   ./install.sh [PROJECT_DIR]            for this project and only you; default: the current folder
#   ./install.sh --team [PROJECT_DIR]     for all who work on it
#   ./install.sh --user                   for all of your projects
#   ./install.sh --plugin                 registers nothing: the plugin's own hooks use the environment
#
# Makes an environment of the package's own, and calls `amplihack-compaction install` from it.
# Needs Python 3.11 or later and a package index, and nothing else. Run again, it does only what
# has changed: with the same sources it needs no network.
#
#   AMPLIHACK_COMPACTION_HOME   where the environment lies (~/.local/share/amplihack-compaction)
#   PYTHON                      the interpreter to make it with
set -eu

say() { printf '%s\n' "$*"; }
fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}

# Settings of the caller's that would send packages elsewhere, or other modules in.
unset PYTHONHOME PYTHONPATH PYTHONSTARTUP PIP_TARGET PIP_PREFIX PIP_USER PIP_ROOT PIP_NO_COMPILE
unset PIP_REQUIRE_VIRTUALENV PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX

usage='usage: ./install.sh [PROJECT_DIR], or --team [PROJECT_DIR], --user, --plugin'
option='' folder=''
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        sed -n '2,15s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    --user | --team | --local | --plugin)
        [ -z "$option" ] || fail "$option and $1 exclude each other ($usage)"
        option=$1
        ;;
    -*) fail "unknown option $1 ($usage)" ;;
    *)
        [ -z "$folder" ] || fail "one project folder at a time ($usage)"
        folder=$1
        ;;
    esac
    shift
done
case $option in
--user | --plugin) [ -z "$folder" ] || fail "$option takes no folder ($usage)" ;;
esac

source_dir=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
project=$(CDPATH='' cd -- "${folder:-.}" 2>/dev/null && pwd) || fail "there is no folder ${folder:-.}"
home=${AMPLIHACK_COMPACTION_HOME:-${XDG_DATA_HOME:-${HOME:?HOME is not set}/.local/share}/amplihack-compaction}
case $home in
/*) ;;
*) home=$PWD/$home ;; # hooks run in whatever folder the session is in
esac
env=$home/venv
stamp=$env/installed-from
log=$home/install.log

# Prints what the installed package depends on, as one hash: its sources and the interpreter.
fingerprint() {
    "$1" -I - "$source_dir" <<'PYTHON'
import hashlib, os, sys
digest = hashlib.sha256(sys.version.encode())
root = sys.argv[1]
files = [os.path.join(root, name) for name in ("pyproject.toml", "README.md", "LICENSE")]
for folder in ("amplihack_compaction", "commands"):
    for place, folders, names in os.walk(os.path.join(root, folder)):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        files += [os.path.join(place, name) for name in sorted(names)]
for path in files:
    with open(path, "rb") as stream:
        content = stream.read()
    digest.update(f"{os.path.relpath(path, root)} {len(content)}\n".encode() + content)
print(digest.hexdigest())
PYTHON
}

# Prints the first interpreter that is recent enough and can make environments.
find_python() {
    set -- python3 python3.14 python3.13 python3.12 python3.11 python
    [ -z "${PYTHON:-}" ] || set -- "$PYTHON"
    for name in "$@"; do
        found=$(command -v "$name" 2>/dev/null) || continue
        if "$found" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            recent=$found
            "$found" -I -c 'import ensurepip, venv' >/dev/null 2>&1 || continue
            echo "$found"
            return
        fi
    done
    [ -z "${recent:-}" ] ||
        fail "$recent cannot make environments: install its venv module (Debian: apt install python3-venv)"
    fail "Python 3.11 or later is needed; $* is none. If it lies elsewhere, set PYTHON=/path/to/python3"
}

is_complete() { [ -f "$stamp" ] && "$env/bin/python" -I -c 'import amplihack_compaction' 2>/dev/null; }

make_environment() {
    python=$(find_python) || exit 1
    say "Making the environment $env with $("$python" -I -V 2>&1)"
    mkdir -p "$home" || fail "$home cannot be made: set AMPLIHACK_COMPACTION_HOME to another folder"
    # The stamp is written last: an environment without one was left half made.
    rm -f "$stamp" "$stamp.before"
    if ! "$python" -I -m venv --clear "$env" >"$log" 2>&1; then
        tail -n 5 "$log" >&2
        fail "no environment could be made; see $log"
    fi
}

install_package() {
    say "Installing the package into it (this is the one step that uses the network)"
    # A run that is killed from here on leaves no stamp, and the next one begins anew.
    [ ! -f "$stamp" ] || mv "$stamp" "$stamp.before"
    # -B for what pip starts: a build leaves nothing in the source's folder.
    if ! PYTHONDONTWRITEBYTECODE=1 "$env/bin/python" -I -m pip install --no-input --disable-pip-version-check "$source_dir" >"$log" 2>&1; then
        grep -i error "$log" | tail -n 5 >&2
        # pip replaces nothing before it has everything: what was installed still works.
        [ ! -f "$stamp.before" ] || mv "$stamp.before" "$stamp"
        fail "pip could not install the package; is a package index reachable? All of what it said: $log"
    fi
    # A hook is compiled at every start otherwise.
    "$env/bin/python" -I -m compileall -q "$env"/lib/python3*/site-packages >/dev/null 2>&1 || true
    fingerprint "$env/bin/python" >"$stamp.new"
    mv "$stamp.new" "$stamp"
    rm -f "$stamp.before"
}

is_complete || make_environment
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint "$env/bin/python")" ]; then
    say "The environment $env is up to date"
else
    install_package
fi
if [ -z "$option$folder" ] && [ "$project" = "$source_dir" ]; then
    say "No project was named: the hooks are for this folder alone; ./install.sh PROJECT_DIR names one"
fi
case $option in
--plugin) exec "$env/bin/amplihack-compaction" install --plugin "$source_dir" ;;
--user) exec "$env/bin/amplihack-compaction" install --user ;;
*) exec "$env/bin/amplihack-compaction" install $option --project "$project" ;;
esac

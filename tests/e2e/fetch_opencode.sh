#!/bin/sh
# Installs the OpenCode client that the end-to-end tests run, and prints the path of its binary.
#
#   fetch_opencode.sh [FOLDER]        default: .cache/opencode in the repository
#
# Exit code 3: npm is missing; 4: npm installed no binary for this system.
set -eu

PACKAGE=opencode-ai@1.18.33

folder=${1:-$(cd "$(dirname "$0")/../.." && pwd)/.cache/opencode}
find_binary() {
    find "$folder"/node_modules/opencode-*/bin -name opencode -type f -perm -100 2>/dev/null | sort | head -n 1
}

if [ -z "$(find_binary)" ]; then
    command -v npm >/dev/null 2>&1 || { echo "fetch_opencode.sh: npm is needed to install $PACKAGE" >&2; exit 3; }
    mkdir -p "$folder"
    npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error "$PACKAGE" >&2
fi
binary=$(find_binary)
[ -n "$binary" ] || { echo "fetch_opencode.sh: npm installed no binary of $PACKAGE" >&2; exit 4; }
echo "$binary"

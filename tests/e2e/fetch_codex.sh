#!/bin/sh
# Installs the Codex client that the end-to-end tests run, and prints the path of its binary.
#
#   fetch_codex.sh [FOLDER]        default: .cache/codex in the repository
#
# Exit code 3: npm is missing; 4: npm installed no binary for this system.
set -eu

PACKAGE=@openai/codex@0.171.0

folder=${1:-$(cd "$(dirname "$0")/../.." && pwd)/.cache/codex}
find_binary() {
    find "$folder/node_modules/@openai" -path '*/vendor/*/bin/codex' -type f -perm -100 2>/dev/null | head -n 1
}

if [ -z "$(find_binary)" ]; then
    command -v npm >/dev/null 2>&1 || { echo "fetch_codex.sh: npm is needed to install $PACKAGE" >&2; exit 3; }
    mkdir -p "$folder"
    npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error "$PACKAGE" >&2
fi
binary=$(find_binary)
[ -n "$binary" ] || { echo "fetch_codex.sh: npm installed no binary of $PACKAGE" >&2; exit 4; }
echo "$binary"

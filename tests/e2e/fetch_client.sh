#!/bin/sh
# Installs the client that the end-to-end tests run, and prints the path of its binary as the last line.
#
#   fetch_client.sh [FOLDER]        default: .cache/client in the repository
#
# Does nothing when the pinned version is there already. Exit code 2: this system has no such client;
# 3: npm is missing; 4: npm installed no binary for this system.
set -eu

VERSION=2.1.332
PACKAGE=@anthropic-ai/claude-code

fail() {
    code=$1
    shift
    echo "fetch_client.sh: $*" >&2
    exit "$code"
}

platform() {
    case "$(uname -s)" in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail 2 "no client for $(uname -s); it runs on Linux and macOS" ;;
    esac
    case "$(uname -m)" in
    x86_64 | amd64) machine=x64 ;;
    arm64 | aarch64) machine=arm64 ;;
    *) fail 2 "no client for machines of type $(uname -m)" ;;
    esac
    libc=
    if [ "$system" = linux ] && ls /lib/ld-musl-* >/dev/null 2>&1 && [ ! -e /lib64/ld-linux-x86-64.so.2 ] &&
        [ ! -e /lib/ld-linux-aarch64.so.1 ]; then
        libc=-musl
    fi
    echo "$system-$machine$libc"
}

# The first "version" in a package's own package.json is its version.
installed_version() {
    sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' "$1/package.json" 2>/dev/null | head -n 1
}

is_ready() {
    [ -x "$binary" ] && [ "$(installed_version "$(dirname "$binary")")" = "$VERSION" ]
}

install() {
    command -v npm >/dev/null 2>&1 || fail 3 "npm is needed to install $PACKAGE (Node.js 22 or later)"
    mkdir -p "$folder"
    # --ignore-scripts: the package's script only links the binary, which is used directly.
    npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
        "$PACKAGE@$VERSION" >&2 || fail 1 "npm could not install $PACKAGE@$VERSION"
}

name=$(platform)
folder=${1:-$(cd "$(dirname "$0")/../.." && pwd)/.cache/client}
case "$folder" in
/*) ;;
*) folder=$PWD/$folder ;;
esac
binary=$folder/node_modules/$PACKAGE-$name/claude

is_ready || install
is_ready || fail 4 "npm installed no package $PACKAGE-$name $VERSION with a binary"
echo "$binary"

#!/bin/sh
# Makes Chromium and its driver available for the tests of the report's page, where that is possible:
# on Debian and its kin, as root. Does nothing when they are there. Exit code 1: they are not.
set -eu

is_ready() { command -v chromedriver >/dev/null 2>&1 && command -v chromium >/dev/null 2>&1; }

is_ready && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update && apt-get install -y --no-install-recommends chromium chromium-driver fonts-dejavu-core; } \
        >/dev/null 2>&1 </dev/null || true
fi
is_ready && exit 0
echo "fetch_browser.sh: Chromium and ChromeDriver are not here" >&2
exit 1

#!/usr/bin/env bash
# chromium.sh [whole]: prints the browser of the tests, and installs Debian's before if there is none. Chromium's headless shell is the
# same engine without the windows of a desktop; a page opens in a third of the time. `whole` asks for all of Chromium. Browsers are never
# downloaded by a test tool.
set -euo pipefail
package=chromium-headless-shell
[ "${1:-}" != whole ] || package=chromium

installed() {
  local name
  for name in "${CHROMIUM:-}" $package chromium chromium-browser google-chrome; do
    [ -z "$name" ] || ! command -v "$name" || return 0
  done
  return 1
}

installed && exit 0
"${0%/*}/debian.sh" Chromium "install it, or name one with CHROMIUM=/path" $package fonts-liberation >&2
installed

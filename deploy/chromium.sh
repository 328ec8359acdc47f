#!/usr/bin/env bash
# Finds Chromium for the browser tests, or installs Debian's. Browsers are never downloaded by a test tool.
set -euo pipefail
for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
  [ -n "$name" ] && command -v "$name" >/dev/null && exit 0
done
"${0%/*}/debian.sh" Chromium "install it, or name one with CHROMIUM=/path" chromium fonts-liberation

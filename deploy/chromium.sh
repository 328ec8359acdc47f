#!/usr/bin/env bash
# Finds Chromium for the browser tests, or installs Debian's. Browsers are never downloaded by a test tool.
set -euo pipefail
for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
  [ -n "$name" ] && command -v "$name" >/dev/null && exit 0
done
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  echo "Installing Chromium from Debian"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null
  apt-get install -y -qq --no-install-recommends chromium fonts-liberation >/dev/null
  exit 0
fi
echo "The browser tests need Chromium, which is not installed; install it, or name one with CHROMIUM=/path." >&2
exit 1

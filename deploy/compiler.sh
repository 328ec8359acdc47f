#!/usr/bin/env bash
# Finds the C compiler that Go's race detector is linked with, or installs Debian's.
set -euo pipefail
command -v "$(go env CC | cut -d' ' -f1)" >/dev/null && exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  echo "Installing a C compiler from Debian"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null
  apt-get install -y -qq --no-install-recommends gcc libc6-dev >/dev/null
  exit 0
fi
echo "The race detector needs a C compiler, which is not installed; install gcc, or name one with CC." >&2
exit 1

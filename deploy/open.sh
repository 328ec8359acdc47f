#!/usr/bin/env bash
# open.sh ADDRESS shows an address in this machine's browser, or prints it where no browser can be started.
set -euo pipefail
for opener in open xdg-open; do
  if command -v $opener >/dev/null && $opener "$1"; then exit; fi
done
echo "Open $1"

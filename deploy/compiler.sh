#!/usr/bin/env bash
# Finds the C compiler that Go's race detector is linked with, or installs Debian's.
set -euo pipefail
command -v "$(go env CC | cut -d' ' -f1)" >/dev/null && exit 0
"${0%/*}/debian.sh" "a C compiler" "install gcc, or name one with CC" gcc libc6-dev

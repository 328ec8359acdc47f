#!/usr/bin/env bash
# debian.sh WHAT ELSE PACKAGE...: installs Debian's packages for something that the tests need and that is
# missing; where that cannot be done, says in one sentence WHAT is needed and what ELSE to do.
set -euo pipefail
what=$1 else=$2
shift 2
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  echo "Installing $what from Debian"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null
  apt-get install -y -qq --no-install-recommends "$@" >/dev/null
  exit 0
fi
echo "The tests need $what, which is not installed; $else." >&2
exit 1

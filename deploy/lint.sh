#!/usr/bin/env bash
# lint.sh [--fix]: contracts, Go and the app; every linter with its reasons in its own configuration.
set -euo pipefail
cd "$(dirname "$0")/.."
buf=frontend/node_modules/.bin/buf
linter=.cache/bin/golangci-lint
modules=() # filled so that the bash of macOS can, which has no mapfile
while IFS= read -r module; do modules+=("$module"); done < <(go list -m -f '{{.Dir}}' | grep -v /proto/gen)

if [ "${1:-}" = --fix ]; then
  $buf format -w proto
  $linter fmt "${modules[@]}"
  (cd frontend && npm run --silent format)
  exit 0
fi

code=0 # everything is looked at, whatever was found before
deploy/plain.sh || code=1
$buf lint || code=1
$buf format -d --exit-code proto || code=1
# All modules in one run: what they share is looked at once (one by one took seven times as long).
# Where another run is under way on this machine it waits for it.
$linter run --allow-serial-runners "${modules[@]/%//...}" || code=1
cd frontend
npm run --silent lint || code=1
npm run --silent format:check || code=1
npm run --silent typecheck || code=1
exit $code

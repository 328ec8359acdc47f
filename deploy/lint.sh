#!/usr/bin/env bash
# lint.sh [--fix]: contracts, Go and the app; every linter with its reasons in its own configuration.
set -euo pipefail
cd "$(dirname "$0")/.."
buf=frontend/node_modules/.bin/buf
modules=$(go list -m -f '{{.Dir}}' | grep -v /proto/gen)

if [ "${1:-}" = --fix ]; then
  $buf format -w proto
  for module in $modules; do (cd "$module" && "$OLDPWD/.cache/bin/golangci-lint" fmt ./...); done
  (cd frontend && npm run --silent format)
  exit 0
fi

code=0 # everything is looked at, whatever was found before
$buf lint || code=1
$buf format -d --exit-code proto || code=1
for module in $modules; do
  (cd "$module" && "$OLDPWD/.cache/bin/golangci-lint" run ./...) || code=1
done
cd frontend
npm run --silent lint || code=1
npm run --silent format:check || code=1
npm run --silent typecheck || code=1
exit $code

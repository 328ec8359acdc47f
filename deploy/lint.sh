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

$buf lint
$buf format -d --exit-code proto
for module in $modules; do
  (cd "$module" && "$OLDPWD/.cache/bin/golangci-lint" run ./...)
done
cd frontend
npm run --silent lint
npm run --silent format:check
npm run --silent typecheck

#!/usr/bin/env bash
# test.sh [unit|e2e]: runs the tests. Without an argument all of them.
#   unit   every Go module against one throw-away PostgreSQL, and the app's unit tests, side by side
#   e2e    the whole product in a real browser, over gRPC, and with its parts killed
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-all}

unit() {
  (cd frontend && npm run --silent test) &
  local app=$!
  local code=0
  go run ./deploy/local/cmd/testdb go test -timeout 10m \
    serein.app/services/... serein.app/gateway/... serein.app/deploy/local/... || code=$?
  wait $app || code=$?
  return $code
}

# What must hold under concurrency runs under the race detector as well: money, sessions, work, events.
race() {
  go run ./deploy/local/cmd/testdb go test -race -timeout 10m \
    serein.app/services/billing/... serein.app/services/generation serein.app/services/platform/outbox \
    serein.app/services/platform/server serein.app/gateway/internal/session serein.app/deploy/local/...
}

e2e() { go test -count=1 -timeout 15m serein.app/deploy/e2e/...; }

case $what in
unit) unit ;;
e2e) e2e ;;
all) unit; race; e2e ;;
*) echo "usage: test.sh [unit|e2e]" >&2; exit 2 ;;
esac

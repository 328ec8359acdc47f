#!/usr/bin/env bash
# test.sh [unit|e2e]: runs the tests. Without an argument all of them.
#   unit   every Go module against one throw-away PostgreSQL, and the app's unit tests, side by side
#   e2e    the whole product in a real browser, over gRPC, and with its parts killed
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-all}
# The browser that chromium.sh has found or installed, for the components of the app.
CHROMIUM=$(command -v "${CHROMIUM:-chromium}" || command -v chromium-browser || command -v google-chrome || true)
export CHROMIUM

# What the tests write and nobody keeps lies in memory, where there is much of it: a database a test costs half as much there.
# Programs are started from it too, which a container may forbid.
free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -1) || free=0
if [ "${free:-0}" -gt $((8 << 20)) ] && ! grep -q ' /dev/shm [^ ]* [^ ]*noexec' /proc/mounts; then
  TMPDIR=$(mktemp -d /dev/shm/serein-test-XXXXXX)
  export TMPDIR
  trap 'rm -rf "$TMPDIR"' EXIT
fi

# They read the sources of all modules, which the cache of test results does not look at.
sources=(serein.app/deploy/local/conventions serein.app/deploy/e2e/access)
all_packages=(serein.app/services/... serein.app/gateway/... serein.app/deploy/local/... serein.app/deploy/load/...)
# What must hold under concurrency: money, sessions, work, events. It runs under the race detector.
raced=(
  serein.app/services/billing/... serein.app/services/generation serein.app/services/platform/outbox
  serein.app/services/platform/server serein.app/gateway/internal/session serein.app/deploy/local/cache
)
# One caller's story of very many steps: the race detector would find nothing in it, and take several times as long.
unraced=serein.app/services/billing/internal/life

# The linter vets; vetting here too would look at every dependency twice, with the race detector and without.
go_test() { go run ./deploy/local/cmd/testdb go test -vet=off -timeout 20m "$@"; }

# beside_app runs the app's unit tests beside a command, and fails if either does.
beside_app() {
  (cd frontend && npm run --silent test) &
  local app=$! code=0
  "$@" || code=1
  wait $app || code=1
  return $code
}

unit() {
  local code=0
  go_test "${all_packages[@]}" || code=1
  go test -vet=off -count=1 "${sources[@]}" || code=1
  return $code
}

# Long tests with one caller, in packages that run under the race detector: as above.
sequential='AfterAYear|PlainModel|SixEventsOfAPurchase|ByAnyEventThatIsDropped|NobodyPaysWithoutSound|APanicOnAWord'

# As unit, but each package that must hold under concurrency runs under the race detector instead.
unit_raced() {
  local code=0 race
  race=$(go list "${raced[@]}" | grep -vxF "$unraced")
  go_test -race -skip "$sequential" $race || code=1
  go_test -run "$sequential" $race || code=1
  go_test $(go list "${all_packages[@]}" | grep -vxF "$race") || code=1
  go test -vet=off -count=1 "${sources[@]}" || code=1
  return $code
}

e2e() { go test -vet=off -count=1 -timeout 30m serein.app/deploy/e2e/...; }

case $what in
unit) beside_app unit ;;
e2e) PICTURES=1 e2e ;; # for a person to look at
all) # both: what fails in one part hides nothing of the other
  code=0
  beside_app unit_raced || code=1
  e2e || code=1
  exit $code
  ;;
*) echo "usage: test.sh [unit|e2e]" >&2; exit 2 ;;
esac

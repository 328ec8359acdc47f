#!/usr/bin/env bash
# test.sh [unit|e2e|full|engines|replicas]: runs the tests; without an argument all that a change must pass, which is unit and e2e.
#   unit   all Go packages that need no whole product, against one throw-away PostgreSQL, and the app's unit tests, side by side
#   e2e    the whole product from outside, as far as every change must pass it
#   full   all of that: every page at every width, every crash, every attack, three browser engines, replicas, and titles of all authors
#   engines  what members do most, in Chromium, Firefox ESR and WebKitGTK
#   replicas  the whole product with two of each program, restarted and killed one by one, and the gate's browser flows on it
# Each step prints its seconds. The events of a step of Go's tests are kept in .cache/test/STEP.json.
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-all}
events=.cache/test
# All of Chromium, as people have it, is for what runs before a release.
case $what in full | engines | replicas) CHROMIUM=$(deploy/chromium.sh whole) ;; *) CHROMIUM=$(deploy/chromium.sh) ;; esac
export CHROMIUM

# claim gives this run a folder and a port that no other run on this machine has, and the next run the same ones: Go keeps
# the result of a test only while what the test has read from the environment stays as it was.
claim() {
  local run free memory=${TMPDIR:-/tmp}
  # What the tests write and nobody keeps lies in memory, where there is much of it: a database a test costs half as much
  # there. Programs are started from it too, which a container may forbid.
  free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -1) || free=0
  if [ "${free:-0}" -gt $((8 << 20)) ] && ! grep -q ' /dev/shm [^ ]* [^ ]*noexec' /proc/mounts; then memory=/dev/shm; fi
  command -v flock >/dev/null || return 0 # macOS: a free port and the system's own folder
  for run in 1 2 3 4 5 6 7 8 9; do
    exec 9>"$memory/serein-test-$run.lock"
    if flock -n 9 && ! (: <"/dev/tcp/127.0.0.1/5432$run") 2>/dev/null; then
      export TEST_DATABASE_PORT=5432$run TMPDIR=$memory/serein-test-$run
      rm -rf "$TMPDIR" && mkdir "$TMPDIR"
      trap 'rm -rf "$TMPDIR"' EXIT
      return 0
    fi
  done
}

# date_inputs dates what tests read beside their sources by its content. Go keeps the result of a test while what it has read in its
# module has the same size and time: so it finds the result in a new clone too.
date_inputs() {
  touch -d @0 $events/dated 2>/dev/null || return 0 # another system's touch may not know this: tests run again in a new clone
  local path hash files suite
  files=$(git ls-files '*/testdata/*' '*/sqlcgen/*' 'deploy/k8s/overlays/*/nats.conf' 'services/content/seed/*' 'services/*-suite/*')
  while read -r path hash; do
    date_by "$hash" "$path"
  done < <(paste -d ' ' <(echo "$files") <(git hash-object --stdin-paths <<<"$files"))
  for suite in services/*/*-suite; do # what npm has installed there is what the lock says
    files=$(find "$suite" -maxdepth 3 -type d)
    date_by "$(git hash-object "$suite/package-lock.json")" $files
  done
  find services gateway deploy -path '*/node_modules' -prune -o -type d \( -path '*/testdata*' -o -path '*/sqlcgen*' -o -path '*/content/seed*' \) -exec touch -d @0 {} +
}

# date_by HASH PATH... gives paths a time that only this hash has.
date_by() { touch -d "@$((16#${1:0:7}))" "${@:2}"; }

# go_test STEP [option of gotestsum ...] -- [option or package of go test ...] runs tests as a step of that name.
# The linter vets; vetting here too would look at every dependency twice, with the race detector and without.
go_test() {
  local step=$1 began=$SECONDS code=0 options=()
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  ${database:-} .cache/bin/gotestsum --format pkgname --format-hide-empty-pkg --hide-summary skipped \
    --jsonfile "$events/$step.json" ${options[@]+"${options[@]}"} -- -vet=off "$@" || code=1
  echo "-- $step: $((SECONDS - began)) s"
  return $code
}

# side_by_side FIRST SECOND runs two functions at once and fails if either does. What the first prints comes at its end.
side_by_side() {
  local code=0
  "$1" >"$events/$1.log" 2>&1 &
  local first=$!
  "$2" || code=1
  wait $first || code=1
  cat "$events/$1.log"
  return $code
}

# app runs the app's tests. As Go does with its own, it keeps that they passed: the same sources with the same Node and browser are not
# tested again, in another clone neither.
app() {
  local began=$SECONDS code=0 kept=${XDG_CACHE_HOME:-$HOME/.cache}/serein/app-tests passed
  passed=$kept/$(app_inputs)
  if [ -e "$passed" ]; then
    touch "$passed"
    echo "-- app: passed before, with the same sources (rm -r $kept forgets it)"
    return 0
  fi
  (cd frontend && npm run --silent test) || code=1
  if [ $code = 0 ]; then
    mkdir -p "$kept"
    find "$kept" -type f -mtime +30 -delete
    touch "$passed"
  fi
  echo "-- app: $((SECONDS - began)) s"
  return $code
}

# app_inputs prints a hash of all that the app's tests read (src/testing/limits.test.ts holds them to it).
app_inputs() {
  local inputs=(frontend services/generation/internal/shared services/generation/internal/script/testdata/names.json) files
  files=$(comm -23 <(git ls-files -co --exclude-standard "${inputs[@]}" | sort -u) <(git ls-files -d "${inputs[@]}" | sort -u))
  {
    node --version
    "$CHROMIUM" --version
    echo "$files"
    git hash-object --stdin-paths <<<"$files"
  } | git hash-object --stdin
}

# What reads files of other modules, which the cache of test results does not look at: whole packages, and tests of others.
sources=(serein.app/deploy/{local/{conventions,settings},load/soak/faults,e2e/{access,promises},k8s/{check,docs,tilt}})
readers=(serein.app/services/testkit serein.app/services/billing/internal/stripe serein.app/gateway serein.app/gateway/internal/page)
reading='GoingLiveNamesTheEvents|NoProgramOfProduction|ThePartsOfTests|EveryCallOfTheGatewayHasARow|AccessMatrixHoldsInTheGateway|OfAPublicProvider|WhatTheAppComputes'
all_packages=(
  serein.app/services/... serein.app/gateway/... serein.app/deploy/local/... serein.app/deploy/load/... serein.app/deploy/docker/...
  serein.app/docs/integrate
)
# One PostgreSQL for all, and calls that outlast a machine that stands still for a while: that is no fault.
tests_database="env DEADLINE_SCALE=5 go run ./deploy/local/cmd/testdb"
# What must hold under concurrency: money, sessions, work, events. It runs under the race detector.
raced=(
  serein.app/services/billing/... serein.app/services/generation serein.app/services/platform/outbox
  serein.app/services/platform/server serein.app/gateway/internal/session serein.app/deploy/local/cache
)
# One caller's story of very many steps: the race detector would find nothing in it, and take several times as long.
unraced=serein.app/services/billing/internal/life
# Long tests with one caller, in packages that run under the race detector: as above.
sequential='AfterAYear|PlainModel|SixEventsOfAPurchase|ByAnyEventThatIsDropped|NobodyPaysWithoutSound|APanicOnAWord'

lines() { printf '%s\n' "$@"; }

units() {
  local code=0 database=$tests_database
  go_test units -- -timeout 20m -skip "$reading" $(go list "${all_packages[@]}" | grep -vxF "$(lines "${sources[@]}")") || code=1
  elsewhere || code=1
  return $code
}

elsewhere() {
  local code=0
  go_test sources -- -count=1 "${sources[@]}" || code=1
  go_test readers -- -count=1 -run "$reading" "${readers[@]}" || code=1
  return $code
}

# As units, but each package that must hold under concurrency runs under the race detector instead.
units_raced() {
  local code=0 race database=$tests_database
  race=$(go list "${raced[@]}" | grep -vxF "$unraced")
  go_test raced -- -timeout 20m -race -skip "$sequential" $race || code=1
  go_test sequential -- -timeout 20m -run "$sequential" $race || code=1
  go_test units -- -timeout 20m -skip "$reading" $(go list "${all_packages[@]}" | grep -vxF "$race" | grep -vxF "$(lines "${sources[@]}")") || code=1
  elsewhere || code=1
  return $code
}

outside=serein.app/deploy/e2e
tags=() # all there is: (-tags full)
# What was no test's fault (the product did not start, a secret stood where it may not) is kept beside the results: of a package whose
# tests are run once more nobody would know it.
export SUITE_FAULTS=$PWD/$events/faults
e2e() {
  local code=0
  side_by_side strict flows || code=1
  [ ! -s "$SUITE_FAULTS" ] || { cat "$SUITE_FAULTS"; code=1; }
  return $code
}

# A browser flow that fails is run once more, alone, against a new product and in a new browser; of more than three none is.
flows() {
  go_test ${1:-flows} --rerun-fails=1 --rerun-fails-max-failures=3 --rerun-fails-report=$events/flaky --rerun-fails-run-root-test \
    --packages=$outside/flows -- -count=1 -timeout 40m ${tags[@]+"${tags[@]}"} || return 1
  # A package that ended without a test's fault is "run once more" without any test.
  ! grep -s ': 0 runs' $events/flaky
}

# Money, access and what may be lost are red the first time, and so are the tools of the tests. faults waits for most of its time, the
# others beside it do not.
strict() {
  go_test strict -- -count=1 -timeout 60m -p 2 ${tags[@]+"${tags[@]}"} $outside/faults $(go list $outside/... | grep -vE "/e2e/(access|promises|faults|flows$apart)$")
}
apart= # what more has a step by itself: (|replicas|engines)

# Two of each program take all processors: nothing else runs beside them.
replicas() {
  local code=0
  go_test replicas -- -count=1 -timeout 40m -tags full $outside/replicas || code=1
  IMAGES=1 REPLICAS=2 flows flows-replicas || code=1
  [ ! -s "$SUITE_FAULTS" ] || { cat "$SUITE_FAULTS"; code=1; }
  return $code
}

# Browsers play sound in time with the clock, one after the other: nothing else runs beside them.
engines() {
  local code=0
  deploy/browsers.sh && go_test engines -- -count=1 -timeout 40m -tags full $outside/engines || code=1
  [ ! -s "$SUITE_FAULTS" ] || { cat "$SUITE_FAULTS"; code=1; }
  return $code
}

# report names the slowest tests, and the flows that have passed only the second time.
report() {
  echo "-- the slowest tests:"
  cat $events/*.json | .cache/bin/gotestsum tool slowest --threshold 5s | sed -n 1,15p
  [ ! -s $events/flaky ] || sed 's/^/FLAKY /' $events/flaky
}

claim
mkdir -p $events
rm -f $events/*
code=0
case $what in
unit) date_inputs && side_by_side app units || code=1 ;;
e2e) e2e || code=1 ;;
full)
  tags=(-tags full) apart='|replicas|engines'
  PICTURES=1 e2e || code=1 # for a person to look at
  go_test authors -- -count=1 -tags full -run OfAuthors serein.app/services/generation/internal/safety || code=1
  tags=()
  engines || code=1
  replicas || code=1
  ;;
engines) engines || code=1 ;;
replicas) replicas || code=1 ;;
all) # what fails in one part hides nothing of the other
  date_inputs
  side_by_side app units_raced || code=1
  e2e || code=1
  ;;
*) echo "usage: test.sh [unit|e2e|full|engines|replicas]" >&2; exit 2 ;;
esac
report
exit $code

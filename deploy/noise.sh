#!/usr/bin/env bash
# noise.sh [RUNS]: runs the tests from outside that every change must pass, 20 times unless told otherwise, on a machine that is anything
# but quiet: four busy loops compute beside them, and once a run, at a random moment, every process of the products and browsers stands
# still for 20 seconds. A line a run says how it went; .cache/noise keeps what each run has printed. Fails if a run is red.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-20}
into=.cache/noise
rm -rf $into && mkdir -p $into

loops=()
for _ in 1 2 3 4; do
  while :; do :; done &
  loops+=($!)
done
trap 'kill "${loops[@]}" 2>/dev/null' EXIT

# descendants PID prints the processes below a process, the whole way down.
descendants() {
  local child
  for child in $(pgrep -P "$1"); do
    echo "$child"
    descendants "$child"
  done
}

# product PID prints those below the tests that are no part of the tests: services, databases and browsers.
product() {
  local pid name
  for pid in $(descendants "$1"); do
    name=$(cat "/proc/$pid/comm" 2>/dev/null) || continue
    case $name in bash | test.sh | cat | go | gotestsum | *.test) ;; *) echo "$pid" ;; esac
  done
}

# pause PID SECONDS has the product below a process stand still for 20 seconds, that many seconds from now or once there is a product, and
# says so.
pause() {
  local stopped began=$SECONDS
  sleep "$2"
  until stopped=$(product "$1") && [ -n "$stopped" ]; do sleep 5; done
  kill -STOP $stopped 2>/dev/null || true # some have ended meanwhile
  sleep 20
  kill -CONT $stopped 2>/dev/null || true
  echo "$(wc -w <<<"$stopped") processes stood still after $((SECONDS - began - 20)) s"
}

red=0 lasts=300
for ((run = 1; run <= runs; run++)); do
  began=$SECONDS result=green
  deploy/test.sh e2e >"$into/$run.log" 2>&1 &
  tests=$!
  pause $tests $((RANDOM % lasts)) >"$into/pause" 2>&1 &
  paused=$!
  wait $tests || { result=red && red=$((red + 1)); }
  lasts=$((SECONDS - began))
  kill $paused 2>/dev/null || true # the tests were faster
  wait $paused || true
  printf '%s\n' "run $run: $result, $lasts s, $(cat $into/pause)$(sed -n 's/^FLAKY/; FLAKY/p' "$into/$run.log" | tr -d '\n')" | tee -a $into/results
done
echo "$red of $runs red"
[ $red = 0 ]

#!/usr/bin/env bash
# roll-out.sh OVERLAY rolls an overlay out, deploy/k8s/overlays/prod for example: first everything but the programs, with the Jobs that
# make and migrate the databases, and the programs once all of these are complete. It ends as soon as one has failed, with exit code 1 and
# the end of its log; the release before goes on serving.
set -euo pipefail
overlay=${1:?roll-out.sh OVERLAY}
minutes=15 # as activeDeadlineSeconds of the Jobs

kube() { kubectl --namespace serein "$@"; }

# steps prints a line for each Job: its name and, once it has ended, how.
steps() {
  kube get jobs --selector serein.app/step --output 'go-template={{range .items}}{{.metadata.name}}{{range .status.conditions}}{{if and (eq .status "True") (or (eq .type "Complete") (eq .type "Failed"))}} {{.type}}{{end}}{{end}}{{"\n"}}{{end}}'
}

stop() {
  echo "$1; the programs are as they were" >&2
  exit 1
}

kube delete job --selector serein.app/step --ignore-not-found # a Job cannot be changed
kubectl apply --kustomize "$overlay" --selector 'serein.app/kind!=program'

deadline=$((SECONDS + minutes * 60))
while :; do
  now=$(steps)
  for job in $(sed -n 's/ Failed$//p' <<<"$now"); do
    kube logs "job/$job" --tail 50 >&2 || true
    stop "$job has failed: kubectl --namespace serein logs job/$job"
  done
  if [[ -n $now ]] && ! grep -qv ' Complete$' <<<"$now"; then break; fi
  ((SECONDS < deadline)) || stop "not complete after $minutes minutes: $(grep -v ' Complete$' <<<"$now" | paste -sd ' ' -)"
  sleep 3
done

kubectl apply --kustomize "$overlay"
kube rollout status deployment --selector serein.app/kind=program --timeout 10m

#!/usr/bin/env bash
# Writes generated code again: Go and TypeScript from proto/, Go from each service's SQL, the weights of the classifier of
# titles, and tables of the READMEs.
set -euo pipefail
cd "$(dirname "$0")/.."
buf=frontend/node_modules/.bin/buf
rm -rf proto/gen/serein frontend/src/gen gateway/internal/rest/openapi.swagger.json docs/integrate/node/gen
$buf generate
$buf generate --template frontend/buf.gen.yaml
$buf generate --template proto/serein/rest/buf.gen.yaml
$buf generate --template docs/integrate/node/buf.gen.yaml
for config in services/*/sqlc.yaml; do
  (cd "$(dirname "$config")" && ../../.cache/bin/sqlc generate)
done
(cd services/generation/internal/safety && go run ./cmd/traincare) # the weights of the classifier of titles
go run ./deploy/k8s/observe/cmd/dashboards deploy/k8s/components/monitoring/grafana
go run ./deploy/local/cmd/readmes # the tables of settings, of metrics and of what is removed in the READMEs

#!/usr/bin/env bash
# protovalidate.sh FOLDER: copies the validation rules' contract out of the Go module cache, at the version pinned in
# go.mod, so that buf can read it without a network. It is not ours, so it is not committed.
set -euo pipefail
cd "$(dirname "$0")"
GOWORK=off go mod download github.com/bufbuild/protovalidate
source=$(GOWORK=off go list -m -f '{{.Dir}}' github.com/bufbuild/protovalidate)
mkdir -p "$1"
cp -r "$source/proto/protovalidate/buf" "$1/"
chmod -R u+w "$1"

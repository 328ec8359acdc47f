package conventions

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

// shared are the modules that services may import beside themselves and the contracts. sound is
// for those that make sound.
func shared(service string) []string {
	if service == "content" || service == "generation" {
		return []string{"platform", "testkit", "sound"}
	}
	return []string{"platform", "testkit"}
}

func TestServicesMeetInTheContractsAlone(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for path, source := range sources(t, ".go") {
		service := owner(path)
		if service == "" || service == "testkit" || service == "platform" || service == "sound" {
			continue
		}
		seen[service] = true
		for _, spec := range parse(t, path, source).Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			require.False(t, strings.HasPrefix(imported, "serein.app/deploy"), "%s imports %s", path, imported)
			if other := owner(strings.TrimPrefix(imported, "serein.app/") + "/"); other != "" && other != service {
				require.Contains(t, shared(service), other, "%s imports %s", path, imported)
			}
		}
	}
	require.ElementsMatch(t, testkit.Services(), slices.Collect(maps.Keys(seen)))
}

// owner is the service, shared module or gateway that a path lies in; empty for what is elsewhere.
func owner(path string) string {
	if strings.HasPrefix(path, "gateway/") {
		return "gateway"
	}
	rest, ok := strings.CutPrefix(path, "services/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

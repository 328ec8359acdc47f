package conventions

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/local/stack"
	"serein.app/services/testkit"
)

// `serein cluster-secrets` makes what the manifests read, as the table of deploy/k8s/README.md has it.
func TestADevelopersClusterGetsTheSecretsThatItsManifestsRead(t *testing.T) {
	t.Parallel()
	s, err := stack.Open(stack.Options{DataDir: t.TempDir(), Root: testkit.Repository(t)})
	require.NoError(t, err)
	made, err := s.ClusterSecrets()
	require.NoError(t, err)
	var list struct {
		Items []struct {
			Metadata   struct{ Name string }
			StringData map[string]string
		}
	}
	require.NoError(t, json.Unmarshal(made, &list))
	found := map[string][]string{}
	for _, secret := range list.Items {
		found[secret.Metadata.Name] = slices.Sorted(maps.Keys(secret.StringData))
	}
	require.Equal(t, documentedSecrets(t), found)
}

var quoted = regexp.MustCompile("`([^`]+)`")

// documentedSecrets are the secrets of overlay dev with their keys.
func documentedSecrets(t *testing.T) map[string][]string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(testkit.Repository(t), "deploy/k8s/README.md"))
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(readme), "| secret | keys | overlay |")
	require.True(t, ok, "the table of secrets has another head")
	found := map[string][]string{}
	for _, row := range strings.Split(table, "\n")[2:] {
		cells := strings.Split(row, "|")
		if len(cells) < 5 {
			break
		}
		if strings.TrimSpace(cells[3]) == "prod" {
			continue
		}
		var keys []string
		for _, key := range quoted.FindAllStringSubmatch(cells[2], -1) {
			keys = append(keys, key[1])
		}
		slices.Sort(keys)
		for _, name := range quoted.FindAllStringSubmatch(cells[1], -1) {
			found[name[1]] = keys
		}
	}
	return found
}

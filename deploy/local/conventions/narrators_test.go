package conventions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"serein.app/services/testkit"
)

// Generation owns who can speak. Content names a narrator for each meditation type and one for all immersive meditations, and shows
// these names without asking generation.
func TestContentPresetsNarratorsByTheNamesThatGenerationHas(t *testing.T) {
	t.Parallel()
	type narrator struct{ ID, Name string }
	var owned struct {
		Narrators []narrator
		Defaults  struct{ Immersive string }
	}
	read(t, "services/generation/internal/narration/narrators.yaml", &owned, yaml.Unmarshal)
	var types []struct {
		ID       string
		Narrator narrator
	}
	read(t, "services/content/internal/catalogue/types.json", &types, json.Unmarshal)
	require.NotEmpty(t, types)
	for _, typ := range types {
		require.Contains(t, owned.Narrators, typ.Narrator, typ.ID)
	}
	var shown struct{ Immersive narrator }
	read(t, "services/content/internal/catalogue/narrators.json", &shown, json.Unmarshal)
	require.Contains(t, owned.Narrators, shown.Immersive)
	require.Equal(t, owned.Defaults.Immersive, shown.Immersive.ID, "who speaks what is immersive")
}

// read parses a file of the repository.
func read[T any](t *testing.T, path string, into *T, parse func([]byte, any) error) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testkit.Repository(t), path))
	require.NoError(t, err)
	require.NoError(t, parse(data, into))
}

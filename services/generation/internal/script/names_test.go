package script

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestANameIsSaidWhereANarratorCan(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/names.json")
	require.NoError(t, err)
	var names map[string]string
	require.NoError(t, json.Unmarshal(file, &names))
	require.NotEmpty(t, names)
	for name, want := range names {
		got, said := spokenName(name)
		require.Equal(t, want != "", said, name)
		if said {
			require.Equal(t, want, got)
		}
	}
}

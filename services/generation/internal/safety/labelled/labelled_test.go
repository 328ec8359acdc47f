package labelled_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/safety/labelled"
)

func TestTitlesAreReadWithTheirLabels(t *testing.T) {
	t.Parallel()
	all, err := labelled.Read(fstest.MapFS{
		"b.tsv": {Data: []byte("grief\tMissing my dad\n")}, "a.tsv": {Data: []byte("trap\tDie Hard\nordinary\tTea\n")}, "c.txt": {Data: []byte("x")},
	})
	require.NoError(t, err)
	require.Equal(t, []labelled.Title{
		{Label: labelled.Trap, Class: safety.Ordinary, Text: "Die Hard", File: "a.tsv"},
		{Label: "ordinary", Class: safety.Ordinary, Text: "Tea", File: "a.tsv"},
		{Label: "grief", Class: safety.Grief, Text: "Missing my dad", File: "b.tsv"},
	}, all)
}

func TestALineWithoutAKnownLabelIsRefused(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"no tab", "heavy\tA title", "joy\tA title", "\n"} {
		_, err := labelled.Read(fstest.MapFS{"a.tsv": {Data: []byte(line)}})
		require.ErrorIs(t, err, labelled.ErrLine, line)
	}
}

package script

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAClassLeadsToAThemeAPictureOrNowhere(t *testing.T) {
	t.Parallel()
	lib := &library{themes: map[string]*sheet{"sport": {}}, images: map[string]*sheet{"kitchen": {}}}
	require.NoError(t, lib.addClasses("# for editors\n== ball games: sport\ncurling, pitch and putt\npadel\n\n== dishes: kitchen\nsushi\n== sayings: -\nhot potato"))
	require.Equal(t, []string{"curling", "padel"}, lib.themes["sport"].weak)
	require.Equal(t, []string{"pitch and putt"}, lib.themes["sport"].keywords)
	require.Equal(t, []string{"sushi"}, lib.images["kitchen"].weak)
	require.Equal(t, []string{"hot potato"}, lib.sayings)
	for text, where := range map[string]string{"curling": "line 1", "== games: chess\nchess": "line 1", "== games\nchess": "line 1"} {
		require.ErrorContains(t, lib.addClasses(text), where, text)
	}
}

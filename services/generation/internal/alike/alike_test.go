package alike_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/alike"
)

func TestSentencesThatDifferByAWordOrTwoAreAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		one, other string
		alike      bool
	}{
		{"Let the shoulders drop a little.", "Let the shoulders drop, a little!", true},
		{"Let the shoulders drop a little.", "Let your shoulders drop a little more.", true},
		{"Let the shoulders drop a little.", "Let the jaw hang quite loose now.", false},
		{"Rest here.", "Rest there.", false},
		{"Rest here.", "rest here", true},
		{"Don't hurry.", "Do not hurry.", false},
		{"One two three four five.", "One two three four five six seven eight.", false},
	} {
		require.Equal(t, c.alike, alike.Same(alike.Bare(c.one), alike.Bare(c.other)), "%s %s", c.one, c.other)
	}
}

package catalogue

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func load(t *testing.T) Catalogue {
	t.Helper()
	c, err := Load()
	require.NoError(t, err)
	return c
}

func ids[T any](items []T, id func(T) string) (all []string) {
	for _, item := range items {
		all = append(all, id(item))
	}
	return all
}

func TestTheWholeOfferIsThere(t *testing.T) {
	t.Parallel()
	c := load(t)
	require.ElementsMatch(t, []string{
		"stress-relief", "loving-kindness", "better-sleep", "focus-concentration", "mindfulness", "compassion",
		"gratitude", "anxiety-relief", "resilience", "relationships", "anger",
	}, ids(c.Types, func(x Type) string { return x.ID }))
	require.Equal(t, []string{
		"vipassana", "zen", "tibetan", "mbsr", "transcendental", "yogic", "taoist", "secular-mindfulness",
	}, ids(c.Practices, func(x Practice) string { return x.ID }))
	require.Equal(t, []string{"minimed", "reset", "timeout"}, ids(c.Sizes, func(x Size) string { return x.ID }))
	require.Equal(t, []string{"warm", "ocean", "rain"}, ids(c.Tracks, func(x Track) string { return x.ID }))
}

func TestSizesAreTheSpecifications(t *testing.T) {
	t.Parallel()
	expected := map[string][4]int{"minimed": {350, 380, 17, 40}, "reset": {550, 600, 19, 70}, "timeout": {900, 950, 28, 90}}
	for _, s := range load(t).Sizes {
		want := expected[s.ID]
		require.Equal(t, want, [4]int{s.MinWords, s.MaxWords, s.Breaks, s.PauseSeconds}, s.ID)
	}
}

// The generator's page says "about 4, 6 and 9 min".
func TestExpectedLengthsFollowFromWordsPaceAndSilences(t *testing.T) {
	t.Parallel()
	expected := map[string]time.Duration{"minimed": 226 * time.Second, "reset": 362 * time.Second, "timeout": 560 * time.Second}
	for _, s := range load(t).Sizes {
		want := expected[s.ID]
		require.Equal(t, want, s.Expected(), s.ID)
	}
}

func TestAffirmationsAreWholeSentencesSaidOnce(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	for _, typ := range load(t).Types {
		for _, line := range typ.Affirmations {
			require.Regexp(t, `^[A-Z][A-Za-z ,']+\.$`, line)
			require.LessOrEqual(t, len(strings.Fields(line)), 12)
			require.False(t, said[line], line)
			said[line] = true
		}
	}
}

func TestEveryFaultIsReported(t *testing.T) {
	t.Parallel()
	bad := Catalogue{
		Types:  []Type{{ID: "Joy", Name: "Joy", Affirmations: []string{"", "b"}}},
		Sizes:  []Size{{ID: "tiny", Name: "Tiny", Description: "x", MinWords: 5, MaxWords: 2, Breaks: 9, PauseSeconds: 1}},
		Tracks: []Track{{ID: "rain", Name: "Rain"}, {ID: "rain", Name: "Rain"}},
	}
	err := bad.check()
	for _, fault := range []string{"not a slug", "2 affirmations", "an empty affirmation", "a text is missing", "words 5 to 2", "1 s for 9", "track/rain: twice", "narrator/: not a slug"} {
		require.ErrorContains(t, err, fault)
	}
}

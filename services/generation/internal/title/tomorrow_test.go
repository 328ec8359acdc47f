package title_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/generation/internal/title"
)

func TestTomorrowsTitleIsMadeFromThisOne(t *testing.T) {
	t.Parallel()
	for of, want := range map[string]string{
		"After the long meeting":              "After the long meeting, a day later",
		" Before the first train. ":           "Before the first train, a day later",
		"A soft end to today":                 "A soft end to tomorrow",
		"Putting today down":                  "",
		"Today's garden":                      "Tomorrow's garden",
		"A calm walk this evening":            "A calm walk tomorrow evening",
		"This Morning, slowly":                "Tomorrow morning, slowly",
		"A slow bath tonight":                 "A slow bath tomorrow night",
		"Before the first train, a day later": "Before the first train, a day later",
		"Rain on the window at bedtime and coffee by the window in the garden": "",
		"Before tomorrow’s walk": "",
		"Tomorrow, tomorrow":     "",
		"Monday's walk":          "",
		"The end of the week":    "",
		"Day 3 of resting":       "",
		"Can I rest?":            "",
		"Après la réunion":       "",
		"🌊":                      "",
		"...":                    "",
		"":                       "",
	} {
		require.Equal(t, want, title.Tomorrow(of), "%q", of)
	}
}

func TestNothingIsOfferedAfterATitleThatNeedsCare(t *testing.T) {
	t.Parallel()
	for _, of := range []string{
		"My mum died", "After the miscarriage", "I want to die", "He left me", "Chemo", "Nobody calls me", "The rent is due",
		"My mum died, a day later", "I feel so ashamed", "The panic comes", "Waiting for the IVF result",
	} {
		require.Empty(t, title.Tomorrow(of), of)
	}
}

func TestTomorrowsTitleIsAGoodOneAndNoChainGrows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.StringMatching(`[A-Za-z ,'.]{0,90}(today|tonight|this morning)?[a-z ]{0,10}`).Draw(t, "title")
		next := title.Tomorrow(of)
		if next == "" {
			return
		}
		clean, err := title.Check(next)
		require.NoError(t, err)
		require.Equal(t, next, clean)
		if again := title.Tomorrow(next); again != "" {
			require.Equal(t, next, again)
		}
	})
}

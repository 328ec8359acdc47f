package script

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/safety"
)

// To a title of pain that names a place of the body no part of the script speaks of that place, except to say what the eyes do.
func TestTheSorePlaceIsLeftAlone(t *testing.T) {
	t.Parallel()
	lib, err := words()
	require.NoError(t, err)
	for title, never := range map[string]string{
		"Arthritis in my hands": `\b(hands?|fingers?|thumbs?|palms?|wrists?)\b`, "Carpal tunnel": `\b(hands?|fingers?|wrists?)\b`,
		"Frozen shoulder": `\bshoulders?\b`, "Sore knees": `\bknees?\b`, "Sciatica": `\b(your back|spine|legs?|hips?)\b`,
		"Jaw pain": `\b(jaws?|teeth|tongue)\b`, "My back hurts": `\b(your back|lower back|spine)\b`, "Migraine": `\b(head|brow|scalp)\b`,
		"Neck pain": `\b(neck|nape|throat)\b`, "My feet are killing me": `\b(foot|feet|toes?|soles?|heels?)\b`,
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			require.True(t, safety.Classify(title).Speaks(safety.Pain))
			hurts := regexp.MustCompile(`(?i)` + never)
			everyRequest(lib, title, func(r Request) {
				s, err := lib.compose(r)
				require.NoError(t, err, "%s %s %s", r.TypeID, r.PracticeID, r.SizeID)
				require.Len(t, s.Passages, r.Breaks)
				for _, sentence := range spoken(s) {
					require.NotRegexp(t, hurts, sentence, "%s %s %s", r.TypeID, r.PracticeID, r.SizeID)
				}
			})
		})
	}
}

func TestBackIsAPartOfTheBodyOnlyWhereItIsOne(t *testing.T) {
	t.Parallel()
	for line, is := range map[string]bool{
		"Let your back be long.": true, "Feel the lower back now.": true, "Rest the back.": true,
		"Come back to it.": false, "Go back over it.": false, "Look at the back of the door.": false,
	} {
		require.Equal(t, is, partsNamed(line) == partOf["spine"], line)
	}
}

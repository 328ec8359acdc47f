package flite

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration"
)

func TestThePitchSinksOverAClauseAndTheSentence(t *testing.T) {
	t.Parallel()
	u := narration.Utterance{Pitch: 200, Fall: 4}
	marked := markUp(u, "Let go, and rest here.")
	require.Regexp(t, `^(<prosody pitch="[0-9.]+">[A-Za-z,.]+</prosody> ){5}$`, marked)
	var hz []float64
	for _, m := range regexp.MustCompile(`pitch="([0-9.]+)"`).FindAllStringSubmatch(marked, -1) {
		v, err := strconv.ParseFloat(m[1], 64)
		require.NoError(t, err)
		hz = append(hz, v)
	}
	require.InDelta(t, 200*1.1225, hz[0], 0.1, "two semitones over the mean")
	require.InDelta(t, 200/1.1225, hz[4], 0.1, "two under it")
	require.Less(t, hz[1], hz[0])
	require.Greater(t, hz[2], hz[1], "a new clause begins higher")
	require.Less(t, hz[2], hz[0], "and lower than the one before it")
	require.Empty(t, markUp(narration.Utterance{Pitch: 200}, "Rest."))
	require.Empty(t, markUp(narration.Utterance{Fall: 4}, "Rest."))
}

func TestTheFallLeavesTheWordsAndTheirTimesAlone(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, text := range []string{
		"Let go, and rest here: it's fine. Is it?", "Rest.", "-o x, ',' 1234", "I am calm? I am safe!! And I am here.",
		"Wait... And then: 'go.' Let it.", "'Yes.' 'No!' - 'Yes.'",
	} {
		flat := speak(t, s, narration.Utterance{Text: text, Voice: "slt", Pitch: 170})
		sinking := speak(t, s, narration.Utterance{Text: text, Voice: "slt", Pitch: 170, Fall: 4})
		require.Len(t, sinking.Samples, len(flat.Samples), text)
		require.NotEqual(t, flat.Samples, sinking.Samples, text)
	}
}

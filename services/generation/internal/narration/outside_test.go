package narration

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
)

const outsideNarrators = `
narrators:
  - id: nova
    name: Nova
    description: Warm and near.
    synthesiser: vendor
    settings: {voice: alloy, stretch: 1.1}
    languages: [en-GB, en-US]
    sound: plain
    loudness: -20
    words_per_minute: 140
    fallback: isla
`

// vendor is an outside synthesiser with one voice. What it is asked to speak costs nothing or has no room.
type vendor struct {
	mute

	full bool
}

func (vendor) HasVoice(name string) bool { return name == "alloy" }

func (vendor) Check(u Utterance) error {
	if u.Pitch != 0 {
		return errors.New("it takes no pitch")
	}
	return nil
}

func (v vendor) Admit(_ context.Context, characters int) error {
	if v.full && characters > 0 {
		return errors.New("no room")
	}
	return nil
}

// engaged has the built-in narrators and those of a file.
func engaged(t *testing.T, data string, v Synthesiser) (*Recorder, error) {
	t.Helper()
	r, err := New(Synthesisers{"flite": mute{}}, nil, 1)
	require.NoError(t, err)
	return r, r.Engage([]byte(data), Synthesisers{"vendor": v})
}

func TestOutsideNarratorsStandBehindTheOthersWithTheirFallback(t *testing.T) {
	t.Parallel()
	r, err := engaged(t, outsideNarrators, vendor{})
	require.NoError(t, err)
	all := r.Narrators()
	require.Len(t, all, 7)
	nova := all[6]
	require.Equal(t, []string{"nova", "Nova", "Warm and near."}, []string{nova.ID, nova.Name, nova.Description})
	require.InDelta(t, 140, nova.WordsPerMinute, 0)
	instead, outside := r.Fallback("nova")
	require.True(t, outside)
	require.Equal(t, "Isla", instead.Name)
	for _, id := range []string{"maren", "nobody", ""} {
		_, outside := r.Fallback(id)
		require.False(t, outside, id)
	}
	require.Equal(t, "maren", r.DefaultNarrator(false).ID)

	n, _ := r.cast.find("nova")
	require.Equal(t, Utterance{Text: "Rest.", Voice: "alloy", Stretch: 1.1, Pace: 140}, n.utterance("Rest."))
}

func TestAFaultInAnOperatorsFileIsNamed(t *testing.T) {
	t.Parallel()
	for fault, change := range map[string][2]string{
		"narrator maren: twice":                      {"id: nova", "id: maren"},
		`narrator "Nova": not a slug`:                {"id: nova", "id: Nova"},
		"a text is missing":                          {"name: Nova", "name: ''"},
		`there is no synthesiser "elsewhere"`:        {"synthesiser: vendor", "synthesiser: elsewhere"},
		`vendor has no voice "echo"`:                 {"voice: alloy", "voice: echo"},
		"it takes no pitch":                          {"stretch: 1.1", "pitch: 120"},
		`there is no sound "hall"`:                   {"sound: plain", "sound: hall"},
		"languages [de-DE], want en-GB among them":   {"[en-GB, en-US]", "[de-DE]"},
		`fallback "nova" is not a built-in narrator`: {"fallback: isla", "fallback: nova"},
		`fallback "" is not a built-in narrator`:     {"fallback: isla", ""},
		"loudness 0":                                 {"loudness: -20", ""},
		"words_per_minute 0":                         {"words_per_minute: 140", ""},
		"field colour not found":                     {"name: Nova", "colour: blue"},
		"no narrators":                               {outsideNarrators, ""},
	} {
		data := strings.Replace(outsideNarrators, change[0], change[1], 1)
		r, err := engaged(t, data, vendor{})
		require.ErrorContains(t, err, fault)
		require.Len(t, r.Narrators(), 6, fault)
	}
	_, err := engaged(t, strings.NewReplacer("alloy", "echo", "isla", "nobody").Replace(outsideNarrators), vendor{})
	require.ErrorContains(t, err, "voice")
	require.ErrorContains(t, err, "fallback", "all faults are named")
}

func TestARecordingAsksForMoneyBeforeItBeginsAndNotInItsMiddle(t *testing.T) {
	t.Parallel()
	r, err := engaged(t, outsideNarrators, vendor{full: true})
	require.NoError(t, err)
	parts := planBackground([]recording.Passage{{Sentences: []string{"Breathe in.", "And out."}}})
	_, err = r.begin(t.Context(), "nova", parts, 0)
	require.ErrorContains(t, err, "no room")
	n, err := r.begin(t.Context(), "nova", parts, 1)
	require.NoError(t, err)
	require.Equal(t, "nova", n.ID)
	_, err = r.begin(t.Context(), "maren", parts, 0)
	require.NoError(t, err, "a built-in narrator costs nothing")
}

func TestARecordingIsNotContinuedByAnotherNarrator(t *testing.T) {
	t.Parallel()
	r, err := engaged(t, outsideNarrators, vendor{})
	require.NoError(t, err)
	parts := planBackground([]recording.Passage{{Sentences: []string{"Breathe in.", "And out."}}})
	_, err = r.begin(t.Context(), "gone", parts, 1)
	require.ErrorIs(t, err, ErrNarrator)
	n, err := r.begin(t.Context(), "gone", parts, 0)
	require.NoError(t, err)
	require.Equal(t, "maren", n.ID)
}

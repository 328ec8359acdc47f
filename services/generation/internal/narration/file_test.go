package narration

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// edited is the file with one text in place of another.
func edited(t *testing.T, text, by string) []byte {
	t.Helper()
	require.Contains(t, string(narratorsFile), text)
	return []byte(strings.Replace(string(narratorsFile), text, by, 1))
}

func TestTheFileNamesItsSynthesiserAndUnknownOnesAreRefused(t *testing.T) {
	t.Parallel()
	_, err := newCast(narratorsFile, Synthesisers{"flite": mute{}})
	require.NoError(t, err)
	_, err = newCast(narratorsFile, Synthesisers{"other": mute{}})
	require.ErrorContains(t, err, `narrator maren: there is no synthesiser "flite"`)
	require.ErrorContains(t, err, `narrator ansel: there is no synthesiser "flite"`, "all faults are named")
	_, err = newCast(narratorsFile, Synthesisers{"flite": voiceless{}})
	require.ErrorContains(t, err, `narrator tomas: flite has no voice "rms"`)
}

// voiceless has no voice.
type voiceless struct{ mute }

func (voiceless) HasVoice(string) bool { return false }

func TestAFaultInTheFileIsRefused(t *testing.T) {
	t.Parallel()
	for fault, change := range map[string][2]string{
		"not a slug":                             {"id: maren", "id: Maren"},
		"narrator isla: twice":                   {"id: maren", "id: isla"},
		"narrator maren: a text is missing":      {"name: Maren", "name: ''"},
		"there is no sound":                      {"sound: flite", "sound: hall"},
		"stretch 14.2":                           {"stretch: 1.36", "stretch: 14.2"},
		"pitch -1":                               {"pitch: 168", "pitch: -1"},
		"tract [24], want two numbers":           {"tract: [22, 23]", "tract: [24]"},
		"tract +Inf":                             {"tract: [22, 23]", "tract: [24, 0]"},
		"fall 40":                                {"fall: 4", "fall: 40"},
		"narrator tomas: a fall without a pitch": {"stretch: 1.28", "stretch: 1.28, fall: 3"},
		"sibilants 24":                           {"sibilants: -24", "sibilants: 24"},
		"sound flite: de_esser":                  {"{hz: 4500", "{hz: 45000"},
		"loudness 20":                            {"loudness: -20", "loudness: 20"},
		"words_per_minute 1230":                  {"words_per_minute: 126", "words_per_minute: 1230"},
		"no filter: {Kind:notch":                 {"kind: high-pass", "kind: notch"},
		"no filter: {Kind:high-shelf Hz:15000":   {"hz: 6300", "hz: 15000"},
		"sound flite: compressor":                {"attack: 8ms", "attack: 0s"},
		"sound flite: reverb":                    {"wet: 0.1", "wet: 10"},
		"sound flite: pauses":                    {"shortest: 70ms", "shortest: 0s"},
		`default "nobody"`:                       {"immersive: isla", "immersive: nobody"},
		"field colour not found":                 {"name: Maren", "colour: blue"},
	} {
		_, err := newCast(edited(t, change[0], change[1]), Synthesisers{"flite": mute{}})
		require.ErrorContains(t, err, fault)
	}
}

func TestEverySettingOfANarratorsSoundChangesItsHash(t *testing.T) {
	t.Parallel()
	sound := func(data []byte) string {
		all, err := newCast(data, Synthesisers{"flite": mute{}})
		require.NoError(t, err)
		return all.voiceOnly.Sound
	}
	now := sound(narratorsFile)
	for _, change := range [][2]string{
		{"fall: 4", "fall: 3"},
		{"tract: [22, 23]", "tract: [21, 23]"},
		{"{kind: peak, hz: 150", "{kind: peak, hz: 151"},
		{"sibilants: -24", "sibilants: -25"},
		{"added: 320ms", "added: 321ms"},
		{"hz: 78", "hz: 79"},
	} {
		require.NotEqual(t, now, sound(edited(t, change[0], change[1])), change)
	}
	require.Equal(t, now, sound(edited(t, "Even and clear", "Clear and even")), "the description is not heard")
	require.Equal(t, now, sound(edited(t, "words_per_minute: 126", "words_per_minute: 125")))
}

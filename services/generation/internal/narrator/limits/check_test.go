package limits

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/narrator/narratortest"
)

const sentence = "Let your shoulders soften, and allow your hands to rest."

func TestSpeechOfTheTextPassesAtAnyRate(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Rest.", "And out.", sentence, sentence + " " + sentence} {
		for _, rate := range []int{8000, 16000, 22050, 24000, 48000} {
			speech, err := PCM(narratortest.PCM(text, rate), rate)
			require.NoError(t, err)
			require.NoError(t, check(narration.Utterance{Text: text, Pace: 150}, speech), text)
			require.NoError(t, check(narration.Utterance{Text: text}, speech), "a narrator whose pace is unknown")
		}
	}
}

func TestAPartOfTheSpeechIsRefused(t *testing.T) {
	t.Parallel()
	whole, err := PCM(narratortest.PCM(sentence, 24000), 24000)
	require.NoError(t, err)
	for part, refused := range map[float64]bool{0.1: true, 0.45: true, 0.9: false, 1: false} {
		cut := whole
		cut.Samples = whole.Samples[:int(part*float64(len(whole.Samples)))]
		err := check(narration.Utterance{Text: sentence, Pace: 150}, cut)
		require.Equal(t, refused, err != nil, "%v: %v", part, err)
	}
	require.ErrorContains(t, check(narration.Utterance{Text: sentence, Pace: 150}, narration.Speech{Rate: 24000}), "silent")
	require.ErrorContains(t, check(narration.Utterance{Text: sentence, Pace: 150}, narration.Speech{Rate: 4, Samples: whole.Samples}), "4 samples a second")
}

// Loud vowels and loud sibilants are no noise.
func TestALoudVoiceIsNoNoise(t *testing.T) {
	t.Parallel()
	speech := narration.Speech{Rate: 24000, Samples: make([]float32, 72000)}
	for i := range speech.Samples {
		speech.Samples[i] = float32(0.7*math.Sin(2*math.Pi*180*float64(i)/24000) + 0.29*math.Sin(2*math.Pi*3500*float64(i)/24000))
	}
	_, found := noise(speech)
	require.False(t, found)
}

func TestAWAVFileIsReadWithAnySizeThatAServerWrites(t *testing.T) {
	t.Parallel()
	pcm := narratortest.PCM(sentence, 22050)
	for _, size := range []uint32{uint32(len(pcm)), 0, 0xffffffff, 0x7fffffff} {
		speech, err := WAV(narratortest.WAV(pcm, 22050, size))
		require.NoError(t, err)
		require.Equal(t, 22050, speech.Rate)
		require.Len(t, speech.Samples, len(pcm)/2)
	}
	whole := narratortest.WAV(pcm, 22050, uint32(len(pcm)))
	_, err := WAV(whole[:len(whole)-100])
	require.ErrorContains(t, err, "too early")
	stereo := append([]byte(nil), whole...)
	stereo[22] = 2
	_, err = WAV(stereo)
	require.ErrorContains(t, err, "mono")
}

func TestAnyBytesAreReadOrRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "data")
		if rapid.Bool().Draw(t, "with a header") {
			data = append(narratortest.WAV(nil, 24000, uint32(len(data)))[:36], data...)
		}
		for _, read := range []func() (narration.Speech, error){
			func() (narration.Speech, error) { return WAV(data) }, func() (narration.Speech, error) { return PCM(data, 24000) },
		} {
			speech, err := read()
			require.False(t, err != nil && len(speech.Samples) > 0)
		}
	})
}

package spoken

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/generation/internal/narration"
)

func TestAFileHoldsSpeechToTheBit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		samples := rapid.SliceOfN(rapid.Int16(), 1, 400).Draw(t, "samples")
		speech := narration.Speech{Rate: rapid.IntRange(1, math.MaxInt32).Draw(t, "rate")}
		for _, x := range samples {
			speech.Samples = append(speech.Samples, float32(x)/32768)
		}
		exact, ok := toPCM(speech)
		require.True(t, ok)
		key := Key{1}
		got, err := unpack(key, pack(key, exact))
		require.NoError(t, err)
		require.Equal(t, speech, got)
		_, err = unpack(Key{2}, pack(key, exact))
		require.ErrorIs(t, err, errDamaged)
	})
}

func FuzzAnyFileIsReadOrRefused(f *testing.F) {
	key := Key{1}
	f.Add([]byte{})
	f.Add(pack(key, pcm{16000, []int16{1, -1, math.MaxInt16, math.MinInt16}}))
	f.Add(coder.EncodeAll(key[:], nil))
	f.Add(coder.EncodeAll(append(key[:], 0, 0, 0, 1, 7), nil))
	f.Fuzz(func(t *testing.T, file []byte) {
		speech, err := unpack(key, file)
		require.Equal(t, err == nil, len(speech.Samples) > 0)
	})
}

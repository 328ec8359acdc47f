package spoken

import (
	"encoding/hex"
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

// written is a file as this format has it, of the sentence with the key 1. Where it cannot be read any more, or its key changes, format
// is raised and the new file stands here.
var written = struct{ format, key, file string }{"1", "cb367c34ba71d9e8da674c2666897d8eb3711a4701ef5bf1bbf6bd6a3fbd9ca5", "28b52ffd0400610100cb367c34ba71d9e8da674c2666897d8eb3711a4701ef5bf1bbf6bd6a3fbd9ca500003e8000ffffff40ff3f7f437cefbd"}

func TestAFileOfThisFormatIsFoundAndReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	require.Equal(t, format, written.format)
	key := keyOf(Key{1})
	require.Equal(t, hex.EncodeToString(key[:]), written.key)
	file, err := hex.DecodeString(written.file)
	require.NoError(t, err)
	speech, err := unpack(key, file)
	require.NoError(t, err)
	require.Equal(t, narration.Speech{Rate: 16000, Samples: []float32{0.25, -0.5, 0.5, -1}}, speech)
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

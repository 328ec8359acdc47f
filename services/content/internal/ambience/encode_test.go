package ambience_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"os"
	"testing"
	"time"

	gomp3 "github.com/hajimehoshi/go-mp3"
	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/ambience"
	"serein.app/services/sound/mp3"
	"serein.app/services/testkit"
)

// decode gives the left and right channel of an MP3.
func decode(t *testing.T, data []byte) (left, right []float64) {
	t.Helper()
	d, err := gomp3.NewDecoder(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, ambience.Rate, d.SampleRate())
	pcm, err := io.ReadAll(d)
	require.NoError(t, err)
	for ; len(pcm) >= 4; pcm = pcm[4:] {
		left = append(left, float64(int16(binary.LittleEndian.Uint16(pcm)))/32768)
		right = append(right, float64(int16(binary.LittleEndian.Uint16(pcm[2:])))/32768)
	}
	return left, right
}

func TestTheFilesWindowRepeatsWithoutASeam(t *testing.T) {
	t.Parallel()
	code, err := os.ReadFile(testkit.Part(t, "mp3.wasm"))
	require.NoError(t, err)
	codec, err := mp3.Open(t.Context(), code, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, codec.Close(t.Context())) })
	for _, track := range ambience.Tracks() {
		t.Run(track, func(t *testing.T) {
			t.Parallel()
			l := rendered[track]()
			file, err := ambience.Encode(t.Context(), codec, l)
			require.NoError(t, err)
			require.Equal(t, ambience.LoopLength, time.Duration(len(l.Left))*time.Second/ambience.Rate)
			require.Less(t, len(file), 800_000)
			left, right := decode(t, file)
			for _, channel := range [][]float64{left, right} {
				// A decoder may cut up to 2 frames of delay: the window moves, and still repeats.
				for _, cut := range []int{0, mp3.Delay, 2 * 1152} {
					start := int(ambience.LoopStart*ambience.Rate/time.Second) + cut
					end := start + len(l.Left)
					// The same sound but for the codec's own noise, which lies about 10 dB under the
					// rain and lower under the others. Sound that did not repeat would differ by +3 dB.
					require.Less(t, difference(channel[start-200:start+400], channel[end-200:end+400]), -8.0)
					require.Less(t, jumpAt(channel[end-200:end], channel[start:start+200]), 5.0)
				}
			}
		})
	}
}

// jumpAt is the bend where b follows a, against the usual bends around it.
func jumpAt(a, b []float64) float64 {
	joined := append(append([]float64{}, a...), b...)
	var sum, at float64
	for i := 1; i < len(joined)-1; i++ {
		d := joined[i+1] - 2*joined[i] + joined[i-1]
		sum += d * d
		if i == len(a)-1 || i == len(a) {
			at = max(at, math.Abs(d))
		}
	}
	return at / math.Sqrt(sum/float64(len(joined)-2))
}

// difference of two signals in dB against the first.
func difference(a, b []float64) float64 {
	var diff, sum float64
	for i := range a {
		diff += (a[i] - b[i]) * (a[i] - b[i])
		sum += a[i] * a[i]
	}
	return 10 * math.Log10(diff/sum+1e-12)
}

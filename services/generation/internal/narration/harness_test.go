package narration_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"os"
	"testing"
	"time"

	gomp3 "github.com/hajimehoshi/go-mp3"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/narration/narrationtest"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/sound/mp3"
	"serein.app/services/testkit"
)

type hum = narrationtest.Hum

// newRecorder has every narrator spoken by the synthesiser.
func newRecorder(tb testing.TB, s narration.Synthesiser, codec *mp3.Codec, workers int) *narration.Recorder {
	tb.Helper()
	r, err := narration.New(narration.Synthesisers{"flite": s}, codec, workers)
	require.NoError(tb, err)
	return r
}

func openCodec(tb testing.TB) *mp3.Codec {
	tb.Helper()
	code, err := os.ReadFile(testkit.Part(tb, "mp3.wasm"))
	require.NoError(tb, err)
	codec, err := mp3.Open(tb.Context(), code, "")
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, codec.Close(context.Background())) })
	return codec
}

// recorded is a segment with its sound.
type recorded struct {
	recording.Segment
	mp3 []byte
}

// record records everything from a segment on.
func record(tb testing.TB, r *narration.Recorder, narrator string, s recording.Script, from int, at time.Duration) (all []recorded) {
	tb.Helper()
	require.NoError(tb, r.Record(tb.Context(), narrator, s, from, at, func(s recording.Segment, mp3 []byte) error {
		all = append(all, recorded{s, mp3})
		return nil
	}))
	return all
}

func join(segments []recorded) (whole []byte) {
	for _, s := range segments {
		whole = append(whole, s.mp3...)
	}
	return whole
}

func ignore(recording.Segment, []byte) error { return nil }

// decode gives the sound of an MP3 at 24 kHz.
func decode(tb testing.TB, data []byte) []float32 {
	tb.Helper()
	d, err := gomp3.NewDecoder(bytes.NewReader(data))
	require.NoError(tb, err)
	require.Equal(tb, 24000, d.SampleRate())
	pcm, err := io.ReadAll(d)
	require.NoError(tb, err)
	out := make([]float32, len(pcm)/4) // the decoder always gives two channels
	for i := range out {
		out[i] = float32(int16(binary.LittleEndian.Uint16(pcm[4*i:]))) / 32768
	}
	return out
}

// at is the place of a moment in samples.
func at(d time.Duration) int { return int(math.Round(d.Seconds() * 24000)) }

var script = recording.Script{Passages: []recording.Passage{
	{Sentences: []string{"Welcome to this quiet moment.", "Let your shoulders soften.", "There is nothing to fix."}, Pause: 1700 * time.Millisecond},
	{Sentences: []string{"Breathe in slowly.", "And out."}, Pause: 2345 * time.Millisecond},
	{Sentences: []string{"When you are ready, open your eyes."}, Pause: 1001 * time.Millisecond},
}}
